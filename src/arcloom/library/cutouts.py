"""Programs whose output is a part of the grid, or is composed of parts."""

# Read as text and never imported: see arcloom.library.bundled.
# mypy: ignore-errors
# ruff: noqa


def solve_5bd6f4ac(I):
    O = crop(I, (0, 6), THREE_BY_THREE)
    return O


def solve_d10ecb37(I):
    O = crop(I, ORIGIN, TWO_BY_TWO)
    return O


def solve_2dee498d(I):
    parts = hsplit(I, THREE)
    O = first(parts)
    return O


def solve_0b148d64(I):
    """The part with a unique colour."""
    rare = ofcolor(I, leastcolor(I))
    O = subgrid(rare, I)
    return O


def solve_1cf80156(I):
    figures = objects(I, T, T, T)
    O = subgrid(first(figures), I)
    return O


def solve_1f85a75f(I):
    """The largest figure."""
    figures = objects(I, T, T, T)
    O = subgrid(argmax(figures, size), I)
    return O


def solve_23b5c85d(I):
    """The smallest block."""
    smallest = get_arg_rank(o_g(I, R5), size, L1)
    O = subgrid(smallest, I)
    return O


def solve_9ecd008a(I):
    """The missing part, from its mirror image."""
    gap = ofcolor(I, BLACK)
    O = subgrid(gap, vmirror(I))
    return O


def solve_be94b721(I):
    """The largest figure."""
    figures = objects(I, T, F, T)
    largest = argmax(figures, size)
    O = subgrid(largest, I)
    return O


def solve_c909285e(I):
    """The inside of the frame with a unique colour."""
    rare = ofcolor(I, get_color_rank_t(I, L1))
    O = subgrid(rare, I)
    return O


def solve_dc0a314f(I):
    """The part that the green patch hides, from its mirror image."""
    patch = ofcolor(I, GREEN)
    O = subgrid(patch, rot180(I))
    return O


def solve_ff805c23(I):
    """The part that the blue patch hides, from its mirror image."""
    patch = ofcolor(I, BLUE)
    O = subgrid(patch, rot180(I))
    return O


def solve_662c240a(I):
    """The part that is not symmetric about its diagonal."""
    parts = vsplit(I, THREE)
    symmetric = fork(equality, identity, dmirror)
    odd = compose(flip, symmetric)
    O = extract(parts, odd)
    return O


def solve_7b7f7511(I):
    """One of the two equal halves."""
    tall = portrait(I)
    top = tophalf(I)
    left = lefthalf(I)
    O = branch(tall, top, left)
    return O


def solve_a740d043(I):
    groups = fgpartition(I)
    cells = merge(groups)
    cut = subgrid(cells, I)
    O = replace(cut, BLUE, BLACK)
    return O


def solve_ae4f1146(I):
    """The block with the most blue cells."""
    blocks = objects(I, F, F, T)
    blue = rbind(colorcount, BLUE)
    bluest = argmax(blocks, blue)
    O = subgrid(bluest, I)
    return O


def solve_2013d3e2(I):
    """The upper left quarter of the symmetric figure."""
    figures = objects(I, F, T, T)
    figure = first(figures)
    whole = subgrid(figure, I)
    upper = tophalf(whole)
    O = lefthalf(upper)
    return O


def solve_3f7978a0(I):
    """The part between the two gray pillars with cyan ends."""
    pillars = ofcolor(I, GRAY)
    upper = shift(pillars, UP)
    lower = shift(pillars, DOWN)
    O = subgrid(combine(upper, lower), I)
    return O


def solve_72ca375d(I):
    """The symmetric figure."""
    figures = objects(I, T, T, T)
    cut = rbind(subgrid, I)
    pieces = apply(cut, figures)
    symmetric = fork(equality, identity, vmirror)
    O = extract(pieces, symmetric)
    return O


def solve_1c786137(I):
    """The inside of the largest frame."""
    figures = objects(I, T, F, F)
    is_frame = fork(equality, toindices, box)
    frame = argmax(sfilter(figures, is_frame), size)
    O = trim(subgrid(frame, I))
    return O


def solve_2dc579da(I):
    """The field with a stain."""
    upper = hsplit(tophalf(I), TWO)
    lower = hsplit(bottomhalf(I), TWO)
    fields = combine(upper, lower)
    O = argmax(fields, numcolors)
    return O


def solve_39a8645d(I):
    """The most frequent figure."""
    figures = o_g_t(I, R7)
    common = mostcommon(apply(color, figures))
    figure = extract(figures, matcher(color, common))
    O = subgrid(figure, I)
    return O


def solve_88a62173(I):
    """The one of the four quarters that differs from the others."""
    top = tophalf(I)
    bottom = bottomhalf(I)
    upper = hsplit(top, TWO)
    lower = hsplit(bottom, TWO)
    quarters = combine(upper, lower)
    O = leastcommon(quarters)
    return O


def solve_b94a9452(I):
    """Cut out, with frame and core exchanged."""
    figure = merge(fgpartition(I))
    cut = subgrid(figure, I)
    O = switch(cut, mostcolor(cut), leastcolor(cut))
    return O


