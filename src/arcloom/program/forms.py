"""Tracing rules (forms) of primitives that take or return functions, or take elements from containers of functions.

A form gets the tracer and abstract arguments; it returns None where the primitive is ordinary after all.
"""

from typing import TypeVar

from arcloom.dsl import PRIMITIVES
from arcloom.dsl.container import elements
from arcloom.dsl.forms import MAX_NAME
from arcloom.dsl.signature import (
    INT,
    NEVER,
    ROW,
    Type,
    as_tuple,
    set_of,
    tuple_of,
)
from arcloom.dsl.values import Reason
from arcloom.program.abstract import FORMS, Abstract, Closure, Family, Form, Static, describe
from arcloom.program.coerce import present
from arcloom.program.graph import Node
from arcloom.program.trace import Mismatch, Tracer

F = TypeVar("F", bound=Form)

MAX_FUNCTIONS = 1_000
"""Maximum number of elements of a container with functions in it."""

MAPPED = "what a function is mapped over"
_EMPTY = frozenset({tuple_of(NEVER), set_of(NEVER)})


def form(function: F) -> F:
    """Register a form under its function's name."""
    FORMS[function.__name__] = function
    return function


def by_name(tracer: Tracer, name: str) -> Closure:
    return tracer.closure(PRIMITIVES[name])


def primitive(tracer: Tracer, name: str, *args: Abstract) -> Abstract:
    """Another primitive applied."""
    return tracer.call(by_name(tracer, name), *args)


# Functions that make functions


@form
def identity(tracer: Tracer, value: Abstract) -> Abstract:
    return value


@form
def compose(tracer: Tracer, outer: Abstract, inner: Abstract) -> Abstract:
    return _made("compose", (outer, inner), lambda value: tracer.call(outer, tracer.call(inner, value)))


@form
def chain(tracer: Tracer, last: Abstract, middle: Abstract, first: Abstract) -> Abstract:
    return _made(
        "chain", (last, middle, first), lambda value: tracer.call(last, tracer.call(middle, tracer.call(first, value)))
    )


@form
def fork(tracer: Tracer, outer: Abstract, left: Abstract, right: Abstract) -> Abstract:
    return _made(
        "fork",
        (outer, left, right),
        lambda value: tracer.call(outer, tracer.call(left, value), tracer.call(right, value)),
    )


@form
def lbind(tracer: Tracer, function: Abstract, fixed: Abstract) -> Abstract:
    tracer.capture(fixed)
    return _made("lbind", (function, fixed), lambda *args: tracer.call(function, fixed, *args))


@form
def rbind(tracer: Tracer, function: Abstract, fixed: Abstract) -> Abstract:
    tracer.capture(fixed)
    return _made("rbind", (function, fixed), lambda *args: tracer.call(function, *args, fixed))


@form
def matcher(tracer: Tracer, function: Abstract, target: Abstract) -> Abstract:
    tracer.capture(target)
    return lambda value: primitive(tracer, "equality", tracer.call(function, value), target)


def into_context(tracer: Tracer, node: Node) -> Node:
    """The node in the frame that is being traced, even if it does not vary there."""
    return node if node.frame is tracer.context else tracer.emit("enter", (node,), node.type, tracer.context)


# Mapping a function over a container


def as_container(tracer: Tracer, value: Abstract, what: str) -> Node:
    """The value as a tuple or set, rows of a grid included."""
    node = tracer.node(value, what)
    if node.type.kind == "set":
        return node
    listed = as_tuple(node.type)
    if listed is None:
        raise Mismatch(f"{what} must be a container, and it is {node.type}")
    return tracer.coerce(node, listed)


def _each(tracer: Tracer, function: Abstract, source: Node) -> Abstract:
    """The function's value for each element of a container."""
    frame = tracer.graph.frame("elements", source.frame, source)
    element = tracer.emit("element", (source,), source.type.element, frame)
    return tracer.within(frame, function, element)


def values_over(tracer: Tracer, function: Abstract, container: Abstract, what: str) -> tuple[Node, Node]:
    """The container, and the function's value for each of its elements."""
    source = into_context(tracer, as_container(tracer, container, what))
    return source, tracer.node(_each(tracer, function, source), "the function's result")


