"""Forms of the primitives that select elements of a container by a function."""

from arcloom.dsl.signature import BOOL, INT, NEVER, Misfit, Type, perhaps, tuple_of, unify
from arcloom.dsl.values import Reason
from arcloom.program.abstract import Abstract, Closure, Static
from arcloom.program.choices import choice_of, one_of
from arcloom.program.coerce import present
from arcloom.program.forms import form, in_order, is_empty, like, primitive, reduced, values_over
from arcloom.program.graph import Node
from arcloom.program.trace import Mismatch, Tracer


@form
def sfilter(tracer: Tracer, container: Abstract, condition: Abstract) -> Abstract:
    if isinstance(container, Static):
        return _static_filter(tracer, container, condition)
    if is_empty(container):
        return container
    source, value = values_over(tracer, condition, container, "the first argument of sfilter")
    return reduced(tracer, "keep", source, tracer.coerce(value, BOOL), source.type)


def _static_filter(tracer: Tracer, container: Static, condition: Abstract) -> Static:
    tests = [tracer.node(tracer.call(condition, item), "a condition") for item in container.items]
    if any(test.op != "constant" for test in tests):
        raise Mismatch("a container of functions can be filtered by a constant condition only")
    kept = tuple(item for item, test in zip(container.items, tests, strict=True) if test.data)
    return Static(container.kind, kept)


@form
def mfilter(tracer: Tracer, container: Abstract, condition: Abstract) -> Abstract:
    kept = sfilter(tracer, container, condition)
    if isinstance(kept, Node) and not _holds_containers(kept.type):
        return tracer.emit("void", (kept,), like(kept, NEVER))
    return primitive(tracer, "merge", kept)


def _holds_containers(type: Type) -> bool:
    return type.element not in (INT, BOOL, perhaps(INT))


@form
def extract(tracer: Tracer, container: Abstract, condition: Abstract) -> Abstract:
    if isinstance(container, Static):
        items = in_order(container)
        index = _first_true(tracer, condition, items, 0)
        tracer.capture(index)
        return one_of(tracer, index, items)
    source, value = values_over(tracer, condition, container, "the first argument of extract")
    return reduced(tracer, "pick", source, tracer.coerce(value, BOOL), source.type.element)


def _first_true(tracer: Tracer, condition: Abstract, items: tuple[Abstract, ...], k: int) -> Node:
    """The position of the first function, from the k-th on, that fulfils a condition. Later ones are not tested."""
    if k == len(items):
        return present(tracer, tracer.constant(None, perhaps(INT)), Reason.MISSING)
    test = tracer.coerce(tracer.node(tracer.call(condition, items[k]), "a condition"), BOOL)
    yes: Closure = lambda: tracer.constant(k)  # noqa: E731
    no: Closure = lambda: _first_true(tracer, condition, items, k + 1)  # noqa: E731
    if test.op == "constant":
        return tracer.node((yes if test.data else no)(), "a position")
    return tracer.node(choice_of(tracer, test, (no, yes))(), "a position")


def _static_choice(tracer: Tracer, container: Static, how: str, keys: list[Abstract], type: Type | None) -> Abstract:
    nodes = [tracer.node(key, "the function's result") for key in keys]
    if not nodes:
        raise Mismatch("a container of functions is empty")
    nodes = [tracer.coerce(n, type) for n in nodes] if type else tracer.unified(nodes, "the values to compare")
    listed = tracer.coerce(tracer.node(tracer.as_record(*nodes), "values"), tuple_of(nodes[0].type))
    index = tracer.emit(how, (listed,), INT)
    tracer.capture(index)
    return one_of(tracer, index, container.items)


def _best(tracer: Tracer, op: str, static_op: str, container: Abstract, function: Abstract) -> Abstract:
    if isinstance(container, Static):
        keys = [tracer.call(function, item) for item in in_order(container)]
        return _static_choice(tracer, container, static_op, keys, None)
    source, value = values_over(tracer, function, container, f"the first argument of {op}")
    return reduced(tracer, op, source, value, source.type.element)


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
    """The greatest or least value; for an empty container the function's value for 0, if it has one."""
    source, value = values_over(tracer, function, container, f"the first argument of {op}")
    best = reduced(tracer, op, source, value, value.type)
    if not _takes_zero(tracer, function, value.type):
        return best
    empty = primitive(tracer, "equality", primitive(tracer, "size", source), tracer.constant(0))
    of_zero: Closure = lambda _: tracer.call(function, tracer.constant(0))  # noqa: E731
    of_best: Closure = lambda xs: reduced(tracer, op, *values_over(tracer, function, xs, op), value.type)  # noqa: E731
    return choice_of(tracer, tracer.node(empty, "a test"), (of_best, of_zero))(source)


def _takes_zero(tracer: Tracer, function: Abstract, type: Type) -> bool:
    """Whether the function takes 0 and its result there unifies with ``type``, the type of its values for elements.

    If not, for example for a function of pairs, there is no value for an empty container.
    """
    try:
        with tracer.trial():
            zero = tracer.node(tracer.call(function, tracer.constant(0)), "the function's result")
    except (Mismatch, Misfit):
        return False
    return unify(zero.type, type) is not None


@form
def order(tracer: Tracer, container: Abstract, function: Abstract) -> Abstract:
    if isinstance(container, Static):
        raise Mismatch("functions cannot be sorted")
    source, value = values_over(tracer, function, container, "the first argument of order")
    return reduced(tracer, "order", source, value, tuple_of(source.type.element))
