"""First-order primitives of containers: tuples and sets.

A result that is a container is of the same kind as the first argument, unless the summary says tuple or set.
"""

from collections import Counter
from collections.abc import Iterable

from arcloom.dsl.declare import primitive
from arcloom.dsl.meter import affordable
from arcloom.dsl.types import Container, Ints, T, U
from arcloom.dsl.values import Reason, fail, ordered


def elements(container: Container[T]) -> tuple[T, ...]:
    """The elements in the order in which the language iterates."""
    try:
        return ordered(container)
    except TypeError:  # functions cannot be compared, so their text is
        return tuple(sorted(container, key=repr))


def alike(container: Container[T], values: Iterable[U]) -> Container[U]:
    """A container of these values, of the same kind as the given one."""
    return tuple(values) if isinstance(container, tuple) else frozenset(values)


def joined(parts: Container[Container[T]]) -> Container[T]:
    """The elements of all parts; fails where a part is not a container."""
    if not all(isinstance(part, tuple | frozenset) for part in parts):
        fail(Reason.SHAPE)
    if isinstance(parts, frozenset):
        return frozenset(element for part in parts for element in part)
    affordable(sum(map(len, parts)))
    return tuple(element for part in parts for element in elements(part))


def _counts(values: tuple[T, ...]) -> dict[T, int]:
    """The number of occurrences of each element, smallest element first; fails for a set."""
    if isinstance(values, frozenset):
        fail(Reason.SHAPE)
    if not values:
        fail(Reason.EMPTY)
    counts = Counter(values)
    return {value: counts[value] for value in elements(frozenset(counts))}


def _numbers(container: Ints) -> Ints:
    if None in container:
        fail(Reason.NONE)
    return container


@primitive
def combine(a: Container[T], b: Container[T]) -> Container[T]:
    """The elements of both: the concatenation of tuples, the union of sets.

    combine((1, 2), (2, 3)) -> (1, 2, 2, 3)
    combine({1, 2}, {2, 3}) -> {1, 2, 3}
    """
    if isinstance(a, tuple):
        affordable(len(a) + len(b))
    return alike(a, (*a, *elements(b)))


@primitive
def intersection(a: frozenset[T], b: frozenset[T]) -> frozenset[T]:
    """The elements that are in both sets.

    intersection({1, 2}, {2, 3}) -> {2}
    """
    return a & b


@primitive
def difference(a: Container[T], b: Container[U]) -> Container[T]:
    """The elements of the first container that are not in the second.

    difference({1, 2, 3}, {2, 5}) -> {1, 3}
    difference((3, 2, 1, 2), (2,)) -> (3, 1)
    """
    taken = frozenset(b)
    return alike(a, (element for element in a if element not in taken))


@primitive
def dedupe(tup: tuple[T, ...]) -> tuple[T, ...]:
    """The tuple without repetitions; the first of equal elements is kept.

    dedupe((2, 1, 2, 3, 1)) -> (2, 1, 3)
    """
    return tuple(dict.fromkeys(tup))


@primitive
def repeat(item: T, num: int) -> tuple[T, ...]:
    """The value repeated ``num`` times, in a tuple; empty for a number below one.

    repeat((1, 2), 2) -> ((1, 2), (1, 2))
    repeat(5, -1) -> ()
    """
    affordable(num)
    return (item,) * num


@primitive
def size(container: Container[T]) -> int:
    """The number of elements.

    size((4, 4, 4)) -> 3
    size(set()) -> 0
    """
    return len(container)


@primitive
def merge(containers: Container[Container[T]]) -> Container[T]:
    """The elements of all inner containers, in a container of the outer one's kind.

    merge(((1, 2), (2, 3))) -> (1, 2, 2, 3)
    merge({(1, 2), (2, 3)}) -> {1, 2, 3}
    merge(({2, 1}, {2})) -> (1, 2, 2)
    merge((1, 2)) -> fails
    """
    return joined(containers)


@primitive
def maximum(container: Ints) -> int:
    """The greatest element; 0 for an empty container.

    maximum((1, 3, 2)) -> 3
    maximum(set()) -> 0
    maximum((1, None)) -> fails
    """
    return max(_numbers(container), default=0)