def like(source: Node, element: Type) -> Type:
    return (set_of if source.type.kind == "set" else tuple_of)(element)


@form
def apply(tracer: Tracer, function: Abstract, container: Abstract) -> Abstract:
    if is_empty(container):
        return container
    mapped = _mapped(tracer, function, container)
    return collect(tracer, *mapped) if isinstance(mapped, tuple) else mapped


def is_empty(container: Abstract) -> bool:
    """Whether the type of a container says that it is empty."""
    return isinstance(container, Node) and container.type in _EMPTY


def _mapped(tracer: Tracer, function: Abstract, container: Abstract) -> Abstract | tuple[Node, Node]:
    """The function's values over a container: the container and the value for each of its elements, or what they are
    all together if that is known while tracing."""
    if isinstance(container, Static):
        return gathered(tracer, container.kind, tuple(tracer.call(function, item) for item in container.items))
    if isinstance(container, Node) and container.type.kind == "record":
        return tracer.as_record(*(tracer.call(function, part) for part in fields_of(tracer, container)))
    member = function
    if isinstance(container, Family):
        given, inner = container.source, container.member
        member = lambda element: tracer.call(function, inner(element))  # noqa: E731
    else:
        given = as_container(tracer, container, MAPPED)
    source = into_context(tracer, given)
    value = _each(tracer, member, source)
    if isinstance(value, Node):
        return source, value
    if given.op == "constant":
        items = map(tracer.constant, elements(given.data))
        return Static(given.type.kind, tuple([tracer.call(member, item) for item in items]))
    return Family(source, member)  # type: ignore[arg-type]


def _family(tracer: Tracer, container: Abstract) -> Family:
    """The container as a family: ordinary elements are a family too, of themselves."""
    if isinstance(container, Family):
        return container
    return Family(as_container(tracer, container, MAPPED), lambda element: element)


def collect(tracer: Tracer, source: Node, value: Node) -> Node:
    """The values over a container's elements, as a container of the same kind."""
    return reduced(tracer, "collect", source, value, like(source, value.type))


def reduced(tracer: Tracer, op: str, source: Node, value: Node, type: Type) -> Node:
    """The result of an operation on a container and on a value for each of its elements."""
    frame = tracer.graph.frame("elements", source.frame, source)
    return tracer.emit(op, (source, value), type, source.frame, frame)


@form
def rapply(tracer: Tracer, functions: Abstract, value: Abstract) -> Abstract:
    if isinstance(functions, Family):
        tracer.capture(value)
        member = functions.member
        source = into_context(tracer, functions.source)
        result = _each(tracer, lambda element: tracer.call(member(element), value), source)
        return collect(tracer, source, tracer.node(result, "the function's result"))
    if not isinstance(functions, Static):
        raise Mismatch(f"rapply needs a container of functions, not {describe(functions)}")
    return gathered(tracer, functions.kind, tuple(tracer.call(function, value) for function in functions.items))


def gathered(tracer: Tracer, kind: str, items: tuple[Abstract, ...]) -> Abstract:
    """A tuple or set of these values, which may be functions."""
    if not items:
        return tracer.constant(() if kind == "tuple" else frozenset())
    if kind == "tuple":
        return tracer.as_record(*items)
    if not all(isinstance(item, Node) for item in items):
        return _set_of_functions(items)
    result: Abstract = primitive(tracer, "initset", items[0])
    for item in items[1:]:
        result = primitive(tracer, "insert", item, result)
    return result


def _set_of_functions(items: tuple[Abstract, ...]) -> Static:
    """A set with functions in it, each once, in the order of how they are written, as far as that is known."""
    names = {_name(item) or id(item): item for item in items}
    in_order = all(map(_name, items))
    return Static("set", tuple(names[key] for key in (sorted(names) if in_order else names)))


def _name(value: Abstract) -> str | None:
    """How a function is written: a primitive's name, or what made it of which parts, where all of them are known.

    It is kept with the function, because functions share their parts: 40 lines can be written in 2^40 ways.
    """
    if isinstance(value, Node):
        return repr(value.data) if value.op == "constant" else None
    if not hasattr(value, "written"):
        name = _new_name(value)
        if name is not None and len(name) > MAX_NAME:
            raise Mismatch(f"a function in a set is too large: more than {MAX_NAME:,} characters")
        value.written = name  # type: ignore[union-attr]
    return value.written  # type: ignore[union-attr, no-any-return]


