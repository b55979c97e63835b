"""Drawings of values: grids, cells on the input, rows of values, and text."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from arcloom.dsl.signature import CELL, GRID, INDICES, OBJECT, PAIR, PATCH, PLACE, ROWS, Type, tuple_of
from arcloom.dsl.values import ordered, written
from arcloom.tasks.task import Grid

ITEMS_MAX = 24
"""Maximum number of elements of a container that are drawn. The others are counted."""

TEXT_MAX = 400
"""Maximum number of characters of a value as text."""

DRAWN_SIDE_MAX = 100
"""Maximum side of a drawn grid, and maximum distance of a drawn cell from the input. Other values are text."""


Cell = tuple[int, int, int | None]
"""A row, a column, and a colour; None for a position without a colour."""


@dataclass(frozen=True)
class GridDrawing:
    """A grid."""

    grid: Grid


@dataclass(frozen=True)
class CellsDrawing:
    """Cells or positions, drawn in place on the input. The colour of a position is None."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class RowDrawing:
    """The elements of a container, in order. ``count`` includes those that are not drawn."""

    items: tuple["Drawing", ...]
    count: int


@dataclass(frozen=True)
class TextDrawing:
    """A value as text, such as a number or a pair."""

    text: str


@dataclass(frozen=True)
class FunctionDrawing:
    """A function: its name, or the expression that returns it."""

    text: str


@dataclass(frozen=True)
class FailureDrawing:
    """A failure instead of a value: the line and the reason."""

    line: int
    reason: str


_PLACES = (INDICES, OBJECT, PATCH, tuple_of(CELL))
"""The types whose values are drawn on the input. A tuple of pairs is not, because pairs need not be positions."""

Drawing = GridDrawing | CellsDrawing | RowDrawing | TextDrawing | FunctionDrawing | FailureDrawing


def drawing_of(value: Any, type: Type | None) -> Drawing:
    """The drawing of a value with a static type. Without a type, it depends on the value itself."""
    type = _known(type)
    if _is_grid(value) and (type in (GRID, ROWS) or (type is None and len(value[0]) != 2)):
        return GridDrawing(value)
    if type in _PLACES or (type is None and isinstance(value, frozenset)):
        cells = _cells(value)
        if cells:
            return CellsDrawing(cells)
    if isinstance(value, tuple | frozenset) and type not in (PAIR, CELL, PLACE):
        return _row(ordered(value), type)
    return _text(value)


def _known(type: Type | None) -> Type | None:
    """The type; for an optional type, the type of its value."""
    return type.element if type is not None and type.kind == "perhaps" else type


def _row(values: Sequence[Any], type: Type | None) -> Drawing:
    """A drawing of each element if one of them is not text, otherwise the text of the whole value."""
    types = _element_types(type, len(values))
    items = tuple(map(drawing_of, values[:ITEMS_MAX], types[:ITEMS_MAX]))
    if any(not isinstance(item, TextDrawing) for item in items):
        return RowDrawing(items, len(values))
    return _text(values if type is None or type.kind != "set" else frozenset(values))


def _element_types(type: Type | None, count: int) -> list[Type | None]:
    if type is None or not type.parts:
        return [None] * count
    return list(type.parts) if type.kind == "record" else [type.element] * count


def _text(value: Any) -> TextDrawing:
    text = written(value)
    return TextDrawing(text if len(text) <= TEXT_MAX else f"{text[: TEXT_MAX - 3]}...")


def _is_grid(value: Any) -> bool:
    """Whether a value is a grid that is small enough to draw."""
    if not isinstance(value, tuple) or not 0 < len(value) <= DRAWN_SIDE_MAX or not isinstance(value[0], tuple):
        return False
    width = len(value[0])
    return (
        0 < width <= DRAWN_SIDE_MAX
        and all(isinstance(row, tuple) and len(row) == width for row in value)
        and _ints(value)
    )


def _ints(rows: Iterable[Iterable[Any]]) -> bool:
    return all(isinstance(cell, int) for row in rows for cell in row)


def _cells(values: Iterable[Any]) -> tuple[Cell, ...]:
    """Positions or cells, row by row; empty if a value is something else or too far from the input."""
    cells = []
    for value in values:
        cell = _cell(value)
        if cell is None or max(abs(cell[0]), abs(cell[1])) > DRAWN_SIDE_MAX:
            return ()
        cells.append(cell)
    return tuple(sorted(cells, key=_reading_order))


def _reading_order(cell: Cell) -> tuple[int, int, bool, int]:
    i, j, colour = cell
    return i, j, colour is not None, colour or 0


def _cell(value: Any) -> Cell | None:
    if not isinstance(value, tuple) or len(value) != 2:
        return None
    first, second = value
    if isinstance(first, int) and isinstance(second, int):
        return first, second, None
    if not isinstance(second, tuple) or len(second) != 2:
        return None
    i, j = second
    return (i, j, first) if isinstance(i, int) and isinstance(j, int) else None
