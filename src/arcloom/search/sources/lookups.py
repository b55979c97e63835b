"""Lookups: programs that read a rule from the demonstrations in ``S``.

Each divides a grid into items (areas, figures, cells, or cells of superimposed parts), computes a feature of each, and
looks up the colour that an item with this feature has in the output of a demonstration. A demonstration whose input is
the grid itself is excluded: otherwise every feature would explain every demonstration. The programs differ only in
the items and the feature, so they are generated from templates.
"""

from collections.abc import Iterator, Mapping
from functools import cache

from arcloom.program.parse import parse
from arcloom.program.term import Program

AREAS = "rbind(rbind(rbind(objects, F), F), T)"
FIGURES = "rbind(rbind(rbind(objects, T), T), T)"
CELLS = "compose(lbind(apply, initset), asobject)"

FORM = "compose(normalize, toindices)"
PICTURE = "fork(paint, compose(lbind(canvas, ZERO), shape), compose(normalize, lbind(recolor, ONE)))"
FREE = f"compose(rbind(colorfilter, ZERO), compose({AREAS}, {PICTURE}))"
OUTSIDE = f"compose(lbind(rbind, bordering), {PICTURE})"
PLACE = "compose(last, first)"

OF_AREAS: Mapping[str, str] = {
    "size": "size",
    "form": FORM,
    "height": "height",
    "width": "width",
    "square": "square",
    "rectangle": "fork(equality, toindices, backdrop)",
    "bar": "fork(astuple, hline, vline)",
    "gaps": "compose(size, delta)",
    "holes": f"compose(size, fork(difference, {FREE}, fork(sfilter, {FREE}, {OUTSIDE})))",
    "symmetry": "fork(astuple, fork(equality, identity, vmirror), fork(equality, identity, hmirror))",
    "one_cell": "matcher(size, ONE)",
}
"""Features of an area or figure that do not depend on the grid."""

OF_PLACES: Mapping[str, str] = {
    "parity": f"compose(fork(astuple, compose(even, first), compose(even, last)), {PLACE})",
    "row": f"compose(first, {PLACE})",
    "column": f"compose(last, {PLACE})",
    "diagonal": f"compose(compose(even, fork(add, first, last)), {PLACE})",
}
"""Features of the position of a cell."""


def _seen(places: str, read: str) -> str:
    """A feature of the cells that the grid has at positions relative to an object."""
    return f"compose(rbind(compose, {places}), compose(lbind(compose, {read}), lbind(rbind, toobject)))"


def _next(neighbours: str) -> str:
    return f"fork(difference, compose(lbind(mapply, {neighbours}), toindices), toindices)"


def _among(counted: str) -> str:
    """The number of figures with a property that depends on one of them."""
    return f"compose(rbind(compose, {counted}), compose(lbind(compose, size), lbind(lbind, sfilter)))"


def _ray(direction: str) -> str:
    return f"compose(rbind(shoot, {direction}), compose(rbind(add, {direction}), {PLACE}))"


def _both(a: str, b: str) -> str:
    """A pair of two features that depend on the grid."""
    return f"fork(lbind(fork, astuple), {a}, {b})"


EXTREMES = _both(
    "compose(lbind(matcher, size), rbind(valmax, size))", "compose(lbind(matcher, size), rbind(valmin, size))"
)

OF_AREAS_IN_GRID: Mapping[str, str] = {
    "border": "lbind(rbind, bordering)",
    "neighbours": _seen(_next("dneighbors"), "palette"),
    "content": "compose(lbind(compose, palette), lbind(rbind, subgrid))",
}
"""Features of an area in its grid."""

OF_FIGURES: Mapping[str, str] = {
    "extremes": f"compose({EXTREMES}, {FIGURES})",
    "rank": f"compose({_among('compose(rbind(compose, size), compose(lbind(rbind, greater), size))')}, {FIGURES})",
    "copies": f"compose({_among(f'compose(lbind(matcher, {FORM}), {FORM})')}, {FIGURES})",
}
"""Features of a figure among the others."""

ROW = _seen(f"compose(hfrontier, {PLACE})", "palette")
COLUMN = _seen(f"compose(vfrontier, {PLACE})", "palette")
ABREAST = _both(_seen(_ray("LEFT"), "palette"), _seen(_ray("RIGHT"), "palette"))
UPRIGHT = _both(_seen(_ray("UP"), "palette"), _seen(_ray("DOWN"), "palette"))

