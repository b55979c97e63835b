"""Programs that enlarge or reduce grids and figures, or repeat them in place of their cells."""

# Read as text and never imported: see arcloom.library.bundled.
# mypy: ignore-errors
# ruff: noqa


def solve_9172f3a0(I):
    O = upscale(I, THREE)
    return O


def solve_c59eb873(I):
    O = upscale(I, TWO)
    return O


def solve_5614dbcf(I):
    """One cell for each block, without the gray noise."""
    clean = replace(I, GRAY, BLACK)
    O = downscale(clean, THREE)
    return O


def solve_ac0a08a4(I):
    colors = numcolors(I)
    factor = decrement(colors)
    O = upscale(I, factor)
    return O


def solve_b91ae062(I):
    colors = numcolors(I)
    factor = decrement(colors)
    O = upscale(I, factor)
    return O


def solve_46f33fce(I):
    """The spread cells become squares that touch."""
    dense = downscale(crop(I, UNITY, shape(I)), TWO)
    O = upscale(dense, FOUR)
    return O


def solve_f25fbde4(I):
    figures = objects(I, T, T, T)
    figure = first(figures)
    cut = subgrid(figure, I)
    O = upscale(cut, TWO)
    return O


def solve_007bbfb7(I):
    """A copy of the grid in place of each of its cells that is not black."""
    enlarged = upscale(I, THREE)
    two = hconcat(I, I)
    row = hconcat(two, I)
    rows = vconcat(row, row)
    tiled = vconcat(rows, row)
    O = cellwise(enlarged, tiled, BLACK)
    return O


def solve_90c28cc7(I):
    """One cell for each block."""
    figure = merge(fgpartition(I))
    shrink = compose(dmirror, dedupe)
    shrink_both = power(shrink, TWO)
    O = shrink_both(subgrid(figure, I))
    return O


def solve_9f236235(I):
    """One cell for each room, mirrored."""
    walls = sfilter(frontiers(I), hline)
    step = increment(valmin(walls, uppermost))
    O = vmirror(downscale(I, step))
    return O


def solve_8f2ea7aa(I):
    """A copy of the figure in place of each of its cells."""
    figure = merge(fgpartition(I))
    model = subgrid(figure, I)
    enlarged = upscale(model, THREE)
    row = hconcat(hconcat(model, model), model)
    tiled = vconcat(vconcat(row, row), row)
    O = cellwise(enlarged, tiled, BLACK)
    return O


def solve_cce03e0d(I):
    """A copy of the grid in place of each red cell."""
    enlarged = upscale(I, THREE)
    two = hconcat(I, I)
    row = hconcat(two, I)
    rows = vconcat(row, row)
    tiled = vconcat(rows, row)
    others = difference(asindices(enlarged), ofcolor(enlarged, RED))
    O = fill(tiled, BLACK, others)
    return O


def solve_77fdfe62(I):
    """The corner marks colour the quarters of the pattern."""
    outer = width(I)
    marks = downscale(I, decrement(outer))
    inner = subtract(outer, FOUR)
    dims = astuple(inner, inner)
    pattern = crop(I, TWO_BY_TWO, dims)
    quarters = upscale(marks, halve(inner))
    holes = ofcolor(pattern, BLACK)
    O = fill(quarters, BLACK, holes)
    return O


def solve_80af3007(I):
    """A small copy of the figure in place of each of its blocks."""
    figure = merge(fgpartition(I))
    model = downscale(subgrid(figure, I), THREE)
    enlarged = upscale(model, THREE)
    row = hconcat(hconcat(model, model), model)
    tiled = vconcat(vconcat(row, row), row)
    O = cellwise(enlarged, tiled, BLACK)
    return O


def solve_c3e719e8(I):
    """A copy of the grid in place of each cell of its most frequent colour."""
    common = mostcolor(I)
    enlarged = upscale(I, THREE)
    two = hconcat(I, I)
    row = hconcat(two, I)
    rows = vconcat(row, row)
    tiled = vconcat(rows, row)
    others = difference(asindices(enlarged), ofcolor(enlarged, common))
    O = fill(tiled, BLACK, others)
    return O


def solve_6ecd11f4(I):
    """The colours of the small square at the blocks of the large figure."""
    large = argmax(objects(I, T, T, T), size)
    small = argmax(objects(I, F, F, T), numcolors)
    colors = subgrid(small, I)
    factor = divide(width(large), width(small))
    mask = downscale(subgrid(large, I), factor)
    O = fill(colors, BLACK, ofcolor(mask, BLACK))
    return O


def solve_5ad4f10b(I):
    """The figure made of blocks, small and in the colour of the noise."""
    ink = color(argmax(objects(I, T, T, T), size))
    noise = other(remove(BLACK, palette(I)), ink)
    large = ofcolor(I, ink)
    small = downscale(subgrid(large, I), divide(width(large), THREE))
    O = replace(replace(small, noise, BLACK), ink, noise)
    return O


def solve_91413438(I):
    """Copies of the grid: as many as it has cells, in rows as long as the number of its holes."""
    holes = colorcount(I, BLACK)
    cells = subtract(NINE, holes)
    blank = canvas(BLACK, THREE_BY_THREE)
    copies = repeat(dmirror(I), cells)
    rest = repeat(blank, subtract(multiply(holes, holes), cells))
    ribbon = dmirror(merge(combine(copies, rest)))
    O = merge(hsplit(ribbon, holes))
    return O


def solve_6b9890af(I):
    """The figure grows until it fills the frame."""
    frame = ofcolor(I, RED)
    figure = normalize(extract(objects(I, T, T, T), compose(flip, matcher(color, RED))))
    factor = divide(subtract(width(frame), TWO), width(figure))
    grown = shift(upscale(figure, factor), UNITY)
    O = paint(subgrid(frame, I), grown)
    return O


def solve_7c008303(I):
    """The small square colours the quarters of the green pattern."""
    cells = asobject(I)
    is_frame = compose(rbind(contained, (0, 3, 8)), first)
    key = sfilter(cells, compose(flip, is_frame))
    colors = subgrid(key, I)
    start = subtract(THREE, multiply(THREE, sign(ulcorner(key))))
    pattern = crop(I, start, (6, 6))
    holes = ofcolor(pattern, BLACK)
    quarters = upscale(colors, THREE)
    O = fill(quarters, BLACK, holes)
    return O


def solve_b190f7f5(I):
    """The cyan pattern in place of each cell, in that cell's colour."""
    cut = branch(portrait(I), vsplit, hsplit)
    parts = cut(I, TWO)
    has_cyan = compose(lbind(contained, CYAN), palette)
    pattern = extract(parts, has_cyan)
    colors = other(parts, pattern)
    side = height(pattern)
    column = merge(repeat(pattern, side))
    tiled = dmirror(merge(repeat(dmirror(column), side)))
    holes = ofcolor(tiled, BLACK)
    O = fill(upscale(colors, side), BLACK, holes)
    return O


def solve_469497ad(I):
    """Enlarged, with red rays from the corners of the block."""
    factor = decrement(numcolors(I))
    grid = upscale(I, factor)
    block = argmin(objects(grid, T, F, T), fork(add, lowermost, rightmost))
    up = combine(shoot(ulcorner(block), NEG_UNITY), shoot(urcorner(block), UP_RIGHT))
    down = combine(shoot(llcorner(block), DOWN_LEFT), shoot(lrcorner(block), UNITY))
    O = underfill(grid, RED, combine(up, down))
    return O
