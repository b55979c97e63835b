"""Whole grids."""

# Read as text and never imported.
# mypy: ignore-errors
# ruff: noqa


def turned(I):
    x1 = rot90(I)
    x2 = rot180(I)
    x3 = rot270(I)
    x4 = hconcat(x1, x3)
    x5 = cellwise(I, x2, FIVE)
    return astuple(x4, x5)


def kaleidoscope(I):
    x1 = hconcat(I, vmirror(I))
    x2 = vconcat(x1, hmirror(x1))
    return x2


def diagonals(I):
    x1 = dmirror(I)
    x2 = cmirror(I)
    x3 = vconcat(x1, x2)
    x4 = rot90(x3)
    return x4


def stacked_upon_its_turn(I):
    x1 = rot90(I)
    x2 = vconcat(I, x1)
    x3 = vmirror(x2)
    return x3


def larger_and_smaller(I):
    x1 = hupscale(I, TWO)
    x2 = vupscale(x1, THREE)
    x3 = downscale(x2, TWO)
    x4 = upscale(I, TWO)
    x5 = astuple(x3, shape(x4))
    return x5


def halves_of_it(I):
    x1 = lefthalf(I)
    x2 = righthalf(I)
    x3 = tophalf(I)
    x4 = bottomhalf(I)
    x5 = equality(x1, x2)
    x6 = branch(x5, x1, x3)
    return astuple(x6, x4)


def thirds(I):
    x1 = hsplit(I, THREE)
    x2 = vsplit(I, TWO)
    x3 = combine(x1, x2)
    x4 = apply(numcolors, x3)
    return astuple(x3, x4)


def cut_out(I):
    x1 = crop(I, UNITY, TWO_BY_TWO)
    x2 = trim(I)
    x3 = compress(I)
    x4 = equality(x1, x2)
    return astuple(x4, hconcat(x1, x3))


def periods(I):
    x1 = asobject(I)
    x2 = hperiod(x1)
    x3 = vperiod(x1)
    x4 = astuple(x3, x2)
    x5 = crop(I, ORIGIN, x4)
    return x5


def a_colour_off_the_grid(I):
    x1 = lbind(index, I)
    x2 = combine(asindices(I), neighbors(shape(I)))
    x3 = matcher(x1, ZERO)
    x4 = sfilter(x2, x3)
    return x4


def the_colour_in_the_middle(I):
    x1 = center(asindices(I))
    x2 = index(I, x1)
    x3 = increment(x2)
    x4 = fill(I, x3, initset(x1))
    return x4


def the_colour_beyond_the_corner(I):
    x1 = index(I, shape(I))
    x2 = equality(x1, ZERO)
    x3 = index(I, ORIGIN)
    return astuple(x2, astuple(x1, x3))


def arithmetic_beyond_the_corner(I):
    x1 = index(I, TWO_BY_TWO)
    x2 = add(x1, ONE)
    return x2
