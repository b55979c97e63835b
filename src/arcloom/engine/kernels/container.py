"""Kernels of containers. The elements of a set are stored in sorted order, which is also the order of iteration."""

from typing import Any

from arcloom.dsl import container as dsl
from arcloom.engine.compare import RECORD, SCALAR, as_set, sort_values
from arcloom.engine.kernel import kernel
from arcloom.engine.kernels.logic import holds_empty, is_empty, same
from arcloom.engine.kernels.sets import alike, common_words, is_in, listed, made_set, rank_in, united, words_left
from arcloom.engine.kernels.structure import as_many, copied, two
from arcloom.engine.words import (
    EMPTY,
    MASK,
    MISSING,
    RANGE,
    coloured,
    container,
    length,
    pair,
    row_function,
    start,
)

# Bounds of result sizes. The digit is the number of type descriptions that the kernel takes before its arguments.


@row_function
def _lengths(heap: Any, cells: Any, a: int, b: int) -> int:
    return length(a) + length(b)


@row_function
def _lengths1(heap: Any, cells: Any, type: int, a: int, b: int) -> int:
    return length(a) + length(b)


@row_function
def _lengths2(heap: Any, cells: Any, a_type: int, b_type: int, a: int, b: int) -> int:
    return length(a) + length(b)


# Union and concatenation


@kernel(dsl.combine, "tuple", "list", words=_lengths)
def combine_tuple(heap: Any, cells: Any, at: int, a: int, b: int) -> int:
    count = copied(heap, at, a)
    return listed(at, count + copied(heap, at + count, b))


@kernel(dsl.combine, "set", "set", words=_lengths1, types=("=.",))
def combine_sets(heap: Any, cells: Any, at: int, type: int, a: int, b: int) -> int:
    if heap[type] == SCALAR:
        end = united(heap, at, start(a), start(a) + length(a), start(b), start(b) + length(b))
        return listed(at, end - at)
    count = copied(heap, at, a)
    return listed(at, as_set(heap, cells, type, at, count + copied(heap, at + count, b)))


@row_function
def _twice_lengths(heap: Any, cells: Any, type: int, a: int, b: int) -> int:
    return 2 * (length(a) + length(b))


@kernel(dsl.combine, "set", "tuple", words=_twice_lengths, types=("=.",))
def combine_set_tuple(heap: Any, cells: Any, at: int, type: int, a: int, b: int) -> int:
    count = copied(heap, at, a)
    return made_set(heap, cells, type, at, count + copied(heap, at + count, b))


@row_function
def _merged_length(heap: Any, cells: Any, parts: int) -> int:
    total = 0
    for k in range(length(parts)):
        total += length(heap[start(parts) + k])
    return total


@row_function
def _merged_room(heap: Any, cells: Any, type: int, parts: int) -> int:
    return 2 * _merged_length(heap, cells, parts)


@row_function
def _concatenated(heap: Any, at: int, parts: int) -> int:
    """Copy the elements of all parts to ``at`` and return their number."""
    count = 0
    for k in range(length(parts)):
        count += copied(heap, at + count, heap[start(parts) + k])
    return count


@kernel(dsl.merge, "tuple", words=_merged_length)
def merge_tuple(heap: Any, cells: Any, at: int, parts: int) -> int:
    return listed(at, _concatenated(heap, at, parts))


@kernel(dsl.merge, "set", words=_merged_room, types=("=.",))
def merge_set(heap: Any, cells: Any, at: int, type: int, parts: int) -> int:
    return made_set(heap, cells, type, at, _concatenated(heap, at, parts))


@kernel("united", "tuple", words=_merged_room, types=("=.",))
def united_tuple(heap: Any, cells: Any, at: int, type: int, parts: int) -> int:
    return merge_set(heap, cells, at, type, parts)


@kernel(dsl.initset, "*", words=two)
def initset(heap: Any, cells: Any, at: int, value: int) -> int:
    heap[at] = value
    return container(at, 1)


