"""Row functions that arrange rows: what happens to columns between kernels, on the device that holds them.

Each is ``f(r, heap, cells, *numbers)`` and does the work of row ``r``. Columns are places in the heap of words: one is
read at ``start + step * r``, where step is 0 if all rows have the same word. No two rows write to the same place.
"""

from collections.abc import Callable
from typing import Any

from arcloom.engine.words import (
    BUDGET,
    FAILED,
    LOWEST,
    area_of,
    corner_of,
    grid,
    height_of,
    length,
    row_function,
    width_of,
)
from arcloom.engine.words import start as start_of

ARRANGEMENTS: dict[str, Callable[..., None]] = {}
"""All of them, by name."""

SEGMENT = 3
"""Numbers that describe a segment of ``gather``, or an entry of ``blame``."""


def _arrangement(function: Callable[..., None]) -> Callable[..., None]:
    compiled = row_function(function)
    ARRANGEMENTS[function.__name__] = compiled
    return compiled


@row_function
def last_at_most(heap: Any, start: int, count: int, stride: int, number: int) -> int:
    """The last of ``count`` ascending numbers that is not greater than this one; the first is not."""
    low, high = 0, count - 1
    while low < high:
        middle = (low + high + 1) // 2
        if heap[start + stride * middle] <= number:
            low = middle
        else:
            high = middle - 1
    return low


@row_function
def first_equal(heap: Any, start: int, last: int) -> int:
    """The first of ascending numbers that equals the one at position ``last``."""
    low, high = 0, last
    while low < high:
        middle = (low + high) // 2
        if heap[start + middle] < heap[start + last]:
            low = middle + 1
        else:
            high = middle
    return low


@_arrangement
def fill(r: int, heap: Any, cells: Any, out: int, word: int) -> None:
    """The same word everywhere."""
    heap[out + r] = word


@_arrangement
def copy(r: int, heap: Any, cells: Any, source: int, step: int, out: int) -> None:
    """A column as it is."""
    heap[out + r] = heap[source + step * r]


@_arrangement
def take(r: int, heap: Any, cells: Any, source: int, step: int, rows: int, out: int) -> None:
    """The rows of a column that another one names."""
    heap[out + r] = heap[source + step * heap[rows + r]]


@_arrangement
def put(r: int, heap: Any, cells: Any, source: int, step: int, rows: int, out: int) -> None:
    """To the rows that another column names."""
    heap[out + heap[rows + r]] = heap[source + step * r]


@_arrangement
def gather(r: int, heap: Any, cells: Any, table: int, segments: int, out: int) -> None:
    """Stretches one after the other; for each the table has its first row here, where it is, and its step."""
    at = table + SEGMENT * last_at_most(heap, table, segments, SEGMENT, r)
    heap[out + r] = heap[heap[at + 1] + heap[at + 2] * (r - heap[at])]


@_arrangement
def matches(r: int, heap: Any, cells: Any, source: int, step: int, word: int, out: int) -> None:
    """1 where a column has this word."""
    heap[out + r] = 1 if heap[source + step * r] == word else 0


@_arrangement
def valid(r: int, heap: Any, cells: Any, source: int, step: int, out: int) -> None:
    """1 where a row has not failed."""
    heap[out + r] = 1 if heap[source + step * r] >= LOWEST else 0


@_arrangement
def lengths(r: int, heap: Any, cells: Any, source: int, step: int, more: int, out: int) -> None:
    """How many elements each container has, and so many more; a row that failed has none."""
    word = heap[source + step * r]
    heap[out + r] = more + (length(word) if word >= LOWEST else 0)


@_arrangement
def areas(r: int, heap: Any, cells: Any, source: int, step: int, more: int, out: int) -> None:
    """How many cells each grid has, and so many more; a row that failed has none."""
    word = heap[source + step * r]
    heap[out + r] = more + (area_of(word) if word >= LOWEST else 0)


@_arrangement
def compact(r: int, heap: Any, cells: Any, positions: int, out: int) -> None:
    """The numbers of the rows that were counted: ``positions`` are the scan of ones and zeros."""
    if heap[positions + r + 1] > heap[positions + r]:
        heap[out + heap[positions + r]] = r


@_arrangement
def expand(
    r: int, heap: Any, cells: Any, source: int, step: int, positions: int, count: int, elements: int, parents: int
) -> None:
    """Element r of all ``count`` containers, and whose it is; ``positions`` are the scan of their lengths."""
    row = last_at_most(heap, positions, count, 1, r)
    heap[elements + r] = heap[start_of(heap[source + step * row]) + r - heap[positions + row]]
    heap[parents + r] = row


@_arrangement
def beyond(
    r: int, heap: Any, cells: Any, source: int, step: int, positions: int, roots: int, limit: int, out: int
) -> None:
    """Fail the rows with which a sample has more in all than the limit, counting its rows in their order.

    ``positions`` are the scan of the sizes, ``roots`` says which sample each row is of; -1 if each is of its own.
    """
    first = r if roots < 0 else first_equal(heap, roots, r)
    over = heap[positions + r + 1] - heap[positions + first] > limit
    heap[out + r] = BUDGET if over else heap[source + step * r]


@_arrangement
def undecided(r: int, heap: Any, cells: Any, source: int, step: int, out: int) -> None:
    """What a choice gives before it is made: why its condition failed."""
    word = heap[source + step * r]
    heap[out + r] = word if word < LOWEST else FAILED


@_arrangement
def begin(r: int, heap: Any, cells: Any, times: int, times_step: int, source: int, step: int, out: int) -> None:
    """What a loop begins with; it has failed where the number of turns has."""
    turns = heap[times + times_step * r]
    heap[out + r] = turns if turns < LOWEST else heap[source + step * r]


@_arrangement
def going(
    r: int, heap: Any, cells: Any, rows: int, times: int, times_step: int, turn: int, state: int, out: int
) -> None:
    """1 for those of a loop's rows that have another turn."""
    row = heap[rows + r]
    heap[out + r] = 1 if heap[state + row] >= LOWEST and heap[times + times_step * row] > turn else 0


@_arrangement
def blame(r: int, heap: Any, cells: Any, table: int, entries: int, samples: int, outputs: int, out: int) -> None:
    """The line that failed and why, for row r of programs by samples: line * 64 + reason, 0 where nothing did.

    The table has for each program where its entries begin, and once more for the end; an entry is a line, and
    where the column of a result of it is, and its step. Entries are in the order of evaluation.
    """
    heap[out + r] = 0
    if heap[outputs + r] < LOWEST:
        program = r // samples
        heap[out + r] = heap[outputs + r] - FAILED
        for k in range(heap[table + program], heap[table + program + 1]):
            at = entries + SEGMENT * k
            word = heap[heap[at + 1] + heap[at + 2] * (r - program * samples)]
            if word < LOWEST:
                heap[out + r] = heap[at] * 64 + word - FAILED
                break


@_arrangement
def copy_cells(r: int, heap: Any, cells: Any, grids: int, positions: int, count: int, at: int) -> None:
    """Cell r of all ``count`` grids; ``positions`` are the scan of their areas."""
    row = last_at_most(heap, positions, count, 1, r)
    cells[at + r] = cells[corner_of(heap[grids + row]) + r - heap[positions + row]]


@_arrangement
def moved_grids(r: int, heap: Any, cells: Any, grids: int, positions: int, out: int) -> None:
    """The grids as they are after ``copy_cells``; 31 bits of a grid's word say where it is."""
    word = heap[grids + r]
    heap[out + r] = word if word < LOWEST else grid(heap[positions + r], height_of(word), width_of(word))
