"""Higher-order primitives: those that take or return a function.

These functions count their own work (see ``meter``). A function argument is called at an inner call site, whose key is
the position of the parameter.
"""

from typing import Any

from arcloom.dsl.container import alike, elements, joined, product
from arcloom.dsl.declare import as_truth, primitive
from arcloom.dsl.logic import equality
from arcloom.dsl.meter import CURRENT, CallSite
from arcloom.dsl.types import AnyFunction, Container, Function, Function2, T, U, V
from arcloom.dsl.values import MAX_TURNS, Reason, fail, sort_key
from arcloom.dsl.work import CALL

MAX_NAME = 10_000
"""Maximum number of characters of the text of a function, by which functions in a set are sorted."""


class Closure:
    """A function that a combinator returned. Its ``repr`` is the call of the combinator."""

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
    """The text of a call that made a function. Fails if it is longer than MAX_NAME: functions share their parts, so the
    text of 40 nested ones can have 2^40 characters."""
    text = f"{maker}({', '.join(map(repr, parts))})"
    if len(text) > MAX_NAME:
        fail(Reason.BUDGET)
    return text


def visited(container: Container[T]) -> tuple[CallSite, tuple[T, ...]]:
    """The current site and the elements of a container. Counts the calls of a function for all of them."""
    site = CURRENT.site
    site.spend(CALL * (1 + len(container)))
    return site, elements(container)


def _collected(site: CallSite, container: Container[Any], values: list[T]) -> Container[T]:
    """A container of these values, of the given one's kind. Counts the comparisons that a set needs."""
    if isinstance(container, frozenset):
        site.spend(site.weight(tuple(values)))
    return alike(container, values)


def _applied(function: Function[T, U], container: Container[T]) -> Container[U]:
    site, parts = visited(container)
    return _collected(site, container, site.gather(map(site.calling(0, function), parts)))


def _kept(container: Container[T], condition: Function[T, bool]) -> Container[T]:
    site, parts = visited(container)
    holds = site.calling(1, condition)
    return _collected(site, container, [element for element in parts if as_truth(holds(element))])


def _paired(site: CallSite, function: Function2[T, U, V], pairs: list[tuple[T, U]]) -> list[V]:
    """The function's values for pairs of elements."""
    site.spend(CALL * (1 + len(pairs)))
    called = site.calling(0, function)
    return site.gather(called(x, y) for x, y in pairs)


def _pairwise(function: Function2[T, U, V], a: Container[T], b: Container[U]) -> tuple[V, ...]:
    site = CURRENT.site
    site.inner("pair").spend(CALL + len(a) + len(b) + min(len(a), len(b)))
    return tuple(_paired(site, function, list(zip(elements(a), elements(b), strict=False))))


def merged(site: CallSite, container: Container[Any], parts: Container[Container[T]]) -> Container[T]:
    """The elements of all parts, as a container of the given one's kind. Counts the work of ``merge``."""
    site = site.inner("merge")
    site.spend(CALL + site.weight(parts))
    result = alike(container, joined(parts))
    site.spend(len(result))
    return result


def ranked(function: Function[T, U], container: Container[T]) -> list[tuple[Any, T]]:
    """(key, element) for each element. Keys sort in Python as the function's values do in the language."""
    return [(sort_key(value), element) for value, element in valued(function, container)]


def valued(function: Function[T, U], container: Container[T]) -> list[tuple[U, T]]:
    """(value, element) for each element, with the function's value. Counts the comparisons of the values."""
    site, parts = visited(container)
    values = site.gather(map(site.calling(1, function), parts))
    site.spend(site.weight(tuple(values)))
    return list(zip(values, parts, strict=True))


def by_key(ranked: tuple[Any, T]) -> Any:
    return ranked[0]


def _of_nothing(function: Function[Any, U]) -> U:
    """The function's value for 0, the result for an empty container."""
    try:
        return CURRENT.site.call(1, function, 0)  # type: ignore[no-any-return]
    except (TypeError, AttributeError):  # the function does not take ints
        fail(Reason.EMPTY)


