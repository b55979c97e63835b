"""Python's operators, displays and built-in functions, as far as programs may use them.

These functions are not primitives: searches do not propose them, and ``arcloom dsl`` does not list them. An operator is
named by its symbol. Lists are tuples, sets iterate in sorted order, and ints have the language's limits. Everything
else is as in Python, which raises an exception where these functions fail.
"""

import math
from collections.abc import Callable
from itertools import chain
from typing import Any

from arcloom.dsl.builtin import BUILTINS as BUILTINS
from arcloom.dsl.builtin import NAMES as NAMES
from arcloom.dsl.builtin import Builtin as Builtin
from arcloom.dsl.builtin import builtin
from arcloom.dsl.container import elements
from arcloom.dsl.forms import by_key, ranked, visited
from arcloom.dsl.meter import CURRENT, affordable
from arcloom.dsl.types import AnyFunction
from arcloom.dsl.values import MAX_TURNS, Reason, fail, sort_key, within
from arcloom.dsl.work import CALL

MAX_ARGUMENTS = 1_000
"""Maximum number of arguments of a function that takes any number of them."""

MAX_NESTED_TURNS = 100_000
"""The numbers of turns of a loop and of those around it must have a product below this."""

_turns: list[int] = []
"""The numbers of turns of the loops that are under way, the outermost first."""

MAX_EXPONENT = 20
"""Two to the power of this is beyond the limit of ints."""


def _known(*values: Any) -> None:
    """Fail where a value is missing: Python compares and calculates with None no more than we do."""
    for value in values:
        if value is None:
            fail(Reason.NONE)


def _ints(*values: Any) -> bool:
    _known(*values)
    return all(isinstance(value, int) for value in values)


def _both(kind: type, a: Any, b: Any) -> bool:
    return isinstance(a, kind) and isinstance(b, kind)


def _misused(symbol: str, *values: Any) -> TypeError:
    kinds = " and ".join(type(value).__name__ for value in values)
    return TypeError(f"{symbol} cannot be used with {kinds}")


def _sequence(value: Any) -> tuple[Any, ...]:
    _known(value)
    if not isinstance(value, tuple):
        raise _misused("[]", value)
    return value


# Operators


@builtin("+", 2, text="{} + {}")
def plus(a: Any, b: Any) -> Any:
    """The sum of ints, or two tuples joined."""
    if _ints(a, b):
        return within(a + b)
    if _both(tuple, a, b):
        affordable(len(a) + len(b))
        return a + b
    raise _misused("+", a, b)


@builtin("-", 2, text="{} - {}")
def minus(a: Any, b: Any) -> Any:
    """The difference of ints or of sets."""
    if _ints(a, b):
        return within(a - b)
    if _both(frozenset, a, b):
        return a - b
    raise _misused("-", a, b)


@builtin("*", 2, text="{} * {}")
def times(a: Any, b: Any) -> Any:
    """The product of ints, or a tuple repeated."""
    if _ints(a, b):
        return within(a * b)
    parts, count = (a, b) if isinstance(a, tuple) else (b, a)
    if not isinstance(parts, tuple) or not isinstance(count, int):
        raise _misused("*", a, b)
    affordable(max(count, 0))
    affordable(len(parts) * max(count, 0))
    return parts * count


@builtin("//", 2, text="{} // {}")
def floor_divide(a: Any, b: Any) -> Any:
    """The quotient of ints, rounded down."""
    if not _ints(a, b):
        raise _misused("//", a, b)
    return a // b if b else fail(Reason.ZERO)


@builtin("%", 2, text="{} % {}")
def modulo(a: Any, b: Any) -> Any:
    """The remainder of a division of ints, with the sign of the divisor."""
    if not _ints(a, b):
        raise _misused("%", a, b)
    return a % b if b else fail(Reason.ZERO)


@builtin("**", 2, text="{} ** {}")
def to_the(a: Any, b: Any) -> Any:
    """An int multiplied by itself a number of times."""
    if not _ints(a, b) or b < 0:
        raise _misused("**", a, b)
    return within(a**b) if abs(a) < 2 or b <= MAX_EXPONENT else fail(Reason.RANGE)


@builtin("-x", 1, text="-{}")
def negative(a: Any) -> Any:
    """An int with the opposite sign."""
    if not _ints(a):
        raise _misused("-", a)
    return -a


@builtin("+x", 1, text="+{}")
def unchanged(a: Any) -> Any:
    """An int as it is."""
    if not _ints(a):
        raise _misused("+", a)
    return int(a)


@builtin("|", 2, text="{} | {}")
def union(a: Any, b: Any) -> Any:
    """The union of sets, or whether one of two bools is true."""
    if _both(frozenset, a, b) or _both(bool, a, b):
        return a | b
    raise _misused("|", a, b)


