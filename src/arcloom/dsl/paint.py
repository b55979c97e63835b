"""Colours: reading them from grids and objects, and writing them into grids."""

from collections import Counter
from collections.abc import Iterable

from arcloom.dsl.declare import primitive
from arcloom.dsl.grid import has_position
from arcloom.dsl.meter import affordable
from arcloom.dsl.patch import cells_of, positions, step
from arcloom.dsl.types import Cell, Element, Grid, Indices, Object, Pair, Patch
from arcloom.dsl.values import Reason, colour, fail, ordered


def _counts(element: Element) -> Counter[int]:
    """The number of cells of each colour."""
    return Counter(value for value, _ in (cells_of(element) if isinstance(element, tuple) else element))


@primitive
def palette(element: Element) -> frozenset[int]:
    """The colours that occur.

    palette(((1, 2), (2, 5))) -> {1, 2, 5}
    palette({(7, (0, 0)), (7, (0, 1))}) -> {7}
    """
    return frozenset(_counts(element))


@primitive
def numcolors(element: Element) -> int:
    """The number of different colours.

    numcolors(((1, 2), (2, 5))) -> 3
    numcolors(set()) -> 0
    """
    return len(_counts(element))


@primitive
def colorcount(element: Element, value: int) -> int:
    """The number of cells that have the colour.

    colorcount(((1, 2), (2, 5)), 2) -> 2
    colorcount({(7, (0, 0)), (8, (0, 1))}, 3) -> 0
    """
    return _counts(element)[value]


@primitive
def mostcolor(element: Element) -> int:
    """The most frequent colour; of several, the lowest.

    mostcolor(((1, 2), (2, 5))) -> 2
    mostcolor(((9, 7, 8),)) -> 7
    mostcolor(((), ())) -> fails
    """
    counts = _counts(element) or fail(Reason.EMPTY)
    return max(sorted(counts), key=counts.__getitem__)


@primitive
def leastcolor(element: Element) -> int:
    """The least frequent of the colours that occur; of several, the lowest.

    leastcolor(((1, 2), (2, 5))) -> 1
    leastcolor(set()) -> fails
    """
    counts = _counts(element) or fail(Reason.EMPTY)
    return min(sorted(counts), key=counts.__getitem__)


@primitive
def ofcolor(grid: Grid, value: int) -> Indices:
    """The positions that have the colour.

    ofcolor(((1, 2), (2, 5)), 2) -> {(0, 1), (1, 0)}
    """
    return frozenset(position for color, position in cells_of(grid) if color == value)


@primitive
def canvas(value: int, dimensions: Pair) -> Grid:
    """A grid of one colour with this height and width; a negative number counts as 0.

    canvas(3, (2, 3)) -> ((3, 3, 3), (3, 3, 3))
    canvas(3, (2, 0)) -> ((), ())
    canvas(3, (-1, 3)) -> ()
    canvas(1000, (2, 3)) -> fails
    """
    height, width = (max(number, 0) for number in dimensions)
    affordable(height * width)
    return ((colour(value),) * width,) * height


def _written(grid: Grid, cells: Iterable[Cell], only_on: int | None = None) -> Grid:
    """The grid after writing these cells in order. Cells off the grid are ignored.

    With ``only_on``, a cell is written only where the grid has this colour at that moment.
    """
    if not grid:
        fail(Reason.EMPTY)
    rows = [list(row) for row in grid]
    for value, (i, j) in cells:
        if has_position(grid, (i, j)) and only_on in (None, rows[i][j]):
            rows[i][j] = colour(value)
    return tuple(map(tuple, rows))


def _filled(grid: Grid, color: int, patch: Patch, only_on: int | None = None) -> Grid:
    """The grid after writing one colour at the positions of the patch."""
    return _written(grid, ((color, where) for where in positions(patch)), only_on)


@primitive
def fill(grid: Grid, value: int, patch: Patch) -> Grid:
    """The grid with the positions of the patch in this colour. Positions off the grid are ignored.

    fill(((1, 2), (3, 4)), 7, {(0, 1), (5, 5), (-1, 0)}) -> ((1, 7), (3, 4))
    fill(((1, 2), (3, 4)), 128, {(0, 1)}) -> fails
    fill((), 7, {(0, 1)}) -> fails
    """
    return _filled(grid, colour(value), patch)


