"""Comparing and sorting values of any type.

Kernels get a type as the position of its description, a few words at the bottom of the heap (see
``columns.Store.type``): a tag and the positions of the descriptions of its parts. CUDA has no recursion, so there is a
function for each depth of nesting.
"""

from collections.abc import Callable
from typing import Any

from arcloom.engine.words import corner_of, height_of, length, row_function, start, width_of

SCALAR, CONTAINER, GRID, RECORD = 0, 1, 2, 3
"""Tags. Scalars compare by their words. A container's tag precedes its element type, a record's tag its field types."""

DEPTH = 5
"""Maximum depth of nested containers, records and grids that can be compared."""

Compare = Callable[[Any, Any, int, int, int], int]


@row_function
def _by_word(a: int, b: int) -> int:
    if a < b:
        return -1
    return 1 if a > b else 0


@row_function
def _scalar_lists(heap: Any, a: int, b: int) -> int:
    """Compare containers of scalars element by element; a prefix comes first."""
    at, bt = start(a), start(b)
    n, m = length(a), length(b)
    if at == bt and n == m:
        return 0
    for k in range(min(n, m)):
        if heap[at + k] != heap[bt + k]:
            return -1 if heap[at + k] < heap[bt + k] else 1
    return _by_word(n, m)


@row_function
def _grids(cells: Any, a: int, b: int) -> int:
    """Compare grids as tuples of rows: if the widths differ, the first rows decide."""
    if height_of(a) == 0 or height_of(b) == 0:
        return _by_word(height_of(a), height_of(b))
    at, bt = corner_of(a), corner_of(b)
    n, m = width_of(a), width_of(b)
    count = n * min(height_of(a), height_of(b)) if n == m else min(n, m)
    for k in range(count):
        if cells[at + k] != cells[bt + k]:
            return -1 if cells[at + k] < cells[bt + k] else 1
    if n != m:
        return _by_word(n, m)
    return _by_word(height_of(a), height_of(b))


@row_function
def _is_flat(heap: Any, type: int) -> bool:
    """Whether values of a type can be compared without the descriptions of their parts."""
    tag = heap[type]
    return tag in (SCALAR, GRID) or (tag == CONTAINER and heap[heap[type + 1]] == SCALAR)


@row_function
def _flat(heap: Any, cells: Any, type: int, a: int, b: int) -> int:
    tag = heap[type]
    if tag == SCALAR:
        return _by_word(a, b)
    return _grids(cells, a, b) if tag == GRID else _scalar_lists(heap, a, b)


@row_function
def _part(heap: Any, type: int, k: int) -> int:
    """The type of the k-th element or field."""
    return heap[type + 1] if heap[type] == CONTAINER else heap[type + 1 + k]


def _nested(compare_parts: Compare) -> Compare:
    """A comparison that goes one level deeper than ``compare_parts``, which it calls for the parts."""

    @row_function
    def compare_values(heap: Any, cells: Any, type: int, a: int, b: int) -> int:
        if a == b:
            return 0
        if _is_flat(heap, type):
            return _flat(heap, cells, type, a, b)
        for k in range(min(length(a), length(b))):
            order = compare_parts(heap, cells, _part(heap, type, k), heap[start(a) + k], heap[start(b) + k])
            if order != 0:
                return order
        return _by_word(length(a), length(b))

    return compare_values


compare = _nested(_nested(_nested(_nested(_flat))))
"""``compare(heap, cells, type, a, b)`` is negative, zero or positive if a is less than, equal to or greater than b.

Containers, records and grids can be nested DEPTH deep.
"""


@row_function
def order_of(heap: Any, cells: Any, type: int, a: int, b: int) -> int:
    """As ``compare``, but faster for containers of scalars: short enough to be inlined."""
    if heap[type] == CONTAINER and heap[heap[type + 1]] == SCALAR:
        return _scalar_lists(heap, a, b)
    return compare(heap, cells, type, a, b)


@row_function
def equal(heap: Any, cells: Any, type: int, a: int, b: int) -> bool:
    """Whether two values of this type are equal."""
    return compare(heap, cells, type, a, b) == 0