@primitive
def identity(x: T) -> T:
    """The value itself.

    identity((1, 2)) -> (1, 2)
    """
    return x


@primitive
def branch(condition: bool, a: T, b: T) -> T:
    """The first value if the condition is true, otherwise the second. Values can be functions.

    If one value is a set and the other a tuple of cells or positions, the result is a set.

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
        site = CURRENT.site
        return site.call(0, outer, site.call(1, inner, value))

    return Closure("compose", (outer, inner), composed)


@primitive
def chain(h: AnyFunction, g: Function[U, V], f: Function[T, U]) -> Function[T, Any]:
    """The function that applies three functions, the last one first.

    chain(double, increment, size)((7, 7)) -> 6
    """

    def chained(value: T) -> Any:
        site = CURRENT.site
        return site.call(0, h, site.call(1, g, site.call(2, f, value)))

    return Closure("chain", (h, g, f), chained)


@primitive
def matcher(function: Function[T, U], target: V) -> Function[T, bool]:
    """The function that returns whether the given function's value equals the target.

    matcher(size, 2)((7, 7)) -> True
    matcher(size, 2)(set()) -> False
    """

    def matches(value: T) -> Any:
        site = CURRENT.site
        return site.call(1, equality, site.call(0, function, value), target)

    return Closure("matcher", (function, target), matches)


@primitive
def rbind(function: AnyFunction, fixed: T) -> AnyFunction:
    """The function with its last argument fixed.

    rbind(subtract, 1)(5) -> 4
    rbind(rbind(interval, 2), 6)(1) -> (1, 3, 5)
    """
    return Closure("rbind", (function, fixed), lambda *args: CURRENT.site.call(0, function, *args, fixed))


@primitive
def lbind(function: AnyFunction, fixed: T) -> AnyFunction:
    """The function with its first argument fixed.

    lbind(subtract, 1)(5) -> -4
    lbind(lbind(interval, 1), 6)(2) -> (1, 3, 5)
    """
    return Closure("lbind", (function, fixed), lambda *args: CURRENT.site.call(0, function, fixed, *args))


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
        site = CURRENT.site
        called = site.calling(0, function)
        for _ in range(n):
            site.spend(CALL)
            value = called(value)
        return value

    return Closure("power", (function, n), repeated)


@primitive
def fork(outer: AnyFunction, a: Function[T, U], b: Function[T, V]) -> Function[T, Any]:
    """The function that applies two functions to its argument and the outer one to both results.

    fork(subtract, double, increment)(5) -> 4
    """

    def forked(value: T) -> Any:
        site = CURRENT.site
        return site.call(0, outer, site.call(1, a, value), site.call(2, b, value))

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
    site, parts = visited(functions)
    return _collected(site, functions, site.gather(site.call(0, function, value) for function in parts))


@primitive
def mapply(function: Function[T, Container[U]], container: Container[T]) -> Container[U]:
    """The elements of all containers that the function returns for the elements.

    mapply(initset, (3, 1, 3)) -> (3, 1, 3)
    mapply(totuple, {(1, 2), (2, 3)}) -> {1, 2, 3}
    mapply(double, (1, 2)) -> fails
    """
    site, parts = visited(container)
    values = tuple(site.gather(map(site.calling(0, function), parts)))
    return merged(site, container, values)


@primitive
def papply(function: Function2[T, U, V], a: Container[T], b: Container[U]) -> tuple[V, ...]:
    """The function's values for elements at the same index, as a tuple as long as the shorter container.

    papply(add, (1, 2, 3), (10, 20)) -> (11, 22)
    """
    return _pairwise(function, a, b)


@primitive
def mpapply(function: Function2[T, U, Container[V]], a: Container[T], b: Container[U]) -> tuple[V, ...]:
    """The elements of all containers that the function returns for elements at the same index, as a tuple.

    mpapply(repeat, (5, 6), (2, 1)) -> (5, 5, 6)
    mpapply(add, (1,), (2,)) -> fails
    """
    site = CURRENT.site
    return elements(merged(site, (), _pairwise(function, a, b)))


@primitive
def prapply(function: Function2[T, U, V], a: Container[T], b: Container[U]) -> frozenset[V]:
    """The set of the function's values for all pairs of an element of the first container with one of the second.

    prapply(add, (1, 2), {10, 20}) -> {11, 12, 21, 22}
    """
    site = CURRENT.site
    pairs = site.call("product", product, a, b)
    values = _paired(site, function, list(elements(pairs)))
    site.spend(site.weight(tuple(values)))
    return frozenset(values)


@primitive
def sfilter(container: Container[T], condition: Function[T, bool]) -> Container[T]:
    """The elements that fulfil the condition.

    sfilter((3, 0, 4), positive) -> (3, 4)
    sfilter({1, 2, 3}, even) -> {2}
    """
    return _kept(container, condition)


@primitive
def mfilter(container: Container[Container[T]], function: Function[Container[T], bool]) -> Container[T]:
    """The elements of all inner containers that fulfil the condition.

    mfilter(((1, 2), (3,), (2, 4)), matcher(size, 2)) -> (1, 2, 2, 4)
    mfilter((1, 2), even) -> fails
    """
    site = CURRENT.site
    return merged(site, container, _kept(container, function))


@primitive
def extract(container: Container[T], condition: Function[T, bool]) -> T:
    """The first element that fulfils the condition. Later elements are not tested.

    extract((3, 4, 6), even) -> 4
    extract((3, 5), even) -> fails
    """
    site, parts = visited(container)
    holds = site.calling(1, condition)
    for element in parts:
        if as_truth(holds(element)):
            return element
    return fail(Reason.MISSING)


@primitive
def order(container: Container[T], compfunc: Function[T, U]) -> tuple[T, ...]:
    """The elements as a tuple, sorted by the function's values in ascending order. Ties stay in order.

    order((3, 1, 2), identity) -> (1, 2, 3)
    order({(1, 2), (0, 5)}, last) -> ((1, 2), (0, 5))
    """
    return tuple(element for _, element in sorted(ranked(compfunc, container), key=by_key))


@primitive
def argmax(container: Container[T], compfunc: Function[T, U]) -> T:
    """The element with the greatest value of the function; of several, the first.

    argmax((1, -3, 2), invert) -> -3
    argmax({(1, 2), (0, 2)}, last) -> (0, 2)
    argmax((), identity) -> fails
    """
    if not container:
        fail(Reason.EMPTY)
    return max(ranked(compfunc, container), key=by_key)[1]


@primitive
def argmin(container: Container[T], compfunc: Function[T, U]) -> T:
    """The element with the least value of the function; of several, the first.

    argmin((1, -3, 2), invert) -> 2
    argmin({(1, 2), (0, 2)}, last) -> (0, 2)
    argmin((), identity) -> fails
    """
    if not container:
        fail(Reason.EMPTY)
    return min(ranked(compfunc, container), key=by_key)[1]


@primitive
def valmax(container: Container[T], compfunc: Function[T, U]) -> U:
    """The greatest value of the function for an element. For an empty container, its value for 0.

    valmax((1, -3, 2), invert) -> 3
    valmax(set(), increment) -> 1
    valmax(set(), size) -> fails
    """
    values = [value for value, _ in valued(compfunc, container)]
    return max(values, key=sort_key) if values else _of_nothing(compfunc)


@primitive
def valmin(container: Container[T], compfunc: Function[T, U]) -> U:
    """The least value of the function for an element. For an empty container, its value for 0.

    valmin((1, -3, 2), invert) -> -2
    valmin(set(), increment) -> 1
    valmin(set(), size) -> fails
    """
    values = [value for value, _ in valued(compfunc, container)]
    return min(values, key=sort_key) if values else _of_nothing(compfunc)
