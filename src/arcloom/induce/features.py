"""Features of cells: programs that compute a small integer for each cell of a grid.

A feature is a program of a grid ``g`` and its background colour ``b``. A learnt rule is therefore a program of the
language, too, and has the same values as during learning, because both run the same terms. Features use primitives on
whole grids (``shift``, ``paint``, ``ofcolor``) instead of closures on cells where possible: all features together take
about 4 ms per grid, and a large grid stays far below the budget.

Some features are colours: a rule can set a cell to the value of such a feature. The value is -1 where a feature is
undefined, and at most 100.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from arcloom.program.build import substituted
from arcloom.program.parse import parse
from arcloom.program.term import Program, Term

GRID, BACKGROUND = "g", "b"


@dataclass(frozen=True)
class Feature:
    """A program that computes a number for each cell from a grid and its background.

    Likely features have a low cost.
    """

    program: Program
    cost: int
    colour: bool

    @property
    def name(self) -> str:
        """The name of the feature."""
        return self.program.name

    def of(self, grid: Term, background: Term) -> Term:
        """The term of the feature for a grid."""
        return substituted(self.program.output, {GRID: grid, BACKGROUND: background})


@cache
def features() -> tuple[Feature, ...]:
    """All features, cheapest first."""
    found = [*_colours(), *_numbers()]
    return tuple(sorted(found, key=lambda feature: feature.cost))


BLANK = "canvas(NEG_ONE, shape(g))"
INK = "difference(asindices(g), ofcolor(g, b))"
STEPS = {
    "up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1),
    "up_left": (-1, -1), "up_right": (-1, 1), "down_left": (1, -1), "down_right": (1, 1),
}  # fmt: skip
OPPOSITE = (("up", "down"), ("left", "right"), ("up_left", "down_right"), ("up_right", "down_left"))
IMAGES = ("vmirror", "hmirror", "rot180", "dmirror", "cmirror", "rot90", "rot270")


def _feature(name: str, body: str, cost: int, *, colour: bool) -> Feature:
    [program] = parse(f"def {name}(g, b):\n    return {body}\n", file="features")
    return Feature(program, cost, colour)


def _shifted(grid: str, step: tuple[int, int], times: int = 1) -> str:
    """For each cell, the colour of the cell at a fixed offset."""
    away = -times * step[0], -times * step[1]
    return f"paint({BLANK}, shift(asobject({grid}), {away}))"


def _first_seen(step: tuple[int, int]) -> str:
    """For each cell, the first colour in a direction that is not background, computed with doubling distances."""
    known = f"compose(rbind(difference, asobject({BLANK})), asobject)"
    looks = "replace(g, b, NEG_ONE)"
    for times in (1, 2, 4, 8, 16):
        away = -times * step[0], -times * step[1]
        moved = f"compose(lbind(paint, {BLANK}), compose(rbind(shift, {away}), asobject))"
        looks = f"fork(paint, {moved}, {known})({looks})"
    return _shifted(looks, step)


def _is_ink(grid: str, none: str) -> str:
    return f"fill(canvas(ONE, shape(g)), ZERO, ofcolor({grid}, {none}))"


def _colours() -> Iterator[Feature]:
    for name, body, cost in _colour_bodies():
        yield _feature(name, body, cost, colour=True)


def _colour_bodies() -> Iterator[tuple[str, str, int]]:
    yield "colour", "g", 0
    for name, step in STEPS.items():
        diagonal = 0 not in step
        yield f"next_{name}", _shifted("g", step), 2 + diagonal
        yield f"seen_{name}", _first_seen(step), 2 + diagonal
        if not diagonal:
            yield f"second_{name}", _shifted("g", step, 2), 4
    for a, b in OPPOSITE:
        yield f"between_{a}_{b}", f"cellwise({_first_seen(STEPS[a])}, {_first_seen(STEPS[b])}, NEG_ONE)", 3
        yield f"beside_{a}_{b}", f"cellwise({_shifted('g', STEPS[a])}, {_shifted('g', STEPS[b])}, NEG_ONE)", 3
    for image in IMAGES:
        yield f"image_{image}", f"{image}(g)", 3
    for name, pick in LINES.items():
        yield f"row_{name}", _row(pick, "g"), 3
        yield f"column_{name}", f"dmirror({_row(pick, 'dmirror(g)')})", 3
    for name, term in GLOBAL.items():
        yield f"all_{name}", f"canvas({term}, shape(g))", 3
    for name, segments in SEGMENTS.items():
        if name not in UNIVALUED:
            for measure in ("mostcolor", "leastcolor"):
                yield f"{measure}_of_{name}", _measured(segments, measure), 4
    for name, places in AROUND.items():
        yield f"{name}_of_figure", f"paint({BLANK}, mapply(fork(recolor, color, {places}), {FIGURES}))", 4
    yield "surroundings_of_area", _measured(SEGMENTS["area"], f"compose({OTHER_INK}, {outside('g')})"), 4
    for name, segments in (("figure", FIGURES), ("cluster", SEGMENTS["cluster"])):
        for image in ("vmirror", "hmirror", "dmirror", "cmirror"):
            yield f"{image}_of_{name}", f"paint({BLANK}, mapply({image}, {segments}))", 4
        yield f"half_turn_of_{name}", f"paint({BLANK}, mapply(compose(hmirror, vmirror), {segments}))", 4
    for name, by in (("sorted", "identity"), ("unsorted", "invert")):
        yield f"row_{name}", f"apply(rbind(order, {by}), g)", 4
        yield f"column_{name}", f"dmirror(apply(rbind(order, {by}), dmirror(g)))", 4
    for measure in ("mostcolor", "leastcolor"):
        boxes = f"mapply(fork(recolor, {measure}, backdrop), {SEGMENTS['cluster']})"
        yield f"{measure}_of_box", f"paint({BLANK}, {boxes})", 4
    yield "ink_near", _placed(f"compose({OTHER_INK}, compose(rbind(toobject, g), neighbors))"), 4
    yield "ink_beside", _placed(f"compose({OTHER_INK}, compose(rbind(toobject, g), dneighbors))"), 4


FIGURES = "objects(g, T, T, T)"
UNIVALUED = ("area", "blob", "row_run", "column_run")
RUNS = ("row_run", "column_run")
TRANSPOSED = "lbind(apply, fork(astuple, first, compose(fork(astuple, last, first), last)))"


def _runs(grid: str) -> str:
    """The runs of one colour in each row, as objects."""
    stretches = "compose(rbind(rbind(rbind(objects, F), F), T), compose(rbind(repeat, ONE), last))"
    moved = "compose(lbind(rbind, shift), compose(toivec, first))"
    return f"mapply(fork(apply, {moved}, {stretches}), pair(interval(ZERO, height({grid}), ONE), {grid}))"


SEGMENTS = {
    "area": "objects(g, T, F, F)",
    "blob": "objects(g, T, T, F)",
    "cluster": "objects(g, F, T, T)",
    "block": "objects(g, F, F, T)",
    "row_run": f"{_runs('g')}",
    "column_run": f"apply({TRANSPOSED}, {_runs('dmirror(g)')})",
    "panel": "apply(rbind(toobject, g), objects(fill(canvas(ZERO, shape(g)), ONE, merge(frontiers(g))), T, F, T))",
}
"""Ways to divide a grid into parts."""

OTHER_INK = "compose(maximum, compose(lbind(remove, b), palette))"


def outside(grid: str) -> str:
    """The cells of the grid that share a side with an object."""
    beside = "fork(difference, compose(lbind(mapply, dneighbors), toindices), toindices)"
    return f"compose(rbind(toobject, {grid}), {beside})"


LINES = {
    "start": "first",
    "end": "last",
    "common": "mostcommon",
    "rare": "leastcommon",
    "highest": "compose(maximum, lbind(remove, b))",
    "lowest": "compose(minimum, lbind(remove, b))",
}
"""Colours computed from a row."""

GLOBAL = {
    "common": "mostcolor(g)",
    "rare": "leastcolor(g)",
    "second": "get_color_rank(g, ONE)",
    "third": "get_color_rank(g, TWO)",
    "largest": f"color(argmax({FIGURES}, size))",
    "smallest": f"color(argmin({FIGURES}, size))",
    "corner": "index(g, ORIGIN)",
}
"""Colours computed from the whole grid."""

AROUND = {"backdrop": "backdrop", "outbox": "outbox", "inbox": "inbox", "delta": "delta", "corners": "corners"}


def _row(pick: str, grid: str) -> str:
    return f"apply(compose(rbind(repeat, width({grid})), {pick}), {grid})"


def _measured(segments: str, measure: str) -> str:
    return f"paint({BLANK}, mapply(fork(recolor, {measure}, identity), {segments}))"


def _placed(number: str) -> str:
    """A number for each position."""
    return f"paint({BLANK}, apply(fork(astuple, {number}, identity), asindices(g)))"


def _numbers() -> Iterator[Feature]:
    for name, body, cost in _number_bodies():
        yield _feature(name, body, cost, colour=False)


def _number_bodies() -> Iterator[tuple[str, str, int]]:
    for name, step in STEPS.items():
        diagonal = 0 not in step
        yield f"ink_{name}", _is_ink(_shifted("g", step), "b"), 2 + diagonal
        yield f"sees_{name}", _is_ink(_first_seen(step), "NEG_ONE"), 2 + diagonal
    for name, number in COUNTS.items():
        yield f"row_{name}", _row(number, "g"), 3
        yield f"column_{name}", f"dmirror({_row(number, 'dmirror(g)')})", 3
    for name, number in PLACES.items():
        yield name, _placed(number), 4
    for name, around in (("near", "neighbors"), ("beside", "dneighbors"), ("across", "ineighbors")):
        yield f"count_{name}", _placed(f"compose(size, compose(rbind(intersection, {INK}), {around}))"), 3
    yield "alike_near", _alike("neighbors"), 4
    yield "alike_beside", _alike("dneighbors"), 4
    yield "rank_of_colour", f"paint(g, mpapply(recolor, interval(ZERO, TEN, ONE), {BY_SIZE}))", 2
    for segment, segments in SEGMENTS.items():
        for name, measure in (RUN_MEASURES if segment in RUNS else measures(segments)).items():
            yield f"{name}_of_{segment}", _measured(segments, measure), 3 if segment == "area" else 4
        for name, (part, edge) in WITHIN.items():
            yield f"{name}_in_{segment}", f"paint({BLANK}, {_inside(segments, part, edge)})", 4
        if segment not in RUNS:
            yield f"ring_in_{segment}", f"paint({BLANK}, {_ring(segments)})", 4
    yield "ring", f"paint({BLANK}, {RING})", 3
    for name, extreme in (("fullest", "valmax"), ("emptiest", "valmin")):
        yield f"row_is_{name}", _row(_extreme("g", extreme), "g"), 4
        yield f"column_is_{name}", f"dmirror({_row(_extreme('dmirror(g)', extreme), 'dmirror(g)')})", 4
    for name, number in TOTALS.items():
        yield f"all_{name}", f"canvas({number}, shape(g))", 4
    for color in range(10):
        yield from _about(color)
    for name, measure in _among(FIGURES).items():
        yield f"{name}_of_figure", _measured(FIGURES, measure), 4


BY_SIZE = "order(partition(g), compose(invert, size))"
NUMBER = "lbind(multiply, ONE)"
"""A truth value as a number."""


def _few(number: str) -> str:
    """A number, limited to 100."""
    return f"compose(minimum, compose(lbind(insert, HUNDRED), compose(initset, {number})))"


def _if(condition: str) -> str:
    return f"compose({NUMBER}, {condition})"


COUNTS = {
    "ink": "compose(size, lbind(remove, b))",
    "colours": "compose(size, dedupe)",
}
"""Numbers computed from a row."""


def _rest(number: str, by: int) -> str:
    return f"fork(subtract, {number}, compose(lbind(multiply, {by}), compose(rbind(divide, {by}), {number})))"


SUM, DIFFERENCE = "fork(add, first, last)", "fork(subtract, first, last)"
PLACES = {
    "row_parity": _rest("first", 2),
    "column_parity": _rest("last", 2),
    "checkers": _rest(SUM, 2),
    "row_of_three": _rest("first", 3),
    "column_of_three": _rest("last", 3),
    "rising_of_three": _rest(SUM, 3),
    "falling_of_three": _rest(DIFFERENCE, 3),
    "row": "first",
    "column": "last",
    "row_from_below": "compose(lbind(subtract, height(g)), first)",
    "column_from_right": "compose(lbind(subtract, width(g)), last)",
    "falling": DIFFERENCE,
    "rising": "fork(subtract, compose(lbind(subtract, width(g)), last), first)",
}
"""Numbers computed from a position."""


def _alike(around: str) -> str:
    """The number of neighbouring positions with the same colour."""
    among = "compose(lbind(rbind, intersection), toindices)"
    count = f"compose(lbind(compose, size), compose(rbind(compose, {around}), {among}))"
    return f"paint({BLANK}, {_for_places(count, 'partition(g)')})"


def _for_places(number: str, segments: str) -> str:
    """Cells with a number for each position of an object. ``number`` maps an object to a function of positions."""
    cell = f"compose(rbind(lbind(fork, astuple), identity), {number})"
    return f"mapply(fork(apply, {cell}, toindices), {segments})"


FORM = "compose(normalize, toindices)"
PICTURE = "fork(paint, compose(lbind(canvas, ZERO), shape), compose(normalize, lbind(recolor, ONE)))"
FREE = f"compose(rbind(colorfilter, ZERO), compose(rbind(rbind(rbind(objects, F), F), T), {PICTURE}))"
BESIDE_EDGE = f"compose(lbind(rbind, bordering), {PICTURE})"
RUN_MEASURES = {"size": "size", "at_border": _if("rbind(bordering, g)")}


def measures(segments: str) -> dict[str, str]:
    return {
        "size": _few("size"),
        "height": "height",
        "width": "width",
        "colours": "numcolors",
        "square": _if("square"),
        "full": _if("fork(equality, toindices, backdrop)"),
        "gaps": _few("compose(size, delta)"),
        "across_symmetric": _if("fork(equality, identity, vmirror)"),
        "down_symmetric": _if("fork(equality, identity, hmirror)"),
        "at_border": _if("rbind(bordering, g)"),
        "top": "uppermost",
        "left": "leftmost",
        "portrait": _if("portrait"),
        "ink": _few(f"compose(size, compose(rbind(intersection, {INK}), toindices))"),
        "holes": f"compose(size, fork(difference, {FREE}, fork(sfilter, {FREE}, {BESIDE_EDGE})))",
        **_among(segments),
    }


def _among(segments: str) -> dict[str, str]:
    """Features of an object compared with the others."""
    sizes, forms = f"apply(size, totuple({segments}))", f"apply({FORM}, totuple({segments}))"
    return {
        "larger": _few(f"compose(size, compose(lbind(sfilter, {sizes}), compose(lbind(rbind, greater), size)))"),
        "smaller": _few(f"compose(size, compose(lbind(sfilter, {sizes}), compose(lbind(lbind, greater), size)))"),
        "copies": _few(f"compose(size, compose(lbind(sfilter, {forms}), compose(lbind(matcher, identity), {FORM})))"),
        "tallest": _if(f"matcher(height, valmax({segments}, height))"),
        "widest": _if(f"matcher(width, valmax({segments}, width))"),
        "topmost": _if(f"matcher(uppermost, valmin({segments}, uppermost))"),
        "lowest": _if(f"matcher(lowermost, valmax({segments}, lowermost))"),
        "leftmost": _if(f"matcher(leftmost, valmin({segments}, leftmost))"),
        "rightmost": _if(f"matcher(rightmost, valmax({segments}, rightmost))"),
    }


def _extreme(grid: str, extreme: str) -> str:
    """Whether a row has the most or the least cells that are not background."""
    return _if(f"matcher({COUNTS['ink']}, {extreme}({grid}, {COUNTS['ink']}))")


EDGES = (
    "compose(invert, first)",
    "compose(invert, last)",
    "compose(rbind(subtract, decrement(height(g))), first)",
    "compose(rbind(subtract, decrement(width(g))), last)",
)
RING = "combine(combine({}, {}), combine({}, {}))".format(
    *(f"apply(fork(astuple, {edge}, identity), asindices(g))" for edge in EDGES)
)
"""The negated distance of a cell to the nearest edge. Of several cells at one position, ``paint`` keeps the highest."""

TOTALS = {
    "figures": f"size({FIGURES})",
    "colours": "numcolors(g)",
    "across_symmetric": "multiply(ONE, equality(g, vmirror(g)))",
    "down_symmetric": "multiply(ONE, equality(g, hmirror(g)))",
}
"""Numbers computed from the whole grid."""


def _about(color: int) -> Iterator[tuple[str, str, int]]:
    """Features of the positions of one colour."""
    has = _if(f"lbind(contained, {color})")
    yield f"row_has_{color}", _row(has, "g"), 4
    yield f"column_has_{color}", f"dmirror({_row(has, 'dmirror(g)')})", 4
    places = f"ofcolor(g, {color})"
    blank = "canvas(ZERO, shape(g))"
    yield f"near_{color}", f"fill({blank}, ONE, mapply(neighbors, {places}))", 4
    yield f"beside_{color}", f"fill({blank}, ONE, mapply(dneighbors, {places}))", 4
    for segment in ("area", "cluster"):
        touching = _if(f"compose(lbind(contained, {color}), compose(palette, {outside('g')}))")
        yield f"{segment}_beside_{color}", _measured(SEGMENTS[segment], touching), 4
    yield f"cluster_has_{color}", _measured(SEGMENTS["cluster"], f"rbind(colorcount, {color})"), 4
    yield f"panel_has_{color}", _measured(SEGMENTS["panel"], _few(f"rbind(colorcount, {color})")), 4
    yield f"framed_by_{color}", f"fill({blank}, ONE, backdrop({places}))", 4


WITHIN = {
    "row": ("first", "uppermost"),
    "column": ("last", "leftmost"),
    "row_from_below": ("first", "lowermost"),
    "column_from_right": ("last", "rightmost"),
}
"""Positions of a cell within its object: the coordinate, and the edge that it is compared with."""


def _inside(segments: str, part: str, edge: str, bind: str = "rbind") -> str:
    """The signed distance of a cell from an edge of its object, down or to the right; with lbind, up or to the left."""
    number = f"compose(rbind(compose, {part}), compose(lbind({bind}, subtract), {edge}))"
    return _for_places(number, segments)


def _ring(segments: str) -> str:
    """The negated distance of a cell to the nearest edge of its object's bounding box."""
    top, left, bottom, right = (
        _inside(segments, part, edge, "lbind" if name in ("row", "column") else "rbind")
        for name, (part, edge) in WITHIN.items()
    )
    return f"combine(combine({top}, {left}), combine({bottom}, {right}))"
