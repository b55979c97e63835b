"""Limits of values, the order of iteration of sets, and failures.

A value of the language is an int, a bool, a tuple or frozenset of values, or ``None`` for a colour off the grid.
"""

from collections.abc import Iterable
from enum import IntEnum
from typing import Any, NoReturn, TypeVar
from weakref import ReferenceType, ref

T = TypeVar("T")

INT_LIMIT = 1_000_000
"""Maximum absolute value of the result of arithmetic, so that three ints fit in a 64-bit word."""

COLOUR_MIN, COLOUR_MAX = -128, 127
"""Range of the cells of a grid, which are signed bytes."""

SIDE_MAX = 30
"""Maximum number of rows, and of columns, of a grid of an ARC task."""

SIDE_LIMIT = 65_535
"""Maximum number of rows, and of columns, of a grid in a program: the engine stores each side in 16 bits."""

MAX_TURNS = 10_000
"""Maximum number of times that ``power`` applies a function."""


class Reason(IntEnum):
    """The reason of a failure."""

    EMPTY = 1
    MISSING = 2
    RANGE = 3
    SHAPE = 4
    ZERO = 5
    NONE = 6
    BUDGET = 7
    KIND = 8

    @property
    def text(self) -> str:
        """The reason in words."""
        return _REASON_TEXT[self]


_REASON_TEXT = {
    Reason.EMPTY: "the container is empty",
    Reason.MISSING: "there is no such element",
    Reason.RANGE: "a number is out of range",
    Reason.SHAPE: "the shapes do not fit",
    Reason.ZERO: "division by zero",
    Reason.NONE: "a missing value is used",
    Reason.BUDGET: "too many elements",
    Reason.KIND: "a value has the wrong type",
}


class Failure(Exception):
    """Raised by primitives that have no value for their arguments."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.text)
        self.reason = reason


def fail(reason: Reason) -> NoReturn:
    """Raise Failure for this reason."""
    raise Failure(reason)


def within(number: int) -> int:
    """The number itself; fails if it is beyond INT_LIMIT."""
    if -INT_LIMIT <= number <= INT_LIMIT:
        return number
    fail(Reason.RANGE)


def colour(number: int) -> int:
    """The number itself; fails if a cell cannot hold it."""
    if COLOUR_MIN <= number <= COLOUR_MAX:
        return number
    fail(Reason.RANGE)


def sort_key(value: Any) -> Any:
    """A sort key of the language's order: ints by value, tuples and sets by their parts, a missing value first."""
    if isinstance(value, tuple):
        return tuple(map(sort_key, value))
    if isinstance(value, frozenset):
        return tuple(sorted(map(sort_key, value)))
    return -INT_LIMIT * 4 if value is None else value


def _depth(value: Any) -> int | None:
    """The depth of nested tuples; None if Python's order is not the language's: for sets (inclusion) and None."""
    if isinstance(value, tuple):
        depths = [_depth(part) for part in value]
        return None if None in depths else 1 + max(depths, default=0)  # type: ignore[type-var, operator]
    return 0 if isinstance(value, int) else None


_orders: dict[int, tuple["ReferenceType[frozenset[Any]]", tuple[Any, ...]]] = {}
"""A cache of the sorted elements of live sets, by identity: most sets are iterated several times."""

FEW = 8
"""Number of elements up to which sorting a set is as fast as a lookup in the cache."""


def ordered(values: Iterable[T]) -> tuple[T, ...]:
    """The elements in the language's order of iteration: tuples unchanged, sets sorted.

    In a set of both positions and cells, the positions come first.
    """
    if isinstance(values, tuple):
        return values
    if not isinstance(values, frozenset) or len(values) <= FEW:
        return _sorted(list(values))
    key = id(values)
    known = _orders.get(key)
    if known is None:
        known = ref(values, lambda _: _orders.pop(key, None)), _sorted(list(values))
        _orders[key] = known
    return known[1]


def _sorted(elements: list[T]) -> tuple[T, ...]:
    if len(elements) < 2:
        return tuple(elements)
    depths = set(map(_depth, elements))
    if None in depths:
        return tuple(sorted(elements, key=sort_key))
    if len(depths) > 1 and all(map(_is_place, elements)):
        return tuple(sorted(elements, key=lambda element: (_depth(element), element)))
    try:
        return tuple(sorted(elements))  # type: ignore[type-var]
    except TypeError:  # an integer was compared with a tuple
        return tuple(sorted(elements, key=lambda element: (_depth(element), sort_key(element))))


def _is_place(value: Any) -> bool:
    """Whether a value is a position or a cell."""
    match value:
        case (int(), int()) | (int(), (int(), int())):
            return True
        case _:
            return False


def written(value: Any) -> str:
    """A value in the notation of examples, with the elements of sets sorted."""
    match value:
        case tuple():
            return f"({', '.join(map(written, value))}{',' if len(value) == 1 else ''})"
        case frozenset():
            return f"{{{', '.join(map(written, ordered(value)))}}}" if value else "set()"
        case _:
            return repr(value)
