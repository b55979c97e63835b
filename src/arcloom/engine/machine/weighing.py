"""The sizes of words that count as work: see ``dsl.work``."""

from collections.abc import Callable
from typing import Any

from arcloom.engine.compare import CONTAINER, GRID, SCALAR
from arcloom.engine.words import BITS, LOWEST, NONE, area_of, length, row_function, start

UNCOUNTED, ELEMENTS, CELLS = range(3)
"""How an argument counts: not at all, by its elements, or by its cells. Any higher number is the position of a type's
description, and the argument counts by weight."""

CODES = 3
"""The number of codes that are no positions."""

Weigh = Callable[[Any, Any, int, int, int], int]


@row_function
def _scalar(word: int, each: int) -> int:
    """The weight of a scalar. Of a place, which may be a pair or a cell, the word tells (``each`` is zero)."""
    if word == NONE:
        return 1
    if each:
        return each
    return 3 if word >> (2 * BITS) else 2


@row_function
def _flat(words: Any, type: int, word: int, limit: int) -> int:
    """The weight of a scalar, a grid or a container of scalars."""
    if words[type] == SCALAR:
        return _scalar(word, words[type + 1])
    if word == NONE:
        return 1
    if words[type] == GRID:
        return max(1, area_of(word))
    each = words[words[type + 1] + 1] if words[type] == CONTAINER and words[words[type + 1]] == SCALAR else 1
    if each:
        return max(1, length(word) * each)
    total = 0
    for k in range(length(word)):
        total += _scalar(words[start(word) + k], each)
    return max(1, total)


def _nested(weigh_part: Any) -> Any:
    """A weight that goes one level deeper than the one that it uses for parts."""

    @row_function
    def weigh(words: Any, type: int, word: int, limit: int) -> int:
        if words[type] in (SCALAR, GRID) or (words[type] == CONTAINER and words[words[type + 1]] == SCALAR):
            return _flat(words, type, word, limit)
        if word == NONE or length(word) == 0:
            return 1
        total = 0
        for k in range(length(word)):
            part = words[type + 1] if words[type] == CONTAINER else words[type + 1 + k]
            total += weigh_part(words, part, words[start(word) + k], limit - total)
            if total > limit:
                return total
        return total

    return weigh


weight = _nested(_nested(_nested(_nested(_flat))))
"""The weight of a value, or some number above the limit. Called as ``weight(words, type, word, limit)``."""


@row_function
def _is_list(words: Any, type: int) -> bool:
    """Whether a type is that of containers of scalars that all have the same weight."""
    return words[type] == CONTAINER and words[words[type + 1]] == SCALAR and words[words[type + 1] + 1] != 0


@row_function
def _weight_of_lists(words: Any, each: int, word: int) -> int:
    """The weight of a container of containers of scalars of the weight ``each``."""
    total = 0
    for k in range(length(word)):
        total += max(1, length(words[start(word) + k]) * each)
    return max(1, total)


@row_function
def measured(words: Any, code: int, word: int, limit: int) -> int:
    """The size of an argument that counts as the code says; zero for a failure."""
    if code == UNCOUNTED or word < LOWEST:
        return 0
    if code == ELEMENTS:
        return length(word)
    if code == CELLS:
        return area_of(word)
    part = words[code + 1]
    if words[code] == CONTAINER and _is_list(words, part):  # quicker than ``weight``, and frequent
        return _weight_of_lists(words, words[words[part + 1] + 1], word)
    return weight(words, code, word, limit)


@row_function
def measured_values(words: Any, code: int, first: int, end: int, limit: int) -> int:
    """The sum of the sizes of the words from ``first`` to ``end``, each of which counts as the code says."""
    total = 0
    if code > CELLS and words[code] == SCALAR and words[code + 1] == 1:  # as below, without a call for each
        for k in range(first, end):
            total += int(words[k] >= LOWEST)
        return total
    for k in range(first, end):
        total += measured(words, code, words[k], limit)
    return total
