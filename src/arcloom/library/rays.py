"""Programs that draw lines from a position to the border."""

# Read as text and never imported: see arcloom.library.bundled.
# mypy: ignore-errors
# ruff: noqa


def solve_3bd67248(I):
    """A red diagonal and a yellow floor."""
    foot = llcorner(asindices(I))
    diagonal = shoot(foot, UP_RIGHT)
    floor = shoot(foot, RIGHT)
    x1 = underfill(I, RED, diagonal)
    O = underfill(x1, YELLOW, floor)
    return O


def solve_d037b0a7(I):
    """Every cell drips to the bottom."""
    drops = objects(I, T, F, T)
    drip = rbind(shoot, DOWN)
    fall = compose(drip, ulcorner)
    paint_drip = fork(recolor, color, fall)
    drips = mapply(paint_drip, drops)
    O = paint(I, drips)
    return O


def solve_25d487eb(I):
    """A beam from the base through the tip of the triangle."""
    triangle = first(objects(I, F, F, T))
    ink = leastcolor(triangle)
    base = ofcolor(I, ink)
    beam = shoot(first(base), position(base, triangle))
    O = underfill(I, ink, beam)
    return O


def solve_5c0a986e(I):
    """Blue leaves to the upper left, red to the lower right."""
    blue = shoot(ulcorner(ofcolor(I, BLUE)), NEG_UNITY)
    red = shoot(lrcorner(ofcolor(I, RED)), UNITY)
    x1 = fill(I, BLUE, blue)
    O = fill(x1, RED, red)
    return O


def solve_623ea044(I):
    """Diagonals through the cell."""
    spot = merge(fgpartition(I))
    rays = mapply(lbind(shoot, center(spot)), ineighbors(ORIGIN))
    O = fill(I, color(spot), rays)
    return O


def solve_7ddcd7ec(I):
    """The tails of the square grow to the border."""
    parts = objects(I, T, F, T)
    tails = sizefilter(parts, ONE)
    square_part = argmax(parts, size)
    way = lbind(position, square_part)
    tail = fork(shoot, ulcorner, way)
    O = fill(I, color(square_part), mapply(tail, tails))
    return O


def solve_d13f3404(I):
    """Each cell leaves a diagonal trail."""
    blank = canvas(BLACK, (6, 6))
    groups = fgpartition(I)
    cells = merge(groups)
    ray = compose(rbind(shoot, UNITY), last)
    trail = fork(recolor, first, ray)
    trails = mapply(trail, cells)
    O = paint(blank, trails)
    return O


def solve_b8cdaf2b(I):
    """The core of the base radiates from the shoulders above it."""
    ink = leastcolor(I)
    core = ofcolor(I, ink)
    shoulders = shift(core, UP)
    left = ulcorner(shoulders)
    right = urcorner(shoulders)
    left_ray = shoot(left, NEG_UNITY)
    right_ray = shoot(right, UP_RIGHT)
    rays = combine(left_ray, right_ray)
    O = underfill(I, ink, rays)
    return O


def solve_6e19193c(I):
    """Each angle shoots a ray through its open side."""
    angles = objects(I, T, F, T)
    gap = compose(ulcorner, delta)
    middle = fork(add, ulcorner, lrcorner)
    way = fork(subtract, compose(double, gap), middle)
    start = fork(add, gap, way)
    ray = fork(shoot, start, way)
    beam = fork(recolor, color, ray)
    O = paint(I, mapply(beam, angles))
    return O


def solve_a65b410d(I):
    """A green slope above the red bar and a blue one below."""
    bar = ofcolor(I, RED)
    tip = urcorner(bar)
    to_left = rbind(shoot, LEFT)
    above = mapply(to_left, shoot(tip, UP_RIGHT))
    below = mapply(to_left, shoot(tip, DOWN_LEFT))
    x1 = fill(I, GREEN, above)
    x2 = fill(x1, BLUE, below)
    O = fill(x2, RED, bar)
    return O


