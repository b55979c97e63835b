"""Programs that draw lines between two positions, and whole rows and columns."""

# Read as text and never imported: see arcloom.library.bundled.
# mypy: ignore-errors
# ruff: noqa


def solve_c1d99e64(I):
    """Free rows and columns are red."""
    lines = colorfilter(frontiers(I), BLACK)
    O = fill(I, RED, merge(lines))
    return O


def solve_253bf280(I):
    """Green lines between cyan cells in one row or column."""
    cyan = ofcolor(I, CYAN)
    lines = prapply(connect, cyan, cyan)
    straight = mfilter(lines, fork(either, vline, hline))
    O = underfill(I, GREEN, straight)
    return O


def solve_41e4d17e(I):
    """Magenta lines through the middle of each ring."""
    middles = apply(center, objects(I, T, F, T))
    lines = mapply(fork(combine, vfrontier, hfrontier), middles)
    O = underfill(I, MAGENTA, lines)
    return O


def solve_dbc1a6ce(I):
    """Cyan lines between blue cells in one row or column."""
    blue = ofcolor(I, BLUE)
    lines = prapply(connect, blue, blue)
    straight = mfilter(lines, fork(either, vline, hline))
    O = underfill(I, CYAN, straight)
    return O


def solve_ded97339(I):
    """Cyan cells in one row or column are connected."""
    cyan = ofcolor(I, CYAN)
    lines = prapply(connect, cyan, cyan)
    straight = mfilter(lines, fork(either, vline, hline))
    O = fill(I, CYAN, straight)
    return O


def solve_1f876c06(I):
    """Equal cells are connected."""
    groups = fgpartition(I)
    start = compose(first, toindices)
    end = compose(last, toindices)
    line = fork(connect, start, end)
    O = paint(I, mapply(fork(recolor, color, line), groups))
    return O


def solve_178fcbfb(I):
    """Red cells draw columns, and green and blue ones draw rows over them."""
    columns = mapply(vfrontier, ofcolor(I, RED))
    green = mapply(hfrontier, ofcolor(I, GREEN))
    blue = mapply(hfrontier, ofcolor(I, BLUE))
    x1 = fill(I, RED, columns)
    x2 = fill(x1, GREEN, green)
    O = fill(x2, BLUE, blue)
    return O


def solve_ea786f4a(I):
    """Both diagonals are erased."""
    cells = asindices(I)
    falling = connect(ulcorner(cells), lrcorner(cells))
    rising = connect(llcorner(cells), urcorner(cells))
    cross = combine(falling, rising)
    O = fill(I, BLACK, cross)
    return O


def solve_40853293(I):
    """Equal cells are connected; columns lie over rows."""
    groups = fgpartition(I)
    start = compose(first, toindices)
    end = compose(last, toindices)
    line = fork(recolor, color, fork(connect, start, end))
    lines = apply(line, groups)
    x1 = paint(I, mfilter(lines, hline))
    O = paint(x1, mfilter(lines, vline))
    return O


def solve_6e02f1e3(I):
    """The number of colours chooses one of three lines."""
    count = numcolors(I)
    plain = equality(count, ONE)
    double_colored = equality(count, TWO)
    start = branch(double_colored, ORIGIN, TWO_BY_ZERO)
    end = branch(double_colored, TWO_BY_TWO, ZERO_BY_TWO)
    diagonal = connect(start, end)
    top = connect(ORIGIN, ZERO_BY_TWO)
    line = branch(plain, top, diagonal)
    blank = canvas(BLACK, THREE_BY_THREE)
    O = fill(blank, GRAY, line)
    return O


def solve_bdad9b1f(I):
    """Both bars grow to lines, which cross in yellow."""
    red = ofcolor(I, RED)
    cyan = ofcolor(I, CYAN)
    across = hfrontier(center(red))
    upright = vfrontier(center(cyan))
    crossing = intersection(across, upright)
    x1 = fill(I, RED, across)
    x2 = fill(x1, CYAN, upright)
    O = fill(x2, YELLOW, crossing)
    return O


def solve_a2fd1cf0(I):
    """A cyan path from red to green, first horizontal, then vertical."""
    red = first(ofcolor(I, RED))
    green = first(ofcolor(I, GREEN))
    turn = astuple(first(red), last(green))
    path = combine(connect(red, turn), connect(turn, green))
    O = underfill(I, CYAN, path)
    return O


def solve_d4a91cb9(I):
    """A yellow path from cyan to red, first vertical, then horizontal."""
    cyan = first(ofcolor(I, CYAN))
    red = first(ofcolor(I, RED))
    turn = astuple(first(red), last(cyan))
    path = combine(connect(cyan, turn), connect(turn, red))
    O = underfill(I, YELLOW, path)
    return O


def solve_23581191(I):
    """Lines through both cells, with their crossings in red."""
    spots = fgpartition(I)
    across = compose(hfrontier, ulcorner)
    upright = compose(vfrontier, ulcorner)
    both_lines = fork(combine, across, upright)
    cross = fork(recolor, color, both_lines)
    crosses = mapply(cross, spots)
    lines = apply(both_lines, spots)
    crossings = intersection(first(lines), last(lines))
    x1 = paint(I, crosses)
    O = fill(x1, RED, crossings)
    return O


def solve_2c608aff(I):
    """Cells in line with the block are connected to it."""
    parts = objects(I, T, F, T)
    block = argmax(parts, size)
    cells = remove(block, parts)
    in_line = fork(either, lbind(hmatching, block), lbind(vmatching, block))
    near = fork(add, ulcorner, rbind(gravitate, block))
    line = fork(connect, ulcorner, near)
    O = paint(I, mapply(fork(recolor, color, line), sfilter(cells, in_line)))
    return O


