"""Colours, and writing them into grids."""

# Read as text and never imported.
# mypy: ignore-errors
# ruff: noqa


def colours_counted(I):
    x1 = mostcolor(I)
    x2 = leastcolor(I)
    x3 = lbind(colorcount, I)
    x4 = apply(x3, totuple(palette(I)))
    x5 = astuple(x3(x1), x3(x2))
    return astuple(x4, x5)


def exchanged(I):
    x1 = mostcolor(I)
    x2 = leastcolor(I)
    x3 = switch(I, x1, x2)
    x4 = replace(x3, x2, NINE)
    return x4


def framed(I):
    x1 = asindices(I)
    x2 = box(x1)
    x3 = fill(I, EIGHT, x2)
    x4 = canvas(THREE, add(shape(I), TWO))
    x5 = asobject(x3)
    x6 = paint(x4, shift(x5, UNITY))
    return x6


def underneath(I):
    x1 = shoot(ORIGIN, UNITY)
    x2 = underfill(I, SIX, x1)
    x3 = recolor(SEVEN, hfrontier(ORIGIN))
    x4 = underpaint(x2, x3)
    return x4


def covered(I):
    x1 = leastcolor(I)
    x2 = ofcolor(I, x1)
    x3 = cover(I, x2)
    x4 = toobject(x2, I)
    x5 = move(I, x4, DOWN_LEFT)
    x6 = cellwise(x3, x5, FOUR)
    return x6


def every_colour_onward(I):
    x1 = fork(recolor, compose(increment, color), identity)
    x2 = partition(I)
    x3 = mapply(x1, x2)
    x4 = paint(I, x3)
    return x4


def colours_too_great_for_a_grid(I):
    x1 = numcolors(I)
    x2 = multiply(x1, HUNDRED)
    x3 = canvas(x2, TWO_BY_TWO)
    return x3
