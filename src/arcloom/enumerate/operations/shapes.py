"""Operations from grids to grids of another shape."""

# Read as text and never imported: see arcloom.enumerate.operations.
# mypy: ignore-errors
# ruff: noqa


def content(g):  # cost 1
    """The bounding box of the cells that are not black."""
    return subgrid(difference(asindices(g), ofcolor(g, BLACK)), g)


def uncommon_content(g):  # cost 1
    """The bounding box of the cells that are not of the most frequent colour."""
    return subgrid(difference(asindices(g), ofcolor(g, mostcolor(g))), g)


def box_of_color(g, c):  # cost 1
    """The bounding box of a colour."""
    return subgrid(ofcolor(g, c), g)


def inside_of_color(g, c):
    """The part of the grid in the bounding box of a colour."""
    return trim(subgrid(ofcolor(g, c), g))


def box_of_rare_color(g):
    return subgrid(ofcolor(g, leastcolor(g)), g)


def largest_figure(g):
    """The bounding box of the largest figure."""
    return subgrid(argmax(objects(g, T, T, T), size), g)


def largest_cluster(g):
    """The bounding box of the largest figure of any colours."""
    return subgrid(argmax(objects(g, F, T, T), size), g)


def smallest_figure(g):
    """The bounding box of the smallest figure."""
    return subgrid(argmin(objects(g, T, T, T), size), g)


def inside(x, g):
    """The part of the grid in the bounding box of an object."""
    return trim(subgrid(x, g))


def picture(x):  # cost 1
    """An object on black, as large as its bounding box."""
    return paint(canvas(BLACK, shape(x)), normalize(x))


def silhouette(p, c):
    """Positions in a colour on black, as large as their bounding box."""
    return fill(canvas(BLACK, shape(p)), c, normalize(p))


def all_together(xs):
    """Objects on black, in the bounding box of all."""
    whole = merge(xs)
    return paint(canvas(BLACK, shape(whole)), normalize(whole))


def piled_up(xs):
    """Objects on black, all with the same upper left corner."""
    dims = astuple(valmax(xs, height), valmax(xs, width))
    return paint(canvas(BLACK, dims), mapply(normalize, xs))


def nested(xs):
    """Objects on black, all around the same middle."""
    dims = astuple(valmax(xs, height), valmax(xs, width))
    margin = chain(halve, lbind(subtract, dims), shape)
    return paint(canvas(BLACK, dims), mapply(fork(shift, normalize, margin), xs))


def without_repeats(g):
    """The grid without rows and columns that equal an earlier one."""
    return dmirror(dedupe(dmirror(dedupe(g))))


def squeezed(g):  # cost 1
    """The grid without rows and columns that equal the one before."""
    changes = compose(flip, fork(equality, first, last))
    before = combine(repeat(repeat(NEG_ONE, width(g)), ONE), g)
    rows = apply(last, sfilter(pair(before, g), changes))
    turned = dmirror(rows)
    above = combine(repeat(repeat(NEG_ONE, width(turned)), ONE), turned)
    return dmirror(apply(last, sfilter(pair(above, turned), changes)))


def without_black_lines(g):
    """The grid without rows and columns that are entirely black."""
    coloured = compose(positive, maximum)
    return dmirror(sfilter(dmirror(sfilter(g, coloured)), coloured))


def without_wall_lines(g):
    """The grid without rows and columns of a single colour other than black."""
    single = fork(equality, maximum, minimum)
    black = matcher(maximum, ZERO)
    keep = fork(either, compose(flip, single), black)
    return dmirror(sfilter(dmirror(sfilter(g, keep)), keep))


def made_small(g):
    """One cell for each block: the narrowest area is one wide."""
    return downscale(g, valmin(objects(g, T, F, F), width))


def content_made_small(g):
    """The bounding box of the cells that are not black, one cell for each block."""
    cut = subgrid(difference(asindices(g), ofcolor(g, BLACK)), g)
    return downscale(cut, valmin(objects(cut, T, F, F), width))


def room_colors(g):  # cost 1
    """One cell for each field between lines, in the most common colour of the field."""
    walls = mfilter(frontiers(g), compose(positive, color))
    plan = fill(canvas(BLACK, shape(g)), ONE, walls)
    fields = order(colorfilter(objects(plan, T, F, F), BLACK), ulcorner)
    colors = apply(compose(mostcolor, rbind(toobject, g)), fields)
    return merge(hsplit(repeat(colors, ONE), size(dedupe(apply(uppermost, fields)))))


def room_marks(g):
    """One cell for each field between lines, in the highest colour of the field."""
    walls = mfilter(frontiers(g), compose(positive, color))
    plan = fill(canvas(BLACK, shape(g)), ONE, walls)
    fields = order(colorfilter(objects(plan, T, F, F), BLACK), ulcorner)
    colors = apply(chain(maximum, palette, rbind(toobject, g)), fields)
    return merge(hsplit(repeat(colors, ONE), size(dedupe(apply(uppermost, fields)))))


def first_half(g):
    """The upper half of a tall grid, the left one of another."""
    return branch(portrait(g), tophalf(g), lefthalf(g))


def second_half(g):
    """The lower half of a tall grid, the right one of another."""
    return branch(portrait(g), bottomhalf(g), righthalf(g))


def first_quarter(g):
    return lefthalf(tophalf(g))


