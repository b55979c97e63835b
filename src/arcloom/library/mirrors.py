"""Programs that mirror, rotate and join grids and figures."""

# Read as text and never imported: see arcloom.library.bundled.
# mypy: ignore-errors
# ruff: noqa


def solve_3c9b0459(I):
    O = rot180(I)
    return O


def solve_6150a2bd(I):
    O = rot180(I)
    return O


def solve_68b16354(I):
    O = hmirror(I)
    return O


def solve_74dd1130(I):
    O = dmirror(I)
    return O


def solve_a416b8f3(I):
    O = hconcat(I, I)
    return O


def solve_4c4377d9(I):
    mirrored = hmirror(I)
    O = vconcat(mirrored, I)
    return O


def solve_6d0aefbc(I):
    mirrored = vmirror(I)
    O = hconcat(I, mirrored)
    return O


def solve_6fa7a44f(I):
    mirrored = hmirror(I)
    O = vconcat(I, mirrored)
    return O


def solve_7468f01a(I):
    """Cut out and mirrored."""
    block = compress(I)
    O = vmirror(block)
    return O


def solve_8be77c9e(I):
    mirrored = hmirror(I)
    O = vconcat(I, mirrored)
    return O


def solve_c9e6f938(I):
    mirrored = vmirror(I)
    O = hconcat(I, mirrored)
    return O


def solve_496994bd(I):
    mirrored = hmirror(I)
    cells = asobject(mirrored)
    O = underpaint(I, cells)
    return O


def solve_f25ffba3(I):
    mirrored = hmirror(I)
    cells = asobject(mirrored)
    O = underpaint(I, cells)
    return O


def solve_28bf18c6(I):
    figures = objects(I, T, T, T)
    figure = first(figures)
    cut = subgrid(figure, I)
    O = hconcat(cut, cut)
    return O


def solve_3af2c5a8(I):
    mirrored = vmirror(I)
    top = hconcat(I, mirrored)
    bottom = hmirror(top)
    O = vconcat(top, bottom)
    return O


def solve_62c24649(I):
    mirrored = vmirror(I)
    top = hconcat(I, mirrored)
    bottom = hmirror(top)
    O = vconcat(top, bottom)
    return O


def solve_67e8384a(I):
    mirrored = vmirror(I)
    top = hconcat(I, mirrored)
    bottom = hmirror(top)
    O = vconcat(top, bottom)
    return O


def solve_8d5021e8(I):
    mirrored = vmirror(I)
    wide = hconcat(mirrored, I)
    turned = hmirror(wide)
    two = vconcat(turned, wide)
    O = vconcat(two, turned)
    return O


def solve_46442a0e(I):
    """The grid in its four rotations around the centre."""
    right = rot90(I)
    below = rot270(I)
    across = rot180(I)
    top = hconcat(I, right)
    bottom = hconcat(below, across)
    O = vconcat(top, bottom)
    return O


def solve_e3497940(I):
    """The right side folded over to the left."""
    left = lefthalf(I)
    right = vmirror(righthalf(I))
    cells = merge(fgpartition(right))
    O = paint(left, cells)
    return O


def solve_e9afcf9a(I):
    """The two rows change places in every second column."""
    dims = astuple(TWO, ONE)
    column = crop(I, ORIGIN, dims)
    swapped = hmirror(column)
    tile = hconcat(column, swapped)
    two = hconcat(tile, tile)
    O = hconcat(two, tile)
    return O


def solve_10fcaaa3(I):
    """Four copies, with the free diagonal neighbours in cyan."""
    row = hconcat(I, I)
    tiled = vconcat(row, row)
    groups = fgpartition(tiled)
    cells = toindices(merge(groups))
    around = mapply(ineighbors, cells)
    O = underfill(tiled, CYAN, around)
    return O


def solve_f5b8619d(I):
    """Four copies, with cyan columns where there is a cell."""
    groups = fgpartition(I)
    cells = toindices(merge(groups))
    columns = mapply(vfrontier, cells)
    lit = underfill(I, CYAN, columns)
    row = hconcat(lit, lit)
    O = vconcat(row, row)
    return O


def solve_eb281b96(I):
    """The wave goes down, up and down again."""
    mirrored = hmirror(I)
    dims = subtract(shape(I), DOWN)
    back = crop(mirrored, DOWN, dims)
    forth = crop(I, DOWN, dims)
    x1 = vconcat(I, back)
    x2 = vconcat(x1, forth)
    O = vconcat(x2, back)
    return O


