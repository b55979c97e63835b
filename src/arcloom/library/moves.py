"""Programs that move figures, let them fall, or copy them."""

# Read as text and never imported: see arcloom.library.bundled.
# mypy: ignore-errors
# ruff: noqa


def solve_25ff71a9(I):
    """The figure moves down by one."""
    figures = objects(I, T, T, T)
    figure = first(figures)
    O = move(I, figure, DOWN)
    return O


def solve_3618c87e(I):
    """Blue cells sink through the gray stems."""
    blue = ofcolor(I, BLUE)
    stones = recolor(BLUE, blue)
    O = move(I, stones, TWO_BY_ZERO)
    return O


def solve_1e0a9b12(I):
    """Everything falls down."""
    columns = dmirror(I)
    settle = rbind(order, sign)
    settled = apply(settle, columns)
    O = dmirror(settled)
    return O


def solve_a79310a0(I):
    figures = objects(I, T, F, T)
    figure = first(figures)
    moved = move(I, figure, DOWN)
    O = replace(moved, CYAN, RED)
    return O


def solve_05f2a901(I):
    """The red figure moves to the cyan square."""
    figure = recolor(RED, ofcolor(I, RED))
    goal = ofcolor(I, CYAN)
    O = move(I, figure, gravitate(figure, goal))
    return O


def solve_3906de3d(I):
    """The red bars rise into the gaps."""
    columns = dmirror(I)
    rise = rbind(order, compose(invert, sign))
    O = dmirror(apply(rise, columns))
    return O


def solve_dc433765(I):
    """The green cell makes a step towards the yellow one."""
    green = ofcolor(I, GREEN)
    yellow = ofcolor(I, YELLOW)
    walker = recolor(GREEN, green)
    step = position(green, yellow)
    O = move(I, walker, step)
    return O


def solve_363442ee(I):
    """The stamp in the corner is printed on every mark."""
    stamp = asobject(crop(I, ORIGIN, THREE_BY_THREE))
    marks = ofcolor(I, BLUE)
    printed = compose(lbind(shift, stamp), decrement)
    O = paint(I, mapply(printed, marks))
    return O


def solve_5168d44c(I):
    """The red ring slides to the next green cell."""
    ring = recolor(RED, ofcolor(I, RED))
    beads = ofcolor(I, GREEN)
    flat = equality(height(beads), ONE)
    step = branch(flat, ZERO_BY_TWO, TWO_BY_ZERO)
    O = move(I, ring, step)
    return O


def solve_5521c0d9(I):
    """Each block moves up by its height."""
    blocks = objects(I, T, F, T)
    rise = chain(toivec, invert, height)
    x1 = cover(I, merge(blocks))
    O = paint(x1, mapply(fork(shift, identity, rise), blocks))
    return O


def solve_88a10436(I):
    """The figure is copied to the gray mark, which it covers."""
    figures = objects(I, F, F, T)
    figure = argmax(figures, size)
    mark = first(ofcolor(I, GRAY))
    copy = shift(normalize(figure), decrement(mark))
    O = paint(I, copy)
    return O


def solve_a1570a43(I):
    """The red figure moves between the green corners."""
    figure = recolor(RED, ofcolor(I, RED))
    goal = increment(ulcorner(ofcolor(I, GREEN)))
    way = subtract(goal, ulcorner(figure))
    O = move(I, figure, way)
    return O


def solve_1caeab9d(I):
    """All blocks line up with the blue one."""
    blocks = fgpartition(I)
    level = uppermost(ofcolor(I, BLUE))
    lift = chain(toivec, lbind(subtract, level), uppermost)
    lined = fork(shift, identity, lift)
    blank = canvas(BLACK, shape(I))
    O = paint(blank, mapply(lined, blocks))
    return O


def solve_e76a88a6(I):
    """The coloured model replaces the gray blocks."""
    figures = objects(I, F, F, T)
    is_block = compose(lbind(contained, GRAY), palette)
    blocks = sfilter(figures, is_block)
    model = extract(figures, compose(flip, is_block))
    stamp = lbind(shift, normalize(model))
    places = apply(ulcorner, blocks)
    O = paint(I, mapply(stamp, places))
    return O


def solve_025d127b(I):
    """The figures straighten: all but the lowest row and the last column moves to the right."""
    figures = fgpartition(I)
    floor = fork(connect, llcorner, lrcorner)
    wall = fork(connect, urcorner, lrcorner)
    fixed = fork(combine, floor, wall)
    loose = fork(difference, toindices, fixed)
    moved = compose(rbind(shift, RIGHT), loose)
    colored = fork(recolor, color, moved)
    x1 = fill(I, BLACK, mapply(loose, figures))
    O = paint(x1, mapply(colored, figures))
    return O


