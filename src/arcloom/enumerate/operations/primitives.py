"""First-order primitives."""

# Read as text and never imported: see arcloom.enumerate.operations.
# mypy: ignore-errors
# ruff: noqa


def hmirror_grid(g):  # cost 1
    return hmirror(g)


def vmirror_grid(g):  # cost 1
    return vmirror(g)


def dmirror_grid(g):  # cost 1
    return dmirror(g)


def cmirror_grid(g):  # cost 1
    return cmirror(g)


def rot90_grid(g):  # cost 1
    return rot90(g)


def rot180_grid(g):  # cost 1
    return rot180(g)


def rot270_grid(g):  # cost 1
    return rot270(g)


def tophalf_grid(g):  # cost 1
    return tophalf(g)


def bottomhalf_grid(g):  # cost 1
    return bottomhalf(g)


def lefthalf_grid(g):  # cost 1
    return lefthalf(g)


def righthalf_grid(g):  # cost 1
    return righthalf(g)


def trim_grid(g):  # cost 1
    return trim(g)


def compress_grid(g):  # cost 1
    return compress(g)


def hconcat_grids(g, h):  # cost 1
    return hconcat(g, h)


def vconcat_grids(g, h):  # cost 1
    return vconcat(g, h)


def upscale_grid(g, n):  # cost 1
    return upscale(g, n)


def hupscale_grid(g, n):
    return hupscale(g, n)


def vupscale_grid(g, n):
    return vupscale(g, n)


def downscale_grid(g, n):
    return downscale(g, n)


def replace_colour(g, c, d):  # cost 1
    return replace(g, c, d)


def switch_colours(g, c, d):  # cost 1
    return switch(g, c, d)


def fill_patch(g, c, p):  # cost 1
    return fill(g, c, p)


def fill_object(g, c, x):  # cost 1
    return fill(g, c, x)


def underfill_patch(g, c, p):  # cost 1
    return underfill(g, c, p)


def paint_object(g, x):  # cost 1
    return paint(g, x)


def underpaint_object(g, x):  # cost 1
    return underpaint(g, x)


def cover_object(g, x):  # cost 1
    return cover(g, x)


def cover_patch(g, p):  # cost 1
    return cover(g, p)


def move_object(g, x, v):
    return move(g, x, v)


def subgrid_object(x, g):  # cost 1
    return subgrid(x, g)


def subgrid_patch(p, g):  # cost 1
    return subgrid(p, g)


def canvas_of(c, v):  # cost 1
    return canvas(c, v)


def cellwise_grids(g, h, c):  # cost 1
    return cellwise(g, h, c)


def first_grid(gs):  # cost 1
    return first(gs)


def last_grid(gs):  # cost 1
    return last(gs)


def hsplit_grid(g, n):
    return hsplit(g, n)


def vsplit_grid(g, n):
    return vsplit(g, n)


def partition_grid(g):
    return partition(g)


def fgpartition_grid(g):
    return fgpartition(g)


def frontiers_grid(g):
    return frontiers(g)


def colorfilter_objects(xs, c):  # cost 1
    return colorfilter(xs, c)


def sizefilter_objects(xs, n):
    return sizefilter(xs, n)


def merge_objects(xs):  # cost 1
    return merge(xs)


def merge_patches(ps):  # cost 1
    return merge(ps)


def first_object(xs):
    return first(xs)


def last_object(xs):
    return last(xs)


def normalize_object(x):
    return normalize(x)


def shift_object(x, v):
    return shift(x, v)


def recolor_object(c, x):  # cost 1
    return recolor(c, x)


def recolor_patch(c, p):
    return recolor(c, p)


def hmirror_object(x):
    return hmirror(x)


def vmirror_object(x):
    return vmirror(x)


def upscale_object(x, n):
    return upscale(x, n)


def asobject_grid(g):
    return asobject(g)


def toobject_patch(p, g):
    return toobject(p, g)


def combine_objects(x, y):
    return combine(x, y)


def difference_objects(xs, x):
    return remove(x, xs)


def ofcolor_grid(g, c):  # cost 1
    return ofcolor(g, c)


def asindices_grid(g):
    return asindices(g)


def toindices_object(x):
    return toindices(x)


def corners_object(x):
    return corners(x)


def box_object(x):  # cost 1
    return box(x)


def inbox_object(x):
    return inbox(x)


def outbox_object(x):
    return outbox(x)


def delta_object(x):  # cost 1
    return delta(x)


def backdrop_object(x):  # cost 1
    return backdrop(x)


def box_patch(p):
    return box(p)


def inbox_patch(p):
    return inbox(p)


def outbox_patch(p):
    return outbox(p)


def delta_patch(p):
    return delta(p)


def backdrop_patch(p):
    return backdrop(p)


def shift_patch(p, v):
    return shift(p, v)


def combine_patches(p, q):
    return combine(p, q)


def intersection_patches(p, q):
    return intersection(p, q)


def difference_patches(p, q):
    return difference(p, q)


def occurrences_object(g, x):
    return occurrences(g, x)


def shoot_from(v, w):
    return shoot(v, w)


def shape_grid(g):  # cost 1
    return shape(g)


def shape_object(x):
    return shape(x)


def ulcorner_object(x):
    return ulcorner(x)


def center_object(x):
    return center(x)


def gravitate_objects(x, y):
    return gravitate(x, y)


def position_objects(x, y):
    return position(x, y)


def double_pair(v):
    return double(v)


def add_pairs(v, w):
    return add(v, w)


def subtract_pairs(v, w):
    return subtract(v, w)
