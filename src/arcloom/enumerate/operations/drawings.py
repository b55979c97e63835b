"""Objects made from grids and objects, in their own colours."""

# Read as text and never imported: see arcloom.enumerate.operations.
# mypy: ignore-errors
# ruff: noqa


def foreground(g):  # cost 1
    """All cells that are not black."""
    return sfilter(asobject(g), compose(positive, first))


def uncommon_cells(g):
    """All cells that are not of the most frequent colour."""
    return sfilter(asobject(g), compose(flip, matcher(first, mostcolor(g))))


def cells_of(g, c):
    """All cells of a colour, as an object."""
    return recolor(c, ofcolor(g, c))


def cells_at(g, p):
    """The coloured cells of a grid at given positions."""
    return sfilter(toobject(p, g), compose(positive, first))


def part_of_color(x, c):
    return sfilter(x, matcher(first, c))


def part_without_color(x, c):
    return sfilter(x, compose(flip, matcher(first, c)))


def in_main_color(x):
    return recolor(mostcolor(x), x)


def in_rare_color(x):
    return recolor(leastcolor(x), x)


def filled_in(xs):
    """The gaps of each object in its own colour."""
    return mapply(fork(recolor, color, delta), xs)


def boxed(xs):
    """The bounding box of each object in its own colour."""
    return mapply(fork(recolor, color, backdrop), xs)


def ringed(xs):
    """A ring around each object in its own colour."""
    return mapply(fork(recolor, color, outbox), xs)


def boxed_in_rare_color(xs):  # cost 3
    """The bounding box of each object in its least frequent colour."""
    return mapply(fork(recolor, leastcolor, backdrop), xs)


def all_in_rare_color(xs):
    """Each object in its least frequent colour."""
    return mapply(fork(recolor, leastcolor, identity), xs)


def all_in_main_color(xs):
    """Each object in its most frequent colour."""
    return mapply(fork(recolor, mostcolor, identity), xs)


def numbered(xs):  # cost 3
    """Colours 1, 2 ... in reading order."""
    return mpapply(recolor, interval(ONE, TEN, ONE), order(xs, ulcorner))


def in_colors_of_marks(xs, x):  # cost 3
    """Each object in the colour of the cells of another object that lie in its columns."""
    same_column = compose(lbind(lbind, vmatching), identity)
    marks = compose(lbind(sfilter, apply(initset, x)), same_column)
    return mapply(fork(recolor, chain(leastcolor, merge, marks), identity), xs)


def trails(x, v):
    """The line from each cell in a direction, in its colour."""
    return mapply(fork(recolor, first, compose(rbind(shoot, v), last)), x)


def own_rows(x):  # cost 1
    """The whole row of each cell in its colour."""
    return mapply(fork(recolor, first, compose(hfrontier, last)), x)


def own_columns(x):  # cost 1
    """The whole column of each cell in its colour."""
    return mapply(fork(recolor, first, compose(vfrontier, last)), x)


def own_crosses(x):
    """Row and column of each cell in its colour."""
    lines = compose(fork(combine, hfrontier, vfrontier), last)
    return mapply(fork(recolor, first, lines), x)


def own_diagonals(x):
    """All four diagonals from each cell in its colour."""
    falling = fork(combine, rbind(shoot, UNITY), rbind(shoot, NEG_UNITY))
    rising = fork(combine, rbind(shoot, UP_RIGHT), rbind(shoot, DOWN_LEFT))
    lines = compose(fork(combine, falling, rising), last)
    return mapply(fork(recolor, first, lines), x)


def own_surroundings(x):
    """The eight neighbours of each cell in its colour."""
    return mapply(fork(recolor, first, compose(neighbors, last)), x)


def own_sides(x):
    """The four neighbours of each cell in its colour."""
    return mapply(fork(recolor, first, compose(dneighbors, last)), x)


def own_corners(x):  # cost 3
    """The diagonal neighbours of each cell in its colour."""
    return mapply(fork(recolor, first, compose(ineighbors, last)), x)


def own_links(xs):
    """The straight lines between the cells of each object, in its colour."""
    lines = fork(lbind(prapply, connect), toindices, toindices)
    straight = compose(rbind(mfilter, fork(either, hline, vline)), lines)
    return mapply(fork(recolor, color, straight), xs)


def own_diagonal_links(xs):  # cost 3
    """All lines between the cells of each object, also diagonal, in its colour."""
    lines = fork(lbind(prapply, connect), toindices, toindices)
    return mapply(fork(recolor, color, compose(merge, lines)), xs)


def mirrored_across(x):
    """An object with its mirror image left and right."""
    return combine(x, vmirror(x))


def mirrored_down(x):
    """An object with its mirror image up and down."""
    return combine(x, hmirror(x))


def mirrored_all_ways(x):  # cost 3
    """An object with its mirror images about both axes and its diagonals."""
    wide = combine(x, vmirror(x))
    high = combine(wide, hmirror(wide))
    return combine(high, dmirror(high))


def stamped(x, p):
    """Copies of an object with their upper left corners at given positions."""
    return mapply(lbind(shift, normalize(x)), p)


def stamped_around(x, p):
    """Copies of an object with their centres at given positions."""
    model = normalize(x)
    return mapply(lbind(shift, shift(model, invert(center(model)))), p)


def stamped_over(x, xs):
    """Copies of an object at the upper left corners of others."""
    return mapply(lbind(shift, normalize(x)), apply(ulcorner, xs))


def repeated(x, v):
    """Copies of an object at all multiples of an offset, in both directions."""
    offsets = apply(lbind(multiply, v), interval(-30, 31, ONE))
    return mapply(lbind(shift, x), offsets)


def repeated_onwards(x, v):  # cost 3
    """Copies of an object at all multiples of an offset, in one direction."""
    offsets = apply(lbind(multiply, v), interval(ZERO, 31, ONE))
    return mapply(lbind(shift, x), offsets)


def pulled(xs, x):
    """Objects moved until they touch another one."""
    return mapply(fork(shift, identity, rbind(gravitate, x)), xs)


def put_at_corner(x, y):
    """An object moved to the upper left corner of another."""
    return shift(normalize(x), ulcorner(y))


def put_in_middle(x, y):
    """An object moved to the middle of another."""
    return shift(x, subtract(center(y), center(x)))
