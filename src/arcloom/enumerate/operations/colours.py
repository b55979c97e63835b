"""Colours of grids and objects."""

# Read as text and never imported: see arcloom.enumerate.operations.
# mypy: ignore-errors
# ruff: noqa


def main_color(g):  # cost 1
    """The most frequent colour but black."""
    return mostcolor(sfilter(asobject(g), compose(positive, first)))


def rare_color(g):  # cost 1
    """The least frequent colour but black."""
    return leastcolor(sfilter(asobject(g), compose(positive, first)))


def second_color(g):
    """The second most frequent colour."""
    return get_color_rank(g, F1)


def third_color(g):  # cost 3
    """The third most frequent colour."""
    return get_color_rank(g, F2)


def other_color(g, c):
    """A colour that is neither black nor the given one."""
    return other(remove(c, palette(g)), BLACK)


def color_of_largest(g):
    return color(argmax(objects(g, T, T, T), size))


def color_of_smallest(g):
    return color(argmin(objects(g, T, T, T), size))


def color_of_lines(g):
    """The colour of rows and columns of one colour other than black."""
    return color(mfilter(frontiers(g), compose(positive, color)))


def color_of_border(g):
    return mostcolor(toobject(box(asindices(g)), g))


def color_in_middle(g):
    return color(toobject(initset(halve(shape(g))), g))


def color_in_first_corner(g):
    return first(first(g))


def color_in_last_corner(g):
    return last(last(g))


def color_in_last_row(g):  # cost 3
    """The colour at the lower left."""
    return first(last(g))


def color_in_last_column(g):  # cost 3
    """The colour at the upper right."""
    return last(first(g))


def color_of_single(g):  # cost 3
    """The colour of the only figure of one cell."""
    return color(first(sizefilter(objects(g, T, T, T), ONE)))


def color_inside(x, g):
    """The most common colour in the gaps of an object."""
    return mostcolor(toobject(delta(x), g))


def rare_color_inside(x, g):  # cost 3
    """The rarest colour in the bounding box of an object."""
    return leastcolor(subgrid(x, g))


def color_outside(x, g):  # cost 3
    """The most common colour just outside an object's bounding box."""
    return mostcolor(toobject(outbox(x), g))


def color_next_to(x, g):  # cost 3
    """The rarest colour just outside an object's bounding box."""
    return leastcolor(toobject(outbox(x), g))


def commonest_of(xs):
    """The colour that most objects have."""
    return mostcommon(apply(color, totuple(xs)))


def rarest_of(xs):
    """The colour that fewest objects have."""
    return leastcommon(apply(color, totuple(xs)))


def color_of_commonest_form(xs):  # cost 3
    form = compose(normalize, toindices)
    common = mostcommon(apply(form, totuple(xs)))
    return color(extract(xs, matcher(form, common)))


def color_of_rarest_form(xs):  # cost 3
    form = compose(normalize, toindices)
    rare = leastcommon(apply(form, totuple(xs)))
    return color(extract(xs, matcher(form, rare)))
