"""Small numbers: counts, lengths and factors."""

# Read as text and never imported: see arcloom.enumerate.operations.
# mypy: ignore-errors
# ruff: noqa


def coloured_count(g):  # cost 1
    """The number of cells that are not black."""
    return size(difference(asindices(g), ofcolor(g, BLACK)))


def color_count(g):
    """The number of colours other than black."""
    return size(remove(BLACK, palette(g)))


def figure_count(g):
    return size(objects(g, T, F, T))


def figure_count_over_corners(g):
    return size(objects(g, T, T, T))


def cluster_count(g):
    return size(objects(g, F, T, T))


def line_count(g):  # cost 3
    """The number of rows and columns of a single colour other than black."""
    return size(sfilter(frontiers(g), compose(positive, color)))


def most_cells(xs):
    """The size of the largest object."""
    return valmax(xs, size)


def widest_width(xs):
    return valmax(xs, width)


def tallest_height(xs):
    return valmax(xs, height)


def narrowest_width(xs):  # cost 3
    return valmin(xs, width)


def shorter_side(g):
    sides = shape(g)
    return minimum(sides)


def longer_side(g):
    sides = shape(g)
    return maximum(sides)


def sides_ratio(g):
    """The quotient of the longer and the shorter side."""
    sides = shape(g)
    return divide(maximum(sides), minimum(sides))


def hole_count(x):
    """The number of areas that an object encloses."""
    picture = fill(canvas(ZERO, shape(x)), ONE, normalize(toindices(x)))
    empty = colorfilter(objects(picture, T, F, F), ZERO)
    return size(sfilter(empty, compose(flip, rbind(bordering, picture))))


def gap_count(x):  # cost 3
    return size(delta(x))
