"""Kernels of arithmetic on ints and pairs of ints."""

from typing import Any

from arcloom.dsl import arith
from arcloom.dsl.values import INT_LIMIT
from arcloom.engine.kernel import kernel
from arcloom.engine.words import MASK, RANGE, ZERO, column_of, pair, row_function, row_of


@row_function
def bounded(number: int) -> int:
    """The number, or the failure RANGE if it is beyond the limits of the language's ints."""
    if number < -INT_LIMIT or number > INT_LIMIT:
        return RANGE
    return number


@row_function
def bounded_pair(i: int, j: int) -> int:
    """The pair, or the failure RANGE if one of its ints is beyond the limits."""
    if bounded(i) == RANGE or bounded(j) == RANGE:
        return RANGE
    return pair(i, j)


@row_function
def first_of(number: int) -> int:
    """The first component of a pair, or the int itself. The word of a pair is greater than the word of any int."""
    return row_of(number) if number > MASK else number


@row_function
def second_of(number: int) -> int:
    """The second component of a pair, or the int itself."""
    return column_of(number) if number > MASK else number


@row_function
def sign_of(number: int) -> int:
    """1, 0 or -1."""
    return int(number > 0) - int(number < 0)


# Binary operations. The kernel for two ints is declared first, so in the kernel for "*", "*" at least one is a pair.
# Sums and differences of two pairs are frequent; their own kernels take a quarter of its time.


@kernel(arith.add, "int", "int")
def add_ints(heap: Any, cells: Any, a: int, b: int) -> int:
    return bounded(a + b)


@kernel(arith.add, "pair", "pair")
def add_two_pairs(heap: Any, cells: Any, a: int, b: int) -> int:
    return bounded_pair(row_of(a) + row_of(b), column_of(a) + column_of(b))


@kernel(arith.add, "*", "*")
def add_pairs(heap: Any, cells: Any, a: int, b: int) -> int:
    return bounded_pair(first_of(a) + first_of(b), second_of(a) + second_of(b))


@kernel(arith.subtract, "int", "int")
def subtract_ints(heap: Any, cells: Any, a: int, b: int) -> int:
    return bounded(a - b)


@kernel(arith.subtract, "pair", "pair")
def subtract_two_pairs(heap: Any, cells: Any, a: int, b: int) -> int:
    return bounded_pair(row_of(a) - row_of(b), column_of(a) - column_of(b))


@kernel(arith.subtract, "*", "*")
def subtract_pairs(heap: Any, cells: Any, a: int, b: int) -> int:
    return bounded_pair(first_of(a) - first_of(b), second_of(a) - second_of(b))


@kernel(arith.multiply, "int", "int")
def multiply_ints(heap: Any, cells: Any, a: int, b: int) -> int:
    return bounded(a * b)


@kernel(arith.multiply, "*", "*")
def multiply_pairs(heap: Any, cells: Any, a: int, b: int) -> int:
    return bounded_pair(first_of(a) * first_of(b), second_of(a) * second_of(b))


@kernel(arith.divide, "int", "int")
def divide_ints(heap: Any, cells: Any, a: int, b: int) -> int:
    if b == 0:
        return ZERO
    return bounded(a // b)


@kernel(arith.divide, "*", "*")
def divide_pairs(heap: Any, cells: Any, a: int, b: int) -> int:
    i, j = first_of(b), second_of(b)
    if i == 0 or j == 0:
        return ZERO
    return bounded_pair(first_of(a) // i, second_of(a) // j)


# Unary operations


@kernel(arith.invert, "int")
def invert_int(heap: Any, cells: Any, number: int) -> int:
    return bounded(-number)


@kernel(arith.invert, "pair")
def invert_pair(heap: Any, cells: Any, both: int) -> int:
    return pair(-row_of(both), -column_of(both))


@kernel(arith.double, "int")
def double_int(heap: Any, cells: Any, number: int) -> int:
    return bounded(2 * number)


@kernel(arith.double, "pair")
def double_pair(heap: Any, cells: Any, both: int) -> int:
    return bounded_pair(2 * row_of(both), 2 * column_of(both))


@kernel(arith.halve, "int")
def halve_int(heap: Any, cells: Any, number: int) -> int:
    return number >> 1


@kernel(arith.halve, "pair")
def halve_pair(heap: Any, cells: Any, both: int) -> int:
    return pair(row_of(both) >> 1, column_of(both) >> 1)


@kernel(arith.increment, "int")
def increment_int(heap: Any, cells: Any, number: int) -> int:
    return bounded(number + 1)


@kernel(arith.increment, "pair")
def increment_pair(heap: Any, cells: Any, both: int) -> int:
    return bounded_pair(row_of(both) + 1, column_of(both) + 1)


@kernel(arith.decrement, "int")
def decrement_int(heap: Any, cells: Any, number: int) -> int:
    return bounded(number - 1)


@kernel(arith.decrement, "pair")
def decrement_pair(heap: Any, cells: Any, both: int) -> int:
    return bounded_pair(row_of(both) - 1, column_of(both) - 1)


@kernel(arith.crement, "int")
def crement_int(heap: Any, cells: Any, number: int) -> int:
    return bounded(number + sign_of(number))


@kernel(arith.crement, "pair")
def crement_pair(heap: Any, cells: Any, both: int) -> int:
    i, j = row_of(both), column_of(both)
    return bounded_pair(i + sign_of(i), j + sign_of(j))


@kernel(arith.sign, "int")
def sign_int(heap: Any, cells: Any, number: int) -> int:
    return sign_of(number)


@kernel(arith.sign, "pair")
def sign_pair(heap: Any, cells: Any, both: int) -> int:
    return pair(sign_of(row_of(both)), sign_of(column_of(both)))


@kernel(arith.even, "int")
def even(heap: Any, cells: Any, number: int) -> int:
    return 1 - (number & 1)


@kernel(arith.positive, "int")
def positive(heap: Any, cells: Any, number: int) -> int:
    return int(number > 0)


@kernel(arith.toivec, "int")
def toivec(heap: Any, cells: Any, i: int) -> int:
    return pair(i, 0)


@kernel(arith.tojvec, "int")
def tojvec(heap: Any, cells: Any, j: int) -> int:
    return pair(0, j)
