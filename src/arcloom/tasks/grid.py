"""Grids as values of tasks and programs, and the limits of their sides."""

from itertools import chain
from typing import Any

Grid = tuple[tuple[int, ...], ...]
"""A tuple of rows of equal length, as in programs. Its elements are colours."""

PACKED_SIDE_MAX = 255
"""Greatest possible ``max_side`` of ``load``: packed grids have one byte for each side."""


def shape(grid: Grid | None) -> str:
    """The size of a grid, such as "3x4" for 3 rows and 4 columns, or "?" for an unknown grid."""
    return "?" if grid is None else f"{len(grid)}x{len(grid[0]) if grid else 0}"


def is_grid(value: Any) -> bool:
    """Whether a value is a grid with at least one cell."""
    rows = isinstance(value, tuple) and value and all(isinstance(row, tuple) and row for row in value)
    return bool(rows) and len(set(map(len, value))) == 1 and set(map(type, chain(*value))) <= {int, bool}
