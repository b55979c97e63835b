"""Forms of Python's operators, displays and built-in functions. Each is composed of primitives.

The primitives depend on the types of the arguments. A form raises Mismatch for types for which Python would raise
TypeError, or which have no common static type.
"""

from collections.abc import Callable
from typing import NoReturn

from arcloom.dsl.python import MAX_EXPONENT
from arcloom.dsl.signature import BOOL, INT, NEVER, perhaps, record
from arcloom.dsl.values import Reason
from arcloom.program.abstract import FORMS, Abstract, Static, describe
from arcloom.program.coerce import present
from arcloom.program.forms import (
    F,
    apply,
    as_container,
    fields_of,
    gathered,
    member_of,
    primitive,
)
from arcloom.program.graph import Node
from arcloom.program.trace import Mismatch, Tracer

UNROLLED = 32
"""Maximum known length of a tuple over which a loop is unrolled."""


def named(*names: str) -> Callable[[F], F]:
    """Register a form for these operators or functions."""

    def register(function: F) -> F:
        FORMS.update(dict.fromkeys(names, function))
        return function

    return register


def refuse(symbol: str, *values: Abstract) -> NoReturn:
    raise Mismatch(f"{symbol} cannot be used with {' and '.join(map(describe, values))}")


def present_value(tracer: Tracer, value: Abstract) -> Node:
    """The value; fails if it is missing."""
    node = tracer.node(value, "a value")
    return present(tracer, node) if node.type.kind == "perhaps" else node


def as_contained(tracer: Tracer, value: Node) -> Node:
    """The value as a container. A missing tuple becomes an empty one."""
    if value.type.kind == "perhaps" and value.type.element.kind == "record":
        return as_container(tracer, value, "a tuple")
    return present_value(tracer, value)


def as_int(tracer: Tracer, value: Abstract) -> Node | None:
    """The value as an int; None if it is not a number."""
    if not isinstance(value, Node):
        return None
    node = present_value(tracer, value)
    return tracer.coerce(node, INT) if node.type in (INT, BOOL, NEVER) else None


def as_ints(tracer: Tracer, *values: Abstract) -> list[Node] | None:
    """All values as ints; None if one is not a number."""
    found = [as_int(tracer, value) for value in values]
    return None if None in found else found  # type: ignore[return-value]


def is_set(*values: Abstract) -> bool:
    return all(isinstance(value, Node) and value.type.kind == "set" for value in values)


def _is_bool(*values: Abstract) -> bool:
    return all(isinstance(value, Node) and value.type is BOOL for value in values)


def _is_sequence(value: Abstract) -> bool:
    """Whether a value is a tuple of any kind, according to its type, or a container of functions."""
    if not isinstance(value, Node):
        return isinstance(value, Static)
    kind = value.type.element.kind if value.type.kind == "perhaps" else value.type.kind
    return kind in ("tuple", "record", "grid")


def as_sequence(tracer: Tracer, value: Abstract, symbol: str) -> Abstract:
    """The value, which must be a tuple of any kind or a container of functions."""
    if isinstance(value, Static) and value.kind == "tuple":
        return value
    if not isinstance(value, Node):
        refuse(symbol, value)
    node = as_contained(tracer, value)
    if node.type.kind not in ("tuple", "record", "grid"):
        advice = "; use first, last or totuple" if node.type.kind == "set" else ""
        raise Mismatch(f"{symbol} cannot be used with {describe(value)}{advice}")
    return node


def elements_of(tracer: Tracer, value: Abstract) -> Abstract:
    """The elements of a container as a tuple of any kind."""
    if isinstance(value, Static):
        return primitive(tracer, "totuple", value)
    if isinstance(value, Node):
        node = as_contained(tracer, value)
        if node.type.kind in ("tuple", "record", "grid"):
            return node
        if node.type.kind == "set":
            return primitive(tracer, "totuple", node)
    elif not callable(value):  # a family of functions
        return value
    raise Mismatch(f"a container is needed here, and this is {describe(value)}")