def solve_bbc9ae5d(I):
    """Each row is one cell longer than the row above."""
    colors = palette(I)
    ink = other(colors, BLACK)
    bar = ofcolor(I, ink)
    columns = width(I)
    rows = halve(columns)
    block = vupscale(I, rows)
    tip = urcorner(bar)
    slope = shoot(tip, UNITY)
    to_left = rbind(shoot, LEFT)
    below = mapply(to_left, slope)
    O = fill(block, ink, below)
    return O


def solve_a3df8b1e(I):
    """A ball goes up and bounces between the walls."""
    columns = width(I)
    bounce = double(decrement(columns))
    rows = interval(NINE, NEG_TEN, invert(bounce))
    starts = product(rows, (0, 0))
    up = mapply(rbind(shoot, UP_RIGHT), starts)
    down = mapply(rbind(shoot, UNITY), starts)
    way = combine(up, down)
    O = fill(I, BLUE, way)
    return O


def solve_d9f24cd1(I):
    """Red lines rise and step aside before a gray cell."""
    red = ofcolor(I, RED)
    lines = mapply(vfrontier, red)
    hurdles = intersection(ofcolor(I, GRAY), lines)
    behind = mapply(rbind(shoot, UP), shift(hurdles, UP))
    beside = mapply(rbind(shoot, UP), shift(hurdles, UNITY))
    x1 = underfill(I, RED, lines)
    x2 = fill(x1, BLACK, behind)
    O = fill(x2, RED, beside)
    return O


def solve_db3e9e38(I):
    """A triangle of stripes hangs on both sides of the line."""
    line = ofcolor(I, ORANGE)
    to_right = mapply(rbind(shoot, UP_RIGHT), line)
    to_left = mapply(rbind(shoot, NEG_UNITY), line)
    triangle = combine(to_left, to_right)
    middle = leftmost(line)
    distance = compose(rbind(subtract, middle), last)
    is_stripe = compose(even, distance)
    stripes = sfilter(triangle, is_stripe)
    x1 = fill(I, CYAN, triangle)
    O = fill(x1, ORANGE, stripes)
    return O


def solve_97999447(I):
    """Each cell draws a line to the right, with gray in every second place."""
    spots = fgpartition(I)
    edge = width(I)
    line = fork(recolor, color, compose(rbind(shoot, RIGHT), ulcorner))
    row = compose(initset, uppermost)
    columns = chain(rbind(rbind(interval, TWO), edge), increment, leftmost)
    beads = fork(product, row, columns)
    x1 = paint(I, mapply(line, spots))
    O = fill(x1, GRAY, mapply(beads, spots))
    return O


def solve_e179c5f4(I):
    """A ball goes up and bounces between the walls of a cyan court."""
    columns = width(I)
    bounce = double(decrement(columns))
    rows = interval(NINE, NEG_TEN, invert(bounce))
    starts = product(rows, (0, 0))
    up = mapply(rbind(shoot, UP_RIGHT), starts)
    down = mapply(rbind(shoot, UNITY), starts)
    way = combine(up, down)
    court = canvas(CYAN, shape(I))
    O = fill(court, BLUE, way)
    return O


def solve_feca6190(I):
    """Each cell shoots diagonally; the canvas grows with the number of cells."""
    cells = merge(fgpartition(I))
    side = multiply(FIVE, size(cells))
    blank = canvas(BLACK, astuple(side, side))
    base = shift(cells, toivec(decrement(side)))
    ray = compose(rbind(shoot, UP_RIGHT), last)
    beam = fork(recolor, first, ray)
    beams = mapply(beam, base)
    O = paint(blank, beams)
    return O


def solve_1f0c79e5(I):
    """The square flies off in the direction of its red cells."""
    figure = first(objects(I, F, F, T))
    cells = toindices(figure)
    red = ofcolor(I, RED)
    middle = add(ulcorner(figure), lrcorner(figure))
    way = compose(rbind(subtract, middle), double)
    ways = apply(way, red)
    rays = merge(prapply(shoot, cells, ways))
    ink = other(palette(figure), RED)
    O = fill(I, ink, rays)
    return O


