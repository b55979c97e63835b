"""The runs of a grid: maximal sequences of cells of one colour in a row.

A grid has far fewer runs than cells. From runs that are sorted by colour, the objects and the cells of each object can
be written in sorted order.
``uint64`` around a position in a heap makes loops faster (see ``grid``), as do additions instead of branches.
"""

from typing import Any

from numba import uint64

from arcloom.dsl.values import COLOUR_MAX, COLOUR_MIN
from arcloom.engine.kernels.patch import first_of, last_of
from arcloom.engine.words import (
    BIAS,
    BITS,
    MASK,
    container,
    corner_of,
    height_of,
    pair,
    row_function,
    width_of,
)

COLOURS = COLOUR_MAX - COLOUR_MIN + 1
HALF = 32
LOW_HALF = (1 << HALF) - 1
"""Two numbers in one word: one in the bits above HALF, and one in the bits of LOW_HALF."""

# A run is a word: its length in the low LENGTH_BITS, and above them its begin, which has the fields colour, row and
# column: adding 1 moves it by a column, adding ONE_ROW by a row.

LENGTH_BITS = 17
LENGTH_MASK = (1 << LENGTH_BITS) - 1
ONE_ROW = 1 << BITS
COLOUR_SHIFT = BITS + LENGTH_BITS
PLACE = (1 << COLOUR_SHIFT) - 1
ORIGIN = (BIAS << (2 * BITS)) + (BIAS << BITS) + BIAS
"""The cell of colour 0 in row 0 and column 0."""


@row_function
def begin_of(run: int) -> int:
    """The begin of a run: its colour and the place of its first cell."""
    return run >> LENGTH_BITS


@row_function
def size_of(run: int) -> int:
    """The number of cells of a run."""
    return run & LENGTH_MASK


@row_function
def end_of(run: int) -> int:
    """The end of a run: its colour and the place after its last cell."""
    return (run >> LENGTH_BITS) + (run & LENGTH_MASK)


@row_function
def colour_of_run(run: int) -> int:
    """The colour of a run."""
    return run >> (COLOUR_SHIFT + LENGTH_BITS)


@row_function
def write_begins(heap: Any, cells: Any, at: int, picture: int) -> int:
    """Write the begins of the runs of a grid, row by row, and a 0 behind them; return the number of runs."""
    width, row, to = width_of(picture), corner_of(picture), at
    for i in range(height_of(picture)):
        place, left = i << BITS, int(cells[uint64(row)])
        heap[uint64(to)] = (left << COLOUR_SHIFT) + place
        to += 1
        for j in range(1, width):
            colour = int(cells[uint64(row + j)])
            heap[uint64(to)] = (colour << COLOUR_SHIFT) + place + j  # write always, advance only if a run begins
            to += int(colour != left)
            left = colour
        row += width
    heap[uint64(to)] = 0
    return to - at


@row_function
def make_runs(heap: Any, runs: int, count: int, width: int, tally: int) -> int:
    """Turn begins of runs into runs, count runs and cells per colour, and return the span of colours.

    The word at ``tally + colour`` counts the runs of a colour and, above HALF, its cells.
    """
    for colour in range(COLOUR_MIN, COLOUR_MAX + 1):
        heap[uint64(tally + colour)] = 0
    low, high = COLOUR_MAX, COLOUR_MIN
    begin = heap[uint64(runs)]
    for k in range(runs, runs + count):
        following = heap[uint64(k + 1)]
        end = following & MASK
        size = (end if end != 0 else width) - (begin & MASK)
        heap[uint64(k)] = (begin << LENGTH_BITS) + size
        colour = begin >> COLOUR_SHIFT
        heap[uint64(tally + colour)] += (size << HALF) + 1
        low, high = min(low, colour), max(high, colour)
        begin = following
    return pair(low, high)


@row_function
def without_background(heap: Any, runs: int, count: int, tally: int, colours: int) -> int:
    """Drop the runs and counts of the most frequent colour, of several the lowest; return the number of runs left."""
    background = first_of(colours)
    for colour in range(first_of(colours) + 1, last_of(colours) + 1):
        if heap[uint64(tally + colour)] >> HALF > heap[uint64(tally + background)] >> HALF:
            background = colour
    heap[uint64(tally + background)] = 0
    to = runs
    for k in range(runs, runs + count):
        run = heap[uint64(k)]
        heap[uint64(to)] = run  # write always, advance only if it is not background
        to += int(colour_of_run(run) != background)
    return to - runs


@row_function
def offsets_of(heap: Any, tally: int, colours: int) -> int:
    """Replace the counts of each colour by the index of its first run in sorted order; return the number of cells."""
    runs, size = 0, 0
    for colour in range(first_of(colours), last_of(colours) + 1):
        counted = heap[uint64(tally + colour)]
        heap[uint64(tally + colour)] = runs
        runs += counted & LOW_HALF
        size += counted >> HALF
    return size


@row_function
def _put(heap: Any, offsets: int, run: int, to: int) -> int:
    """Insert a run at the next index of its colour in the sorted runs at ``to``, and return the index."""
    here = offsets + colour_of_run(run)
    position = heap[uint64(here)]
    heap[uint64(here)] = position + 1
    heap[uint64(to + position)] = run
    return position