@primitive
def minimum(container: Ints) -> int:
    """The smallest element; 0 for an empty container.

    minimum((2, 1, 3)) -> 1
    minimum(set()) -> 0
    minimum((1, None)) -> fails
    """
    return min(_numbers(container), default=0)


@primitive
def mostcommon(container: tuple[T, ...]) -> T:
    """The most frequent element of a tuple; the smallest of several.

    mostcommon((3, 2, 1, 2, 3)) -> 2
    mostcommon(()) -> fails
    mostcommon({1}) -> fails
    """
    counts = _counts(container)
    return max(counts, key=counts.__getitem__)


@primitive
def leastcommon(container: tuple[T, ...]) -> T:
    """The least frequent element of a tuple; the smallest of several.

    leastcommon((2, 5, 4, 2)) -> 4
    leastcommon(()) -> fails
    leastcommon({1}) -> fails
    """
    counts = _counts(container)
    return min(counts, key=counts.__getitem__)


@primitive
def initset(value: T) -> frozenset[T]:
    """The set with this element only.

    initset((1, 2)) -> {(1, 2)}
    """
    return frozenset({value})


@primitive
def insert(value: T, container: frozenset[T]) -> frozenset[T]:
    """The set with this element added.

    insert(3, {1, 2}) -> {1, 2, 3}
    """
    return container | {value}


@primitive
def remove(value: T, container: Container[U]) -> Container[U]:
    """The container without any element equal to this value.

    remove(2, (1, 2, 3, 2)) -> (1, 3)
    remove(5, {1, 2}) -> {1, 2}
    """
    return alike(container, (element for element in container if element != value))


@primitive
def first(container: Container[T]) -> T:
    """The first element.

    first((3, 1, 2)) -> 3
    first({3, 1, 2}) -> 1
    first(()) -> fails
    """
    if not container:
        fail(Reason.EMPTY)
    return elements(container)[0]


@primitive
def last(container: Container[T]) -> T:
    """The last element.

    last((3, 1, 2)) -> 2
    last({3, 1, 2}) -> 3
    last(()) -> fails
    """
    if not container:
        fail(Reason.EMPTY)
    return elements(container)[-1]


@primitive
def other(container: Container[T], value: U) -> T:
    """The first element that is not this value.

    other({1, 2}, 1) -> 2
    other((1, 1), 1) -> fails
    """
    for element in elements(container):
        if element != value:
            return element
    return fail(Reason.MISSING)


@primitive
def interval(start: int, stop: int, step: int) -> tuple[int, ...]:
    """The ints from start to stop, without stop, in steps.

    interval(1, 6, 2) -> (1, 3, 5)
    interval(3, 0, -1) -> (3, 2, 1)
    interval(3, 0, 1) -> ()
    interval(1, 6, 0) -> fails
    """
    if step == 0:
        fail(Reason.RANGE)
    numbers = range(start, stop, step)
    affordable(len(numbers))
    return tuple(numbers)


@primitive
def astuple(a: T, b: U) -> tuple[T, U]:
    """The tuple of two values.

    astuple(1, 2) -> (1, 2)
    """
    return a, b


@primitive
def product(a: Container[T], b: Container[U]) -> frozenset[tuple[T, U]]:
    """The set of all pairs of an element of the first container with one of the second.

    product((1, 2), {3, 4}) -> {(1, 3), (1, 4), (2, 3), (2, 4)}
    """
    firsts, seconds = frozenset(a), frozenset(b)
    affordable(len(firsts) * len(seconds))
    return frozenset((x, y) for x in firsts for y in seconds)


@primitive
def pair(a: Container[T], b: Container[U]) -> tuple[tuple[T, U], ...]:
    """The tuple of pairs of elements at the same index, as long as the shorter container.

    pair((1, 2, 3), (4, 5)) -> ((1, 4), (2, 5))
    pair({2, 1}, (4, 5)) -> ((1, 4), (2, 5))
    """
    return tuple(zip(elements(a), elements(b), strict=False))


@primitive
def totuple(container: Container[T]) -> tuple[T, ...]:
    """The elements as a tuple.

    totuple({3, 1, 2}) -> (1, 2, 3)
    """
    return elements(container)