def solve_5117e062(I):
    """The figure with a cyan cell, without it."""
    figures = objects(I, F, T, T)
    marked = extract(figures, compose(lbind(contained, CYAN), p_o))
    cut = subgrid(marked, I)
    ink = mostcolor(marked)
    O = replace(cut, CYAN, ink)
    return O


def solve_8efcae92(I):
    """The block with the most red cells."""
    blank = canvas(BLACK, shape(I))
    wider = hconcat(I, blank)
    blocks = objects(wider, F, F, T)
    reddest = argmax(blocks, rbind(colorcount, RED))
    O = subgrid(reddest, I)
    return O


def solve_e50d258f(I):
    """The block with the most red cells."""
    blank = canvas(BLACK, shape(I))
    wider = hconcat(I, blank)
    blocks = objects(wider, F, F, T)
    reddest = argmax(blocks, rbind(colorcount, RED))
    O = subgrid(reddest, I)
    return O


def solve_3de23699(I):
    """The figure between four marks takes their colour."""
    cells = merge(fgpartition(I))
    framed = subgrid(cells, I)
    mark = index(framed, ORIGIN)
    inside = trim(framed)
    ink = other(palette(inside), BLACK)
    O = replace(inside, ink, mark)
    return O


def solve_48d8fb45(I):
    """The figure that carries a gray mark."""
    figures = objects(I, F, T, T)
    marked = extract(figures, compose(lbind(contained, GRAY), p_f))
    body = sfilter(marked, compose(flip, matcher(first, GRAY)))
    O = subgrid(body, I)
    return O


def solve_a61ba2ce(I):
    """The four angles become the corners of a frame."""
    angles = objects(I, T, F, T)
    gap = chain(ulcorner, delta, normalize)
    place = chain(double, lbind(subtract, ONE), gap)
    put = fork(shift, normalize, place)
    frame = mapply(put, angles)
    blank = canvas(BLACK, (4, 4))
    O = paint(blank, frame)
    return O


def solve_bc1d5164(I):
    """The four corners of the grid, one on top of the other."""
    ink = leastcolor(I)
    cut = rbind(lbind(crop, I), THREE_BY_THREE)
    ink_of = compose(rbind(ofcolor, ink), cut)
    starts = product((0, 2), (0, 4))
    marks = mapply(ink_of, starts)
    blank = canvas(BLACK, THREE_BY_THREE)
    O = fill(blank, ink, marks)
    return O


def solve_137eaa0f(I):
    """The surroundings of all gray cells, combined."""
    spots = ofcolor(I, GRAY)
    around = compose(rbind(toobject, I), neighbors)
    to_middle = lbind(subtract, UNITY)
    moved = fork(shift, around, to_middle)
    cells = mapply(moved, spots)
    blank = fill(canvas(BLACK, THREE_BY_THREE), GRAY, initset(UNITY))
    O = paint(blank, cells)
    return O


def solve_fcb5c309(I):
    """The frame with most marks inside, in the colour of the marks."""
    mark = leastcolor(I)
    figures = objects(I, T, F, T)
    frame_color = color(argmax(figures, size))
    frames = colorfilter(figures, frame_color)
    pieces = apply(rbind(subgrid, I), frames)
    richest = argmax(pieces, rbind(colorcount, mark))
    O = replace(richest, frame_color, mark)
    return O


def solve_c8cbb738(I):
    """All marks around one center."""
    marks = fgpartition(I)
    side = valmax(marks, height)
    breadth = valmax(marks, width)
    dims = astuple(side, breadth)
    margin = chain(halve, lbind(subtract, dims), shape)
    put = fork(shift, normalize, margin)
    ground = canvas(mostcolor(I), dims)
    O = paint(ground, mapply(put, marks))
    return O


def solve_a87f7484(I):
    """The part with a unique shape."""
    tall = portrait(I)
    cut = branch(tall, vsplit, hsplit)
    dims = shape(I)
    count = divide(maximum(dims), minimum(dims))
    parts = cut(I, count)
    holes_of = rbind(ofcolor, BLACK)
    shapes = apply(holes_of, parts)
    rare = leastcommon(shapes)
    is_rare = matcher(holes_of, rare)
    O = extract(parts, is_rare)
    return O


def solve_681b3aeb(I):
    """The two pieces of a puzzle, joined to a square."""
    pieces = objects(I, T, T, T)
    piece = normalize(first(pieces))
    partner = last(pieces)
    board = asindices(canvas(BLACK, THREE_BY_THREE))
    room = subtract(FOUR, shape(piece))
    rows = interval(ZERO, first(room), ONE)
    columns = interval(ZERO, last(room), ONE)
    put = lbind(shift, piece)
    rest = chain(lbind(difference, board), toindices, put)
    fits = compose(matcher(normalize, normalize(toindices(partner))), rest)
    place = extract(product(rows, columns), fits)
    ground = canvas(color(partner), THREE_BY_THREE)
    O = paint(ground, put(place))
    return O
