"""Operations that choose one object of several."""

# Read as text and never imported: see arcloom.enumerate.operations.
# mypy: ignore-errors
# ruff: noqa


def largest(xs):  # cost 1
    return argmax(xs, size)


def smallest(xs):  # cost 1
    return argmin(xs, size)


def second_largest(xs):
    return get_arg_rank(xs, size, F1)


def nth_largest(xs, n):  # cost 3
    return get_arg_rank(xs, size, n)


def most_colors(xs):
    return argmax(xs, numcolors)


def topmost(xs):
    return argmin(xs, uppermost)


def bottommost(xs):
    return argmax(xs, lowermost)


def furthest_left(xs):
    return argmin(xs, leftmost)


def furthest_right(xs):
    return argmax(xs, rightmost)


def tallest(xs):
    return argmax(xs, height)


def widest(xs):
    return argmax(xs, width)


def widest_spread(xs):
    """The one with the largest bounding box."""
    return argmax(xs, compose(size, backdrop))


def odd_color(xs):
    """The one in the rarest colour."""
    rare = leastcommon(apply(color, totuple(xs)))
    return extract(xs, matcher(color, rare))


def common_color(xs):  # cost 3
    """One in the most common colour."""
    common = mostcommon(apply(color, totuple(xs)))
    return extract(xs, matcher(color, common))


def odd_form(xs):
    """The one of the rarest form."""
    form = compose(normalize, toindices)
    rare = leastcommon(apply(form, totuple(xs)))
    return extract(xs, matcher(form, rare))


def common_form(xs):
    """One of the most common form."""
    form = compose(normalize, toindices)
    common = mostcommon(apply(form, totuple(xs)))
    return extract(xs, matcher(form, common))


def odd_figure(xs):
    """The one that is rarest in form and colours."""
    rare = leastcommon(apply(normalize, totuple(xs)))
    return extract(xs, matcher(normalize, rare))


def common_figure(xs):
    """One that is most common in form and colours."""
    common = mostcommon(apply(normalize, totuple(xs)))
    return extract(xs, matcher(normalize, common))


def odd_size(xs):
    """The one of the rarest size."""
    rare = leastcommon(apply(size, totuple(xs)))
    return extract(xs, matcher(size, rare))


def most_gaps(xs):
    return argmax(xs, compose(size, delta))


def fewest_gaps(xs):
    return argmin(xs, compose(size, delta))


def most_of_color(xs, c):
    return argmax(xs, rbind(colorcount, c))


def one_with_color(xs, c):
    return extract(xs, compose(lbind(contained, c), palette))


def one_without_color(xs, c):  # cost 3
    return extract(xs, chain(flip, lbind(contained, c), palette))


def most_symmetric(xs):
    """The one with symmetry about most of the three axes."""
    across = fork(equality, identity, vmirror)
    upright = fork(equality, identity, hmirror)
    diagonal = fork(equality, identity, dmirror)
    return argmax(xs, fork(add, fork(add, across, upright), diagonal))


def least_symmetric(xs):
    """The one with symmetry about fewest of the three axes."""
    across = fork(equality, identity, vmirror)
    upright = fork(equality, identity, hmirror)
    diagonal = fork(equality, identity, dmirror)
    return argmin(xs, fork(add, fork(add, across, upright), diagonal))


def nearest(xs, p):
    return argmin(xs, rbind(manhattan, p))


def furthest(xs, p):
    return argmax(xs, rbind(manhattan, p))


def in_reading_order(xs, n):
    """The n-th one, counted from 0, in the order of upper left corners."""
    return get_nth(order(xs, ulcorner), n)


def most_holes(xs):
    """The one that encloses most areas."""
    picture = fork(paint, compose(lbind(canvas, ZERO), shape), compose(normalize, lbind(recolor, ONE)))
    empty = compose(rbind(colorfilter, ZERO), compose(rbind(rbind(rbind(objects, F), F), T), picture))
    outside = compose(lbind(rbind, bordering), picture)
    inner = fork(difference, empty, fork(sfilter, empty, outside))
    return argmax(xs, compose(size, inner))


def holds_most(xs, g):
    """The one whose bounding box shows most colours."""
    return argmax(xs, compose(numcolors, rbind(subgrid, g)))
