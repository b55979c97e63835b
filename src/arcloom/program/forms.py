"""What tracing does with the primitives that take or give functions, or pick from containers of functions.

A form gets the tracer and abstract arguments; it returns None where the primitive is ordinary after all.
"""

from collections.abc import Callable
from typing import TypeVar

from arcloom.dsl import PRIMITIVES
from arcloom.dsl.container import elements
from arcloom.dsl.signature import (
    BOOL,
    INDICES,
    INT,
    NEVER,
    OBJECT,
    Misfit,
    Type,
    as_tuple,
    perhaps,
    set_of,
    tuple_of,
    unify,
)
from arcloom.dsl.values import Reason
from arcloom.program.coerce import present
from arcloom.program.graph import Frame, Loop, Node
from arcloom.program.trace import Abstract, Closure, Family, Mismatch, Static, Tracer, describe

Form = Callable[..., Abstract | None]
F = TypeVar("F", bound=Form)
FORMS: dict[str, Form] = {}

UNROLLED = 32
"""A constant power up to this is written out; a greater or computed one becomes a loop."""


def form(function: F) -> F:
    """Register a form under its function's name."""
    FORMS[function.__name__] = function
    return function


def _by_name(tracer: Tracer, name: str) -> Closure:
    return tracer.closure(PRIMITIVES[name])


def primitive(tracer: Tracer, name: str, *args: Abstract) -> Abstract:
    """Another primitive applied."""
    return tracer.call(_by_name(tracer, name), *args)


# Functions that make functions


@form
def identity(tracer: Tracer, value: Abstract) -> Abstract:
    return value


@form
def compose(tracer: Tracer, outer: Abstract, inner: Abstract) -> Abstract:
    return _made("compose", (outer, inner), lambda *args: tracer.call(outer, tracer.call(inner, *args)))


@form
def chain(tracer: Tracer, last: Abstract, middle: Abstract, first: Abstract) -> Abstract:
    return _made(
        "chain", (last, middle, first), lambda *args: tracer.call(last, tracer.call(middle, tracer.call(first, *args)))
    )


