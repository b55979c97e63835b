"""Grids as bytes: two for the sides, then the cells. They compare, hash and keep well."""

from typing import Any

import numpy as np
import numpy.typing as npt

from arcloom.tasks.task import Grid

SIDE_MAX = 30
"""No grid of ARC is longer; a larger output cannot be right."""

COLOURS = 10


def pack(grid: Any) -> bytes | None:
    """The grid of an array or a tuple of rows, or None where it is none of ARC's: empty, or too large."""
    array = grid if isinstance(grid, np.ndarray) else np.array(grid, np.int8)
    if array.ndim != 2 or not array.size or max(array.shape) > SIDE_MAX:
        return None
    return bytes(array.shape) + array.tobytes()


def cells(packed: bytes) -> npt.NDArray[np.int8]:
    """The grid as an array."""
    height, width = packed[:2]
    return np.frombuffer(packed, np.int8, offset=2).reshape(height, width)


def unpack(packed: bytes) -> Grid:
    """The grid as programs and tasks have it."""
    return tuple(map(tuple, cells(packed).tolist()))


def in_colours(packed: bytes) -> bool:
    """Whether all its colours are ARC's."""
    return max(packed[2:]) < COLOURS  # a negative colour is a byte above 127