def known_parts(tracer: Tracer, value: Abstract) -> tuple[Abstract, ...] | None:
    """The elements of a tuple of known length; None for other values."""
    if isinstance(value, Static):
        return value.items
    if isinstance(value, Node) and value.type.kind == "record":
        return fields_of(tracer, value)
    return None


def as_listed(tracer: Tracer, value: Abstract) -> Node:
    """The elements of a container as a tuple whose elements have one type."""
    return as_container(tracer, elements_of(tracer, value), "this")


def known_elements(tracer: Tracer, value: Abstract) -> Node:
    """The elements of a container as a tuple; fails if one is missing."""
    listed = as_listed(tracer, value)
    if listed.type.element.kind != "perhaps":
        return listed
    return tracer.node(apply(tracer, lambda element: present_value(tracer, element), listed), "a tuple")


# Operators


@named("+")
def plus(tracer: Tracer, a: Abstract, b: Abstract) -> Abstract:
    numbers = as_ints(tracer, a, b)
    if numbers:
        return primitive(tracer, "add", *numbers)
    if not all(map(_is_sequence, (a, b))):
        refuse("+", a, b)
    left, right = as_sequence(tracer, a, "+"), as_sequence(tracer, b, "+")
    first, second = known_parts(tracer, left), known_parts(tracer, right)
    if first is not None and second is not None:
        return tracer.as_record(*first, *second)
    return primitive(tracer, "combine", as_listed(tracer, left), as_listed(tracer, right))


@named("-")
def minus(tracer: Tracer, a: Abstract, b: Abstract) -> Abstract:
    numbers = as_ints(tracer, a, b)
    if not numbers and not is_set(a, b):
        refuse("-", a, b)
    return primitive(tracer, "subtract", *numbers) if numbers else primitive(tracer, "difference", a, b)


@named("*")
def times(tracer: Tracer, a: Abstract, b: Abstract) -> Abstract:
    numbers = as_ints(tracer, a, b)
    if numbers:
        return primitive(tracer, "multiply", *numbers)
    values, count = (b, as_int(tracer, a)) if as_int(tracer, a) else (a, as_int(tracer, b))
    if count is None:
        refuse("*", a, b)
    values = as_sequence(tracer, values, "*")
    parts = known_parts(tracer, values)
    if parts and count.op == "constant" and count.data * len(parts) <= UNROLLED:
        return gathered(tracer, "tuple", parts * count.data)
    if parts and len(parts) == 1:
        return primitive(tracer, "repeat", parts[0], count)
    return primitive(tracer, "merge", primitive(tracer, "repeat", as_listed(tracer, values), count))


@named("//")
def floor_divide(tracer: Tracer, a: Abstract, b: Abstract) -> Abstract:
    numbers = as_ints(tracer, a, b) or refuse("//", a, b)
    return primitive(tracer, "divide", *numbers)


@named("%")
def modulo(tracer: Tracer, a: Abstract, b: Abstract) -> Abstract:
    numbers = as_ints(tracer, a, b) or refuse("%", a, b)
    return tracer.emit("modulo", tuple(numbers), INT)


@named("**")
def to_the(tracer: Tracer, a: Abstract, b: Abstract) -> Abstract:
    base, exponent = as_ints(tracer, a, b) or refuse("**", a, b)
    if exponent.op != "constant" or not 0 <= exponent.data <= MAX_EXPONENT:
        raise Mismatch(f"an exponent must be a constant from 0 to {MAX_EXPONENT}")
    result: Abstract = tracer.constant(1)
    for _ in range(exponent.data):
        result = primitive(tracer, "multiply", result, base)
    return result


@named("-x")
def negative(tracer: Tracer, a: Abstract) -> Abstract:
    return primitive(tracer, "invert", *(as_ints(tracer, a) or refuse("-", a)))


