"""Programs that read the demonstrations and a candidate."""

# Read as text and never imported.
# mypy: ignore-errors
# ruff: noqa


def a_solver_of_three(S, I, C):
    x1 = apply(first, S)
    x2 = apply(last, S)
    x3 = papply(equality, apply(shape, x1), apply(shape, x2))
    x4 = contained(F, x3)
    O = branch(x4, I, C)
    return O


def colours_of_the_outputs(S, I, C):
    x1 = apply(last, S)
    x2 = mapply(compose(totuple, palette), x1)
    x3 = mostcommon(x2)
    O = fill(I, x3, ofcolor(I, ZERO))
    return O


def agreeing_cells(S, I, C):
    x1 = asobject(I)
    x2 = asobject(C)
    x3 = intersection(x1, x2)
    x4 = multiply(size(x3), THOUSAND)
    x5 = divide(x4, size(x2))
    return astuple(x5, x3)


def demonstrations_like_this_one(S, I, C):
    x1 = matcher(compose(shape, first), shape(I))
    x2 = sfilter(S, x1)
    x3 = apply(last, x2)
    x4 = order(x3, numcolors)
    return x4
