"""Functions made of functions, mapped, chosen and repeated."""

# Read as text and never imported.
# mypy: ignore-errors
# ruff: noqa


def composed(I):
    x1 = chain(double, increment, size)
    x2 = compose(x1, asindices)
    x3 = fork(astuple, x2, shape)
    return x3(I)


def bound_to_the_left(I):
    x1 = lbind(lbind, shift)
    x2 = x1(asobject(I))
    x3 = x2(RIGHT)
    return x3


def bound_to_the_right(I):
    x1 = rbind(compose, shape)
    x2 = x1(invert)
    x3 = lbind(rbind, add)
    x4 = x3(x2(I))
    x5 = x4(TWO)
    return x5


def binders_that_are_mapped(I):
    x1 = lbind(lbind, shift)
    x2 = objects(I, T, F, T)
    x3 = compose(x1, identity)
    x4 = fork(rapply, compose(initset, x3), ulcorner)
    x5 = mapply(compose(merge, x4), x2)
    return x5


def thrice(I):
    x1 = power(rot90, THREE)
    x2 = power(compose(double, increment), FOUR)
    x3 = x2(width(I))
    return astuple(x1(I), x3)


def as_often_as_there_are_colours(I):
    x1 = numcolors(I)
    x2 = rbind(shift, DOWN)
    x3 = power(x2, x1)
    x4 = ofcolor(I, mostcolor(I))
    x5 = x3(x4)
    return x5


def a_power_of_nothing(I):
    x1 = decrement(numcolors(I))
    x2 = power(increment, x1)
    x3 = x2(height(I))
    return x3


def a_power_that_nobody_uses(I):
    x1 = decrement(numcolors(I))
    x2 = power(increment, x1)
    x3 = branch(portrait(I), x2, double)
    x4 = apply(x3, ofcolor(I, TEN))
    return x4


def many_times(I):
    x1 = add(width(I), multiply(TEN, TEN))
    x2 = power(fork(add, identity, sign), x1)
    x3 = x2(shape(I))
    x4 = power(increment, HUNDRED)
    return astuple(x3, x4(height(I)))


def as_often_as_each_colour_says(I):
    x1 = compose(lbind(power, double), increment)
    x2 = compose(initset, x1)
    x3 = chain(first, rbind(rapply, THREE), x2)
    x4 = apply(x3, totuple(palette(I)))
    return x4


def a_function_by_the_shape_of_each_object(I):
    x1 = rbind(rbind(branch, vmirror), hmirror)
    x2 = chain(initset, x1, portrait)
    x3 = fork(rapply, x2, normalize)
    x4 = compose(merge, x3)
    x5 = mapply(x4, objects(I, F, F, T))
    return x5


def one_of_two_functions(I):
    x1 = portrait(I)
    x2 = branch(x1, hmirror, vmirror)
    x3 = x2(I)
    return x3


def one_of_two_bound_functions(I):
    x1 = lbind(fill, I)
    x2 = rbind(x1, ofcolor(I, ZERO))
    x3 = lbind(replace, I)
    x4 = rbind(x3, TWO)
    x5 = branch(square(I), x2, x4)
    return x5(SEVEN)


def a_function_for_every_element(I):
    x1 = totuple(palette(I))
    x2 = apply(lbind(lbind, add), x1)
    x3 = rapply(x2, TEN)
    x4 = apply(lbind(lbind, multiply), x1)
    x5 = papply(compose, x2, x4)
    x6 = rapply(x5, TWO)
    return astuple(x3, x6)


def matched_functions(I):
    x1 = matcher(first, ONE)
    x2 = matcher(compose(size, palette), numcolors(I))
    x3 = sfilter(asobject(I), x1)
    x4 = extract(vsplit(I, height(I)), x2)
    return astuple(x3, x4)


def nested_mapping(I):
    x1 = lbind(apply, increment)
    x2 = apply(x1, I)
    x3 = lbind(apply, lbind(apply, double))
    x4 = apply(x3, initset(x2))
    return x4


def mapping_within_mapping_with_what_is_outside(I):
    x1 = totuple(palette(I))
    x2 = rbind(apply, x1)
    x3 = compose(x2, lbind(lbind, multiply))
    x4 = apply(x3, x1)
    x5 = apply(lbind(apply, lbind(add, height(I))), x4)
    return x5


def pairs_of_arguments(I):
    x1 = first(I)
    x2 = last(I)
    x3 = papply(astuple, x1, x2)
    x4 = mpapply(repeat, x1, x2)
    x5 = prapply(multiply, x1, x2)
    return astuple(astuple(x3, x4), x5)


def greatest_and_least(I):
    x1 = objects(I, T, F, F)
    x2 = valmax(x1, size)
    x3 = valmin(x1, size)
    x4 = valmax(x1, ulcorner)
    x5 = valmin(palette(I), double)
    return astuple(astuple(x2, x3), astuple(x4, x5))


def greatest_of_nothing(I):
    x1 = ofcolor(I, THREE)
    x2 = valmax(apply(first, x1), increment)
    x3 = valmin(x1, last)
    return astuple(x2, x3)


def zero_for_nothing(I):
    x1 = apply(first, ofcolor(I, THREE))
    x2 = valmax(x1, increment)
    x3 = valmin(x1, decrement)
    return astuple(x2, x3)


def ordered_by_sets(I):
    x1 = objects(I, T, T, F)
    x2 = order(x1, toindices)
    x3 = order(x1, palette)
    x4 = argmax(x1, delta)
    return astuple(apply(color, x2), astuple(apply(ulcorner, x3), x4))


def ordered_by_tuples(I):
    x1 = order(I, identity)
    x2 = argmin(I, dedupe)
    x3 = argmax(hsplit(I, TWO), merge)
    return astuple(x1, astuple(x2, x3))
