"""Kernels of patches for operations that grids have too: mirroring, scaling, periods.

A patch is sorted by colour, then by row, then by column: its cells come in runs of one colour, made of runs of one row.
``uint64`` around a position in a heap lets the loops vectorise (see ``grid``).
"""

from typing import Any

from numba import uint64

from arcloom.dsl import grid as dsl
from arcloom.dsl.values import INT_LIMIT
from arcloom.engine.compare import sort_words
from arcloom.engine.kernel import kernel
from arcloom.engine.kernels.arith import bounded
from arcloom.engine.kernels.grid import priced
from arcloom.engine.kernels.patch import column_span, extent, first_of, last_of, row_span
from arcloom.engine.kernels.structure import as_many
from arcloom.engine.words import (
    BIAS,
    BITS,
    EMPTY,
    MASK,
    RANGE,
    column_of,
    container,
    length,
    moved_to,
    row_function,
    row_of,
    start,
)

ROWS, COLUMNS, COLOURS = BITS, 0, 2 * BITS
"""The lowest bit of each field in the word of a cell."""


@row_function
def run_end(heap: Any, first: int, end: int, bits: int) -> int:
    """The end of the run of words that equal the first one in the bits from ``bits`` upwards."""
    stop = first + 1
    while stop < end and heap[uint64(stop)] >> bits == heap[uint64(first)] >> bits:
        stop += 1
    return stop


@row_function
def run_begin(heap: Any, first: int, end: int, bits: int) -> int:
    """The begin of the run of words that equal the last one in the bits from ``bits`` upwards."""
    begin = end - 1
    while begin > first and heap[uint64(begin - 1)] >> bits == heap[uint64(end - 1)] >> bits:
        begin -= 1
    return begin


# Mirroring patches


@kernel(dsl.hmirror, "set", words=as_many)
def hmirror_set(heap: Any, cells: Any, at: int, patch: int) -> int:
    if length(patch) == 0:
        return EMPTY
    rows = row_span(heap, patch)
    both = first_of(rows) + last_of(rows)
    first, end, to = start(patch), start(patch) + length(patch), at
    while first < end:  # to stay sorted: within a colour, reverse the order of the rows
        stop = run_end(heap, first, end, COLOURS)
        last = stop
        while last > first:
            begin = run_begin(heap, first, last, ROWS)
            for k in range(begin, last):
                word = heap[uint64(k)]
                heap[uint64(to + k - begin)] = moved_to(word, both - row_of(word), column_of(word))
            to += last - begin
            last = begin
        first = stop
    return container(at, length(patch))


@kernel(dsl.vmirror, "set", words=as_many)
def vmirror_set(heap: Any, cells: Any, at: int, patch: int) -> int:
    if length(patch) == 0:
        return EMPTY
    columns = column_span(heap, patch)
    both = first_of(columns) + last_of(columns)
    first, end, to = start(patch), start(patch) + length(patch), at
    while first < end:  # to stay sorted: reverse each row
        stop = run_end(heap, first, end, ROWS)
        for k in range(stop - first):
            word = heap[uint64(stop - 1 - k)]
            heap[uint64(to + k)] = moved_to(word, row_of(word), both - column_of(word))
        to += stop - first
        first = stop
    return container(at, length(patch))


SLACK = 16
"""Cells of one colour are sorted by counting if the columns outnumber them by at most this."""


@row_function
def _turned_room(heap: Any, cells: Any, patch: int) -> int:
    """Words for the cells, and for counting those of one colour by column."""
    return 2 * length(patch) + SLACK


@row_function
def _turns_within(rows: int, columns: int) -> bool:
    """Whether a patch with these spans stays within the limits of ints when it is mirrored at a diagonal."""
    lowest, rightmost = first_of(rows) + extent(columns) - 1, first_of(columns) + extent(rows) - 1
    return max(lowest, rightmost) <= INT_LIMIT


@row_function
def _turn(word: int, sign: int, down: int, along: int) -> int:
    """The place at (i, j) moved to (down + sign * j, along + sign * i)."""
    return moved_to(word, down + sign * column_of(word), along + sign * row_of(word))


@row_function
def _turn_by_counting(
    heap: Any, to: int, first: int, end: int, counts: int, columns: int, sign: int, down: int, along: int
) -> None:
    """Mirror cells of one colour at a diagonal; a counting sort by column, which becomes the row, sorts them.

    With sign 1 the columns, and the cells of a column, keep their order; with -1 both orders are reversed.
    """
    span = extent(columns)
    for k in range(counts, counts + span):
        heap[uint64(k)] = 0
    for k in range(first, end):
        heap[uint64(counts + column_of(heap[uint64(k)]) - first_of(columns))] += 1
    for k in range(span):
        column = counts + (k if sign > 0 else span - 1 - k)
        here = heap[uint64(column)]
        heap[uint64(column)] = to
        to += here
    for k in range(end - first):
        word = heap[uint64(first + k if sign > 0 else end - 1 - k)]
        column = counts + column_of(word) - first_of(columns)
        heap[uint64(heap[uint64(column)])] = _turn(word, sign, down, along)
        heap[uint64(column)] += 1