@builtin("&", 2, text="{} & {}")
def common(a: Any, b: Any) -> Any:
    """The intersection of sets, or whether two bools are both true."""
    if _both(frozenset, a, b) or _both(bool, a, b):
        return a & b
    raise _misused("&", a, b)


@builtin("^", 2, text="{} ^ {}")
def in_one(a: Any, b: Any) -> Any:
    """The elements that only one of two sets has, or whether two bools differ."""
    if _both(frozenset, a, b) or _both(bool, a, b):
        return a ^ b
    raise _misused("^", a, b)


def _at_most(a: Any, b: Any) -> bool:
    """Whether a is at most b: ints by value, tuples part by part, sets by inclusion."""
    if _ints(a, b) or _both(frozenset, a, b):
        return bool(a <= b)
    if _both(tuple, a, b):
        return bool(sort_key(a) <= sort_key(b))
    raise _misused("<", a, b)


@builtin("<=", 2, text="{} <= {}")
def at_most(a: Any, b: Any) -> Any:
    """Whether one value is at most the other."""
    return _at_most(a, b)


@builtin(">=", 2, text="{} >= {}")
def at_least(a: Any, b: Any) -> Any:
    """Whether one value is at least the other."""
    return _at_most(b, a)


@builtin("<", 2, text="{} < {}")
def less(a: Any, b: Any) -> Any:
    """Whether one value is below the other."""
    return a != b and _at_most(a, b)


@builtin(">", 2, text="{} > {}")
def more(a: Any, b: Any) -> Any:
    """Whether one value is above the other."""
    return a != b and _at_most(b, a)


@builtin("not", 1, text="not {}")
def negation(value: Any) -> Any:
    """Whether a value is false, zero, empty or missing."""
    return not value


@builtin("if", 3, text="{1} if {0} else {2}")
def either_of(condition: Any, yes: Any, no: Any) -> Any:
    """One of two values that have both been computed."""
    return yes if condition else no


# Subscripts and displays


@builtin("[]", 2, text="{}[{}]")
def item(values: Any, k: Any) -> Any:
    """An element of a tuple by its position, from the back if that is negative."""
    parts = _sequence(values)
    if not _ints(k):
        raise _misused("[]", k)
    return parts[k] if -len(parts) <= k < len(parts) else fail(Reason.MISSING)


@builtin("[:]", 4, text="{}[{}:{}:{}]")
def part(values: Any, start: Any, stop: Any, step: Any) -> Any:
    """A part of a tuple. None stands for a limit that is left out."""
    if step == 0:
        fail(Reason.RANGE)
    return _sequence(values)[slice(start, stop, step)]


@builtin("unpacked", 2)
def unpacked(values: Any, count: int) -> Any:
    """The elements of a container as a tuple; fails where their number is another."""
    _known(values)
    parts = elements(values)
    return parts if len(parts) == count else fail(Reason.SHAPE if parts else Reason.NONE)


@builtin("(,)", 0, MAX_ARGUMENTS, text="tuple")
def display(*parts: Any) -> Any:
    """A tuple of these values."""
    return parts


@builtin("{,}", 1, MAX_ARGUMENTS, text="set")
def set_display(*parts: Any) -> Any:
    """A set of these values."""
    return frozenset(parts)


# Functions


@builtin("len")
def length(values: Any) -> Any:
    """The number of elements."""
    _known(values)
    return len(values)


@builtin("abs")
def absolute(number: Any) -> Any:
    """An int without its sign."""
    if not _ints(number):
        raise _misused("abs", number)
    return abs(number)


@builtin("bool")
def truth(value: Any) -> Any:
    """Whether a value is not false, zero, empty or missing."""
    return bool(value)


@builtin("int")
def whole(value: Any) -> Any:
    """A bool or an int as an int."""
    if not _ints(value):
        raise _misused("int", value)
    return int(value)


@builtin("tuple", 0, 1)
def as_tuple(values: Any = ()) -> Any:
    """The elements of a container as a tuple."""
    _known(values)
    return elements(values)


@builtin("list", 0, 1)
def as_list(values: Any = ()) -> Any:
    """The elements of a container as a tuple: lists are tuples here."""
    return as_tuple.function(values)


@builtin("frozenset", 0, 1)
def as_frozenset(values: Any = ()) -> Any:
    """The elements of a container as a set."""
    _known(values)
    return frozenset(values)


@builtin("set", 0, 1)
def as_set(values: Any = ()) -> Any:
    """The elements of a container as a set."""
    return as_frozenset.function(values)


