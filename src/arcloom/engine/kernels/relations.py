"""Kernels of the relative position of two patches, or of a patch and a grid."""

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
    extent,
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
"""Number of rows or columns that are marked as bits of one word."""

FARTHEST = 4 * INT_LIMIT + 1
"""Greater than the distance of any two places."""


@row_function
def _number(place: int, field: int) -> int:
    """The row (field BITS) or the column (field 0) of a place."""
    return ((place >> field) & MASK) - BIAS


@row_function
def _share(heap: Any, field: int, first: int, first_span: int, second: int, second_span: int) -> bool:
    """Whether two patches have a row (field BITS) or a column (field 0) in common.

    Each pass marks the lines of the first patch in the bits of a word, LINES of them at a time, and looks them up for
    the second. Lines that only one of the patches has are skipped, so the number of passes is at most the number of
    cells of the smaller patch.
    """
    low = max(first_of(first_span), first_of(second_span))
    high = min(last_of(first_span), last_of(second_span))
    while low <= high:
        marks, first_next, second_next = 0, high + 1, high + 1
        for k in range(length(first)):
            line = _number(heap[start(first) + k], field) - low
            if line >= LINES:
                first_next = min(first_next, low + line)
            elif line >= 0:
                marks |= 1 << line
        for k in range(length(second)):
            line = _number(heap[start(second) + k], field) - low
            if line >= LINES:
                second_next = min(second_next, low + line)
            elif line >= 0 and (marks >> line) & 1:
                return True
        low = max(first_next, second_next)
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
    """The distance of a span, moved ``by``, from another one; 0 if they overlap."""
    return max(0, first_of(other) - last_of(span) - by, first_of(span) + by - last_of(other))


@row_function
def _nearest(
    heap: Any, first: int, down: int, right: int, second: int, rows: int, columns: int, least: int, most: int
) -> int:
    """The Manhattan distance of a patch, moved by (down, right), from another one; at most ``most``.

    Both are sorted by place. The second has the spans ``rows`` and ``columns``. ``least`` is a lower bound of the
    distance: the search stops as soon as it is reached.
    """
    count, at = length(second), start(second)
    after = 0  # index of the first place of the second patch that does not precede the current one of the first
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


# Touching, for all numbers of steps at once. The second patch becomes a bitmap with one word for each line along which
# the first one moves.

EDGE = 2
"""Number of empty lines on both sides of the bitmap: cells one line outside it read the line beyond that, too."""


@row_function
def _draw(heap: Any, at: int, field: int, sign: int, patch: int, origin: int, lines: int) -> None:
    """Write the bitmap of a patch: in the word of a line, bit k stands for the cell k steps from the origin."""
    for k in range(extent(lines) + 2 * EDGE):
        heap[at + k] = 0
    for k in range(length(patch)):
        word = heap[start(patch) + k]
        heap[at + EDGE + _number(word, BITS - field) - first_of(lines)] |= 1 << (sign * (_number(word, field) - origin))


@row_function
def _ahead(drawn: int, steps: int) -> int:
    """The bits of a line from a given step on."""
    return drawn >> steps if steps >= 0 else drawn << -steps


@row_function
def _touches(heap: Any, at: int, field: int, sign: int, first: int, second: int, along: int, lines: int) -> int:
    """The numbers of steps after which the first patch touches the second without overlapping, as a bit set.

    The first REACH bits are valid. The first patch moves by rows (field BITS) or columns (field 0), upwards if the sign
    is 1, downwards if it is -1. The second has the span ``along`` in that direction, and ``lines`` across it.
    """
    origin = first_of(along) if sign > 0 else last_of(along)
    _draw(heap, at, field, sign, second, origin, lines)
    over, beside = 0, 0  # bit k + 1: the second patch has a cell k steps ahead of a cell of the first, or beside that
    for k in range(length(first)):
        word = heap[start(first) + k]
        line = _number(word, BITS - field) - first_of(lines)
        steps = sign * (_number(word, field) - origin) - 1
        if -1 <= line <= extent(lines) and -REACH - 2 <= steps < LINES:
            over |= _ahead(heap[at + EDGE + line], steps)
            beside |= _ahead(heap[at + EDGE + line - 1] | heap[at + EDGE + line + 1], steps)
    return (((over << 1) | (over >> 1) | beside) & ~over) >> 1