@row_function
def _turned(heap: Any, at: int, patch: int, columns: int, sign: int, down: int, along: int) -> int:
    """The patch with (i, j) moved to (down + sign * j, along + sign * i). ``columns`` is its span."""
    source, count = start(patch), length(patch)
    first = 0
    while first < count:
        stop = run_end(heap, source + first, source + count, COLOURS) - source
        if extent(columns) <= stop - first + SLACK:
            here, end = source + first, source + stop
            _turn_by_counting(heap, at + first, here, end, at + count, columns, sign, down, along)
        else:
            for k in range(first, stop):
                heap[uint64(at + k)] = _turn(heap[uint64(source + k)], sign, down, along)
            sort_words(heap, at + first, stop - first)
        first = stop
    return container(at, count)


@kernel(dsl.dmirror, "set", words=_turned_room)
def dmirror_set(heap: Any, cells: Any, at: int, patch: int) -> int:
    if length(patch) == 0:
        return EMPTY
    rows, columns = row_span(heap, patch), column_span(heap, patch)
    if not _turns_within(rows, columns):
        return RANGE
    offset = first_of(rows) - first_of(columns)
    return _turned(heap, at, patch, columns, 1, offset, -offset)


@kernel(dsl.cmirror, "set", words=_turned_room)
def cmirror_set(heap: Any, cells: Any, at: int, patch: int) -> int:
    if length(patch) == 0:
        return EMPTY
    rows, columns = row_span(heap, patch), column_span(heap, patch)
    if not _turns_within(rows, columns):
        return RANGE
    return _turned(heap, at, patch, columns, -1, first_of(rows) + last_of(columns), first_of(columns) + last_of(rows))


# Scaling


@row_function
def _scales_within(heap: Any, obj: int, factor: int) -> bool:
    """Whether all cells of the scaled object are within the limits of ints."""
    rows, columns = row_span(heap, obj), column_span(heap, obj)
    lowest, rightmost = first_of(rows) + extent(rows) * factor - 1, first_of(columns) + extent(columns) * factor - 1
    return max(lowest, rightmost) <= INT_LIMIT


@row_function
def _upscaled_room(heap: Any, cells: Any, obj: int, factor: int) -> int:
    elements = length(obj) * max(factor, 0) ** 2
    if elements == 0:
        return 0
    return elements if elements <= MASK and _scales_within(heap, obj, factor) else priced(elements)


@kernel(dsl.upscale, "set", "int", words=_upscaled_room)
def upscale_set(heap: Any, cells: Any, at: int, obj: int, factor: int) -> int:
    if length(obj) == 0 or factor < 1:
        return container(at, 0)
    if not _scales_within(heap, obj, factor):
        return RANGE
    top, left = first_of(row_span(heap, obj)), first_of(column_span(heap, obj))
    first, end, to = start(obj), start(obj) + length(obj), at
    while first < end:  # in sorted order: each row of a colour becomes ``factor`` consecutive rows
        stop = run_end(heap, first, end, ROWS)
        for down in range(factor):
            for k in range(first, stop):
                word = heap[uint64(k)]
                i, j = top + (row_of(word) - top) * factor + down, left + (column_of(word) - left) * factor
                moved = moved_to(word, i, j)
                for along in range(factor):
                    heap[uint64(to + along)] = moved + along
                to += factor
        first = stop
    return container(at, to - at)


# Periods of objects


@row_function
def _along(word: int, bits: int) -> int:
    """The row or the column of a place."""
    return ((word >> bits) & MASK) - BIAS


@row_function
def _repeats(heap: Any, obj: int, bits: int, first: int, step: int) -> bool:
    """Whether each cell that is at least ``step`` rows or columns after the first equals the one ``step`` before it."""
    known = start(obj)
    for k in range(start(obj), start(obj) + length(obj)):
        word = heap[uint64(k)]
        if _along(word, bits) - first >= step:
            wanted = word - (step << bits)
            while heap[uint64(known)] < wanted:  # ``wanted`` increases with k, so ``known`` never goes back
                known += 1
            if heap[uint64(known)] != wanted:
                return False
    return True


@row_function
def _period(heap: Any, obj: int, bits: int, span: int) -> int:
    """The least step back in rows or columns that takes each cell to an equal one or out of the bounding box."""
    furthest = start(obj)
    while _along(heap[uint64(furthest)], bits) != last_of(span):
        furthest += 1
    # Candidates are steps that take this cell to an equal one: those cells precede it, the nearest directly.
    for k in range(furthest - 1, start(obj) - 1, -1):
        apart = heap[uint64(furthest)] - heap[uint64(k)]
        step = apart >> bits
        if step >= extent(span):  # a cell of another colour or line, like all cells before it
            break
        if apart == step << bits and _repeats(heap, obj, bits, first_of(span), step):
            return bounded(step)
    return bounded(extent(span))


@kernel(dsl.hperiod, "set")
def hperiod(heap: Any, cells: Any, obj: int) -> int:
    return _period(heap, obj, COLUMNS, column_span(heap, obj)) if length(obj) > 0 else 0


@kernel(dsl.vperiod, "set")
def vperiod(heap: Any, cells: Any, obj: int) -> int:
    return _period(heap, obj, ROWS, row_span(heap, obj)) if length(obj) > 0 else 0
