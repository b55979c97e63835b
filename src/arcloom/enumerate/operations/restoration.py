"""Operations that continue and repair patterns."""

# Read as text and never imported: see arcloom.enumerate.operations.
# mypy: ignore-errors
# ruff: noqa


def mend_across(g, c):
    """Cells of a colour are replaced by the left-right mirror image."""
    return paint(g, toobject(ofcolor(g, c), vmirror(g)))


def mend_down(g, c):
    """Cells of a colour are replaced by the up-down mirror image."""
    return paint(g, toobject(ofcolor(g, c), hmirror(g)))


def mend_diagonally(g, c):
    """Cells of a colour are replaced by the image at the diagonal."""
    return paint(g, toobject(ofcolor(g, c), dmirror(g)))


def mend_by_mirrors(g, c):  # cost 1
    """Cells of a colour are replaced from the mirror images in which they have another colour."""
    x1 = paint(g, toobject(ofcolor(g, c), vmirror(g)))
    x2 = paint(x1, toobject(ofcolor(x1, c), hmirror(x1)))
    return paint(x2, toobject(ofcolor(x2, c), dmirror(x2)))


def mend_off_center(g, c):
    """Cells of a colour are replaced by the mirror images about axes that need not be in the middle."""
    is_paper = compose(flip, matcher(first, c))
    paper = sfilter(asobject(g), is_paper)
    agrees = fork(equality, size, compose(size, toindices))
    steps = interval(ZERO, FIVE, ONE)
    across = compose(lbind(shift, vmirror(paper)), tojvec)
    right = extract(steps, chain(agrees, lbind(combine, paper), across))
    x1 = paint(g, toobject(ofcolor(g, c), paint(g, across(right))))
    wide = sfilter(asobject(x1), is_paper)
    upright = compose(lbind(shift, hmirror(wide)), toivec)
    down = extract(steps, chain(agrees, lbind(combine, wide), upright))
    return paint(x1, toobject(ofcolor(x1, c), paint(x1, upright(down))))


def mend_paper(g, c):  # cost 1
    """Cells of a colour are replaced by the pattern that repeats across and down."""
    is_paper = compose(flip, matcher(first, c))
    paper = sfilter(asobject(g), is_paper)
    right = compose(lbind(shift, paper), tojvec)
    down = compose(lbind(shift, paper), toivec)
    agrees = fork(equality, size, compose(size, toindices))
    steps = interval(ONE, 30, ONE)
    across = extract(steps, chain(agrees, lbind(combine, paper), right))
    along = extract(steps, chain(agrees, lbind(combine, paper), down))
    columns = interval(multiply(NEG_FIVE, across), width(g), across)
    x1 = paint(g, mapply(right, columns))
    whole_rows = sfilter(asobject(x1), is_paper)
    rows = apply(toivec, interval(multiply(NEG_FIVE, along), height(g), along))
    return paint(x1, mapply(lbind(shift, whole_rows), rows))


def mend_rows(g, c):
    """Cells of a colour are replaced by the pattern that repeats across."""
    paper = sfilter(asobject(g), compose(flip, matcher(first, c)))
    right = compose(lbind(shift, paper), tojvec)
    agrees = fork(equality, size, compose(size, toindices))
    across = extract(interval(ONE, 30, ONE), chain(agrees, lbind(combine, paper), right))
    columns = interval(multiply(NEG_TEN, across), width(g), across)
    return paint(g, mapply(right, columns))


def mend_columns(g, c):
    """Cells of a colour are replaced by the pattern that repeats down."""
    paper = sfilter(asobject(g), compose(flip, matcher(first, c)))
    down = compose(lbind(shift, paper), toivec)
    agrees = fork(equality, size, compose(size, toindices))
    along = extract(interval(ONE, 30, ONE), chain(agrees, lbind(combine, paper), down))
    rows = interval(multiply(NEG_TEN, along), height(g), along)
    return paint(g, mapply(down, rows))