def solve_8d510a79(I):
    """Red cells fall on the gray bar, blue ones fly away from it."""
    level = uppermost(ofcolor(I, GRAY))
    red = ofcolor(I, RED)
    blue = ofcolor(I, BLUE)
    landing = compose(lbind(astuple, level), last)
    falls = mapply(fork(connect, identity, landing), red)
    is_above = compose(lbind(greater, level), first)
    above = sfilter(blue, is_above)
    below = difference(blue, above)
    x1 = underfill(I, RED, falls)
    x2 = underfill(x1, BLUE, mapply(rbind(shoot, UP), above))
    O = underfill(x2, BLUE, mapply(rbind(shoot, DOWN), below))
    return O


def solve_a78176bb(I):
    """The tip of each gray triangle draws a parallel line, and the triangle disappears."""
    triangles = colorfilter(objects(I, T, F, T), GRAY)
    has_right_tip = fork(contained, urcorner, toindices)
    has_left_tip = fork(contained, llcorner, toindices)
    right = apply(compose(rbind(add, UP_RIGHT), urcorner), sfilter(triangles, has_right_tip))
    left = apply(compose(rbind(add, DOWN_LEFT), llcorner), sfilter(triangles, has_left_tip))
    starts = combine(right, left)
    line = fork(combine, rbind(shoot, UNITY), rbind(shoot, NEG_UNITY))
    clean = replace(I, GRAY, BLACK)
    ink = leastcolor(clean)
    O = fill(clean, ink, mapply(line, starts))
    return O


def solve_d06dbe63(I):
    """Stairs lead up and down from the cyan cell."""
    start = first(ofcolor(I, CYAN))
    steps = interval(ZERO, SEVEN, ONE)
    flight = lbind(multiply, (-2, 2))
    rise = shift(combine(connect((-1, 0), (-2, 0)), connect((-2, 0), (-2, 2))), start)
    fall = shift(combine(connect((1, 0), (2, 0)), connect((2, 0), (2, -2))), start)
    up = mapply(lbind(shift, rise), apply(flight, steps))
    down = mapply(lbind(shift, fall), apply(compose(invert, flight), steps))
    O = underfill(I, GRAY, combine(up, down))
    return O


def solve_29c11459(I):
    """Beams from both sides meet in a gray cell."""
    left = lefthalf(I)
    right = righthalf(I)
    rightwards = compose(rbind(shoot, RIGHT), ulcorner)
    leftwards = compose(rbind(shoot, LEFT), ulcorner)
    right_beam = fork(recolor, color, rightwards)
    left_beam = fork(recolor, color, leftwards)
    lit_left = paint(left, mapply(right_beam, objects(left, T, F, T)))
    lit_right = paint(right, mapply(left_beam, objects(right, T, F, T)))
    rows = mapply(leftwards, objects(left, T, F, T))
    gap = canvas(BLACK, astuple(height(I), ONE))
    meeting = fill(gap, GRAY, rows)
    x1 = hconcat(lit_left, meeting)
    O = hconcat(x1, lit_right)
    return O


def solve_99fa7670(I):
    """Each cell draws a line to the right border and on, down to the next line."""
    drops = objects(I, T, F, T)
    sequence = order(drops, uppermost)
    inks = apply(color, sequence)
    to_right = compose(rbind(shoot, RIGHT), ulcorner)
    paint_right = fork(recolor, color, to_right)
    across = mapply(paint_right, sequence)
    edge = decrement(width(I))
    turn = compose(rbind(astuple, edge), uppermost)
    turns = apply(turn, sequence)
    corner_place = decrement(shape(I))
    tail = remove(first(turns), turns)
    ends = combine(tail, repeat(corner_place, ONE))
    lines = papply(connect, turns, ends)
    downs = mpapply(recolor, inks, lines)
    x1 = paint(I, downs)
    O = paint(x1, across)
    return O
