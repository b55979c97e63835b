"""Forms of the dialect's functions, composed of other forms."""

from arcloom.dsl.signature import INT, SAMPLES, tuple_of
from arcloom.dsl.values import Reason
from arcloom.program.abstract import Abstract
from arcloom.program.choosing import order
from arcloom.program.forms import (
    apply,
    as_container,
    by_name,
    compose,
    form,
    mapply,
    member_of,
    primitive,
    reduced,
    values_over,
)
from arcloom.program.graph import Node
from arcloom.program.trace import Tracer


def _ranked(tracer: Tracer, op: str, container: Abstract, function: Abstract) -> Node:
    source, value = values_over(tracer, function, container, "the container to rank")
    return reduced(tracer, op, source, value, tuple_of(source.type.element))


@form
def get_arg_rank(tracer: Tracer, container: Abstract, function: Abstract, n: Abstract) -> Abstract:
    return primitive(tracer, "get_nth", _ranked(tracer, "rank", container, function), n)


@form
def get_val_rank(tracer: Tracer, container: Abstract, function: Abstract, n: Abstract) -> Abstract:
    listed = primitive(tracer, "totuple", as_container(tracer, container, "the container to rank"))
    values = order(tracer, apply(tracer, function, listed), lambda value: value)
    return primitive(tracer, "get_nth", values, n)


@form
def get_nth(tracer: Tracer, values: Abstract, n: Abstract) -> Abstract | None:
    if isinstance(n, Node) and n.op == "constant" and n.type is INT:
        return member_of(tracer, values, n.data, Reason.MISSING)
    return None


@form
def second(tracer: Tracer, container: Abstract) -> Abstract | None:
    return member_of(tracer, container, 1, Reason.MISSING)


def _only(tracer: Tracer, function: Abstract, samples: Abstract, has: str, lacks: str) -> Abstract:
    """The distinct elements of the function's values on one side of the demonstrations that the other side lacks."""
    samples = tracer.coerce(tracer.node(samples, "the first argument of c_iz and c_zo"), SAMPLES)
    wanted = mapply(tracer, compose(tracer, function, by_name(tracer, has)), samples)
    unwanted = mapply(tracer, compose(tracer, function, by_name(tracer, lacks)), samples)
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
