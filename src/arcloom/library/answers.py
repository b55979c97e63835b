"""Programs that count, compare or summarise, and whose output is a new small grid."""

# Read as text and never imported: see arcloom.library.bundled.
# mypy: ignore-errors
# ruff: noqa


def solve_5582e5ca(I):
    """The most frequent colour everywhere."""
    common = get_color_rank_t(I, F0)
    dims = shape(I)
    O = canvas(common, dims)
    return O


def solve_445eab21(I):
    """The colour of the larger frame."""
    frames = objects(I, T, F, T)
    largest = argmax(frames, size)
    ink = color(largest)
    O = canvas(ink, TWO_BY_TWO)
    return O


def solve_44f52bb0(I):
    """Blue for a grid with left-right symmetry, orange for any other."""
    mirrored = vmirror(I)
    symmetric = equality(I, mirrored)
    answer = branch(symmetric, BLUE, ORANGE)
    O = canvas(answer, UNITY)
    return O


def solve_b9b7f026(I):
    """The colour of the block with a hole."""
    blocks = objects(I, T, F, T)
    pierced = argmax(blocks, compose(size, delta))
    O = canvas(color(pierced), UNITY)
    return O


def solve_d631b094(I):
    """All coloured cells side by side."""
    colors = palette(I)
    ink = other(colors, BLACK)
    count = colorcount(I, ink)
    dims = astuple(ONE, count)
    O = canvas(ink, dims)
    return O


def solve_239be575(I):
    """Whether a cyan path connects the two red squares."""
    networks = objects(I, F, T, T)
    reds = rbind(colorcount, RED)
    most = valmax(networks, reds)
    connected = equality(most, EIGHT)
    answer = branch(connected, CYAN, BLACK)
    O = canvas(answer, UNITY)
    return O


def solve_cdecee7f(I):
    """The cells in order of their columns, written in a zigzag."""
    spots = objects(I, T, F, T)
    sequence = order(spots, leftmost)
    colors = apply(color, sequence)
    places = ((0, 0), (0, 1), (0, 2), (1, 2), (1, 1), (1, 0), (2, 0), (2, 1), (2, 2))
    cells = celltuple(places, colors)
    blank = canvas(BLACK, THREE_BY_THREE)
    O = paint(blank, cells)
    return O


def solve_d0f5fe59(I):
    """A diagonal as long as there are figures."""
    figures = objects(I, T, F, T)
    count = size(figures)
    blank = canvas(BLACK, astuple(count, count))
    O = fill(blank, CYAN, shoot(ORIGIN, UNITY))
    return O


def solve_f8ff0b80(I):
    """The colours from the largest figure to the smallest."""
    figures = objects(I, T, T, T)
    sequence = order(figures, compose(invert, size))
    colors = apply(color, sequence)
    O = dmirror(repeat(colors, ONE))
    return O


def solve_a3325580(I):
    """A bar for each of the largest figures."""
    figures = objects(I, T, F, T)
    most = get_rank_f(apply(size, figures), F0)
    largest = sizefilter(figures, most)
    sequence = order(largest, leftmost)
    colors = apply(color, sequence)
    O = repeat(colors, most)
    return O


def solve_6773b310(I):
    """Rooms with two marks."""
    rows = vsplit(I, THREE)
    rooms = rbind(hsplit, THREE)
    marks = rbind(colorcount, MAGENTA)
    count = compose(lbind(apply, marks), rooms)
    counts = apply(count, rows)
    x1 = replace(counts, ONE, ZERO)
    O = replace(x1, TWO, ONE)
    return O


def solve_de1cd16c(I):
    """The colour of the area with most spots."""
    spot = leastcolor(I)
    areas = objects(I, T, F, F)
    spots_of = compose(rbind(colorcount, spot), rbind(subgrid, I))
    spotted = argmax(areas, spots_of)
    O = canvas(color(spotted), UNITY)
    return O


def solve_f8b3ba0a(I):
    """All but the two most frequent colours, by frequency."""
    groups = fgpartition(I)
    sequence = order(groups, compose(invert, size))
    rest = remove(first(sequence), sequence)
    O = dmirror(repeat(apply(color, rest), ONE))
    return O


def solve_1190e5a7(I):
    """One cell for each field between the lines."""
    lines = frontiers(I)
    rows = size(sfilter(lines, hline))
    columns = size(sfilter(lines, vline))
    dims = increment(astuple(rows, columns))
    O = canvas(mostcolor(I), dims)
    return O


