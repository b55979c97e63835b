"""Actions: programs that compute what an object can become.

An action is the body of a function of an object ``x`` in a grid ``g`` with background ``b``; ``xs`` are all objects and
``ink`` the positions that are not background. A *move* returns cells that replace the object. A *drawing* returns
positions that are filled with a colour; the object stays where it is not drawn over.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, reduce

from arcloom.program.build import call, literal, named, substituted
from arcloom.program.parse import parse
from arcloom.program.term import Term

DIRECTIONS = {
    "up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1),
    "up_left": (-1, -1), "up_right": (-1, 1), "down_left": (1, -1), "down_right": (1, 1),
}  # fmt: skip

_PROGRAM = """
def action(g, b, xs):
    ink = difference(asindices(g), ofcolor(g, b))
    def act(x):
{body}
    return act
"""


@dataclass(frozen=True)
class ObjectAction:
    """An action. ``function`` is a term of ``g``, ``b`` and ``xs`` whose value is a function of an object.

    That function returns cells or, if the action ``draws``, positions. Likely actions have a low cost.
    """

    name: str
    function: Term
    cost: int
    draws: bool

    def of(self, grid: Term, background: Term, segments: Term) -> Term:
        """The term of the function for the objects of a grid."""
        return substituted(self.function, {"g": grid, "b": background, "xs": segments})

    def for_each(self, grid: Term, background: Term, segments: Term) -> Term:
        """A term for the results of all objects: one grid per object, stacked vertically in the order of ``totuple``.

        A cell is -1 where the result has none; the positions of a drawing are 0.
        """
        blank = call("canvas", literal(-1), call("shape", grid))
        put = call("lbind", call("lbind", named("fill"), blank), literal(0)) if self.draws else on(blank)
        act = call("compose", put, self.of(grid, background, segments))
        return call("mapply", act, call("totuple", segments))


def on(blank: Term) -> Term:
    """A term for the function that paints cells on ``blank``."""
    return call("lbind", named("paint"), blank)


@cache
def actions() -> tuple[ObjectAction, ...]:
    """All actions, moves before drawings and the cheapest first."""
    return tuple(sorted([*_moves(), *_drawings()], key=lambda action: (action.draws, action.cost)))


def _action(name: str, body: str, cost: int, *, draws: bool) -> ObjectAction:
    lines = "".join(f"        {line}\n" for line in body.strip().splitlines())

    [program] = parse(_PROGRAM.format(body=lines), file="actions")
    return ObjectAction(name, program.output, cost, draws)


def _moves() -> Iterator[ObjectAction]:
    for name, body, cost in _move_bodies():
        yield _action(name, body, cost, draws=False)


def _move_bodies() -> Iterator[tuple[str, str, int]]:
    for name, (down, right) in DIRECTIONS.items():
        diagonal = bool(down and right)
        yield f"slide_{name}", _slide(down, right), 3 + diagonal
        by_size = f"({down} * height(x), {right} * width(x))"
        yield f"step_{name}", f"return shift(x, {by_size})", 4 + diagonal
        yield f"double_{name}", f"return combine(x, shift(x, {by_size}))", 4 + diagonal
        for gap in (0, 1):
            step = f"({down} * (height(x) + {gap}), {right} * (width(x) + {gap}))"
            yield f"repeat_{name}_{gap}", _repeat(step), 4 + diagonal + gap
    for name, image in (("across", "vmirror"), ("down", "hmirror"), ("diagonally", "dmirror"), ("other", "cmirror")):
        yield f"mirror_{name}", f"return {image}(x)", 3
    yield "half_turn", "return hmirror(vmirror(x))", 4
    yield "turn_right", "return vmirror(dmirror(x))", 4
    yield "turn_left", "return hmirror(dmirror(x))", 4
    yield "grow", "return shift(upscale(normalize(x), TWO), ulcorner(x))", 5
    to_bottom, to_right = "height(g) - 1 - uppermost(x) - lowermost(x)", "width(g) - 1 - leftmost(x) - rightmost(x)"
    for name, image, step in (
        ("across", "vmirror(x)", f"(0, {to_right})"),
        ("down", "hmirror(x)", f"({to_bottom}, 0)"),
        ("around", "hmirror(vmirror(x))", f"({to_bottom}, {to_right})"),
    ):
        yield f"opposite_{name}", f"return shift({image}, {step})", 4
        yield f"also_opposite_{name}", f"return combine(x, shift({image}, {step}))", 4
    for name in ("up", "down", "left", "right"):
        down, right = DIRECTIONS[name]
        image = "hmirror" if down else "vmirror"
        yield f"reflect_{name}", f"return combine(x, shift({image}(x), ({down} * height(x), {right} * width(x))))", 4
    others = "others = remove(x, xs)\n"
    for name, chosen in (
        ("largest", "argmax(others, size)"),
        ("nearest", "argmin(others, lbind(manhattan, x))"),
        ("commonest", "merge(colorfilter(others, mostcommon(apply(color, totuple(others)))))"),
    ):
        yield f"pull_to_{name}", f"{others}return shift(x, gravitate(x, {chosen}))", 4
        to = f"subtract(center({chosen}), center(x))"
        yield f"center_on_{name}", f"{others}return shift(x, {to})", 5

        meet = f"subtract(ulcorner({chosen}), ulcorner(x))"
        yield f"take_place_of_{name}", f"{others}return shift(x, {meet})", 5
    for name, step in ALIGNED.items():
        yield f"align_{name}", f"return shift(x, {step})", 4
    yield "anchor", _anchored("v"), 5
    yield "anchor_copy", _anchored("combine(x, v)"), 5

    for name, template in (("largest", "argmax(xs, size)"), ("richest", "argmax(xs, numcolors)")):
        yield f"become_{name}", f"return shift(normalize({template}), ulcorner(x))", 5
        yield f"complete_as_{name}", _completed(template), 5


ALIGNED = {
    "top": "(valmin(xs, uppermost) - uppermost(x), 0)",
    "bottom": "(valmax(xs, lowermost) - lowermost(x), 0)",
    "left": "(0, valmin(xs, leftmost) - leftmost(x))",
    "right": "(0, valmax(xs, rightmost) - rightmost(x))",
    "top_with_largest": "(uppermost(argmax(xs, size)) - uppermost(x), 0)",
    "left_with_largest": "(0, leftmost(argmax(xs, size)) - leftmost(x))",
}
"""Offsets that align an object with an edge of others."""


def _anchored(result: str) -> str:
    """The object moved so that its part of one colour meets each single cell of that colour; ``v`` are these copies."""
    return f"""