@builtin("range", 1, 3)
def numbers(*limits: Any) -> Any:
    """The ints from a start (or zero) to before a stop, in steps."""
    if not _ints(*limits):
        raise _misused("range", *limits)
    if len(limits) == 3 and limits[2] == 0:
        fail(Reason.RANGE)
    values = range(*limits)
    affordable(len(values))
    return tuple(values)


@builtin("enumerate", 1, 2)
def enumerated(values: Any, start: Any = 0) -> Any:
    """The elements, each in a pair with its number."""
    _known(values, start)
    return tuple(enumerate(elements(values), start))


@builtin("zip", 0, MAX_ARGUMENTS)
def zipped(*containers: Any) -> Any:
    """The elements of containers side by side, as far as the shortest goes."""
    _known(*containers)
    return tuple(zip(*map(elements, containers), strict=False))


@builtin("zip*", 1, text="zip(*{})")
def columns(rows: Any) -> Any:
    """The columns of a tuple of rows, as far as the shortest goes."""
    _known(rows)
    return zipped.function(*elements(rows))


@builtin("reversed")
def backwards(values: Any) -> Any:
    """A tuple from its end to its beginning."""
    return _sequence(values)[::-1]


@builtin("sorted")
def in_order(values: Any) -> Any:
    """The elements as a tuple, sorted upwards."""
    _known(values)
    parts = elements(values)
    _known(*parts)
    return tuple(sorted(parts, key=sort_key))


@builtin("sorted-", 2, text="sorted({}, key={}, reverse=True)")
def in_reverse_order(values: Any, key: AnyFunction) -> Any:
    """The elements as a tuple, sorted downwards by what a function gives. Ties stay in order."""
    _known(values)
    return tuple(element for _, element in sorted(ranked(key, values), key=by_key, reverse=True))


def _extreme(choose: Callable[..., Any], values: tuple[Any, ...]) -> Any:
    if len(values) == 1:
        _known(values[0])
        values = elements(values[0])
    _known(*values)
    return choose(values, key=sort_key) if values else fail(Reason.EMPTY)


@builtin("max", 1, MAX_ARGUMENTS)
def greatest(*values: Any) -> Any:
    """The greatest element of a container, or of several values."""
    return _extreme(max, values)


@builtin("min", 1, MAX_ARGUMENTS)
def least(*values: Any) -> Any:
    """The least element of a container, or of several values."""
    return _extreme(min, values)


@builtin("sum", 1, 2)
def total(values: Any, start: Any = 0) -> Any:
    """The sum of ints; with a tuple to start with, the tuples joined."""
    _known(values, start)
    parts = elements(values)
    _known(*parts)
    if not isinstance(start, tuple):
        return within(sum(parts, start))
    affordable(len(start) + sum(map(len, parts)))
    return tuple(chain(start, *parts))


@builtin("any")
def some(values: Any) -> Any:
    """Whether an element is true."""
    _known(values)
    return any(elements(values))


@builtin("all")
def every(values: Any) -> Any:
    """Whether all elements are true."""
    _known(values)
    return all(elements(values))


@builtin("any of", 2, text="any(map({}, {}))")
def some_of(function: AnyFunction, values: Any) -> Any:
    """Whether a function gives something true for an element. Later elements are not looked at."""
    _known(values)
    place, parts = visited(values)
    return any(map(place.calling(0, function), parts))


@builtin("all of", 2, text="all(map({}, {}))")
def every_of(function: AnyFunction, values: Any) -> Any:
    """Whether a function gives something true for each element. Nothing is looked at after one that is false."""
    _known(values)
    place, parts = visited(values)
    return all(map(place.calling(0, function), parts))


@builtin("map", 2, MAX_ARGUMENTS)
def mapped(function: AnyFunction, *containers: Any) -> Any:
    """The function's values for the elements of several containers at the same position."""
    _known(*containers)
    place = CURRENT.place
    rows = list(zip(*map(elements, containers), strict=False))
    place.spend(CALL * (1 + len(rows)))
    called = place.calling(0, function)
    return tuple([called(*row) for row in rows])


@builtin("filter", 2)
def filtered(function: AnyFunction, values: Any) -> Any:
    """The elements for which a function gives something true."""
    _known(values)
    place, parts = visited(values)
    return tuple(filter(place.calling(0, function), parts))


@builtin("fold", 3)
def folded(function: AnyFunction, values: Any, start: Any) -> Any:
    """The state after a loop: the function gives the next state for a state and an element."""
    _known(values)
    parts = elements(values)
    if len(parts) >= MAX_TURNS or within(len(parts) * math.prod(_turns)) >= MAX_NESTED_TURNS:
        fail(Reason.BUDGET)
    place = CURRENT.place
    called = place.calling(0, function)
    _turns.append(len(parts))
    try:
        for element in parts:
            place.spend(CALL)
            start = called(start, element)
    finally:
        _turns.pop()
    return start