def solve_6cdd2623(I):
    """Only the lines between opposite marks on the borders stay."""
    ink = leastcolor(I)
    marks = ofcolor(I, ink)
    lines = prapply(connect, marks, marks)
    across = mfilter(sizefilter(lines, width(I)), hline)
    upright = mfilter(sizefilter(lines, height(I)), vline)
    blank = canvas(BLACK, shape(I))
    O = fill(blank, ink, combine(across, upright))
    return O


def solve_22eb0ac0(I):
    """Equal ends of a row are connected."""
    edge = tojvec(decrement(width(I)))
    column = product(interval(ZERO, height(I), ONE), (0, 0))
    near = lbind(index, I)
    far = compose(near, rbind(add, edge))
    equal = fork(equality, near, far)
    starts = sfilter(column, equal)
    lines = mapply(fork(recolor, near, hfrontier), starts)
    O = paint(I, lines)
    return O


def solve_d43fd935(I):
    """Cells in line with the green block are connected to it."""
    parts = objects(I, T, F, T)
    block = extract(parts, matcher(color, GREEN))
    cells = sizefilter(parts, ONE)
    in_line = fork(either, lbind(hmatching, block), lbind(vmatching, block))
    near = fork(add, ulcorner, rbind(gravitate, block))
    line = fork(connect, ulcorner, near)
    O = paint(I, mapply(fork(recolor, color, line), sfilter(cells, in_line)))
    return O


def solve_834ec97d(I):
    """The cell sinks by one, under every second column of yellow."""
    drops = objects(I, T, F, T)
    drop = first(drops)
    row = col_row(drop, R1)
    column = col_row(drop, R2)
    area = crop(I, ORIGIN, astuple(increment(row), width(I)))
    cells = asindices(area)
    distance = compose(rbind(subtract, column), last)
    in_step = compose(even, distance)
    stripes = sfilter(cells, in_step)
    moved = move(I, drop, DOWN)
    O = fill(moved, YELLOW, stripes)
    return O


def solve_855e0971(I):
    """Each black cell cuts its stripe."""
    holes = ofcolor(I, BLACK)
    stripes = sfilter(partition(I), compose(positive, color))
    stacked = equality(width(first(stripes)), width(I))
    line = branch(stacked, vfrontier, hfrontier)
    own_holes = compose(lbind(intersection, holes), backdrop)
    cuts = compose(lbind(mapply, line), own_holes)
    inside = fork(intersection, backdrop, cuts)
    O = fill(I, BLACK, mapply(inside, stripes))
    return O


def solve_8403a5d5(I):
    """A fence to the right of the cell, with gray at its ends."""
    spot = merge(fgpartition(I))
    start = leftmost(spot)
    edge = width(I)
    rows = interval(ZERO, height(I), ONE)
    posts = product(rows, interval(start, edge, TWO))
    upper = product((0, 0), interval(increment(start), edge, FOUR))
    lower = product((9, 9), interval(add(start, THREE), edge, FOUR))
    x1 = fill(I, color(spot), posts)
    O = fill(x1, GRAY, combine(upper, lower))
    return O


def solve_0a938d79(I):
    """Two cells become stripes that alternate to the end."""
    turn = branch(portrait(I), dmirror, identity)
    grid = turn(I)
    spots = fgpartition(grid)
    distance = subtract(valmax(spots, leftmost), valmin(spots, leftmost))
    columns = compose(rbind(rbind(interval, double(distance)), width(grid)), leftmost)
    stripes = compose(lbind(mapply, compose(vfrontier, tojvec)), columns)
    O = turn(paint(grid, mapply(fork(recolor, color, stripes), spots)))
    return O


def solve_1bfc4729(I):
    """Each cell draws a bow in its half."""
    top = tophalf(I)
    bottom = hmirror(bottomhalf(I))
    edge = tojvec(decrement(width(I)))
    walls = combine(vfrontier(ORIGIN), vfrontier(edge))
    bars = combine(hfrontier(ORIGIN), hfrontier(TWO_BY_ZERO))
    bow = combine(walls, bars)
    upper = fill(top, leastcolor(top), bow)
    lower = fill(bottom, leastcolor(bottom), bow)
    O = vconcat(upper, hmirror(lower))
    return O


def solve_06df4c85(I):
    """Squares of one colour are connected through the free fields."""
    free = ofcolor(I, BLACK)
    wire = color(merge(frontiers(I)))
    is_grid = compose(rbind(contained, astuple(BLACK, wire)), color)
    groups = sfilter(partition(I), compose(flip, is_grid))
    pairs = fork(lbind(prapply, connect), toindices, toindices)
    straight = compose(rbind(mfilter, fork(either, vline, hline)), pairs)
    bridge = compose(lbind(intersection, free), straight)
    O = paint(I, mapply(fork(recolor, color, bridge), groups))
    return O


def solve_673ef223(I):
    """The cyan marks draw lines to their wall, and the other wall copies them over the whole width."""
    marks = ofcolor(I, CYAN)
    walls = colorfilter(objects(I, T, F, T), RED)
    wall = extract(walls, rbind(hmatching, marks))
    partner = other(walls, wall)
    fly = compose(rbind(gravitate, wall), initset)
    line = fork(connect, identity, fork(add, identity, fly))
    drop = toivec(subtract(uppermost(partner), uppermost(wall)))
    copied = mapply(hfrontier, shift(marks, drop))
    x1 = underfill(I, CYAN, combine(mapply(line, marks), copied))
    O = fill(x1, YELLOW, marks)
    return O
