"""Kernels of patches and their measures.

Cells sort by colour, then by place. A patch of one colour, or of none, is therefore sorted by place; others are sorted
by place where a kernel needs it. A span is the pair of the first and last row, or column, of a bounding box.
"""

from typing import Any

from arcloom.dsl import patch as dsl
from arcloom.engine.compare import SMALL, sort_words, unique_words
from arcloom.engine.kernel import kernel
from arcloom.engine.kernels.arith import bounded, bounded_pair
from arcloom.engine.kernels.structure import as_many
from arcloom.engine.words import (
    BITS,
    EMPTY,
    MASK,
    NONE,
    PLACE_MASK,
    RANGE,
    coloured,
    column_of,
    container,
    height_of,
    length,
    pair,
    place_of,
    row_function,
    row_of,
    start,
    width_of,
)

first_of, last_of = row_of, column_of
"""The ends of a span of rows or columns."""


@row_function
def uniform(heap: Any, patch: int) -> bool:
    """Whether all cells of a patch have the same colour, or none has a colour. The patch is not empty."""
    return (heap[start(patch)] ^ heap[start(patch) + length(patch) - 1]) <= PLACE_MASK


@row_function
def row_span(heap: Any, patch: int) -> int:
    """The first and the last row of a patch that is not empty."""
    at, count = start(patch), length(patch)
    if uniform(heap, patch):
        return pair(row_of(heap[at]), row_of(heap[at + count - 1]))
    first, last = PLACE_MASK, 0
    for k in range(count):
        place = heap[at + k] & PLACE_MASK
        first = min(first, place)
        last = max(last, place)
    return pair(row_of(first), row_of(last))


@row_function
def column_span(heap: Any, patch: int) -> int:
    """The first and the last column of a patch that is not empty."""
    at, first, last = start(patch), MASK, 0
    for k in range(length(patch)):
        column = heap[at + k] & MASK
        first = min(first, column)
        last = max(last, column)
    return (first << BITS) | last


@row_function
def extent(span: int) -> int:
    """The number of rows or columns in a span."""
    return last_of(span) - first_of(span) + 1


@row_function
def middle(span: int) -> int:
    """The middle row or column; of two, the later one."""
    return (first_of(span) + last_of(span) + 1) // 2


@row_function
def _slot(place: int, rows: int, columns: int) -> int:
    """The index of a place among those of a bounding box, row by row."""
    return (row_of(place) - first_of(rows)) * extent(columns) + column_of(place) - first_of(columns)


@row_function
def _compact(heap: Any, at: int, count: int) -> int:
    """Drop negative words and return the number of the others."""
    kept = 0
    for k in range(count):
        word = heap[at + k]
        heap[at + kept] = word
        kept += int(word >= 0)
    return kept


# Sorting patches by place

MAP_SLACK = 1024
"""A patch is sorted on a map of its bounding box if that has at most twice as many places plus this number."""


@row_function
def _map_area(heap: Any, patch: int) -> int:
    """The area of the bounding box if sorting on a map of it is faster than comparing, otherwise 0."""
    if length(patch) <= SMALL:
        return 0
    area = extent(row_span(heap, patch)) * extent(column_span(heap, patch))
    return area if area <= 2 * length(patch) + MAP_SLACK else 0


@row_function
def by_place_room(heap: Any, patch: int) -> int:
    """The words that ``by_place`` needs."""
    if length(patch) == 0 or uniform(heap, patch):
        return 0
    return max(length(patch), _map_area(heap, patch))


@row_function
def by_place(heap: Any, at: int, patch: int) -> int:
    """The patch if it is sorted by place; otherwise its distinct places, sorted, which are written to ``at``."""
    if length(patch) == 0 or uniform(heap, patch):
        return patch
    area = _map_area(heap, patch)
    return container(at, _mapped(heap, at, patch, area) if area > 0 else _compared(heap, at, patch))


@row_function
def _compared(heap: Any, at: int, patch: int) -> int:
    """Write the distinct places of a patch, sorted by comparison, and return their number."""
    count = length(patch)
    for k in range(count):
        heap[at + k] = place_of(heap[start(patch) + k])
    sort_words(heap, at, count)
    return unique_words(heap, at, count)