@row_function
def _one_more(heap: Any, cells: Any, type: int, value: int, handle: int) -> int:
    return length(handle) + 1


@kernel(dsl.insert, "*", "set", words=_one_more, types=("0",))
def insert(heap: Any, cells: Any, at: int, type: int, value: int, handle: int) -> int:
    source, count = start(handle), length(handle)
    rank = rank_in(heap, cells, type, source, count, value)
    if rank < count and alike(heap, cells, type, heap[source + rank], value):
        return handle
    for k in range(rank):
        heap[at + k] = heap[source + k]
    heap[at + rank] = value
    for k in range(rank, count):
        heap[at + k + 1] = heap[source + k]
    return listed(at, count + 1)


# Subsequences of a container: elements are dropped in order, so a sorted set stays sorted


@kernel(dsl.intersection, "set", "set", words=_lengths1, types=("=.",))
def intersection(heap: Any, cells: Any, at: int, type: int, a: int, b: int) -> int:
    if heap[type] == SCALAR:
        return container(at, common_words(heap, at, a, b))
    kept = 0
    for k in range(length(a)):
        word = heap[start(a) + k]
        if is_in(heap, cells, type, start(b), length(b), word):
            heap[at + kept] = word
            kept += 1
    return container(at, kept)


@row_function
def _values_left(heap: Any, cells: Any, at: int, type: int, handle: int, others: int, count: int) -> int:
    """Write to ``at`` the elements that are not among the ``count`` sorted values at ``others``; return the handle."""
    kept = 0
    for k in range(length(handle)):
        word = heap[start(handle) + k]
        if not is_in(heap, cells, type, others, count, word):
            heap[at + kept] = word
            kept += 1
    return container(at, kept)


@row_function
def _full_left(heap: Any, at: int, a_type: int, b_type: int, a: int, b: int) -> int:
    """The difference of containers of unrelated element types, which can have only empty elements in common."""
    if not holds_empty(heap, b_type, b):
        return a
    kept = 0
    for k in range(length(a)):
        word = heap[start(a) + k]
        if not is_empty(heap, a_type, word):
            heap[at + kept] = word
            kept += 1
    return container(at, kept)


@kernel(dsl.difference, "set", "set", words=_lengths2, types=("0.", "1."))
def difference_sets(heap: Any, cells: Any, at: int, a_type: int, b_type: int, a: int, b: int) -> int:
    if a_type != b_type:
        return _full_left(heap, at, a_type, b_type, a, b)
    if heap[a_type] == SCALAR:
        return container(at, words_left(heap, at, a, b))
    return _values_left(heap, cells, at, a_type, a, start(b), length(b))


@kernel(dsl.difference, "list", "list", words=_lengths2, types=("0.", "1."))
def difference_lists(heap: Any, cells: Any, at: int, a_type: int, b_type: int, a: int, b: int) -> int:
    if a_type != b_type:
        return _full_left(heap, at, a_type, b_type, a, b)
    others = at + length(a)
    count = copied(heap, others, b)
    sort_values(heap, cells, b_type, others, count)
    return _values_left(heap, cells, at, a_type, a, others, count)


@row_function
def _as_second(heap: Any, cells: Any, a_type: int, b_type: int, a: int, b: int) -> int:
    return length(b)


@kernel(dsl.remove, "*", "list", words=_as_second, types=("0", "1."))
def remove(heap: Any, cells: Any, at: int, type: int, element_type: int, value: int, handle: int) -> int:
    kept = 0
    for k in range(length(handle)):
        word = heap[start(handle) + k]
        if not same(heap, cells, element_type, type, word, value):
            heap[at + kept] = word
            kept += 1
    return container(at, kept)


@kernel(dsl.other, "list", "*", types=("0.", "1"))
def other(heap: Any, cells: Any, element_type: int, type: int, handle: int, value: int) -> int:
    for k in range(length(handle)):
        word = heap[start(handle) + k]
        if not same(heap, cells, element_type, type, word, value):
            return word
    return MISSING


