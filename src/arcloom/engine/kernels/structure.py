"""Kernels of the structural operations: coercions, records, and reductions of a frame's values."""

from typing import Any

from arcloom.dsl.values import COLOUR_MAX, COLOUR_MIN, INT_LIMIT, MAX_TURNS
from arcloom.engine.compare import CONTAINER, SCALAR, SMALL, compare
from arcloom.engine.kernel import kernel
from arcloom.engine.kernels.sets import made_set, made_words, without_repeats
from arcloom.engine.words import (
    ABSENT,
    BUDGET,
    EMPTY,
    FAILED,
    LOWEST,
    MISSING,
    NONE,
    RANGE,
    SHAPE,
    SIDE_MASK,
    ZERO,
    area_of,
    colour_of,
    coloured,
    column_of,
    container,
    corner_of,
    grid,
    height_of,
    length,
    pair,
    place_of,
    row_function,
    row_of,
    start,
    width_of,
)


@row_function
def two(heap: Any, cells: Any, value: int) -> int:
    return 2


@row_function
def as_many(heap: Any, cells: Any, handle: int) -> int:
    return length(handle)


# Coercions


@kernel("truth", "int")
def truth(heap: Any, cells: Any, number: int) -> int:
    return 1 if number != 0 else 0


@kernel("present", "perhaps", types=("#",))
def present(heap: Any, cells: Any, reason: int, value: int) -> int:
    return FAILED + reason if value == NONE else value


@kernel("listed", "pair", words=two)
def listed_pair(heap: Any, cells: Any, at: int, both: int) -> int:
    heap[at] = row_of(both)
    heap[at + 1] = column_of(both)
    return container(at, 2)


@kernel("listed", "perhaps", words=two)
def listed_perhaps(heap: Any, cells: Any, at: int, both: int) -> int:
    if both == NONE:
        return container(at, 0)
    heap[at] = row_of(both)
    heap[at + 1] = column_of(both)
    return container(at, 2)


@row_function
def _rows_room(heap: Any, cells: Any, picture: int) -> int:
    return height_of(picture) * (1 + width_of(picture))


@kernel("rows", "grid", words=_rows_room, deep=True)
def rows(heap: Any, cells: Any, at: int, picture: int) -> int:
    height, width = height_of(picture), width_of(picture)
    source = corner_of(picture)
    for i in range(height):
        row = at + height + i * width
        heap[at + i] = container(row, width)
        for j in range(width):
            heap[row + j] = cells[source + i * width + j]
    return container(at, height)


@row_function
def _gridded_room(heap: Any, cells: Any, handle: int) -> int:
    if length(handle) == 0:
        return 0
    return length(handle) * length(heap[start(handle)])


@kernel("gridded", "tuple", cells=_gridded_room)
def gridded(heap: Any, cells: Any, at: int, handle: int) -> int:
    height = length(handle)
    if height == 0:
        return grid(at, 0, 0)
    width = length(heap[start(handle)])
    for i in range(height):
        if length(heap[start(handle) + i]) != width:
            return SHAPE
    if height > SIDE_MASK or width > SIDE_MASK:
        return BUDGET
    for i in range(height):
        row = start(heap[start(handle) + i])
        for j in range(width):
            colour = heap[row + j]
            if colour < COLOUR_MIN or colour > COLOUR_MAX:
                return RANGE
            cells[at + i * width + j] = colour
    return grid(at, height, width)


@kernel("paired", "tuple")
def paired(heap: Any, cells: Any, handle: int) -> int:
    if length(handle) != 2:
        return ABSENT if length(handle) == 0 else SHAPE
    return pair(heap[start(handle)], heap[start(handle) + 1])


@kernel("boxed", "tuple", "int")
def boxed(heap: Any, cells: Any, handle: int, count: int) -> int:
    if length(handle) != count:
        return ABSENT if length(handle) == 0 else SHAPE
    return handle


@row_function
def copied(heap: Any, at: int, handle: int) -> int:
    """Copy a container's elements to ``at`` and return their number."""
    source = start(handle)
    for k in range(length(handle)):
        heap[at + k] = heap[source + k]
    return length(handle)


@row_function
def _twice_as_many(heap: Any, cells: Any, handle: int) -> int:
    return 2 * length(handle)


@kernel("distinct", "tuple", words=_twice_as_many)
def distinct(heap: Any, cells: Any, at: int, handle: int) -> int:
    return made_words(heap, cells, at, copied(heap, at, handle))


@row_function
def _stacked_room(heap: Any, cells: Any, top: int, bottom: int) -> int:
    return area_of(top) + area_of(bottom)


