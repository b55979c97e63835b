"""Higher-order primitives: those that take or return a function.

These functions count their own work (see ``meter``). A function that they are given is called in a place of its own,
which is named by the position of the parameter.
"""

from typing import Any

from arcloom.dsl.container import alike, elements, joined, product
from arcloom.dsl.declare import as_truth, primitive
from arcloom.dsl.logic import equality
from arcloom.dsl.meter import CURRENT, Place
from arcloom.dsl.types import AnyFunction, Container, Function, Function2, T, U, V
from arcloom.dsl.values import MAX_TURNS, Reason, fail, sort_key
from arcloom.dsl.work import CALL

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


def visited(container: Container[T]) -> tuple[Place, tuple[T, ...]]:
    """The present place and the elements of a container, each of which a function is going to be called for."""
    place = CURRENT.place
    place.spend(CALL * (1 + len(container)))
    return place, elements(container)


def _collected(place: Place, container: Container[Any], values: list[T]) -> Container[T]:
    """A container of these values, of the same kind as the given one. To make a set, values are compared."""
    if isinstance(container, frozenset):
        place.spend(place.weight(tuple(values)))
    return alike(container, values)


def _applied(function: Function[T, U], container: Container[T]) -> Container[U]:
    place, parts = visited(container)
    return _collected(place, container, place.gather(map(place.calling(0, function), parts)))


def _kept(container: Container[T], condition: Function[T, bool]) -> Container[T]:
    place, parts = visited(container)
    holds = place.calling(1, condition)
    return _collected(place, container, [element for element in parts if as_truth(holds(element))])


def _paired(place: Place, function: Function2[T, U, V], pairs: list[tuple[T, U]]) -> list[V]:
    """The function's values for pairs of elements."""
    place.spend(CALL * (1 + len(pairs)))
    called = place.calling(0, function)
    return place.gather(called(x, y) for x, y in pairs)


def _pairwise(function: Function2[T, U, V], a: Container[T], b: Container[U]) -> tuple[V, ...]:
    place = CURRENT.place
    place.inner("pair").spend(CALL + len(a) + len(b) + min(len(a), len(b)))
    return tuple(_paired(place, function, list(zip(elements(a), elements(b), strict=False))))


def merged(place: Place, container: Container[Any], parts: Container[Container[T]]) -> Container[T]:
    """The elements of all parts as a container of the same kind as the given one, counted as ``merge`` counts them."""
    place = place.inner("merge")
    place.spend(CALL + place.weight(parts))
    result = alike(container, joined(parts))
    place.spend(len(result))
    return result


def ranked(function: Function[T, U], container: Container[T]) -> list[tuple[Any, T]]:
    """The elements, each after a key by which Python ranks it as the language does: what the function gives for it."""
    return [(sort_key(value), element) for value, element in valued(function, container)]


def valued(function: Function[T, U], container: Container[T]) -> list[tuple[U, T]]:
    """The elements, each after the function's value for it. The values are going to be compared."""
    place, parts = visited(container)
    values = place.gather(map(place.calling(1, function), parts))
    place.spend(place.weight(tuple(values)))
    return list(zip(values, parts, strict=True))


def by_key(ranked: tuple[Any, T]) -> Any:
    return ranked[0]


def _of_nothing(function: Function[Any, U]) -> U:
    """The function's value for 0, which replaces the missing element of an empty container."""
    try:
        return CURRENT.place.call(1, function, 0)  # type: ignore[no-any-return]
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

    def composed(value: T) -> Any:
        place = CURRENT.place
        return place.call(0, outer, place.call(1, inner, value))

    return Closure("compose", (outer, inner), composed)


@primitive
def chain(h: AnyFunction, g: Function[U, V], f: Function[T, U]) -> Function[T, Any]:
    """The function that applies three functions, the last one first.

    chain(double, increment, size)((7, 7)) -> 6
    """

    def chained(value: T) -> Any:
        place = CURRENT.place
        return place.call(0, h, place.call(1, g, place.call(2, f, value)))

    return Closure("chain", (h, g, f), chained)


@primitive
def matcher(function: Function[T, U], target: V) -> Function[T, bool]:
    """The function that says whether the given function gives the target.

    matcher(size, 2)((7, 7)) -> True
    matcher(size, 2)(set()) -> False
    """

    def matches(value: T) -> Any:
        place = CURRENT.place
        return place.call(1, equality, place.call(0, function, value), target)

    return Closure("matcher", (function, target), matches)


@primitive
def rbind(function: AnyFunction, fixed: T) -> AnyFunction:
    """The function with its last argument fixed.

    rbind(subtract, 1)(5) -> 4
    rbind(rbind(interval, 2), 6)(1) -> (1, 3, 5)
    """
    return Closure("rbind", (function, fixed), lambda *args: CURRENT.place.call(0, function, *args, fixed))


@primitive
def lbind(function: AnyFunction, fixed: T) -> AnyFunction:
    """The function with its first argument fixed.

    lbind(subtract, 1)(5) -> -4
    lbind(lbind(interval, 1), 6)(2) -> (1, 3, 5)
    """
    return Closure("lbind", (function, fixed), lambda *args: CURRENT.place.call(0, function, fixed, *args))


