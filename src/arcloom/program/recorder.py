"""Recording: the nodes of a graph for primitives applied to abstract values, and for coercions."""

from functools import lru_cache
from typing import Any

from arcloom.dsl.declare import Meter, Primitive, metered
from arcloom.dsl.signature import Type, TypeRule, coerces, record, rule, type_of, unify
from arcloom.dsl.values import Failure
from arcloom.program.abstract import FORMS, Abstract, Static, describe
from arcloom.program.coerce import coerced
from arcloom.program.graph import Frame, Graph, Node, Op, ancestors
from arcloom.program.sizes import MAX_PARTS, parts_of, size_of
from arcloom.program.trace_errors import Mismatch, too_many

MAX_NODES = 5_000
"""Maximum number of nodes of one call: functions that are composed with themselves grow exponentially."""

FOLDED = 1000
"""Maximum number of elements of a constant that is computed while tracing, counting nested elements."""

FOLDS = 500
"""Number of folded constants that are cached, because many programs compute the same ones."""

Rule = tuple[TypeRule, bool]
"""The rule of a primitive for types of arguments, and whether these need no coercion."""

RULES: dict[tuple[Any, ...], Rule] = {}
"""Cached rules, by the primitive followed by the types of its arguments."""


class Recorder:
    """Records the nodes of the call that is being traced in a graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.forms = FORMS
        self.context: Frame = graph.root
        self._emitted = 0
        self._captured: list[Node] = []
        """Values that functions captured and that can fail."""
        self._evaluated: list[Node] = []
        """The nodes of the call or frame that is being traced, in the order in which the language evaluates them."""
        self._depth = 0
        """The number of functions around the call that is being traced."""

    def count_step(self) -> None:
        """Count one step of the call that is being traced; see MAX_NODES."""
        self._emitted += 1
        if self._emitted > MAX_NODES:
            raise too_many(MAX_NODES)

    def emit(self, op: Op, args: tuple[Node, ...], type: Type, frame: Frame | None = None, data: Any = None) -> Node:
        """A node of the graph, counted as part of the call that is being traced."""
        self._emitted += 1
        if self._emitted > MAX_NODES:
            raise too_many(MAX_NODES)
        result = self.graph.node(op, args, type, frame, data)
        if result.frame.depth <= self.context.depth:
            self._evaluated.append(result)
        return result

    def constant(self, value: Any, type: Type | None = None) -> Node:
        """The node of a constant."""
        type = type or type_of(value)
        if type is None:
            raise Mismatch(f"the constant {value!r} has no type")
        return self.graph.node("constant", (), type, data=value)

    # Primitives

    def apply(self, primitive: Primitive[..., Any], *args: Abstract) -> Node:
        """The node of a first-order primitive. Arguments are coerced to the types that it takes."""
        try:
            match args:  # unrolled for speed
                case (a,):
                    key: tuple[Any, ...] = (primitive, a.type)  # type: ignore[union-attr]
                case (a, b):
                    key = (primitive, a.type, b.type)  # type: ignore[union-attr]
                case _:
                    key = (primitive, *[arg.type for arg in args])  # type: ignore[union-attr]
        except AttributeError:
            other = next(arg for arg in args if not isinstance(arg, Node))
            raise Mismatch(f"{primitive.name} cannot take {describe(other)}") from None
        nodes: tuple[Node, ...] = args  # type: ignore[assignment]
        found, fits = RULES.get(key) or _new_rule(key)
        if not fits:
            nodes = self._coerced(nodes, found.wants)
        for node in nodes:
            if node.op != "constant":
                self._emitted += 1
                if self._emitted > MAX_NODES:
                    raise too_many(MAX_NODES)
                result = self.graph.applied(primitive, nodes, found)
                self._evaluated.append(result)
                return result
        return self._folded(primitive, nodes, found)

    def rule(self, primitive: Primitive[..., Any], *types: Type) -> Rule:
        """The rule of a primitive for arguments of these types, and whether they need no coercion."""
        key = (primitive, *types)
        return RULES.get(key) or _new_rule(key)

    def _coerced(self, nodes: tuple[Node, ...], wants: tuple[Type, ...]) -> tuple[Node, ...]:
        """The arguments of a primitive, coerced to the types that it takes."""
        return tuple([self.coerce(node, want) for node, want in zip(nodes, wants, strict=True)])

    def _folded(self, primitive: Primitive[..., Any], nodes: tuple[Node, ...], rule: TypeRule) -> Node:
        """Constant folding: the result for constants as a constant, unless the primitive fails or the result is
        large."""
        found = _fold(primitive, rule, tuple([node.data for node in nodes]))
        if found is not None:
            return self.constant(found[0], rule.result)
        result = self.graph.applied(primitive, nodes, rule)
        self._evaluated.append(result)
        return result

    # Coercions and records

    def coerce(self, node: Node, want: Type) -> Node:
        """The node, coerced to another type."""
        if node.type is want:
            return node
        if not coerces(node.type, want):
            raise Mismatch(f"{node.type} cannot be used as {want}")
        return coerced(self, node, want)

    def node(self, value: Abstract, what: str) -> Node:
        """The value, which must be a node. Otherwise raises Mismatch with a message about ``what``."""
        if not isinstance(value, Node):
            raise Mismatch(f"{what} cannot be {describe(value)}")
        return value

    def as_record(self, *parts: Abstract) -> Node | Static:
        """A tuple of these values."""
        nodes = [part for part in parts if isinstance(part, Node)]
        if len(nodes) < len(parts):
            for node in nodes:
                self.capture(node)
            return Static("tuple", parts)
        if sum([parts_of(node.type) for node in nodes]) > MAX_PARTS:
            raise Mismatch(f"a tuple of tuples has more than {MAX_PARTS:,} parts")
        if len(nodes) == 2:
            return self.emit("record", (nodes[0], nodes[1]), record(nodes[0].type, nodes[1].type))
        result = self.emit("single", (nodes[0],), record(nodes[0].type))
        for node in nodes[1:]:
            result = self.emit("append", (result, node), record(*result.type.parts, node.type))
        return result

    def unified(self, nodes: list[Node], what: str) -> list[Node]:
        """The nodes, coerced to one type."""
        type = nodes[0].type
        for node in nodes[1:]:
            joined = unify(type, node.type)
            if joined is None:
                raise Mismatch(f"{what} must have one type, and they are {type} and {node.type}")
            type = joined
        return [self.coerce(node, type) for node in nodes]

    # Failures of captured values, which no node uses

    def capture(self, value: Abstract) -> None:
        """Record a value that a function captures: its failure is the program's, even if the function is never
        called."""
        if isinstance(value, Node) and value.op not in ("constant", "input"):  # which cannot fail
            self._captured.append(value)

    def guarded(self, value: Node, captured: list[Node]) -> Node:
        """The value; it also fails if one of the captured values failed."""
        may_fail = [node for node in captured if node.op not in ("constant", "input")]
        if may_fail:
            lowest = min([node.number for node in may_fail])
            implied = ancestors(value, lowest)
            for node in reversed(may_fail):
                if node not in implied:
                    value = self._after(node, value)
                    implied |= ancestors(node, lowest)
        return value

    def _after(self, earlier: Node, value: Node) -> Node:
        """The value; if the earlier one failed, its failure."""
        result = self.graph.node("guard", (earlier, value), value.type, self._frame_of(value, earlier))
        self._evaluated.append(result)
        return result

    def _frame_of(self, value: Node, node: Node) -> Frame | None:
        """The frame of a guard. In a function that is mapped over elements it is the frame of the elements, even if
        neither the value nor the node depends on them: without elements the guard must not fail."""
        in_context = value.frame is self.context or node.frame is self.context
        return None if self.context is self.graph.root or in_context else self.context


def _new_rule(key: tuple[Any, ...]) -> Rule:
    primitive, *types = key
    if len(types) != primitive.arity:
        raise wrong_count(primitive, len(types))
    found = rule(primitive, tuple(types))
    entry = RULES[key] = found, found.wants == tuple(types)
    return entry


@lru_cache(FOLDS)
def _fold(primitive: Primitive[..., Any], rule: TypeRule, values: tuple[Any, ...]) -> tuple[Any] | None:
    """The primitive's value for constants with the types of the rule, in a tuple; None if it fails or is large."""
    try:
        with metered(Meter(FOLDED)):
            value = primitive(*values)
    except Failure:
        return None
    return (value,) if size_of(value)[0] <= FOLDED else None


def wrong_count(primitive: Primitive[..., Any], count: int) -> Mismatch:
    """The error of a call with this number of arguments."""
    return Mismatch(f"{primitive.name} takes {primitive.arity} arguments, and {count} are given")