HERE = _seen("toindices", "palette")
COLOURED = "compose(size, rbind(sfilter, compose(positive, first)))"
SOMETHING = f"compose(positive, {COLOURED})"

OF_CELLS: Mapping[str, str] = {
    "edge": "lbind(rbind, bordering)",
    "sides": _seen(_next("dneighbors"), "palette"),
    "surroundings": _seen(_next("neighbors"), "palette"),
    "exact_sides": _seen(_next("dneighbors"), "normalize"),
    "exact_surroundings": _seen(_next("neighbors"), "normalize"),
    "row_colors": ROW,
    "column_colors": COLUMN,
    "cross_colors": _both(ROW, COLUMN),
    "views": _both(ABREAST, UPRIGHT),
    "diagonal_views": _both(
        _both(_seen(_ray("UP_RIGHT"), "palette"), _seen(_ray("DOWN_LEFT"), "palette")),
        _both(_seen(_ray("UNITY"), "palette"), _seen(_ray("NEG_UNITY"), "palette")),
    ),
    "coloured_neighbours": _seen(_next("neighbors"), COLOURED),
    "coloured_sides": _seen(_next("dneighbors"), COLOURED),
    "things_in_sight": _both(
        _both(_seen(_ray("LEFT"), SOMETHING), _seen(_ray("RIGHT"), SOMETHING)),
        _both(_seen(_ray("UP"), SOMETHING), _seen(_ray("DOWN"), SOMETHING)),
    ),
    "images": _both(f"compose({HERE}, vmirror)", f"compose({HERE}, hmirror)"),
}
"""Features of a cell in its grid."""

SMALL = "lbind(extract, interval(ONE, SIX, ONE))"
"""The identity for numbers up to 5. It fails for others, to avoid large intermediate grids."""

ROWS = f"compose({SMALL}, compose(lbind(matcher, identity), height))"
COLUMNS = f"compose({SMALL}, compose(lbind(matcher, identity), width))"
LARGE = f"fork(vupscale, fork(hupscale, identity, {COLUMNS}), {ROWS})"
TOWER = "compose(merge, fork(repeat, identity, height))"
TILED = f"compose(dmirror, compose(merge, fork(repeat, compose(dmirror, {TOWER}), width)))"

NOT_BLACK = "fork(difference, asindices, rbind(ofcolor, BLACK))"

LAYERS: Mapping[str, str] = {
    "halves": "branch(portrait(I), rbind(vsplit, TWO), rbind(hsplit, TWO))",
    "thirds": "branch(portrait(I), rbind(vsplit, THREE), rbind(hsplit, THREE))",
    "content": f"compose(rbind(repeat, ONE), fork(subgrid, {NOT_BLACK}, identity))",
    "whole": "rbind(repeat, ONE)",
    "product": f"fork(astuple, {LARGE}, {TILED})",
    "quarters": "fork(combine, compose(rbind(hsplit, TWO), tophalf), compose(rbind(hsplit, TWO), bottomhalf))",
}
"""Ways to divide a grid into parts of the same shape."""

IN_THESE_COLORS = """
def {name}(S, I):
    others = sfilter(S, compose(flip, matcher(first, I)))
{lookup}
    return O
"""

IN_ANY_COLORS = """
def {name}_in_any_colors(S, I):
    inks = chain(rbind(order, compose(invert, size)), rbind(sfilter, compose(positive, color)), partition)
    ranks = chain(rbind(pair, interval(ONE, TEN, ONE)), lbind(apply, color), inks)
    codes = compose(rbind(combine, {fixed}), ranks)
    encode = compose(rbind(compose, lbind(matcher, first)), compose(lbind(compose, last), lbind(lbind, extract)))
    encoder = chain(compose(lbind(lbind, apply), lbind(lbind, apply)), encode, codes)
    rest = sfilter(S, compose(flip, matcher(first, I)))
    others = apply(fork(apply, compose(encoder, first), identity), rest)
    to_codes = encoder(I)
    plain = to_codes(I)
{lookup}
    decode = chain(first, lbind(extract, codes(I)), lbind(matcher, last))
    return apply(lbind(apply, decode), O)
"""
"""The same lookup by rank of colour: black becomes 0, the most common other colour 1, and so on."""

FIXED = ((0, 0), *((color, color + 20) for color in range(1, 10)))
"""Codes of black and of the colours that a grid does not contain."""

