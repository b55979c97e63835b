"""Kernels of how two patches, or a patch and a grid, lie to each other."""

from typing import Any

from arcloom.dsl import relations as dsl
from arcloom.dsl.places import REACH
from arcloom.dsl.values import INT_LIMIT
from arcloom.engine.kernel import kernel
from arcloom.engine.kernels.arith import bounded
from arcloom.engine.kernels.patch import (
    by_place,
    by_place_room,
    column_span,
    first_of,
    last_of,
    middle,
    row_span,
)
from arcloom.engine.words import (
    BIAS,
    BITS,
    EMPTY,
    MASK,
    column_of,
    height_of,
    length,
    pair,
    place_of,
    row_function,
    row_of,
    start,
    width_of,
)

LINES = 62
"""How many rows or columns are marked in one word."""

FARTHEST = 4 * INT_LIMIT + 1
"""Beyond the distance of any two places."""


@row_function
def _share(heap: Any, field: int, first: int, first_span: int, second: int, second_span: int) -> bool:
    """Whether two patches have a row (field BITS) or a column (field 0) in common.

    The lines of the first patch where both have some are marked in the bits of a word, LINES of them at a time.
    """
    low = max(first_of(first_span), first_of(second_span))
    high = min(last_of(first_span), last_of(second_span))
    while low <= high:
        marks, following = 0, high + 1
        for k in range(length(first)):
            line = ((heap[start(first) + k] >> field) & MASK) - BIAS - low
            if line >= LINES:
                following = min(following, low + line)
            elif line >= 0:
                marks |= 1 << line
        for k in range(length(second)):
            line = ((heap[start(second) + k] >> field) & MASK) - BIAS - low
            if line >= 0 and line < LINES and (marks >> line) & 1:
                return True
        low = following
    return False


@kernel(dsl.hmatching, "set", "set")
def hmatching(heap: Any, cells: Any, first: int, second: int) -> int:
    if length(first) == 0 or length(second) == 0:
        return 0
    return int(_share(heap, BITS, first, row_span(heap, first), second, row_span(heap, second)))


@kernel(dsl.vmatching, "set", "set")
def vmatching(heap: Any, cells: Any, first: int, second: int) -> int:
    if length(first) == 0 or length(second) == 0:
        return 0
    return int(_share(heap, 0, first, column_span(heap, first), second, column_span(heap, second)))


@row_function
def _gap(span: int, by: int, other: int) -> int:
    """How many steps lead from a span that is moved to another one; none when they overlap."""
    return max(0, first_of(other) - last_of(span) - by, first_of(span) + by - last_of(other))


@row_function
def _nearest(
    heap: Any, first: int, down: int, right: int, second: int, rows: int, columns: int, least: int, most: int
) -> int:
    """The manhattan distance from a patch that is moved to another one, or ``most`` if it is not less.

    Both are sorted by place; the other lies within ``rows`` and ``columns``. The distance is known not to be below ``least``.
    """
    count, at = length(second), start(second)
    after = 0  # the places of the second patch from here on come after the current one of the first
    for k in range(length(first)):
        i = row_of(heap[start(first) + k]) + down
        j = column_of(heap[start(first) + k]) + right
        if _gap(rows, 0, pair(i, i)) + _gap(columns, 0, pair(j, j)) >= most:
            continue
        while after < count and place_of(heap[at + after]) < pair(i, j):
            after += 1
        m = after
        while m < count and row_of(heap[at + m]) - i < most:
            most = min(most, row_of(heap[at + m]) - i + abs(column_of(heap[at + m]) - j))
            m += 1
        m = after - 1
        while m >= 0 and i - row_of(heap[at + m]) < most:
            most = min(most, i - row_of(heap[at + m]) + abs(column_of(heap[at + m]) - j))
            m -= 1
        if most <= least:
            break
    return most


@row_function
def _distance(heap: Any, at: int, first: int, second: int, most: int) -> int:
    """The manhattan distance of two patches that are not empty, or ``most`` if it is not less."""
    rows, columns = row_span(heap, second), column_span(heap, second)
    least = _gap(row_span(heap, first), 0, rows) + _gap(column_span(heap, first), 0, columns)
    if least >= most:
        return most
    start_places = by_place(heap, at, first)
    end_places = by_place(heap, at + by_place_room(heap, first), second)
    return _nearest(heap, start_places, 0, 0, end_places, rows, columns, least, most)


@row_function
def _both_by_place(heap: Any, cells: Any, first: int, second: int) -> int:
    return by_place_room(heap, first) + by_place_room(heap, second)


@kernel(dsl.manhattan, "set", "set", scratch=_both_by_place)
def manhattan(heap: Any, cells: Any, at: int, first: int, second: int) -> int:
    if length(first) == 0 or length(second) == 0:
        return EMPTY
    return bounded(_distance(heap, at, first, second, FARTHEST))


@kernel(dsl.adjacent, "set", "set", scratch=_both_by_place)
def adjacent(heap: Any, cells: Any, at: int, first: int, second: int) -> int:
    if length(first) == 0 or length(second) == 0:
        return EMPTY
    return int(_distance(heap, at, first, second, 2) == 1)


@kernel(dsl.bordering, "set", "grid")
def bordering(heap: Any, cells: Any, patch: int, picture: int) -> int:
    if length(patch) == 0:
        return EMPTY
    rows, columns = row_span(heap, patch), column_span(heap, patch)
    if first_of(rows) == 0 or first_of(columns) == 0 or last_of(rows) == height_of(picture) - 1:
        return 1
    if height_of(picture) == 0:
        return EMPTY
    return int(last_of(columns) == width_of(picture) - 1)


@row_function
def _sign(number: int) -> int:
    return int(number > 0) - int(number < 0)


@kernel(dsl.position, "set", "set")
def position(heap: Any, cells: Any, first: int, second: int) -> int:
    if length(first) == 0 or length(second) == 0:
        return EMPTY
    down = middle(row_span(heap, second)) - middle(row_span(heap, first))
    right = middle(column_span(heap, second)) - middle(column_span(heap, first))
    return pair(_sign(down), _sign(right)) if down != 0 or right != 0 else pair(0, -1)


@kernel(dsl.gravitate, "set", "set", scratch=_both_by_place)
def gravitate(heap: Any, cells: Any, at: int, source: int, destination: int) -> int:
    if length(source) == 0 or length(destination) == 0:
        return EMPTY
    rows, columns = row_span(heap, source), column_span(heap, source)
    other_rows, other_columns = row_span(heap, destination), column_span(heap, destination)
    i, j = 0, 0
    if _share(heap, 0, source, columns, destination, other_columns):
        i = 1 if middle(other_rows) > middle(rows) else -1
    else:
        j = 1 if middle(other_columns) > middle(columns) else -1
    moving = by_place(heap, at, source)
    target = by_place(heap, at + by_place_room(heap, source), destination)
    for steps in range(REACH):
        down, right = steps * i, steps * j
        least = _gap(rows, down, other_rows) + _gap(columns, right, other_columns)
        # the bounding boxes tell where the patches cannot be adjacent
        if least <= 1 and _nearest(heap, moving, down, right, target, other_rows, other_columns, least, 2) == 1:
            return pair(down, right)
    return pair(REACH * i, REACH * j)
