"""Programs that draw around or between marks: halos, crosses and corners."""

# Read as text and never imported: see arcloom.library.bundled.
# mypy: ignore-errors
# ruff: noqa


def solve_4258a5f9(I):
    spots = ofcolor(I, GRAY)
    halo = mapply(neighbors, spots)
    O = fill(I, BLUE, halo)
    return O


def solve_6f8cd79b(I):
    """A frame along the border."""
    cells = asindices(I)
    frame = box(cells)
    O = fill(I, CYAN, frame)
    return O


def solve_dc1df850(I):
    """Red cells get a blue halo."""
    red = ofcolor(I, RED)
    halo = mapply(neighbors, red)
    O = underfill(I, BLUE, halo)
    return O


def solve_b27ca6d3(I):
    """A green ring around each pair of cells."""
    pairs = sizefilter(objects(I, T, F, T), TWO)
    O = fill(I, GREEN, mapply(outbox, pairs))
    return O


def solve_ce22a75a(I):
    """Each cell grows to a blue square."""
    spots = objects(I, T, F, T)
    grow = compose(backdrop, outbox)
    squares = mapply(grow, spots)
    O = fill(I, BLUE, squares)
    return O


def solve_a699fb00(I):
    """Red between two blue cells."""
    blue = ofcolor(I, BLUE)
    between = intersection(shift(blue, LEFT), shift(blue, RIGHT))
    O = fill(I, RED, between)
    return O


def solve_e9614598(I):
    """A green cross halfway between the blue cells."""
    middle = centerofmass(ofcolor(I, BLUE))
    cross = insert(middle, dneighbors(middle))
    O = fill(I, GREEN, cross)
    return O


def solve_0ca9ddb6(I):
    """Red cells get yellow diagonals, blue ones orange sides."""
    diagonals = mapply(ineighbors, ofcolor(I, RED))
    sides = mapply(dneighbors, ofcolor(I, BLUE))
    x1 = fill(I, YELLOW, diagonals)
    O = fill(x1, ORANGE, sides)
    return O


def solve_928ad970(I):
    """A frame just inside the gray marks, in the colour of the figure."""
    marks = ofcolor(I, GRAY)
    ink = first(difference_tuple(p_g(I), (0, 5)))
    O = fill(I, ink, inbox(marks))
    return O


def solve_b60334d2(I):
    """A gray and blue flower for each gray cell."""
    spots = ofcolor(I, GRAY)
    petals = mapply(ineighbors, spots)
    leaves = mapply(dneighbors, spots)
    x1 = fill(I, BLACK, spots)
    x2 = fill(x1, GRAY, petals)
    O = fill(x2, BLUE, leaves)
    return O


def solve_54d82841(I):
    """Each arch drops a yellow cell to the bottom."""
    arches = objects(I, T, F, T)
    bottom = decrement(height(I))
    place = chain(lbind(astuple, bottom), last, center)
    places = apply(place, arches)
    O = fill(I, YELLOW, places)
    return O


def solve_2281f1f4(I):
    """Red where a marked row and a marked column cross."""
    gray = ofcolor(I, GRAY)
    in_top = matcher(first, ZERO)
    top = sfilter(gray, in_top)
    side = difference(gray, top)
    crossings = product(apply(first, side), apply(last, top))
    O = underfill(I, RED, crossings)
    return O


def solve_31aa019c(I):
    """The only cell of its colour, in a red ring."""
    single = merge(sizefilter(fgpartition(I), ONE))
    blank = canvas(BLACK, shape(I))
    x1 = paint(blank, single)
    O = fill(x1, RED, outbox(single))
    return O


def solve_6c434453(I):
    """Rings become red crosses."""
    figures = objects(I, T, F, T)
    rings = sizefilter(figures, EIGHT)
    middles = apply(center, rings)
    arms = mapply(dneighbors, middles)
    x1 = fill(I, BLACK, merge(rings))
    x2 = fill(x1, RED, arms)
    O = fill(x2, RED, middles)
    return O


def solve_1e32b0e9(I):
    """Every room is completed after the model in the first one, in the colour of the walls."""
    room = crop(I, ORIGIN, (5, 5))
    model = difference(asindices(room), ofcolor(room, BLACK))
    wall = index(I, (5, 5))
    rooms = product((0, 6, 12), (0, 6, 12))
    O = underfill(I, wall, mapply(lbind(shift, model), rooms))
    return O


def solve_d364b489(I):
    """Each blue cell gets a colour on every side."""
    blue = ofcolor(I, BLUE)
    x1 = fill(I, RED, shift(blue, UP))
    x2 = fill(x1, CYAN, shift(blue, DOWN))
    x3 = fill(x2, ORANGE, shift(blue, LEFT))
    O = fill(x3, MAGENTA, shift(blue, RIGHT))
    return O


def solve_67a423a3(I):
    """A yellow ring around the crossing of the two lines."""
    lines = fgpartition(I)
    across = extract(lines, matcher(height, ONE))
    upright = extract(lines, matcher(width, ONE))
    crossing = astuple(uppermost(across), leftmost(upright))
    ring = neighbors(crossing)
    O = fill(I, YELLOW, ring)
    return O


def solve_913fb3ed(I):
    """Each cell gets a ring whose colour depends on the cell's."""
    spots = objects(I, T, F, T)
    x1 = fill(I, MAGENTA, mapply(outbox, colorfilter(spots, GREEN)))
    x2 = fill(x1, BLUE, mapply(outbox, colorfilter(spots, RED)))
    O = fill(x2, YELLOW, mapply(outbox, colorfilter(spots, CYAN)))
    return O