marks = sfilter(remove(x, xs), lambda y: size(y) == 1 and contained(color(y), palette(x)))
part = lambda y: sfilter(x, matcher(first, color(y)))
v = mapply(lambda y: shift(x, subtract(ulcorner(y), ulcorner(part(y)))), marks)
return {result}
"""


def _completed(template: str) -> str:
    """The template, rotated or mirrored so that its cells in the object's colours are the object; else the object."""
    return f"""
y = {template}
images = (y, hmirror(y), vmirror(y), dmirror(y), cmirror(y), half(y), vmirror(dmirror(y)), hmirror(dmirror(y)))
part = lambda v: sfilter(v, lambda cell: contained(cell[0], palette(x)))
fits = lambda v: normalize(part(v)) == normalize(x)
image = first(combine(sfilter(images, fits), (x,)))
return shift(image, subtract(ulcorner(x), ulcorner(part(image))))
""".replace("half(y)", "hmirror(vmirror(y))")


def _slide(down: int, right: int) -> str:
    """The object, moved until it touches another object or the border of the grid."""
    return f"""
room = difference(asindices(g), difference(ink, toindices(x)))
away = [k for k in range(1, 31) if size(intersection(shift(toindices(x), ({down} * k, {right} * k)), room)) < size(x)]
return shift(x, ({down} * (min(away) - 1), {right} * (min(away) - 1)))
"""


def _repeat(step: str) -> str:
    """The object and its copies up to the border."""
    return f"""
step = {step}
return mapply(lambda k: shift(x, (k * step[0], k * step[1])), range(0, 16))
"""


def _drawings() -> Iterator[ObjectAction]:
    for name, body, cost in _drawing_bodies():
        yield _action(name, body, cost, draws=True)


LINES = {
    **{name: (name,) for name in DIRECTIONS},
    "row": ("left", "right"),
    "column": ("up", "down"),
    "cross": ("up", "down", "left", "right"),
    "falling": ("up_left", "down_right"),
    "rising": ("down_left", "up_right"),
    "star": ("up_left", "up_right", "down_left", "down_right"),
}
"""Sets of directions in which lines are drawn from an object."""