FEW = 24
"""Maximum number of distinct elements that ``dedupe`` finds by linear scans, which are fastest up to there."""


@row_function
def _first_occurrences(heap: Any, cells: Any, type: int, at: int, values: int) -> int:
    """Write a tuple's elements without repetitions to ``at`` and return their number.

    The buffer continues with the sorted distinct elements and a flag for each: whether it was written.
    """
    known, met = at + length(values), at + 2 * length(values)
    distinct = as_set(heap, cells, type, known, copied(heap, known, values))
    for k in range(distinct):
        heap[met + k] = 0
    kept = 0
    for k in range(length(values)):
        word = heap[start(values) + k]
        rank = rank_in(heap, cells, type, known, distinct, word)
        if heap[met + rank] == 0:
            heap[met + rank] = 1
            heap[at + kept] = word
            kept += 1
    return kept


@row_function
def _thrice(heap: Any, cells: Any, type: int, values: int) -> int:
    return 3 * length(values)


@kernel(dsl.dedupe, "tuple", words=_thrice, types=("0.",))
def dedupe(heap: Any, cells: Any, at: int, type: int, values: int) -> int:
    kept = 0
    for k in range(length(values)):
        word = heap[start(values) + k]
        m = 0
        while m < kept and not alike(heap, cells, type, heap[at + m], word):
            m += 1
        if m == kept == FEW:
            return container(at, _first_occurrences(heap, cells, type, at, values))
        if m == kept:
            heap[at + kept] = word
            kept += 1
    return container(at, kept)


# Reductions to one element or number


@kernel(dsl.size, "list")
def size(heap: Any, cells: Any, handle: int) -> int:
    return length(handle)


@kernel(dsl.first, "list")
def first(heap: Any, cells: Any, handle: int) -> int:
    if length(handle) == 0:
        return EMPTY
    return heap[start(handle)]


@kernel(dsl.last, "list")
def last(heap: Any, cells: Any, handle: int) -> int:
    if length(handle) == 0:
        return EMPTY
    return heap[start(handle) + length(handle) - 1]


@kernel(dsl.maximum, "list")
def maximum(heap: Any, cells: Any, numbers: int) -> int:
    if length(numbers) == 0:
        return 0
    greatest = heap[start(numbers)]
    for k in range(1, length(numbers)):
        greatest = max(greatest, heap[start(numbers) + k])
    return greatest


@kernel(dsl.minimum, "list")
def minimum(heap: Any, cells: Any, numbers: int) -> int:
    if length(numbers) == 0:
        return 0
    least = heap[start(numbers)]
    for k in range(1, length(numbers)):
        least = min(least, heap[start(numbers) + k])
    return least


@row_function
def _by_frequency(heap: Any, cells: Any, at: int, type: int, sign: int, values: int) -> int:
    """The smallest of the elements that maximize frequency times sign."""
    count = copied(heap, at, values)
    if count == 0:
        return EMPTY
    sort_values(heap, cells, type, at, count)
    chosen, best, k = heap[at], -count - 1, 0
    while k < count:
        end = k + 1
        while end < count and alike(heap, cells, type, heap[at + k], heap[at + end]):
            end += 1
        if sign * (end - k) > best:
            chosen, best = heap[at + k], sign * (end - k)
        k = end
    return chosen


@row_function
def _typed_length(heap: Any, cells: Any, type: int, values: int) -> int:
    return length(values)


@kernel(dsl.mostcommon, "tuple", scratch=_typed_length, types=("0.",))
def mostcommon(heap: Any, cells: Any, at: int, type: int, values: int) -> int:
    return _by_frequency(heap, cells, at, type, 1, values)