@row_function
def _mapped(heap: Any, at: int, patch: int, area: int) -> int:
    """Write the distinct places of a patch, sorted on a map of the bounding box, and return their number."""
    rows, columns = row_span(heap, patch), column_span(heap, patch)
    for k in range(area):
        heap[at + k] = -1
    for k in range(length(patch)):
        place = place_of(heap[start(patch) + k])
        heap[at + _slot(place, rows, columns)] = place
    return _compact(heap, at, area)


# Measures


@row_function
def _height(heap: Any, patch: int) -> int:
    return extent(row_span(heap, patch)) if length(patch) > 0 else 0


@row_function
def _width(heap: Any, patch: int) -> int:
    return extent(column_span(heap, patch)) if length(patch) > 0 else 0


@kernel(dsl.height, "grid")
def height_grid(heap: Any, cells: Any, picture: int) -> int:
    return height_of(picture)


@kernel(dsl.height, "set")
def height_patch(heap: Any, cells: Any, patch: int) -> int:
    return bounded(_height(heap, patch))


@kernel(dsl.width, "grid")
def width_grid(heap: Any, cells: Any, picture: int) -> int:
    return width_of(picture)


@kernel(dsl.width, "set")
def width_patch(heap: Any, cells: Any, patch: int) -> int:
    return bounded(_width(heap, patch))


@kernel(dsl.shape, "grid")
def shape_grid(heap: Any, cells: Any, picture: int) -> int:
    return pair(height_of(picture), width_of(picture))


@kernel(dsl.shape, "set")
def shape_patch(heap: Any, cells: Any, patch: int) -> int:
    return bounded_pair(_height(heap, patch), _width(heap, patch))


@kernel(dsl.portrait, "grid")
def portrait_grid(heap: Any, cells: Any, picture: int) -> int:
    return int(height_of(picture) > width_of(picture))


@kernel(dsl.portrait, "set")
def portrait_patch(heap: Any, cells: Any, patch: int) -> int:
    return int(_height(heap, patch) > _width(heap, patch))


@kernel(dsl.square, "grid")
def square_grid(heap: Any, cells: Any, picture: int) -> int:
    return int(height_of(picture) == width_of(picture)) if height_of(picture) > 0 else EMPTY


@kernel(dsl.square, "set")
def square_patch(heap: Any, cells: Any, patch: int) -> int:
    height = _height(heap, patch)
    return int(length(patch) == height * height and height == _width(heap, patch))


@kernel(dsl.vline, "set")
def vline(heap: Any, cells: Any, patch: int) -> int:
    return int(_height(heap, patch) == length(patch) and _width(heap, patch) == 1)


@kernel(dsl.hline, "set")
def hline(heap: Any, cells: Any, patch: int) -> int:
    return int(_height(heap, patch) == 1 and _width(heap, patch) == length(patch))


# The bounding box: its edges, corners and middle


@kernel(dsl.uppermost, "set")
def uppermost(heap: Any, cells: Any, patch: int) -> int:
    return first_of(row_span(heap, patch)) if length(patch) > 0 else EMPTY


@kernel(dsl.lowermost, "set")
def lowermost(heap: Any, cells: Any, patch: int) -> int:
    return last_of(row_span(heap, patch)) if length(patch) > 0 else EMPTY


@kernel(dsl.leftmost, "set")
def leftmost(heap: Any, cells: Any, patch: int) -> int:
    return first_of(column_span(heap, patch)) if length(patch) > 0 else EMPTY


@kernel(dsl.rightmost, "set")
def rightmost(heap: Any, cells: Any, patch: int) -> int:
    return last_of(column_span(heap, patch)) if length(patch) > 0 else EMPTY


@kernel(dsl.ulcorner, "set")
def ulcorner(heap: Any, cells: Any, patch: int) -> int:
    return pair(first_of(row_span(heap, patch)), first_of(column_span(heap, patch))) if length(patch) > 0 else NONE


@kernel(dsl.urcorner, "set")
def urcorner(heap: Any, cells: Any, patch: int) -> int:
    return pair(first_of(row_span(heap, patch)), last_of(column_span(heap, patch))) if length(patch) > 0 else NONE


@kernel(dsl.llcorner, "set")
def llcorner(heap: Any, cells: Any, patch: int) -> int:
    return pair(last_of(row_span(heap, patch)), first_of(column_span(heap, patch))) if length(patch) > 0 else NONE


@kernel(dsl.lrcorner, "set")
def lrcorner(heap: Any, cells: Any, patch: int) -> int:
    return pair(last_of(row_span(heap, patch)), last_of(column_span(heap, patch))) if length(patch) > 0 else NONE


