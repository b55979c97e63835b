"""Programs that fill enclosed areas, gaps, blocks and rooms."""

# Read as text and never imported: see arcloom.library.bundled.
# mypy: ignore-errors
# ruff: noqa


def solve_3aa6fb7a(I):
    """The missing corner of each square is blue."""
    figures = objects(I, T, F, T)
    gaps = mapply(delta, figures)
    O = fill(I, BLUE, gaps)
    return O


def solve_60b61512(I):
    """The gaps of each figure are orange."""
    figures = objects(I, T, T, T)
    gaps = mapply(delta, figures)
    O = fill(I, ORANGE, gaps)
    return O


def solve_4347f46a(I):
    """The blocks are hollowed out."""
    blocks = objects(I, T, F, T)
    inside = mapply(compose(backdrop, inbox), blocks)
    O = fill(I, BLACK, inside)
    return O


def solve_50cb2852(I):
    """The blocks are filled with cyan."""
    blocks = objects(I, T, F, T)
    inside = mapply(compose(backdrop, inbox), blocks)
    O = fill(I, CYAN, inside)
    return O


def solve_56ff96f3(I):
    """Each pair of cells spans a rectangle."""
    pairs = fgpartition(I)
    O = paint(I, mapply(fork(recolor, color, backdrop), pairs))
    return O


def solve_6d75e8bb(I):
    figure = first(objects(I, T, T, T))
    O = fill(I, RED, delta(figure))
    return O


def solve_543a7ed5(I):
    """Green around each figure, yellow inside."""
    figures = objects(I, T, F, T)
    x1 = fill(I, GREEN, mapply(outbox, figures))
    O = fill(x1, YELLOW, mapply(delta, figures))
    return O


def solve_83302e8f(I):
    """Square rooms are green, all others yellow."""
    rooms = colorfilter(objects(I, T, F, F), BLACK)
    x1 = replace(I, BLACK, YELLOW)
    O = fill(x1, GREEN, mfilter(rooms, square))
    return O


def solve_bb43febb(I):
    """The inside of the blocks is red."""
    blocks = colorfilter(objects(I, T, F, F), GRAY)
    inside = compose(backdrop, inbox)
    O = fill(I, RED, mapply(inside, blocks))
    return O


def solve_d5d6de2d(I):
    """The insides are green, and the frames disappear."""
    frames = objects(I, T, F, T)
    x1 = fill(I, BLACK, merge(frames))
    O = fill(x1, GREEN, mapply(delta, frames))
    return O


def solve_00d62c1b(I):
    """Enclosed areas are yellow."""
    areas = colorfilter(objects(I, T, F, F), BLACK)
    outside = rbind(bordering, I)
    inside = mfilter(areas, compose(flip, outside))
    O = fill(I, YELLOW, inside)
    return O


def solve_44d8ac46(I):
    """Square holes are red."""
    blocks = objects(I, T, F, T)
    holes = apply(delta, blocks)
    real = sfilter(holes, compose(positive, size))
    O = fill(I, RED, mfilter(real, square))
    return O


def solve_9edfc990(I):
    """Blue flows into the free areas beside it."""
    areas = colorfilter(objects(I, T, F, F), BLACK)
    sources = ofcolor(I, BLUE)
    O = fill(I, BLUE, mfilter(areas, rbind(adjacent, sources)))
    return O


def solve_a5313dff(I):
    """Enclosed areas are blue."""
    areas = colorfilter(objects(I, T, F, F), BLACK)
    outside = rbind(bordering, I)
    inside = mfilter(areas, compose(flip, outside))
    O = fill(I, BLUE, inside)
    return O


def solve_22168020(I):
    """Funnels are filled."""
    groups = fgpartition(I)
    lines = fork(lbind(prapply, connect), toindices, toindices)
    area = compose(merge, lines)
    O = paint(I, mapply(fork(recolor, color, area), groups))
    return O


