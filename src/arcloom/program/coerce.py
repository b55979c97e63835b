"""Coercions: the nodes that convert a value to another type, made of a small set of operations that devices have."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from arcloom.dsl.signature import (
    BOOL,
    CELL,
    GRID,
    INT,
    NEVER,
    PAIR,
    PLACE,
    ROWS,
    Type,
    as_tuple,
    coerces,
    record,
    tuple_of,
)
from arcloom.dsl.values import Reason
from arcloom.program.graph import Frame, Node, Op


class Recorder(Protocol):
    """The methods of ``Tracer`` that coercions use."""

    @property
    def forms(self) -> Mapping[str, Callable[..., Any]]:
        """The tracing rules of primitives by name."""

    def emit(self, op: Op, args: tuple[Node, ...], type: Type, frame: Frame | None = None, data: Any = None) -> Node:
        """The node of an operation."""

    def constant(self, value: Any, type: Type | None = None) -> Node:
        """The node of a constant."""

    def node(self, value: Any, what: str) -> Node:
        """The value, which must be a node. ``what`` describes it in the message of an error."""

    def as_record(self, *parts: Any) -> Any:
        """A tuple of these values."""


def widens(have: Type, want: Type, *, packed: bool = False) -> bool:
    """Whether every value of one type is a value of the other without conversion.

    Inside a record (``packed``) the representation of an int that may be missing differs from that of other ints.
    """
    if have is want or have is NEVER or (have is BOOL and want is INT):
        return True
    if want is PLACE:
        return have in (PAIR, CELL)
    if want.kind == "perhaps" and not packed:
        return widens(have.element if have.kind == "perhaps" else have, want.element)
    if have.kind != want.kind or len(have.parts) != len(want.parts):
        return False
    inside = have.kind == "record"
    if inside and NEVER not in have.parts and _is_packed(have) != _is_packed(want):
        return False
    return bool(have.parts) and all(widens(a, b, packed=inside) for a, b in zip(have.parts, want.parts, strict=True))


def _is_packed(type: Type) -> bool:
    """Whether devices pack the values of a record into one word: pairs of integers, and cells."""
    if len(type.parts) != 2 or type.parts[0] not in (INT, BOOL):
        return False
    last = type.parts[1]
    return last in (INT, BOOL) or (last.kind == "record" and len(last.parts) == 2 and {*last.parts} <= {INT, BOOL})


def coerced(tracer: Recorder, node: Node, want: Type) -> Node:
    """The node coerced to another type. The coercion must exist (``signature.coerces``)."""
    have = node.type
    if have is want:
        return node
    if widens(have, want):
        return _retyped(tracer, node, want)
    if have is INT and want is BOOL:
        constant = node.op == "constant"
        return tracer.constant(bool(node.data), BOOL) if constant else tracer.emit("truth", (node,), BOOL)
    if have.kind == "perhaps":
        return _without_perhaps(tracer, node, want)
    if want.kind == "perhaps":
        return _retyped(tracer, coerced(tracer, node, want.element), want)
    step = {"tuple": _to_tuple, "set": _to_set, "record": _to_record, "grid": _to_grid}[want.kind]
    return step(tracer, node, want)


def _retyped(tracer: Recorder, node: Node, want: Type) -> Node:
    if node.op == "constant":
        return tracer.constant(node.data, want)
    return tracer.emit("same", (node,), want)


def _without_perhaps(tracer: Recorder, node: Node, want: Type) -> Node:
    if want.kind == "tuple" and node.type.element.kind == "record":
        listed = as_tuple(node.type)
        assert listed is not None
        return coerced(tracer, tracer.emit("listed", (node,), listed), want)
    return coerced(tracer, present(tracer, node), want)


def present(tracer: Recorder, node: Node, otherwise: Reason = Reason.NONE) -> Node:
    """The value of a node that may be missing; fails for the given reason if it is."""
    return tracer.emit("present", (node,), node.type.element, data=int(otherwise))


def _to_tuple(tracer: Recorder, node: Node, want: Type) -> Node:
    have = node.type
    if have.kind == "grid":
        return coerced(tracer, tracer.emit("rows", (node,), ROWS), want)
    if have.kind == "record":
        alike = coerced(tracer, node, record(*[want.element] * len(have.parts)))
        return tracer.emit("listed", (alike,), want)
    return _elementwise(tracer, node, want)


def _to_set(tracer: Recorder, node: Node, want: Type) -> Node:
    if node.type.kind == "set":
        return _elementwise(tracer, node, want)
    listed = tuple_of(want.element)
    if not coerces(node.type, listed):  # elements of several lengths: those that do not fit fail
        alike = as_tuple(node.type)
        assert alike is not None
        node = coerced(tracer, node, alike)
    return tracer.emit("distinct", (coerced(tracer, node, listed),), want)


def _elementwise(tracer: Recorder, node: Node, want: Type) -> Node:
    def element(value: Any) -> Node:
        return coerced(tracer, tracer.node(value, "an element"), want.element)

    result = tracer.forms["apply"](tracer, element, node)
    return tracer.node(result, "a container")


def _to_record(tracer: Recorder, node: Node, want: Type) -> Node:
    have = node.type
    if have.kind == "tuple":
        if want is PAIR:
            return tracer.emit("paired", (coerced(tracer, node, tuple_of(INT)),), PAIR)
        count = len(want.parts)
        boxed = tracer.emit("boxed", (node, tracer.constant(count)), record(*[have.element] * count))
        return coerced(tracer, boxed, want)
    fields = [tracer.emit("field", (node,), part, data=k) for k, part in enumerate(have.parts)]
    parts = [coerced(tracer, field, part) for field, part in zip(fields, want.parts, strict=True)]
    return tracer.node(tracer.as_record(*parts), "a record")


def _to_grid(tracer: Recorder, node: Node, want: Type) -> Node:
    if node.name == "vconcat":  # the widths of its arguments are usually equal
        return tracer.emit("stacked", node.args, GRID)
    return tracer.emit("gridded", (coerced(tracer, node, ROWS),), GRID)
