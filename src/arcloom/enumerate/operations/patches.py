"""Patches: sets of positions."""

# Read as text and never imported: see arcloom.enumerate.operations.
# mypy: ignore-errors
# ruff: noqa


def coloured_places(g):  # cost 1
    """The positions that are not black."""
    return difference(asindices(g), ofcolor(g, BLACK))


def black_places(g):  # cost 1
    return ofcolor(g, BLACK)


def ground_places(g):
    """The positions of the most frequent colour."""
    return ofcolor(g, mostcolor(g))


def rare_places(g):
    """The positions of the least frequent colour."""
    return ofcolor(g, leastcolor(g))


def enclosed_places(g):  # cost 1
    """Black positions without a path to the border along rows and columns."""
    areas = colorfilter(objects(g, T, F, F), BLACK)
    return toindices(mfilter(areas, compose(flip, rbind(bordering, g))))


def tightly_enclosed_places(g):  # cost 3
    """Black positions without a path to the border, diagonal steps included."""
    areas = colorfilter(objects(g, T, T, F), BLACK)
    return toindices(mfilter(areas, compose(flip, rbind(bordering, g))))


def outer_places(g):
    """Black positions with a path to the border."""
    areas = colorfilter(objects(g, T, F, F), BLACK)
    return toindices(mfilter(areas, rbind(bordering, g)))


def border_places(g):
    return box(asindices(g))


def diagonal_places(g):  # cost 3
    """Both diagonals from the upper corners."""
    places = asindices(g)
    return combine(shoot(ORIGIN, UNITY), shoot(urcorner(places), DOWN_LEFT))


def middle_places(g):  # cost 3
    """The middle row and the middle column."""
    middle = center(asindices(g))
    return combine(hfrontier(middle), vfrontier(middle))


def line_places(g):
    """The rows and columns of one colour other than black."""
    return toindices(mfilter(frontiers(g), compose(positive, color)))


def empty_lines(g):  # cost 3
    """The rows and columns that are black throughout."""
    return toindices(merge(colorfilter(frontiers(g), BLACK)))


def gaps(xs):  # cost 1
    """The free positions in the bounding boxes of the objects."""
    return mapply(delta, xs)


def outlines(xs):
    """The borders of the bounding boxes."""
    return mapply(box, xs)


def rings_around(xs):  # cost 1
    """The positions just outside the bounding boxes."""
    return mapply(outbox, xs)


def rings_inside(xs):  # cost 3
    """The borders just inside the bounding boxes."""
    return mapply(inbox, xs)


def bounding_boxes(xs):  # cost 1
    return mapply(backdrop, xs)


def insides(xs):  # cost 1
    """The bounding boxes without their borders."""
    return mapply(fork(difference, backdrop, box), xs)


def wide_boxes(xs):
    """The bounding boxes and one place around."""
    return mapply(compose(backdrop, outbox), xs)


def box_corners(xs):
    """The corners of the bounding boxes."""
    rows = fork(astuple, uppermost, lowermost)
    columns = fork(astuple, leftmost, rightmost)
    return mapply(fork(product, rows, columns), xs)


def middles(xs):  # cost 3
    """The centers of the bounding boxes."""
    return apply(center, xs)


def starts(xs):  # cost 3
    """The upper left corners of the bounding boxes."""
    return apply(fork(astuple, uppermost, leftmost), xs)


def holes(x):  # cost 1
    """The positions that an object encloses."""
    picture = fill(canvas(ZERO, add(shape(x), TWO)), ONE, shift(toindices(x), subtract(UNITY, ulcorner(x))))
    empty = colorfilter(objects(picture, T, F, F), ZERO)
    inner = mfilter(empty, compose(flip, rbind(bordering, picture)))
    return shift(toindices(inner), subtract(ulcorner(x), UNITY))


def all_holes(xs):
    """The positions that any of the objects encloses."""
    x = merge(xs)
    picture = fill(canvas(ZERO, add(shape(x), TWO)), ONE, shift(toindices(x), subtract(UNITY, ulcorner(x))))
    empty = colorfilter(objects(picture, T, F, F), ZERO)
    inner = mfilter(empty, compose(flip, rbind(bordering, picture)))
    return shift(toindices(inner), subtract(ulcorner(x), UNITY))


