"""Views: what a task's output cells can be seen as, so that each has features.

A view gives grids with the shape of the output, all of them terms of the input. The first is what the output is where a
rule says nothing. Where the output has the shape of the input, that is the input; else it is the input enlarged or
repeated, or its parts laid over each other, or one cell for each part.
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
MOST_TIMES = 5


@dataclass(frozen=True)
class Seen:
    """A grid of numbers for the cells of the output; ``colour`` says that they are colours."""

    name: str
    term: Term
    cost: int
    colour: bool


View = tuple[Seen, ...]
Shape = tuple[int, int]


def views(task: Task) -> Iterator[View]:
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
    """How many parts of this shape a grid has, down and across, with lines between them or without; 0 if none fit."""
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
    """Whether black is the background: it is there in all grids. Else the commonest colour of each is."""
    return all(any(0 in row for row in grid) for grid in grids)


def background_of(grid: Term, black: bool) -> Term:
    return literal(0) if black else call("mostcolor", grid)


@cache
def plain(black: bool) -> View:
    """The input as it is."""
    return tuple(_all_of(INPUT, background_of(INPUT, black)))


def _all_of(grid: Term, ground: Term, prefix: str = "", most: int = 9) -> Iterator[Seen]:
    for feature in features():
        if feature.cost <= most:
            yield Seen(prefix + feature.name, feature.of(grid, ground), feature.cost, feature.colour)


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
def enlarged(times: Shape, black: bool) -> View:
    """The input with each cell as a block, and the input repeated."""
    ground = background_of(INPUT, black)
    large = [
        Seen(f"large_{each.name}", _scaled(each.term, times), each.cost, each.colour)
        for each in _all_of(INPUT, ground, most=3)
    ]
    tiled = [
        Seen(f"tiled_{each.name}", _tiled(each.term, times), each.cost, each.colour)
        for each in _all_of(INPUT, ground)
        if each.name in TILED
    ]
    return (tiled[0], large[0], *_blocks(times), *tiled[1:], *large[1:])


def _blocks(times: Shape) -> Iterator[Seen]:
    """Which of the repeated grids a cell is in."""
    shape = call("shape", INPUT)
    rows = [_tiled(call("canvas", literal(k), shape), (1, times[1])) for k in range(times[0])]
    columns = [_tiled(call("canvas", literal(k), shape), (times[0], 1)) for k in range(times[1])]
    if times[0] > 1:
        yield Seen("block_row", _joined("vconcat", rows), 1, False)
    if times[1] > 1:
        yield Seen("block_column", _joined("hconcat", columns), 1, False)


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
def laid_over(parts: Shape, black: bool) -> View:
    """The parts of the input, laid over each other."""
    pieces = [_piece(parts, r, c) for r in range(parts[0]) for c in range(parts[1])]
    ground = background_of(INPUT, black)
    found: list[Seen] = []
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
"""Properties of a part of a grid, the likelier first."""


@cache
def summary(parts: Shape, black: bool) -> View:
    """A cell for each part of the input."""
    rows, columns, ground = literal(parts[0]), literal(parts[1]), background_of(INPUT, black)
    measured = [
        Seen(f"part_{name}", _of_parts(text, ground, rows, columns), 1 + cost // 3, colour)
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
