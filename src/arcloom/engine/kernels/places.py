"""Kernels of the neighbours of a position and of lines from it. All of them write places in sorted order."""

from typing import Any

from numba import uint64

from arcloom.dsl import places as dsl
from arcloom.dsl.places import REACH
from arcloom.dsl.values import INT_LIMIT, SIDE_MAX
from arcloom.engine.kernel import kernel
from arcloom.engine.kernels.arith import bounded_pair
from arcloom.engine.words import BITS, RANGE, column_of, container, pair, row_function, row_of

DOWN, RIGHT = 1 << BITS, 1
"""The difference of the words of positions that are one step apart."""


@row_function
def _has_neighbors(location: int) -> bool:
    """Whether all eight neighbours are within the limits of ints."""
    return max(abs(row_of(location)), abs(column_of(location))) < INT_LIMIT


@row_function
def _four(heap: Any, cells: Any, location: int) -> int:
    return 4


@kernel(dsl.dneighbors, "pair", words=_four)
def dneighbors(heap: Any, cells: Any, at: int, location: int) -> int:
    if not _has_neighbors(location):
        return RANGE
    heap[at] = location - DOWN
    heap[at + 1] = location - RIGHT
    heap[at + 2] = location + RIGHT
    heap[at + 3] = location + DOWN
    return container(at, 4)


@kernel(dsl.ineighbors, "pair", words=_four)
def ineighbors(heap: Any, cells: Any, at: int, location: int) -> int:
    if not _has_neighbors(location):
        return RANGE
    heap[at] = location - DOWN - RIGHT
    heap[at + 1] = location - DOWN + RIGHT
    heap[at + 2] = location + DOWN - RIGHT
    heap[at + 3] = location + DOWN + RIGHT
    return container(at, 4)


@row_function
def _eight(heap: Any, cells: Any, location: int) -> int:
    return 8


@kernel(dsl.neighbors, "pair", words=_eight)
def neighbors(heap: Any, cells: Any, at: int, location: int) -> int:
    if not _has_neighbors(location):
        return RANGE
    for k in range(3):
        heap[at + k] = location - DOWN + k - 1
        heap[at + 5 + k] = location + DOWN + k - 1
    heap[at + 3] = location - RIGHT
    heap[at + 4] = location + RIGHT
    return container(at, 8)


@row_function
def _steps(a: int, b: int) -> int:
    """The number of positions on the line between two; 0 if it is neither straight nor diagonal."""
    down, right = abs(row_of(b) - row_of(a)), abs(column_of(b) - column_of(a))
    if down == right or down == 0 or right == 0:
        return max(down, right) + 1
    return 0


@row_function
def _line(heap: Any, at: int, a: int, b: int) -> int:
    """Write the line between two positions."""
    first, last, count = min(a, b), max(a, b), _steps(a, b)
    # Words are linear in positions: every step adds the same number.
    step = (last - first) // max(count - 1, 1)
    for k in range(count):
        heap[uint64(at + k)] = first + k * step
    return container(at, count)


@row_function
def _connect_room(heap: Any, cells: Any, a: int, b: int) -> int:
    return _steps(a, b)


@kernel(dsl.connect, "pair", "pair", words=_connect_room)
def connect(heap: Any, cells: Any, at: int, a: int, b: int) -> int:
    return _line(heap, at, a, b)


@row_function
def _target(location: int, direction: int) -> int:
    """The end of the line, or RANGE if it is beyond the limits of ints."""
    return bounded_pair(
        row_of(location) + REACH * row_of(direction), column_of(location) + REACH * column_of(direction)
    )


@row_function
def _shoot_room(heap: Any, cells: Any, location: int, direction: int) -> int:
    end = _target(location, direction)
    return 0 if end == RANGE else _steps(location, end)


@kernel(dsl.shoot, "pair", "pair", words=_shoot_room)
def shoot(heap: Any, cells: Any, at: int, location: int, direction: int) -> int:
    end = _target(location, direction)
    return RANGE if end == RANGE else _line(heap, at, location, end)


@row_function
def _frontier_room(heap: Any, cells: Any, location: int) -> int:
    return SIDE_MAX


@kernel(dsl.vfrontier, "pair", words=_frontier_room)
def vfrontier(heap: Any, cells: Any, at: int, location: int) -> int:
    for i in range(SIDE_MAX):
        heap[uint64(at + i)] = pair(i, column_of(location))
    return container(at, SIDE_MAX)


@kernel(dsl.hfrontier, "pair", words=_frontier_room)
def hfrontier(heap: Any, cells: Any, at: int, location: int) -> int:
    for j in range(SIDE_MAX):
        heap[uint64(at + j)] = pair(row_of(location), j)
    return container(at, SIDE_MAX)