def around(p):  # cost 1
    """All neighbours of positions, without the positions themselves."""
    return difference(mapply(neighbors, p), p)


def beside(p):  # cost 1
    """Neighbours of positions up, down and sideways, without the positions themselves."""
    return difference(mapply(dneighbors, p), p)


def at_corners(p):
    """Diagonal neighbours of positions, without the positions themselves."""
    return difference(mapply(ineighbors, p), p)


def whole_rows(p):
    return mapply(hfrontier, p)


def whole_columns(p):
    return mapply(vfrontier, p)


def whole_crosses(p):
    return mapply(fork(combine, hfrontier, vfrontier), p)


def crossings(p):
    """The intersections of the rows and columns of the positions."""
    return product(apply(first, p), apply(last, p))


def whole_diagonals(p):
    falling = fork(combine, rbind(shoot, UNITY), rbind(shoot, NEG_UNITY))
    rising = fork(combine, rbind(shoot, UP_RIGHT), rbind(shoot, DOWN_LEFT))
    return mapply(fork(combine, falling, rising), p)


def rays(p, v):
    """The lines from positions in a direction."""
    return mapply(rbind(shoot, v), p)


def rays_from_corners(p):  # cost 3
    """The diagonals that leave the bounding box at its corners."""
    upper = combine(shoot(ulcorner(p), NEG_UNITY), shoot(urcorner(p), UP_RIGHT))
    lower = combine(shoot(llcorner(p), DOWN_LEFT), shoot(lrcorner(p), UNITY))
    return combine(upper, lower)


def links(p):
    """The straight lines between positions in a row or column."""
    lines = prapply(connect, p, p)
    return mfilter(lines, fork(either, hline, vline))


def links_across(p):  # cost 3
    """The lines between positions in a row."""
    return mfilter(prapply(connect, p, p), hline)


def links_upright(p):  # cost 3
    """The lines between positions in a column."""
    return mfilter(prapply(connect, p, p), vline)


def all_links(p):  # cost 3
    """The straight and diagonal lines between positions."""
    return merge(prapply(connect, p, p))


def links_between(p, q):  # cost 3
    """The straight lines between positions of two sets."""
    return mfilter(prapply(connect, p, q), fork(either, hline, vline))


def between_neighbours(p):  # cost 3
    """The positions halfway between two positions that are two apart."""
    across = intersection(shift(p, LEFT), shift(p, RIGHT))
    upright = intersection(shift(p, UP), shift(p, DOWN))
    return combine(across, upright)


def in_even_columns(p):  # cost 3
    return sfilter(p, compose(even, last))


def in_odd_columns(p):  # cost 3
    return sfilter(p, chain(flip, even, last))


def in_even_rows(p):  # cost 3
    return sfilter(p, compose(even, first))


def in_odd_rows(p):  # cost 3
    return sfilter(p, chain(flip, even, first))


def like_a_chessboard(p):  # cost 3
    """Places on the colour of the first one."""
    parity = chain(even, fork(add, first, last), rbind(subtract, ulcorner(p)))
    return sfilter(p, parity)


def lonely_places(p):
    """Places without a neighbour in any direction."""
    company = compose(lbind(intersection, p), neighbors)
    return sfilter(p, matcher(compose(size, company), ZERO))


def inner_places(p):  # cost 3
    """Places with all eight neighbours."""
    missing_around = compose(rbind(difference, p), neighbors)
    return sfilter(p, matcher(compose(size, missing_around), ZERO))


def edge_places(p):  # cost 3
    """Places with a free neighbour in some direction."""
    missing_around = compose(rbind(difference, p), neighbors)
    return sfilter(p, chain(positive, size, missing_around))


def either_but_not_both(p, q):
    return combine(difference(p, q), difference(q, p))


def found_again(g, x):  # cost 3
    """The positions of all occurrences of an object in the grid."""
    form = toindices(normalize(x))
    return mapply(lbind(shift, form), occurrences(g, x))


def between_two(x, y):
    """The space between two objects that face each other, as wide as the rows or columns that they share."""
    lines = prapply(connect, toindices(x), toindices(y))
    straight = mfilter(lines, fork(either, hline, vline))
    return difference(difference(straight, toindices(x)), toindices(y))
