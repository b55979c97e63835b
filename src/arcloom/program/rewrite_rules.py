"""The rewrite rules that simplify programs: pairs of terms of the language, such as ``flip(flip(b)) -> b``.

A variable of a rule matches terms of the kinds in ``VARIABLES``. All its occurrences match the same term.

A rule guarantees: if the left side has a value, the right side has the same. This assumes that grids have at least one
cell and that colours are from 0 to 9. If the left side fails, the right side may have a value, because it may lack the
part that failed; callers compare both programs on samples. Each rule makes a program smaller by
``arcloom.program.simplify.measure``, and no variable occurs more often on the right than on the left, so that rewriting
terminates and programs never grow.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

from arcloom.dsl import PRIMITIVES
from arcloom.program.parse import parse_one
from arcloom.program.term import Call, Function, Input, Term

ANY: frozenset[str] = frozenset()
VARIABLES = {
    **dict.fromkeys(("x", "y", "z"), ANY),
    **dict.fromkeys(("f", "g", "h"), ANY),  # functions
    **dict.fromkeys(("xs", "ys"), ANY),  # containers of either kind
    **dict.fromkeys(("cells", "cells2"), ANY),  # a patch, or a tuple of cells that coerces to one
    "piece": ANY,  # a grid, a patch, or a tuple of cells
    **dict.fromkeys(("grid", "grid2"), frozenset({"grid"})),
    "patch": frozenset({"set"}),
    "each": frozenset({"set", "objects"}),
    "objs": frozenset({"objects"}),
    **dict.fromkeys(("tup", "tup2"), frozenset({"tuple", "pair", "grid"})),
    **dict.fromkeys(("n", "m"), frozenset({"int"})),
    **dict.fromkeys(("c", "d"), frozenset({"int"})),  # colours
    **dict.fromkeys(("v", "w"), frozenset({"int", "pair"})),
    **dict.fromkeys(("p", "q"), frozenset({"pair"})),
    **dict.fromkeys(("b", "b2"), frozenset({"bool"})),
}
"""The kinds of terms (``arcloom.program.kinds``) that variables of rules match; ANY matches every term."""


@dataclass(frozen=True, eq=False)
class RewriteRule:
    """A pattern, and the term that replaces it."""

    text: str
    pattern: Call
    replacement: Term

    def __repr__(self) -> str:
        return self.text


@cache
def all_rules() -> tuple[RewriteRule, ...]:
    """All rules, including those for composed functions that follow from others."""
    stated = [_rule(text) for text in (*_listed(), *_families())]
    return (*stated, *(_rule(text) for rule in stated for text in _of_functions(rule)))


def _rule(text: str) -> RewriteRule:
    left, right = (parse_one(f"O = {side}").output for side in text.split(" -> "))
    assert isinstance(left, Call)
    return RewriteRule(text, left, right)


def _listed() -> Iterator[str]:
    for line in RULES.splitlines():
        rule = line.partition("#")[0].strip()
        if rule:
            yield rule


RULES = """
    # Numbers
    add(v, ZERO) -> v
    add(ZERO, v) -> v
    add(p, ORIGIN) -> p
    add(ORIGIN, p) -> p
    subtract(v, ZERO) -> v
    subtract(p, ORIGIN) -> p
    subtract(n, n) -> ZERO
    subtract(p, p) -> ORIGIN
    multiply(v, ONE) -> v
    multiply(ONE, v) -> v
    multiply(p, UNITY) -> p
    multiply(UNITY, p) -> p
    divide(v, ONE) -> v
    divide(p, UNITY) -> p
    invert(invert(v)) -> v
    invert(subtract(v, w)) -> subtract(w, v)
    add(v, invert(w)) -> subtract(v, w)
    add(invert(v), w) -> subtract(w, v)
    subtract(v, invert(w)) -> add(v, w)
    subtract(add(n, m), m) -> n
    subtract(add(n, m), n) -> m
    add(subtract(n, m), m) -> n
    subtract(add(p, q), q) -> p
    subtract(add(p, q), p) -> q
    add(subtract(p, q), q) -> p
    increment(decrement(v)) -> v
    decrement(increment(v)) -> v
    halve(double(v)) -> v
    even(double(n)) -> T
    sign(sign(v)) -> sign(v)
    sign(crement(v)) -> sign(v)
    add(toivec(n), tojvec(m)) -> astuple(n, m)
    add(tojvec(m), toivec(n)) -> astuple(n, m)
    first(toivec(n)) -> n
    last(toivec(n)) -> ZERO
    first(tojvec(n)) -> ZERO
    last(tojvec(n)) -> n

    # Truth
    flip(flip(b)) -> b
    both(b, T) -> b
    both(T, b) -> b
    both(b, F) -> F
    both(F, b) -> F
    both(b, b) -> b
    either(b, F) -> b
    either(F, b) -> b
    either(b, T) -> T
    either(T, b) -> T
    either(b, b) -> b
    both(flip(b), flip(b2)) -> flip(either(b, b2))
    either(flip(b), flip(b2)) -> flip(both(b, b2))
    both(b, flip(b)) -> F
    either(b, flip(b)) -> T
    equality(x, x) -> T
    equality(b, T) -> b
    equality(T, b) -> b
    equality(b, F) -> flip(b)
    equality(F, b) -> flip(b)
    greater(n, n) -> F
    greater(n, ZERO) -> positive(n)
    flip(equality(size(xs), ZERO)) -> positive(size(xs))
    flip(equality(ZERO, size(xs))) -> positive(size(xs))
    flip(positive(size(xs))) -> equality(size(xs), ZERO)

    # Choices. In a choice between a set and a tuple of cells the tuple becomes a set, so the rule must not choose it.
    branch(b, x, x) -> x
    branch(T, grid, grid2) -> grid
    branch(F, grid2, grid) -> grid
    branch(T, each, x) -> each
    branch(F, x, each) -> each
    branch(T, v, x) -> v
    branch(F, x, v) -> v
    branch(b, T, F) -> b
    branch(b, F, T) -> flip(b)
    branch(flip(b), x, y) -> branch(b, y, x)

    # Pairs
    first(astuple(x, y)) -> x
    last(astuple(x, y)) -> y
    second(astuple(x, y)) -> y
    astuple(first(p), last(p)) -> p
    astuple(height(piece), width(piece)) -> shape(piece)
    first(shape(piece)) -> height(piece)
    last(shape(piece)) -> width(piece)
    astuple(uppermost(cells), leftmost(cells)) -> ulcorner(cells)
    astuple(uppermost(cells), rightmost(cells)) -> urcorner(cells)
    astuple(lowermost(cells), leftmost(cells)) -> llcorner(cells)
    astuple(lowermost(cells), rightmost(cells)) -> lrcorner(cells)
    toij(ascell(p, n)) -> p
    first(ascell(p, n)) -> n

    # Containers
    first(initset(x)) -> x
    last(initset(x)) -> x
    size(initset(x)) -> ONE
    size(astuple(x, y)) -> TWO
    contained(x, initset(y)) -> equality(x, y)
    contained(x, remove(x, xs)) -> F
    totuple(tup) -> tup
    dedupe(dedupe(tup)) -> dedupe(tup)
    dedupe(totuple(each)) -> totuple(each)
    intersection(each, each) -> each
    combine(each, each) -> each
    difference(difference(xs, ys), ys) -> difference(xs, ys)
    remove(x, remove(x, xs)) -> remove(x, xs)
    insert(x, insert(x, xs)) -> insert(x, xs)
    merge(initset(each)) -> each
    size(palette(x)) -> numcolors(x)
    size(p_g(grid)) -> numcolors(grid)
    totuple(palette(grid)) -> p_g(grid)
    first(order(xs, f)) -> argmin(xs, f)
    order(order(xs, f), f) -> order(xs, f)
    argmax(order(xs, f), f) -> argmax(xs, f)
    argmin(order(xs, f), f) -> argmin(xs, f)
    valmax(order(xs, f), h) -> valmax(xs, h)
    valmin(order(xs, f), h) -> valmin(xs, h)
    maximum(order(xs, f)) -> maximum(xs)
    minimum(order(xs, f)) -> minimum(xs)
    size(order(xs, f)) -> size(xs)

    # Functions
    identity(x) -> x
    compose(identity, f) -> f
    compose(f, identity) -> f
    chain(identity, f, h) -> compose(f, h)
    chain(f, identity, h) -> compose(f, h)
    chain(f, h, identity) -> compose(f, h)
    power(f, ONE) -> f
    compose(f, h)(x) -> f(h(x))
    rbind(f, y)(x) -> f(x, y)
    lbind(f, y)(x) -> f(y, x)
    rbind(g, y)(x, z) -> g(x, z, y)
    lbind(g, y)(x, z) -> g(y, x, z)
    matcher(f, y)(x) -> equality(f(x), y)
    apply(identity, each) -> each
    apply(identity, grid) -> grid
    mapply(identity, xs) -> merge(xs)
    merge(apply(f, xs)) -> mapply(f, xs)
    merge(sfilter(xs, f)) -> mfilter(xs, f)
    merge(papply(f, xs, ys)) -> mpapply(f, xs, ys)
    papply(astuple, xs, ys) -> pair(xs, ys)
    prapply(astuple, xs, ys) -> product(xs, ys)
    size(apply(f, tup)) -> size(tup)
    size(papply(f, xs, ys)) -> size(pair(xs, ys))
    first(sfilter(xs, f)) -> extract(xs, f)
    sfilter(sfilter(xs, f), f) -> sfilter(xs, f)
    argmax(xs, compose(invert, f)) -> argmin(xs, f)
    argmin(xs, compose(invert, f)) -> argmax(xs, f)
    sfilter(objs, matcher(color, n)) -> colorfilter(objs, n)
    sfilter(objs, matcher(size, n)) -> sizefilter(objs, n)
    apply(f, initset(x)) -> initset(f(x))

    # Grids
    mir_rot_t(grid, A7) -> grid
    upscale(grid, ONE) -> grid
    hupscale(grid, ONE) -> grid
    vupscale(grid, ONE) -> grid
    downscale(grid, ONE) -> grid
    downscale(upscale(grid, n), n) -> grid
    crop(grid, ORIGIN, shape(grid)) -> grid
    subgrid(asindices(grid), grid) -> grid
    subgrid(asobject(grid), grid) -> grid
    hmirror(tophalf(hmirror(grid))) -> bottomhalf(grid)
    hmirror(bottomhalf(hmirror(grid))) -> tophalf(grid)
    vmirror(lefthalf(vmirror(grid))) -> righthalf(grid)
    vmirror(righthalf(vmirror(grid))) -> lefthalf(grid)
    dmirror(tophalf(dmirror(grid))) -> lefthalf(grid)
    dmirror(bottomhalf(dmirror(grid))) -> righthalf(grid)
    dmirror(lefthalf(dmirror(grid))) -> tophalf(grid)
    dmirror(righthalf(dmirror(grid))) -> bottomhalf(grid)
    vmirror(hconcat(vmirror(grid), vmirror(grid2))) -> hconcat(grid2, grid)
    hmirror(vconcat(hmirror(grid), hmirror(grid2))) -> vconcat(grid2, grid)
    dmirror(vconcat(dmirror(grid), dmirror(grid2))) -> hconcat(grid, grid2)
    canvas(c, shape(canvas(d, p))) -> canvas(c, p)
    first(vsplit(grid, ONE)) -> grid
    first(hsplit(grid, ONE)) -> grid
    ulcorner(asindices(grid)) -> ORIGIN
    ulcorner(asobject(grid)) -> ORIGIN
    size(ofcolor(grid, n)) -> colorcount(grid, n)
    toindices(asobject(grid)) -> asindices(grid)
    toobject(asindices(grid), grid) -> asobject(grid)
    merge(partition(grid)) -> asobject(grid)
    merge(objects(grid, b, b2, F)) -> asobject(grid)
    totuple(o_g(grid, n)) -> o_g_t(grid, n)

    # Colours
    paint(grid, asobject(grid)) -> grid
    paint(grid, toobject(cells, grid)) -> grid
    paint(grid, recolor(c, cells)) -> fill(grid, c, cells)
    underpaint(grid, recolor(c, cells)) -> underfill(grid, c, cells)
    fill(grid, mostcolor(grid), cells) -> cover(grid, cells)
    fill(fill(grid, c, cells), d, cells) -> fill(grid, d, cells)
    cover(cover(grid, cells), cells) -> cover(grid, cells)
    replace(grid, c, c) -> grid
    replace(replace(grid, c, d), c, d) -> replace(grid, c, d)
    switch(grid, c, c) -> grid
    switch(switch(grid, c, d), c, d) -> grid
    switch(switch(grid, c, d), d, c) -> grid
    cellwise(grid, grid, c) -> grid

    # Patches
    shift(patch, ORIGIN) -> patch
    upscale(patch, ONE) -> patch
    normalize(shift(cells, p)) -> normalize(cells)
    toindices(recolor(c, cells)) -> toindices(cells)