@row_function
def sort_runs(heap: Any, runs: int, count: int, offsets: int, to: int, owners: int) -> None:
    """Sort the runs by colour to ``to``. Each is its own owner."""
    for k in range(count):
        _put(heap, offsets, heap[uint64(runs + k)], to)
        heap[uint64(owners + k)] = k


@row_function
def sort_and_unite(heap: Any, runs: int, count: int, offsets: int, to: int, owners: int, united: int) -> int:
    """Sort the runs by colour to ``to``, and unite adjacent runs of a row to runs without a colour, their owners.

    Returns the number of owners, which are written to ``united``; ``owners`` gets the owner's index for each run.
    """
    owner, begin, end = -1, 0, -1
    for k in range(count):
        run = heap[uint64(runs + k)]
        position = _put(heap, offsets, run, to)
        here = begin_of(run) & PLACE
        owner += int(here != end)
        begin = here if here != end else begin
        end = here + size_of(run)
        heap[uint64(owners + position)] = owner
        heap[uint64(united + owner)] = (begin << LENGTH_BITS) + end - begin
    return owner + 1


# Union-find over the runs that touch from row to row: a run's parent is itself, if it is a root, or an earlier run


@row_function
def _root(heap: Any, parents: int, k: int) -> int:
    """The root of the k-th run, with path compression."""
    up = heap[uint64(parents + k)]
    top = heap[uint64(parents + up)]
    while top != up:
        over = heap[uint64(parents + top)]
        heap[uint64(parents + up)] = over
        up, top = top, over
    heap[uint64(parents + k)] = top
    return top


@row_function
def _join(heap: Any, parents: int, root: int, k: int) -> int:
    """Join the k-th run with a root, and return the root of both."""
    other = _root(heap, parents, k)
    heap[uint64(parents + max(root, other))] = min(root, other)
    return min(root, other)


@row_function
def join_touching(heap: Any, runs: int, count: int, parents: int, diagonal: int) -> None:
    """Join each sorted run with those of the same colour that it touches in the row above."""
    above = 0
    for k in range(count):
        heap[uint64(parents + k)] = k
        first = begin_of(heap[uint64(runs + k)]) - ONE_ROW + 1 - diagonal
        last = end_of(heap[uint64(runs + k)]) - ONE_ROW + diagonal
        above += int(end_of(heap[uint64(runs + above)]) < first)  # without a branch; the loop is seldom entered
        while end_of(heap[uint64(runs + above)]) < first:
            above += 1
        touches = begin_of(heap[uint64(runs + above)]) < last
        root = _join(heap, parents, k, above if touches else k)  # without a branch; the loop is seldom entered
        other = above + int(touches)
        while begin_of(heap[uint64(runs + other)]) < last:
            root = _join(heap, parents, root, other)
            other += 1


# Writing objects. A root's word is its index plus, above HALF, the number of cells of its object; it is negative
# (UNWRITTEN). Once its first run is written, the upper half is the offset of the object's next cells instead.

UNWRITTEN = -(1 << 63)


@row_function
def measure(heap: Any, runs: int, count: int, parents: int) -> None:
    """Set each run's parent to its root, and count the cells of each root."""
    for k in range(count):
        root = heap[uint64(parents + heap[uint64(parents + k)])] & LOW_HALF
        heap[uint64(parents + k)] = k + UNWRITTEN if root == k else root
        heap[uint64(parents + root)] += size_of(heap[uint64(runs + k)]) << HALF


@row_function
def _write_run(heap: Any, to: int, run: int) -> None:
    """Write the cells of a run."""
    begin, last = begin_of(run), size_of(run) - 1
    first = ORIGIN + ((begin >> COLOUR_SHIFT) << (2 * BITS)) + (begin & PLACE)
    heap[uint64(to)] = first
    second, third = min(1, last), min(2, last)  # most runs are short: rewrite a cell rather than branch
    heap[uint64(to + second)] = first + second
    heap[uint64(to + third)] = first + third
    for k in range(3, last + 1):
        heap[uint64(to + k)] = first + k


@row_function
def write_objects(heap: Any, at: int, runs: int, count: int, parents: int, owners: int) -> int:
    """Write the cells of each sorted run to its object, and the objects' handles over the owners that were read.

    Returns the handle of all objects.
    """
    found, used = 0, 0
    for k in range(count):
        run = heap[uint64(runs + k)]
        root = heap[uint64(parents + heap[uint64(owners + k)])] & LOW_HALF
        state = heap[uint64(parents + root)]
        size = (state >> HALF) & MASK
        heap[uint64(owners + found)] = container(at + used, size)  # write always, advance only for a new object
        found += int(state < 0)
        here = (used << HALF) + root if state < 0 else state
        used += size if state < 0 else 0
        heap[uint64(parents + root)] = here + (size_of(run) << HALF)
        _write_run(heap, at + (here >> HALF), run)
    return container(owners, found)


@row_function
def write_by_colour(heap: Any, at: int, runs: int, count: int, handles: int) -> int:
    """Write the cells of the sorted runs and one handle per colour; return the handle of all."""
    found, begin, to = 0, at, at
    for k in range(runs, runs + count):
        run = heap[uint64(k)]
        if k == runs or colour_of_run(run) != colour_of_run(heap[uint64(k - 1)]):
            found, begin = found + 1, to
        _write_run(heap, to, run)
        to += size_of(run)
        heap[uint64(handles + found - 1)] = container(begin, to - begin)
    return container(handles, found)
