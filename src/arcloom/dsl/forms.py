"""Everything that takes or gives a function."""

from typing import Any

from arcloom.dsl.container import alike, elements, joined
from arcloom.dsl.declare import affordable, as_truth, primitive
from arcloom.dsl.types import AnyFunction, Container, Function, Function2, T, U, V
from arcloom.dsl.values import MAX_TURNS, Reason, fail, sort_key

MAX_NAME = 10_000
"""Maximum number of characters by which a function in a set is put in order."""


class Closure:
    """A function that a combinator made: called like any other, written as it was made."""

    def __init__(self, combinator: str, parts: tuple[Any, ...], call: AnyFunction) -> None:
        self.combinator = combinator
        self.parts = parts
        self.call = call
        self.text = ""

    def __call__(self, *args: Any) -> Any:
        return self.call(*args)

    def __repr__(self) -> str:
        self.text = self.text or written(self.combinator, self.parts)
        return self.text


def written(maker: str, parts: tuple[Any, ...]) -> str:
    """A function as it was made. Fails if that is very long: functions share their parts, and 40 of them can be written
    with 2^40 characters."""
    text = f"{maker}({', '.join(map(repr, parts))})"
    if len(text) > MAX_NAME:
        fail(Reason.BUDGET)
    return text


def _applied(function: Function[T, U], container: Container[T]) -> Container[U]:
    return alike(container, map(function, elements(container)))


def _kept(container: Container[T], condition: Function[T, bool]) -> Container[T]:
    return alike(container, [element for element in elements(container) if as_truth(condition(element))])


def _pairwise(function: Function2[T, U, V], a: Container[T], b: Container[U]) -> tuple[V, ...]:
    return tuple(map(function, elements(a), elements(b)))


def _ranked(function: Function[T, U]) -> Function[T, Any]:
    """A key by which Python ranks elements as the language does: by what the function gives for them."""
    return lambda element: sort_key(function(element))


def _of_nothing(function: Function[Any, U]) -> U:
    """What the function gives for 0, which stands for the element that an empty container lacks."""
    try:
        return function(0)
    except (TypeError, AttributeError):  # it takes no int, so there is nothing to give
        fail(Reason.EMPTY)


@primitive
def identity(x: T) -> T:
    """The value itself.

    identity((1, 2)) -> (1, 2)
    """
    return x


@primitive
def branch(condition: bool, a: T, b: T) -> T:
    """One value if the condition is true, the other if not. Values can be functions.

    A tuple of cells or of positions is a set where the other value is a set.

    branch(True, 1, 2) -> 1
    branch(False, double, halve)(4) -> 2
    branch(True, ((1, 2),), {(0, 0)}) -> {(1, 2)}
    """
    chosen = a if condition else b
    if isinstance(chosen, tuple) and isinstance(b if condition else a, frozenset):
        return frozenset(chosen)  # type: ignore[return-value]
    return chosen


@primitive
def compose(outer: Function[U, V], inner: Function[T, U]) -> Function[T, V]:
    """The function that applies the inner function and then the outer one.

    compose(double, increment)(3) -> 8
    """
    return Closure("compose", (outer, inner), lambda value: outer(inner(value)))


@primitive
def chain(h: AnyFunction, g: Function[U, V], f: Function[T, U]) -> Function[T, Any]:
    """The function that applies three functions, the last one first.

    chain(double, increment, size)((7, 7)) -> 6
    """
    return Closure("chain", (h, g, f), lambda value: h(g(f(value))))


@primitive
def matcher(function: Function[T, U], target: V) -> Function[T, bool]:
    """The function that says whether the given function gives the target.

    matcher(size, 2)((7, 7)) -> True
    matcher(size, 2)(set()) -> False
    """
    return Closure("matcher", (function, target), lambda value: function(value) == target)


@primitive
def rbind(function: AnyFunction, fixed: T) -> AnyFunction:
    """The function with its last argument fixed.

    rbind(subtract, 1)(5) -> 4
    rbind(rbind(interval, 2), 6)(1) -> (1, 3, 5)
    """
    return Closure("rbind", (function, fixed), lambda *args: function(*args, fixed))


@primitive
def lbind(function: AnyFunction, fixed: T) -> AnyFunction:
    """The function with its first argument fixed.

    lbind(subtract, 1)(5) -> -4
    lbind(lbind(interval, 1), 6)(2) -> (1, 3, 5)
    """
    return Closure("lbind", (function, fixed), lambda *args: function(fixed, *args))


@primitive
def power(function: Function[T, T], n: int) -> Function[T, T]:
    """The function that applies the given function so many times, at least once.

    power(double, 3)(1) -> 8
    power(double, 0) -> fails
    """
    if n < 1:
        fail(Reason.RANGE)
    if n > MAX_TURNS:
        fail(Reason.BUDGET)

    def repeated(value: T) -> T:
        for _ in range(n):
            value = function(value)
        return value

    return Closure("power", (function, n), repeated)


@primitive
def fork(outer: AnyFunction, a: Function[T, U], b: Function[T, V]) -> Function[T, Any]:
    """The function that applies two functions to its argument and the outer one to what they give.

    fork(subtract, double, increment)(5) -> 4
    """
    return Closure("fork", (outer, a, b), lambda value: outer(a(value), b(value)))


