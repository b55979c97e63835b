"""Grids and objects whose parts move, grow or continue."""

# Read as text and never imported: see arcloom.enumerate.operations.
# mypy: ignore-errors
# ruff: noqa


def color_falls(g, c, v):
    """Each cell of a colour moves in a direction until something is in its way."""

    def step(state):
        free = intersection(ofcolor(state, c), shift(ofcolor(state, BLACK), invert(v)))
        return fill(fill(state, BLACK, free), c, shift(free, v))

    return power(step, 30)(g)


def nearest_colors(g):
    """Each black cell takes the colour of a nearest coloured cell."""

    def grown(state):
        ink = sfilter(asobject(state), lambda cell: cell[0] != BLACK)
        sides = combine(combine(shift(ink, UP), shift(ink, DOWN)), combine(shift(ink, LEFT), shift(ink, RIGHT)))
        return paint(paint(state, sides), ink)

    return power(grown, 20)(g)


def sheared_right(g):  # cost 3
    """Each row one step further to the right than the row above it."""
    rows = apply(lambda i: shift(asobject(crop(g, (i, 0), (1, width(g)))), (i, i)), interval(ZERO, height(g), ONE))
    return paint(canvas(BLACK, (height(g), width(g) + height(g) - 1)), merge(rows))


def sheared_left(g):  # cost 3
    """Each row one step further to the left than the row above it."""
    far = height(g) - 1
    rows = apply(
        lambda i: shift(asobject(crop(g, (i, 0), (1, width(g)))), (i, far - i)), interval(ZERO, height(g), ONE)
    )
    return paint(canvas(BLACK, (height(g), width(g) + far)), merge(rows))


def rolled_down(g, n):  # cost 3
    """The last rows become the first."""
    top = crop(g, (height(g) - n, 0), (n, width(g)))
    return vconcat(top, crop(g, ORIGIN, (height(g) - n, width(g))))


def rolled_right(g, n):  # cost 3
    """The last columns become the first."""
    left = crop(g, (0, width(g) - n), (height(g), n))
    return hconcat(left, crop(g, ORIGIN, (height(g), width(g) - n)))


def first_row(g):
    """The first row."""
    return crop(g, ORIGIN, (1, width(g)))


def last_row(g):  # cost 3
    """The last row."""
    return crop(g, (height(g) - 1, 0), (1, width(g)))


def first_column(g):
    """The first column."""
    return crop(g, ORIGIN, (height(g), 1))


def last_column(g):  # cost 3
    """The last column."""
    return crop(g, (0, width(g) - 1), (height(g), 1))


def all_moved(xs, v):
    """Each object moved by an offset."""
    return apply(lambda x: shift(x, v), xs)


def all_recolored(xs, c):
    """Each object in a colour."""
    return apply(lambda x: recolor(c, x), xs)


def all_mirrored_across(xs):
    """Each object mirrored left and right in its bounding box."""
    return apply(vmirror, xs)


def all_mirrored_down(xs):
    """Each object mirrored up and down in its bounding box."""
    return apply(hmirror, xs)


def all_boxed(xs):  # cost 3
    """The bounding box of each object, in its colour."""
    return apply(lambda x: recolor(color(x), backdrop(x)), xs)


def all_ringed(xs):  # cost 3
    """Each object with a ring around it, in its colour."""
    return apply(lambda x: combine(x, recolor(color(x), outbox(x))), xs)


def own_bars(xs):
    """The whole row of each flat bar and the whole column of each upright one, in its colour."""
    across = lambda x: recolor(color(x), hfrontier(ulcorner(x)))
    upright = lambda x: recolor(color(x), vfrontier(ulcorner(x)))
    return combine(mapply(across, sfilter(xs, hline)), mapply(upright, sfilter(xs, vline)))


def own_middle_lines(xs):
    """The row and the column through the middle of each object, in its colour."""
    return mapply(lambda x: recolor(color(x), combine(hfrontier(center(x)), vfrontier(center(x)))), xs)


def pointed_rays(xs):
    """From each object, the line from its rare colour away from its middle, in that colour."""

    def ray(x):
        tip = sfilter(x, matcher(first, leastcolor(x)))
        way = sign(subtract(center(tip), center(other_part(x))))
        return recolor(leastcolor(x), shoot(center(tip), way))

    def other_part(x):
        return sfilter(x, compose(flip, matcher(first, leastcolor(x))))

    return mapply(ray, sfilter(xs, lambda x: numcolors(x) == 2))


def bent_link(x, y):  # cost 3
    """The path between the middles of two objects: along the row of the first, then along the column of the second."""
    bend = (center(x)[0], center(y)[1])
    return combine(connect(center(x), bend), connect(bend, center(y)))


def openings(xs):
    """The places that are missing in the borders of bounding boxes."""
    return mapply(lambda x: difference(box(x), toindices(x)), xs)


def rays_from_openings(xs):
    """The lines outwards from the places that are missing in the borders of bounding boxes."""

    def rays(x):
        away = lambda place: (place[0] == lowermost(x)) - (place[0] == uppermost(x))
        aside = lambda place: (place[1] == rightmost(x)) - (place[1] == leftmost(x))
        return mapply(lambda place: shoot(place, (away(place), aside(place))), difference(box(x), toindices(x)))

    return mapply(rays, xs)


def second_rings(xs):  # cost 3
    """The rings two places outside the bounding boxes."""
    return mapply(lambda x: outbox(outbox(x)), xs)


def diagonal_image(x):  # cost 3
    """An object mirrored at the falling diagonal of its bounding box."""
    return dmirror(x)
