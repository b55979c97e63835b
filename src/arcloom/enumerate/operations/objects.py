"""Operations from grids to sets of objects, and from sets of objects to subsets."""

# Read as text and never imported: see arcloom.enumerate.operations.
# mypy: ignore-errors
# ruff: noqa


def figures(g):  # cost 1
    return objects(g, T, F, T)


def figures_over_corners(g):  # cost 1
    return objects(g, T, T, T)


def clusters(g):  # cost 1
    return objects(g, F, F, T)


def clusters_over_corners(g):  # cost 1
    return objects(g, F, T, T)


def areas(g):  # cost 1
    return objects(g, T, F, F)


def areas_over_corners(g):
    return objects(g, T, T, F)


def figures_on_black(g):
    """Figures of one colour. Black is the background even if it is not the most frequent colour."""
    wider = hconcat(g, canvas(BLACK, shape(g)))
    return objects(wider, T, F, T)


def clusters_on_black(g):
    """Figures of any colours. Black is the background even if it is not the most frequent colour."""
    wider = hconcat(g, canvas(BLACK, shape(g)))
    return objects(wider, F, T, T)


def black_areas(g):
    return colorfilter(objects(g, T, F, F), BLACK)


def areas_of_color(g, c):
    return colorfilter(objects(g, T, F, F), c)


def enclosed(g):  # cost 1
    """Black areas that do not reach the border."""
    areas = colorfilter(objects(g, T, F, F), BLACK)
    outside = rbind(bordering, g)
    return sfilter(areas, compose(flip, outside))


def colour_layers(g):
    """One object for each colour but black."""
    return sfilter(partition(g), compose(positive, color))


def single_cells(g):
    return sizefilter(objects(g, T, F, T), ONE)


def cells_apart(g):  # cost 3
    """Every coloured cell as an object of its own."""
    cells = sfilter(asobject(g), compose(positive, first))
    return apply(initset, cells)


def lines_across(g):  # cost 3
    """Coloured rows of one colour."""
    lines = sfilter(frontiers(g), compose(positive, color))
    return sfilter(lines, hline)


def lines_upright(g):  # cost 3
    """Coloured columns of one colour."""
    lines = sfilter(frontiers(g), compose(positive, color))
    return sfilter(lines, vline)


def rooms(g):  # cost 1
    """The fields between coloured lines across the whole grid, with their cells."""
    walls = mfilter(frontiers(g), compose(positive, color))
    plan = fill(canvas(BLACK, shape(g)), ONE, walls)
    fields = colorfilter(objects(plan, T, F, F), BLACK)
    return apply(rbind(toobject, g), fields)


def frames(g):  # cost 3
    """Rings of one colour around a rectangle, one cell thick."""
    areas = objects(g, T, F, F)
    hollow = compose(positive, compose(size, delta))
    is_ring = fork(equality, toindices, box)
    return sfilter(areas, fork(both, hollow, is_ring))


def biggest_ones(xs):
    return sizefilter(xs, valmax(xs, size))


def smallest_ones(xs):
    return sizefilter(xs, valmin(xs, size))


def larger_than(xs, n):  # cost 3
    return sfilter(xs, compose(rbind(greater, n), size))


def at_border(xs, g):
    return sfilter(xs, rbind(bordering, g))


def off_border(xs, g):  # cost 1
    return sfilter(xs, compose(flip, rbind(bordering, g)))


def full_rectangles(xs):
    return sfilter(xs, fork(equality, toindices, backdrop))


def not_rectangles(xs):
    is_full = fork(equality, toindices, backdrop)
    return sfilter(xs, compose(flip, is_full))


def full_squares(xs):
    return sfilter(xs, square)


def flat_bars(xs):
    return sfilter(xs, hline)


def upright_bars(xs):
    return sfilter(xs, vline)


def with_holes(xs):
    """Those that enclose something."""
    picture = fork(paint, compose(lbind(canvas, ZERO), shape), compose(normalize, lbind(recolor, ONE)))
    empty = compose(rbind(colorfilter, ZERO), compose(rbind(rbind(rbind(objects, F), F), T), picture))
    outside = compose(lbind(rbind, bordering), picture)
    inner = fork(difference, empty, fork(sfilter, empty, outside))
    return sfilter(xs, compose(positive, compose(size, inner)))


def symmetric_ones(xs):
    """Those with left-right symmetry."""
    return sfilter(xs, fork(equality, identity, vmirror))


def asymmetric_ones(xs):
    """Those without left-right symmetry."""
    return sfilter(xs, compose(flip, fork(equality, identity, vmirror)))


def many_coloured(xs):
    return sfilter(xs, compose(rbind(greater, ONE), numcolors))


def with_color(xs, c):
    return sfilter(xs, compose(lbind(contained, c), palette))


def without_color(xs, c):  # cost 3
    return sfilter(xs, chain(flip, lbind(contained, c), palette))


def alike(xs, x):
    """Those of the same form as an object."""
    form = compose(normalize, toindices)
    return sfilter(xs, matcher(form, form(x)))


def of_same_color(xs, x):
    return colorfilter(xs, color(x))


def of_commonest_form(xs):
    form = compose(normalize, toindices)
    common = mostcommon(apply(form, totuple(xs)))
    return sfilter(xs, matcher(form, common))


def of_commonest_color(xs):
    common = mostcommon(apply(color, totuple(xs)))
    return colorfilter(xs, common)


def of_rarest_color(xs):
    rare = leastcommon(apply(color, totuple(xs)))
    return colorfilter(xs, rare)


def touching(xs, p):  # cost 3
    return sfilter(xs, rbind(adjacent, p))


def not_touching(xs, p):  # cost 3
    return sfilter(xs, compose(flip, rbind(adjacent, p)))


def meeting(xs, p):  # cost 3
    """Those that share a position with the indices."""
    common = compose(lbind(intersection, p), toindices)
    return sfilter(xs, chain(positive, size, common))


def within(xs, x):  # cost 3
    """Those inside the bounding box of an object, and not the object itself."""
    outside = compose(rbind(difference, backdrop(x)), toindices)
    inside = sfilter(xs, matcher(compose(size, outside), ZERO))
    return remove(x, inside)