@primitive
def paint(grid: Grid, obj: Object) -> Grid:
    """The grid with the cells of the object written over it. Cells off the grid are ignored.

    Of several cells at one position, the highest colour remains.

    paint(((1, 2), (3, 4)), {(7, (0, 1)), (8, (5, 5))}) -> ((1, 7), (3, 4))
    paint(((1, 2), (3, 4)), {(7, (0, 1)), (5, (0, 1))}) -> ((1, 7), (3, 4))
    paint((), {(7, (0, 1))}) -> fails
    """
    return _written(grid, ordered(obj))


@primitive
def underfill(grid: Grid, value: int, patch: Patch) -> Grid:
    """The grid with the positions of the patch in this colour, only where the grid has its most frequent colour.

    underfill(((1, 1), (3, 1)), 7, {(0, 1), (1, 0), (5, 5)}) -> ((1, 7), (3, 1))
    underfill(((), ()), 7, {(0, 1)}) -> fails
    """
    return _filled(grid, colour(value), patch, only_on=mostcolor.function(grid))


@primitive
def underpaint(grid: Grid, obj: Object) -> Grid:
    """The grid with the cells of the object written over it, only where the grid has its most frequent colour.

    Of several cells at one position, the lowest colour other than the most frequent one remains.

    underpaint(((1, 1), (3, 1)), {(7, (0, 1)), (8, (1, 0)), (9, (5, 5))}) -> ((1, 7), (3, 1))
    underpaint(((1, 1), (3, 1)), {(7, (0, 1)), (5, (0, 1)), (1, (0, 1))}) -> ((1, 5), (3, 1))
    underpaint(((), ()), {(7, (0, 1))}) -> fails
    """
    return _written(grid, ordered(obj), only_on=mostcolor.function(grid))


@primitive
def cover(grid: Grid, patch: Patch) -> Grid:
    """The grid with the positions of the patch in its most frequent colour.

    cover(((1, 1), (3, 1)), {(0, 1), (1, 0)}) -> ((1, 1), (1, 1))
    cover((), {(0, 1), (1, 0)}) -> fails
    """
    return _filled(grid, mostcolor.function(grid), patch)


@primitive
def move(grid: Grid, obj: Object, offset: Pair) -> Grid:
    """The grid with the object covered, and painted again moved by the offset (down, right).

    move(((1, 1), (3, 1)), {(3, (1, 0))}, (-1, 1)) -> ((1, 3), (1, 1))
    move(((1, 1), (3, 1)), {(3, (1, 0))}, (5, 0)) -> ((1, 1), (1, 1))
    move((), {(3, (1, 0))}, (0, 0)) -> fails
    """
    moved = frozenset((value, step(where, offset)) for value, where in obj)
    return _written(_filled(grid, mostcolor.function(grid), obj), ordered(moved))


def _recoloured(grid: Grid, new: dict[int, int]) -> Grid:
    return tuple(tuple(new.get(value, value) for value in row) for row in grid)


@primitive
def replace(grid: Grid, replacee: int, replacer: int) -> Grid:
    """The grid with one colour replaced by another.

    replace(((1, 2), (3, 1)), 1, 7) -> ((7, 2), (3, 7))
    replace(((1, 2), (3, 1)), 4, 1000) -> fails
    """
    return _recoloured(grid, {replacee: colour(replacer)})


@primitive
def switch(grid: Grid, a: int, b: int) -> Grid:
    """The grid with two colours exchanged.

    switch(((1, 2), (3, 1)), 1, 2) -> ((2, 1), (3, 2))
    switch(((1, 2), (3, 1)), 1, 1000) -> fails
    """
    return _recoloured(grid, {colour(a): b, colour(b): a})


@primitive
def cellwise(a: Grid, b: Grid, fallback: int) -> Grid:
    """The first grid with the fallback colour where the second one differs.

    The second may be larger, and must have all positions of the first.

    cellwise(((1, 2), (3, 4)), ((1, 5), (3, 4)), 0) -> ((1, 0), (3, 4))
    cellwise(((1, 2),), ((1, 5, 6), (3, 4, 6)), 0) -> ((1, 0),)
    cellwise(((1, 2), (3, 4)), ((1, 5),), 0) -> fails
    cellwise((), (), 0) -> fails
    """
    if not a:
        fail(Reason.EMPTY)
    if a[0] and not has_position(b, (len(a) - 1, len(a[0]) - 1)):
        fail(Reason.SHAPE)
    other = colour(fallback)
    return tuple(tuple(value if value == b[i][j] else other for j, value in enumerate(row)) for i, row in enumerate(a))
