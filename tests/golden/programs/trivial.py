"""Programs that hardly do anything."""

# Read as text and never imported.
# mypy: ignore-errors
# ruff: noqa


def nothing_done(I):
    return I


def a_constant(I):
    return NEG_UNITY


def a_constant_computed(I):
    x1 = interval(ZERO, FIVE, TWO)
    x2 = apply(double, x1)
    return x2


def a_constant_that_fails(I):
    x1 = divide(TEN, ZERO)
    return x1
