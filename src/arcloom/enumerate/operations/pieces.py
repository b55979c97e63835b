"""Operations that divide a grid into several, and that choose one of several grids."""

# Read as text and never imported: see arcloom.enumerate.operations.
# mypy: ignore-errors
# ruff: noqa


def halves(g):  # cost 1
    """Both halves along the longer side."""
    cut = branch(portrait(g), vsplit, hsplit)
    return cut(g, TWO)


def thirds(g):
    """Three parts along the longer side."""
    cut = branch(portrait(g), vsplit, hsplit)
    return cut(g, THREE)


def fourths(g):  # cost 3
    """Four parts along the longer side."""
    cut = branch(portrait(g), vsplit, hsplit)
    return cut(g, FOUR)


def squares_in_line(g):
    """Square parts along the longer side."""
    cut = branch(portrait(g), vsplit, hsplit)
    sides = shape(g)
    return cut(g, divide(maximum(sides), minimum(sides)))


def quarters(g):  # cost 1
    """The four quarters, without a middle row or column."""
    return combine(hsplit(tophalf(g), TWO), hsplit(bottomhalf(g), TWO))


def ninths(g):
    """Three by three parts."""
    return mapply(rbind(hsplit, THREE), vsplit(g, THREE))


def fields(g):  # cost 1
    """The fields between coloured lines across the whole grid, in reading order."""
    walls = mfilter(frontiers(g), compose(positive, color))
    plan = fill(canvas(BLACK, shape(g)), ONE, walls)
    rooms = order(colorfilter(objects(plan, T, F, F), BLACK), ulcorner)
    return apply(rbind(subgrid, g), rooms)


def fields_between(g, c):
    """The fields between lines of a colour across the whole grid, in reading order."""
    plan = fill(canvas(BLACK, shape(g)), ONE, merge(colorfilter(frontiers(g), c)))
    rooms = order(colorfilter(objects(plan, T, F, F), BLACK), ulcorner)
    return apply(rbind(subgrid, g), rooms)


def cut_out(xs, g):  # cost 1
    """The bounding boxes of objects, in reading order."""
    return apply(rbind(subgrid, g), order(xs, ulcorner))


def cut_out_by_size(xs, g):  # cost 3
    """The bounding boxes of objects, the smallest first."""
    return apply(rbind(subgrid, g), order(xs, size))


def cut_out_from_left(xs, g):  # cost 3
    """The bounding boxes of objects, from left to right."""
    return apply(rbind(subgrid, g), order(xs, leftmost))


def pictures(xs):
    """Objects on black, in reading order."""
    show = fork(paint, compose(lbind(canvas, BLACK), shape), normalize)
    return apply(show, order(xs, ulcorner))


def layer_pictures(g):  # cost 3
    """For each colour but black the grid with only that colour."""
    layers = sfilter(partition(g), compose(positive, color))
    return apply(lbind(paint, canvas(BLACK, shape(g))), order(layers, compose(invert, size)))


def trimmed_all(gs):  # cost 3
    return apply(trim, gs)


def most_colourful(gs):  # cost 1
    return argmax(gs, numcolors)


def least_colourful(gs):
    return argmin(gs, numcolors)


def fullest(gs):
    """The one with fewest black cells."""
    return argmin(gs, rbind(colorcount, BLACK))


def emptiest(gs):
    """The one with most black cells."""
    return argmax(gs, rbind(colorcount, BLACK))


def richest_in(gs, c):
    """The one with most cells of a colour."""
    return argmax(gs, rbind(colorcount, c))


def poorest_in(gs, c):
    """The one with fewest cells of a colour."""
    return argmin(gs, rbind(colorcount, c))


def most_symmetric_piece(gs):
    """The one with symmetry about most of the two axes and the diagonal."""
    across = fork(equality, identity, vmirror)
    upright = fork(equality, identity, hmirror)
    diagonal = fork(equality, identity, dmirror)
    return argmax(gs, fork(add, fork(add, across, upright), diagonal))


def least_symmetric_piece(gs):
    """The one with symmetry about fewest of the two axes and the diagonal."""
    across = fork(equality, identity, vmirror)
    upright = fork(equality, identity, hmirror)
    diagonal = fork(equality, identity, dmirror)
    return argmin(gs, fork(add, fork(add, across, upright), diagonal))


def odd_palette(gs):
    """The one with the rarest set of colours."""
    rare = leastcommon(apply(palette, gs))
    return extract(gs, matcher(palette, rare))


def odd_pattern(gs):
    """The one with the least common arrangement of black cells."""
    pattern = rbind(ofcolor, BLACK)
    rare = leastcommon(apply(pattern, gs))
    return extract(gs, matcher(pattern, rare))


def common_pattern(gs):
    """One with the most common arrangement of black cells."""
    pattern = rbind(ofcolor, BLACK)
    common = mostcommon(apply(pattern, gs))
    return extract(gs, matcher(pattern, common))


def odd_count(gs):
    """The one whose number of black cells is the rarest."""
    count = rbind(colorcount, BLACK)
    rare = leastcommon(apply(count, gs))
    return extract(gs, matcher(count, rare))


def most_figures(gs):  # cost 3
    """The one with most figures."""
    return argmax(gs, compose(size, rbind(rbind(rbind(objects, T), T), T)))


def fewest_figures(gs):  # cost 3
    """The one with fewest figures."""
    return argmin(gs, compose(size, rbind(rbind(rbind(objects, T), T), T)))


def largest_piece(gs):  # cost 3
    return argmax(gs, compose(size, asindices))


def smallest_piece(gs):  # cost 3
    return argmin(gs, compose(size, asindices))


def piece_with(gs, c):
    """The first with a colour."""
    return extract(gs, compose(lbind(contained, c), palette))


def piece_without(gs, c):
    """The first without a colour."""
    return extract(gs, chain(flip, lbind(contained, c), palette))
