"""Structural hashes of values of any type: equal values have equal hashes, wherever they are in memory."""

from collections.abc import Callable
from typing import Any

from arcloom.engine.compare import CONTAINER, GRID, SCALAR
from arcloom.engine.words import area_of, corner_of, length, row_function, start, width_of

PRIME = 0x9E3779B97F4A7C1
"""An odd multiplier with well distributed bits, so that every input bit affects many higher bits of the product."""

Hash = Callable[[Any, Any, int, int], int]


@row_function
def mixed(hash: int, word: int) -> int:
    """The hash of a sequence of words after one more word; ``hash`` is that of the words before."""
    hash = (hash ^ word) * PRIME
    return hash ^ ((hash >> 29) & 0x7FFFFFFFF)


@row_function
def _flat(heap: Any, cells: Any, type: int, word: int) -> int:
    """The hash of a scalar, a grid or a container of scalars."""
    if heap[type] == SCALAR:
        return mixed(1, word)
    if heap[type] == GRID:
        hash = mixed(2, width_of(word))
        for k in range(area_of(word)):
            hash = mixed(hash, cells[corner_of(word) + k])
        return mixed(hash, area_of(word))
    hash = mixed(3, length(word))
    for k in range(length(word)):
        hash = mixed(hash, heap[start(word) + k])
    return hash


def _nested(hash_part: Hash) -> Hash:
    """A hash function for values nested one level deeper than ``hash_part`` handles."""

    @row_function
    def hash_value(heap: Any, cells: Any, type: int, word: int) -> int:
        if heap[type] in (SCALAR, GRID) or (heap[type] == CONTAINER and heap[heap[type + 1]] == SCALAR):
            return _flat(heap, cells, type, word)
        hash = mixed(3, length(word))
        for k in range(length(word)):
            part = heap[type + 1] if heap[type] == CONTAINER else heap[type + 1 + k]
            hash = mixed(hash, hash_part(heap, cells, part, heap[start(word) + k]))
        return hash

    return hash_value


hash_value = _nested(_nested(_nested(_flat)))
"""``hash_value(heap, cells, type, word)`` returns the hash. Containers and records can be nested four deep."""
