"""Operations from grids to grids of the same shape."""

# Read as text and never imported: see arcloom.enumerate.operations.
# mypy: ignore-errors
# ruff: noqa


def fill_enclosed(g, c):  # cost 1
    """The grid with the black areas filled that do not reach the border."""
    areas = colorfilter(objects(g, T, F, F), BLACK)
    return fill(g, c, mfilter(areas, compose(flip, rbind(bordering, g))))


def fill_outside(g, c):
    """The grid with the black areas filled that reach the border."""
    areas = colorfilter(objects(g, T, F, F), BLACK)
    return fill(g, c, mfilter(areas, rbind(bordering, g)))


def fill_gaps(g, c):
    """The grid with the gaps in the bounding boxes of figures filled."""
    return fill(g, c, mapply(delta, objects(g, T, T, T)))


def fill_gaps_of_clusters(g, c):
    """The same for figures of several colours."""
    return underfill(g, c, mapply(delta, objects(g, F, T, T)))


def flood(g, c):
    """A colour flows into all black areas beside it."""
    areas = colorfilter(objects(g, T, F, F), BLACK)
    return fill(g, c, mfilter(areas, rbind(adjacent, ofcolor(g, c))))


def halo(g, c):
    """Free neighbours of coloured cells, diagonal ones too, get a colour."""
    places = difference(asindices(g), ofcolor(g, BLACK))
    return fill(g, c, intersection(mapply(neighbors, places), ofcolor(g, BLACK)))


def frame(g, c):
    """A line along the border."""
    return fill(g, c, box(asindices(g)))


def everything_in(g, c):
    """All cells that are not black get one colour."""
    places = difference(asindices(g), ofcolor(g, BLACK))
    return fill(g, c, places)


def all_but_ground_in(g, c):
    """All cells that are not of the most frequent colour get one colour."""
    places = difference(asindices(g), ofcolor(g, mostcolor(g)))
    return fill(g, c, places)


def only_color(g, c):  # cost 1
    """All but one colour becomes black."""
    return fill(canvas(BLACK, shape(g)), c, ofcolor(g, c))


def without_main_color(g):
    """The most frequent colour but black becomes black."""
    cells = sfilter(asobject(g), compose(positive, first))
    return replace(g, mostcolor(cells), BLACK)


def without_rare_color(g):
    """The least frequent colour but black becomes black."""
    cells = sfilter(asobject(g), compose(positive, first))
    return replace(g, leastcolor(cells), BLACK)


def negative(g):
    """Black and the most common other colour change places."""
    cells = sfilter(asobject(g), compose(positive, first))
    return switch(g, BLACK, mostcolor(cells))


def two_tones(g, c):
    """Black becomes the colour, and all others black."""
    return fill(canvas(BLACK, shape(g)), c, ofcolor(g, BLACK))


def rare_and_main_switched(g):  # cost 3
    """The most and the least frequent colours but black change places."""
    cells = sfilter(asobject(g), compose(positive, first))
    return switch(g, mostcolor(cells), leastcolor(cells))


def without_specks(g):  # cost 1
    """Figures of one cell disappear."""
    return cover(g, merge(sizefilter(objects(g, T, T, T), ONE)))


def without_small(g):  # cost 3
    """Figures of one or two cells disappear."""
    small = compose(lbind(greater, THREE), size)
    return cover(g, mfilter(objects(g, T, F, T), small))


def only_thick(g):
    """Only blocks of at least two by two cells stay."""
    ink = leastcolor(g)
    tile = asindices(canvas(ink, TWO_BY_TWO))
    places = occurrences(g, recolor(ink, tile))
    return fill(canvas(BLACK, shape(g)), ink, mapply(lbind(shift, tile), places))


def only_largest(g):
    """Only the largest figure stays."""
    return paint(canvas(BLACK, shape(g)), argmax(objects(g, T, T, T), size))


def only_largest_cluster(g):  # cost 3
    """Only the largest figure of any colours stays."""
    return paint(canvas(BLACK, shape(g)), argmax(objects(g, F, T, T), size))


def alone(x, g):  # cost 1
    """An object on a black grid of the same shape."""
    return paint(canvas(BLACK, shape(g)), x)


def without_lines(g):
    """Coloured rows and columns of one colour turn black."""
    return fill(g, BLACK, mfilter(frontiers(g), compose(positive, color)))


def falls_down(g):
    """Every cell falls to the bottom of its column."""
    return dmirror(apply(rbind(order, sign), dmirror(g)))


def rises(g):
    """Every cell goes to the top of its column."""
    rise = rbind(order, compose(invert, sign))
    return dmirror(apply(rise, dmirror(g)))


def slides_left(g):
    """Every cell goes to the left of its row."""
    return apply(rbind(order, compose(invert, sign)), g)


def slides_right(g):
    """Every cell goes to the right of its row."""
    return apply(rbind(order, sign), g)


def drop_all(g, xs):  # cost 3
    """Objects fall to the lower border as a whole."""
    floor = decrement(height(g))
    way = chain(toivec, lbind(subtract, floor), lowermost)
    return paint(cover(g, merge(xs)), mapply(fork(shift, identity, way), xs))