@kernel("stacked", "grid", "grid", cells=_stacked_room)
def stacked(heap: Any, cells: Any, at: int, top: int, bottom: int) -> int:
    height = height_of(top) + height_of(bottom)
    if height_of(top) == 0:
        return bottom
    if height_of(bottom) == 0:
        return top
    if width_of(top) != width_of(bottom):
        return SHAPE
    if height > SIDE_MASK:
        return BUDGET
    for k in range(area_of(top)):
        cells[at + k] = cells[corner_of(top) + k]
    for k in range(area_of(bottom)):
        cells[at + area_of(top) + k] = cells[corner_of(bottom) + k]
    return grid(at, height, width_of(top))


@kernel("counted", "int")
def counted(heap: Any, cells: Any, times: int) -> int:
    if times > MAX_TURNS:
        return BUDGET
    return times if times >= 1 else RANGE


@kernel("modulo", "int", "int")
def modulo(heap: Any, cells: Any, a: int, b: int) -> int:
    return ZERO if b == 0 else a - a // b * b


@kernel("total", "list")
def total(heap: Any, cells: Any, numbers: int) -> int:
    result = 0
    for k in range(length(numbers)):
        result += heap[start(numbers) + k]
    return result if -INT_LIMIT <= result <= INT_LIMIT else RANGE


@kernel("void", "list")
def void(heap: Any, cells: Any, handle: int) -> int:
    return handle if length(handle) == 0 else SHAPE


# Records


@kernel("record", "int", "int")
def record_pair(heap: Any, cells: Any, i: int, j: int) -> int:
    return pair(i, j)


@kernel("record", "int", "pair")
def record_cell(heap: Any, cells: Any, colour: int, place: int) -> int:
    return coloured(colour, place)


@row_function
def _two_of_two(heap: Any, cells: Any, a: int, b: int) -> int:
    return 2


@kernel("record", "*", "*", words=_two_of_two)
def record_box(heap: Any, cells: Any, at: int, a: int, b: int) -> int:
    heap[at] = a
    heap[at + 1] = b
    return container(at, 2)


@row_function
def _one(heap: Any, cells: Any, value: int) -> int:
    return 1


@kernel("single", "*", words=_one)
def single(heap: Any, cells: Any, at: int, value: int) -> int:
    heap[at] = value
    return container(at, 1)


@row_function
def _one_more(heap: Any, cells: Any, handle: int, value: int) -> int:
    return length(handle) + 1


@kernel("append", "*", "*", words=_one_more)
def append(heap: Any, cells: Any, at: int, handle: int, value: int) -> int:
    count = copied(heap, at, handle)
    heap[at + count] = value
    return container(at, count + 1)


@kernel("field0", "pair")
def field0_pair(heap: Any, cells: Any, both: int) -> int:
    return row_of(both)


@kernel("field1", "pair")
def field1_pair(heap: Any, cells: Any, both: int) -> int:
    return column_of(both)


@kernel("field0", "cell")
def field0_cell(heap: Any, cells: Any, spot: int) -> int:
    return colour_of(spot)


@kernel("field1", "cell")
def field1_cell(heap: Any, cells: Any, spot: int) -> int:
    return place_of(spot)


@kernel("field", "box", types=("#",))
def field_box(heap: Any, cells: Any, k: int, box: int) -> int:
    return heap[start(box) + k]


@kernel("guard", "*", "*")
def guard(heap: Any, cells: Any, earlier: int, value: int) -> int:
    return value


# Reductions of a frame's values


@row_function
def _elements_room(heap: Any, cells: Any, source: int, values: Any, first: int) -> int:
    return length(source)


@row_function
def _twice_room(heap: Any, cells: Any, type: int, source: int, values: Any, first: int) -> int:
    return 2 * length(source)


@kernel("collect", "list", "*", words=_elements_room, reduces=True)
def collect_tuple(heap: Any, cells: Any, at: int, source: int, values: Any, first: int) -> int:
    for k in range(length(source)):
        heap[at + k] = values[first + k]
    return container(at, length(source))


@row_function
def _collected_room(heap: Any, cells: Any, type: int, source: int, values: Any, first: int) -> int:
    return 4 * length(source)


@kernel("collect_set", "set", "*", words=_collected_room, types=("1",), reduces=True)
def collect_set(heap: Any, cells: Any, at: int, type: int, source: int, values: Any, first: int) -> int:
    count = length(source)
    for k in range(count):
        heap[at + k] = values[first + k]
    if count > SMALL and heap[type] == CONTAINER:
        count = without_repeats(heap, cells, type, at, count)
    return made_set(heap, cells, type, at, count)


