"""The dialect: primitives that choose a variant by a number, so that a mutation changes a constant, not a function."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from arcloom.dsl.container import dedupe, difference, elements
from arcloom.dsl.declare import primitive
from arcloom.dsl.forms import by_key, merged, ranked, valued, visited
from arcloom.dsl.grid import cmirror, dmirror, hmirror, rot90, rot180, rot270, vmirror
from arcloom.dsl.meter import CURRENT
from arcloom.dsl.objects import objects
from arcloom.dsl.paint import palette
from arcloom.dsl.patch import (
    leftmost,
    llcorner,
    lowermost,
    lrcorner,
    rightmost,
    ulcorner,
    uppermost,
    urcorner,
)
from arcloom.dsl.types import (
    Cell,
    Container,
    Corner,
    Element,
    Function,
    Grid,
    Ints,
    Object,
    Pair,
    Patch,
    Samples,
    T,
    U,
)
from arcloom.dsl.values import Reason, fail, sort_key

_MIRRORS = (hmirror, dmirror, vmirror, cmirror)
_TURNS = (rot90, rot180, rot270)
_CORNERS = (ulcorner, urcorner, llcorner, lrcorner)
_SIDES = (lowermost, uppermost, leftmost, rightmost)
_UNCHANGED = 7


def _nth(values: Sequence[T], n: int) -> T:
    if not -len(values) <= n < len(values):
        fail(Reason.MISSING)
    return values[n]


def _variant(family: tuple[Any, ...], n: int) -> Any:
    if not 0 <= n < len(family):
        fail(Reason.RANGE)
    return family[n]


@primitive
def o_g(grid: Grid, variant: int) -> frozenset[Object]:
    """The objects of a grid, with the flags of ``objects`` as bits: 4 univalued, 2 diagonal, 1 without background.

    o_g(((0, 0, 1), (2, 0, 1)), 5) -> {{(1, (0, 2)), (1, (1, 2))}, {(2, (1, 0))}}
    o_g(((0, 1),), 8) -> fails
    """
    if not 0 <= variant <= 7:
        fail(Reason.RANGE)
    return objects.function(grid, bool(variant & 4), bool(variant & 2), bool(variant & 1))


@primitive
def o_g_t(grid: Grid, variant: int) -> tuple[Object, ...]:
    """The objects of ``o_g`` as a tuple.

    o_g_t(((0, 0, 1), (2, 0, 1)), 5) -> ({(1, (0, 2)), (1, (1, 2))}, {(2, (1, 0))})
    o_g_t(((0, 1),), -1) -> fails
    """
    return elements(o_g.function(grid, variant))


@primitive
def mir_rot_t(grid: Grid, angle: int) -> Grid:
    """A mirrored or rotated grid: 0 hmirror, 1 dmirror, 2 vmirror, 3 cmirror, 4 rot90, 5 rot180, 6 rot270, 7 unchanged.

    mir_rot_t(((1, 2), (3, 4)), 2) -> ((2, 1), (4, 3))
    mir_rot_t(((1, 2), (3, 4)), 4) -> ((3, 1), (4, 2))
    mir_rot_t(((1, 2), (3, 4)), 8) -> fails
    """
    if angle == _UNCHANGED:
        return grid
    result: Grid = _variant((*_MIRRORS, *_TURNS), angle).function(grid)
    return result


@primitive
def mir_rot_f(patch: Patch, angle: int) -> Patch:
    """A mirrored patch: 0 hmirror, 1 dmirror, 2 vmirror, 3 cmirror, otherwise unchanged.

    mir_rot_f({(0, 0), (1, 1), (1, 2)}, 2) -> {(0, 2), (1, 1), (1, 0)}
    mir_rot_f({(0, 0), (1, 1), (1, 2)}, 7) -> {(0, 0), (1, 1), (1, 2)}
    """
    if not 0 <= angle < len(_MIRRORS):
        return patch
    result: Patch = _MIRRORS[angle].function(patch)  # type: ignore[assignment]
    return result


@primitive
def corner(patch: Patch, which: int) -> Corner:
    """A corner of the bounding box: 0 upper left, 1 upper right, 2 lower left, 3 lower right.

    corner({(1, 2), (0, 3)}, 3) -> (1, 3)
    corner({(1, 2)}, 4) -> fails
    """
    result: Corner = _variant(_CORNERS, which).function(patch)
    return result


@primitive
def col_row(patch: Patch, which: int) -> int:
    """A side of the bounding box: 0 lowermost, 1 uppermost, 2 leftmost, 3 rightmost.

    col_row({(1, 2), (0, 3)}, 0) -> 1
    col_row(set(), 0) -> fails
    """
    result: int = _variant(_SIDES, which).function(patch)
    return result


@primitive
def get_nth(container: Container[T], n: int) -> T:
    """The n-th element, counted from 0, or from the back if n is negative. Also spelled get_nth_t and get_nth_f.

    get_nth((5, 6, 7), -1) -> 7
    get_nth({7, 5, 6}, 0) -> 5
    get_nth((5, 6, 7), 3) -> fails
    """
    return _nth(elements(container), n)


@primitive
def second(container: Container[T]) -> T:
    """The second element.

    second((5, 6, 7)) -> 6
    second({5}) -> fails
    """
    return _nth(elements(container), 1)


@primitive
def get_rank(ints: Ints, n: int) -> int:
    """The n-th of the ints in descending order; 0 if there is none.

    get_rank((3, 5, 4), 0) -> 5
    get_rank({3, 5}, -1) -> 3
    get_rank((3, 5), 2) -> 0
    """
    ranked = sorted(ints, reverse=True)
    return ranked[n] if -len(ranked) <= n < len(ranked) else 0


@primitive
def get_arg_rank(container: Container[T], function: Function[T, U], n: int) -> T:
    """The n-th element when sorted by the function's values in descending order; ties stay in order.

    get_arg_rank((1, 3, 2), identity, 0) -> 3
    get_arg_rank({1, 3, 2}, identity, -1) -> 1
    get_arg_rank((), identity, 0) -> fails
    """
    return _nth(sorted(ranked(function, container), key=by_key, reverse=True), n)[1]


@primitive
def get_val_rank(container: Container[T], function: Function[T, U], n: int) -> U:
    """The n-th of the function's values for the elements, in ascending order.

    get_val_rank((1, 3, 2), double, -1) -> 6
    get_val_rank((1, 3, 2), double, 0) -> 2
    get_val_rank((), double, 0) -> fails
    """
    return _nth(sorted([value for value, _ in valued(function, container)], key=sort_key), n)


def _by_frequency(colors: list[int]) -> tuple[int, ...]:
    """The colours, most frequent first; ties by first appearance."""
    return tuple(color for color, _ in Counter(colors).most_common())


@primitive
def get_color_rank(element: Element, n: int) -> int:
    """The n-th colour by frequency, most frequent first; ties by first appearance in reading order.

    get_color_rank(((2, 1), (1, 2), (3, 3)), 0) -> 2
    get_color_rank({(1, (0, 1)), (2, (0, 0))}, 0) -> 2
    get_color_rank(((1, 1),), 1) -> fails
    """
    if isinstance(element, tuple):
        colors = [color for row in element for color in row]
    else:
        colors = [color for _, color in sorted((place, color) for color, place in element)]
    return _nth(_by_frequency(colors), n)


@primitive
def get_common_rank(container: Container[T], n: int) -> T:
    """The n-th distinct element, least frequent first; of equally frequent ones, the first to appear comes last.

    get_common_rank((7, 5, 5, 6, 6, 6), -1) -> 6
    get_common_rank((7, 5, 5), 0) -> 7
    get_common_rank((4, 3), -1) -> 4
    get_common_rank((), 0) -> fails
    """
    downwards = [element for element, _ in Counter(elements(container)).most_common()]
    return _nth(tuple(reversed(downwards)), n)


@primitive
def p_g(grid: Grid) -> tuple[int, ...]:
    """The colours of a grid, ascending.

    p_g(((3, 1), (1, 0))) -> (0, 1, 3)
    """
    return elements(palette.function(grid))


@primitive
def p_o(obj: Object) -> tuple[int, ...]:
    """The colours of an object, ascending.

    p_o({(3, (0, 0)), (1, (0, 1))}) -> (1, 3)
    """
    return elements(palette.function(obj))


@primitive
def p_f(obj: Object) -> frozenset[int]:
    """The colours of an object.

    p_f({(3, (0, 0)), (1, (0, 1))}) -> {1, 3}
    """
    return palette.function(obj)


@primitive
def difference_tuple(a: tuple[T, ...], b: Container[U]) -> tuple[T, ...]:
    """The elements of a tuple that are not in the other container, in order.

    difference_tuple((3, 1, 2, 3), (1,)) -> (3, 2, 3)
    """
    return elements(difference.function(a, b))


@primitive
def toij(cell: Cell) -> Pair:
    """The position of a cell.

    toij((3, (1, 2))) -> (1, 2)
    """
    return cell[1]


@primitive
def ascell(place: Pair, color: int) -> Cell:
    """The cell of a colour at a position.

    ascell((1, 2), 3) -> (3, (1, 2))
    """
    return color, place


@primitive
def celltuple(places: tuple[Pair, ...], colors: tuple[int, ...]) -> tuple[Cell, ...]:
    """The cells of positions and colours at the same index; as long as the shorter tuple.

    celltuple(((0, 0), (0, 1)), (5, 6)) -> ((5, (0, 0)), (6, (0, 1)))
    """
    return tuple(zip(colors, places, strict=False))


def _only(samples: Samples, function: Function[Grid, tuple[T, ...]], wanted: int, unwanted: int) -> tuple[T, ...]:
    """The distinct elements of the function's values on one side of the demonstrations that the other side lacks, in
    order of first appearance."""
    site = CURRENT.site
    values, others = (site.call(side, _on_side, function, samples, side) for side in (wanted, unwanted))
    return site.call("dedupe", dedupe, site.call("difference", difference_tuple, values, others))  # type: ignore[no-any-return]


def _on_side(function: Function[Grid, tuple[T, ...]], samples: Samples, side: int) -> tuple[T, ...]:
    """The elements of the function's values for the inputs (side 0) or the outputs (side 1) of all demonstrations."""
    site, pairs = visited(samples)
    called = site.calling(0, function)
    return elements(merged(site, (), tuple([called(pair[side]) for pair in pairs])))


