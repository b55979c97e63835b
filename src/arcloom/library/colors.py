"""Programs that change colours and nothing else."""

# Read as text and never imported: see arcloom.library.bundled.
# mypy: ignore-errors
# ruff: noqa


def solve_d511f180(I):
    O = switch(I, GRAY, CYAN)
    return O


def solve_0d3d703e(I):
    """Colours change in pairs."""
    x1 = switch(I, BLUE, GRAY)
    x2 = switch(x1, RED, MAGENTA)
    x3 = switch(x2, GREEN, YELLOW)
    O = switch(x3, CYAN, BURGUNDY)
    return O


def solve_f76d97a5(I):
    """Gray takes the other colour, which disappears."""
    colors = palette(I)
    ink = other(colors, GRAY)
    erased = replace(I, ink, BLACK)
    O = replace(erased, GRAY, ink)
    return O


def solve_25d8a9c8(I):
    """Rows of one colour are gray, all others black."""
    dims = shape(I)
    blank = canvas(BLACK, dims)
    lines = frontiers(I)
    rows = mfilter(lines, hline)
    O = fill(blank, GRAY, rows)
    return O


def solve_272f95fa(I):
    """The middle room and the four beside it are painted."""
    rooms = colorfilter(objects(I, T, F, F), BLACK)
    sequence = order(rooms, ulcorner)
    paints = (0, 2, 0, 4, 6, 3, 0, 1, 0)
    O = paint(I, mpapply(recolor, paints, sequence))
    return O


def solve_32597951(I):
    """Blue turns green in the cyan area."""
    area = backdrop(ofcolor(I, CYAN))
    O = fill(I, GREEN, intersection(area, ofcolor(I, BLUE)))
    return O


def solve_9565186b(I):
    """All but the most frequent colour become gray."""
    common = mostcolor(I)
    kept = ofcolor(I, common)
    dims = shape(I)
    gray = canvas(GRAY, dims)
    O = fill(gray, common, kept)
    return O


def solve_aedd82e4(I):
    """Lonely red cells become blue."""
    figures = objects(I, T, F, F)
    red = colorfilter(figures, RED)
    lonely = sizefilter(red, ONE)
    cells = merge(lonely)
    O = fill(I, BLUE, cells)
    return O


def solve_d2abd087(I):
    """Figures of six cells are red, all others blue."""
    figures = o_g(I, R5)
    x1 = replace(I, GRAY, BLUE)
    O = fill(x1, RED, merge(sizefilter(figures, SIX)))
    return O


def solve_08ed6ac7(I):
    """The bars are numbered from the longest to the shortest."""
    bars = objects(I, T, F, T)
    sequence = order(bars, compose(invert, size))
    colors = interval(ONE, FIVE, ONE)
    ranked = mpapply(recolor, colors, sequence)
    O = paint(I, ranked)
    return O


def solve_67385a82(I):
    """Green figures of more than two cells become cyan."""
    figures = objects(I, T, F, F)
    green = colorfilter(figures, GREEN)
    large = compose(rbind(greater, TWO), size)
    chosen = mfilter(green, large)
    O = fill(I, CYAN, chosen)
    return O


def solve_a5f85a15(I):
    """The diagonals are yellow in every second column."""
    groups = fgpartition(I)
    cells = toindices(merge(groups))
    in_odd = chain(flip, even, last)
    chosen = sfilter(cells, in_odd)
    O = fill(I, YELLOW, chosen)
    return O


def solve_a61f2674(I):
    """Only the longest and the shortest bar stay."""
    bars = objects(I, T, F, T)
    longest = argmax(bars, size)
    shortest = argmin(bars, size)
    blank = replace(I, GRAY, BLACK)
    x1 = fill(blank, BLUE, longest)
    O = fill(x1, RED, shortest)
    return O


def solve_aabf363d(I):
    """The figure takes the colour of the mark in the corner."""
    mark = index(I, llcorner(asindices(I)))
    clean = replace(I, mark, BLACK)
    ink = leastcolor(clean)
    O = replace(clean, ink, mark)
    return O


def solve_ba97ae07(I):
    """The bar below comes to the top."""
    bars = fgpartition(I)
    covered = argmax(bars, compose(size, delta))
    O = fill(I, color(covered), delta(covered))
    return O


def solve_d406998b(I):
    """Every second column from the right turns green."""
    mirrored = vmirror(I)
    gray = ofcolor(mirrored, GRAY)
    in_even = compose(even, last)
    chosen = sfilter(gray, in_even)
    green = fill(mirrored, GREEN, chosen)
    O = vmirror(green)
    return O


