"""Kernels of objects: finding them in grids, filtering them, finding their occurrences.

A container of objects is stored as the objects' cells followed by their handles, so the handles end its memory.
``uint64`` around a position in a heap makes loops faster (see ``grid``).
"""

from typing import Any

from numba import uint64

from arcloom.dsl import objects as dsl
from arcloom.dsl.values import COLOUR_MAX, COLOUR_MIN
from arcloom.engine.compare import SMALL, as_set, sort_words, unique_words
from arcloom.engine.kernel import kernel
from arcloom.engine.kernels.grid import is_uniform
from arcloom.engine.kernels.paint import position_in
from arcloom.engine.kernels.patch import by_place, by_place_room, column_span, extent, first_of, row_span
from arcloom.engine.kernels.runs import (
    COLOURS,
    HALF,
    LOW_HALF,
    join_touching,
    make_runs,
    measure,
    offsets_of,
    sort_and_unite,
    sort_runs,
    without_background,
    write_begins,
    write_by_colour,
    write_objects,
)
from arcloom.engine.words import (
    BITS,
    BUDGET,
    EMPTY,
    MASK,
    area_of,
    cell,
    colour_of,
    coloured,
    column_of,
    container,
    corner_of,
    height_of,
    length,
    pair,
    row_function,
    row_of,
    start,
    width_of,
)

# Finding objects. The buffer holds in this order: the cells; the owners, later overwritten by the handles; the sorted
# runs; the unsorted runs, later overwritten by the parents; and the counts per colour. See ``runs``.


@row_function
def runs_room(heap: Any, cells: Any, picture: int) -> int:
    """Words for objects that together have all cells of a grid, and for finding them."""
    return 4 * area_of(picture) + 1 + COLOURS


@row_function
def objects_room(heap: Any, cells: Any, picture: int, univalued: int, diagonal: int, without_bg: int) -> int:
    """The bound of ``objects``."""
    return runs_room(heap, cells, picture)


@kernel(dsl.objects, "grid", "int", "int", "int", words=objects_room, deep=True, closes=True)
def objects(heap: Any, cells: Any, at: int, picture: int, univalued: int, diagonal: int, without_bg: int) -> int:
    area = area_of(picture)
    if area == 0:
        return EMPTY if height_of(picture) == 0 or without_bg else container(at, 0)
    if area > MASK:
        return BUDGET
    runs, parents = at + 2 * area, at + 3 * area
    offsets = parents + area + 1 - COLOUR_MIN
    count = write_begins(heap, cells, parents, picture)
    colours = make_runs(heap, parents, count, width_of(picture), offsets)
    if without_bg:
        count = without_background(heap, parents, count, offsets, colours)
    owners = at + offsets_of(heap, offsets, colours)
    if univalued:
        joined, total = runs, count
        sort_runs(heap, parents, count, offsets, runs, owners)
    else:
        joined, total = at, sort_and_unite(heap, parents, count, offsets, runs, owners, at)
    join_touching(heap, joined, total, parents, diagonal)
    measure(heap, joined, total, parents)
    return write_objects(heap, at, runs, count, parents, owners)


@row_function
def _partition(heap: Any, cells: Any, at: int, picture: int, without_bg: bool) -> int:
    """One object per colour of a grid that has cells."""
    area = area_of(picture)
    if area > MASK:
        return BUDGET
    runs, unsorted = at + 2 * area, at + 3 * area
    offsets = unsorted + area + 1 - COLOUR_MIN
    count = write_begins(heap, cells, unsorted, picture)
    colours = make_runs(heap, unsorted, count, width_of(picture), offsets)
    if without_bg:
        count = without_background(heap, unsorted, count, offsets, colours)
    handles = at + offsets_of(heap, offsets, colours)
    sort_runs(heap, unsorted, count, offsets, runs, handles)
    return write_by_colour(heap, at, runs, count, handles)


@kernel(dsl.partition, "grid", words=runs_room, deep=True, closes=True)
def partition(heap: Any, cells: Any, at: int, picture: int) -> int:
    return container(at, 0) if area_of(picture) == 0 else _partition(heap, cells, at, picture, False)


@kernel(dsl.fgpartition, "grid", words=runs_room, deep=True, closes=True)
def fgpartition(heap: Any, cells: Any, at: int, picture: int) -> int:
    return EMPTY if area_of(picture) == 0 else _partition(heap, cells, at, picture, True)


# Frontiers. Lines are sorted by keys: the colour in the high bits, the order among lines of one colour in the low bits.

KEY_COLOUR = 40
KEY_ROW = 17


@row_function
def _row_order(i: int, height: int) -> int:
    """The order of a row, an even number. Row 0 comes before column 0, or after it if that has only one cell."""
    if i == 0:
        return 0 if height > 1 else 2
    return i << KEY_ROW


@row_function
def _column_order(j: int) -> int:
    """The order of a column, an odd number."""
    return 2 * j + 1