BY_ITSELF = """
    segment = {segment}
    key = fork(astuple, color, {feature})
    shown = chain(lbind(lbind(fork, astuple), key), lbind(compose, mostcolor), lbind(rbind, toobject))
    table = mapply(fork(apply, compose(shown, last), compose(segment, first)), others)
    known = compose(rbind(contained, apply(first, table)), key)
    new = chain(last, lbind(extract, table), compose(lbind(matcher, first), key))
    O = paint(PLAIN, mapply(fork(recolor, new, identity), sfilter(segment(PLAIN), known)))
"""

IN_GRID = """
    segment = {segment}
    key_in = compose(lbind(lbind(fork, astuple), color), {feature})
    new_in = compose(lbind(compose, mostcolor), lbind(rbind, toobject))
    shown = fork(lbind(fork, astuple), compose(key_in, first), compose(new_in, last))
    table = mapply(fork(apply, shown, compose(segment, first)), others)
    key = key_in(PLAIN)
    known = compose(rbind(contained, apply(first, table)), key)
    new = chain(last, lbind(extract, table), compose(lbind(matcher, first), key))
    O = paint(PLAIN, mapply(fork(recolor, new, identity), sfilter(segment(PLAIN), known)))
"""

LAID_OVER = """
    cut = {feature}
    key_in = compose(rbind(compose, lbind(rbind, index)), compose(lbind(rbind, apply), cut))
    new_in = lbind(lbind, index)
    shown = fork(lbind(fork, astuple), compose(key_in, first), compose(new_in, last))
    places = chain(asindices, first, cut)
    table = mapply(fork(apply, shown, compose(places, first)), others)
    new = chain(last, lbind(extract, table), compose(lbind(matcher, first), key_in(PLAIN)))
    O = paint(first(cut(PLAIN)), apply(fork(astuple, new, identity), places(PLAIN)))
"""

ANSWERED = """
    feature = {feature}
    alike = compose(matcher(feature, feature(PLAIN)), first)
    O = last(extract(others, alike))
"""

OF_GRIDS: Mapping[str, str] = {
    "colors": "palette",
    "main_color": "mostcolor",
    "rare_color": "leastcolor",
    "color_count": "numcolors",
    "black_count": "rbind(colorcount, BLACK)",
    "figures": f"compose(size, {FIGURES})",
    "symmetries": "fork(astuple, fork(equality, identity, vmirror), fork(equality, identity, hmirror))",
    "shape": "shape",
}
"""Features of a whole grid."""


TRANSLATED = """
def translated(S, I):
    cells = fork(pair, compose(merge, first), compose(merge, last))
    table = combine(mapply(cells, S), {unknown})
    new = chain(last, lbind(extract, table), lbind(matcher, first))
    return apply(lbind(apply, new), I)
"""
"""Maps each colour as in the demonstrations. Here the lookup includes the demonstration of the same input."""

LOOKUPS = (
    ("as_shown_by_{}_of_area", AREAS, BY_ITSELF, OF_AREAS),
    ("as_shown_by_{}_of_area", AREAS, IN_GRID, OF_AREAS_IN_GRID),
    ("as_shown_by_{}_of_figure", FIGURES, IN_GRID, OF_FIGURES),
    ("as_shown_by_{}_of_cell", CELLS, BY_ITSELF, OF_PLACES),
    ("as_shown_by_{}_of_cell", CELLS, IN_GRID, OF_CELLS),
    ("as_shown_by_{}", "", LAID_OVER, LAYERS),
    ("answered_by_{}", "", ANSWERED, OF_GRIDS),
)
"""Name, division into items, template, and features of each group of lookups."""


@cache
def lookups() -> tuple[Program, ...]:
    """All lookups, as programs that read the input and the demonstrations."""
    return tuple(program for text in _texts() for program in parse(text, file="lookups"))


def _texts() -> Iterator[str]:
    yield TRANSLATED.format(unknown=tuple((color, color) for color in range(10)))
    for title, segment, template, features in LOOKUPS:
        for feature, text in features.items():
            name = title.format(feature)
            lookup = template.strip("\n").format(segment=segment, feature=text)
            yield IN_THESE_COLORS.format(name=name, lookup=lookup.replace("PLAIN", "I"))
            yield IN_ANY_COLORS.format(name=name, lookup=lookup.replace("PLAIN", "plain"), fixed=FIXED)