@named("+x", "int")
def unchanged(tracer: Tracer, a: Abstract) -> Abstract:
    return as_int(tracer, a) or refuse("int", a)


def _of_sets(symbol: str, on_sets: str, on_bools: str) -> None:
    @named(symbol)
    def combined(tracer: Tracer, a: Abstract, b: Abstract) -> Abstract:
        if not _is_bool(a, b) and not is_set(a, b):
            refuse(symbol, a, b)
        return primitive(tracer, on_bools if _is_bool(a, b) else on_sets, a, b)


_of_sets("|", "combine", "either")
_of_sets("&", "intersection", "both")


@named("^")
def in_one(tracer: Tracer, a: Abstract, b: Abstract) -> Abstract:
    if _is_bool(a, b):
        return negation(tracer, primitive(tracer, "equality", a, b))
    return primitive(tracer, "combine", minus(tracer, a, b), minus(tracer, b, a))


@named("<=")
def at_most(tracer: Tracer, a: Abstract, b: Abstract) -> Abstract:
    numbers = as_ints(tracer, a, b)
    if numbers:
        return primitive(tracer, "flip", primitive(tracer, "greater", *numbers))
    if is_set(a, b):
        return negation(tracer, primitive(tracer, "difference", a, b))
    sides = [tracer.node(as_sequence(tracer, side, "<"), "a value") for side in (a, b)]
    both = tracer.as_record(*tracer.unified(sides, "values that are compared"))
    return primitive(tracer, "flip", tracer.emit("least", (as_listed(tracer, both),), INT))


@named(">=")
def at_least(tracer: Tracer, a: Abstract, b: Abstract) -> Abstract:
    return at_most(tracer, b, a)


@named("<")
def less(tracer: Tracer, a: Abstract, b: Abstract) -> Abstract:
    if is_set(a, b):
        differ = negation(tracer, primitive(tracer, "equality", a, b))
        return primitive(tracer, "both", differ, at_most(tracer, a, b))
    numbers = as_ints(tracer, b, a)
    if numbers:
        return primitive(tracer, "greater", *numbers)
    return primitive(tracer, "flip", at_most(tracer, b, a))


@named(">")
def more(tracer: Tracer, a: Abstract, b: Abstract) -> Abstract:
    return less(tracer, b, a)


@named("bool")
def truth(tracer: Tracer, value: Abstract) -> Abstract:
    if not isinstance(value, Node):
        return tracer.constant(bool(value.items) if isinstance(value, Static) else True)
    if value.type in (INT, BOOL):
        return tracer.coerce(value, BOOL)
    if value.type is perhaps(INT):
        missing = [primitive(tracer, "equality", value, tracer.constant(nothing)) for nothing in (None, 0)]
        return primitive(tracer, "flip", primitive(tracer, "either", *missing))
    if value.type.kind == "record":
        tracer.capture(value)
        return tracer.constant(True)
    return primitive(tracer, "positive", primitive(tracer, "size", value))


@named("not")
def negation(tracer: Tracer, value: Abstract) -> Abstract:
    return primitive(tracer, "flip", truth(tracer, value))


@named("if")
def either_of(tracer: Tracer, condition: Abstract, yes: Abstract, no: Abstract) -> Abstract:
    test = truth(tracer, condition)
    if isinstance(yes, Node) and isinstance(no, Node):
        yes, no = tracer.unified([yes, no], "the values of a conditional")
    return primitive(tracer, "branch", test, yes, no)


# Subscripts and displays


@named("[]")
def item(tracer: Tracer, values: Abstract, k: Abstract) -> Abstract:
    if isinstance(values, Node) and values.type.kind == "perhaps":
        values = present(tracer, values, Reason.MISSING)
    position = as_int(tracer, k) or refuse("[]", k)
    values = as_sequence(tracer, values, "[]")
    known = known_parts(tracer, values)
    if known is None or position.op != "constant":
        return primitive(tracer, "get_nth", values, position)
    if not -len(known) <= position.data < len(known):
        raise Mismatch(f"a tuple of {len(known)} elements has no element [{position.data}]")
    return member_of(tracer, values, position.data, Reason.MISSING) or known[position.data]


