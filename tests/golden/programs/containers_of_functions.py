"""Tuples and sets of functions."""

# Read as text and never imported.
# mypy: ignore-errors
# ruff: noqa


def two_functions_in_a_tuple(I):
    x1 = astuple(hmirror, vmirror)
    x2 = rapply(x1, I)
    x3 = merge(x2)
    return x3


def functions_in_a_set(I):
    x1 = initset(uppermost)
    x2 = insert(leftmost, x1)
    x3 = insert(size, x2)
    x4 = rapply(x3, ofcolor(I, mostcolor(I)))
    return x4


def functions_combined(I):
    x1 = astuple(rot90, rot180)
    x2 = combine(x1, repeat(rot270, ONE))
    x3 = size(x2)
    x4 = apply(rbind(compose, trim), x2)
    x5 = rapply(x4, I)
    return astuple(x3, apply(shape, x5))


def functions_mapped_over(I):
    x1 = astuple(height, width)
    x2 = rbind(compose, trim)
    x3 = apply(x2, x1)
    x4 = first(x3)
    x5 = last(x3)
    return astuple(x4(I), x5(I))


def a_mirror_that_fits(I):
    x1 = astuple(hmirror, vmirror)
    x2 = combine(x1, astuple(rot180, dmirror))
    x3 = chain(first, rbind(rapply, I), initset)
    x4 = compose(lbind(equality, I), x3)
    x5 = extract(x2, x4)
    x6 = x5(trim(I))
    return x6


def a_mirror_that_fits_each_object(I):
    x1 = combine(astuple(hmirror, vmirror), astuple(dmirror, identity))
    x2 = compose(rbind(compose, initset), lbind(rbind, rapply))
    x3 = compose(lbind(compose, first), x2)
    x4 = fork(compose, lbind(lbind, equality), x3)
    x5 = chain(initset, lbind(extract, x1), x4)
    x6 = fork(rapply, x5, compose(rbind(upscale, TWO), normalize))
    x7 = mapply(compose(merge, x6), objects(I, F, T, T))
    return x7


def the_side_with_most_colours(I):
    x1 = combine(astuple(tophalf, bottomhalf), astuple(lefthalf, righthalf))
    x2 = chain(first, rbind(rapply, I), initset)
    x3 = compose(numcolors, x2)
    x4 = argmax(x1, x3)
    x5 = argmin(x1, x3)
    return astuple(x4(I), x5(I))


def choices_for_every_object(I):
    x1 = objects(I, T, F, T)
    x2 = astuple(hmirror, normalize)
    x3 = lbind(rapply, x2)
    x4 = chain(rbind(argmax, ulcorner), x3, identity)
    x5 = mapply(x4, x1)
    return x5


def functions_known_by_their_place(I):
    x1 = combine(astuple(first, last), astuple(second, mostcommon))
    x2 = get_nth(x1, NEG_ONE)
    x3 = get_nth_t(x1, TWO)
    x4 = totuple(x1)
    x5 = first(x4)
    return astuple(x2(first(I)), astuple(x3(I), x5(I)))


def products_of_functions(I):
    x1 = astuple(height, width)
    x2 = astuple(double, halve)
    x3 = prapply(compose, x2, x1)
    x4 = rapply(x3, I)
    x5 = papply(compose, x2, x1)
    x6 = rapply(x5, I)
    return astuple(x4, x6)
