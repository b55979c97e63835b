"""Sizes of values with shared parts. Each part is visited once, however often it occurs."""

from functools import cache
from typing import Any

from arcloom.dsl.signature import Type

MAX_PARTS = 200_000
"""Maximum number of parts of the type of a tuple, counting nested parts."""


def size_of(value: Any) -> tuple[int, int]:
    """The number of elements of a value, counting nested elements, and the depth of nesting."""
    return _size(value, {}) if isinstance(value, tuple | frozenset) else (0, 0)


def _size(value: tuple[Any, ...] | frozenset[Any], known: dict[int, tuple[int, int]]) -> tuple[int, int]:
    found = known.get(id(value))
    if found is None:
        inner = [_size(part, known) for part in value if isinstance(part, tuple | frozenset)]
        elements = len(value) + sum(count for count, _ in inner)
        found = known[id(value)] = elements, 1 + max((depth for _, depth in inner), default=0)
    return found


@cache
def parts_of(type: Type) -> int:
    """The number of parts of a type, counting every occurrence of nested parts."""
    return 1 + sum(map(parts_of, type.parts))