def pull_all(g, xs, x):
    """Objects move until they touch another one."""
    pulled = mapply(fork(shift, identity, rbind(gravitate, x)), xs)
    return paint(cover(g, merge(xs)), pulled)


def move_to(g, x, y):
    """An object moves until it touches another one."""
    return move(g, x, gravitate(x, y))


def shift_all(g, v):
    """All coloured cells move by an offset."""
    cells = sfilter(asobject(g), compose(positive, first))
    return paint(canvas(BLACK, shape(g)), shift(cells, v))


def rows_rolled(g):  # cost 3
    """The last row becomes the first."""
    top = repeat(last(g), ONE)
    rest = crop(g, ORIGIN, subtract(shape(g), DOWN))
    return vconcat(top, rest)


def columns_rolled(g):  # cost 3
    """The last column becomes the first."""
    turned = dmirror(g)
    rest = crop(turned, ORIGIN, subtract(shape(turned), DOWN))
    return dmirror(vconcat(repeat(last(turned), ONE), rest))


def flow_down(g):  # cost 3
    """Coloured cells run down until something is in their way."""
    step = fork(underpaint, identity, compose(rbind(shift, DOWN), asobject))
    return power(step, 20)(g)


def flow_up(g):  # cost 3
    """Coloured cells run up until something is in their way."""
    step = fork(underpaint, identity, compose(rbind(shift, UP), asobject))
    return power(step, 20)(g)


def flow_right(g):  # cost 3
    """Coloured cells run to the right until something is in their way."""
    step = fork(underpaint, identity, compose(rbind(shift, RIGHT), asobject))
    return power(step, 20)(g)


def flow_left(g):  # cost 3
    """Coloured cells run to the left until something is in their way."""
    step = fork(underpaint, identity, compose(rbind(shift, LEFT), asobject))
    return power(step, 20)(g)


def flow_of_color(g, c, v):  # cost 3
    """Cells of a colour run in a direction until something is in their way."""
    stream = compose(rbind(shift, v), compose(lbind(recolor, c), rbind(ofcolor, c)))
    return power(fork(underpaint, identity, stream), 20)(g)


def rows_sorted(g):  # cost 3
    """The rows in order of how many coloured cells they have."""
    count = compose(size, lbind(remove, BLACK))
    return order(g, count)


def columns_sorted(g):  # cost 3
    """The columns in order of how many coloured cells they have."""
    count = compose(size, lbind(remove, BLACK))
    return dmirror(order(dmirror(g), count))


def smoothed(g):  # cost 3
    """Each cell takes the most common colour of its surroundings."""
    place = fork(insert, identity, neighbors)
    around = chain(mostcolor, rbind(toobject, g), place)
    return paint(g, apply(fork(astuple, around, identity), asindices(g)))


def mended_by_neighbours(g, c):
    """Each cell of a colour takes the most common colour around it."""
    hole = ofcolor(g, c)
    around = chain(mostcolor, rbind(toobject, g), compose(rbind(difference, hole), neighbors))
    return paint(g, apply(fork(astuple, around, identity), hole))


def striped_across(g):  # cost 3
    """Each row in its most common colour."""
    return dmirror(repeat(apply(mostcommon, g), width(g)))


def striped_upright(g):  # cost 3
    """Each column in its most common colour."""
    return repeat(apply(mostcommon, dmirror(g)), height(g))


def joined_by_lines(g):
    """Lines between cells of one colour in a row or column."""
    lines = fork(lbind(prapply, connect), toindices, toindices)
    straight = compose(rbind(mfilter, fork(either, hline, vline)), lines)
    layers = sfilter(partition(g), compose(positive, color))
    return underpaint(g, mapply(fork(recolor, color, straight), layers))


def fill_own_boxes(g):
    """The bounding box of each figure in its colour."""
    return underpaint(g, mapply(fork(recolor, color, backdrop), objects(g, T, T, T)))


def gaps_in_own_color(g):
    """The gaps of each figure in its colour."""
    return underpaint(g, mapply(fork(recolor, color, delta), objects(g, T, T, T)))


def paint_under(g, x):
    """An object painted where the grid is black."""
    return paint(g, sfilter(x, compose(rbind(contained, ofcolor(g, BLACK)), last)))


def fill_black(g, c, p):  # cost 1
    """Places that are black get a colour."""
    return fill(g, c, intersection(p, ofcolor(g, BLACK)))


def fill_other_than_black(g, c, p):  # cost 3
    """Places that are not black get a colour."""
    return fill(g, c, difference(p, ofcolor(g, BLACK)))


def recolor_all(g, xs, c):  # cost 1
    return fill(g, c, merge(xs))


def erase_all(g, xs):
    """Objects disappear."""
    return fill(g, BLACK, merge(xs))


def rings_in_reverse(g):  # cost 3
    """Nested rings change their colours from the inside out."""
    rings = objects(g, T, F, F)
    outer_first = order(rings, compose(invert, size))
    return paint(g, mpapply(recolor, apply(color, outer_first), order(rings, size)))