def _new_name(value: Abstract) -> str | None:
    made = getattr(value, "made", None)
    if made is None:
        name = getattr(value, "__name__", "")
        return name if name in PRIMITIVES else None
    combinator, parts = made
    names = [_name(part) for part in parts]
    return None if None in names else f"{combinator}({', '.join(map(str, names))})"


def _made(combinator: str, parts: tuple[Abstract, ...], closure: Closure) -> Closure:
    """The closure, with what it was made of."""
    closure.made = combinator, parts  # type: ignore[attr-defined]
    return closure


def in_order(container: Static) -> tuple[Abstract, ...]:
    """The elements in the order in which the language iterates; functions that hold computed values, as they came."""
    return container.items


@form
def mapply(tracer: Tracer, function: Abstract, container: Abstract) -> Abstract:
    if is_empty(container):
        return container
    mapped = _mapped(tracer, function, container)
    if not isinstance(mapped, tuple):
        return primitive(tracer, "merge", mapped)
    return _union(tracer, *mapped) or primitive(tracer, "merge", collect(tracer, *mapped))


@form
def merge(tracer: Tracer, containers: Abstract) -> Abstract | None:
    if isinstance(containers, Node) and containers.op == "collect" and tracer.is_new(containers):
        return _union(tracer, *containers.args)
    return None


def _union(tracer: Tracer, source: Node, value: Node) -> Node | None:
    """All that is in the values over the elements of a set. They need not become a set themselves before.

    None where they are no containers as they are, or the result is no set.
    """
    if source.type.kind == "set":
        rule, fits = tracer.rule(PRIMITIVES["merge"], set_of(value.type))
        if fits:
            listed = reduced(tracer, "collect", source, value, tuple_of(value.type))
            return tracer.emit("united", (listed,), rule.result)
    return None


@form
def papply(tracer: Tracer, function: Abstract, a: Abstract, b: Abstract) -> Abstract:
    return apply(tracer, _on_pairs(tracer, function), primitive(tracer, "pair", a, b))


@form
def mpapply(tracer: Tracer, function: Abstract, a: Abstract, b: Abstract) -> Abstract:
    return primitive(tracer, "merge", papply(tracer, function, a, b))


@form
def prapply(tracer: Tracer, function: Abstract, a: Abstract, b: Abstract) -> Abstract:
    return apply(tracer, _on_pairs(tracer, function), primitive(tracer, "product", a, b))


@form
def pair(tracer: Tracer, a: Abstract, b: Abstract) -> Abstract | None:
    return _pairs(tracer, "pair", a, b)


@form
def product(tracer: Tracer, a: Abstract, b: Abstract) -> Abstract | None:
    return _pairs(tracer, "product", a, b)


def _pairs(tracer: Tracer, how: str, a: Abstract, b: Abstract) -> Abstract | None:
    """Pairs of elements, where one of the containers has functions in it; None where none has."""
    if isinstance(a, Static) or isinstance(b, Static):
        return _static_pairs(tracer, how, a, b)
    if isinstance(a, Node) and isinstance(b, Node):
        return None
    left, right = _family(tracer, a), _family(tracer, b)

    def member(both: Abstract) -> Abstract:
        one, other = primitive(tracer, "first", both), primitive(tracer, "last", both)
        return tracer.as_record(left.member(one), right.member(other))

    return Family(tracer.node(primitive(tracer, how, left.source, right.source), "pairs"), member)


def _static_pairs(tracer: Tracer, how: str, a: Abstract, b: Abstract) -> Static:
    left, right = _items(tracer, a), _items(tracer, b)
    if how == "product":
        _check_count(len(left) * len(right))
    pairs = zip(left, right, strict=False) if how == "pair" else ((x, y) for x in left for y in right)
    return Static("tuple" if how == "pair" else "set", tuple(Static("tuple", pair) for pair in pairs))


def _check_count(count: int) -> None:
    """Raise Mismatch if a container of functions would have this number of elements and that is too many."""
    if count > MAX_FUNCTIONS:
        raise Mismatch(f"a container of functions has {count:,} elements (at most {MAX_FUNCTIONS:,})")


