"""The runs of a grid: cells side by side of one colour.

There are far fewer runs than cells, and sorted by colour they bring everything into order that is made of them: the
cells of each object as well as the objects.
``uint64`` around a position in a heap makes loops quicker (see ``grid``), as do sums instead of branches.
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
"""Two numbers in one word: one above HALF, and one in LOW_HALF."""

# Runs. A run is a word with its length, and above that where it begins: a number that grows by 1 from column to column,
# by ONE_ROW from row to row, and above all with the colour.

LENGTH_BITS = 17
LENGTH_MASK = (1 << LENGTH_BITS) - 1
ONE_ROW = 1 << BITS
COLOUR_SHIFT = BITS + LENGTH_BITS
PLACE = (1 << COLOUR_SHIFT) - 1
ORIGIN = (BIAS << (2 * BITS)) + (BIAS << BITS) + BIAS
"""The cell of colour 0 in row 0 and column 0."""


@row_function
def begin_of(run: int) -> int:
    """Where a run begins."""
    return run >> LENGTH_BITS


@row_function
def size_of(run: int) -> int:
    """How many cells a run has."""
    return run & LENGTH_MASK


@row_function
def end_of(run: int) -> int:
    """Where a run ends."""
    return (run >> LENGTH_BITS) + (run & LENGTH_MASK)


@row_function
def tint_of(run: int) -> int:
    """The colour of a run."""
    return run >> (COLOUR_SHIFT + LENGTH_BITS)


@row_function
def write_begins(heap: Any, cells: Any, at: int, picture: int) -> int:
    """Write where the runs of a grid begin, row by row; how many there are. Then stands the begin of a row."""
    width, row, to = width_of(picture), corner_of(picture), at
    for i in range(height_of(picture)):
        place, left = i << BITS, int(cells[uint64(row)])
        heap[uint64(to)] = (left << COLOUR_SHIFT) + place
        to += 1
        for j in range(1, width):
            colour = int(cells[uint64(row + j)])
            heap[uint64(to)] = (colour << COLOUR_SHIFT) + place + j  # always, and kept if it is one
            to += int(colour != left)
            left = colour
        row += width
    heap[uint64(to)] = 0
    return to - at


@row_function
def make_runs(heap: Any, runs: int, count: int, width: int, tally: int) -> int:
    """Make runs of where they begin, and tally for each colour its runs and, above HALF, its cells; a span of colours.

    ``tally`` is where colour 0 is counted, with room for all others before and after it.
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
    """Drop the runs of the colour with the most cells, the lowest of several, from a tally too; how many remain."""
    background = first_of(colours)
    for colour in range(first_of(colours) + 1, last_of(colours) + 1):
        if heap[uint64(tally + colour)] >> HALF > heap[uint64(tally + background)] >> HALF:
            background = colour
    heap[uint64(tally + background)] = 0
    to = runs
    for k in range(runs, runs + count):
        run = heap[uint64(k)]
        heap[uint64(to)] = run  # always, and kept if it is not of the background
        to += int(tint_of(run) != background)
    return to - runs


@row_function
def plan_of(heap: Any, tally: int, colours: int) -> int:
    """Make a plan of a tally: where among sorted runs those of each colour begin. How many cells there are."""
    runs, size = 0, 0
    for colour in range(first_of(colours), last_of(colours) + 1):
        counted = heap[uint64(tally + colour)]
        heap[uint64(tally + colour)] = runs
        runs += counted & LOW_HALF
        size += counted >> HALF
    return size


@row_function
def _put(heap: Any, plan: int, run: int, to: int) -> int:
    """Put a run where the plan says among those at ``to``; its position."""
    here = plan + tint_of(run)
    position = heap[uint64(here)]
    heap[uint64(here)] = position + 1
    heap[uint64(to + position)] = run
    return position


@row_function
def sort_runs(heap: Any, runs: int, count: int, plan: int, to: int, owners: int) -> None:
    """Put all runs where the plan says; each is its own owner."""
    for k in range(count):
        _put(heap, plan, heap[uint64(runs + k)], to)
        heap[uint64(owners + k)] = k


