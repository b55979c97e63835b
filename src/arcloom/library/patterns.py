"""Programs that continue a pattern."""

# Read as text and never imported: see arcloom.library.bundled.
# mypy: ignore-errors
# ruff: noqa


def solve_bd4472b8(I):
    """The colours of the first row become whole rows."""
    columns = width(I)
    dims = astuple(TWO, columns)
    head = crop(I, ORIGIN, dims)
    colors = tophalf(head)
    column = dmirror(colors)
    block = hupscale(column, columns)
    once = vconcat(head, block)
    O = vconcat(once, block)
    return O


def solve_3ac3eb23(I):
    """Each cell starts a zigzag downwards."""
    drops = objects(I, T, F, T)
    around = compose(ineighbors, ulcorner)
    paint_around = fork(recolor, color, around)
    legs = mapply(paint_around, drops)
    x1 = paint(I, legs)
    parts = vsplit(x1, THREE)
    tile = first(parts)
    two = vconcat(tile, tile)
    O = vconcat(two, tile)
    return O


def solve_d8c310e9(I):
    """The pattern continues to the right."""
    pattern = merge(fgpartition(I))
    period = hperiod(pattern)
    offsets = apply(tojvec, interval(ZERO, width(I), period))
    O = paint(I, mapply(lbind(shift, pattern), offsets))
    return O


def solve_017c7c7b(I):
    """The pattern continues to nine rows, in red."""
    cells = asobject(I)
    period = vperiod(cells)
    columns = width(I)
    dims = astuple(period, columns)
    tile = crop(I, ORIGIN, dims)
    tiles = repeat(tile, NINE)
    tower = merge(tiles)
    size_wanted = astuple(NINE, columns)
    cut = crop(tower, ORIGIN, size_wanted)
    O = replace(cut, BLUE, RED)
    return O


def solve_8eb1be9a(I):
    """The band repeats up and down."""
    band = merge(fgpartition(I))
    step = compose(toivec, lbind(multiply, height(band)))
    offsets = apply(step, interval(NEG_FIVE, FIVE, ONE))
    O = paint(I, mapply(lbind(shift, band), offsets))
    return O


def solve_539a4f51(I):
    """The nested angles repeat outwards."""
    colors = remove(BLACK, first(I))
    ribbon = merge(repeat(colors, TEN))
    dims = (10, 10)
    upright = crop(repeat(ribbon, TEN), ORIGIN, dims)
    flat = dmirror(upright)
    diagonal = shoot(ORIGIN, UNITY)
    lower = mapply(rbind(shoot, DOWN), diagonal)
    O = paint(upright, toobject(lower, flat))
    return O


def solve_05269061(I):
    """The three diagonals repeat over the whole grid."""
    groups = fgpartition(I)
    cells = merge(groups)
    offsets = apply(tojvec, interval(-12, 13, THREE))
    copies = mapply(lbind(shift, cells), offsets)
    up = compose(rbind(shoot, UP_RIGHT), last)
    down = compose(rbind(shoot, DOWN_LEFT), last)
    line = fork(combine, up, down)
    colored = fork(recolor, first, line)
    lines = mapply(colored, copies)
    O = paint(I, lines)
    return O


def solve_963e52fc(I):
    """The pattern continues to twice the width."""
    groups = fgpartition(I)
    pattern = merge(groups)
    period = hperiod(pattern)
    columns = width(I)
    rows = height(I)
    tile = crop(I, ORIGIN, astuple(rows, period))
    tiles = repeat(dmirror(tile), columns)
    long = dmirror(merge(tiles))
    O = crop(long, ORIGIN, astuple(rows, double(columns)))
    return O


def solve_53b68214(I):
    """The path continues to the bottom of a square."""
    cells = asobject(I)
    put = lbind(shift, cells)
    agrees = fork(equality, size, compose(size, toindices))
    fits = chain(agrees, lbind(combine, cells), put)
    offsets = product(interval(ONE, FIVE, ONE), interval(ZERO, THREE, ONE))
    step = extract(offsets, fits)
    steps = apply(lbind(multiply, step), interval(ZERO, TEN, ONE))
    blank = canvas(BLACK, (10, 10))
    O = paint(blank, mapply(put, steps))
    return O


def solve_045e512c(I):
    """The figure is repeated in the direction of each mark, in the mark's colour."""
    parts = objects(I, T, T, T)
    figure = argmax(parts, size)
    way = lbind(position, figure)
    step = increment(width(figure))
    steps = interval(step, 30, step)
    offsets = chain(rbind(apply, steps), lbind(lbind, multiply), way)
    copies = compose(lbind(mapply, lbind(shift, toindices(figure))), offsets)
    marks = remove(figure, parts)
    O = paint(I, mapply(fork(recolor, color, copies), marks))
    return O


def solve_82819916(I):
    """Unfinished rows continue like the finished one."""
    rows = objects(I, F, F, T)
    model = argmax(rows, width)
    drafts = remove(model, rows)
    near = index(I, ulcorner(model))
    is_near = matcher(first, near)
    near_part = toindices(sfilter(model, is_near))
    far_part = difference(toindices(model), near_part)
    drop = chain(toivec, rbind(subtract, uppermost(model)), uppermost)
    ink_at = lbind(index, I)
    near_row = fork(recolor, compose(ink_at, ulcorner), compose(lbind(shift, near_part), drop))
    far_row = fork(recolor, compose(ink_at, urcorner), compose(lbind(shift, far_part), drop))
    O = paint(I, mapply(fork(combine, near_row, far_row), drafts))
    return O


def solve_caa06a1f(I):
    """The pattern continues over the whole grid, one step further."""
    filler = index(I, decrement(shape(I)))
    top = remove(filler, first(I))
    side = remove(filler, first(dmirror(I)))
    pattern = crop(I, ORIGIN, astuple(size(side), size(top)))
    period = astuple(vperiod(asobject(pattern)), hperiod(asobject(pattern)))
    tile = crop(I, ORIGIN, period)
    tower = merge(repeat(tile, height(I)))
    wall = dmirror(merge(repeat(dmirror(tower), width(I))))
    O = crop(wall, RIGHT, shape(I))
    return O


def solve_e21d9049(I):
    """Both arms of the cross repeat to the borders."""
    cross = merge(objects(I, F, F, T))
    places = totuple(toindices(cross))
    row = mostcommon(apply(first, places))
    column = mostcommon(apply(last, places))
    across = sfilter(cross, matcher(compose(first, toij), row))
    upright = sfilter(cross, matcher(compose(last, toij), column))
    steps = interval(NEG_TEN, TEN, ONE)
    right = compose(tojvec, lbind(multiply, width(across)))
    down = compose(toivec, lbind(multiply, height(upright)))
    x1 = paint(I, mapply(compose(lbind(shift, across), right), steps))
    O = paint(x1, mapply(compose(lbind(shift, upright), down), steps))
    return O
