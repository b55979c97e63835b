"""Kernels of the dialect's functions. Most of them call kernels of other modules."""

from typing import Any

from numba import uint64

from arcloom.dsl import dialect as dsl
from arcloom.engine.compare import as_set, sort_words
from arcloom.engine.kernel import kernel
from arcloom.engine.kernels.container import difference_lists
from arcloom.engine.kernels.grid import picked
from arcloom.engine.kernels.objects import objects, runs_room
from arcloom.engine.kernels.paint import palette_grid, palette_set
from arcloom.engine.kernels.patch import (
    leftmost,
    llcorner,
    lowermost,
    lrcorner,
    rightmost,
    ulcorner,
    uppermost,
    urcorner,
)
from arcloom.engine.kernels.pieces import (
    COLOURS,
    SLACK,
    cmirror_set,
    dmirror_set,
    hmirror_set,
    run_end,
    vmirror_set,
)
from arcloom.engine.kernels.runs import COLOURS as ALL_COLOURS
from arcloom.engine.kernels.runs import HALF, LOW_HALF
from arcloom.engine.kernels.sets import rank_in
from arcloom.engine.kernels.structure import as_many, copied
from arcloom.engine.words import (
    BITS,
    MASK,
    MISSING,
    RANGE,
    area_of,
    colour_of,
    coloured,
    container,
    corner_of,
    height_of,
    length,
    place_of,
    row_function,
    start,
    width_of,
)

# ``objects`` with its three flags as the bits of a number


@row_function
def _variant_room(heap: Any, cells: Any, picture: int, variant: int) -> int:
    return runs_room(heap, cells, picture)


@kernel(dsl.o_g, "grid", "int", words=_variant_room, deep=True, closes=True)
def o_g(heap: Any, cells: Any, at: int, picture: int, variant: int) -> int:
    if variant < 0 or variant > 7:
        return RANGE
    return objects(heap, cells, at, picture, variant >> 2, (variant >> 1) & 1, variant & 1)


@kernel(dsl.o_g_t, "grid", "int", words=_variant_room, deep=True, closes=True)
def o_g_t(heap: Any, cells: Any, at: int, picture: int, variant: int) -> int:
    return o_g(heap, cells, at, picture, variant)


# Rotations and reflections. They are numbered from 0; bit k of a mask says whether transformation k has the property.

UNCHANGED = 7
ROWS_BACKWARDS = 0b0111001
COLUMNS_BACKWARDS = 0b1101100
TURNED = 0b1011010


@row_function
def _has(angles: int, angle: int) -> bool:
    """Whether the mask contains a transformation."""
    return (angles >> angle) & 1 != 0


@row_function
def _origin(picture: int, angle: int) -> int:
    """The position in the heap of the cell that becomes the upper left one."""
    last_row = (height_of(picture) - 1) * width_of(picture) if _has(ROWS_BACKWARDS, angle) else 0
    return corner_of(picture) + last_row + (width_of(picture) - 1 if _has(COLUMNS_BACKWARDS, angle) else 0)


@row_function
def _stride(picture: int, angle: int, down: bool) -> int:
    """The distance in the heap of cells that become neighbours in a column (``down``) or in a row."""
    if _has(TURNED, angle) == down:
        return -1 if _has(COLUMNS_BACKWARDS, angle) else 1
    return -width_of(picture) if _has(ROWS_BACKWARDS, angle) else width_of(picture)


@row_function
def _rows(picture: int, angle: int) -> int:
    """The number of rows of the transformed grid."""
    return width_of(picture) if _has(TURNED, angle) else height_of(picture)


@row_function
def _columns(picture: int, angle: int) -> int:
    """The number of columns of the transformed grid."""
    return height_of(picture) if _has(TURNED, angle) else width_of(picture)


@row_function
def _turned_room(heap: Any, cells: Any, picture: int, angle: int) -> int:
    return area_of(picture) if 0 <= angle < UNCHANGED else 0


@kernel(dsl.mir_rot_t, "grid", "int", cells=_turned_room)
def mir_rot_t(heap: Any, cells: Any, at: int, picture: int, angle: int) -> int:
    if angle == UNCHANGED:
        return picture
    if angle < 0 or angle > UNCHANGED:
        return RANGE
    down, along = _stride(picture, angle, True), _stride(picture, angle, False)
    return picked(cells, at, _rows(picture, angle), _columns(picture, angle), _origin(picture, angle), down, along)


@row_function
def _maps(cells: Any, angle: int, picture: int, other: int) -> bool:
    """Whether the transformation turns a grid into the other."""
    rows, columns = _rows(picture, angle), _columns(picture, angle)
    if rows == 0 or height_of(other) == 0:  # all grids without rows are equal
        return rows == height_of(other)
    if rows != height_of(other) or columns != width_of(other):
        return False
    down, along = _stride(picture, angle, True), _stride(picture, angle, False)
    for i in range(rows):
        source, there = _origin(picture, angle) + i * down, corner_of(other) + i * columns
        for j in range(columns):
            if cells[uint64(source + j * along)] != cells[uint64(there + j)]:
                return False
    return True