@primitive
def apply(function: Function[T, U], container: Container[T]) -> Container[U]:
    """What the function gives for each element.

    apply(double, (3, 1, 3)) -> (6, 2, 6)
    apply(sign, {3, 1, 0}) -> {0, 1}
    """
    return _applied(function, container)


@primitive
def rapply(functions: Container[Function[T, U]], value: T) -> Container[U]:
    """What each of the functions gives for the value.

    rapply((double, halve), 6) -> (12, 3)
    rapply({double, halve}, 0) -> {0}
    """
    return alike(functions, [function(value) for function in elements(functions)])


@primitive
def mapply(function: Function[T, Container[U]], container: Container[T]) -> Container[U]:
    """The elements of all containers that the function gives for the elements.

    mapply(initset, (3, 1, 3)) -> (3, 1, 3)
    mapply(totuple, {(1, 2), (2, 3)}) -> {1, 2, 3}
    mapply(double, (1, 2)) -> fails
    """
    return joined(_applied(function, container))


@primitive
def papply(function: Function2[T, U, V], a: Container[T], b: Container[U]) -> tuple[V, ...]:
    """The tuple of what the function gives for elements side by side, as long as the shorter container.

    papply(add, (1, 2, 3), (10, 20)) -> (11, 22)
    """
    return _pairwise(function, a, b)


@primitive
def mpapply(function: Function2[T, U, Container[V]], a: Container[T], b: Container[U]) -> tuple[V, ...]:
    """The tuple of the elements of all containers that the function gives for elements side by side.

    mpapply(repeat, (5, 6), (2, 1)) -> (5, 5, 6)
    mpapply(add, (1,), (2,)) -> fails
    """
    return elements(joined(_pairwise(function, a, b)))


@primitive
def prapply(function: Function2[T, U, V], a: Container[T], b: Container[U]) -> frozenset[V]:
    """The set of what the function gives for each element of the first container with each of the second.

    prapply(add, (1, 2), {10, 20}) -> {11, 12, 21, 22}
    """
    affordable(len(frozenset(a)) * len(frozenset(b)))
    return frozenset(function(x, y) for x in elements(a) for y in elements(b))


@primitive
def sfilter(container: Container[T], condition: Function[T, bool]) -> Container[T]:
    """The elements for which the condition holds.

    sfilter((3, 0, 4), positive) -> (3, 4)
    sfilter({1, 2, 3}, even) -> {2}
    """
    return _kept(container, condition)


@primitive
def mfilter(container: Container[Container[T]], function: Function[Container[T], bool]) -> Container[T]:
    """The elements of all inner containers for which the condition holds.

    mfilter(((1, 2), (3,), (2, 4)), matcher(size, 2)) -> (1, 2, 2, 4)
    mfilter((1, 2), even) -> fails
    """
    return joined(_kept(container, function))


@primitive
def extract(container: Container[T], condition: Function[T, bool]) -> T:
    """The first element for which the condition holds. Later elements are not looked at.

    extract((3, 4, 6), even) -> 4
    extract((3, 5), even) -> fails
    """
    for element in elements(container):
        if as_truth(condition(element)):
            return element
    return fail(Reason.MISSING)


@primitive
def order(container: Container[T], compfunc: Function[T, U]) -> tuple[T, ...]:
    """The elements as a tuple, sorted upwards by what the function gives for them. Ties stay in order.

    order((3, 1, 2), identity) -> (1, 2, 3)
    order({(1, 2), (0, 5)}, last) -> ((1, 2), (0, 5))
    """
    return tuple(sorted(elements(container), key=_ranked(compfunc)))


@primitive
def argmax(container: Container[T], compfunc: Function[T, U]) -> T:
    """The element for which the function gives most; the first of several.

    argmax((1, -3, 2), invert) -> -3
    argmax({(1, 2), (0, 2)}, last) -> (0, 2)
    argmax((), identity) -> fails
    """
    if not container:
        fail(Reason.EMPTY)
    return max(elements(container), key=_ranked(compfunc))


@primitive
def argmin(container: Container[T], compfunc: Function[T, U]) -> T:
    """The element for which the function gives least; the first of several.

    argmin((1, -3, 2), invert) -> 2
    argmin({(1, 2), (0, 2)}, last) -> (0, 2)
    argmin((), identity) -> fails
    """
    if not container:
        fail(Reason.EMPTY)
    return min(elements(container), key=_ranked(compfunc))


@primitive
def valmax(container: Container[T], compfunc: Function[T, U]) -> U:
    """The most that the function gives for an element. For an empty container, what it gives for 0.

    valmax((1, -3, 2), invert) -> 3
    valmax(set(), increment) -> 1
    valmax(set(), size) -> fails
    """
    values = [compfunc(element) for element in elements(container)]
    return max(values, key=sort_key) if values else _of_nothing(compfunc)


@primitive
def valmin(container: Container[T], compfunc: Function[T, U]) -> U:
    """The least that the function gives for an element. For an empty container, what it gives for 0.

    valmin((1, -3, 2), invert) -> -2
    valmin(set(), increment) -> 1
    valmin(set(), size) -> fails
    """
    values = [compfunc(element) for element in elements(container)]
    return min(values, key=sort_key) if values else _of_nothing(compfunc)
