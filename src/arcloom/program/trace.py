"""Tracing: a program is run once on abstract values, which records its typed first-order graph.

Primitives record nodes. Functions are Python closures over nodes and do not appear in the graph. A function that is
mapped over a container is called once, on the element type, in the frame of the elements.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

from arcloom.dsl import PRIMITIVES
from arcloom.dsl.declare import Primitive
from arcloom.dsl.signature import GRID, SAMPLES, Misfit, Type
from arcloom.program.abstract import Abstract, Closure, describe
from arcloom.program.graph import Frame, Graph, Misplaced, Node, lies_within
from arcloom.program.order import reported_later
from arcloom.program.recorder import Recorder, wrong_count
from arcloom.program.term import LAMBDA, Call, Function, Input, Lambda, Literal, Program, Term, is_direct
from arcloom.program.trace_errors import InnerMismatch, unexpected
from arcloom.program.trace_errors import Mismatch as Mismatch
from arcloom.program.trace_errors import TraceError as TraceError

STANDARD_INPUTS: Mapping[str, Type] = {"I": GRID, "S": SAMPLES, "C": GRID}
"""The types of the inputs of solvers and differs."""

MAX_DEPTH = 150
"""Maximum depth of calls of functions by functions."""

VCONCAT = PRIMITIVES["vconcat"]

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


class Tracer(Recorder):
    """Traces programs into one graph."""

    def __init__(self, graph: Graph, inputs: Mapping[str, Type] = STANDARD_INPUTS) -> None:
        super().__init__(graph)
        self.inputs = inputs
        self._before = 0
        """The number of nodes before the call that is being traced."""
        self._steps: list[Step] | None = None
        """Steps inside the function that a line of the program calls, while that is traced."""
        self.turns_in_all = 1
        """The product of the constant numbers of turns of the ``power`` loops around the call that is being traced."""
        self.turns: list[Node] = []
        """The numbers of turns of the loops around the call that is being traced, the outermost first."""
        self._terms: dict[Term, Abstract] = {}
        self._more: dict[Call, tuple[list[Step], list[Node]]] = {}
        """For each traced call, the steps inside a function that the program defines, and the nodes that the program
        depends on although no node uses them, such as values that a function captured."""
        self._closures: dict[Primitive[..., Any], Closure] = {}

    def trace(self, program: Program) -> Traced:
        """Trace a program. Programs that share a call share its trace."""
        steps: list[Step] = []
        self._captured = []
        known, more = self._terms, self._more
        for call in program.calls:
            result = known.get(call) or self._trace_call(program, call)
            if call in more:
                inner, held = more[call]
                self._captured += held
                steps += [*inner, *[(call.line, node) for node in held]]
            if type(result) is Node:
                _add_steps(steps, call.line, result)
        return Traced(program, self.graph, self._output(program), steps)

    def _trace_call(self, program: Program, call: Call) -> Abstract:
        """Trace a call whose arguments are traced."""
        self._emitted, self._before, self._evaluated = 0, len(self.graph.nodes), []
        known, before = self._terms, len(self._captured)
        inner: list[Step] = []
        try:
            args = [known.get(arg) or self._leaf(arg) for arg in call.args]
            if type(call.function) is Function:
                result = self._formed(call.function.primitive, args)
            else:
                result = self._called(call, args, inner)
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

    def _called(self, call: Call, args: list[Abstract], steps: list[Step]) -> Abstract:
        """Trace a call of a function that the program computes or defines. Steps inside it are added to ``steps``."""
        function = self._terms.get(call.function) or self._leaf(call.function)
        return self._inside(steps, function, args) if is_direct(call) else self.call(function, *args)

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
                if isinstance(result, Node):
                    _add_steps(steps, call.line, result)
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
            if primitive.name in self.forms:
                closure = lambda *args: self._formed(primitive, args)  # noqa: E731
            else:
                closure = partial(self.apply, primitive)
            closure.__name__ = primitive.name
            self._closures[primitive] = closure
        return closure

    def _formed(self, primitive: Primitive[..., Any], args: Sequence[Abstract]) -> Abstract:
        """A primitive applied to abstract values. Its form is tried first, if it has one."""
        form = self.forms.get(primitive.name)
        if form is not None:
            if len(args) != len(primitive.params) and not primitive.accepts(len(args)):
                raise wrong_count(primitive, len(args))
            result = form(self, *args)
            if result is not None:
                return result
        return self.apply(primitive, *args)

    def is_new(self, node: Node) -> bool:
        """Whether a node was created by the call that is being traced."""
        return node.number >= self._before

    def is_function(self, term: Term) -> bool:
        """Whether a term was traced and is a function or a container of functions."""
        return term in self._terms and not isinstance(self._terms[term], Node)

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


def _told(call: Call, error: Exception) -> str:
    """The message of a type error in a call, with the name of the function."""
    return f"{getattr(call.function, 'text', 'function')}: {error}"


def _add_steps(steps: list[Step], line: int, result: Node) -> None:
    """Add the steps of a call. The rows of ``vconcat`` are not computed if they are used as a grid, so the arguments
    are steps of its line, too."""
    if result.op is VCONCAT:
        steps += [(line, arg) for arg in result.args]
    steps.append((line, result))
