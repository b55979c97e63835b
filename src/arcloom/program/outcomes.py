"""The outcome of running a program on a sample: a value, or a record that says why there is none."""

from typing import Any


class NoValue:
    """Base class of the records that stand for a failure."""


def same_outcome(one: Any, other: Any) -> bool:
    """Whether two outcomes are equal values, or both failures, whatever their reasons."""
    if isinstance(one, NoValue) or isinstance(other, NoValue):
        return isinstance(one, NoValue) and isinstance(other, NoValue)
    return bool(one == other)
