"""Pairs: positions, shapes and offsets."""

# Read as text and never imported: see arcloom.enumerate.operations.
# mypy: ignore-errors
# ruff: noqa


def both_sides(n):
    """A square shape."""
    return astuple(n, n)


def one_row(n):
    """The shape of a row."""
    return astuple(ONE, n)


def one_column(n):  # cost 3
    """The shape of a column."""
    return astuple(n, ONE)


def turned_shape(g):  # cost 3
    """Width and height."""
    return astuple(width(g), height(g))


def room_counts(g):
    """The number of rows and columns of fields between lines."""
    lines = sfilter(frontiers(g), compose(positive, color))
    rows = size(sfilter(lines, hline))
    columns = size(sfilter(lines, vline))
    return increment(astuple(rows, columns))


def between_corners(x, y):
    """The offset from the upper left corner of one object to that of another."""
    return subtract(ulcorner(y), ulcorner(x))


def between_middles(x, y):
    """The offset from the centre of one object to that of another."""
    return subtract(center(y), center(x))


def step_towards(x, y):
    """One step from an object towards another."""
    return sign(subtract(center(y), center(x)))


def own_width_right(x):  # cost 3
    """To the right by an object's width."""
    return tojvec(width(x))


def own_height_down(x):  # cost 3
    """Down by an object's height."""
    return toivec(height(x))


def past_own_width(x):  # cost 3
    """To the right by an object's width and one more."""
    return tojvec(increment(width(x)))


def past_own_height(x):  # cost 3
    """Down by an object's height and one more."""
    return toivec(increment(height(x)))


def to_lower_border(x, g):  # cost 3
    return toivec(subtract(decrement(height(g)), lowermost(x)))


def to_upper_border(x):  # cost 3
    return toivec(invert(uppermost(x)))


def to_right_border(x, g):  # cost 3
    return tojvec(subtract(decrement(width(g)), rightmost(x)))


def to_left_border(x):  # cost 3
    return tojvec(invert(leftmost(x)))


def period_across(x):
    """The step to the right after which an object repeats."""
    return tojvec(hperiod(x))


def period_down(x):
    """The step down after which an object repeats."""
    return toivec(vperiod(x))