@row_function
def _maps_all(heap: Any, cells: Any, angle: int, samples: int) -> bool:
    """Whether the transformation turns each demonstration input into its output."""
    for k in range(start(samples), start(samples) + length(samples)):
        if not _maps(cells, angle, heap[start(heap[k])], heap[start(heap[k]) + 1]):
            return False
    return True


@kernel(dsl.a_mr, "tuple")
def a_mr(heap: Any, cells: Any, samples: int) -> int:
    for angle in range(UNCHANGED + 1):
        if _maps_all(heap, cells, angle, samples):
            return angle
    return MISSING


@row_function
def _mirrored_room(heap: Any, cells: Any, patch: int, angle: int) -> int:
    return 2 * length(patch) + SLACK


@kernel(dsl.mir_rot_f, "set", "int", words=_mirrored_room)
def mir_rot_f(heap: Any, cells: Any, at: int, patch: int, angle: int) -> int:
    if angle == 0:
        return hmirror_set(heap, cells, at, patch)
    if angle == 1:
        return dmirror_set(heap, cells, at, patch)
    if angle == 2:
        return vmirror_set(heap, cells, at, patch)
    if angle == 3:
        return cmirror_set(heap, cells, at, patch)
    return patch


# The bounding box


@kernel(dsl.corner, "set", "int")
def corner(heap: Any, cells: Any, patch: int, which: int) -> int:
    if which == 0:
        return ulcorner(heap, cells, patch)
    if which == 1:
        return urcorner(heap, cells, patch)
    if which == 2:
        return llcorner(heap, cells, patch)
    return lrcorner(heap, cells, patch) if which == 3 else RANGE


@kernel(dsl.col_row, "set", "int")
def col_row(heap: Any, cells: Any, patch: int, which: int) -> int:
    if which == 0:
        return lowermost(heap, cells, patch)
    if which == 1:
        return uppermost(heap, cells, patch)
    if which == 2:
        return leftmost(heap, cells, patch)
    return rightmost(heap, cells, patch) if which == 3 else RANGE


# The n-th element


@row_function
def _nth(heap: Any, at: int, count: int, n: int, missing: int) -> int:
    """The n-th of the words at ``at``, counted from the end if negative, or ``missing`` if there is none."""
    if n < -count or n >= count:
        return missing
    return heap[at + n] if n >= 0 else heap[at + count + n]


@kernel(dsl.get_nth, "list", "int")
def get_nth(heap: Any, cells: Any, handle: int, n: int) -> int:
    return _nth(heap, start(handle), length(handle), n, MISSING)


@kernel(dsl.second, "list")
def second(heap: Any, cells: Any, handle: int) -> int:
    return _nth(heap, start(handle), length(handle), 1, MISSING)


@kernel(dsl.get_rank, "set", "int")
def get_rank_set(heap: Any, cells: Any, ints: int, n: int) -> int:
    return _nth(heap, start(ints), length(ints), -1 - n, 0)


@row_function
def _rank_scratch(heap: Any, cells: Any, ints: int, n: int) -> int:
    return length(ints)


@kernel(dsl.get_rank, "tuple", "int", scratch=_rank_scratch)
def get_rank_tuple(heap: Any, cells: Any, at: int, ints: int, n: int) -> int:
    count = copied(heap, at, ints)
    sort_words(heap, at, count)
    return _nth(heap, at, count, -1 - n, 0)


# The n-th by frequency. Keys sort by descending frequency: the high bits are PLENTY minus the frequency, the low bits
# the position of the first occurrence.

PLENTY = 1 << 62
"""The key of a value that does not occur."""


@row_function
def _colour_rank_scratch(heap: Any, cells: Any, picture: int, n: int) -> int:
    return ALL_COLOURS


@kernel(dsl.get_color_rank, "grid", "int", scratch=_colour_rank_scratch)
def get_color_rank_grid(heap: Any, cells: Any, at: int, picture: int, n: int) -> int:
    for k in range(ALL_COLOURS):
        heap[uint64(at + k)] = 0
    source = corner_of(picture)
    for k in range(area_of(picture)):
        here = at + (int(cells[uint64(source + k)]) & (ALL_COLOURS - 1))
        key = heap[uint64(here)]
        heap[uint64(here)] = (key if key != 0 else PLENTY + k) - (1 << HALF)
    found = 0
    for k in range(ALL_COLOURS):
        key = heap[uint64(at + k)]
        heap[uint64(at + found)] = key
        found += int(key != 0)
    sort_words(heap, at, found)
    key = _nth(heap, at, found, n, MISSING)
    return MISSING if key == MISSING else int(cells[uint64(source + (key & LOW_HALF))])


