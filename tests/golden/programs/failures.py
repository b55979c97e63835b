"""Programs that fail on some samples or on all."""

# Read as text and never imported.
# mypy: ignore-errors
# ruff: noqa


def the_first_of_none(I):
    x1 = colorfilter(objects(I, T, F, T), ZERO)
    x2 = first(x1)
    return x2


def no_such_row(I):
    x1 = matcher(size, THREE)
    x2 = extract(I, x1)
    return x2


def failures_that_nobody_needs(I):
    x1 = first(ofcolor(I, TEN))
    x2 = divide(ONE, ZERO)
    x3 = shape(I)
    return x3


def failures_in_one_branch(I):
    x1 = contained(THREE, palette(I))
    x2 = branch(x1, compose(first, rbind(ofcolor, THREE)), compose(first, rbind(ofcolor, ZERO)))
    x3 = x2(I)
    return x3


def a_failure_in_one_element(I):
    x1 = apply(lbind(divide, TEN), first(I))
    return x1


def a_captured_failure(I):
    x1 = index(I, UNITY)
    x2 = divide(TEN, x1)
    x3 = lbind(add, x2)
    x4 = apply(x3, ofcolor(I, TEN))
    return x4


def ragged_rows_are_no_grid(I):
    x1 = vconcat(I, canvas(ONE, UNITY))
    x2 = rot90(x1)
    return x2


def pairs_of_another_length(I):
    x1 = first(I)
    x2 = canvas(TWO, x1)
    return x2


def rows_as_positions(I):
    x1 = sfilter(I, matcher(size, TWO))
    x2 = fill(I, NINE, combine(x1, initset(first(I))))
    return x2


def too_much_of_it(I):
    x1 = multiply(multiply(HUNDRED, FIVE), numcolors(I))
    x2 = canvas(ONE, astuple(THOUSAND, x1))
    return shape(x2)