@row_function
def sort_and_unite(heap: Any, runs: int, count: int, plan: int, to: int, owners: int, united: int) -> int:
    """Put all runs where the plan says. Runs without a colour unite those side by side, and own them; how many."""
    owner, begin, end = -1, 0, -1
    for k in range(count):
        run = heap[uint64(runs + k)]
        position = _put(heap, plan, run, to)
        here = begin_of(run) & PLACE
        owner += int(here != end)
        begin = here if here != end else begin
        end = here + size_of(run)
        heap[uint64(owners + position)] = owner
        heap[uint64(united + owner)] = (begin << LENGTH_BITS) + end - begin
    return owner + 1


# Joining the runs that touch from row to row, into trees: a run's parent is itself, the root, or one before it


@row_function
def _root(heap: Any, parents: int, k: int) -> int:
    """The first of all that the k-th is joined with. The way there gets shorter for next time."""
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
    """Join the k-th with a root; the root of both."""
    other = _root(heap, parents, k)
    heap[uint64(parents + max(root, other))] = min(root, other)
    return min(root, other)


@row_function
def join_touching(heap: Any, runs: int, count: int, parents: int, diagonal: int) -> None:
    """Join each of the sorted runs with those that it touches in the row above; other colours are out of reach."""
    above = 0
    for k in range(count):
        heap[uint64(parents + k)] = k
        first = begin_of(heap[uint64(runs + k)]) - ONE_ROW + 1 - diagonal
        last = end_of(heap[uint64(runs + k)]) - ONE_ROW + diagonal
        above += int(end_of(heap[uint64(runs + above)]) < first)  # mostly this is all
        while end_of(heap[uint64(runs + above)]) < first:
            above += 1
        touches = begin_of(heap[uint64(runs + above)]) < last
        root = _join(heap, parents, k, above if touches else k)  # mostly this is all
        other = above + int(touches)
        while begin_of(heap[uint64(runs + other)]) < last:
            root = _join(heap, parents, root, other)
            other += 1


# Writing objects. A root's word has its position and, above HALF, how many cells it has: then it is below zero.
# From the first cells on that are written it has instead, above HALF, how many cells stand before its next ones.

UNWRITTEN = -(1 << 63)


@row_function
def measure(heap: Any, runs: int, count: int, parents: int) -> None:
    """Make each run's parent its root, and count the cells of the roots."""
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
    second, third = min(1, last), min(2, last)  # the same again if there are fewer, as is often the case
    heap[uint64(to + second)] = first + second
    heap[uint64(to + third)] = first + third
    for k in range(3, last + 1):
        heap[uint64(to + k)] = first + k


@row_function
def write_objects(heap: Any, at: int, runs: int, count: int, parents: int, owners: int) -> int:
    """Write the cells of the sorted runs to where their objects have come to, and handles over the owners gone by."""
    found, used = 0, 0
    for k in range(count):
        run = heap[uint64(runs + k)]
        root = heap[uint64(parents + heap[uint64(owners + k)])] & LOW_HALF
        state = heap[uint64(parents + root)]
        size = (state >> HALF) & MASK
        heap[uint64(owners + found)] = container(at + used, size)  # always, and kept if the object is a new one
        found += int(state < 0)
        here = (used << HALF) + root if state < 0 else state
        used += size if state < 0 else 0
        heap[uint64(parents + root)] = here + (size_of(run) << HALF)
        _write_run(heap, at + (here >> HALF), run)
    return container(owners, found)


@row_function
def write_by_colour(heap: Any, at: int, runs: int, count: int, handles: int) -> int:
    """Write the cells of the sorted runs, and a handle for those of each colour."""
    found, begin, to = 0, at, at
    for k in range(runs, runs + count):
        run = heap[uint64(k)]
        if k == runs or tint_of(run) != tint_of(heap[uint64(k - 1)]):
            found, begin = found + 1, to
        _write_run(heap, to, run)
        to += size_of(run)
        heap[uint64(handles + found - 1)] = container(begin, to - begin)
    return container(handles, found)
