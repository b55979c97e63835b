"""Values as 64-bit words.

Every value of every type is one word. Ints and bools are themselves; a pair packs two ints, a cell three. A container
is a handle: the position of its first element in the heap of words, and the number of elements. A grid is a handle into
the heap of cells, with its height and width. The word of a failed row is below LOWEST, and so are the words of all rows
that depend on it.

The functions here are row functions: plain Python on scalars and array elements, which Numba compiles for CPU and CUDA.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

from arcloom.dsl.values import Reason
from arcloom.engine.compile.pipeline import RowCompiler

F = TypeVar("F", bound=Callable[..., Any])


OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False, "pipeline_class": RowCompiler}
"""Options of Numba for all row functions and launchers."""


def row_function(function: F) -> F:
    """Compile a kernel, or a function that kernels call, with OPTIONS.

    Row functions allocate no arrays. Numba's reference counting is therefore off: it would cost more than most rows.
    """
    return cast(F, numba.njit(**OPTIONS)(function))


FAILED = -(1 << 62)
"""The word of a row that depends on a failed row. The word of a row that fails itself is FAILED plus the reason."""

LOWEST = FAILED + 64
"""Lower bound of the words of values: smaller words are failures."""

NONE = -(1 << 61)
"""The word of a missing value: None for an int, () for a pair."""

EMPTY = FAILED + Reason.EMPTY.value
MISSING = FAILED + Reason.MISSING.value
RANGE = FAILED + Reason.RANGE.value
SHAPE = FAILED + Reason.SHAPE.value
ZERO = FAILED + Reason.ZERO.value
ABSENT = FAILED + Reason.NONE.value
BUDGET = FAILED + Reason.BUDGET.value

BITS = 21
MASK = (1 << BITS) - 1
BIAS = 1 << 20
PLACE_MASK = (1 << (2 * BITS)) - 1
SIDE_BITS = 16
SIDE_MASK = (1 << SIDE_BITS) - 1
_NOT_NEGATIVE = (1 << 41) - 1
"""Mask that changes no position, but tells the compiler that positions are not negative, so that loops vectorise."""


@row_function
def length(handle: int) -> int:
    """The number of elements of a container."""
    return handle & MASK


@row_function
def start(handle: int) -> int:
    """The position of a container's first element in the heap."""
    return (handle >> BITS) & _NOT_NEGATIVE


@row_function
def container(at: int, count: int) -> int:
    """The handle of a container with ``count`` elements, the first of which is at ``at``."""
    return (at << BITS) | count


@row_function
def pair(i: int, j: int) -> int:
    """The word of a pair."""
    return ((i + BIAS) << BITS) | (j + BIAS)


@row_function
def row_of(place: int) -> int:
    """The first int of a pair, or the row of a cell."""
    return ((place >> BITS) & MASK) - BIAS


@row_function
def column_of(place: int) -> int:
    """The second int of a pair, or the column of a cell."""
    return (place & MASK) - BIAS


@row_function
def cell(colour: int, i: int, j: int) -> int:
    """The word of a cell."""
    return ((colour + BIAS) << (2 * BITS)) | ((i + BIAS) << BITS) | (j + BIAS)


@row_function
def colour_of(cell: int) -> int:
    """The colour of a cell."""
    return (cell >> (2 * BITS)) - BIAS


@row_function
def place_of(cell: int) -> int:
    """The position of a cell as a pair; a pair unchanged."""
    return cell & PLACE_MASK


@row_function
def coloured(colour: int, place: int) -> int:
    """The cell of this colour at the position of a pair or cell."""
    return ((colour + BIAS) << (2 * BITS)) | (place & PLACE_MASK)


@row_function
def moved_to(place: int, i: int, j: int) -> int:
    """The pair or cell at another position, with its colour."""
    return (place & ~PLACE_MASK) | ((i + BIAS) << BITS) | (j + BIAS)


@row_function
def grid(at: int, height: int, width: int) -> int:
    """The handle of a grid whose cells begin at ``at``. A grid without rows has width 0."""
    if height == 0:
        return at << (2 * SIDE_BITS)
    return (at << (2 * SIDE_BITS)) | (height << SIDE_BITS) | width


@row_function
def corner_of(grid: int) -> int:
    """The position of a grid's first cell in the heap of cells."""
    return (grid >> (2 * SIDE_BITS)) & _NOT_NEGATIVE


@row_function
def height_of(grid: int) -> int:
    """A grid's number of rows."""
    return (grid >> SIDE_BITS) & SIDE_MASK


@row_function
def width_of(grid: int) -> int:
    """A grid's number of columns."""
    return grid & SIDE_MASK


@row_function
def area_of(grid: int) -> int:
    """A grid's number of cells."""
    return height_of(grid) * width_of(grid)