def solve_85c4e7cd(I):
    """The rings change their colours from the inside out."""
    rings = objects(I, T, F, F)
    inner_first = order(rings, size)
    outer_first = order(rings, compose(invert, size))
    colors = apply(color, outer_first)
    O = paint(I, mpapply(recolor, colors, inner_first))
    return O


def solve_ba26e723(I):
    """Every third column changes its colour."""
    yellow = ofcolor(I, YELLOW)
    columns = width(I)
    thirds = interval(ZERO, columns, THREE)
    is_third = compose(rbind(contained, thirds), last)
    chosen = sfilter(yellow, is_third)
    O = fill(I, MAGENTA, chosen)
    return O


def solve_ce9e57f2(I):
    """The lower half of each bar is cyan."""
    bars = objects(I, T, F, T)
    rise = chain(toivec, decrement, compose(halve, height))
    top = fork(subtract, llcorner, rise)
    lower = fork(connect, llcorner, top)
    O = fill(I, CYAN, mapply(lower, bars))
    return O


def solve_d23f8c26(I):
    """Only the middle column stays."""
    columns = width(I)
    middle = halve(columns)
    top = tojvec(middle)
    column = vfrontier(top)
    cells = asindices(I)
    rest = difference(cells, column)
    O = fill(I, BLACK, rest)
    return O


def solve_ea32f347(I):
    """The longest bar is blue, the next yellow, the shortest red."""
    bars = o_g(I, R5)
    x1 = fill(I, BLUE, get_arg_rank(bars, size, F0))
    x2 = fill(x1, YELLOW, get_arg_rank(bars, size, F1))
    O = fill(x2, RED, get_arg_rank(bars, size, L1))
    return O


def solve_54d9e175(I):
    """Each room is painted in the colour of its mark plus five."""
    figures = objects(I, T, F, T)
    marks = sizefilter(figures, ONE)
    room = compose(backdrop, outbox)
    paint_of = compose(rbind(add, FIVE), color)
    painted = fork(recolor, paint_of, room)
    rooms = mapply(painted, marks)
    O = paint(I, rooms)
    return O


def solve_c9f8e694(I):
    """Gray cells take the colour at the left of their row."""
    column = crop(I, ORIGIN, astuple(height(I), ONE))
    stripes = hupscale(column, width(I))
    O = paint(I, toobject(ofcolor(I, GRAY), stripes))
    return O


def solve_1f642eb9(I):
    """The outer cells leave their colour where they would hit the block."""
    groups = objects(I, T, F, T)
    block = extract(groups, matcher(color, CYAN))
    cells = sizefilter(groups, ONE)
    fly = rbind(gravitate, block)
    way = compose(crement, fly)
    hit = fork(shift, identity, way)
    O = paint(I, mapply(hit, cells))
    return O


def solve_b230c067(I):
    """The figure with a unique shape is red, the others blue."""
    figures = objects(I, T, T, T)
    form = compose(normalize, toindices)
    rare = get_common_rank_t(apply(form, totuple(figures)), F0)
    odd = extract(figures, matcher(form, rare))
    x1 = replace(I, CYAN, BLUE)
    O = fill(x1, RED, odd)
    return O


def solve_bda2d7a6(I):
    """The colours of the rings move inwards by one."""
    outer = index(I, ORIGIN)
    middle = index(I, UNITY)
    inner = index(I, TWO_BY_TWO)
    x1 = fill(I, inner, ofcolor(I, outer))
    x2 = fill(x1, outer, ofcolor(I, middle))
    O = fill(x2, middle, ofcolor(I, inner))
    return O


def solve_6e82a1ae(I):
    """Figures of four, three and two cells get different colours."""
    figures = objects(I, T, F, T)
    x1 = fill(I, BLUE, merge(sizefilter(figures, FOUR)))
    x2 = fill(x1, RED, merge(sizefilter(figures, THREE)))
    O = fill(x2, GREEN, merge(sizefilter(figures, TWO)))
    return O


def solve_810b9b61(I):
    """Blue rings become green."""
    areas = objects(I, T, F, F)
    outside = rbind(bordering, I)
    holes = mfilter(colorfilter(areas, BLACK), compose(flip, outside))
    rings = sfilter(colorfilter(areas, BLUE), rbind(adjacent, holes))
    O = fill(I, GREEN, merge(rings))
    return O


