"""Tracing: a program is run once on abstract values, which records its typed first-order graph.

Primitives record nodes. Functions are Python closures over nodes and do not appear in the graph. A function that is
mapped over a container is called once, on the element type, in the frame of the elements.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from arcloom.dsl.declare import Meter, Primitive, metered
from arcloom.dsl.signature import (
    GRID,
    SAMPLES,
    Misfit,
    Type,
    TypeRule,
    coerces,
    record,
    rule,
    type_of,
    unify,
)
from arcloom.dsl.values import Failure
from arcloom.program.coerce import coerced
from arcloom.program.graph import Frame, Graph, Misplaced, Node, Op, ancestors, lies_within
from arcloom.program.order import reported_later
from arcloom.program.sizes import MAX_PARTS, parts_of, size_of
from arcloom.program.term import LAMBDA, Call, Function, Input, Lambda, Literal, Program, Term, is_direct
from arcloom.program.trace_errors import InnerMismatch, too_many, unexpected
from arcloom.program.trace_errors import Mismatch as Mismatch
from arcloom.program.trace_errors import TraceError as TraceError

STANDARD_INPUTS: Mapping[str, Type] = {"I": GRID, "S": SAMPLES, "C": GRID}
"""The types of the inputs of solvers and differs."""

MAX_NODES = 5_000
"""Maximum number of nodes of one call: functions that are composed with themselves grow exponentially."""

MAX_DEPTH = 150
"""Maximum depth of calls of functions by functions."""

FOLDED = 1000
"""Maximum number of elements of a constant that is computed while tracing, counting nested elements."""

Closure = Callable[..., "Abstract"]


@dataclass(frozen=True, eq=False)
class Static:
    """A tuple or set that contains functions. Its elements are known while tracing."""

    kind: str
    items: tuple["Abstract", ...]


@dataclass(frozen=True, eq=False)
class Family:
    """A container of functions, one for each element of another container."""

    source: Node
    member: Closure


Abstract = Node | Closure | Static | Family

Form = Callable[..., Abstract | None]
"""A function that traces calls of a primitive. It takes the tracer and abstract arguments, and returns None if the
primitive is to be traced as a first-order one."""

FORMS: dict[str, Form] = {}
"""The forms of primitives by name. The modules that ``arcloom.program`` imports add them."""

Step = tuple[int, Node]
"""(line, node): if the node fails in a row, the failure is reported for the line. The node is the value of the line's
call, or is held by a function that the call returns."""


class Traced(NamedTuple):
    """A traced program: its graph, its output and its steps."""

    program: Program
    graph: Graph
    output: Node
    steps: list[Step]


def trace(program: Program, inputs: Mapping[str, Type] = STANDARD_INPUTS, *, graph: Graph | None = None) -> Traced:
    """Trace a program, into ``graph`` if given. Raises TraceError if the program has no types."""
    return Tracer(Graph() if graph is None else graph, inputs).trace(program)


class Tracer:
    """Traces programs into one graph."""

    def __init__(self, graph: Graph, inputs: Mapping[str, Type] = STANDARD_INPUTS) -> None:
        self.graph = graph
        self.inputs = inputs
        self.forms = FORMS
        self.context: Frame = graph.root
        self._emitted = 0
        self._before = 0
        """The number of nodes before the call that is being traced."""
        self._captured: list[Node] = []
        self._evaluated: list[Node] = []
        """The nodes of the call or frame that is being traced, in the order in which the language evaluates them."""
        self._steps: list[Step] | None = None
        """Steps inside the function that a line of the program calls, while that is traced."""
        self.turns_in_all = 1
        """The product of the constant numbers of turns of the ``power`` loops around the call that is being traced."""
        self.turns: list[Node] = []
        """The numbers of turns of the loops around the call that is being traced, the outermost first."""
        self._depth = 0
        self._terms: dict[Term, Abstract] = {}
        self._more: dict[Call, tuple[list[Step], list[Node]]] = {}
        """For each traced call, the steps inside a function that the program defines, and the nodes that the program
        depends on although no node uses them, such as values that a function captured."""
        self._closures: dict[Primitive[..., Any], Closure] = {}

    def trace(self, program: Program) -> Traced:
        """Trace a program. Programs that share a call share its trace."""
        steps: list[Step] = []
        self._captured = []
        known = self._terms
        for call in program.calls:
            result = known.get(call) or self._ordinary(call) or self._trace_call(program, call)
            if call in self._more:
                inner, held = self._more[call]
                self._captured += held
                steps += [*inner, *[(call.line, node) for node in held]]
            if type(result) is Node:
                steps += _steps_of(call.line, result)
        return Traced(program, self.graph, self._output(program), steps)

    def _ordinary(self, call: Call) -> Node | None:
        """A fast path for most calls: the node of a first-order primitive whose arguments are traced and need no
        coercion; None for other calls.
        """
        function = call.function
        if type(function) is not Function or function.primitive.name in self.forms:
            return None
        primitive, known = function.primitive, self._terms
        try:
            nodes: tuple[Node, ...] = tuple([known[arg] for arg in call.args])  # type: ignore[misc]
            found, fits = _RULES[(primitive, *[node.type for node in nodes])]
        except (KeyError, AttributeError):  # a new leaf, a new rule, or a function
            return None
        operations = [node.op for node in nodes]
        if not fits or operations.count("constant") == len(operations):
            return None
        result = known[call] = self.graph.applied(primitive, nodes, found)
        return result

    def _trace_call(self, program: Program, call: Call) -> Abstract:
        """Trace a call whose arguments are traced."""
        self._emitted = 0
        self._before = len(self.graph.nodes)
        self._evaluated = []
        before = len(self._captured)
        inner: list[Step] = []
        known = self._terms
        try:
            function = known.get(call.function) or self._leaf(call.function)
            args = [known.get(arg) or self._leaf(arg) for arg in call.args]
            plain = isinstance(call.function, Function)  # the parser has checked the number of arguments
            if plain:
                result: Abstract = function(*args)  # type: ignore[operator]
            elif is_direct(call):
                result = self._inside(inner, function, args)
            else:
                result = self.call(function, *args)
        except InnerMismatch as error:
            raise TraceError(str(error), program=program.name, line=error.line, call=call) from None
        except (Mismatch, Misfit) as error:
            raise TraceError(_told(call, error), program=program.name, line=call.line, call=call) from None
        except Exception as error:  # an error of one program must not affect others
            raise TraceError(unexpected(error), program=program.name, line=call.line) from error
        known[call] = result
        if not inner and len(self._evaluated) > 1:
            inner = self._first_steps(call, result, before, 0)
        if inner or len(self._captured) > before:
            self._more[call] = inner, self._captured[before:]
            del self._captured[before:]
        return result

    def _inside(self, steps: list[Step], function: Abstract, args: list[Abstract]) -> Abstract:
        """Trace a call of a function that the program defines. The lines of its body are added to ``steps``."""
        self._steps = steps
        try:
            return self.call(function, *args)
        finally:
            self._steps = None

    def _first_steps(self, call: Call, result: Abstract, captured: int, evaluated: int) -> list[Step]:
        """Steps of a call that come before its result, so that the node that is evaluated first says why it failed.

        ``captured`` and ``evaluated`` are the numbers of captured and evaluated nodes before the call.
        """
        roots = [*self._captured[captured:], *([result] if isinstance(result, Node) else [])]
        return [(call.line, node) for node in reported_later(roots, self._evaluated[evaluated:])]

    @contextmanager
    def repeating(self, turns: int) -> Iterator[None]:
        """A context for tracing calls inside a loop with this number of turns."""
        before = self.turns_in_all
        self.turns_in_all *= turns
        try:
            yield
        finally:
            self.turns_in_all = before

    def release(self) -> None:
        """Break the reference cycles between the tracer and its functions, so that they are freed at once."""
        self._terms.clear()
        self._more.clear()
        self._closures.clear()

    def _output(self, program: Program) -> Node:
        line = program.calls[-1].line if program.calls else 1
        try:
            value = self.node(self._terms.get(program.output) or self._leaf(program.output), "the program's result")
            result = self.guarded(value, self._captured)
            if result.frame is not self.graph.root:
                raise Misplaced
            return result
        except Mismatch as error:
            raise TraceError(str(error), program=program.name, line=line) from None
        except Exception as error:  # an error of one program must not affect others
            raise TraceError(unexpected(error), program=program.name, line=line) from error

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
        """The value; where the earlier one failed, its failure."""
        result = self.graph.node("guard", (earlier, value), value.type, self._frame_of(value, earlier))
        self._evaluated.append(result)
        return result

    def _frame_of(self, value: Node, node: Node) -> Frame | None:
        """The frame of a guard. In a function that is mapped over elements it is the frame of the elements, even if
        neither the value nor the node depends on them: without elements the guard must not fail."""
        in_context = value.frame is self.context or node.frame is self.context
        return None if self.context is self.graph.root or in_context else self.context

    def _leaf(self, term: Term) -> Abstract:
        """The abstract value of a term that is not a call."""
        assert not isinstance(term, Call)
        found = self._terms[term] = self._value(term)
        return found

    def _value(self, term: Input | Literal | Function | Lambda) -> Abstract:
        if isinstance(term, Lambda):
            return self.written(term)
        if isinstance(term, Literal):
            return self.constant(term.value)
        if isinstance(term, Function):
            return self.closure(term.primitive)
        if term.name not in self.inputs:
            known = ", ".join(self.inputs)
            raise Mismatch(f"there is no input {term.name} here (inputs are {known})")
        return self.graph.node("input", (), self.inputs[term.name], data=term.name)

    def written(self, term: Lambda) -> Closure:
        """A function that the program defines; if it captures values, the function that takes these."""
        body, count = term.body, len(term.parameters)

        def holding(*captured: Abstract) -> Closure:
            for value in captured:
                self.capture(value)

            def applied(*args: Abstract) -> Abstract:
                if len(args) != count:
                    raise Mismatch(f"a function of {count} parameters cannot take {len(args)} arguments")
                return self._body(body, (*captured, *args))

            applied.made = f"{LAMBDA}{body.shape}", captured  # type: ignore[attr-defined]
            return applied

        return holding if term.captured else holding()

    def _body(self, body: Program, values: tuple[Abstract, ...]) -> Abstract:
        """The result of a function's body for these values of its inputs.

        It fails if one of the values fails, even if the body does not use it.
        """
        self.count_step()
        steps, self._steps = self._steps, None
        before = len(self._captured)
        for value in values:
            self.capture(value)
        names = dict(zip(body.inputs, values, strict=True))
        terms: dict[Term, Abstract] = {}
        for call in body.calls:
            function, *args = [self._part(part, names, terms) for part in (call.function, *call.args)]
            self._steps = steps if is_direct(call) else None
            held, evaluated = len(self._captured), len(self._evaluated)
            terms[call] = result = self._call_at(call, function, args)
            if steps is not None:
                steps += self._first_steps(call, result, held, evaluated)
                steps += [(call.line, node) for node in self._captured[held:]]
                steps += _steps_of(call.line, result) if isinstance(result, Node) else []
        output = self._part(body.output, names, terms)
        if isinstance(output, Node):
            output = self.guarded(output, self._captured[before:])
            del self._captured[before:]
        return output

    def _part(self, term: Term, names: Mapping[str, Abstract], terms: Mapping[Term, Abstract]) -> Abstract:
        """The value of a part of a function's body."""
        if isinstance(term, Input):
            return names[term.name]
        return terms.get(term) or self._terms.get(term) or self._leaf(term)

    def _call_at(self, call: Call, function: Abstract, args: list[Abstract]) -> Abstract:
        """Trace a call in a function's body. An error has the line of the call."""
        try:
            return self.call(function, *args)
        except InnerMismatch:
            raise
        except (Mismatch, Misfit) as error:
            raise InnerMismatch(_told(call, error), call.line) from None

    def count_step(self) -> None:
        """Count one step of the call that is being traced; see MAX_NODES."""
        self._emitted += 1
        if self._emitted > MAX_NODES:
            raise too_many(MAX_NODES)

    def call(self, function: Abstract, *args: Abstract) -> Abstract:
        """The function applied to abstract values."""
        depth = self._depth
        if depth >= MAX_DEPTH:
            raise Mismatch(f"functions call each other more than {MAX_DEPTH} deep")
        self._depth = depth + 1
        try:
            return function(*args)  # type: ignore[operator]
        except TypeError as error:
            if not callable(function):
                raise Mismatch(f"{describe(function)} cannot be called") from None
            if "positional argument" not in str(error):
                raise
            raise Mismatch(f"a function cannot take {len(args)} arguments here") from None
        finally:
            self._depth = depth

    def closure(self, primitive: Primitive[..., Any]) -> Closure:
        """The primitive as a function of abstract values."""
        closure = self._closures.get(primitive)
        if closure is None:
            form = self.forms.get(primitive.name)
            closure = partial(self.apply, primitive) if form is None else self._formed(form, primitive)
            closure.__name__ = primitive.name
            self._closures[primitive] = closure
        return closure

    def _formed(self, form: Callable[..., Abstract | None], primitive: Primitive[..., Any]) -> Closure:
        """A primitive as a function that tries its form first."""
        arity = primitive.arity

        def applied(*args: Abstract) -> Abstract:
            if len(args) != arity and not primitive.accepts(len(args)):
                raise _wrong_count(primitive, len(args))
            result = form(self, *args)
            return self.apply(primitive, *args) if result is None else result

        return applied

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
        found, fits = _RULES.get(key) or _new_rule(key)
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

    def _coerced(self, nodes: tuple[Node, ...], wants: tuple[Type, ...]) -> tuple[Node, ...]:
        """The arguments of a primitive, coerced to the types that it takes."""
        return tuple([self.coerce(node, want) for node, want in zip(nodes, wants, strict=True)])

    def rule(self, primitive: Primitive[..., Any], *types: Type) -> tuple[TypeRule, bool]:
        """The rule of a primitive for arguments of these types, and whether they need no coercion."""
        key = (primitive, *types)
        return _RULES.get(key) or _new_rule(key)

    def _folded(self, primitive: Primitive[..., Any], nodes: tuple[Node, ...], rule: TypeRule) -> Node:
        """Constant folding: the result for constants as a constant, unless the primitive fails or the result is
        large."""
        try:
            with metered(Meter(FOLDED)):
                value = primitive(*[node.data for node in nodes])
            if size_of(value)[0] <= FOLDED:
                return self.constant(value, rule.result)
        except Failure:
            pass
        result = self.graph.applied(primitive, nodes, rule)
        self._evaluated.append(result)
        return result

    def emit(self, op: Op, args: tuple[Node, ...], type: Type, frame: Frame | None = None, data: Any = None) -> Node:
        """A node of the graph, counted as part of the call that is being traced."""
        self.count_step()
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

    def is_new(self, node: Node) -> bool:
        """Whether a node was created by the call that is being traced."""
        return node.number >= self._before

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

    def is_function(self, term: Term) -> bool:
        """Whether a term was traced and is a function or a container of functions."""
        return term in self._terms and not isinstance(self._terms[term], Node)

    def capture(self, value: Abstract) -> None:
        """Record a value that a function captures: its failure is the program's, even if the function is never
        called."""
        if isinstance(value, Node):
            self._captured.append(value)

    @contextmanager
    def trial(self) -> Iterator[None]:
        """A context in which calls are traced only to find types: no program evaluates them or what they capture."""
        captured, evaluated = len(self._captured), len(self._evaluated)
        try:
            yield
        finally:
            del self._captured[captured:]
            del self._evaluated[evaluated:]

    def within(self, frame: Frame, function: Abstract, *args: Abstract) -> Abstract:
        """The function applied in a frame.

        Its result fails if a value that a function captured in the frame fails. If the result is a function, only the
        captured values that are available outside the frame stay recorded.
        """
        before, self.context = self.context, frame
        evaluated, self._evaluated = self._evaluated, []
        first = len(self._captured)
        try:
            result = self.call(function, *args)
            if isinstance(result, Node):
                result = self.guarded(result, self._captured[first:])
                for node in reversed(reported_later([result], self._evaluated)):
                    result = self._after(node, result)
                del self._captured[first:]
        finally:
            self.context, self._evaluated = before, evaluated
        self._captured[first:] = [node for node in self._captured[first:] if lies_within(before, node.frame)]
        return result

    def as_record(self, *parts: Abstract) -> Node | Static:
        """A tuple of these values."""
        nodes = [part for part in parts if isinstance(part, Node)]
        if len(nodes) < len(parts):
            for node in nodes:
                self.capture(node)
            return Static("tuple", parts)
        if sum(parts_of(node.type) for node in nodes) > MAX_PARTS:
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