@form
def fork(tracer: Tracer, outer: Abstract, left: Abstract, right: Abstract) -> Abstract:
    return _made(
        "fork",
        (outer, left, right),
        lambda *args: tracer.call(outer, tracer.call(left, *args), tracer.call(right, *args)),
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
    return lambda *args: primitive(tracer, "equality", tracer.call(function, *args), target)


@form
def power(tracer: Tracer, function: Abstract, count: Abstract) -> Abstract:
    times = tracer.coerce(tracer.node(count, "the count of power"), INT)
    if times.op != "constant" or not 1 <= times.data <= UNROLLED:
        counted = tracer.emit("counted", (times,), INT)
        tracer.capture(counted)
        return lambda value: _loop(tracer, function, counted, value)

    def repeated(value: Abstract) -> Abstract:
        for _ in range(times.data):
            value = tracer.call(function, value)
        return value

    return repeated


def _loop(tracer: Tracer, function: Abstract, times: Node, value: Abstract) -> Node:
    """A loop whose state has one type: the type of its start, or what that becomes after a turn."""
    start = tracer.node(value, "what power is applied to")
    for _ in range(3):
        start, times = _into_context(tracer, start), _into_context(tracer, times)
        frame = Frame("loop", tracer.context, start)
        state = tracer.emit("state", (), start.type, frame)
        result = tracer.node(tracer.within(frame, function, state), "the result of power")
        type = unify(start.type, result.type)
        if type is None:
            break
        if type is start.type:
            body = Loop(frame, state, tracer.coerce(result, type))
            return tracer.emit("loop", (times, start), type, tracer.context, body)
        start = tracer.coerce(start, type)
    raise Mismatch(f"power needs a function that gives what it takes, not {result.type} from {start.type}")


def _into_context(tracer: Tracer, node: Node) -> Node:
    """The node in the frame that is being traced, even if it does not vary there."""
    return node if node.frame is tracer.context else tracer.emit("enter", (node,), node.type, tracer.context)


# Choosing a function


def _choice(tracer: Tracer, index: Node, options: tuple[Abstract, ...]) -> Closure:
    """A function that is one of these, row by row, by the value of ``index``."""

    def chosen(*args: Abstract) -> Abstract:
        choice = _into_context(tracer, index)
        outcomes = [_on_side(tracer, choice, k, option, args) for k, option in enumerate(options)]
        if not any(isinstance(outcome, Node) for outcome in outcomes):
            return _choice(tracer, index, tuple(outcomes))
        nodes = [tracer.node(outcome, "the result of a chosen function") for outcome in outcomes]
        nodes = tracer.unified(nodes, "the results of functions to choose from")
        frames = tuple(tracer.graph.frame("choice", tracer.context, choice, k) for k in range(len(options)))
        return tracer.emit("select", (choice, *nodes), nodes[0].type, tracer.context, frames)

    return chosen


def _on_side(tracer: Tracer, choice: Node, k: int, option: Abstract, args: tuple[Abstract, ...]) -> Abstract:
    frame = tracer.graph.frame("choice", tracer.context, choice, k)
    entered = [
        tracer.emit("enter", (arg,), arg.type, frame) if isinstance(arg, Node) and arg.op != "constant" else arg
        for arg in args
    ]
    return tracer.within(frame, option, *entered)


@form
def branch(tracer: Tracer, condition: Abstract, yes: Abstract, no: Abstract) -> Abstract | None:
    if isinstance(yes, Node) and isinstance(no, Node):
        return _branch_of_values(tracer, condition, yes, no)
    test = tracer.coerce(tracer.node(condition, "the condition of branch"), BOOL)
    if test.op == "constant":
        return yes if test.data else no
    if isinstance(yes, Static) and isinstance(no, Static) and len(yes.items) == len(no.items):
        sides = zip(yes.items, no.items, strict=True)
        return Static(yes.kind, tuple(primitive(tracer, "branch", test, a, b) for a, b in sides))
    if not (callable(yes) and callable(no)):
        raise Mismatch(f"branch cannot choose between {describe(yes)} and {describe(no)}")
    tracer.capture(test)
    return _choice(tracer, test, (no, yes))


def _branch_of_values(tracer: Tracer, condition: Abstract, yes: Node, no: Node) -> Abstract | None:
    """A tuple of cells or places beside a set of them is taken as a set."""
    patch = next((node.type for node in (yes, no) if node.type in (INDICES, OBJECT)), None)
    if patch is None or unify(yes.type, no.type) is not None:
        return None
    sides = [tracer.coerce(side, patch) for side in (yes, no)]
    return tracer.apply(PRIMITIVES["branch"], (condition, *sides))


# Mapping a function over a container


def _container(tracer: Tracer, value: Abstract, what: str) -> Node:
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


def _values(tracer: Tracer, function: Abstract, container: Abstract, what: str) -> tuple[Node, Node]:
    """The container, and the function's value for each of its elements."""
    source = _into_context(tracer, _container(tracer, container, what))
    return source, tracer.node(_each(tracer, function, source), "the function's result")


def _like(source: Node, element: Type) -> Type:
    return (set_of if source.type.kind == "set" else tuple_of)(element)


@form
def apply(tracer: Tracer, function: Abstract, container: Abstract) -> Abstract:
    if isinstance(container, Static):
        return _gathered(tracer, container.kind, tuple(tracer.call(function, item) for item in container.items))
    if isinstance(container, Node) and container.type.kind == "record":
        return tracer.as_record(*(tracer.call(function, part) for part in _fields(tracer, container)))
    family = _family(tracer, container)
    member: Closure = lambda element: tracer.call(function, family.member(element))  # noqa: E731
    source = _into_context(tracer, family.source)
    value = _each(tracer, member, source)
    if isinstance(value, Node):
        return collect(tracer, source, value)
    if family.source.op == "constant":
        items = tuple(map(tracer.constant, elements(family.source.data)))
        return Static(family.source.type.kind, tuple(map(member, items)))
    return Family(source, member)


def _family(tracer: Tracer, container: Abstract) -> Family:
    """The container as a family: ordinary elements are a family too, of themselves."""
    if isinstance(container, Family):
        return container
    return Family(_container(tracer, container, "what a function is mapped over"), lambda element: element)


def collect(tracer: Tracer, source: Node, value: Node) -> Node:
    """The values over a container's elements, as a container of the same kind."""
    return _reduced(tracer, "collect", source, value, _like(source, value.type))


def _reduced(tracer: Tracer, op: str, source: Node, value: Node, type: Type) -> Node:
    """What an operation makes of a container and of a value for each of its elements."""
    frame = tracer.graph.frame("elements", source.frame, source)
    return tracer.emit(op, (source, value), type, source.frame, frame)


@form
def rapply(tracer: Tracer, functions: Abstract, value: Abstract) -> Abstract:
    if isinstance(functions, Family):
        tracer.capture(value)
        member = functions.member
        source = _into_context(tracer, functions.source)
        result = _each(tracer, lambda element: tracer.call(member(element), value), source)
        return collect(tracer, source, tracer.node(result, "the function's result"))
    if not isinstance(functions, Static):
        raise Mismatch(f"rapply needs a container of functions, not {describe(functions)}")
    return _gathered(tracer, functions.kind, tuple(tracer.call(function, value) for function in functions.items))


def _gathered(tracer: Tracer, kind: str, items: tuple[Abstract, ...]) -> Abstract:
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
    """How a function is written: a primitive's name, or what made it of which parts, where all of them are known."""
    if isinstance(value, Node):
        return repr(value.data) if value.op == "constant" else None
    name = getattr(value, "__name__", "")
    return name if name in PRIMITIVES or "(" in name else None


def _made(combinator: str, parts: tuple[Abstract, ...], closure: Closure) -> Closure:
    """The closure, written as what it was made of."""
    names = [_name(part) for part in parts]
    if None not in names:
        closure.__name__ = f"{combinator}({', '.join(map(str, names))})"
    return closure


def _in_order(container: Static) -> tuple[Abstract, ...]:
    """The elements in the order in which the language iterates; functions that hold computed values, as they came."""
    return container.items


@form
def mapply(tracer: Tracer, function: Abstract, container: Abstract) -> Abstract:
    if isinstance(container, Node) and container.type.kind in ("tuple", "set") and container.type.element is NEVER:
        return container
    return primitive(tracer, "merge", apply(tracer, function, container))


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
    pairs = zip(left, right, strict=False) if how == "pair" else ((x, y) for x in left for y in right)
    return Static("tuple" if how == "pair" else "set", tuple(Static("tuple", pair) for pair in pairs))


def _items(tracer: Tracer, value: Abstract) -> tuple[Abstract, ...]:
    """The elements of a container that is known while tracing."""
    if isinstance(value, Static):
        return _in_order(value)
    node = tracer.node(value, "a container")
    if node.type.kind != "record":
        raise Mismatch(f"functions can be paired with a tuple of known length only, not with {node.type}")
    return _fields(tracer, node)


def _on_pairs(tracer: Tracer, function: Abstract) -> Closure:
    return lambda pair: tracer.call(function, primitive(tracer, "first", pair), primitive(tracer, "last", pair))


# Choosing elements by a function


@form
def sfilter(tracer: Tracer, container: Abstract, condition: Abstract) -> Abstract:
    if isinstance(container, Static):
        return _static_filter(tracer, container, condition)
    source, value = _values(tracer, condition, container, "what sfilter filters")
    return _reduced(tracer, "keep", source, tracer.coerce(value, BOOL), source.type)


def _static_filter(tracer: Tracer, container: Static, condition: Abstract) -> Static:
    tests = [tracer.node(tracer.call(condition, item), "a condition") for item in container.items]
    if any(test.op != "constant" for test in tests):
        raise Mismatch("which functions remain must be known before the program runs")
    kept = tuple(item for item, test in zip(container.items, tests, strict=True) if test.data)
    return Static(container.kind, kept)


@form
def mfilter(tracer: Tracer, container: Abstract, condition: Abstract) -> Abstract:
    kept = sfilter(tracer, container, condition)
    if isinstance(kept, Node) and not _holds_containers(kept.type):
        return tracer.emit("void", (kept,), _like(kept, NEVER))
    return primitive(tracer, "merge", kept)


def _holds_containers(type: Type) -> bool:
    return type.element not in (INT, BOOL, perhaps(INT))


@form
def extract(tracer: Tracer, container: Abstract, condition: Abstract) -> Abstract:
    if isinstance(container, Static):
        items = _in_order(container)
        index = _first_true(tracer, condition, items, 0)
        tracer.capture(index)
        return _choice(tracer, index, items)
    source, value = _values(tracer, condition, container, "what extract looks in")
    return _reduced(tracer, "pick", source, tracer.coerce(value, BOOL), source.type.element)


def _first_true(tracer: Tracer, condition: Abstract, items: tuple[Abstract, ...], k: int) -> Node:
    """The position of the first of the functions from the k-th on that a condition holds for: it asks no others."""
    if k == len(items):
        return tracer.emit("first_true", (tracer.constant((False,), tuple_of(BOOL)),), INT)
    test = tracer.coerce(tracer.node(tracer.call(condition, items[k]), "a condition"), BOOL)
    yes: Closure = lambda: tracer.constant(k)  # noqa: E731
    no: Closure = lambda: _first_true(tracer, condition, items, k + 1)  # noqa: E731
    if test.op == "constant":
        return tracer.node((yes if test.data else no)(), "a position")
    return tracer.node(_choice(tracer, test, (no, yes))(), "a position")


def _static_choice(tracer: Tracer, container: Static, how: str, keys: list[Abstract], type: Type | None) -> Abstract:
    nodes = [tracer.node(key, "the function's result") for key in keys]
    if not nodes:
        raise Mismatch("a container of functions is empty")
    nodes = [tracer.coerce(n, type) for n in nodes] if type else tracer.unified(nodes, "the values to compare")
    listed = tracer.coerce(tracer.node(tracer.as_record(*nodes), "values"), tuple_of(nodes[0].type))
    index = tracer.emit(how, (listed,), INT)
    tracer.capture(index)
    return _choice(tracer, index, container.items)


def _best(tracer: Tracer, op: str, static_op: str, container: Abstract, function: Abstract) -> Abstract:
    if isinstance(container, Static):
        keys = [tracer.call(function, item) for item in _in_order(container)]
        return _static_choice(tracer, container, static_op, keys, None)
    source, value = _values(tracer, function, container, f"what {op} looks in")
    return _reduced(tracer, op, source, value, source.type.element)


@form
def argmax(tracer: Tracer, container: Abstract, function: Abstract) -> Abstract:
    return _best(tracer, "argmax", "greatest", container, function)


@form
def argmin(tracer: Tracer, container: Abstract, function: Abstract) -> Abstract:
    return _best(tracer, "argmin", "least", container, function)


@form
def valmax(tracer: Tracer, container: Abstract, function: Abstract) -> Abstract:
    return _best_value(tracer, "valmax", container, function)


@form
def valmin(tracer: Tracer, container: Abstract, function: Abstract) -> Abstract:
    return _best_value(tracer, "valmin", container, function)


def _best_value(tracer: Tracer, op: str, container: Abstract, function: Abstract) -> Abstract:
    """The best value; for an empty container the function's value at zero, if it has one."""
    source, value = _values(tracer, function, container, f"what {op} looks in")
    best = _reduced(tracer, op, source, value, value.type)
    if not _takes_zero(tracer, function, value.type):
        return best
    empty = primitive(tracer, "equality", primitive(tracer, "size", source), tracer.constant(0))
    of_zero: Closure = lambda _: tracer.call(function, tracer.constant(0))  # noqa: E731
    of_best: Closure = lambda xs: _reduced(tracer, op, *_values(tracer, function, xs, op), value.type)  # noqa: E731
    return _choice(tracer, tracer.node(empty, "a test"), (of_best, of_zero))(source)


def _takes_zero(tracer: Tracer, function: Abstract, type: Type) -> bool:
    """Whether the function has a value at zero, of a type that fits to the one that it has for elements.

    Conformance needs pairs to be taken, for which it gives another type at zero: then there is no value for none.
    """
    try:
        zero = tracer.node(tracer.call(function, tracer.constant(0)), "the function's result")
    except (Mismatch, Misfit):
        return False
    return unify(zero.type, type) is not None


@form
def order(tracer: Tracer, container: Abstract, function: Abstract) -> Abstract:
    if isinstance(container, Static):
        raise Mismatch("functions cannot be put in order")
    source, value = _values(tracer, function, container, "what order sorts")
    return _reduced(tracer, "order", source, value, tuple_of(source.type.element))


# First-order primitives that compare values: what can be compared is made one type first


@form
def equality(tracer: Tracer, a: Abstract, b: Abstract) -> Abstract | None:
    if not isinstance(a, Node) or not isinstance(b, Node) or unify(a.type, b.type) is None:
        return None
    return tracer.apply(PRIMITIVES["equality"], tuple(tracer.unified([a, b], "what is compared")))


def _comparable(tracer: Tracer, value: Abstract, container: Abstract) -> tuple[Abstract, Abstract]:
    """The value and the container, so that the value has the type of the elements where it can have it."""
    if not isinstance(value, Node) or not isinstance(container, Node):
        return value, container
    holder = _container(tracer, container, "what is looked in")
    type = unify(value.type, holder.type.element)
    if type is None:
        return value, holder
    return tracer.coerce(value, type), tracer.coerce(holder, _like(holder, type))


@form
def contained(tracer: Tracer, value: Abstract, container: Abstract) -> Abstract | None:
    if isinstance(container, Node) and container.type.kind == "record" and as_tuple(container.type) is None:
        first_test, *others = [primitive(tracer, "equality", value, part) for part in _fields(tracer, container)]
        for test in others:
            first_test = primitive(tracer, "either", first_test, test)
        return first_test
    return tracer.apply(PRIMITIVES["contained"], _comparable(tracer, value, container))


@form
def remove(tracer: Tracer, value: Abstract, container: Abstract) -> Abstract:
    return tracer.apply(PRIMITIVES["remove"], _comparable(tracer, value, container))


@form
def other(tracer: Tracer, container: Abstract, value: Abstract) -> Abstract:
    return tracer.apply(PRIMITIVES["other"], _comparable(tracer, value, container)[::-1])


@form
def difference(tracer: Tracer, a: Abstract, b: Abstract) -> Abstract:
    return _difference(tracer, "difference", a, b)


@form
def difference_tuple(tracer: Tracer, a: Abstract, b: Abstract) -> Abstract:
    return _difference(tracer, "difference_tuple", a, b)


def _difference(tracer: Tracer, name: str, a: Abstract, b: Abstract) -> Abstract:
    left, right = _container(tracer, a, "what is taken from"), _container(tracer, b, "what is taken away")
    type = unify(left.type.element, right.type.element)
    if type is not None:
        left, right = tracer.coerce(left, _like(left, type)), tracer.coerce(right, _like(right, type))
    return tracer.apply(PRIMITIVES[name], (left, right))


# First-order primitives that also take functions, or whose result is known from a record's parts


def _fields(tracer: Tracer, node: Node) -> tuple[Node, ...]:
    """The parts of a record."""
    if node.op == "record":
        return node.args if _all_implied(node) else _select_fields(tracer, node)
    return _select_fields(tracer, node)


def _all_implied(node: Node) -> bool:
    """Whether using one part cannot hide that another one failed."""
    return all(arg.op in ("constant", "input") for arg in node.args)


def _select_fields(tracer: Tracer, node: Node) -> tuple[Node, ...]:
    return tuple(tracer.emit("field", (node,), part, data=k) for k, part in enumerate(node.type.parts))


def _member(tracer: Tracer, value: Abstract, k: int, otherwise: Reason) -> Abstract | None:
    """The k-th element of a container with functions or of a record; None for others."""
    if isinstance(value, Static):
        if not -len(value.items) <= k < len(value.items):
            raise Mismatch("a container of functions has no such element")
        return _in_order(value)[k]
    if isinstance(value, Node) and value.type.kind == "perhaps" and value.type.element.kind == "record":
        value = present(tracer, value, otherwise)
    if not isinstance(value, Node) or value.type.kind != "record":
        return None
    if not -len(value.type.parts) <= k < len(value.type.parts):
        return None
    return _fields(tracer, value)[k]


@form
def first(tracer: Tracer, container: Abstract) -> Abstract | None:
    return _member(tracer, container, 0, Reason.EMPTY)


@form
def last(tracer: Tracer, container: Abstract) -> Abstract | None:
    return _member(tracer, container, -1, Reason.EMPTY)


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
        return Static("tuple", items) if kind == "tuple" else _set_of_functions(items)
    return None


@form
def size(tracer: Tracer, container: Abstract) -> Abstract | None:
    return tracer.constant(len(container.items)) if isinstance(container, Static) else None


@form
def totuple(tracer: Tracer, container: Abstract) -> Abstract | None:
    return Static("tuple", _in_order(container)) if isinstance(container, Static) else None


@form
def repeat(tracer: Tracer, value: Abstract, count: Abstract) -> Abstract | None:
    if isinstance(value, Node):
        return None
    times = tracer.node(count, "the count of repeat")
    if times.op != "constant":
        raise Mismatch("a function can be repeated a constant number of times only")
    return Static("tuple", (value,) * times.data)


# The dialect's functions, from the others


def _ranked(tracer: Tracer, op: str, container: Abstract, function: Abstract) -> Node:
    source, value = _values(tracer, function, container, "what is ranked")
    return _reduced(tracer, op, source, value, tuple_of(source.type.element))


@form
def get_arg_rank(tracer: Tracer, container: Abstract, function: Abstract, n: Abstract) -> Abstract:
    return primitive(tracer, "get_nth", _ranked(tracer, "rank", container, function), n)


@form
def get_val_rank(tracer: Tracer, container: Abstract, function: Abstract, n: Abstract) -> Abstract:
    listed = primitive(tracer, "totuple", _container(tracer, container, "what is ranked"))
    values = order(tracer, apply(tracer, function, listed), lambda value: value)
    return primitive(tracer, "get_nth", values, n)


@form
def get_nth(tracer: Tracer, values: Abstract, n: Abstract) -> Abstract | None:
    if isinstance(n, Node) and n.op == "constant" and n.type is INT:
        return _member(tracer, values, n.data, Reason.MISSING)
    return None


@form
def second(tracer: Tracer, container: Abstract) -> Abstract | None:
    return _member(tracer, container, 1, Reason.MISSING)


def _only(tracer: Tracer, function: Abstract, samples: Abstract, has: str, lacks: str) -> Abstract:
    """The distinct values of the function on one side of the demonstrations that the other side lacks."""
    wanted = mapply(tracer, compose(tracer, function, _by_name(tracer, has)), samples)
    unwanted = mapply(tracer, compose(tracer, function, _by_name(tracer, lacks)), samples)
    return primitive(tracer, "dedupe", primitive(tracer, "difference_tuple", wanted, unwanted))


@form
def c_iz(tracer: Tracer, samples: Abstract, function: Abstract) -> Abstract:
    return _only(tracer, function, samples, "first", "last")


@form
def c_zo(tracer: Tracer, samples: Abstract, function: Abstract) -> Abstract:
    return _only(tracer, function, samples, "last", "first")


@form
def c_iz_n(tracer: Tracer, samples: Abstract, function: Abstract, pick: Abstract) -> Abstract:
    return tracer.call(pick, c_iz(tracer, samples, function))


@form
def c_zo_n(tracer: Tracer, samples: Abstract, function: Abstract, pick: Abstract) -> Abstract:
    return tracer.call(pick, c_zo(tracer, samples, function))
