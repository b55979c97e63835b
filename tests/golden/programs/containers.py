"""Tuples and sets, without functions."""

# Read as text and never imported.
# mypy: ignore-errors
# ruff: noqa


def colours_by_name(I):
    x1 = totuple(palette(I))
    x2 = apply(double, x1)
    x3 = combine(x1, x2)
    x4 = dedupe(x3)
    x5 = order(x4, invert)
    return x5


def colours_in_two_sets(I):
    x1 = palette(I)
    x2 = palette(tophalf(I))
    x3 = intersection(x1, x2)
    x4 = difference(x1, x2)
    x5 = insert(TEN, x3)
    x6 = combine(x5, x4)
    x7 = remove(ZERO, x6)
    return x7


def extremes_of_rows(I):
    x1 = apply(maximum, I)
    x2 = apply(minimum, I)
    x3 = pair(x1, x2)
    x4 = mostcommon(x3)
    x5 = leastcommon(x3)
    x6 = astuple(x4, x5)
    return x6


def ends_of_rows(I):
    x1 = first(I)
    x2 = last(I)
    x3 = combine(x1, x2)
    x4 = size(x3)
    x5 = other(x3, ZERO)
    x6 = contained(x5, x1)
    return astuple(astuple(x4, x5), x6)


def counting(I):
    x1 = interval(ZERO, width(I), TWO)
    x2 = interval(height(I), ZERO, NEG_ONE)
    x3 = product(x1, x2)
    x4 = repeat(x3, TWO)
    x5 = merge(x4)
    x6 = initset(x5)
    return x6


def an_interval_that_may_stand_still(I):
    x1 = decrement(height(I))
    x2 = interval(ZERO, TEN, x1)
    return x2


def sets_within_sets(I):
    x1 = objects(I, T, F, F)
    x2 = apply(toindices, x1)
    x3 = insert(initset(ORIGIN), x2)
    x4 = merge(x3)
    x5 = order(x3, size)
    return astuple(x4, first(x5))


def tuples_without_end(I):
    x1 = repeat(I, width(I))
    x2 = merge(x1)
    x3 = sfilter(x2, matcher(first, ZERO))
    return astuple(size(x2), x3)


def what_differs_in_tuples(I):
    x1 = first(I)
    x2 = last(I)
    x3 = difference(x1, x2)
    x4 = difference_tuple(x2, x3)
    x5 = remove(ONE, x4)
    return astuple(x3, x5)
