"""The reference: a program evaluated call by call, with the primitives' own functions."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from arcloom.dsl.forms import written
from arcloom.dsl.meter import CURRENT, DEFAULT_BUDGET, MAX_HELD, Meter, Place, metered
from arcloom.dsl.signature import MAX_DEPTH
from arcloom.dsl.values import Failure, Reason
from arcloom.dsl.work import CALL, Allowance, Exhausted, weight
from arcloom.program.sizes import size_of
from arcloom.program.term import LAMBDA, Call, Function, Input, Lambda, Literal, Program, Term, is_direct

MAX_ELEMENTS = 1_000_000
"""Maximum number of elements of a value, those of its elements included, in a program without types."""

SMALL = 1_000
"""The value of a line that takes no more work than this has no more elements, and is not counted as held."""

MAX_CALLS = 200_000
"""Maximum number of calls of a program without types and of the functions in it. Tracing limits those of others."""


class ProgramFailure(Exception):
    """A program that gives no value for these inputs: the line that failed, and why."""

    def __init__(self, line: int, reason: Reason) -> None:
        super().__init__(f"line {line}: {reason.text}")
        self.line = line
        self.reason = reason


def evaluate(
    program: Program,
    inputs: Mapping[str, Any],
    *,
    budget: int = DEFAULT_BUDGET,
    typed: bool = True,
    allowance: Allowance | None = None,
) -> Any:
    """The program's value for these inputs. Raises ProgramFailure where a primitive fails.

    The program must be well typed (see ``trace``), unless it is said not to be: then it fails where Python raises
    something. Otherwise an ill-typed program raises that. Raises Exhausted when the allowance is used up.
    """
    left = budget if allowance is None else min(budget, allowance.left)
    with metered(Meter(left)) as meter:
        try:
            value = _Evaluation(typed, allowance).whole(program, inputs, meter)
        except KeyError:  # an input that is not given
            if typed:
                raise
            raise ProgramFailure(last_line(program), Reason.KIND) from None
        except ProgramFailure as failure:
            if failure.reason is Reason.BUDGET and left < budget:
                raise Exhausted from None
            raise
    if not typed and _holds_function(value):
        raise ProgramFailure(last_line(program), Reason.KIND)
    return value


def last_line(program: Program) -> int:
    """The line of the call that is evaluated last."""
    return program.calls[-1].line if program.calls else 1


def _holds_function(value: Any) -> bool:
    return any(map(_holds_function, value)) if isinstance(value, tuple | frozenset) else callable(value)


class _Evaluation:
    """Evaluates a program and the functions that are written in it."""

    def __init__(self, typed: bool, allowance: Allowance | None) -> None:
        self.typed = typed
        self.allowance = allowance
        self.calls = 0

    def whole(self, program: Program, inputs: Mapping[str, Any], meter: Meter) -> Any:
        """The value of a program. Its work counts against the allowance, if there is one."""
        values: dict[int, Any] = {}
        held = 0
        for call in program.calls:
            place = meter.line(call)
            value = values[id(call)] = self._call(call, inputs, values, place)
            work = place.total()
            if work > SMALL:
                held += min(work, weight(value, work))
                if held > MAX_HELD:
                    raise ProgramFailure(call.line, Reason.BUDGET)
            if self.allowance is not None:
                self.allowance.spend(work)
        return self._value(program.output, inputs, values)

    def run(self, body: Program, inputs: Mapping[str, Any], place: Place) -> Any:
        """The value of a function's body. Its calls are places inside the place where the function is called."""
        values: dict[int, Any] = {}
        for call in body.calls:
            values[id(call)] = self._call(call, inputs, values, place.inner(call))
        return self._value(body.output, inputs, values)

    def _call(self, call: Call, inputs: Mapping[str, Any], values: dict[int, Any], place: Place) -> Any:
        function, *args = [self._value(part, inputs, values) for part in (call.function, *call.args)]
        self.calls += 1
        if not self.typed and self.calls > MAX_CALLS:
            raise ProgramFailure(call.line, Reason.BUDGET)
        try:
            CURRENT.place = place
            if isinstance(function, _Closure) and is_direct(call):
                return function.run(args, place)
            value = function(*args)
            if not self.typed:
                _check_size(value)
            return value
        except Failure as failure:
            raise ProgramFailure(call.line, failure.reason) from None
        except (ProgramFailure, Exhausted):
            raise
        except Exception:  # whatever Python raises for values that do not fit
            if self.typed:
                raise
            raise ProgramFailure(call.line, Reason.KIND) from None

    def _value(self, term: Term, inputs: Mapping[str, Any], values: dict[int, Any]) -> Any:
        match term:
            case Call():
                return values[id(term)]
            case Literal(value):
                return value
            case Function(primitive):
                return primitive
            case Lambda(_, captured):
                return partial(_Closure, self, term) if captured else _Closure(self, term)
            case Input(name):
                return inputs[name]


def _check_size(value: Any) -> None:
    """Fail where a value is too large to be looked at: one that holds others several times costs nothing to make."""
    elements, depth = size_of(value)
    if elements > MAX_ELEMENTS or depth > MAX_DEPTH:
        raise Failure(Reason.BUDGET)


class _Closure:
    """A function that is written in a program, with the values that it has captured."""

    def __init__(self, evaluation: _Evaluation, written: Lambda, *captured: Any) -> None:
        self.evaluation = evaluation
        self.written = written
        self.captured = captured
        self.text = ""

    def __call__(self, *args: Any) -> Any:
        """Called by a primitive, whose line is the one that fails."""
        place = CURRENT.place
        place.spend(CALL)
        try:
            return self.run(args, place)
        except ProgramFailure as failure:
            raise Failure(failure.reason) from None

    def run(self, args: Iterable[Any], place: Place) -> Any:
        """Called by a line of the program: the lines of the body fail themselves."""
        body = self.written.body
        given = dict(zip(body.inputs, (*self.captured, *args), strict=True))
        return self.evaluation.run(body, given, place)

    def __repr__(self) -> str:
        self.text = self.text or written(f"{LAMBDA}{self.written.body.shape}", self.captured)
        return self.text


Program.evaluator = staticmethod(evaluate)
