"""Arithmetic on ints and on pairs of ints. Pairs are computed by component; an int is used for both components."""

import operator

from arcloom.dsl.declare import primitive
from arcloom.dsl.types import Function, Function2, Numeric, Pair
from arcloom.dsl.values import Reason, fail, within


def _each(operation: Function[int, int], number: Numeric) -> Numeric:
    """The operation on an int or on both components of a pair."""
    if isinstance(number, tuple):
        i, j = number
        return within(operation(i)), within(operation(j))
    return within(operation(number))


def _together(operation: Function2[int, int, int], a: Numeric, b: Numeric) -> Numeric:
    """The operation on two ints, or by component if one of them is a pair."""
    if isinstance(a, int) and isinstance(b, int):
        return within(operation(a, b))
    (ai, aj), (bi, bj) = _as_pair(a), _as_pair(b)
    return within(operation(ai, bi)), within(operation(aj, bj))


def _as_pair(number: Numeric) -> Pair:
    return number if isinstance(number, tuple) else (number, number)


def _quotient(a: int, b: int) -> int:
    if b == 0:
        fail(Reason.ZERO)
    return a // b


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


@primitive
def add(a: Numeric, b: Numeric) -> Numeric:
    """The sum.

    add(2, 3) -> 5
    add((1, 2), 10) -> (11, 12)
    add(1, 1000000) -> fails
    """
    return _together(operator.add, a, b)


@primitive
def subtract(a: Numeric, b: Numeric) -> Numeric:
    """The first number minus the second.

    subtract(2, 3) -> -1
    subtract(10, (1, 2)) -> (9, 8)
    subtract(-1, 1000000) -> fails
    """
    return _together(operator.sub, a, b)


@primitive
def multiply(a: Numeric, b: Numeric) -> Numeric:
    """The product of two numbers.

    multiply(2, 3) -> 6
    multiply((1, 2), (3, 4)) -> (3, 8)
    multiply(1001, 1000) -> fails
    """
    return _together(operator.mul, a, b)


@primitive
def divide(a: Numeric, b: Numeric) -> Numeric:
    """The first number divided by the second, rounded down.

    divide(7, 2) -> 3
    divide((-7, 7), 2) -> (-4, 3)
    divide(7, (1, 0)) -> fails
    """
    return _together(_quotient, a, b)


@primitive
def invert(n: Numeric) -> Numeric:
    """The number with the opposite sign.

    invert(3) -> -3
    invert((0, -2)) -> (0, 2)
    """
    return _each(operator.neg, n)


@primitive
def even(n: int) -> bool:
    """Whether an int is even.

    even(-2) -> True
    even(3) -> False
    """
    return n % 2 == 0


@primitive
def double(n: Numeric) -> Numeric:
    """Twice the number.

    double(3) -> 6
    double((1, -2)) -> (2, -4)
    double(500001) -> fails
    """
    return _each(lambda part: part * 2, n)


@primitive
def halve(n: Numeric) -> Numeric:
    """Half the number, rounded down.

    halve(5) -> 2
    halve((4, -3)) -> (2, -2)
    """
    return _each(lambda part: part // 2, n)


@primitive
def increment(x: Numeric) -> Numeric:
    """The number plus one.

    increment(-1) -> 0
    increment((1, 2)) -> (2, 3)
    increment(1000000) -> fails
    """
    return _each(lambda n: n + 1, x)


@primitive
def decrement(x: Numeric) -> Numeric:
    """The number minus one.

    decrement(0) -> -1
    decrement((1, 2)) -> (0, 1)
    decrement(-1000000) -> fails
    """
    return _each(lambda n: n - 1, x)


@primitive
def crement(x: Numeric) -> Numeric:
    """One step further from zero; zero stays.

    crement(-2) -> -3
    crement((0, 5)) -> (0, 6)
    crement(1000000) -> fails
    """
    return _each(lambda n: n + _sign(n), x)


@primitive
def sign(x: Numeric) -> Numeric:
    """1 for a positive number, -1 for a negative one, 0 for zero.

    sign(7) -> 1
    sign((0, -7)) -> (0, -1)
    """
    return _each(_sign, x)


@primitive
def positive(x: int) -> bool:
    """Whether an int is above zero.

    positive(1) -> True
    positive(0) -> False
    """
    return x > 0


@primitive
def toivec(i: int) -> Pair:
    """The vector that points down by a number of rows.

    toivec(2) -> (2, 0)
    """
    return i, 0


@primitive
def tojvec(j: int) -> Pair:
    """The vector that points right by a number of columns.

    tojvec(2) -> (0, 2)
    """
    return 0, j
