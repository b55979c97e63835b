"""Encoding values as words, decoding words, and writing the type descriptions that kernels read."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from arcloom.dsl.container import elements
from arcloom.dsl.signature import BOOL, CELL, INT, PAIR, Type
from arcloom.dsl.values import Reason, fail
from arcloom.engine import compare, words
from arcloom.engine.kernel import kind_of

Words = npt.NDArray[np.int64]
Cells = npt.NDArray[np.int8]


Contents = tuple[Words, Cells, int, int]
"""Words and cells, and their positions in the heaps."""


class ConstantStore:
    """Values and type descriptions encoded for the heaps, from the positions ``words_at`` and ``cells_at`` on."""

    def __init__(self, words_at: int = 0, cells_at: int = 0) -> None:
        self.words_at = words_at
        self.cells_at = cells_at
        self.words: list[int] = []
        self.cells = bytearray()
        self._types: dict[Type, int] = {}
        self._values: dict[tuple[Type, Any], int] = {}

    def type(self, type: Type) -> int:
        """The position of a type's description, which is written if it is new."""
        if type not in self._types:
            parts = [self.type(part) for part in type.parts] if _tag(type) != compare.SCALAR else []
            self._types[type] = self.words_at + len(self.words)
            self.words += [_tag(type), *(parts or [_weight(type)])]
        return self._types[type]

    def value(self, value: Any, type: Type) -> int:
        """The word of a value; containers and grids are written to the heap, equal ones once."""
        key = (type, value)
        if key not in self._values:
            self._values[key] = self._encode(value, type)
        return self._values[key]

    def _encode(self, value: Any, type: Type) -> int:
        kind = kind_of(type)
        if value is None or (value == () and kind == "perhaps"):
            return words.NONE
        if kind == "perhaps":
            return self.value(value, type.element)
        if kind == "int":
            return int(value)
        if kind in ("pair", "cell", "place"):
            return packed(value)
        if kind == "grid":
            return self.grid(value)
        parts = type.parts if kind == "box" else (type.element,) * len(value)
        inner = [self.value(element, part) for element, part in zip(elements(value), parts, strict=True)]
        at = self.words_at + len(self.words)
        self.words += inner
        return (at << words.BITS) | len(inner)

    def grid(self, rows: tuple[tuple[int, ...], ...]) -> int:
        """The word of a grid, which is written to the heap."""
        at = self.cells_at + len(self.cells)
        self.cells += flat(rows)
        return grid_word(at, len(rows), len(rows[0]) if rows else 0)

    def contents(self) -> Contents:
        """The words and cells, and their positions in the heaps."""
        cells: Cells = np.frombuffer(bytes(self.cells), np.int8)
        return np.array(self.words, np.int64), cells, self.words_at, self.cells_at


def _tag(type: Type) -> int:
    return {"tuple": compare.CONTAINER, "set": compare.CONTAINER, "grid": compare.GRID, "box": compare.RECORD}.get(
        kind_of(type), compare.SCALAR
    )


def _weight(type: Type) -> int:
    """The number of ints in a scalar; zero if that depends on the value."""
    if kind_of(type) == "perhaps":
        return _weight(type.element)
    return {"pair": 2, "cell": 3, "place": 0}.get(kind_of(type), 1)


def packed(place: Any) -> int:
    """The word of a pair or cell."""
    first, second = place
    if isinstance(second, tuple):
        return int((first + words.BIAS) << (2 * words.BITS)) | packed(second)
    return int(((first + words.BIAS) << words.BITS) | (second + words.BIAS))


def flat(rows: Iterable[Iterable[int]]) -> bytes:
    """The cells of a grid as signed bytes."""
    try:
        return b"".join(map(bytes, rows))
    except ValueError:  # a negative colour
        return b"".join(bytes(cell & 0xFF for cell in row) for row in rows)


def grid_word(at: int, height: int, width: int) -> int:
    """The word of a grid whose cells begin at ``at``."""
    return (at << (2 * words.SIDE_BITS)) | (height << words.SIDE_BITS) | (width if height else 0)


class Reader:
    """Decodes words, which point into the heaps."""

    def __init__(self, heap: Words, cells: Cells, limit: int | None = None) -> None:
        """``limit`` is the maximum number of elements of all values that are read, counting nested elements; beyond it
        reading fails with BUDGET."""
        self.heap = heap
        self.cells = cells
        self.left = limit

    def _spend(self, elements: int) -> None:
        if self.left is not None:
            self.left -= elements
            if self.left < 0:
                fail(Reason.BUDGET)

    def value(self, word: int, type: Type) -> Any:
        """The value of a word that is not a failure."""
        kind = kind_of(type)
        if word == words.NONE:
            return None if type.element in (INT, BOOL) else ()
        if kind == "perhaps":
            return self.value(word, type.element)
        if kind == "int":
            return bool(word) if type is BOOL else word
        if kind in ("pair", "cell", "place"):
            return self._place(word, type)
        if kind == "grid":
            grid = self.grid(word)
            self._spend(len(grid) + grid.size)
            return tuple(map(tuple, grid.tolist()))
        return self._container(word, type, kind)

    def _place(self, word: int, type: Type) -> Any:
        i, j = ((word >> words.BITS) & words.MASK) - words.BIAS, (word & words.MASK) - words.BIAS
        colour = word >> (2 * words.BITS)
        self._spend(4 if colour else 2)
        if colour:
            where = type.parts[1] if type.kind == "record" else type
            return _as_declared(colour - words.BIAS, type, 0), (_as_declared(i, where, 0), _as_declared(j, where, 1))
        return (_as_declared(i, type, 0), _as_declared(j, type, 1))

    def _container(self, word: int, type: Type, kind: str) -> Any:
        at, count = word >> words.BITS, word & words.MASK
        self._spend(count)
        held = self.heap[at : at + count]
        if kind != "box" and type.element in (PAIR, CELL):
            inner = self._places(held)
        elif kind != "box" and type.element is INT and not (held == words.NONE).any():
            inner = held.tolist()
        else:
            parts = type.parts if kind == "box" else (type.element,) * count
            inner = [self.value(int(self.heap[at + k]), part) for k, part in enumerate(parts)]
        return frozenset(inner) if kind == "set" else tuple(inner)

    def _places(self, packed: Words) -> list[Any]:
        """Decode pairs or cells with NumPy: most containers have these elements."""
        rows, columns = ((packed >> words.BITS) & words.MASK) - words.BIAS, (packed & words.MASK) - words.BIAS
        pairs = list(zip(rows.tolist(), columns.tolist(), strict=True))
        colours = packed >> (2 * words.BITS)
        coloured = int(np.count_nonzero(colours))
        self._spend(2 * (len(packed) + coloured))
        return list(zip((colours - words.BIAS).tolist(), pairs, strict=True)) if coloured else pairs

    def grid(self, word: int) -> Cells:
        """A grid as an array."""
        at, height = word >> (2 * words.SIDE_BITS), (word >> words.SIDE_BITS) & words.SIDE_MASK
        width = word & words.SIDE_MASK
        return self.cells[at : at + height * width].reshape(height, width)


def _as_declared(number: int, type: Type, k: int) -> Any:
    """A field of a packed record, converted to a bool if its type is bool."""
    return bool(number) if type.kind == "record" and type.parts[k] is BOOL else number