def first_square(g):  # cost 3
    """The upper left square, as large as the shorter side."""
    side = minimum(shape(g))
    return crop(g, ORIGIN, astuple(side, side))


def last_square(g):  # cost 3
    """The lower right square, as large as the shorter side."""
    side = minimum(shape(g))
    return crop(g, subtract(shape(g), side), astuple(side, side))


def first_corner(g, n):  # cost 3
    """The upper left square of some size."""
    return crop(g, ORIGIN, astuple(n, n))


def tile_of_paper(g):
    """The smallest tile whose repetition is the grid."""
    cells = asobject(g)
    return crop(g, ORIGIN, astuple(vperiod(cells), hperiod(cells)))


def framed(g, c):
    """A frame of a colour around the grid."""
    larger = canvas(c, add(shape(g), TWO))
    return paint(larger, shift(asobject(g), UNITY))


def enlarged_by_border(g):  # cost 3
    """A frame that repeats the outermost cells, with black corners."""
    cells = asobject(g)
    smeared = mapply(lbind(shift, cells), dneighbors(UNITY))
    return paint(paint(canvas(BLACK, add(shape(g), TWO)), smeared), shift(cells, UNITY))


def with_image_right(g):  # cost 1
    return hconcat(g, vmirror(g))


def with_image_left(g):
    return hconcat(vmirror(g), g)


def with_image_below(g):  # cost 1
    return vconcat(g, hmirror(g))


def with_image_above(g):
    return vconcat(hmirror(g), g)


def kaleidoscope(g):  # cost 1
    """The grid and its mirror images to the right and below."""
    top = hconcat(g, vmirror(g))
    return vconcat(top, hmirror(top))


def kaleidoscope_inwards(g):
    """The grid and its mirror images to the left and above."""
    bottom = hconcat(vmirror(g), g)
    return vconcat(hmirror(bottom), bottom)


def four_turns(g):
    """The grid in its four turns around the center."""
    top = hconcat(g, rot90(g))
    return vconcat(top, hconcat(rot270(g), rot180(g)))


def mirrored_triptych(g):  # cost 3
    """Three by three, every second one mirrored, beginning with the plain grid."""
    row = hconcat(hconcat(g, vmirror(g)), g)
    return vconcat(vconcat(row, hmirror(row)), row)


def two_by_two(g):
    row = hconcat(g, g)
    return vconcat(row, row)


def three_by_three(g):
    row = hconcat(hconcat(g, g), g)
    return vconcat(vconcat(row, row), row)


def three_by_three_waves(g):  # cost 3
    """Three by three, the middle row mirrored left and right."""
    row = hconcat(hconcat(g, g), g)
    return vconcat(vconcat(row, vmirror(row)), row)


def repeated_across(g, n):
    return dmirror(merge(repeat(dmirror(g), n)))


def repeated_down(g, n):
    return merge(repeat(g, n))


def repeated_over(g, v):
    """The grid repeated over a grid of some shape."""
    tower = merge(repeat(g, first(v)))
    return crop(dmirror(merge(repeat(dmirror(tower), last(v)))), ORIGIN, v)


def enlarged_by_colors(g):
    """The grid enlarged by its number of colours other than black."""
    return upscale(g, size(remove(BLACK, palette(g))))


def enlarged_by_cells(g):
    """The grid enlarged by its number of coloured cells."""
    return upscale(g, size(difference(asindices(g), ofcolor(g, BLACK))))


def enlarged_by_own_size(g):  # cost 3
    """The grid enlarged by its height."""
    return upscale(g, height(g))


def self_product(g):  # cost 1
    """A copy of the grid in the place of each coloured cell."""
    large = vupscale(hupscale(g, width(g)), height(g))
    tower = merge(repeat(g, height(g)))
    tiled = dmirror(merge(repeat(dmirror(tower), width(g))))
    return fill(tiled, BLACK, ofcolor(large, BLACK))


def self_product_on_black(g):
    """A copy of the grid in the place of each black cell."""
    large = vupscale(hupscale(g, width(g)), height(g))
    tower = merge(repeat(g, height(g)))
    tiled = dmirror(merge(repeat(dmirror(tower), width(g))))
    return fill(tiled, BLACK, difference(asindices(large), ofcolor(large, BLACK)))


def self_product_on(g, c):
    """A copy of the grid in the place of each cell of a colour."""
    large = vupscale(hupscale(g, width(g)), height(g))
    tower = merge(repeat(g, height(g)))
    tiled = dmirror(merge(repeat(dmirror(tower), width(g))))
    return fill(tiled, BLACK, difference(asindices(large), ofcolor(large, c)))


def product_of(g, h):
    """The second grid in the place of each coloured cell of the first."""
    large = vupscale(hupscale(g, width(h)), height(h))
    tower = merge(repeat(h, height(g)))
    tiled = dmirror(merge(repeat(dmirror(tower), width(g))))
    return fill(tiled, BLACK, ofcolor(large, BLACK))


def product_in_color_of(g, h):
    """The second grid in the place of each cell of the first, in that cell's colour."""
    large = vupscale(hupscale(g, width(h)), height(h))
    tower = merge(repeat(h, height(g)))
    tiled = dmirror(merge(repeat(dmirror(tower), width(g))))
    return fill(large, BLACK, ofcolor(tiled, BLACK))


def scaled_to(g, h):  # cost 3
    """The grid enlarged to the width of another."""
    return upscale(g, divide(width(h), width(g)))
