"""Small new grids that encode properties of other values."""

# Read as text and never imported: see arcloom.enumerate.operations.
# mypy: ignore-errors
# ruff: noqa


def dot(c):
    """One cell."""
    return canvas(c, UNITY)


def bar(n, c):
    """Cells of a colour in a row."""
    return canvas(c, astuple(ONE, n))


def blank_like(g, c):
    """A grid of the same shape in one colour."""
    return canvas(c, shape(g))


def diagonal(n, c):  # cost 3
    """A diagonal on black."""
    return fill(canvas(BLACK, astuple(n, n)), c, shoot(ORIGIN, UNITY))


def bar_in_five(n, c):  # cost 3
    """Cells of a colour in a row of five."""
    return fill(canvas(BLACK, astuple(ONE, FIVE)), c, asindices(canvas(c, astuple(ONE, n))))


def colors_across(xs):
    """The colours of objects from left to right."""
    return repeat(apply(color, order(xs, leftmost)), ONE)


def colors_down(xs):
    """The colours of objects from top to bottom."""
    return dmirror(repeat(apply(color, order(xs, uppermost)), ONE))


def colors_by_size(xs):
    """The colours of objects in a column, the largest first."""
    return dmirror(repeat(apply(color, order(xs, compose(invert, size))), ONE))


def sizes_as_bars(xs):
    """Objects as bars in columns, the largest first."""
    longest = valmax(xs, size)
    rest = compose(lbind(repeat, BLACK), compose(lbind(subtract, longest), size))
    padded = fork(combine, fork(repeat, color, size), rest)
    return dmirror(apply(padded, order(xs, compose(invert, size))))


def in_rows_of_three(n, c):  # cost 3
    """Cells of a colour in reading order on three by three."""
    blank = canvas(BLACK, THREE_BY_THREE)
    places = order(asindices(blank), identity)
    return fill(blank, c, apply(first, pair(places, interval(ZERO, n, ONE))))


def first_row_repeated(g):  # cost 3
    """The first row in all rows."""
    return repeat(first(g), height(g))


def first_column_repeated(g):  # cost 3
    """The first column in all columns."""
    return dmirror(repeat(first(dmirror(g)), width(g)))
