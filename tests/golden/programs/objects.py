"""Objects, places, and how they lie to each other."""

# Read as text and never imported.
# mypy: ignore-errors
# ruff: noqa


def largest_object(I):
    x1 = objects(I, T, T, T)
    x2 = argmax(x1, size)
    x3 = subgrid(x2, I)
    return x3


def smallest_object_by_place(I):
    x1 = objects(I, F, F, T)
    x2 = argmin(x1, ulcorner)
    x3 = color(x2)
    return astuple(x3, ulcorner(x2))


def objects_of_one_colour(I):
    x1 = objects(I, T, F, F)
    x2 = colorfilter(x1, leastcolor(I))
    x3 = sizefilter(x1, ONE)
    x4 = combine(x2, x3)
    x5 = mapply(toindices, x4)
    x6 = fill(I, NINE, x5)
    return x6


def lines_throughout(I):
    x1 = frontiers(I)
    x2 = merge(x1)
    x3 = cover(I, x2)
    return x3


def found_again(I):
    x1 = crop(I, ORIGIN, TWO_BY_TWO)
    x2 = asobject(x1)
    x3 = occurrences(I, x2)
    x4 = apply(rbind(add, UNITY), x3)
    return astuple(x3, x4)


def at_the_border(I):
    x1 = objects(I, T, F, F)
    x2 = rbind(bordering, I)
    x3 = compose(flip, x2)
    x4 = mfilter(x1, x3)
    x5 = fill(I, FIVE, x4)
    return x5


def drawn_together(I):
    x1 = totuple(fgpartition(I))
    x2 = first(x1)
    x3 = last(x1)
    x4 = gravitate(x2, x3)
    x5 = position(x2, x3)
    x6 = manhattan(x2, x3)
    return astuple(astuple(x4, x5), x6)


def side_by_side(I):
    x1 = objects(I, T, F, T)
    x2 = product(x1, x1)
    x3 = fork(adjacent, first, last)
    x4 = fork(hmatching, first, last)
    x5 = fork(vmatching, first, last)
    x6 = fork(either, x4, x5)
    x7 = fork(both, x3, x6)
    x8 = sfilter(x2, x7)
    return size(x8)


def around_every_cell(I):
    x1 = ofcolor(I, leastcolor(I))
    x2 = mapply(dneighbors, x1)
    x3 = mapply(ineighbors, x1)
    x4 = underfill(I, TWO, x2)
    x5 = underfill(x4, THREE, x3)
    return x5


def crossing(I):
    x1 = first(ofcolor(I, leastcolor(I)))
    x2 = combine(vfrontier(x1), hfrontier(x1))
    x3 = connect(ORIGIN, x1)
    x4 = fill(fill(I, FOUR, x2), SIX, x3)
    return x4
