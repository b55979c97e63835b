"""Operations that combine several grids: superimposed, compared cell by cell, or joined."""

# Read as text and never imported: see arcloom.enumerate.operations.
# mypy: ignore-errors
# ruff: noqa


def over(g, h):  # cost 1
    """The coloured cells of the second grid on the first."""
    return paint(g, sfilter(asobject(h), compose(positive, first)))


def both_coloured(g, h, c):  # cost 1
    """A colour on black, where neither grid is black."""
    a = difference(asindices(g), ofcolor(g, BLACK))
    b = difference(asindices(h), ofcolor(h, BLACK))
    return fill(canvas(BLACK, shape(g)), c, intersection(a, b))


def one_coloured(g, h, c):
    """A colour on black, where exactly one of the grids is black."""
    a = ofcolor(g, BLACK)
    b = ofcolor(h, BLACK)
    return fill(canvas(BLACK, shape(g)), c, combine(difference(a, b), difference(b, a)))


def some_coloured(g, h, c):
    """A colour on black, where at least one grid is not black."""
    free = intersection(ofcolor(g, BLACK), ofcolor(h, BLACK))
    return fill(canvas(c, shape(g)), BLACK, free)


def none_coloured(g, h, c):  # cost 1
    """A colour on black, where both grids are black."""
    free = intersection(ofcolor(g, BLACK), ofcolor(h, BLACK))
    return fill(canvas(BLACK, shape(g)), c, free)


def first_coloured(g, h, c):
    """A colour on black, where only the second grid is black."""
    return fill(canvas(BLACK, shape(g)), c, difference(ofcolor(h, BLACK), ofcolor(g, BLACK)))


def masked(g, h):
    """The first grid, with black where the second is black."""
    return fill(g, BLACK, ofcolor(h, BLACK))


def masked_out(g, h):
    """The first grid, with black where the second is coloured."""
    return fill(g, BLACK, difference(asindices(h), ofcolor(h, BLACK)))


def in_a_row(gs):
    """Grids side by side."""
    return dmirror(merge(apply(dmirror, gs)))


def first_on_top(gs):  # cost 1
    """Superimposed grids with transparent black, the first one on top."""
    colors = compose(rbind(apply, gs), lbind(rbind, index))
    top = chain(first, rbind(combine, repeat(BLACK, ONE)), compose(lbind(remove, BLACK), colors))
    ground = first(gs)
    return paint(ground, apply(fork(astuple, top, identity), asindices(ground)))


def last_on_top(gs):
    """Superimposed grids with transparent black, the last one on top."""
    colors = compose(rbind(apply, gs), lbind(rbind, index))
    top = chain(last, lbind(combine, repeat(BLACK, ONE)), compose(lbind(remove, BLACK), colors))
    ground = first(gs)
    return paint(ground, apply(fork(astuple, top, identity), asindices(ground)))


def by_majority(gs):
    """For each cell, the most common colour of the grids."""
    colors = compose(rbind(apply, gs), lbind(rbind, index))
    ground = first(gs)
    return paint(ground, apply(fork(astuple, compose(mostcommon, colors), identity), asindices(ground)))


def all_of(gs, c):
    """A colour on black, where all grids are coloured."""
    free = mapply(rbind(ofcolor, BLACK), gs)
    return fill(canvas(c, shape(first(gs))), BLACK, free)


def none_of(gs, c):
    """A colour on black, where all grids are black."""
    places = asindices(first(gs))
    busy = mapply(compose(lbind(difference, places), rbind(ofcolor, BLACK)), gs)
    return fill(canvas(c, shape(first(gs))), BLACK, busy)
