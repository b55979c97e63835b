"""Forms of Python's built-in functions, composed of primitives and of the forms of operators."""

from collections.abc import Iterator
from contextlib import contextmanager

from arcloom.dsl.python import MAX_NESTED_TURNS
from arcloom.dsl.signature import GRID, INT, tuple_of
from arcloom.dsl.values import MAX_TURNS
from arcloom.program.abstract import Abstract, Closure, Static
from arcloom.program.choices import choice_of, with_fields
from arcloom.program.choosing import order, sfilter
from arcloom.program.forms import apply, gathered, primitive, reduced, values_over
from arcloom.program.graph import Node
from arcloom.program.loops import loop_over
from arcloom.program.python import (
    UNROLLED,
    as_contained,
    as_int,
    as_ints,
    as_listed,
    elements_of,
    greatest_of,
    is_set,
    item,
    known_elements,
    known_parts,
    least_of,
    named,
    negation,
    part,
    plus,
    refuse,
    truth,
)
from arcloom.program.trace import Tracer


@named("len")
def length(tracer: Tracer, values: Abstract) -> Abstract:
    known = known_parts(tracer, values) if isinstance(values, Node) else None
    if known is not None:
        tracer.capture(values)
        return tracer.constant(len(known))
    return primitive(tracer, "size", as_contained(tracer, values) if isinstance(values, Node) else values)


@named("abs")
def absolute(tracer: Tracer, number: Abstract) -> Abstract:
    [value] = as_ints(tracer, number) or refuse("abs", number)
    return greatest_of(tracer, value, primitive(tracer, "invert", value))


@named("tuple", "list")
def listed(tracer: Tracer, *values: Abstract) -> Abstract:
    return elements_of(tracer, values[0]) if values else tracer.constant(())


@named("frozenset", "set")
def as_set(tracer: Tracer, *values: Abstract) -> Abstract:
    if not values:
        return tracer.constant(frozenset())
    if is_set(*values):
        return values[0]
    if isinstance(values[0], Static):
        return Static("set", values[0].items) if values[0].kind == "set" else gathered(tracer, "set", values[0].items)
    elements = as_listed(tracer, values[0])
    return primitive(tracer, "merge", primitive(tracer, "initset", elements))


@named("range")
def numbers(tracer: Tracer, *limits: Abstract) -> Abstract:
    found = as_ints(tracer, *limits) or refuse("range", *limits)
    start = found[0] if len(found) > 1 else tracer.constant(0)
    step = found[2] if len(found) > 2 else tracer.constant(1)
    return primitive(tracer, "interval", start, found[min(len(found) - 1, 1)], step)


@named("enumerate")
def enumerated(tracer: Tracer, values: Abstract, *start: Abstract) -> Abstract:
    first = start[0] if start else tracer.constant(0)
    elements = elements_of(tracer, values)
    known = known_parts(tracer, elements)
    if known is not None:
        pairs = [(plus(tracer, first, tracer.constant(k)), part) for k, part in enumerate(known)]
        return gathered(tracer, "tuple", tuple(tracer.as_record(*pair) for pair in pairs))
    stop = plus(tracer, first, primitive(tracer, "size", elements))
    return primitive(tracer, "pair", numbers(tracer, first, stop), elements)


@named("zip")
def zipped(tracer: Tracer, *containers: Abstract) -> Abstract:
    sources = [elements_of(tracer, container) for container in containers]
    known = [known_parts(tracer, source) for source in sources]
    if None not in known:
        rows = zip(*known, strict=False)
        return gathered(tracer, "tuple", tuple(tracer.as_record(*row) for row in rows))
    if len(sources) == 1:
        return apply(tracer, lambda element: tracer.as_record(element), sources[0])
    nested = sources[-1]
    for source in sources[-2::-1]:
        nested = primitive(tracer, "pair", source, nested)
    if len(sources) == 2:
        return nested
    return apply(tracer, lambda element: tracer.as_record(*_flat(tracer, element, len(sources))), nested)


