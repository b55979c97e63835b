"""Kernels of bools and comparisons.

Values to compare have been coerced to a common type if there is one. Otherwise the kernel gets two type descriptions,
and the values can be equal only if both are empty containers.
"""

from typing import Any

from arcloom.dsl import logic
from arcloom.engine.compare import CONTAINER, GRID, find
from arcloom.engine.kernel import kernel
from arcloom.engine.kernels.sets import alike, is_in
from arcloom.engine.words import area_of, corner_of, height_of, length, row_function, start, width_of


@row_function
def is_empty(heap: Any, type: int, value: int) -> bool:
    """Whether a value of this type is a container without elements or a grid without rows."""
    if heap[type] == GRID:
        return height_of(value) == 0
    return heap[type] == CONTAINER and length(value) == 0


@row_function
def same(heap: Any, cells: Any, a_type: int, b_type: int, a: int, b: int) -> bool:
    """Whether two values are equal. Either both are sets or neither is."""
    if a_type == b_type:
        return alike(heap, cells, a_type, a, b)
    return is_empty(heap, a_type, a) and is_empty(heap, b_type, b)


@row_function
def holds_empty(heap: Any, type: int, handle: int) -> bool:
    """Whether a container has an empty element. ``type`` describes its elements."""
    found = False
    for k in range(length(handle)):
        found = found or is_empty(heap, type, heap[start(handle) + k])
    return found


@kernel(logic.flip, "int")
def flip(heap: Any, cells: Any, truth: int) -> int:
    return 1 - truth


@kernel(logic.both, "int", "int")
def both(heap: Any, cells: Any, a: int, b: int) -> int:
    return a & b


@kernel(logic.either, "int", "int")
def either(heap: Any, cells: Any, a: int, b: int) -> int:
    return a | b


@kernel(logic.greater, "int", "int")
def greater(heap: Any, cells: Any, a: int, b: int) -> int:
    return int(a > b)


# Equality: a set never equals a value that is not a set.


@kernel(logic.equality, "int", "int")
def equality_ints(heap: Any, cells: Any, a: int, b: int) -> int:
    return int(a == b)


@kernel(logic.equality, "grid", "grid")
def equality_grids(heap: Any, cells: Any, a: int, b: int) -> int:
    if height_of(a) != height_of(b) or width_of(a) != width_of(b):
        return 0
    at, bt = corner_of(a), corner_of(b)
    for k in range(area_of(a)):
        if cells[at + k] != cells[bt + k]:
            return 0
    return 1


@row_function
def _same_lists(heap: Any, cells: Any, a_type: int, b_type: int, a: int, b: int) -> int:
    return int(length(a) == length(b) and same(heap, cells, a_type, b_type, a, b))


@kernel(logic.equality, "set", "set", types=("0", "1"))
def equality_sets(heap: Any, cells: Any, a_type: int, b_type: int, a: int, b: int) -> int:
    return _same_lists(heap, cells, a_type, b_type, a, b)


@kernel(logic.equality, "set", "*")
def equality_set_first(heap: Any, cells: Any, a: int, b: int) -> int:
    return 0


@kernel(logic.equality, "*", "set")
def equality_set_second(heap: Any, cells: Any, a: int, b: int) -> int:
    return 0


@kernel(logic.equality, "tuple", "tuple", types=("0", "1"))
def equality_tuples(heap: Any, cells: Any, a_type: int, b_type: int, a: int, b: int) -> int:
    return _same_lists(heap, cells, a_type, b_type, a, b)


@kernel(logic.equality, "*", "*", types=("0", "1"))
def equality(heap: Any, cells: Any, a_type: int, b_type: int, a: int, b: int) -> int:
    return int(same(heap, cells, a_type, b_type, a, b))


@row_function
def _is_empty_element(heap: Any, type: int, element_type: int, value: int, handle: int) -> int:
    return int(is_empty(heap, type, value) and holds_empty(heap, element_type, handle))


@kernel(logic.contained, "*", "set", types=("0", "1."))
def contained_set(heap: Any, cells: Any, type: int, element_type: int, value: int, handle: int) -> int:
    if type == element_type:
        return int(is_in(heap, cells, type, start(handle), length(handle), value))
    return _is_empty_element(heap, type, element_type, value, handle)


@kernel(logic.contained, "*", "tuple", types=("0", "1."))
def contained_tuple(heap: Any, cells: Any, type: int, element_type: int, value: int, handle: int) -> int:
    if type == element_type:
        return int(find(heap, cells, type, handle, value) >= 0)
    return _is_empty_element(heap, type, element_type, value, handle)
