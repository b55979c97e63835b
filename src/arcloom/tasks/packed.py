"""Grids packed into bytes: height, width, then the cells. Packed grids are compact, and fast to compare and hash."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from arcloom.tasks.task import PACKED_SIDE_MAX, SIDE_MAX, Grid

COLOURS = 10
_IN_COLOURS = bytes(range(COLOURS))

Cells = npt.NDArray[np.int8]


def pack(grid: Any) -> bytes | None:
    """Pack an array or a tuple of rows; None if it is not a rectangle, is empty, or is too large."""
    try:
        array = np.asarray(grid, np.int8)
    except (TypeError, ValueError, OverflowError):
        return None
    if array.ndim != 2 or not array.size or max(array.shape) > PACKED_SIDE_MAX:
        return None
    return bytes(array.shape) + array.tobytes()


def cells(packed: bytes) -> Cells:
    """The grid as an array."""
    return np.frombuffer(packed, np.int8, offset=2).reshape(packed[0], packed[1])


def unpack(packed: bytes) -> Grid:
    """The grid as a tuple of tuples. Its colours must be from 0 to 9."""
    width = packed[1]
    return tuple([tuple(packed[at : at + width]) for at in range(2, len(packed), width)])


def is_of_arc(packed: bytes, side: int = SIDE_MAX) -> bool:
    """Whether all colours are from 0 to 9, and neither side is longer than ``side``."""
    in_size = 0 < packed[0] <= side and 0 < packed[1] <= side
    return in_size and not packed[2:].translate(None, _IN_COLOURS)


def split_packed(grids: bytes) -> Iterator[bytes]:
    """The single grids in a concatenation of packed grids."""
    at = 0
    while at < len(grids):
        end = at + 2 + grids[at] * grids[at + 1]
        yield grids[at:end]
        at = end