@primitive
def power(function: Function[T, T], n: int) -> Function[T, T]:
    """The function that applies the given function n times, at least once.

    power(double, 3)(1) -> 8
    power(double, 0) -> fails
    """
    if n < 1:
        fail(Reason.RANGE)
    if n > MAX_TURNS:
        fail(Reason.BUDGET)

    def repeated(value: T) -> T:
        place = CURRENT.place
        called = place.calling(0, function)
        for _ in range(n):
            place.spend(CALL)
            value = called(value)
        return value

    return Closure("power", (function, n), repeated)


@primitive
def fork(outer: AnyFunction, a: Function[T, U], b: Function[T, V]) -> Function[T, Any]:
    """The function that applies two functions to its argument and the outer one to what they give.

    fork(subtract, double, increment)(5) -> 4
    """

    def forked(value: T) -> Any:
        place = CURRENT.place
        return place.call(0, outer, place.call(1, a, value), place.call(2, b, value))

    return Closure("fork", (outer, a, b), forked)


@primitive
def apply(function: Function[T, U], container: Container[T]) -> Container[U]:
    """The function's value for each element.

    apply(double, (3, 1, 3)) -> (6, 2, 6)
    apply(sign, {3, 1, 0}) -> {0, 1}
    """
    return _applied(function, container)


@primitive
def rapply(functions: Container[Function[T, U]], value: T) -> Container[U]:
    """The value of each of the functions for one argument.

    rapply((double, halve), 6) -> (12, 3)
    rapply({double, halve}, 0) -> {0}
    """
    place, parts = visited(functions)
    return _collected(place, functions, place.gather(place.call(0, function, value) for function in parts))


@primitive
def mapply(function: Function[T, Container[U]], container: Container[T]) -> Container[U]:
    """The elements of all containers that the function gives for the elements.

    mapply(initset, (3, 1, 3)) -> (3, 1, 3)
    mapply(totuple, {(1, 2), (2, 3)}) -> {1, 2, 3}
    mapply(double, (1, 2)) -> fails
    """
    place, parts = visited(container)
    values = tuple(place.gather(map(place.calling(0, function), parts)))
    return merged(place, container, values)


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
    place = CURRENT.place
    return elements(merged(place, (), _pairwise(function, a, b)))


@primitive
def prapply(function: Function2[T, U, V], a: Container[T], b: Container[U]) -> frozenset[V]:
    """The set of what the function gives for each element of the first container with each of the second.

    prapply(add, (1, 2), {10, 20}) -> {11, 12, 21, 22}
    """
    place = CURRENT.place
    pairs = place.call("product", product, a, b)
    values = _paired(place, function, list(elements(pairs)))
    place.spend(place.weight(tuple(values)))
    return frozenset(values)


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
    place = CURRENT.place
    return merged(place, container, _kept(container, function))


@primitive
def extract(container: Container[T], condition: Function[T, bool]) -> T:
    """The first element for which the condition holds. Later elements are not looked at.

    extract((3, 4, 6), even) -> 4
    extract((3, 5), even) -> fails
    """
    place, parts = visited(container)
    holds = place.calling(1, condition)
    for element in parts:
        if as_truth(holds(element)):
            return element
    return fail(Reason.MISSING)


@primitive
def order(container: Container[T], compfunc: Function[T, U]) -> tuple[T, ...]:
    """The elements as a tuple, sorted upwards by what the function gives for them. Ties stay in order.

    order((3, 1, 2), identity) -> (1, 2, 3)
    order({(1, 2), (0, 5)}, last) -> ((1, 2), (0, 5))
    """
    return tuple(element for _, element in sorted(ranked(compfunc, container), key=by_key))


@primitive
def argmax(container: Container[T], compfunc: Function[T, U]) -> T:
    """The element for which the function gives most; the first of several.

    argmax((1, -3, 2), invert) -> -3
    argmax({(1, 2), (0, 2)}, last) -> (0, 2)
    argmax((), identity) -> fails
    """
    if not container:
        fail(Reason.EMPTY)
    return max(ranked(compfunc, container), key=by_key)[1]


@primitive
def argmin(container: Container[T], compfunc: Function[T, U]) -> T:
    """The element for which the function gives least; the first of several.

    argmin((1, -3, 2), invert) -> 2
    argmin({(1, 2), (0, 2)}, last) -> (0, 2)
    argmin((), identity) -> fails
    """
    if not container:
        fail(Reason.EMPTY)
    return min(ranked(compfunc, container), key=by_key)[1]


@primitive
def valmax(container: Container[T], compfunc: Function[T, U]) -> U:
    """The most that the function gives for an element. For an empty container, what it gives for 0.

    valmax((1, -3, 2), invert) -> 3
    valmax(set(), increment) -> 1
    valmax(set(), size) -> fails
    """
    values = [value for value, _ in valued(compfunc, container)]
    return max(values, key=sort_key) if values else _of_nothing(compfunc)


@primitive
def valmin(container: Container[T], compfunc: Function[T, U]) -> U:
    """The least that the function gives for an element. For an empty container, what it gives for 0.

    valmin((1, -3, 2), invert) -> -2
    valmin(set(), increment) -> 1
    valmin(set(), size) -> fails
    """
    values = [value for value, _ in valued(compfunc, container)]
    return min(values, key=sort_key) if values else _of_nothing(compfunc)
