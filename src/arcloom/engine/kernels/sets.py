"""Sorted sets: lookup, union, intersection, difference, and making sets of unsorted values."""

from typing import Any

from arcloom.engine.compare import SCALAR, SMALL, compare, equal, order_of, sort_words, unique_words
from arcloom.engine.machine.calls import trailing_zeros
from arcloom.engine.words import BITS, BUDGET, MASK, container, length, row_function, start


@row_function
def listed(at: int, count: int) -> int:
    """The handle of ``count`` elements at ``at``, or the failure BUDGET if a handle cannot hold the count."""
    return BUDGET if count > MASK else container(at, count)


@row_function
def alike(heap: Any, cells: Any, type: int, a: int, b: int) -> bool:
    """Whether two values of a type are equal: like ``equal``, but short enough to be inlined."""
    return a == b or (heap[type] != SCALAR and equal(heap, cells, type, a, b))


@row_function
def precedes(heap: Any, cells: Any, type: int, a: int, b: int) -> bool:
    """Whether a value of a type comes before another: like ``compare``, but short enough to be inlined."""
    if heap[type] == SCALAR:
        return a < b
    return compare(heap, cells, type, a, b) < 0


@row_function
def rank_in(heap: Any, cells: Any, type: int, at: int, count: int, value: int) -> int:
    """The number of the sorted values at ``at`` that come before the value."""
    low, high = 0, count
    while low < high:
        middle = (low + high) >> 1
        if precedes(heap, cells, type, heap[at + middle], value):
            low = middle + 1
        else:
            high = middle
    return low


@row_function
def is_in(heap: Any, cells: Any, type: int, at: int, count: int, value: int) -> bool:
    """Whether the value is among the sorted values at ``at``."""
    rank = rank_in(heap, cells, type, at, count, value)
    return rank < count and alike(heap, cells, type, heap[at + rank], value)


@row_function
def united(heap: Any, out: int, a: int, a_end: int, b: int, b_end: int) -> int:
    """Merge two ascending runs of words to ``out``, without duplicates, and return the end of the result."""
    while a < a_end and b < b_end:
        x, y = heap[a], heap[b]
        heap[out] = min(x, y)
        out += 1
        a += int(x <= y)
        b += int(y <= x)
    while a < a_end:
        heap[out] = heap[a]
        out += 1
        a += 1
    while b < b_end:
        heap[out] = heap[b]
        out += 1
        b += 1
    return out


@row_function
def _united_words(heap: Any, cells: Any, type: int, out: int, a: int, a_end: int, b: int, b_end: int) -> int:
    return united(heap, out, a, a_end, b, b_end)


@row_function
def _united_values(heap: Any, cells: Any, type: int, out: int, a: int, a_end: int, b: int, b_end: int) -> int:
    while a < a_end and b < b_end:
        order = order_of(heap, cells, type, heap[a], heap[b])
        heap[out] = heap[a] if order <= 0 else heap[b]
        out += 1
        a += int(order <= 0)
        b += int(order >= 0)
    return united(heap, out, a, a_end, b, b_end)


@row_function
def _words_ascend(heap: Any, cells: Any, type: int, a: int, b: int) -> bool:
    return a < b


@row_function
def _values_ascend(heap: Any, cells: Any, type: int, a: int, b: int) -> bool:
    return order_of(heap, cells, type, a, b) < 0


def _uniting(ascend: Any, unite: Any) -> tuple[Any, Any]:
    """Two row functions for ascending runs, of words or of values of any type.

    ``run_end`` returns the end of the run that begins at ``at``. ``united_runs`` turns values into a set by a natural
    merge sort and returns the number of elements. The values have as much free room behind them: each pass merges
    adjacent runs from one half of the buffer into the other.
    """

    @row_function
    def run_end(heap: Any, cells: Any, type: int, at: int, end: int) -> int:
        if at == end:
            return end
        at += 1
        while at < end and ascend(heap, cells, type, heap[at - 1], heap[at]):
            at += 1
        return at

    @row_function
    def united_runs(heap: Any, cells: Any, type: int, at: int, count: int) -> int:
        here, there = at, at + count
        end = here + count
        while run_end(heap, cells, type, here, end) < end:
            a, out = here, there
            while a < end:
                b = run_end(heap, cells, type, a, end)
                b_end = run_end(heap, cells, type, b, end)
                out = unite(heap, cells, type, out, a, b, b, b_end)
                a = b_end
            here, there, end = there, here, out
        if here != at:
            for k in range(end - here):
                heap[at + k] = heap[here + k]
        return end - here

    return run_end, united_runs


_word_run_end, _united_word_runs = _uniting(_words_ascend, _united_words)
_, _united_value_runs = _uniting(_values_ascend, _united_values)


@row_function
def _scattered(word: int) -> int:
    """A hash of a word. It is far below the greatest int, so that sums of a few do not overflow."""
    return (
        (word & MASK) * 0x9E3779B1 + ((word >> BITS) & MASK) * 0x85EBCA6B + ((word >> (2 * BITS)) & MASK) * 0xC2B2AE35
    )