"""
"""The rules that are listed one by one. Lines with # are comments."""

TURNS = ("hmirror", "vmirror", "dmirror", "cmirror", "rot90", "rot180", "rot270")
_UNTURNED = "identity"
_ACROSS = ("dmirror", "cmirror", "rot90", "rot270")
"""The transformations that exchange height and width."""

_IDEMPOTENT = ("normalize", "toindices", "box", "backdrop", "totuple")
_MIRRORS = ("hmirror", "vmirror", "dmirror", "cmirror")
_COLOURS_OF = ("palette", "numcolors", "mostcolor", "leastcolor")
_MEASURES = ("height", "width", "shape", "portrait")
_PLACES_OF = (
    *("ulcorner", "urcorner", "llcorner", "lrcorner", "uppermost", "lowermost", "leftmost", "rightmost", "center"),
    *("corners", "box", "inbox", "outbox", "backdrop", "delta"),
    *_MEASURES,
)
"""Primitives that depend on the positions of cells, not on their colours. The measures take a tuple as a grid."""

_PLACES_AND_MORE = (
    *("recolor(c, {})", "fill(grid, c, {})", "underfill(grid, c, {})", "cover(grid, {})", "subgrid({}, grid)"),
    *("toobject({}, grid)", "bordering({}, grid)", "hmatching({}, cells2)", "hmatching(cells2, {})"),
    *("vmatching({}, cells2)", "vmatching(cells2, {})", "manhattan({}, cells2)", "manhattan(cells2, {})"),
    *("adjacent({}, cells2)", "adjacent(cells2, {})", "position({}, cells2)", "position(cells2, {})"),
    *("gravitate({}, cells2)", "gravitate(cells2, {})"),
)
_OF_ELEMENTS = (
    *("first({})", "last({})", "second({})", "size({})", "maximum({})", "minimum({})", "get_nth({}, n)"),
    *("get_rank({}, n)", "get_common_rank({}, n)", "other({}, x)", "contained(x, {})", "difference(ys, {})"),
    *("extract({}, f)", "order({}, f)", "argmax({}, f)", "argmin({}, f)", "valmax({}, f)", "valmin({}, f)"),
    *("get_arg_rank({}, f, n)", "get_val_rank({}, f, n)", "pair({}, ys)", "pair(ys, {})", "product({}, ys)"),
    *("product(ys, {})", "papply(f, {}, ys)", "papply(f, ys, {})", "mpapply(f, {}, ys)", "mpapply(f, ys, {})"),
    *("prapply(f, {}, ys)", "prapply(f, ys, {})", "combine(tup, {})"),
)
"""Primitives that visit the elements of a container in order, whether it is a tuple or a set."""