def solve_a9f96cdd(I):
    """The red cell is replaced by its four diagonal neighbours in four different colours."""
    spot = ofcolor(I, RED)
    blank = replace(I, RED, BLACK)
    nw = shift(spot, NEG_UNITY)
    ne = shift(spot, UP_RIGHT)
    sw = shift(spot, DOWN_LEFT)
    se = shift(spot, UNITY)
    x1 = fill(blank, GREEN, nw)
    x2 = fill(x1, MAGENTA, ne)
    x3 = fill(x2, CYAN, sw)
    O = fill(x3, ORANGE, se)
    return O


def solve_cbded52d(I):
    """Between two equal marks there is a third."""
    marks = fgpartition(I)
    right = rbind(shift, (0, 3))
    left = rbind(shift, (0, -3))
    down = rbind(shift, (3, 0))
    up = rbind(shift, (-3, 0))
    across = mapply(fork(intersection, left, right), marks)
    upright = mapply(fork(intersection, up, down), marks)
    x1 = paint(I, across)
    O = paint(x1, upright)
    return O


def solve_95990924(I):
    """Four colours at the corners of each square."""
    around = apply(outbox, o_g(I, R5))
    x1 = fill(I, BLUE, apply(rbind(corner, R0), around))
    x2 = fill(x1, RED, apply(rbind(corner, R1), around))
    x3 = fill(x2, GREEN, apply(rbind(corner, R2), around))
    O = fill(x3, YELLOW, apply(rbind(corner, R3), around))
    return O


def solve_0962bcdd(I):
    """The flowers open: longer arms, and diagonals in the colour of the core."""
    flowers = objects(I, F, F, T)
    core = leastcolor(I)
    petal = other(palette(first(flowers)), core)
    falling = compose(fork(connect, ulcorner, lrcorner), outbox)
    rising = compose(fork(connect, llcorner, urcorner), outbox)
    lines = compose(fork(combine, vfrontier, hfrontier), center)
    arms = fork(intersection, outbox, lines)
    x1 = fill(I, core, mapply(fork(combine, falling, rising), flowers))
    O = fill(x1, petal, mapply(arms, flowers))
    return O


def solve_93b581b8(I):
    """Each cell of the square throws its colour over the opposite corner."""
    groups = fgpartition(I)
    core = merge(groups)
    nw = ulcorner(core)
    ne = urcorner(core)
    sw = llcorner(core)
    se = lrcorner(core)
    patch = asindices(canvas(BLACK, TWO_BY_TWO))
    start = shift(patch, nw)
    x1 = fill(I, index(I, se), shift(start, (-2, -2)))
    x2 = fill(x1, index(I, sw), shift(start, (-2, 2)))
    x3 = fill(x2, index(I, ne), shift(start, (2, -2)))
    O = fill(x3, index(I, nw), shift(start, TWO_BY_TWO))
    return O


def solve_db93a21d(I):
    """Blocks get green frames half as thick as they are, and blue shadows below."""
    blocks = objects(I, T, F, T)
    thickness = compose(halve, width)
    between = rbind(interval, ONE)
    top = fork(subtract, uppermost, thickness)
    bottom = fork(add, compose(increment, lowermost), thickness)
    left = fork(subtract, leftmost, thickness)
    right = fork(add, compose(increment, rightmost), thickness)
    frame = fork(product, fork(between, top, bottom), fork(between, left, right))
    shadow = compose(lbind(mapply, rbind(shoot, DOWN)), toindices)
    x1 = fill(I, BLUE, mapply(shadow, blocks))
    x2 = fill(x1, GREEN, mapply(frame, blocks))
    O = paint(x2, merge(blocks))
    return O


def solve_22233c11(I):
    """Cyan at the open corners of each diagonal pair."""
    pairs = objects(I, T, T, T)
    reach = compose(halve, width)
    down = compose(toivec, reach)
    right = compose(tojvec, reach)
    rising = fork(subtract, right, down)
    falling = fork(add, right, down)
    one = fork(combine, fork(shift, delta, rising), fork(shift, delta, compose(invert, rising)))
    two = fork(combine, fork(shift, delta, falling), fork(shift, delta, compose(invert, falling)))
    around = fork(combine, one, two)
    rows = compose(lbind(mapply, hfrontier), toindices)
    columns = compose(lbind(mapply, vfrontier), toindices)
    beyond = fork(difference, around, fork(combine, rows, columns))
    O = fill(I, CYAN, mapply(beyond, pairs))
    return O


def solve_3befdf3e(I):
    """Frame and core change their colours, and the frame throws its old one over all four sides."""
    blocks = objects(I, F, F, T)
    ink_at = lbind(index, I)
    outer = compose(ink_at, ulcorner)
    inner = compose(ink_at, center)
    reach = compose(rbind(subtract, TWO), width)
    down = fork(shift, backdrop, compose(toivec, reach))
    up = fork(shift, backdrop, chain(toivec, invert, reach))
    right = fork(shift, backdrop, compose(tojvec, reach))
    left = fork(shift, backdrop, chain(tojvec, invert, reach))
    wings = fork(combine, fork(combine, up, down), fork(combine, left, right))
    core = compose(backdrop, inbox)
    x1 = paint(I, mapply(fork(recolor, outer, wings), blocks))
    x2 = paint(x1, mapply(fork(recolor, inner, backdrop), blocks))
    O = paint(x2, mapply(fork(recolor, outer, core), blocks))
    return O