@kernel(dsl.leastcommon, "tuple", scratch=_typed_length, types=("0.",))
def leastcommon(heap: Any, cells: Any, at: int, type: int, values: int) -> int:
    return _by_frequency(heap, cells, at, type, -1, values)


# Making tuples


@kernel(dsl.totuple, "list", words=as_many)
def totuple(heap: Any, cells: Any, at: int, handle: int) -> int:
    return handle


@row_function
def _times(heap: Any, cells: Any, value: int, count: int) -> int:
    return max(count, 0)


@kernel(dsl.repeat, "*", "int", words=_times)
def repeat(heap: Any, cells: Any, at: int, value: int, count: int) -> int:
    for k in range(count):
        heap[at + k] = value
    return container(at, max(count, 0))


@row_function
def _steps(heap: Any, cells: Any, first: int, stop: int, step: int) -> int:
    if step == 0:
        return 0
    distance = stop - first if step > 0 else first - stop
    return max(0, (distance + abs(step) - 1) // abs(step))


@kernel(dsl.interval, "int", "int", "int", words=_steps)
def interval(heap: Any, cells: Any, at: int, first: int, stop: int, step: int) -> int:
    if step == 0:
        return RANGE
    count = _steps(heap, cells, first, stop, step)
    for k in range(count):
        heap[at + k] = first + k * step
    return listed(at, count)


# Records of two elements: packed into one word if possible, otherwise a handle to two words


@row_function
def _packed(x: int, y: int) -> int:
    """The pair of two ints, or the cell of an int and a pair. A pair's word is greater than any int's."""
    return coloured(x, y) if y > MASK else pair(x, y)


@row_function
def _records_room(heap: Any, type: int, count: int) -> int:
    """The number of words of ``count`` records of this type."""
    return 3 * count if heap[type] == RECORD else count


@row_function
def _pairs_room(heap: Any, cells: Any, type: int, a: int, b: int) -> int:
    return _records_room(heap, type, min(length(a), length(b)))


@kernel(dsl.pair, "list", "list", words=_pairs_room, types=("=.",), deep=True)
def pair_lists(heap: Any, cells: Any, at: int, type: int, a: int, b: int) -> int:
    count = min(length(a), length(b))
    boxed = heap[type] == RECORD
    for k in range(count):
        x, y = heap[start(a) + k], heap[start(b) + k]
        if boxed:
            box = at + count + 2 * k
            heap[box], heap[box + 1] = x, y
            heap[at + k] = container(box, 2)
        else:
            heap[at + k] = _packed(x, y)
    return listed(at, count)


@row_function
def _crossed(heap: Any, at: int, type: int, a: int, a_count: int, b: int, b_count: int) -> int:
    """Write the product of the sorted values at ``a`` and at ``b`` to ``at``, in sorted order; return the handle."""
    count = a_count * b_count
    boxed = heap[type] == RECORD
    out, box = at, at + count
    for k in range(a_count):
        for m in range(b_count):
            x, y = heap[a + k], heap[b + m]
            if boxed:
                heap[box], heap[box + 1] = x, y
                heap[out] = container(box, 2)
                box += 2
            else:
                heap[out] = _packed(x, y)
            out += 1
    return listed(at, count)


@row_function
def _product_room(heap: Any, cells: Any, a_type: int, b_type: int, type: int, a: int, b: int) -> int:
    return length(a) + length(b) + _records_room(heap, type, length(a) * length(b))


@kernel(dsl.product, "list", "list", words=_product_room, types=("0.", "1.", "=."), deep=True)
def product(heap: Any, cells: Any, at: int, a_type: int, b_type: int, type: int, a: int, b: int) -> int:
    # the buffer holds both arguments as sets, then the result: the product of sorted sets needs no sorting
    a_count = as_set(heap, cells, a_type, at, copied(heap, at, a))
    other = at + length(a)
    b_count = as_set(heap, cells, b_type, other, copied(heap, other, b))
    return _crossed(heap, other + length(b), type, at, a_count, other, b_count)