def _families() -> Iterator[str]:
    """The rules that several primitives have in common."""
    yield from _turns()
    yield from (f"{name}({name}(patch)) -> patch" for name in _MIRRORS)
    yield from (f"{name}({name}(xs)) -> {name}(xs)" for name in _IDEMPOTENT)
    for name, inner in product(_PLACES_OF, ("toindices({})", "recolor(c, {})")):
        cells = "patch" if name in _MEASURES else "cells"
        yield f"{name}({inner.format(cells)}) -> {name}({cells})"
    for form, inner in product(_PLACES_AND_MORE, ("toindices(cells)", "recolor(d, cells)")):
        yield f"{form.format(inner)} -> {form.format('cells')}"
    for name, inner in product(_MEASURES, ("shift(patch, p)", "normalize(patch)", "backdrop(patch)", "box(patch)")):
        yield f"{name}({inner}) -> {name}(patch)"
    for name, inner in product((*_COLOURS_OF, "color"), ("shift(patch, p)", "normalize(patch)")):
        yield f"{name}({inner}) -> {name}(patch)"
    for name in (*_COLOURS_OF, *_MEASURES):
        yield f"{name}(asobject(grid)) -> {name}(grid)"
    yield from (f"{name}(asindices(grid)) -> {name}(grid)" for name in _MEASURES)
    yield from (f"{form.format('totuple(xs)')} -> {form.format('xs')}" for form in _OF_ELEMENTS)
    for form, (vertical, horizontal) in _CORNERS.items():
        yield f"first({form}(cells)) -> {vertical}(cells)"
        yield f"last({form}(cells)) -> {horizontal}(cells)"


