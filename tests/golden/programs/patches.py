"""Positions and cells, and what can be measured on them."""

# Read as text and never imported.
# mypy: ignore-errors
# ruff: noqa


def measures(I):
    x1 = ofcolor(I, leastcolor(I))
    x2 = astuple(uppermost(x1), leftmost(x1))
    x3 = astuple(lowermost(x1), rightmost(x1))
    x4 = astuple(height(x1), width(x1))
    x5 = subtract(x3, x2)
    x6 = equality(increment(x5), x4)
    return astuple(x6, x5)


def four_corners(I):
    x1 = ofcolor(I, ONE)
    x2 = insert(ulcorner(x1), initset(urcorner(x1)))
    x3 = insert(llcorner(x1), initset(lrcorner(x1)))
    x4 = combine(x2, x3)
    x5 = equality(x4, corners(x1))
    return astuple(x5, x4)


def boxes(I):
    x1 = ofcolor(I, mostcolor(I))
    x2 = box(x1)
    x3 = inbox(x1)
    x4 = outbox(x1)
    x5 = combine(x2, difference(x4, x3))
    return x5


def what_is_free(I):
    x1 = ofcolor(I, leastcolor(I))
    x2 = backdrop(x1)
    x3 = delta(x1)
    x4 = difference(x2, x1)
    x5 = equality(x3, x4)
    return astuple(x5, x3)


def mass(I):
    x1 = fgpartition(I)
    x2 = apply(centerofmass, x1)
    x3 = apply(center, x1)
    return astuple(x2, x3)


def lines_among_objects(I):
    x1 = objects(I, T, F, T)
    x2 = sfilter(x1, vline)
    x3 = sfilter(x1, hline)
    x4 = sfilter(x1, square)
    x5 = apply(ulcorner, combine(x2, combine(x3, x4)))
    return x5


def moved_to_the_origin(I):
    x1 = objects(I, F, T, T)
    x2 = apply(normalize, x1)
    x3 = rbind(shift, UNITY)
    x4 = apply(x3, x2)
    x5 = merge(x4)
    return x5


def mirrored_patches(I):
    x1 = asobject(trim(I))
    x2 = hmirror(x1)
    x3 = vmirror(x2)
    x4 = dmirror(x3)
    x5 = cmirror(x4)
    x6 = upscale(x5, TWO)
    return toindices(x6)


def a_missing_corner(I):
    x1 = ofcolor(I, TEN)
    x2 = ulcorner(x1)
    x3 = add(x2, UNITY)
    return x3


def cells_in_a_tuple(I):
    x1 = totuple(asobject(I))
    x2 = sfilter(x1, compose(positive, first))
    x3 = shift(x2, DOWN)
    x4 = paint(I, x3)
    return x4
