"""Bools and comparisons. Values that Python takes for true are true."""

from arcloom.dsl.declare import primitive
from arcloom.dsl.types import Container, T, U


@primitive
def flip(b: bool) -> bool:
    """The opposite truth value.

    flip(True) -> False
    flip(False) -> True
    """
    return not b


@primitive
def equality(a: T, b: U) -> bool:
    """Whether two values are equal. Values of different types never are; a missing value equals only itself.

    equality({1, 2}, {2, 1}) -> True
    equality((1, 2), {1, 2}) -> False
    equality(None, 0) -> False
    """
    return a == b


@primitive
def contained(value: T, container: Container[U]) -> bool:
    """Whether the value is an element of the container.

    contained(2, {1, 2}) -> True
    contained((1, 2), (1, 2)) -> False
    """
    return value in container


@primitive
def both(a: bool, b: bool) -> bool:
    """Whether both are true.

    both(True, True) -> True
    both(True, False) -> False
    """
    return a and b


@primitive
def either(a: bool, b: bool) -> bool:
    """Whether at least one is true.

    either(True, False) -> True
    either(False, False) -> False
    """
    return a or b


@primitive
def greater(a: int, b: int) -> bool:
    """Whether the first int is greater than the second.

    greater(3, 2) -> True
    greater(2, 2) -> False
    """
    return a > b