def solve_7b6016b9(I):
    """The fields between the lines are red, the ground is green."""
    areas = colorfilter(objects(I, T, F, F), BLACK)
    inside = mfilter(areas, compose(flip, rbind(bordering, I)))
    x1 = fill(I, RED, inside)
    O = replace(x1, BLACK, GREEN)
    return O


def solve_868de0fa(I):
    """Frames of even size are filled with red, odd ones with orange."""
    holes = apply(delta, objects(I, T, F, T))
    is_even = compose(even, height)
    x1 = fill(I, ORANGE, merge(holes))
    O = fill(x1, RED, mfilter(holes, is_even))
    return O


def solve_b6afb2da(I):
    """Red blocks with yellow sides and blue corners."""
    blocks = colorfilter(objects(I, T, F, F), GRAY)
    x1 = replace(I, GRAY, RED)
    x2 = fill(x1, YELLOW, mapply(box, blocks))
    O = fill(x2, BLUE, mapply(corners, blocks))
    return O


def solve_3bdb4ada(I):
    """Every second cell of the middle row is cut out."""
    bars = objects(I, T, F, T)
    row = chain(initset, first, center)
    columns = fork(rbind(interval, TWO), compose(increment, leftmost), rightmost)
    teeth = fork(product, row, columns)
    O = fill(I, BLACK, mapply(teeth, bars))
    return O


def solve_6455b5f5(I):
    """The largest area is blue, the smallest are cyan."""
    areas = colorfilter(objects(I, T, F, F), BLACK)
    smallest = sizefilter(areas, get_val_rank_f(areas, size, F0))
    x1 = fill(I, BLUE, argmax(areas, size))
    O = fill(x1, CYAN, merge(smallest))
    return O


def solve_694f12f3(I):
    """The inside of the smaller block is blue, that of the larger red."""
    areas = objects(I, T, F, F)
    blocks = colorfilter(areas, YELLOW)
    inside = compose(backdrop, inbox)
    small = inside(argmin(blocks, size))
    large = inside(argmax(blocks, size))
    x1 = fill(I, BLUE, small)
    O = fill(x1, RED, large)
    return O


def solve_fcc82909(I):
    """Under each square a green strip, as long as the square has colours."""
    squares = objects(I, F, F, T)
    drop = compose(toivec, numcolors)
    left = fork(connect, llcorner, fork(add, llcorner, drop))
    right = fork(connect, lrcorner, fork(add, lrcorner, drop))
    strips = mapply(fork(combine, left, right), squares)
    O = underfill(I, GREEN, strips)
    return O


def solve_09629e4f(I):
    """The emptiest room is enlarged to the whole house."""
    floors = vsplit(I, THREE)
    rooms = mapply(rbind(hsplit, THREE), floors)
    emptiest = argmax(rooms, rbind(colorcount, BLACK))
    enlarged = crop(upscale(emptiest, FOUR), ORIGIN, shape(I))
    O = fill(enlarged, GRAY, ofcolor(I, GRAY))
    return O


def solve_af902bf9(I):
    """Four yellow corners enclose a red area."""
    yellow = ofcolor(I, YELLOW)
    lines = prapply(connect, yellow, yellow)
    straight = mfilter(lines, fork(either, vline, hline))
    fenced = fill(I, YELLOW, straight)
    areas = colorfilter(objects(fenced, T, F, F), BLACK)
    inside = mfilter(areas, compose(flip, rbind(bordering, I)))
    O = fill(I, RED, inside)
    return O


def solve_c0f76784(I):
    """Holes are filled with a colour that depends on their size."""
    holes = apply(delta, objects(I, T, F, T))
    x1 = fill(I, MAGENTA, merge(sizefilter(holes, ONE)))
    x2 = fill(x1, ORANGE, merge(sizefilter(holes, FOUR)))
    O = fill(x2, CYAN, merge(sizefilter(holes, NINE)))
    return O


def solve_444801d8(I):
    """The vessels overflow with the colour inside."""
    vessels = colorfilter(objects(I, T, F, T), BLUE)
    content = chain(palette, rbind(toobject, I), delta)
    ink = compose(maximum, content)
    rim = compose(rbind(shift, UP), fork(connect, ulcorner, urcorner))
    liquid = fork(combine, delta, rim)
    O = paint(I, mapply(fork(recolor, ink, liquid), vessels))
    return O