@row_function
def _is_uniform_column(cells: Any, at: int, height: int, width: int) -> bool:
    """Whether all cells of the column that begins at ``at`` have the same colour."""
    i = 1
    while i < height and cells[uint64(at + i * width)] == cells[uint64(at)]:
        i += 1
    return i == height


@row_function
def _write_row_keys(heap: Any, cells: Any, at: int, picture: int) -> int:
    """Write the keys of the rows of a single colour and return their number."""
    count, width = 0, width_of(picture)
    for i in range(height_of(picture)):
        first = corner_of(picture) + i * width
        if is_uniform(cells, first, width):
            heap[at + count] = (int(cells[first]) << KEY_COLOUR) + _row_order(i, height_of(picture))
            count += 1
    return count


@row_function
def _write_column_keys(heap: Any, cells: Any, at: int, picture: int) -> int:
    """Write the keys of the columns of a single colour and return their number."""
    count = 0
    for j in range(width_of(picture)):
        first = corner_of(picture) + j
        if _is_uniform_column(cells, first, height_of(picture), width_of(picture)):
            heap[at + count] = (int(cells[first]) << KEY_COLOUR) + _column_order(j)
            count += 1
    return count


@row_function
def _write_line(heap: Any, to: int, key: int, height: int, width: int) -> int:
    """Write the cells of the line with this key and return its handle."""
    colour, order = key >> KEY_COLOUR, key & ((1 << KEY_COLOUR) - 1)
    is_row = order & 1 == 0
    first = cell(colour, order >> KEY_ROW, 0) if is_row else cell(colour, 0, order >> 1)
    count, step = (width, 1) if is_row else (height, 1 << BITS)
    for k in range(count):
        heap[uint64(to + k)] = first + k * step
    return container(to, count)


@row_function
def _frontiers_room(heap: Any, cells: Any, picture: int) -> int:
    return 2 * area_of(picture) + height_of(picture) + width_of(picture)


@kernel(dsl.frontiers, "grid", words=_frontiers_room, deep=True, closes=True)
def frontiers(heap: Any, cells: Any, at: int, picture: int) -> int:
    height, width = height_of(picture), width_of(picture)
    if height == 0:
        return EMPTY
    keys = at + 2 * height * width
    rows = _write_row_keys(heap, cells, keys, picture)
    # in a grid of one cell, row and column are the same object
    columns = _write_column_keys(heap, cells, keys + rows, picture) if height * width > 1 else 0
    sort_words(heap, keys, rows + columns)
    to, handles = at, at + rows * width + columns * height  # handles never overwrite keys that are still needed
    for k in range(rows + columns):
        line = _write_line(heap, to, heap[keys + k], height, width)
        to += length(line)
        heap[handles + k] = line
    return container(handles, rows + columns)


# Objects and grids


@row_function
def _toobject_room(heap: Any, cells: Any, patch: int, picture: int) -> int:
    return length(patch) + by_place_room(heap, patch) + COLOURS


@row_function
def _few_cells(heap: Any, cells: Any, at: int, patch: int, picture: int) -> int:
    """The cells of a grid at the positions of a small patch, sorted by comparison."""
    count = 0
    for k in range(start(patch), start(patch) + length(patch)):
        here = position_in(picture, row_of(heap[k]), column_of(heap[k]))
        if here >= 0:
            heap[at + count] = coloured(int(cells[here]), heap[k])
            count += 1
    sort_words(heap, at, count)
    return container(at, unique_words(heap, at, count))


@row_function
def _many_cells(heap: Any, cells: Any, at: int, places: int, picture: int, tally: int) -> int:
    """As ``_few_cells``, for a patch that is sorted by place: a counting sort by colour."""
    for colour in range(COLOUR_MIN, COLOUR_MAX + 1):
        heap[uint64(tally + colour)] = 0
    for k in range(start(places), start(places) + length(places)):
        here = position_in(picture, row_of(heap[uint64(k)]), column_of(heap[uint64(k)]))
        if here >= 0:
            heap[uint64(tally + int(cells[uint64(here)]))] += 1
    to = at
    for colour in range(COLOUR_MIN, COLOUR_MAX + 1):
        count = heap[uint64(tally + colour)]
        heap[uint64(tally + colour)] = to
        to += count
    for k in range(start(places), start(places) + length(places)):
        here = position_in(picture, row_of(heap[uint64(k)]), column_of(heap[uint64(k)]))
        if here >= 0:
            colour = int(cells[uint64(here)])
            heap[uint64(heap[uint64(tally + colour)])] = coloured(colour, heap[uint64(k)])
            heap[uint64(tally + colour)] += 1
    return container(at, to - at)