def solve_321b1fc6(I):
    """The coloured model replaces the cyan shapes."""
    figures = objects(I, F, F, T)
    is_shape = compose(lbind(contained, CYAN), palette)
    shapes = sfilter(figures, is_shape)
    model = extract(figures, compose(flip, is_shape))
    stamp = lbind(shift, normalize(model))
    places = apply(ulcorner, shapes)
    x1 = cover(I, model)
    O = paint(x1, mapply(stamp, places))
    return O


def solve_56dc2b01(I):
    """The green figure moves to the red wall, and a cyan wall closes in behind it."""
    figure = recolor(GREEN, ofcolor(I, GREEN))
    wall = ofcolor(I, RED)
    way = gravitate(figure, wall)
    back = multiply(sign(way), increment(shape(figure)))
    x1 = move(I, figure, way)
    O = fill(x1, CYAN, shift(wall, invert(back)))
    return O


def solve_a48eeaf7(I):
    """The gray cells gather around the red square, each in the nearest place."""
    ring = outbox(ofcolor(I, RED))
    gray = ofcolor(I, GRAY)
    distance_from = compose(lbind(lbind, manhattan), initset)
    distance_of_place = compose(rbind(compose, initset), distance_from)
    nearest = compose(lbind(argmin, ring), distance_of_place)
    places = apply(nearest, gray)
    x1 = fill(I, BLACK, gray)
    O = fill(x1, GRAY, places)
    return O


def solve_e48d4e1a(I):
    """The cross moves to the lower left, by the number of gray cells."""
    lines = frontiers(I)
    across = extract(lines, hline)
    upright = extract(lines, vline)
    steps = colorcount(I, GRAY)
    lower = shift(across, toivec(steps))
    lefter = shift(upright, invert(tojvec(steps)))
    blank = canvas(BLACK, shape(I))
    O = paint(blank, combine(lower, lefter))
    return O


def solve_d89b689b(I):
    """Four cells jump to the nearest part of the square."""
    goal = ofcolor(I, CYAN)
    cells = sizefilter(objects(I, T, F, T), ONE)
    distance_from = compose(rbind(compose, initset), lbind(lbind, manhattan))
    nearest = compose(lbind(argmin, goal), distance_from)
    landed = fork(recolor, color, compose(initset, nearest))
    x1 = cover(I, merge(cells))
    O = paint(x1, mapply(landed, cells))
    return O


def solve_beb8660c(I):
    """The bars pile up at the bottom right, the longest below."""
    groups = fgpartition(I)
    sequence = order(groups, size)
    columns = width(I)
    bar = fork(repeat, color, size)
    gap = compose(lbind(subtract, columns), size)
    free = compose(lbind(repeat, BLACK), gap)
    padded = fork(combine, free, bar)
    pile = apply(padded, sequence)
    above = subtract(height(I), size(pile))
    air = canvas(BLACK, astuple(above, columns))
    O = vconcat(air, pile)
    return O


def solve_1a07d186(I):
    """Cells move to the line of their colour; those without one disappear."""
    parts = objects(I, T, F, T)
    cells = sizefilter(parts, ONE)
    lines = difference(parts, cells)
    at_home = compose(rbind(contained, apply(color, lines)), color)
    line_of = compose(lbind(extract, lines), compose(lbind(matcher, color), color))
    way = fork(gravitate, identity, line_of)
    x1 = cover(I, merge(cells))
    O = paint(x1, mapply(fork(shift, identity, way), sfilter(cells, at_home)))
    return O


def solve_ae3edfdc(I):
    """Green cells fly to the red one, orange cells to the blue one."""
    cells = objects(I, T, F, T)
    to_red = fork(shift, identity, rbind(gravitate, ofcolor(I, RED)))
    to_blue = fork(shift, identity, rbind(gravitate, ofcolor(I, BLUE)))
    green = colorfilter(cells, GREEN)
    orange = colorfilter(cells, ORANGE)
    x1 = cover(cover(I, merge(green)), merge(orange))
    x2 = paint(x1, mapply(to_red, green))
    O = paint(x2, mapply(to_blue, orange))
    return O


def solve_d687bc17(I):
    """Cells move to the side of their colour; those without one disappear."""
    parts = objects(I, T, F, T)
    cells = sizefilter(parts, ONE)
    sides = difference(parts, cells)
    side_colors = apply(color, sides)
    at_home = compose(rbind(contained, side_colors), color)
    side_of = compose(lbind(extract, sides), compose(lbind(matcher, color), color))
    way = fork(gravitate, identity, side_of)
    x1 = cover(I, merge(cells))
    O = paint(x1, mapply(fork(shift, identity, way), sfilter(cells, at_home)))
    return O