def solve_890034e9(I):
    """The frame fits around every free area of its size."""
    is_frame = fork(equality, toindices, box)
    frame = argmax(sfilter(objects(I, T, F, F), is_frame), size)
    room = delta(frame)
    free = recolor(BLACK, normalize(room))
    places = occurrences(I, free)
    frames = mapply(compose(outbox, lbind(shift, free)), places)
    O = fill(I, color(frame), frames)
    return O


def solve_d4f3cd78(I):
    """The vessel is full and runs out through the gap."""
    vessel = ofcolor(I, GRAY)
    gap = first(difference(box(vessel), vessel))
    ways = dneighbors(ORIGIN)
    rays = apply(lbind(shoot, gap), ways)
    blocked = chain(positive, size, lbind(intersection, vessel))
    stream = extract(rays, compose(flip, blocked))
    x1 = fill(I, CYAN, delta(vessel))
    O = fill(x1, CYAN, stream)
    return O


def solve_b548a754(I):
    """The frame stretches to the cyan mark."""
    mark = ofcolor(I, CYAN)
    clean = fill(I, BLACK, mark)
    frame = merge(objects(clean, F, F, T))
    inner = index(I, increment(ulcorner(frame)))
    outer = index(I, ulcorner(frame))
    whole = combine(toindices(frame), mark)
    x1 = fill(clean, inner, backdrop(whole))
    O = fill(x1, outer, box(whole))
    return O


def solve_6d0160f0(I):
    """The position of the yellow cell in its room is the new position of the room; all other rooms are cleared."""
    walls = ofcolor(I, GRAY)
    rooms = mapply(rbind(hsplit, THREE), vsplit(I, THREE))
    room = extract(rooms, compose(lbind(contained, YELLOW), p_g))
    target = multiply(first(ofcolor(room, YELLOW)), FOUR)
    house = fill(canvas(BLACK, shape(I)), GRAY, walls)
    O = paint(house, shift(asobject(room), target))
    return O


def solve_d6ad076f(I):
    """A cyan bridge between the two blocks, one cell narrower on either side."""
    blocks = fgpartition(I)
    top = valmax(blocks, uppermost)
    bottom = valmin(blocks, lowermost)
    left = valmax(blocks, leftmost)
    right = valmin(blocks, rightmost)
    shared_rows = interval(increment(top), bottom, ONE)
    gap_rows = interval(increment(bottom), top, ONE)
    shared_columns = interval(increment(left), right, ONE)
    gap_columns = interval(increment(right), left, ONE)
    rows = combine(shared_rows, gap_rows)
    columns = combine(shared_columns, gap_columns)
    O = fill(I, CYAN, product(rows, columns))
    return O


def solve_29623171(I):
    """The fullest rooms are painted, the others cleared."""
    ink = other(remove(GRAY, palette(I)), BLACK)
    count = rbind(colorcount, ink)
    counts = apply(compose(lbind(apply, count), rbind(hsplit, THREE)), vsplit(I, THREE))
    most = maximum(merge(counts))
    plan = fill(canvas(BLACK, THREE_BY_THREE), ink, ofcolor(counts, most))
    house = crop(upscale(plan, FOUR), ORIGIN, shape(I))
    O = fill(house, GRAY, ofcolor(I, GRAY))
    return O


def solve_3eda0437(I):
    """The largest free rectangle is magenta."""
    heights = interval(TWO, increment(height(I)), ONE)
    dims = product(heights, interval(TWO, increment(width(I)), ONE))
    block = compose(asindices, lbind(canvas, BLACK))
    places = chain(lbind(occurrences, I), lbind(recolor, BLACK), block)
    fits = chain(positive, size, places)
    area = fork(multiply, first, last)
    best = argmax(sfilter(dims, fits), area)
    O = fill(I, MAGENTA, shift(block(best), first(places(best))))
    return O