def _flat(tracer: Tracer, nested: Abstract, count: int) -> list[Abstract]:
    """The values of ``count`` nested pairs (a, (b, (c, d)))."""
    values = []
    for _ in range(count - 1):
        values.append(primitive(tracer, "first", nested))
        nested = primitive(tracer, "last", nested)
    return [*values, nested]


@named("zip*")
def columns(tracer: Tracer, rows: Abstract) -> Abstract:
    known = known_parts(tracer, rows)
    if known is not None and all(known_parts(tracer, row) is not None for row in known):
        return zipped(tracer, *known)
    if isinstance(rows, Node) and rows.type is GRID:
        return primitive(tracer, "dmirror", rows)
    source = as_listed(tracer, rows)
    count = least(tracer, apply(tracer, lambda row: length(tracer, row), source))
    column: Closure = lambda k: apply(tracer, lambda row: item(tracer, elements_of(tracer, row), k), source)  # noqa: E731
    empty = primitive(tracer, "equality", primitive(tracer, "size", source), tracer.constant(0))
    none: Closure = lambda: tracer.constant(0)  # noqa: E731
    size = choice_of(tracer, tracer.node(empty, "a test"), (lambda: count, none))()
    return apply(tracer, column, numbers(tracer, size))


@named("reversed")
def backwards(tracer: Tracer, values: Abstract) -> Abstract:
    nothing = tracer.constant(None)
    return part(tracer, values, nothing, nothing, tracer.constant(-1))


@named("sorted")
def in_order(tracer: Tracer, values: Abstract) -> Abstract:
    return order(tracer, known_elements(tracer, values), lambda element: element)


@named("sorted-")
def in_reverse_order(tracer: Tracer, values: Abstract, key: Abstract) -> Abstract:
    source, value = values_over(tracer, key, as_listed(tracer, values), "the values to sort")
    return reduced(tracer, "rank", source, value, tuple_of(source.type.element))


def _extreme(tracer: Tracer, op: str, values: tuple[Abstract, ...]) -> Abstract:
    if len(values) > 1:
        return _extreme_of(tracer, op, values)
    source, value = values_over(tracer, lambda element: element, known_elements(tracer, values[0]), "this")
    return reduced(tracer, op, source, value, source.type.element)


def _extreme_of(tracer: Tracer, op: str, values: tuple[Abstract, ...]) -> Abstract:
    numbers = as_ints(tracer, *values)
    if not numbers:
        return _extreme(tracer, op, (tracer.as_record(*values),))
    choose = greatest_of if op == "valmax" else least_of
    best: Abstract = numbers[0]
    for number in numbers[1:]:
        best = choose(tracer, best, number)
    return best


@named("max")
def greatest(tracer: Tracer, *values: Abstract) -> Abstract:
    return _extreme(tracer, "valmax", values)


@named("min")
def least(tracer: Tracer, *values: Abstract) -> Abstract:
    return _extreme(tracer, "valmin", values)


@named("sum")
def total(tracer: Tracer, values: Abstract, *start: Abstract) -> Abstract:
    if start and not as_int(tracer, start[0]):
        return plus(tracer, start[0], primitive(tracer, "merge", as_listed(tracer, values)))
    found = as_listed(tracer, values)
    result: Abstract = tracer.emit("total", (tracer.coerce(found, tuple_of(INT)),), INT)
    return plus(tracer, start[0], result) if start else result


@named("any")
def some(tracer: Tracer, values: Abstract) -> Abstract:
    tests = apply(tracer, lambda element: truth(tracer, element), as_listed(tracer, values))
    return primitive(tracer, "contained", tracer.constant(True), tests)


@named("all")
def every(tracer: Tracer, values: Abstract) -> Abstract:
    tests = apply(tracer, lambda element: truth(tracer, element), as_listed(tracer, values))
    return negation(tracer, primitive(tracer, "contained", tracer.constant(False), tests))


@named("any of")
def some_of(tracer: Tracer, function: Abstract, values: Abstract) -> Abstract:
    return _found(tracer, lambda element: truth(tracer, tracer.call(function, element)), values)


@named("all of")
def every_of(tracer: Tracer, function: Abstract, values: Abstract) -> Abstract:
    return negation(tracer, _found(tracer, lambda element: negation(tracer, tracer.call(function, element)), values))