def _items(tracer: Tracer, value: Abstract) -> tuple[Abstract, ...]:
    """The elements of a container that is known while tracing."""
    if isinstance(value, Static):
        return in_order(value)
    node = tracer.node(value, "a container")
    if node.type.kind != "record":
        raise Mismatch(f"functions can be paired with a tuple of known length only, not with {node.type}")
    return fields_of(tracer, node)


def _on_pairs(tracer: Tracer, function: Abstract) -> Closure:
    return lambda pair: tracer.call(function, primitive(tracer, "first", pair), primitive(tracer, "last", pair))


# First-order primitives that also take functions, or whose result is known from a record's parts


def fields_of(tracer: Tracer, node: Node) -> tuple[Node, ...]:
    """The parts of a record."""
    if node.op == "record":
        return node.args if _all_implied(node) else _select_fields(tracer, node)
    return _select_fields(tracer, node)


def _all_implied(node: Node) -> bool:
    """Whether using one part cannot hide that another one failed."""
    return all(map(_cannot_fail, node.args))


def _cannot_fail(node: Node) -> bool:
    """Whether a node has a value in every row. An element has: there is no row without it."""
    if node.op in ("constant", "input", "element"):
        return True
    return node.op in ("record", "field", "enter", "same") and all(map(_cannot_fail, node.args))


def _select_fields(tracer: Tracer, node: Node) -> tuple[Node, ...]:
    return tuple(tracer.emit("field", (node,), part, data=k) for k, part in enumerate(node.type.parts))


def member_of(tracer: Tracer, value: Abstract, k: int, otherwise: Reason) -> Abstract | None:
    """The k-th element of a container with functions or of a record; None for others."""
    if isinstance(value, Static):
        if not -len(value.items) <= k < len(value.items):
            raise Mismatch("a container of functions has no such element")
        return in_order(value)[k]
    if isinstance(value, Node) and value.type.kind == "perhaps" and value.type.element.kind == "record":
        value = present(tracer, value, otherwise)
    if not isinstance(value, Node) or value.type.kind != "record":
        return None
    if not -len(value.type.parts) <= k < len(value.type.parts):
        return None
    return fields_of(tracer, value)[k]


@form
def first(tracer: Tracer, container: Abstract) -> Abstract | None:
    return member_of(tracer, container, 0, Reason.EMPTY)


@form
def last(tracer: Tracer, container: Abstract) -> Abstract | None:
    return member_of(tracer, container, -1, Reason.EMPTY)


@form
def astuple(tracer: Tracer, a: Abstract, b: Abstract) -> Abstract:
    return tracer.as_record(a, b)


@form
def initset(tracer: Tracer, value: Abstract) -> Abstract | None:
    return None if isinstance(value, Node) else Static("set", (value,))


@form
def insert(tracer: Tracer, value: Abstract, container: Abstract) -> Abstract | None:
    return _set_of_functions((*container.items, value)) if isinstance(container, Static) else None


@form
def combine(tracer: Tracer, a: Abstract, b: Abstract) -> Abstract | None:
    if isinstance(a, Static) or isinstance(b, Static):
        kind = a.kind if isinstance(a, Static) else "tuple"
        items = (*_items(tracer, a), *_items(tracer, b))
        _check_count(len(items))
        return Static("tuple", items) if kind == "tuple" else _set_of_functions(items)
    return None


@form
def size(tracer: Tracer, container: Abstract) -> Abstract | None:
    return tracer.constant(len(container.items)) if isinstance(container, Static) else None


@form
def height(tracer: Tracer, piece: Abstract) -> Abstract | None:
    a_row = isinstance(piece, Node) and piece.type is ROW
    return primitive(tracer, "size", piece) if a_row else None


@form
def totuple(tracer: Tracer, container: Abstract) -> Abstract | None:
    return Static("tuple", in_order(container)) if isinstance(container, Static) else None


@form
def repeat(tracer: Tracer, value: Abstract, count: Abstract) -> Abstract | None:
    if isinstance(value, Node):
        return None
    times = tracer.coerce(tracer.node(count, "the count of repeat"), INT)
    if times.op != "constant":
        raise Mismatch("a function can be repeated a constant number of times only")
    _check_count(times.data)
    return Static("tuple", (value,) * times.data)