@row_function
def _four(heap: Any, cells: Any, patch: int) -> int:
    return 4


@kernel(dsl.corners, "set", words=_four)
def corners(heap: Any, cells: Any, at: int, patch: int) -> int:
    if length(patch) == 0:
        heap[at] = NONE
        return container(at, 1)
    rows, columns = row_span(heap, patch), column_span(heap, patch)
    heap[at] = pair(first_of(rows), first_of(columns))
    heap[at + 1] = pair(first_of(rows), last_of(columns))
    heap[at + 2] = pair(last_of(rows), first_of(columns))
    heap[at + 3] = pair(last_of(rows), last_of(columns))
    return container(at, unique_words(heap, at, 4 if extent(rows) > 1 else 2))  # a single row has only two corners


@kernel(dsl.center, "set")
def center(heap: Any, cells: Any, patch: int) -> int:
    if length(patch) < 2:  # most objects of noisy grids, which have many objects
        return place_of(heap[start(patch)]) if length(patch) else EMPTY
    return pair(middle(row_span(heap, patch)), middle(column_span(heap, patch)))


@row_function
def _centerofmass_scratch(heap: Any, cells: Any, patch: int) -> int:
    return by_place_room(heap, patch)


@kernel(dsl.centerofmass, "set", scratch=_centerofmass_scratch)
def centerofmass(heap: Any, cells: Any, at: int, patch: int) -> int:
    count, rows, columns = length(patch), 0, 0
    if count == 0:
        return NONE
    places = by_place(heap, at, patch)
    for k in range(length(places)):
        rows += row_of(heap[start(places) + k])
        columns += column_of(heap[start(places) + k])
    return pair(rows // count, columns // count)


# Colours and places


@row_function
def _has_indices_only(heap: Any, patch: int) -> bool:
    """Whether no element has a colour. Elements with a colour come last, so the last one decides."""
    return length(patch) == 0 or heap[start(patch) + length(patch) - 1] <= PLACE_MASK


@row_function
def _toindices_room(heap: Any, cells: Any, patch: int) -> int:
    return 0 if _has_indices_only(heap, patch) else max(length(patch), by_place_room(heap, patch))


@kernel(dsl.toindices, "set", words=_toindices_room)
def toindices(heap: Any, cells: Any, at: int, patch: int) -> int:
    if _has_indices_only(heap, patch):
        return patch
    places = by_place(heap, at, patch)
    for k in range(length(places)):
        heap[at + k] = place_of(heap[start(places) + k])
    return container(at, length(places))


@row_function
def _recolor_room(heap: Any, cells: Any, color: int, patch: int) -> int:
    return max(length(patch), by_place_room(heap, patch))


@kernel(dsl.recolor, "int", "set", words=_recolor_room)
def recolor(heap: Any, cells: Any, at: int, color: int, patch: int) -> int:
    places = by_place(heap, at, patch)
    for k in range(length(places)):
        heap[at + k] = coloured(color, heap[start(places) + k])
    return container(at, length(places))


@row_function
def _moved(heap: Any, at: int, patch: int, i: int, j: int) -> int:
    """Write the patch, moved by ``i`` rows and ``j`` columns within the limits of ints; it stays sorted."""
    if i == 0 and j == 0:
        return patch
    for k in range(length(patch)):
        heap[at + k] = heap[start(patch) + k] + (i << BITS) + j
    return container(at, length(patch))


@row_function
def _shift_room(heap: Any, cells: Any, patch: int, direction: int) -> int:
    return length(patch)


@kernel(dsl.shift, "set", "pair", words=_shift_room)
def shift(heap: Any, cells: Any, at: int, patch: int, direction: int) -> int:
    if length(patch) == 0:
        return patch
    i, j = row_of(direction), column_of(direction)
    rows, columns = row_span(heap, patch), column_span(heap, patch)
    if bounded_pair(first_of(rows) + i, last_of(rows) + i) == RANGE:
        return RANGE
    if bounded_pair(first_of(columns) + j, last_of(columns) + j) == RANGE:
        return RANGE
    return _moved(heap, at, patch, i, j)


@kernel(dsl.normalize, "set", words=as_many)
def normalize(heap: Any, cells: Any, at: int, patch: int) -> int:
    if length(patch) == 0:
        return patch
    rows, columns = row_span(heap, patch), column_span(heap, patch)
    if bounded_pair(extent(rows) - 1, extent(columns) - 1) == RANGE:
        return RANGE
    return _moved(heap, at, patch, -first_of(rows), -first_of(columns))


# Outlines and areas of the bounding box

FEW = 4096
"""Number of elements that every budget allows."""


@row_function
def _granted(counted: int, room: int) -> int:
    """The room to request where the reference checks the budget for more elements than the result has.

    Launchers refuse more than ``4 * budget + 4096`` words, so this request is refused exactly if ``counted`` exceeds
    the budget. Up to FEW elements, which are never refused, the room that is needed suffices.
    """
    return room if counted <= FEW else 4 * counted + 4096


@row_function
def _widened(span: int, margin: int) -> int:
    """A span with its ends moved outwards by ``margin``; swapped if a negative margin makes them cross."""
    first, last = first_of(span) - margin, last_of(span) + margin
    return bounded_pair(min(first, last), max(first, last))


@row_function
def _frame_room(heap: Any, patch: int, margin: int) -> int:
    if length(patch) == 0:
        return 0
    rows, columns = _widened(row_span(heap, patch), margin), _widened(column_span(heap, patch), margin)
    if rows == RANGE or columns == RANGE:
        return 0
    around = 2 * (extent(rows) + extent(columns) - 2)
    return _granted(around, max(around, 1))


@row_function
def _frame(heap: Any, at: int, patch: int, margin: int) -> int:
    """Write the outline of the bounding box in sorted order: row by row."""
    rows, columns = _widened(row_span(heap, patch), margin), _widened(column_span(heap, patch), margin)
    if rows == RANGE or columns == RANGE:
        return RANGE
    top, bottom = first_of(rows), last_of(rows)
    left, right = first_of(columns), last_of(columns)
    count = 0
    for i in range(top, bottom + 1):
        step = max(right - left, 1) if top < i < bottom else 1
        for j in range(left, right + 1, step):
            heap[at + count] = pair(i, j)
            count += 1
    return container(at, count)


@row_function
def _box_room(heap: Any, cells: Any, patch: int) -> int:
    return _frame_room(heap, patch, 0)


@kernel(dsl.box, "set", words=_box_room)
def box(heap: Any, cells: Any, at: int, patch: int) -> int:
    return _frame(heap, at, patch, 0) if length(patch) > 0 else patch


@row_function
def _inbox_room(heap: Any, cells: Any, patch: int) -> int:
    return _frame_room(heap, patch, -1)


@kernel(dsl.inbox, "set", words=_inbox_room)
def inbox(heap: Any, cells: Any, at: int, patch: int) -> int:
    return _frame(heap, at, patch, -1) if length(patch) > 0 else EMPTY


@row_function
def _outbox_room(heap: Any, cells: Any, patch: int) -> int:
    return _frame_room(heap, patch, 1)


@kernel(dsl.outbox, "set", words=_outbox_room)
def outbox(heap: Any, cells: Any, at: int, patch: int) -> int:
    return _frame(heap, at, patch, 1) if length(patch) > 0 else EMPTY


@row_function
def _area_room(heap: Any, cells: Any, patch: int) -> int:
    area = _height(heap, patch) * _width(heap, patch)
    return _granted(area, area)


@row_function
def _rectangle(heap: Any, at: int, rows: int, columns: int) -> int:
    """Write all places of a bounding box in sorted order, row by row, and return their number."""
    width = extent(columns)
    for i in range(extent(rows)):
        left = pair(first_of(rows) + i, first_of(columns))
        for j in range(width):
            heap[at + i * width + j] = left + j
    return extent(rows) * width


@kernel(dsl.backdrop, "set", words=_area_room)
def backdrop(heap: Any, cells: Any, at: int, patch: int) -> int:
    if length(patch) == 0:
        return patch
    return container(at, _rectangle(heap, at, row_span(heap, patch), column_span(heap, patch)))


@kernel(dsl.delta, "set", words=_area_room)
def delta(heap: Any, cells: Any, at: int, patch: int) -> int:
    if length(patch) == 0:
        return patch
    rows, columns = row_span(heap, patch), column_span(heap, patch)
    area = _rectangle(heap, at, rows, columns)
    for k in range(length(patch)):
        heap[at + _slot(heap[start(patch) + k], rows, columns)] = -1
    return container(at, _compact(heap, at, area))