def solve_228f6490(I):
    """Figures move into the holes that have their form."""
    form = compose(normalize, toindices)
    areas = colorfilter(objects(I, T, F, F), BLACK)
    figures = objects(I, T, F, T)
    forms = apply(form, figures)
    fits = compose(rbind(contained, forms), form)
    enclosed = compose(flip, rbind(bordering, I))
    holes = sfilter(areas, fork(both, fits, enclosed))
    figure_for = compose(lbind(extract, figures), compose(lbind(matcher, form), form))
    filling = fork(recolor, compose(color, figure_for), toindices)
    x1 = cover(I, mapply(figure_for, holes))
    O = paint(x1, mapply(filling, holes))
    return O


def solve_c444b776(I):
    """Every room gets the contents of the one room that is not empty."""
    walls = mfilter(frontiers(I), compose(positive, color))
    plan = paint(canvas(BLACK, shape(I)), walls)
    rooms = colorfilter(objects(plan, T, F, F), BLACK)
    things = sfilter(asobject(fill(I, BLACK, walls)), compose(positive, first))
    holds = chain(positive, size, compose(lbind(intersection, toindices(things)), toindices))
    home = ulcorner(extract(rooms, holds))
    way = compose(rbind(subtract, home), ulcorner)
    O = paint(I, mapply(compose(lbind(shift, things), way), rooms))
    return O


def solve_952a094c(I):
    """The cells in the corners of the box jump out, each over the opposite corner."""
    frame = get_arg_rank(o_g(I, R5), size, F0)
    room = inbox(frame)
    outside = outbox(frame)
    x1 = fill(I, BLACK, room)
    x2 = fill(x1, index(I, corner(room, R0)), initset(corner(outside, R3)))
    x3 = fill(x2, index(I, corner(room, R1)), initset(corner(outside, R2)))
    x4 = fill(x3, index(I, corner(room, R2)), initset(corner(outside, R1)))
    O = fill(x4, index(I, corner(room, R3)), initset(corner(outside, R0)))
    return O


def solve_6855a6e4(I):
    """The gray figures flip over the bars, into the frame."""
    turn = branch(portrait(first(colorfilter(objects(I, T, F, T), RED))), dmirror, identity)
    grid = turn(I)
    bars = ofcolor(grid, RED)
    gray = ofcolor(grid, GRAY)
    is_upper = compose(lbind(greater, first(center(bars))), first)
    upper = sfilter(gray, is_upper)
    lower = difference(gray, upper)
    extent = fork(add, uppermost, lowermost)
    down = subtract(double(uppermost(bars)), extent(upper))
    up = subtract(double(lowermost(bars)), extent(lower))
    x1 = fill(grid, BLACK, gray)
    x2 = fill(x1, GRAY, shift(hmirror(upper), toivec(down)))
    O = turn(fill(x2, GRAY, shift(hmirror(lower), toivec(up))))
    return O


def solve_f8a8fe49(I):
    """The gray figures flip over the bars, out of the frame."""
    turn = branch(portrait(first(colorfilter(objects(I, T, F, T), RED))), dmirror, identity)
    grid = turn(I)
    bars = ofcolor(grid, RED)
    gray = ofcolor(grid, GRAY)
    is_upper = compose(lbind(greater, first(center(bars))), first)
    upper = sfilter(gray, is_upper)
    lower = difference(gray, upper)
    extent = fork(add, uppermost, lowermost)
    up = subtract(double(uppermost(bars)), extent(upper))
    down = subtract(double(lowermost(bars)), extent(lower))
    x1 = fill(grid, BLACK, gray)
    x2 = fill(x1, GRAY, shift(hmirror(upper), toivec(up)))
    O = turn(fill(x2, GRAY, shift(hmirror(lower), toivec(down))))
    return O


def solve_4093f84a(I):
    """All cells fall on the gray bar from both sides, and turn gray."""
    wall = ofcolor(I, GRAY)
    upright = equality(height(wall), height(I))
    gray = replace(I, other(remove(GRAY, palette(I)), BLACK), GRAY)
    turn = branch(upright, identity, dmirror)
    rows = height(turn(I))
    bar = ofcolor(turn(I), GRAY)
    after = tojvec(increment(rightmost(bar)))
    left = crop(turn(gray), ORIGIN, astuple(rows, leftmost(bar)))
    right = crop(turn(gray), after, shape(turn(I)))
    middle = canvas(GRAY, astuple(rows, width(bar)))
    to_right = apply(rbind(order, sign), left)
    to_left = apply(rbind(order, compose(invert, sign)), right)
    O = turn(hconcat(hconcat(to_right, middle), to_left))
    return O
