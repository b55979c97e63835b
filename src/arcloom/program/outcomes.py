"""The outcome of a program on a sample: a value or a failure."""

from typing import Any


class NoValue:
    """Base class of failures."""


def same_outcome(one: Any, other: Any) -> bool:
    """Whether two outcomes are equal values or both failures, for any reasons."""
    if isinstance(one, NoValue) or isinstance(other, NoValue):
        return isinstance(one, NoValue) and isinstance(other, NoValue)
    return bool(one == other)
