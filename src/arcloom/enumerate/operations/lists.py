"""Lists of grids: transformed, ordered, filtered and joined."""

# Read as text and never imported: see arcloom.enumerate.operations.
# mypy: ignore-errors
# ruff: noqa


def stacked(gs):  # cost 1
    """The grids below each other."""
    return merge(gs)


def four_joined(gs):
    """The first four grids as quarters of a larger one."""
    top = hconcat(gs[0], gs[1])
    return vconcat(top, hconcat(gs[2], gs[3]))


def in_a_row_on_black(gs):  # cost 3
    """Grids of any height side by side, aligned at the top, on black."""
    tallest = valmax(gs, height)
    padded = lambda g: paint(canvas(BLACK, (tallest, width(g))), asobject(g))
    return dmirror(merge(apply(lambda g: dmirror(padded(g)), gs)))


def stacked_on_black(gs):  # cost 3
    """Grids of any width below each other, aligned at the left, on black."""
    widest = valmax(gs, width)
    return merge(apply(lambda g: paint(canvas(BLACK, (height(g), widest)), asobject(g)), gs))


def in_a_row_between_lines(gs, c):  # cost 3
    """Grids side by side with a column of a colour between them."""
    joined = merge(apply(lambda g: vconcat(dmirror(g), canvas(c, (1, height(g)))), gs))
    return dmirror(crop(joined, ORIGIN, subtract(shape(joined), DOWN)))


def stacked_between_lines(gs, c):  # cost 3
    """Grids below each other with a row of a colour between them."""
    joined = merge(apply(lambda g: vconcat(g, canvas(c, (1, width(g)))), gs))
    return crop(joined, ORIGIN, subtract(shape(joined), DOWN))


def reversed_grids(gs):
    """The grids in reverse order."""
    numbered = pair(interval(ZERO, size(gs), ONE), gs)
    return apply(last, order(numbered, compose(invert, first)))


def fullest_first(gs):
    """The grids, those with the fewest black cells first."""
    return order(gs, rbind(colorcount, BLACK))


def emptiest_first(gs):
    """The grids, those with the most black cells first."""
    return order(gs, compose(invert, rbind(colorcount, BLACK)))


def distinct_grids(gs):
    """The grids without repetitions."""
    return dedupe(gs)


def grids_with_ink(gs):
    """The grids that are not black throughout."""
    return sfilter(gs, lambda g: greater(size(g) * width(g), colorcount(g, BLACK)))


def symmetric_grids(gs):  # cost 3
    """The grids with left-right symmetry."""
    return sfilter(gs, lambda g: g == vmirror(g))


def asymmetric_grids(gs):  # cost 3
    """The grids without left-right symmetry."""
    return sfilter(gs, lambda g: g != vmirror(g))


def each_mirrored_across(gs):
    """Each grid mirrored left and right."""
    return apply(vmirror, gs)


def each_mirrored_down(gs):
    """Each grid mirrored up and down."""
    return apply(hmirror, gs)


def each_turned(gs):  # cost 3
    """Each grid turned to the right."""
    return apply(rot90, gs)


def each_in_main_color(gs):  # cost 3
    """Each grid in one colour: its most frequent one."""
    return apply(lambda g: canvas(mostcolor(g), shape(g)), gs)


def each_replaced(gs, c, d):  # cost 3
    """Each grid with one colour replaced by another."""
    return apply(lambda g: replace(g, c, d), gs)


def numbered_grid(gs, n):
    """The grid with a number, from 0."""
    return get_nth(gs, n)


def commonest_grid(gs):
    """The grid that occurs most often."""
    return mostcommon(gs)


def rarest_grid(gs):
    """The grid that occurs least often."""
    return leastcommon(gs)


def some_of(gs, c):
    """The places where any grid is coloured, in a colour on black."""
    ground = first(gs)
    coloured = mapply(lambda g: difference(asindices(g), ofcolor(g, BLACK)), gs)
    return fill(canvas(BLACK, shape(ground)), c, coloured)


def main_colors_across(gs):  # cost 3
    """The most frequent colour of each grid, in a row."""
    return repeat(apply(mostcolor, gs), ONE)


def main_colors_down(gs):  # cost 3
    """The most frequent colour of each grid, in a column."""
    return dmirror(repeat(apply(mostcolor, gs), ONE))


def pictures_by_size(xs):
    """Objects on black, the smallest first."""
    show = fork(paint, compose(lbind(canvas, BLACK), shape), normalize)
    return apply(show, order(xs, size))


def pictures_from_left(xs):
    """Objects on black, from left to right."""
    show = fork(paint, compose(lbind(canvas, BLACK), shape), normalize)
    return apply(show, order(xs, leftmost))


def pictures_from_top(xs):  # cost 3
    """Objects on black, from top to bottom."""
    show = fork(paint, compose(lbind(canvas, BLACK), shape), normalize)
    return apply(show, order(xs, uppermost))
