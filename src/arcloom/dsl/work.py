"""An estimate of the work that reference functions do, and a limit on it.

A unit of work takes half a microsecond on average. The estimate depends only on the sizes of values, so a limit is
reached at the same place on every machine.
"""

from collections.abc import Sequence
from math import prod
from typing import Any

PAIRWISE = frozenset({"gravitate", "manhattan", "occurrences"})
"""Primitives whose time grows with the product of the sizes of their arguments. For others it grows with the sum."""

PROBE = 1_000_000
"""Units of work after which the work of a whole job is projected from the part that is done."""


class Exhausted(Exception):
    """Raised when an allowance is used up."""


class Allowance:
    """A limit on the work of the reference. ``used`` is the work counted so far."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.used = 0
        self._prepared = 0

    def spend(self, work: int) -> None:
        """Count work that is about to be done. Raises Exhausted if that exceeds the limit."""
        self.used += work
        if self.used > self.limit:
            raise Exhausted

    def prepare(self, work: int) -> None:
        """Count work that is done once, before the runs of a job."""
        self._prepared += work
        self.spend(work)

    def project(self, done: int, total: int) -> None:
        """Raise Exhausted if the whole job would exceed the limit at the present rate: ``done`` of ``total`` runs are
        done. The first PROBE units of work in runs are too few to tell."""
        running = self.used - self._prepared
        if running > PROBE and running * total > (self.limit - self._prepared) * done:
            raise Exhausted


def work_of(primitive: str, args: Sequence[Any]) -> int:
    """The estimated work of calling a primitive with these arguments, without making its result."""
    sizes = map(_size, args)
    return 1 + (prod(sizes) if primitive in PAIRWISE else sum(sizes))


def _size(value: Any) -> int:
    """The number of elements of a value, with those of the containers directly in it."""
    if not isinstance(value, tuple | frozenset) or not value:
        return 1
    inner = next(iter(value))
    if isinstance(inner, frozenset):  # objects of one grid differ in size; cells and rows do not
        return sum(len(each) for each in value if isinstance(each, frozenset))
    return len(value) * len(inner) if isinstance(inner, tuple) else len(value)