_RULES: dict[tuple[Any, ...], tuple[TypeRule, bool]] = {}
"""The rules of primitives by types of arguments, and whether these need no coercion."""


def _new_rule(key: tuple[Any, ...]) -> tuple[TypeRule, bool]:
    primitive, *types = key
    if len(types) != primitive.arity:
        raise _wrong_count(primitive, len(types))
    found = rule(primitive, tuple(types))
    entry = _RULES[key] = found, found.wants == tuple(types)
    return entry


def _wrong_count(primitive: Primitive[..., Any], count: int) -> Mismatch:
    return Mismatch(f"{primitive.name} takes {primitive.arity} arguments, and {count} are given")


def _told(call: Call, error: Exception) -> str:
    """The message of a type error in a call, with the name of the function."""
    return f"{getattr(call.function, 'text', 'function')}: {error}"


def describe(value: Abstract) -> str:
    """A description of a value for messages."""
    if isinstance(value, Node):
        return f"a value of type {value.type}"
    return "a container of functions" if isinstance(value, Static | Family) else "a function"


def _steps_of(line: int, result: Node) -> list[Step]:
    """The steps of a call. The rows of ``vconcat`` are not computed if they are used as a grid, so the steps of its
    line are its arguments."""
    if result.name != "vconcat":
        return [(line, result)]
    return [*((line, arg) for arg in result.args), (line, result)]
