"""Numbers, pairs and truth values."""

# Read as text and never imported.
# mypy: ignore-errors
# ruff: noqa


def sums_of_shapes(I):
    x1 = shape(I)
    x2 = height(I)
    x3 = add(x1, x2)
    x4 = subtract(x3, UNITY)
    x5 = multiply(x4, x1)
    x6 = divide(x5, THREE)
    return x6


def signs(I):
    x1 = width(I)
    x2 = decrement(x1)
    x3 = invert(x2)
    x4 = crement(x3)
    x5 = sign(x4)
    x6 = toivec(x5)
    x7 = tojvec(x4)
    x8 = astuple(x6, x7)
    return x8


def parity_of_area(I):
    x1 = fork(multiply, height, width)
    x2 = x1(I)
    x3 = increment(x2)
    x4 = halve(x3)
    x5 = double(x4)
    x6 = even(x2)
    x7 = positive(x4)
    x8 = both(x6, x7)
    x9 = branch(x8, x5, x2)
    return x9


def ratio_of_colours(I):
    x1 = numcolors(I)
    x2 = decrement(x1)
    x3 = size(asindices(I))
    x4 = divide(x3, x2)
    return x4


def logic_of_sizes(I):
    x1 = portrait(I)
    x2 = square(I)
    x3 = flip(x1)
    x4 = either(x2, x3)
    x5 = greater(height(I), THREE)
    x6 = equality(x4, x5)
    x7 = both(x6, x1)
    return astuple(x6, x7)


def too_large_a_product(I):
    x1 = size(asindices(I))
    x2 = multiply(x1, THOUSAND)
    x3 = multiply(x2, HUNDRED)
    return x3