@row_function
def _key(heap: Any, handle: int) -> int:
    """A hash of a container, from its first and last word and its length."""
    if length(handle) == 0:
        return 0
    first, last = heap[start(handle)], heap[start(handle) + length(handle) - 1]
    number = _scattered(first) + 5 * _scattered(last) + length(handle) * 0x27D4EB2F
    return (number ^ (number >> 24)) & MASK


@row_function
def without_repeats(heap: Any, cells: Any, type: int, at: int, count: int) -> int:
    """Drop repeated containers from those at ``at`` and return the number that remains.

    The buffer behind them, three times as large, becomes a hash table with open addressing.
    """
    size = 1
    while 2 * size <= 3 * count:
        size *= 2
    table = at + count
    for k in range(size):
        heap[table + k] = -1
    kept = 0
    for k in range(count):
        value = heap[at + k]
        slot = table + (_key(heap, value) & (size - 1))
        while heap[slot] >= 0 and order_of(heap, cells, type, heap[at + heap[slot]], value) != 0:
            slot = slot + 1 if slot + 1 < table + size else table
        if heap[slot] < 0:
            heap[slot] = kept
            heap[at + kept] = value
            kept += 1
    return kept


MARKED = 48
"""Minimum number of words for which marking them in a bitmap can be faster than sorting them."""

WORD_BITS = 6
"""A word of a bitmap has 2 ** WORD_BITS bits."""


@row_function
def _marked_words(heap: Any, at: int, count: int) -> int:
    """Turn words into a set by marking them in a bitmap; return the number of elements, or -1 if they are too sparse.

    The bitmap has ``wide`` words for each row of each colour. It is written behind the words, in as much room.
    """
    least = i_least = j_least = MASK
    most = i_most = j_most = signs = 0
    for k in range(count):
        word = heap[at + k]
        colour, i, j = word >> (2 * BITS), (word >> BITS) & MASK, word & MASK
        signs |= word
        least, i_least, j_least = min(least, colour), min(i_least, i), min(j_least, j)
        most, i_most, j_most = max(most, colour), max(i_most, i), max(j_most, j)
    rows, colours, wide = i_most - i_least + 1, most - least + 1, ((j_most - j_least) >> WORD_BITS) + 1
    if signs < 0 or colours * rows * wide > count:
        return -1
    drawing = at + count
    for k in range(colours * rows * wide):
        heap[drawing + k] = 0
    for k in range(count):
        word = heap[at + k]
        row = ((word >> (2 * BITS)) - least) * rows + ((word >> BITS) & MASK) - i_least
        j = (word & MASK) - j_least
        heap[drawing + row * wide + (j >> WORD_BITS)] |= 1 << (j & ((1 << WORD_BITS) - 1))
    kept, here = 0, drawing
    for colour in range(least, most + 1):
        for i in range(i_least, i_most + 1):
            word = (colour << (2 * BITS)) | (i << BITS) | j_least
            for k in range(wide):
                kept = _read_marks(heap, at, kept, heap[here], word + (k << WORD_BITS))
                here += 1
    return kept


@row_function
def _read_marks(heap: Any, at: int, kept: int, marks: int, word: int) -> int:
    """Append the words of the bits of ``marks`` to the ``kept`` ones at ``at``, and return the new number."""
    while marks:
        heap[at + kept] = word + trailing_zeros(marks)
        kept += 1
        marks &= marks - 1
    return kept


@row_function
def made_set(heap: Any, cells: Any, type: int, at: int, count: int) -> int:
    """The set of the values at ``at``, which have as much free room behind them."""
    if count < 2:
        return container(at, count)
    if heap[type] == SCALAR:
        return made_words(heap, cells, at, count)
    return listed(at, _united_value_runs(heap, cells, type, at, count))


@row_function
def made_words(heap: Any, cells: Any, at: int, count: int) -> int:
    """The set of the words at ``at``, which have as much free room behind them."""
    if count <= SMALL:
        sort_words(heap, at, count)
        return container(at, unique_words(heap, at, count))
    kept = -1
    if count >= MARKED and _word_run_end(heap, cells, 0, at, at + count) < at + count:
        kept = _marked_words(heap, at, count)
    return listed(at, kept if kept >= 0 else _united_word_runs(heap, cells, 0, at, count))


@row_function
def common_words(heap: Any, at: int, a: int, b: int) -> int:
    """Write the words that two sets share to ``at``, and return their number."""
    k, m, kept = 0, 0, 0
    while k < length(a) and m < length(b):
        x, y = heap[start(a) + k], heap[start(b) + m]
        heap[at + kept] = x
        kept += int(x == y)
        k += int(x <= y)
        m += int(y <= x)
    return kept


@row_function
def words_left(heap: Any, at: int, a: int, b: int) -> int:
    """Write the words of a set that are not in the other to ``at``, and return their number."""
    m, kept = 0, 0
    for k in range(length(a)):
        word = heap[start(a) + k]
        while m < length(b) and heap[start(b) + m] < word:
            m += 1
        if m == length(b) or heap[start(b) + m] != word:
            heap[at + kept] = word
            kept += 1
    return kept