def _drawing_bodies() -> Iterator[tuple[str, str, int]]:
    yield "itself", "return toindices(x)", 1
    for name in ("backdrop", "delta", "outbox", "box", "inbox", "corners"):
        yield name, f"return {name}(x)", 3
    for around in ("neighbors", "dneighbors", "ineighbors"):
        yield around, f"return difference(mapply({around}, toindices(x)), toindices(x))", 3
    for name, ways in LINES.items():
        cost = 3 + (len(ways) > 1) + ("_" in name)
        yield f"until_{name}", _until(ways), cost
        yield f"under_{name}", f"return difference({_rays(ways)}, ink)", cost
        yield f"over_{name}", f"return difference({_rays(ways)}, toindices(x))", cost + 1
        yield f"bridge_{name}", _bridge(ways), cost
    inner = "sfilter(toindices(x), lambda p: size(difference({around}(p), toindices(x))) == 0)"
    for name, around in (("core", "dneighbors"), ("inner_core", "neighbors")):
        yield name, f"return {inner.format(around=around)}", 3
        yield f"rim_of_{name}", f"return difference(toindices(x), {inner.format(around=around)})", 4
    for name, ways in CENTRED.items():
        lines = _union([f"shoot(center(x), {DIRECTIONS[way]})" for way in ways])
        yield f"from_middle_{name}", f"return difference({lines}, toindices(x))", 4
    yield "pointed_ray", _pointed("walls = difference(ink, toindices(x))\n", "walls"), 4
    yield "pointed_ray_over", _pointed("", "frozenset()"), 5
    yield "gap_rays", _leaking("frozenset()"), 4
    yield "leak", _leaking("delta(x)"), 4
    yield "second_ring", "return outbox(outbox(x))", 4
    others = "y = argmin(remove(x, xs), lbind(manhattan, x))\n"
    for name, bend in (("row", "(center(x)[0], center(y)[1])"), ("column", "(center(y)[0], center(x)[1])")):
        path = f"combine(connect(center(x), {bend}), connect({bend}, center(y)))"
        yield f"bent_link_by_{name}", f"{others}return difference({path}, ink)", 5
    yield "diagonal_links_of_colour", DIAGONAL_LINKS, 5
    yield "middle", "return initset(center(x))", 4
    yield "links", _links("xs"), 4
    yield "links_of_colour", _links("colorfilter(xs, color(x))"), 4


CENTRED = {
    "row": ("left", "right"),
    "column": ("up", "down"),
    "cross": ("up", "down", "left", "right"),
    "star": ("up_left", "up_right", "down_left", "down_right"),
}
"""Directions of the lines from the middle of an object."""

DIAGONAL_LINKS = """
diagonal = lambda v: v[0] == v[1] or v[0] == -v[1]
linked = sfilter(colorfilter(xs, color(x)), lambda y: diagonal(subtract(center(y), center(x))))
return difference(mapply(lambda y: connect(center(x), center(y)), linked), ink)
"""


def _union(places: Sequence[str]) -> str:
    """The text of the union of several sets."""
    return reduce(lambda some, more: f"combine({some}, {more})", places)


def _pointed(before: str, walls: str) -> str:
    """A line from the rare colour of an object, away from the rest of it, up to the first wall."""
    return f"""
{before}tip = center(sfilter(x, matcher(first, leastcolor(x))))
rest = center(sfilter(x, compose(flip, matcher(first, leastcolor(x)))))
way = sign(subtract(tip, rest))
ray = shoot(tip, way)
return difference(difference(ray, mapply(rbind(shoot, way), intersection(ray, {walls}))), toindices(x))
"""


def _leaking(inside: str) -> str:
    """Lines outwards from the places that are missing in the border of an object's bounding box, and the inside."""
    return f"""
gaps = difference(box(x), toindices(x))
down = lambda p: (p[0] == lowermost(x)) - (p[0] == uppermost(x))
right = lambda p: (p[1] == rightmost(x)) - (p[1] == leftmost(x))
return combine(mapply(lambda p: shoot(p, (down(p), right(p))), gaps), {inside})
"""


def _ray(name: str) -> str:
    return f"mapply(rbind(shoot, {DIRECTIONS[name]}), toindices(x))"


def _rays(ways: tuple[str, ...]) -> str:
    return _union([_ray(name) for name in ways])


def _until(ways: tuple[str, ...]) -> str:
    """Lines that end before the first position that is not background."""
    lines = ["walls = difference(ink, toindices(x))"]
    for k, name in enumerate(ways):
        shadow = f"mapply(rbind(shoot, {DIRECTIONS[name]}), intersection(ray{k}, walls))"
        lines += [f"ray{k} = {_ray(name)}", f"line{k} = difference(ray{k}, {shadow})"]
    whole = _union([f"line{k}" for k in range(len(ways))])
    return "\n".join([*lines, f"return difference({whole}, toindices(x))"])


def _bridge(ways: tuple[str, ...]) -> str:
    """Lines that end before the first position that is not background; lines that reach the border are omitted."""
    lines = ["walls = difference(ink, toindices(x))"]
    for k, name in enumerate(ways):
        down, right = DIRECTIONS[name]
        lines += [
            f"ray{k} = {_ray(name)}",
            f"hits{k} = intersection(ray{k}, walls)",
            f"before{k} = mapply(rbind(shoot, {(-down, -right)}), hits{k})",
            f"line{k} = intersection(difference(ray{k}, mapply(rbind(shoot, {(down, right)}), hits{k})), before{k})",
        ]
    whole = _union([f"line{k}" for k in range(len(ways))])
    return "\n".join([*lines, f"return difference({whole}, toindices(x))"])


def _links(others: str) -> str:
    """Straight lines from the centre of the object to the centres of others in the same row or column."""
    line = "connect(center(x), center(y) if hmatching(x, y) or vmatching(x, y) else center(x))"
    return f"return difference(mapply(lambda y: {line}, {others}), ink)"