@row_function
def _can_draw(rows: int, columns: int) -> bool:
    """Whether a patch with this bounding box fits the bitmap."""
    return extent(rows) <= LINES and extent(columns) <= LINES


@row_function
def _relation_scratch(heap: Any, cells: Any, first: int, second: int) -> int:
    """Words for two patches sorted by place, or for the bitmap of one."""
    return max(by_place_room(heap, first) + by_place_room(heap, second), LINES + 2 * EDGE)


@row_function
def _apart(heap: Any, at: int, first: int, second: int, rows: int, columns: int, least: int, most: int) -> int:
    """The Manhattan distance of two patches in any order: sorts both and calls ``_nearest``."""
    start_places = by_place(heap, at, first)
    end_places = by_place(heap, at + by_place_room(heap, first), second)
    return _nearest(heap, start_places, 0, 0, end_places, rows, columns, least, most)


@kernel(dsl.manhattan, "set", "set", scratch=_relation_scratch)
def manhattan(heap: Any, cells: Any, at: int, first: int, second: int) -> int:
    if length(first) == 0 or length(second) == 0:
        return EMPTY
    if length(first) == 1 and length(second) == 1:
        a, b = heap[start(first)], heap[start(second)]
        return bounded(abs(row_of(a) - row_of(b)) + abs(column_of(a) - column_of(b)))
    rows, columns = row_span(heap, second), column_span(heap, second)
    least = _gap(row_span(heap, first), 0, rows) + _gap(column_span(heap, first), 0, columns)
    near = least <= 1 and _can_draw(rows, columns)
    if near and _touches(heap, at, BITS, 1, first, second, rows, columns) & 1:  # a fast path for a frequent case
        return 1
    return bounded(_apart(heap, at, first, second, rows, columns, least, FARTHEST))


@kernel(dsl.adjacent, "set", "set", scratch=_relation_scratch)
def adjacent(heap: Any, cells: Any, at: int, first: int, second: int) -> int:
    if length(first) == 0 or length(second) == 0:
        return EMPTY
    rows, columns = row_span(heap, second), column_span(heap, second)
    least = _gap(row_span(heap, first), 0, rows) + _gap(column_span(heap, first), 0, columns)
    if least > 1:
        return 0
    if _can_draw(rows, columns):
        return _touches(heap, at, BITS, 1, first, second, rows, columns) & 1
    return int(_apart(heap, at, first, second, rows, columns, least, 2) == 1)


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


@row_function
def _first_touch(touches: int) -> int:
    """The index of the lowest bit that is set, or REACH if none is."""
    for steps in range(REACH):
        if (touches >> steps) & 1:
            return steps
    return REACH


@row_function
def _steps(heap: Any, at: int, i: int, j: int, source: int, destination: int, rows: int, columns: int) -> int:
    """The number of steps until a patch touches another that is too large for a bitmap; REACH if it never does."""
    own_rows, own_columns = row_span(heap, source), column_span(heap, source)
    moving = by_place(heap, at, source)
    target = by_place(heap, at + by_place_room(heap, source), destination)
    for steps in range(REACH):
        down, right = steps * i, steps * j
        least = _gap(own_rows, down, rows) + _gap(own_columns, right, columns)
        # patches whose bounding boxes are apart do not touch
        if least <= 1 and _nearest(heap, moving, down, right, target, rows, columns, least, 2) == 1:
            return steps
    return REACH


@kernel(dsl.gravitate, "set", "set", scratch=_relation_scratch)
def gravitate(heap: Any, cells: Any, at: int, source: int, destination: int) -> int:
    if length(source) == 0 or length(destination) == 0:
        return EMPTY
    rows, columns = row_span(heap, destination), column_span(heap, destination)
    source_columns = column_span(heap, source)
    vertical = _share(heap, 0, source, source_columns, destination, columns)
    if vertical:
        sign = 1 if middle(rows) > middle(row_span(heap, source)) else -1
    else:
        sign = 1 if middle(columns) > middle(source_columns) else -1
    i = sign if vertical else 0
    j = sign - i
    if not _can_draw(rows, columns):
        steps = _steps(heap, at, i, j, source, destination, rows, columns)
    elif vertical:
        steps = _first_touch(_touches(heap, at, BITS, sign, source, destination, rows, columns))
    else:
        steps = _first_touch(_touches(heap, at, 0, sign, source, destination, columns, rows))
    return pair(steps * i, steps * j)
