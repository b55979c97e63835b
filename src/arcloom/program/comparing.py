"""Forms of the primitives that compare values. Values are first coerced to a common type if there is one."""

from arcloom.dsl import PRIMITIVES
from arcloom.dsl.signature import as_tuple, unify
from arcloom.program.abstract import Abstract
from arcloom.program.forms import as_container, fields_of, form, like, primitive
from arcloom.program.graph import Node
from arcloom.program.trace import Tracer


@form
def equality(tracer: Tracer, a: Abstract, b: Abstract) -> Abstract | None:
    if not isinstance(a, Node) or not isinstance(b, Node):
        return None
    if unify(a.type, b.type) is None:
        return tracer.apply(PRIMITIVES["equality"], _without_missing(tracer, a), _without_missing(tracer, b))
    return tracer.apply(PRIMITIVES["equality"], *tracer.unified([a, b], "the values to compare"))


def _without_missing(tracer: Tracer, node: Node) -> Node:
    """The node, a pair that may be missing as a tuple: it is empty where the pair is missing, and may then be equal to
    an empty tuple of other values."""
    is_pair = node.type.kind == "perhaps" and node.type.element.kind == "record"
    listed = as_tuple(node.type) if is_pair else None
    return node if listed is None else tracer.coerce(node, listed)


def _comparable(tracer: Tracer, value: Abstract, container: Abstract) -> tuple[Abstract, Abstract]:
    """The value and the container, coerced so that the value has the element type, if that is possible."""
    if not isinstance(value, Node) or not isinstance(container, Node):
        return value, container
    holder = as_container(tracer, container, "the container")
    type = unify(value.type, holder.type.element)
    if type is None:
        return _without_missing(tracer, value), holder
    return tracer.coerce(value, type), tracer.coerce(holder, like(holder, type))


@form
def contained(tracer: Tracer, value: Abstract, container: Abstract) -> Abstract | None:
    if isinstance(container, Node) and container.type.kind == "record" and as_tuple(container.type) is None:
        first_test, *others = [primitive(tracer, "equality", value, part) for part in fields_of(tracer, container)]
        for test in others:
            first_test = primitive(tracer, "either", first_test, test)
        return first_test
    return tracer.apply(PRIMITIVES["contained"], *_comparable(tracer, value, container))


@form
def remove(tracer: Tracer, value: Abstract, container: Abstract) -> Abstract:
    return tracer.apply(PRIMITIVES["remove"], *_comparable(tracer, value, container))


@form
def other(tracer: Tracer, container: Abstract, value: Abstract) -> Abstract:
    return tracer.apply(PRIMITIVES["other"], *_comparable(tracer, value, container)[::-1])


@form
def difference(tracer: Tracer, a: Abstract, b: Abstract) -> Abstract:
    return _difference(tracer, "difference", a, b)


@form
def difference_tuple(tracer: Tracer, a: Abstract, b: Abstract) -> Abstract:
    return _difference(tracer, "difference_tuple", a, b)


def _difference(tracer: Tracer, name: str, a: Abstract, b: Abstract) -> Abstract:
    left, right = (as_container(tracer, side, f"an argument of {name}") for side in (a, b))
    type = unify(left.type.element, right.type.element)
    if type is not None:
        left, right = tracer.coerce(left, like(left, type)), tracer.coerce(right, like(right, type))
    return tracer.apply(PRIMITIVES[name], left, right)