_CORNERS = {
    "ulcorner": ("uppermost", "leftmost"),
    "urcorner": ("uppermost", "rightmost"),
    "llcorner": ("lowermost", "leftmost"),
    "lrcorner": ("lowermost", "rightmost"),
}


def _turns() -> Iterator[str]:
    """Rules for two rotations or reflections in sequence, and for primitives that are invariant under them."""
    for outer, inner in product(TURNS, TURNS):
        both = _turn_like(outer, inner)
        yield f"{outer}({inner}(grid)) -> {'grid' if both == _UNTURNED else f'{both}(grid)'}"
    for name, turn in product(_COLOURS_OF, TURNS):
        yield f"{name}({turn}(grid)) -> {name}(grid)"
    for turn in TURNS:
        yield f"colorcount({turn}(grid), n) -> colorcount(grid, n)"
        yield f"square({turn}(grid)) -> square(grid)"
        yield f"p_g({turn}(grid)) -> p_g(grid)"
        across = turn in _ACROSS
        yield f"height({turn}(grid)) -> {'width' if across else 'height'}(grid)"
        yield f"width({turn}(grid)) -> {'height' if across else 'width'}(grid)"
        if not across:
            yield f"shape({turn}(grid)) -> shape(grid)"
            yield f"asindices({turn}(grid)) -> asindices(grid)"


def _turn_like(outer: str, inner: str) -> str:
    """The transformation that equals two in sequence, found with a grid without symmetry."""
    grid = ((1, 2, 3), (4, 5, 6))
    turned = PRIMITIVES[outer](PRIMITIVES[inner](grid))
    return next(name for name in (*TURNS, _UNTURNED) if PRIMITIVES[name](grid) == turned)


def _of_functions(rule: RewriteRule) -> Iterator[str]:
    """The versions of a rule for composed functions, if it holds for all arguments."""
    match rule.pattern, rule.replacement:
        case (
            Call(Function(_, outer), (Call(Function(_, inner), (Input(given),)),)),
            Call(Function(_, both), (Input(),)),
        ) if VARIABLES[given] is ANY:
            yield f"compose({outer}, {inner}) -> {both}"
            yield f"chain(f, {outer}, {inner}) -> compose(f, {both})"
            yield f"chain({outer}, {inner}, f) -> compose({both}, f)"
