"""Views: what a task's output cells can be seen as, so that each has features.

A view gives grids with the shape of the output, all of them terms of the input. The first is what the output is where a
rule says nothing. Where the output has the shape of the input, that is the input; else it is the input enlarged or
repeated, or its parts laid over each other, or one cell for each part.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from arcloom.program.parse import parse
from arcloom.program.term import Term
from arcloom.engine.explorer import substituted
from arcloom.search.facts import INPUT, call, literal
from arcloom.search.induction.features import features
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
    if times and all((given[0] * times[0], given[1] * times[1]) == wanted for given, wanted in shapes):
        if times[0] <= MOST_TIMES and times[1] <= MOST_TIMES:
            yield enlarged(times, background)
    parts = _common({_parts(given, wanted) for given, wanted in shapes})
    if parts and 1 < parts[0] * parts[1] <= MOST_PARTS:
        yield laid_over(parts, background)
    wanted_shape = _common({wanted for _, wanted in shapes})
    if wanted_shape and all(_parts(given, _part(given, wanted_shape)) == wanted_shape for given, _ in shapes):
        if wanted_shape[0] * wanted_shape[1] > 1:
            yield summary(wanted_shape, background)


def _shape(grid: Sequence[Sequence[int]]) -> Shape:
    return len(grid), len(grid[0])


def _common(found: set[Shape]) -> Shape | None:
    return found.pop() if len(found) == 1 else None


def _parts(given: Shape, part: Shape) -> Shape:
    """How many parts of this shape a grid has, down and across, with or without lines between them; 0 where none fit."""
    return _times(given[0], part[0]), _times(given[1], part[1])


def _times(whole: int, part: int) -> int:
    if part < 1:
        return 0
    if whole % part == 0:
        return whole // part
    return (whole + 1) // (part + 1) if (whole + 1) % (part + 1) == 0 else 0


def _part(given: Shape, parts: Shape) -> Shape:
    return given[0] // parts[0], given[1] // parts[1]


def has_black(grids: Sequence[Grid]) -> bool:
    """Whether black is the background: it is there in all grids. Else the background is the commonest colour of each."""
    return all(any(0 in row for row in grid) for grid in grids)


def _ground(grid: Term, black: bool) -> Term:
    return literal(0) if black else call("mostcolor", grid)


@cache
def plain(black: bool) -> View:
    """The input as it is."""
    return tuple(_all_of(INPUT, _ground(INPUT, black)))


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
    ground = _ground(INPUT, black)
    large = [
        Seen(f"large_{each.name}", _scaled(each.term, times), each.cost, each.colour)
        for each in _all_of(INPUT, ground, most=3)
    ]
    tiled = [
        Seen(f"tiled_{each.name}", _tiled(each.term, times), each.cost, each.colour)
        for each in _all_of(INPUT, ground)
        if each.name in TILED
    ]
    return tuple([tiled[0], large[0], *_blocks(times), *tiled[1:], *large[1:]])


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
    ground = _ground(INPUT, black)
    found: list[Seen] = []
    for k, piece in enumerate(pieces):
        found += _all_of(piece, ground, f"part{k}_", 3 if len(pieces) <= 4 else 0)
    base = [each for each in found if each.cost == 0]
    return tuple([*base, *(each for each in found if each.cost)])


def _piece(parts: Shape, row: int, column: int) -> Term:
    across = INPUT if parts[0] == 1 else call("get_nth", call("vsplit", INPUT, literal(parts[0])), literal(row))
    return across if parts[1] == 1 else call("get_nth", call("hsplit", across, literal(parts[1])), literal(column))


SUMMARY = """
def grid_of_parts(g, b, n, m):
    parts = apply(rbind(hsplit, m), vsplit(g, n))
    every = merge(parts)
    return apply(lbind(apply, {measure}), parts)
"""

INKS = "compose(size, fork(difference, asindices, rbind(ofcolor, b)))"
OF_PARTS = {
    "common": ("mostcolor", 1, True),
    "rare": ("leastcolor", 2, True),
    "first": ("compose(first, first)", 2, True),
    "highest": ("compose(maximum, compose(lbind(remove, b), palette))", 1, True),
    "lowest": ("compose(minimum, compose(lbind(remove, b), palette))", 2, True),
    "ink": (INKS, 1, False),
    "empty": (f"compose(lbind(multiply, ONE), matcher({INKS}, ZERO))", 1, False),
    "colours": ("numcolors", 2, False),
    "more": (f"compose(size, compose(lbind(sfilter, apply({INKS}, every)), compose(lbind(rbind, greater), {INKS})))", 2, False),
    "less": (f"compose(size, compose(lbind(sfilter, apply({INKS}, every)), compose(lbind(lbind, greater), {INKS})))", 2, False),
    "copies": ("compose(size, compose(lbind(sfilter, every), lbind(matcher, identity)))", 2, False),
    "figures": ("compose(size, rbind(rbind(rbind(objects, T), T), T))", 3, False),
    "across_symmetric": ("compose(lbind(multiply, ONE), fork(equality, identity, vmirror))", 3, False),
    "down_symmetric": ("compose(lbind(multiply, ONE), fork(equality, identity, hmirror))", 3, False),
}  # fmt: skip


@cache
def summary(parts: Shape, black: bool) -> View:
    """A cell for each part of the input."""
    rows, columns, ground = literal(parts[0]), literal(parts[1]), _ground(INPUT, black)
    measured = [
        Seen(f"part_{name}", _of_parts(text, ground, rows, columns), cost, colour)
        for name, (text, cost, colour) in OF_PARTS.items()
    ]
    common = measured[0].term
    nearby = [each for each in _all_of(common, ground) if each.name in NEARBY]
    return tuple([*measured, *nearby])


NEARBY = {"row", "column", "row_parity", "column_parity", "row_from_below", "column_from_right", "checkers"}


@cache
def _summary_term(measure: str) -> Term:
    return parse(SUMMARY.format(measure=measure), file="views")[0].output


def _of_parts(measure: str, ground: Term, rows: Term, columns: Term) -> Term:
    return substituted(_summary_term(measure), {"g": INPUT, "b": ground, "n": rows, "m": columns})