SMALL = 24
"""Maximum number of elements that are sorted by insertion, which is fastest up to there."""


@row_function
def sort_words(heap: Any, at: int, count: int) -> None:
    """Sort scalars in place: by insertion up to SMALL, otherwise by heapsort, which needs no extra memory."""
    ascending = True
    for k in range(1, count):
        if heap[at + k - 1] > heap[at + k]:
            ascending = False
            break
    if ascending:
        return
    if count <= SMALL:
        for k in range(1, count):
            word = heap[at + k]
            m = k
            while m > 0 and heap[at + m - 1] > word:
                heap[at + m] = heap[at + m - 1]
                m -= 1
            heap[at + m] = word
        return
    for root in range(count // 2 - 1, -1, -1):
        _sift_words(heap, at, root, count)
    for end in range(count - 1, 0, -1):
        heap[at], heap[at + end] = heap[at + end], heap[at]
        _sift_words(heap, at, 0, end)


@row_function
def _sift_words(heap: Any, at: int, root: int, end: int) -> None:
    word = heap[at + root]
    child = 2 * root + 1
    while child < end:
        if child + 1 < end and heap[at + child + 1] > heap[at + child]:
            child += 1
        if heap[at + child] <= word:
            break
        heap[at + root] = heap[at + child]
        root = child
        child = 2 * root + 1
    heap[at + root] = word


@row_function
def unique_words(heap: Any, at: int, count: int) -> int:
    """Drop repetitions from sorted scalars in place and return the number that remains."""
    if count == 0:
        return 0
    kept = 1
    for k in range(1, count):
        if heap[at + k] != heap[at + kept - 1]:
            heap[at + kept] = heap[at + k]
            kept += 1
    return kept


@row_function
def sort_values(heap: Any, cells: Any, type: int, at: int, count: int) -> None:
    """Sort values of any type in place."""
    if heap[type] == SCALAR:
        sort_words(heap, at, count)
        return
    ascending = 1
    while ascending < count and order_of(heap, cells, type, heap[at + ascending - 1], heap[at + ascending]) <= 0:
        ascending += 1
    if ascending >= count:
        return
    if count <= SMALL:
        for k in range(1, count):
            word = heap[at + k]
            m = k
            while m > 0 and order_of(heap, cells, type, heap[at + m - 1], word) > 0:
                heap[at + m] = heap[at + m - 1]
                m -= 1
            heap[at + m] = word
        return
    for root in range(count // 2 - 1, -1, -1):
        _sift_values(heap, cells, type, at, root, count)
    for end in range(count - 1, 0, -1):
        heap[at], heap[at + end] = heap[at + end], heap[at]
        _sift_values(heap, cells, type, at, 0, end)


@row_function
def _sift_values(heap: Any, cells: Any, type: int, at: int, root: int, end: int) -> None:
    word = heap[at + root]
    child = 2 * root + 1
    while child < end:
        if child + 1 < end and compare(heap, cells, type, heap[at + child + 1], heap[at + child]) > 0:
            child += 1
        if compare(heap, cells, type, heap[at + child], word) <= 0:
            break
        heap[at + root] = heap[at + child]
        root = child
        child = 2 * root + 1
    heap[at + root] = word


@row_function
def as_set(heap: Any, cells: Any, type: int, at: int, count: int) -> int:
    """Turn the values at ``at`` into a set in place (sorted, without repetitions) and return its size."""
    sort_values(heap, cells, type, at, count)
    if heap[type] == SCALAR:
        return unique_words(heap, at, count)
    if count == 0:
        return 0
    kept = 1
    for k in range(1, count):
        if order_of(heap, cells, type, heap[at + k], heap[at + kept - 1]) != 0:
            heap[at + kept] = heap[at + k]
            kept += 1
    return kept


@row_function
def find(heap: Any, cells: Any, type: int, handle: int, value: int) -> int:
    """The position of the first element equal to the value, or -1."""
    at = start(handle)
    if heap[type] == SCALAR:
        for k in range(length(handle)):
            if heap[at + k] == value:
                return k
        return -1
    for k in range(length(handle)):
        if compare(heap, cells, type, heap[at + k], value) == 0:
            return k
    return -1