def solve_11852cab(I):
    """The figure becomes symmetric in both directions."""
    figure = merge(fgpartition(I))
    wide = combine(figure, mir_rot_f(figure, R2))
    high = combine(wide, mir_rot_f(wide, R0))
    whole = combine(high, mir_rot_f(high, R1))
    O = paint(I, whole)
    return O


def solve_8e5a5113(I):
    """The empty rooms get the contents of the first one rotated by 90 and by 180 degrees."""
    room = crop(I, ORIGIN, THREE_BY_THREE)
    quarter = asobject(rot90(room))
    half = asobject(rot180(room))
    middle = shift(quarter, (0, 4))
    right = shift(half, (0, 8))
    x1 = paint(I, middle)
    O = paint(x1, right)
    return O


def solve_49d1d64f(I):
    """A frame that repeats the outermost cells, without corners."""
    dims = shape(I)
    larger = add(dims, TWO)
    blank = canvas(BLACK, larger)
    cells = asobject(I)
    offsets = dneighbors(UNITY)
    move_by = lbind(shift, cells)
    smeared = mapply(move_by, offsets)
    frame = paint(blank, smeared)
    center_cells = shift(cells, UNITY)
    O = paint(frame, center_cells)
    return O


def solve_47c1f68c(I):
    """The figure in all four corners, in the colour of the cross."""
    corner_room = lefthalf(tophalf(I))
    ink = leastcolor(corner_room)
    figure = replace(corner_room, ink, index(I, halve(shape(I))))
    top = hconcat(figure, vmirror(figure))
    O = vconcat(top, hmirror(top))
    return O


def solve_7fe24cdd(I):
    """The grid in its four rotations around the centre."""
    upper = rapply(astuple(identity, rot90), I)
    lower = rapply(astuple(rot270, rot180), I)
    top = hconcat(first(upper), last(upper))
    bottom = hconcat(first(lower), last(lower))
    O = vconcat(top, bottom)
    return O


def solve_760b3cac(I):
    """The yellow cells show on which side the figure is mirrored."""
    hand = ofcolor(I, YELLOW)
    thumb = index(I, ulcorner(hand))
    to_left = equality(thumb, YELLOW)
    side = branch(to_left, LEFT, RIGHT)
    figure = recolor(CYAN, ofcolor(I, CYAN))
    mirrored = vmirror(figure)
    offset = multiply(side, width(figure))
    O = paint(I, shift(mirrored, offset))
    return O


def solve_4938f0c2(I):
    """The figure is mirrored around the green square."""
    hub = ofcolor(I, GREEN)
    figure = recolor(RED, ofcolor(I, RED))
    ends = fork(add, ulcorner, lrcorner)
    way = subtract(ends(hub), ends(figure))
    wide = combine(figure, shift(vmirror(figure), multiply(way, RIGHT)))
    O = paint(I, combine(wide, shift(hmirror(wide), multiply(way, DOWN))))
    return O


def solve_2bcee788(I):
    """The figure is mirrored at the red line, on a green ground."""
    mirror = ofcolor(I, RED)
    figure = extract(fgpartition(I), compose(flip, matcher(color, RED)))
    beside = hmatching(figure, mirror)
    way = position(figure, mirror)
    across = multiply(way, tojvec(width(figure)))
    down = multiply(way, toivec(height(figure)))
    image = branch(beside, vmirror(figure), hmirror(figure))
    copy = shift(image, branch(beside, across, down))
    ground = canvas(GREEN, shape(I))
    O = paint(ground, combine(figure, copy))
    return O


def solve_4c5c2cf0(I):
    """The figure is mirrored around the center of the small cross."""
    groups = fgpartition(I)
    form = compose(normalize, toindices)
    cross = combine(connect(ORIGIN, TWO_BY_TWO), connect(TWO_BY_ZERO, ZERO_BY_TWO))
    hub = extract(groups, matcher(form, cross))
    figure = merge(groups)
    ends = add(ulcorner(figure), lrcorner(figure))
    way = subtract(double(center(hub)), ends)
    across = multiply(way, RIGHT)
    wide = combine(figure, shift(vmirror(figure), across))
    down = multiply(way, DOWN)
    O = paint(I, combine(wide, shift(hmirror(wide), down)))
    return O
