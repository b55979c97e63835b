"""Views: sets of features for the cells of the output, as terms of the input.

All features of a view have the shape of the output. The first one is the default colour of a cell. Depending on the
shape of the output, the features are computed from the input, from the input enlarged or repeated, from its parts
superimposed, or with one cell for each part.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from arcloom.induce.features import NUMBER, features
from arcloom.program.build import INPUT, call, literal, substituted
from arcloom.program.parse import parse
from arcloom.program.term import Term
from arcloom.tasks.task import Grid, Task

MOST_PARTS = 9
"""Maximum number of superimposed parts of a grid."""

MOST_TIMES = 5
"""Maximum factor by which a grid is enlarged or repeated in each direction."""


@dataclass(frozen=True)
class CellFeature:
    """A feature of the output's cells: a term for a grid of numbers, which are colours if ``colour``."""

    name: str
    term: Term
    cost: int
    colour: bool


FeatureView = tuple[CellFeature, ...]
Shape = tuple[int, int]


def views(task: Task) -> Iterator[FeatureView]:
    """The views that fit the shapes of a task's demonstrations."""
    shapes = [(_shape(pair.input), _shape(pair.output or ())) for pair in task.train]
    background = has_black([pair.input for pair in task.samples])
    if all(given == wanted for given, wanted in shapes):
        yield plain(background)
        return
    times = _common({(wanted[0] // given[0], wanted[1] // given[1]) for given, wanted in shapes})
    if times and max(times) <= MOST_TIMES and all(_times_over(given, times) == wanted for given, wanted in shapes):
        yield enlarged(times, background)
    parts = _common({_parts(given, wanted) for given, wanted in shapes})
    if parts and 1 < parts[0] * parts[1] <= MOST_PARTS:
        yield laid_over(parts, background)
    cut = _common({wanted for _, wanted in shapes})
    if cut and cut != (1, 1) and all(_parts(given, _part(given, cut)) == cut for given, _ in shapes):
        yield summary(cut, background)


def _shape(grid: Sequence[Sequence[int]]) -> Shape:
    return len(grid), len(grid[0])


def _common(found: set[Shape]) -> Shape | None:
    return found.pop() if len(found) == 1 else None


def _parts(given: Shape, part: Shape) -> Shape:
    """The number of parts of this shape in a grid, down and across, with or without lines between them; 0 if none."""
    return _times(given[0], part[0]), _times(given[1], part[1])


def _times(whole: int, part: int) -> int:
    if part < 1:
        return 0
    if whole % part == 0:
        return whole // part
    return (whole + 1) // (part + 1) if (whole + 1) % (part + 1) == 0 else 0


def _times_over(given: Shape, times: Shape) -> Shape:
    return given[0] * times[0], given[1] * times[1]


def _part(given: Shape, parts: Shape) -> Shape:
    return given[0] // parts[0], given[1] // parts[1]


def has_black(grids: Sequence[Grid]) -> bool:
    """Whether black is the background: whether all grids contain it. Otherwise it is the most common colour of each."""
    return all(any(0 in row for row in grid) for grid in grids)


def background_of(grid: Term, black: bool) -> Term:
    return literal(0) if black else call("mostcolor", grid)


@cache
def plain(black: bool) -> FeatureView:
    """The view for outputs with the shape of the input."""
    return tuple(_all_of(INPUT, background_of(INPUT, black)))


def _all_of(grid: Term, ground: Term, prefix: str = "", most: int = 9) -> Iterator[CellFeature]:
    for feature in features():
        if feature.cost <= most:
            yield CellFeature(prefix + feature.name, feature.of(grid, ground), feature.cost, feature.colour)


def _tiled(grid: Term, times: Shape) -> Term:
    row = grid
    for _ in range(times[1] - 1):
        row = call("hconcat", row, grid)
    whole = row
    for _ in range(times[0] - 1):
        whole = call("vconcat", whole, row)
    return whole


def _scaled(grid: Term, times: Shape) -> Term:
    return call("vupscale", call("hupscale", grid, literal(times[1])), literal(times[0]))


@cache
def enlarged(times: Shape, black: bool) -> FeatureView:
    """The view for outputs that are a multiple of the input: the input scaled up, and the input repeated."""
    ground = background_of(INPUT, black)
    large = [
        CellFeature(f"large_{each.name}", _scaled(each.term, times), each.cost, each.colour)
        for each in _all_of(INPUT, ground, most=3)
    ]
    tiled = [
        CellFeature(f"tiled_{each.name}", _tiled(each.term, times), each.cost, each.colour)
        for each in _all_of(INPUT, ground)
        if each.name in TILED
    ]
    return (tiled[0], large[0], *_blocks(times), *tiled[1:], *large[1:])


def _blocks(times: Shape) -> Iterator[CellFeature]:
    """The row and column of the repetition that a cell belongs to."""
    shape = call("shape", INPUT)
    rows = [_tiled(call("canvas", literal(k), shape), (1, times[1])) for k in range(times[0])]
    columns = [_tiled(call("canvas", literal(k), shape), (times[0], 1)) for k in range(times[1])]
    if times[0] > 1:
        yield CellFeature("block_row", _joined("vconcat", rows), 1, False)
    if times[1] > 1:
        yield CellFeature("block_column", _joined("hconcat", columns), 1, False)


def _joined(how: str, grids: list[Term]) -> Term:
    whole = grids[0]
    for grid in grids[1:]:
        whole = call(how, whole, grid)
    return whole


TILED = {
    "colour", "image_vmirror", "image_hmirror", "image_rot180", "image_dmirror", "image_cmirror", "image_rot90",
    "image_rot270", "row_parity", "column_parity", "row", "column", "row_from_below", "column_from_right", "all_common",
    "all_rare", "rank_of_colour", "all_second",
}  # fmt: skip


@cache
def laid_over(parts: Shape, black: bool) -> FeatureView:
    """The view for outputs with the shape of a part: the features of all parts of the input, superimposed."""
    pieces = [_piece(parts, r, c) for r in range(parts[0]) for c in range(parts[1])]
    ground = background_of(INPUT, black)
    found: list[CellFeature] = []
    for k, piece in enumerate(pieces):
        found += _all_of(piece, ground, f"part{k}_", 3 if len(pieces) <= 4 else 0)
    base = [each for each in found if each.cost == 0]
    return (*base, *(each for each in found if each.cost))


def _piece(parts: Shape, row: int, column: int) -> Term:
    across = INPUT if parts[0] == 1 else call("get_nth", call("vsplit", INPUT, literal(parts[0])), literal(row))
    return across if parts[1] == 1 else call("get_nth", call("hsplit", across, literal(parts[1])), literal(column))


SUMMARY = """
def grid_of_parts(g, b, n, m):
    parts = apply(rbind(hsplit, m), vsplit(g, n))
    every = merge(parts)
    return apply(lbind(apply, {measure}), parts)
"""

INK = "compose(size, fork(difference, asindices, rbind(ofcolor, b)))"
INKS = f"apply({INK}, every)"
COLOURS_OF_PARTS = {
    "common": "mostcolor",
    "highest": "compose(maximum, compose(lbind(remove, b), palette))",
    "lowest": "compose(minimum, compose(lbind(remove, b), palette))",
    "rare": "leastcolor",
    "first": "compose(first, first)",
}
NUMBERS_OF_PARTS = {
    "ink": INK,
    "empty": f"compose({NUMBER}, matcher({INK}, ZERO))",
    "colours": "numcolors",
    "more": f"compose(size, compose(lbind(sfilter, {INKS}), compose(lbind(rbind, greater), {INK})))",
    "less": f"compose(size, compose(lbind(sfilter, {INKS}), compose(lbind(lbind, greater), {INK})))",
    "copies": "compose(size, compose(lbind(sfilter, every), lbind(matcher, identity)))",
    "figures": "compose(size, rbind(rbind(rbind(objects, T), T), T))",
    "across_symmetric": f"compose({NUMBER}, fork(equality, identity, vmirror))",
    "down_symmetric": f"compose({NUMBER}, fork(equality, identity, hmirror))",
}
"""Properties of a part of a grid, the most likely first."""


@cache
def summary(parts: Shape, black: bool) -> FeatureView:
    """The view for outputs with one cell for each part of the input."""
    rows, columns, ground = literal(parts[0]), literal(parts[1]), background_of(INPUT, black)
    measured = [
        CellFeature(f"part_{name}", _of_parts(text, ground, rows, columns), 1 + cost // 3, colour)
        for measures, colour in ((COLOURS_OF_PARTS, True), (NUMBERS_OF_PARTS, False))
        for cost, (name, text) in enumerate(measures.items())
    ]
    common = measured[0].term
    nearby = [each for each in _all_of(common, ground) if each.name in NEARBY]
    return (*measured, *nearby)


NEARBY = {"row", "column", "row_parity", "column_parity", "row_from_below", "column_from_right", "checkers"}


@cache
def _summary_term(measure: str) -> Term:
    return parse(SUMMARY.format(measure=measure), file="views")[0].output


def _of_parts(measure: str, ground: Term, rows: Term, columns: Term) -> Term:
    return substituted(_summary_term(measure), {"g": INPUT, "b": ground, "n": rows, "m": columns})