def mend_slanted(g, c):  # cost 3
    """Cells of a colour are replaced by the pattern that repeats from row to row, shifted to one side."""
    paper = sfilter(asobject(g), compose(flip, matcher(first, c)))
    agrees = fork(equality, size, compose(size, toindices))
    step = compose(lbind(shift, paper), lbind(astuple, ONE))
    slant = extract(interval(NEG_FIVE, SIX, ONE), chain(agrees, lbind(combine, paper), step))
    offsets = apply(lbind(multiply, astuple(ONE, slant)), interval(-30, 31, ONE))
    return paint(g, mapply(lbind(shift, paper), offsets))


def symmetric_across(g):
    """The coloured cells and their left-right mirror image."""
    return paint(g, sfilter(asobject(vmirror(g)), compose(positive, first)))


def symmetric_down(g):
    """The coloured cells and their up-down mirror image."""
    return paint(g, sfilter(asobject(hmirror(g)), compose(positive, first)))


def symmetric_diagonally(g):
    """The coloured cells and their image at the diagonal."""
    return paint(g, sfilter(asobject(dmirror(g)), compose(positive, first)))


def fully_symmetric(g):
    """The coloured cells and all four images of them."""
    cells = compose(rbind(sfilter, compose(positive, first)), asobject)
    x1 = paint(g, cells(vmirror(g)))
    x2 = paint(x1, cells(hmirror(x1)))
    return paint(x2, cells(dmirror(x2)))


def go_on_right(g):
    """The coloured part repeated to the right."""
    pattern = sfilter(asobject(g), compose(positive, first))
    offsets = apply(tojvec, interval(ZERO, width(g), hperiod(pattern)))
    return paint(g, mapply(lbind(shift, pattern), offsets))


def go_on_down(g):
    """The coloured part repeated downwards."""
    pattern = sfilter(asobject(g), compose(positive, first))
    offsets = apply(toivec, interval(ZERO, height(g), vperiod(pattern)))
    return paint(g, mapply(lbind(shift, pattern), offsets))


def papered(g, x):  # cost 3
    """The whole grid tiled with an object."""
    before = chain(invert, increment, lbind(divide, 30))
    start = fork(multiply, identity, before)
    rows = apply(toivec, interval(start(height(x)), 31, height(x)))
    columns = apply(tojvec, interval(start(width(x)), 31, width(x)))
    band = mapply(lbind(shift, x), columns)
    return paint(g, mapply(lbind(shift, band), rows))


def longer_by_half(g):  # cost 3
    """The pattern continued to one and a half times as many rows."""
    tile = crop(g, ORIGIN, astuple(vperiod(asobject(g)), width(g)))
    tower = merge(repeat(tile, height(g)))
    return crop(tower, ORIGIN, astuple(add(height(g), halve(height(g))), width(g)))


def twice_as_wide(g):  # cost 3
    """The pattern continued to twice as many columns."""
    pattern = sfilter(asobject(g), compose(positive, first))
    tile = crop(g, ORIGIN, astuple(height(g), hperiod(pattern)))
    ribbon = dmirror(merge(repeat(dmirror(tile), width(g))))
    return crop(ribbon, ORIGIN, astuple(height(g), double(width(g))))


def mended_diagonals(g):  # cost 3
    """Each coloured cell draws its rising diagonal where the grid is black."""
    paper = sfilter(asobject(g), compose(positive, first))
    line = fork(combine, compose(rbind(shoot, UP_RIGHT), last), compose(rbind(shoot, DOWN_LEFT), last))
    drawn = mapply(fork(recolor, first, line), paper)
    return paint(g, sfilter(drawn, compose(rbind(contained, ofcolor(g, BLACK)), last)))


def hidden_by(g, c):
    """The part that a colour hides, from its mirror images."""
    x1 = paint(g, toobject(ofcolor(g, c), vmirror(g)))
    x2 = paint(x1, toobject(ofcolor(x1, c), hmirror(x1)))
    x3 = paint(x2, toobject(ofcolor(x2, c), dmirror(x2)))
    return subgrid(ofcolor(g, c), x3)