@named("[:]")
def part(tracer: Tracer, values: Abstract, start: Abstract, stop: Abstract, step: Abstract) -> Abstract:
    source = as_sequence(tracer, values, "[:]")
    limits = [_limit(tracer, limit) for limit in (start, stop, step)]
    known = known_parts(tracer, source)
    if known is not None and all(limit is None or limit.op == "constant" for limit in limits):
        chosen = slice(*(None if limit is None else limit.data for limit in limits))
        return gathered(tracer, "tuple", known[chosen])
    return _dynamic_part(tracer, as_listed(tracer, source), *limits)


def _limit(tracer: Tracer, limit: Abstract) -> Node | None:
    """A bound of a slice; None if it is left out."""
    if isinstance(limit, Node) and limit.op == "constant" and limit.data is None:
        return None
    return as_int(tracer, limit) or refuse("[:]", limit)


def _dynamic_part(tracer: Tracer, source: Node, start: Node | None, stop: Node | None, step: Node | None) -> Abstract:
    stride = tracer.constant(1) if step is None else step
    if stride.op != "constant" or stride.data == 0:
        raise Mismatch("the step of a slice must be a constant other than zero")
    count = tracer.node(primitive(tracer, "size", source), "a size")
    down = stride.data < 0
    lowest, highest = (-1, primitive(tracer, "decrement", count)) if down else (0, count)
    low, high = tracer.constant(lowest), tracer.node(highest, "a limit")
    ends = (high, low) if down else (low, high)
    first, last = (
        _clamped(tracer, limit, count, low, high) if limit else end
        for limit, end in zip((start, stop), ends, strict=True)
    )
    positions = primitive(tracer, "interval", first, last, stride)
    return apply(tracer, lambda k: primitive(tracer, "get_nth", source, k), positions)


def _clamped(tracer: Tracer, limit: Node, count: Node, low: Node, high: Node) -> Abstract:
    """A bound of a slice, as in Python: a negative one counts from the end, and it is clipped to the tuple."""
    below = primitive(tracer, "greater", tracer.constant(0), limit)
    moved = primitive(tracer, "branch", below, primitive(tracer, "add", limit, count), limit)
    return least_of(tracer, greatest_of(tracer, moved, low), high)


def greatest_of(tracer: Tracer, a: Abstract, b: Abstract) -> Abstract:
    return primitive(tracer, "branch", primitive(tracer, "greater", b, a), b, a)


def least_of(tracer: Tracer, a: Abstract, b: Abstract) -> Abstract:
    return primitive(tracer, "branch", primitive(tracer, "greater", a, b), b, a)


@named("unpacked")
def unpacked(tracer: Tracer, values: Abstract, count: Abstract) -> Abstract:
    wanted = tracer.node(count, "a number").data
    source = elements_of(tracer, present_value(tracer, values) if isinstance(values, Node) else values)
    known = known_parts(tracer, source)
    if known is not None:
        if len(known) != wanted:
            raise Mismatch(f"a tuple of {len(known)} elements cannot be unpacked to {wanted} names")
        return source
    listed = as_listed(tracer, source)
    return tracer.coerce(listed, record(*[listed.type.element] * wanted))


@named("(,)")
def display(tracer: Tracer, *parts: Abstract) -> Abstract:
    return tracer.as_record(*parts) if parts else tracer.constant(())


@named("{,}")
def set_display(tracer: Tracer, *parts: Abstract) -> Abstract:
    if all(isinstance(part, Node) for part in parts):
        parts = tuple(tracer.unified(list(parts), "the elements of a set"))  # type: ignore[arg-type]
    return gathered(tracer, "set", parts)