@row_function
def _key(heap: Any, first: int, stop: int) -> int:
    """The key of the colour of the cells from ``first`` to ``stop``."""
    return PLENTY - ((stop - first) << (2 * BITS)) + place_of(heap[first])


@row_function
def _write_keys(heap: Any, at: int, obj: int) -> int:
    """Write the keys of an object's colours, lowest colour first, and return their number."""
    count, first, end = 0, start(obj), start(obj) + length(obj)
    while first < end:
        stop = run_end(heap, first, end, COLOURS)
        heap[at + count] = _key(heap, first, stop)
        count += 1
        first = stop
    return count


@kernel(dsl.get_color_rank, "set", "int", scratch=_rank_scratch)
def get_color_rank_set(heap: Any, cells: Any, at: int, obj: int, n: int) -> int:
    count = _write_keys(heap, at, obj)
    sort_words(heap, at, count)
    wanted = _nth(heap, at, count, n, MISSING)
    if wanted == MISSING:
        return MISSING
    before = n if n >= 0 else n + count
    for k in range(count):  # subtract smaller keys: what remains is the index among equal keys
        before -= int(heap[at + k] < wanted)
    first, end = start(obj), start(obj) + length(obj)
    while True:
        stop = run_end(heap, first, end, COLOURS)
        if _key(heap, first, stop) == wanted:
            if before == 0:
                return colour_of(heap[first])
            before -= 1
        first = stop


@kernel(dsl.get_common_rank, "set", "int")
def get_common_rank_set(heap: Any, cells: Any, handle: int, n: int) -> int:
    return _nth(heap, start(handle), length(handle), -1 - n, MISSING)


@row_function
def _common_rank_scratch(heap: Any, cells: Any, type: int, values: int, n: int) -> int:
    return 2 * length(values)


@kernel(dsl.get_common_rank, "tuple", "int", scratch=_common_rank_scratch, types=("0.",))
def get_common_rank_tuple(heap: Any, cells: Any, at: int, type: int, values: int, n: int) -> int:
    count = as_set(heap, cells, type, at, copied(heap, at, values))
    keys = at + length(values)
    for k in range(count):
        heap[keys + k] = PLENTY
    for k in range(length(values) - 1, -1, -1):  # backwards, so that the first occurrence overwrites the others
        here = keys + rank_in(heap, cells, type, at, count, heap[start(values) + k])
        heap[here] = ((heap[here] >> BITS) - 1) << BITS | k
    sort_words(heap, keys, count)
    key = _nth(heap, keys, count, -1 - n, MISSING)
    return MISSING if key == MISSING else heap[start(values) + (key & MASK)]


# Palettes, differences and cells


@row_function
def _palette_room(heap: Any, cells: Any, picture: int) -> int:
    return min(area_of(picture), ALL_COLOURS)


@kernel(dsl.p_g, "grid", words=_palette_room)
def p_g(heap: Any, cells: Any, at: int, picture: int) -> int:
    return palette_grid(heap, cells, at, picture)


@kernel(dsl.p_o, "set", words=as_many)
def p_o(heap: Any, cells: Any, at: int, obj: int) -> int:
    return palette_set(heap, cells, at, obj)


@kernel(dsl.p_f, "set", words=as_many)
def p_f(heap: Any, cells: Any, at: int, obj: int) -> int:
    return palette_set(heap, cells, at, obj)


@row_function
def _difference_room(heap: Any, cells: Any, a_type: int, b_type: int, a: int, b: int) -> int:
    return length(a) + length(b)


@kernel(dsl.difference_tuple, "tuple", "list", words=_difference_room, types=("0.", "1."))
def difference_tuple(heap: Any, cells: Any, at: int, a_type: int, b_type: int, a: int, b: int) -> int:
    return difference_lists(heap, cells, at, a_type, b_type, a, b)


@kernel(dsl.toij, "cell")
def toij(heap: Any, cells: Any, spot: int) -> int:
    return place_of(spot)


@kernel(dsl.ascell, "pair", "int")
def ascell(heap: Any, cells: Any, place: int, color: int) -> int:
    return coloured(color, place)


@row_function
def _shorter(heap: Any, cells: Any, places: int, colors: int) -> int:
    return min(length(places), length(colors))


@kernel(dsl.celltuple, "tuple", "tuple", words=_shorter)
def celltuple(heap: Any, cells: Any, at: int, places: int, colors: int) -> int:
    count = min(length(places), length(colors))
    for k in range(count):
        heap[uint64(at + k)] = coloured(heap[uint64(start(colors) + k)], heap[uint64(start(places) + k)])
    return container(at, count)
