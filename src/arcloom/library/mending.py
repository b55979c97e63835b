"""Programs that remove noise and repair damage."""

# Read as text and never imported: see arcloom.library.bundled.
# mypy: ignore-errors
# ruff: noqa


def solve_42a50994(I):
    """Lonely cells disappear."""
    figures = objects(I, T, T, T)
    lonely = sizefilter(figures, ONE)
    O = cover(I, merge(lonely))
    return O


def solve_b8825c91(I):
    """The yellow patches are repaired with their mirror images."""
    patch = ofcolor(I, YELLOW)
    x1 = paint(I, toobject(patch, vmirror(I)))
    rest = ofcolor(x1, YELLOW)
    O = paint(x1, toobject(rest, hmirror(x1)))
    return O


def solve_7f4411dc(I):
    """Only areas of at least two by two cells stay."""
    ink = leastcolor(I)
    tile = asindices(canvas(ink, TWO_BY_TWO))
    places = occurrences(I, recolor(ink, tile))
    blank = canvas(BLACK, shape(I))
    O = fill(blank, ink, mapply(lbind(shift, tile), places))
    return O


def solve_c3f564a4(I):
    """The diagonals are repaired."""
    paper = sfilter(asobject(I), compose(positive, first))
    up = compose(rbind(shoot, UP_RIGHT), last)
    down = compose(rbind(shoot, DOWN_LEFT), last)
    line = fork(combine, up, down)
    O = paint(I, mapply(fork(recolor, first, line), paper))
    return O


def solve_91714a58(I):
    """Only areas of at least two by two cells in the largest figure's colour stay."""
    ink = color(argmax(objects(I, T, F, T), size))
    tile = asindices(canvas(ink, TWO_BY_TWO))
    places = occurrences(I, recolor(ink, tile))
    blank = canvas(BLACK, shape(I))
    O = fill(blank, ink, mapply(lbind(shift, tile), places))
    return O


def solve_7e0986d6(I):
    """The noise takes the colour of the block that it lies in, or disappears."""
    noise = leastcolor(I)
    spots = ofcolor(I, noise)
    ink = other(remove(noise, palette(I)), BLACK)
    around = compose(rbind(toobject, I), dneighbors)
    contact = compose(rbind(colorcount, ink), around)
    inside = sfilter(spots, compose(rbind(greater, ONE), contact))
    x1 = fill(I, BLACK, spots)
    O = fill(x1, ink, inside)
    return O


def solve_e26a3af2(I):
    """The stripes without noise."""
    row_colors = apply(mostcommon, I)
    column_colors = apply(mostcommon, dmirror(I))
    flat = greater(size(dedupe(row_colors)), size(dedupe(column_colors)))
    rows = dmirror(repeat(row_colors, width(I)))
    columns = repeat(column_colors, height(I))
    O = branch(flat, rows, columns)
    return O


def solve_0dfd9992(I):
    """The pattern, which repeats in both directions, is repaired."""
    is_paper = compose(positive, first)
    paper = sfilter(asobject(I), is_paper)
    right = compose(lbind(shift, paper), tojvec)
    down = compose(lbind(shift, paper), toivec)
    agrees = fork(equality, size, compose(size, toindices))
    fits_across = chain(agrees, lbind(combine, paper), right)
    fits_down = chain(agrees, lbind(combine, paper), down)
    across = extract(interval(ONE, HUNDRED, ONE), fits_across)
    along = extract(interval(ONE, HUNDRED, ONE), fits_down)
    columns = interval(multiply(NEG_FIVE, across), width(I), across)
    x1 = paint(I, mapply(right, columns))
    whole_rows = sfilter(asobject(x1), is_paper)
    rows = apply(toivec, interval(multiply(NEG_FIVE, along), height(I), along))
    O = paint(x1, mapply(lbind(shift, whole_rows), rows))
    return O


def solve_29ec7d0e(I):
    """The pattern, which repeats in both directions, is repaired."""
    is_paper = compose(positive, first)
    paper = sfilter(asobject(I), is_paper)
    right = compose(lbind(shift, paper), tojvec)
    down = compose(lbind(shift, paper), toivec)
    agrees = fork(equality, size, compose(size, toindices))
    fits_across = chain(agrees, lbind(combine, paper), right)
    fits_down = chain(agrees, lbind(combine, paper), down)
    across = extract(interval(ONE, HUNDRED, ONE), fits_across)
    along = extract(interval(ONE, HUNDRED, ONE), fits_down)
    columns = interval(multiply(NEG_FIVE, across), width(I), across)
    x1 = paint(I, mapply(right, columns))
    whole_rows = sfilter(asobject(x1), is_paper)
    rows = apply(toivec, interval(multiply(NEG_FIVE, along), height(I), along))
    O = paint(x1, mapply(lbind(shift, whole_rows), rows))
    return O


def solve_484b58aa(I):
    """The pattern, which repeats in both directions, is repaired."""
    is_paper = compose(positive, first)
    paper = sfilter(asobject(I), is_paper)
    right = compose(lbind(shift, paper), tojvec)
    down = compose(lbind(shift, paper), toivec)
    agrees = fork(equality, size, compose(size, toindices))
    fits_across = chain(agrees, lbind(combine, paper), right)
    fits_down = chain(agrees, lbind(combine, paper), down)
    across = extract(interval(ONE, HUNDRED, ONE), fits_across)
    along = extract(interval(ONE, HUNDRED, ONE), fits_down)
    columns = interval(multiply(NEG_FIVE, across), width(I), across)
    x1 = paint(I, mapply(right, columns))
    whole_rows = sfilter(asobject(x1), is_paper)
    rows = apply(toivec, interval(multiply(NEG_FIVE, along), height(I), along))
    O = paint(x1, mapply(lbind(shift, whole_rows), rows))
    return O


def solve_f9012d9b(I):
    """The missing part of the pattern, which repeats in both directions."""
    is_paper = compose(positive, first)
    paper = sfilter(asobject(I), is_paper)
    right = compose(lbind(shift, paper), tojvec)
    down = compose(lbind(shift, paper), toivec)
    agrees = fork(equality, size, compose(size, toindices))
    fits_across = chain(agrees, lbind(combine, paper), right)
    fits_down = chain(agrees, lbind(combine, paper), down)
    across = extract(interval(ONE, HUNDRED, ONE), fits_across)
    along = extract(interval(ONE, HUNDRED, ONE), fits_down)
    columns = interval(multiply(NEG_FIVE, across), width(I), across)
    x1 = paint(I, mapply(right, columns))
    whole_rows = sfilter(asobject(x1), is_paper)
    rows = apply(toivec, interval(multiply(NEG_FIVE, along), height(I), along))
    mended = paint(x1, mapply(lbind(shift, whole_rows), rows))
    O = subgrid(ofcolor(I, BLACK), mended)
    return O