def _found(tracer: Tracer, condition: Closure, values: Abstract) -> Abstract:
    """Whether an element fulfils a condition. Elements after the first that does are not tested.

    The search is over the positions of the elements and one more, at which it always ends.
    """
    known = known_parts(tracer, values)
    if known is not None:
        return _found_among(tracer, condition, known)
    source = as_listed(tracer, values)
    count = primitive(tracer, "size", source)

    def holds(k: Abstract) -> Abstract:
        at_end = tracer.node(primitive(tracer, "equality", k, count), "a test")
        inside: Closure = lambda n, xs: condition(primitive(tracer, "get_nth", xs, n))  # noqa: E731
        return choice_of(tracer, at_end, (inside, lambda *_: tracer.constant(True)))(k, source)

    positions = numbers(tracer, primitive(tracer, "increment", count))
    return primitive(tracer, "greater", count, primitive(tracer, "extract", positions, holds))


def _found_among(tracer: Tracer, condition: Closure, parts: tuple[Abstract, ...]) -> Abstract:
    if not parts:
        return tracer.constant(False)
    test = tracer.node(condition(parts[0]), "a test")
    rest: Closure = lambda: _found_among(tracer, condition, parts[1:])  # noqa: E731
    return choice_of(tracer, test, (rest, lambda: tracer.constant(True)))()


@named("map")
def mapped(tracer: Tracer, function: Abstract, *containers: Abstract) -> Abstract:
    if len(containers) == 1:
        return apply(tracer, function, elements_of(tracer, containers[0]))
    rows = zipped(tracer, *containers)
    return apply(tracer, lambda row: tracer.call(function, *(known_parts(tracer, row) or ())), rows)


@named("filter")
def filtered(tracer: Tracer, function: Abstract, values: Abstract) -> Abstract:
    return sfilter(tracer, elements_of(tracer, values), lambda element: truth(tracer, tracer.call(function, element)))


@named("fold")
def folded(tracer: Tracer, function: Abstract, values: Abstract, start: Abstract) -> Abstract:
    elements = elements_of(tracer, values)
    known = known_parts(tracer, elements)
    if known is not None and len(known) <= UNROLLED:
        with _nested(tracer, tracer.constant(len(known))):
            for element in known:
                start = tracer.call(function, start, element)
        return start
    source = as_listed(tracer, elements)
    size = tracer.node(primitive(tracer, "size", source), "a size")
    turns = _checked(tracer, size)

    def turn(state: Abstract) -> Abstract:
        position, value = primitive(tracer, "first", state), primitive(tracer, "last", state)
        following = tracer.call(function, value, primitive(tracer, "get_nth", source, position))
        return tracer.as_record(primitive(tracer, "increment", position), following)

    initial = with_fields(tracer, tracer.node(start, "the initial value of a loop"))
    state = tracer.as_record(tracer.constant(0), initial)
    with _nested(tracer, size):
        return primitive(tracer, "last", loop_over(tracer, turn, turns, state))


@contextmanager
def _nested(tracer: Tracer, turns: Node) -> Iterator[None]:
    """A context for tracing the body of a loop with this number of turns."""
    tracer.turns.append(turns)
    try:
        yield
    finally:
        tracer.turns.pop()


def _checked(tracer: Tracer, size: Node) -> Node:
    """The number of turns of a loop; fails if it, or its product with those of the loops around it, is too large."""
    turns = primitive(tracer, "decrement", _counted(tracer, primitive(tracer, "increment", size)))
    total: Abstract = size
    for outer in tracer.turns:
        total = primitive(tracer, "multiply", total, outer)
    if not tracer.turns:
        return tracer.node(turns, "a count")
    share = primitive(tracer, "divide", total, tracer.constant(MAX_NESTED_TURNS // MAX_TURNS))
    allowed = _counted(tracer, primitive(tracer, "increment", share))
    return tracer.guarded(tracer.node(turns, "a count"), [allowed])


def _counted(tracer: Tracer, count: Abstract) -> Node:
    return tracer.emit("counted", (tracer.node(count, "a count"),), INT)