@kernel("keep", "list", "int", words=_elements_room, reduces=True)
def keep(heap: Any, cells: Any, at: int, source: int, values: Any, first: int) -> int:
    kept = 0
    for k in range(length(source)):
        if values[first + k] != 0:
            heap[at + kept] = heap[start(source) + k]
            kept += 1
    return container(at, kept)


@kernel("pick", "list", "int", reduces=True, lazy=True)
def pick(heap: Any, cells: Any, source: int, values: Any, first: int) -> int:
    for k in range(length(source)):
        if values[first + k] < LOWEST:
            return values[first + k]
        if values[first + k] != 0:
            return heap[start(source) + k]
    return MISSING


@row_function
def _best(heap: Any, cells: Any, type: int, sign: int, count: int, values: Any, first: int) -> int:
    """The position of the first value that is greatest (sign 1) or least (sign -1)."""
    best = 0
    if heap[type] == SCALAR:
        for k in range(1, count):
            value, most = values[first + k], values[first + best]
            if (value > most) if sign > 0 else (value < most):
                best = k
        return best
    for k in range(1, count):
        if sign * compare(heap, cells, type, values[first + k], values[first + best]) > 0:
            best = k
    return best


@kernel("argmax", "list", "*", types=("1",), reduces=True)
def argmax(heap: Any, cells: Any, type: int, source: int, values: Any, first: int) -> int:
    if length(source) == 0:
        return EMPTY
    return heap[start(source) + _best(heap, cells, type, 1, length(source), values, first)]


@kernel("argmin", "list", "*", types=("1",), reduces=True)
def argmin(heap: Any, cells: Any, type: int, source: int, values: Any, first: int) -> int:
    if length(source) == 0:
        return EMPTY
    return heap[start(source) + _best(heap, cells, type, -1, length(source), values, first)]


@kernel("valmax", "list", "*", types=("1",), reduces=True)
def valmax(heap: Any, cells: Any, type: int, source: int, values: Any, first: int) -> int:
    if length(source) == 0:
        return EMPTY
    return values[first + _best(heap, cells, type, 1, length(source), values, first)]


@kernel("valmin", "list", "*", types=("1",), reduces=True)
def valmin(heap: Any, cells: Any, type: int, source: int, values: Any, first: int) -> int:
    if length(source) == 0:
        return EMPTY
    return values[first + _best(heap, cells, type, -1, length(source), values, first)]


@row_function
def _sorted_positions(
    heap: Any, cells: Any, at: int, type: int, sign: int, source: int, values: Any, first: int
) -> int:
    """The elements of a container, sorted by their values: a stable bottom-up merge sort.

    Each pass merges positions from one half of the buffer into the other; at the end elements replace positions.
    """
    count = length(source)
    for k in range(count):
        heap[at + k] = k
    here, there = at, at + count
    width = 1
    while width < count:
        for low in range(0, count, 2 * width):
            middle, high = min(low + width, count), min(low + 2 * width, count)
            a, b = low, middle
            for k in range(low, high):
                take_a = b >= high
                if a < middle and b < high:
                    x, y = values[first + heap[here + a]], values[first + heap[here + b]]
                    take_a = sign * compare(heap, cells, type, x, y) <= 0
                if take_a:
                    heap[there + k] = heap[here + a]
                    a += 1
                else:
                    heap[there + k] = heap[here + b]
                    b += 1
        here, there = there, here
        width *= 2
    for k in range(count):
        heap[at + k] = heap[start(source) + heap[here + k]]
    return container(at, count)


@kernel("order", "list", "*", words=_twice_room, types=("1",), reduces=True)
def order(heap: Any, cells: Any, at: int, type: int, source: int, values: Any, first: int) -> int:
    return _sorted_positions(heap, cells, at, type, 1, source, values, first)


@kernel("rank", "list", "*", words=_twice_room, types=("1",), reduces=True)
def rank(heap: Any, cells: Any, at: int, type: int, source: int, values: Any, first: int) -> int:
    return _sorted_positions(heap, cells, at, type, -1, source, values, first)


# Choosing the greatest or the least of several values


@kernel("greatest", "tuple", types=("0.",))
def greatest(heap: Any, cells: Any, type: int, values: int) -> int:
    return _best(heap, cells, type, 1, length(values), heap, start(values))


@kernel("least", "tuple", types=("0.",))
def least(heap: Any, cells: Any, type: int, values: int) -> int:
    return _best(heap, cells, type, -1, length(values), heap, start(values))