def solve_746b3537(I):
    """One cell for each stripe."""
    stripes = objects(I, T, F, F)
    sequence = order(stripes, ulcorner)
    colors = apply(color, sequence)
    row = repeat(colors, ONE)
    column = dmirror(row)
    distinct_rows = dedupe(I)
    kinds = size(distinct_rows)
    upright = equality(kinds, ONE)
    O = branch(upright, row, column)
    return O


def solve_794b24be(I):
    """Counts the blue cells: along the top row, and the fourth in the middle."""
    count = colorcount(I, BLUE)
    steps = decrement(count)
    end = tojvec(steps)
    row = connect(ORIGIN, end)
    many = equality(count, FOUR)
    middle = insert(UNITY, row)
    marks = branch(many, middle, row)
    blank = canvas(BLACK, THREE_BY_THREE)
    O = fill(blank, RED, marks)
    return O


def solve_1fad071e(I):
    """Counts the blue squares."""
    figures = objects(I, T, F, T)
    blue = colorfilter(figures, BLUE)
    squares = sizefilter(blue, FOUR)
    count = size(squares)
    free = subtract(FIVE, count)
    marks = canvas(BLUE, astuple(ONE, count))
    rest = canvas(BLACK, astuple(ONE, free))
    O = hconcat(marks, rest)
    return O


def solve_ff28f65a(I):
    """One mark for each red square, along a chessboard."""
    squares = objects(I, T, F, T)
    count = size(squares)
    blank = canvas(BLACK, THREE_BY_THREE)
    board = asindices(blank)
    corner_places = corners(board)
    places = insert(UNITY, corner_places)
    numbers = interval(ZERO, count, ONE)
    numbered = pair(places, numbers)
    marks = apply(first, numbered)
    O = fill(blank, BLUE, marks)
    return O


def solve_4be741c5(I):
    """The sequence of the colours."""
    row = dedupe(first(I))
    column = dedupe(first(dmirror(I)))
    single = equality(size(row), ONE)
    flat = repeat(row, ONE)
    upright = dmirror(repeat(column, ONE))
    O = branch(single, upright, flat)
    return O


def solve_d9fac9be(I):
    """The cell that has no free neighbour, in the middle of a ring."""
    groups = fgpartition(I)
    marks = toindices(merge(groups))
    ring_of = compose(rbind(toobject, I), neighbors)
    open_ring = chain(lbind(contained, BLACK), palette, ring_of)
    closed_ring = compose(flip, open_ring)
    middle = extract(marks, closed_ring)
    ink = index(I, middle)
    O = canvas(ink, UNITY)
    return O


def solve_9af7a82c(I):
    """A histogram of the colours."""
    groups = partition(I)
    by_size = compose(invert, size)
    sequence = order(groups, by_size)
    longest = valmax(groups, size)
    bar = fork(repeat, color, size)
    missing = compose(lbind(subtract, longest), size)
    rest = compose(lbind(repeat, BLACK), missing)
    padded = fork(combine, bar, rest)
    rows = apply(padded, sequence)
    O = dmirror(rows)
    return O


def solve_4522001f(I):
    """The block and its shadow towards the opposite corner, both enlarged."""
    groups = fgpartition(I)
    block = merge(groups)
    place = ulcorner(block)
    start = multiply(place, FIVE)
    opposite = subtract(FOUR, multiply(place, THREE))
    square_cells = asindices(canvas(GREEN, (4, 4)))
    near = shift(square_cells, start)
    far = shift(square_cells, opposite)
    blank = canvas(BLACK, (9, 9))
    x1 = fill(blank, GREEN, near)
    O = fill(x1, GREEN, far)
    return O


def solve_b0c4d837(I):
    """Counts the empty rows of the cup."""
    cup = ofcolor(I, GRAY)
    drink = ofcolor(I, CYAN)
    inside = decrement(height(cup))
    empty = subtract(inside, height(drink))
    steps = decrement(empty)
    row = connect(ORIGIN, tojvec(steps))
    many = greater(empty, THREE)
    marks = branch(many, insert((1, 2), row), row)
    blank = canvas(BLACK, THREE_BY_THREE)
    O = fill(blank, CYAN, marks)
    return O


def solve_8e1813be(I):
    """The colours of the lines, as large as the gray square."""
    groups = fgpartition(I)
    is_gray = matcher(color, GRAY)
    gray = extract(groups, is_gray)
    lines = sfilter(groups, compose(flip, is_gray))
    flat = equality(height(first(lines)), ONE)
    sequence = order(lines, ulcorner)
    leftwards = order(lines, leftmost)
    rows = dmirror(repeat(apply(color, sequence), width(gray)))
    columns = repeat(apply(color, leftwards), height(gray))
    O = branch(flat, rows, columns)
    return O