@kernel(dsl.toobject, "set", "grid", words=_toobject_room)
def toobject(heap: Any, cells: Any, at: int, patch: int, picture: int) -> int:
    if height_of(picture) == 0:
        return EMPTY
    if length(patch) <= SMALL:
        return _few_cells(heap, cells, at, patch, picture)
    tally = at + length(patch)
    places = by_place(heap, tally + COLOURS, patch)
    return _many_cells(heap, cells, at, places, picture, tally - COLOUR_MIN)


@row_function
def _occurrences_room(heap: Any, cells: Any, picture: int, obj: int) -> int:
    """Words for the positions, of which an empty object has the most, and for the object as a pattern."""
    if length(obj) == 0:
        return (height_of(picture) + 1) * (width_of(picture) + 1)
    return area_of(picture) + length(obj)


@row_function
def _write_pattern(heap: Any, at: int, obj: int, rows: int, columns: int, width: int) -> None:
    """Write the cells of an object as offsets from its corner in the heap, with the colours in the bits above HALF.

    The highest colour comes first: the lowest is often the background, which rarely makes a comparison fail early.
    """
    count = length(obj)
    for k in range(count):
        spot = heap[uint64(start(obj) + count - 1 - k)]
        distance = (row_of(spot) - first_of(rows)) * width + column_of(spot) - first_of(columns)
        heap[uint64(at + k)] = (colour_of(spot) << HALF) + distance


@row_function
def _agrees(heap: Any, cells: Any, pattern: int, count: int, corner: int) -> bool:
    """Whether all cells of a pattern equal those of a grid when its corner is at ``corner``."""
    for k in range(pattern, pattern + count):
        spot = heap[uint64(k)]
        if cells[uint64(corner + (spot & LOW_HALF))] != spot >> HALF:
            return False
    return True


@kernel(dsl.occurrences, "grid", "set", words=_occurrences_room)
def occurrences(heap: Any, cells: Any, at: int, picture: int, obj: int) -> int:
    height, width, count = height_of(picture), width_of(picture), length(obj)
    if height == 0:
        return EMPTY
    pattern, down, along = at + height * width, height, width
    if count > 0:
        rows, columns = row_span(heap, obj), column_span(heap, obj)
        down, along = height - extent(rows), width - extent(columns)
        if down < 0 or along < 0:
            return container(at, 0)
        _write_pattern(heap, pattern, obj, rows, columns, width)
    to = at
    for i in range(down + 1):  # in sorted order
        row = corner_of(picture) + i * width
        for j in range(along + 1):
            heap[uint64(to)] = pair(i, j)
            to += int(_agrees(heap, cells, pattern, count, row + j))
    return container(at, to - at)


# Filtering objects: elements are dropped in order, so a sorted set stays sorted


@kernel(dsl.color, "set")
def color(heap: Any, cells: Any, obj: int) -> int:
    return colour_of(heap[start(obj)]) if length(obj) > 0 else EMPTY


@row_function
def _set_room(heap: Any, cells: Any, handles: int, number: int) -> int:
    return length(handles)


@row_function
def _tuple_room(heap: Any, cells: Any, type: int, handles: int, number: int) -> int:
    return length(handles)


@row_function
def _of_colour(heap: Any, at: int, objects: int, value: int) -> int:
    """Write the handles of the objects of one colour; return their number, or a failure if an object has no colour."""
    kept = 0
    for k in range(start(objects), start(objects) + length(objects)):
        obj = heap[k]
        if length(obj) == 0:
            return EMPTY
        heap[at + kept] = obj
        kept += int(colour_of(heap[start(obj)]) == value)
    return kept


@kernel(dsl.colorfilter, "set", "int", words=_set_room)
def colorfilter_set(heap: Any, cells: Any, at: int, objects: int, value: int) -> int:
    kept = _of_colour(heap, at, objects, value)
    return kept if kept < 0 else container(at, kept)


@kernel(dsl.colorfilter, "tuple", "int", words=_tuple_room, types=("0.",))
def colorfilter_tuple(heap: Any, cells: Any, at: int, type: int, objects: int, value: int) -> int:
    kept = _of_colour(heap, at, objects, value)
    return kept if kept < 0 else container(at, as_set(heap, cells, type, at, kept))


@row_function
def _ofsize_of(heap: Any, at: int, handles: int, size: int) -> int:
    """Write the handles of the containers with this number of elements and return their number."""
    kept = 0
    for k in range(start(handles), start(handles) + length(handles)):
        heap[at + kept] = heap[k]
        kept += int(length(heap[k]) == size)
    return kept


@kernel(dsl.sizefilter, "set", "int", words=_set_room)
def sizefilter_set(heap: Any, cells: Any, at: int, handles: int, size: int) -> int:
    return container(at, _ofsize_of(heap, at, handles, size))


@kernel(dsl.sizefilter, "tuple", "int", words=_tuple_room, types=("0.",))
def sizefilter_tuple(heap: Any, cells: Any, at: int, type: int, handles: int, size: int) -> int:
    return container(at, as_set(heap, cells, type, at, _ofsize_of(heap, at, handles, size)))