@primitive
def c_iz(samples: Samples, function: Function[Grid, tuple[T, ...]]) -> tuple[T, ...]:
    """The distinct elements of the function's values for demonstration inputs that no output has.

    c_iz(((((1, 2),), ((2, 3),)),), p_g) -> (1,)
    """
    return _only(samples, function, 0, 1)


@primitive
def c_zo(samples: Samples, function: Function[Grid, tuple[T, ...]]) -> tuple[T, ...]:
    """The distinct elements of the function's values for demonstration outputs that no input has.

    c_zo(((((1, 2),), ((2, 3),)),), p_g) -> (3,)
    """
    return _only(samples, function, 1, 0)


def _picked(
    samples: Samples, function: Function[Grid, tuple[T, ...]], pick: Function[tuple[T, ...], U], sides: tuple[int, int]
) -> U:
    site = CURRENT.site
    found = _only(samples, function, *sides)
    return site.call(2, pick, found)  # type: ignore[no-any-return]


@primitive
def c_iz_n(samples: Samples, function: Function[Grid, tuple[T, ...]], pick: Function[tuple[T, ...], U]) -> U:
    """The result of ``pick`` for the values of ``c_iz``.

    c_iz_n(((((1, 2),), ((2, 3),)),), p_g, first) -> 1
    c_iz_n(((((1, 2),), ((2, 1),)),), p_g, first) -> fails
    """
    return _picked(samples, function, pick, (0, 1))


@primitive
def c_zo_n(samples: Samples, function: Function[Grid, tuple[T, ...]], pick: Function[tuple[T, ...], U]) -> U:
    """The result of ``pick`` for the values of ``c_zo``.

    c_zo_n(((((1, 2),), ((2, 3),)),), p_g, last) -> 3
    c_zo_n(((((1, 2),), ((2, 1),)),), p_g, first) -> fails
    """
    return _picked(samples, function, pick, (1, 0))


@primitive
def a_mr(samples: Samples) -> int:
    """The first angle of ``mir_rot_t`` that maps every demonstration input to its output.

    a_mr(((((1, 2),), ((2, 1),)),)) -> 2
    a_mr(((((1, 2),), ((5, 5),)),)) -> fails
    """
    for angle in range(_UNCHANGED + 1):
        if all(mir_rot_t.function(a, angle) == b for a, b in samples):
            return angle
    return fail(Reason.MISSING)
