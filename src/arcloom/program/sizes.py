"""Sizes of values whose parts are shared: a value that holds another one many times costs nothing to make."""

from typing import Any


def size_of(value: Any) -> tuple[int, int]:
    """The number of elements of a value, those of its elements included, and how deeply they are nested."""
    return _size(value, {}) if isinstance(value, tuple | frozenset) else (0, 0)


def _size(value: tuple[Any, ...] | frozenset[Any], known: dict[int, tuple[int, int]]) -> tuple[int, int]:
    found = known.get(id(value))
    if found is None:
        inner = [_size(part, known) for part in value if isinstance(part, tuple | frozenset)]
        elements = len(value) + sum(count for count, _ in inner)
        found = known[id(value)] = elements, 1 + max((depth for _, depth in inner), default=0)
    return found
