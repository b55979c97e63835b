"""The cost of calls in units of work, and a limit on the work of the reference.

A cost depends only on the sizes of values, so a limit is reached at the same call on every device and machine.

The cost of a call of a first-order primitive is CALL + the sizes of the arguments that count + the size of its result.
``Primitive.cost`` says which arguments count and how (``Size``). It follows from the annotations and the sets of names
below. For primitives in PAIRWISE the product of the sizes of arguments replaces their sum.

Operations that call a function for the elements of a container cost CALL, and CALL for each element. Those in RANKING
also cost the weight of the function's values, and those that return a set the weight of its elements before duplicates
are removed. A loop costs CALL for each turn.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

CALL = 10
"""Cost of a call besides the sizes of values. On the reference, a call takes as long as ten or more cells of a grid."""


class Size(IntEnum):
    """How an argument or a result counts."""

    NONE = 0
    """Not at all: numbers, pairs, cells, functions, and arguments declared to be of any type."""
    COUNT = 1
    """A grid by its cells, any other container by its elements, however large these are."""
    WEIGHT = 2
    """By the number of ints in the value, at any depth: 1 for an int, 2 for a pair, 3 for a cell, the number of cells
    for a grid, the sum over its elements for another container. A missing value and an empty container count 1.
    """
    SCANNED = 3
    """A tuple by weight, a set not at all: a lookup in a set is fast."""


@dataclass(frozen=True)
class Cost:
    """The rule for the cost of a call of a first-order primitive."""

    params: tuple[Size, ...]
    """How each argument counts."""
    result: Size
    """How the result counts: NONE or COUNT."""
    pairwise: bool = False
    """Whether the sizes of the arguments that count are multiplied. A single one is multiplied by itself."""

    def of(self, sizes: Iterable[int], result: int) -> int:
        """The cost of a call, from the sizes of the arguments that count and the size of the result."""
        return CALL + (_product(sizes) if self.pairwise else sum(sizes)) + result


def _product(sizes: Iterable[int]) -> int:
    first, *rest = sizes
    return first * (rest[0] if rest else first)


CONSTANT = frozenset({"first", "get_nth", "last", "second", "size"})
"""Primitives whose time does not depend on the size of their container: none of their arguments counts."""

PAIRWISE = frozenset(
    {"adjacent", "gravitate", "hmatching", "hperiod", "manhattan", "occurrences", "vmatching", "vperiod"}
)
"""Primitives whose time grows with the product of the sizes of their arguments. For others it grows with the sum."""

COMPARING = frozenset({
    "a_mr", "colorfilter", "combine", "contained", "dedupe", "difference", "difference_tuple", "equality",
    "get_common_rank", "initset", "insert", "intersection", "leastcommon", "merge", "mostcommon", "other", "product",
    "remove", "sizefilter",
})  # fmt: skip
"""Primitives that compare values of any type, or take their elements. Their arguments count by weight, except numbers
and the arguments in EXCEPTIONS."""

EXCEPTIONS = {("contained", "container"): Size.SCANNED, ("insert", "container"): Size.COUNT}
"""How those arguments of primitives in COMPARING count that do not count by weight."""

RANKING = frozenset({"argmax", "argmin", "get_arg_rank", "get_val_rank", "order", "valmax", "valmin"})
"""Primitives that compare the values of a function."""

LARGEST = 1_000_000
"""Maximum number of elements or cells of a value, whatever the limit of work is."""

PROBE = 1_000_000
"""Units of work after which the work of a whole job is projected from the part that is done."""


class Exhausted(Exception):
    """Raised when an allowance is used up."""


class Allowance:
    """A limit on the work of the reference over all jobs. ``used`` is the work so far."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.used = 0
        self._prepared = 0

    @property
    def left(self) -> int:
        """The work that is left."""
        return self.limit - self.used

    def spend(self, work: int) -> None:
        """Count work. Raises Exhausted if that exceeds the limit."""
        self.used += work
        if self.used > self.limit:
            raise Exhausted

    def prepare(self, work: int) -> None:
        """Count work of preparing a job, which does not count for the projection of its runs."""
        self._prepared += work
        self.spend(work)

    def project(self, done: int, total: int) -> None:
        """Raise Exhausted if the whole job would exceed the limit at the rate so far: ``done`` of ``total`` runs are
        done. Below PROBE units of work in runs there is no projection."""
        running = self.used - self._prepared
        if running > PROBE and running * total > (self.limit - self._prepared) * done:
            raise Exhausted


_CONTAINERS = (tuple, frozenset)

RECORD = 16
"""Maximum number of elements of a tuple that may be a record, with elements of different types."""


def weight(value: Any, limit: int) -> int:
    """The weight of a value, see ``Size.WEIGHT``; any number above the limit if the weight is above it.

    At most ``limit`` parts are visited: a short program can make a value that contains another one many times. The
    elements of a container have the same type, unless it is a record, so the first one tells whether they have parts.
    """
    if not isinstance(value, _CONTAINERS) or not value:
        return 1
    first = next(iter(value))
    if not isinstance(first, _CONTAINERS):
        return len(value) if _has_no_parts(value) else _sum_of_weights(value, limit)
    inner = next((part for part in value if part), ())
    if inner and not _is_record(value) and not isinstance(next(iter(inner)), _CONTAINERS):
        if _has_no_parts(inner):
            sizes = list(map(len, value))
            return sum(sizes) + sizes.count(0)
        if _is_cell(inner):
            return 3 * len(value)
    return _sum_of_weights(value, limit)


def _is_record(value: Any) -> bool:
    """Whether a container whose first element has parts has one without parts."""
    return len(value) <= RECORD and not all(map(_is_container, value))


def _has_no_parts(values: Any) -> bool:
    """Whether a container whose first element has no parts has none with parts."""
    return len(values) > RECORD or isinstance(values, frozenset) or not any(map(_is_container, values))


def _is_container(value: Any) -> bool:
    return isinstance(value, _CONTAINERS)


def _is_cell(value: Any) -> bool:
    return len(value) == 2 and len(value[1]) == 2 and not any(map(_is_container, value[1]))


def _sum_of_weights(values: Iterable[Any], limit: int) -> int:
    total = 0
    for part in values:
        total += weight(part, limit - total)
        if total > limit:
            break
    return total
