"""The types for annotations of primitives.

Mypy checks the reference functions against their annotations, and ``signature.py`` derives the static type rules of
primitives from the same annotations.
"""

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

T = TypeVar("T")
U = TypeVar("U")
V = TypeVar("V")

Row = tuple[int, ...]
Grid = Annotated[tuple[Row, ...], "grid"]
"""A tuple of rows of equal length. Its elements are colours."""

Pair = tuple[int, int]
"""A row and a column, a height and a width, or a direction."""

Corner = Annotated[Pair, "perhaps"]
"""A pair, or () for an empty patch."""

Colour = Annotated[int, "perhaps"]
"""An int, or None off the grid."""

Cell = tuple[int, Pair]
"""A colour and its position."""

Indices = frozenset[Pair]
Object = frozenset[Cell]
Patch = Indices | Object
Piece = Grid | Patch
Element = Grid | Object
Numeric = int | Pair
Ints = tuple[int, ...] | frozenset[int]
Container = tuple[T, ...] | frozenset[T]
Sample = tuple[Grid, Grid]
Samples = tuple[Sample, ...]
"""A task's demonstration pairs: ``S``."""

Function = Callable[[T], U]
Function2 = Callable[[T, U], V]
AnyFunction = Callable[..., Any]
