"""Copying values from the slot of a thread to persistent memory, from any thread."""

from collections.abc import Callable
from typing import NamedTuple

from arcloom.engine.compare import CONTAINER, GRID, SCALAR
from arcloom.engine.machine.calls import atomic_add
from arcloom.engine.machine.records import Machine, state
from arcloom.engine.machine.tiles import NO_ROOM_FOR_OUTPUTS
from arcloom.engine.pointer import WordPointer
from arcloom.engine.words import SIDE_BITS, area_of, container, corner_of, length, row_function, start


class Area(NamedTuple):
    """Persistent memory for words and for cells. ``tops`` has the first free position of each; threads add to it."""

    tops: WordPointer
    words_end: int
    cells_end: int


Copy = Callable[[Machine, Area, int, int], int]


@row_function
def new_words(m: Machine, a: Area, count: int) -> int:
    """Allocate words and return their position. Without room it sets ``state.full``, and the position is invalid."""
    at = atomic_add(a.tops, 0, count)
    if at + count > a.words_end:
        state.set_full(m, 0, NO_ROOM_FOR_OUTPUTS)
    return at


@row_function
def copy_grid(m: Machine, a: Area, word: int) -> int:
    """Copy a grid out of the slot and return its word. A grid outside the slot is not copied."""
    source, area = corner_of(word), area_of(word)
    if not state.cells_bottom(m, 0) <= source < state.cells_end(m, 0):
        return word
    at = atomic_add(a.tops, 1, area)
    if at + area > a.cells_end:
        state.set_full(m, 0, NO_ROOM_FOR_OUTPUTS)
        return word
    for k in range(area):
        m.cells[at + k] = m.cells[source + k]
    return (at << (2 * SIDE_BITS)) | (word & ((1 << (2 * SIDE_BITS)) - 1))


@row_function
def _flat(m: Machine, a: Area, type: int, word: int) -> int:
    """Copy a scalar, a grid or a container of scalars, and return its word."""
    if m.words[type] == SCALAR:
        return word
    if m.words[type] == GRID:
        return copy_grid(m, a, word)
    source, count = start(word), length(word)
    if not m.state <= source < state.end(m, 0):
        return word
    at = new_words(m, a, count)
    if state.full(m, 0):
        return word
    for k in range(count):
        m.words[at + k] = m.words[source + k]
    return container(at, count)


def _nested(copy_part: Copy) -> Copy:
    """A copy function for values nested one level deeper than ``copy_part`` handles."""

    @row_function
    def copy_value(m: Machine, a: Area, type: int, word: int) -> int:
        if m.words[type] in (SCALAR, GRID) or (m.words[type] == CONTAINER and m.words[m.words[type + 1]] == SCALAR):
            return _flat(m, a, type, word)
        source, count = start(word), length(word)
        if not m.state <= source < state.end(m, 0):
            return word
        at = new_words(m, a, count)
        for k in range(count if not state.full(m, 0) else 0):
            part = m.words[type + 1] if m.words[type] == CONTAINER else m.words[type + 1 + k]
            m.words[at + k] = copy_part(m, a, part, m.words[source + k])
        return container(at, count)

    return copy_value


copy_value = _nested(_nested(_nested(_flat)))
"""``copy_value(machine, area, type, word)`` returns the word of the copy. Values outside the slot are not copied.
Containers and records can be nested four deep."""