def solve_b2862040(I):
    """Blue rings become cyan."""
    areas = objects(I, T, F, F)
    outside = rbind(bordering, I)
    holes = mfilter(colorfilter(areas, BURGUNDY), compose(flip, outside))
    rings = sfilter(colorfilter(areas, BLUE), rbind(adjacent, holes))
    O = fill(I, CYAN, merge(rings))
    return O


def solve_ddf7fa4f(I):
    """Gray blocks take the colour of the mark above them."""
    parts = objects(I, T, F, T)
    blocks = colorfilter(parts, GRAY)
    marks = sizefilter(parts, ONE)
    mark_of = compose(lbind(extract, marks), lbind(lbind, vmatching))
    O = paint(I, mapply(fork(recolor, compose(color, mark_of), identity), blocks))
    return O


def solve_63613498(I):
    """The figure with the form of the framed one turns gray."""
    form = compose(normalize, toindices)
    framed = crop(I, ORIGIN, THREE_BY_THREE)
    model = normalize(difference(asindices(framed), ofcolor(framed, BLACK)))
    figures = objects(I, T, F, T)
    alike = sfilter(figures, matcher(form, model))
    copy = argmax(alike, lowermost)
    O = fill(I, GRAY, copy)
    return O


def solve_d90796e8(I):
    """Where a green and a red cell touch, the green one becomes cyan and the red one disappears."""
    figures = objects(I, F, F, T)
    has_green = compose(lbind(contained, GREEN), palette)
    has_red = compose(lbind(contained, RED), palette)
    reacts = fork(both, has_green, has_red)
    pairs = mfilter(figures, reacts)
    is_green = matcher(first, GREEN)
    greens = sfilter(pairs, is_green)
    x1 = fill(I, BLACK, pairs)
    O = fill(x1, CYAN, greens)
    return O


def solve_e8593010(I):
    """Holes of one, two and three cells get different colours."""
    holes = colorfilter(objects(I, T, F, F), BLACK)
    x1 = fill(I, GREEN, merge(sizefilter(holes, ONE)))
    x2 = fill(x1, RED, merge(sizefilter(holes, TWO)))
    O = fill(x2, BLUE, merge(sizefilter(holes, THREE)))
    return O


def solve_2204b7a8(I):
    """Green cells take the colour of the nearer wall."""
    walls = sfilter(frontiers(I), compose(positive, color))
    green = ofcolor(I, GREEN)
    distance_from = compose(lbind(lbind, manhattan), initset)
    nearest = compose(lbind(argmin, walls), distance_from)
    wall_color = compose(color, nearest)
    colored = fork(ascell, identity, wall_color)
    O = paint(I, apply(colored, green))
    return O


def solve_7447852a(I):
    """Every third triangle from the left is filled."""
    areas = objects(I, T, F, F)
    triangles = colorfilter(areas, BLACK)
    sequence = order(triangles, leftmost)
    count = size(sequence)
    numbered = pair(interval(ZERO, count, ONE), sequence)
    thirds = interval(ZERO, count, THREE)
    is_third = compose(rbind(contained, thirds), first)
    chosen = sfilter(numbered, is_third)
    cells = mapply(last, chosen)
    O = fill(I, YELLOW, cells)
    return O


def solve_941d9a10(I):
    """The first, the middle and the last room are painted."""
    rooms = colorfilter(o_g(I, R4), BLACK)
    middle_place = halve(shape(I))
    is_middle = compose(lbind(contained, middle_place), toindices)
    sequence = order(rooms, ulcorner)
    x1 = fill(I, BLUE, get_nth_t(sequence, F0))
    x2 = fill(x1, RED, extract(rooms, is_middle))
    O = fill(x2, GREEN, get_nth_t(sequence, L1))
    return O


def solve_a85d4709(I):
    """The position of the gray cell in each row determines the row's colour."""
    marks = ofcolor(I, GRAY)
    in_left = matcher(last, ZERO)
    in_middle = matcher(last, ONE)
    in_right = matcher(last, TWO)
    left = sfilter(marks, in_left)
    middle = sfilter(marks, in_middle)
    right = sfilter(marks, in_right)
    red_rows = mapply(hfrontier, left)
    yellow_rows = mapply(hfrontier, middle)
    green_rows = mapply(hfrontier, right)
    x1 = fill(I, RED, red_rows)
    x2 = fill(x1, YELLOW, yellow_rows)
    O = fill(x2, GREEN, green_rows)
    return O
