"""The reference evaluator: evaluates a program call by call with the reference functions of the primitives."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from arcloom.dsl.forms import written
from arcloom.dsl.meter import CURRENT, DEFAULT_BUDGET, MAX_HELD, CallSite, Meter, metered
from arcloom.dsl.signature import MAX_DEPTH
from arcloom.dsl.values import Failure, Reason
from arcloom.dsl.work import CALL, Allowance, Exhausted, weight
from arcloom.program.sizes import size_of
from arcloom.program.term import LAMBDA, Call, Function, Input, Lambda, Literal, Program, Term, is_direct

MAX_ELEMENTS = 1_000_000
"""Maximum number of elements of a value in a program without types, counting nested elements."""

SMALL = 1_000
"""The value of a line that takes no more work than this has no more elements, and is not counted as held."""

MAX_CALLS = 200_000
"""Maximum number of calls in a run of a program without types. For typed programs tracing limits their number."""


class ProgramFailure(Exception):
    """A program has no value for these inputs: the line to blame, and the reason."""

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
    """The program's value for these inputs. Raises ProgramFailure if a primitive fails.

    With ``typed``, the program must be well typed (see ``trace``): exceptions of Python are not caught. Otherwise they
    are failures. Raises Exhausted when the allowance is used up.
    """
    left = budget if allowance is None else min(budget, allowance.left)
    with metered(Meter(left)) as meter:
        try:
            value = _Evaluation(typed, allowance).whole(program, inputs, meter)
        except KeyError:  # an input is missing
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
    """Evaluates a program and the functions that it defines."""

    def __init__(self, typed: bool, allowance: Allowance | None) -> None:
        self.typed = typed
        self.allowance = allowance
        self.calls = 0

    def whole(self, program: Program, inputs: Mapping[str, Any], meter: Meter) -> Any:
        """The value of a program. Its work counts against the allowance, if there is one."""
        values: dict[int, Any] = {}
        held = 0
        for call in program.calls:
            site = meter.line(call)
            value = values[id(call)] = self._call(call, inputs, values, site)
            work = site.total()
            if work > SMALL:
                held += min(work, weight(value, work))
                if held > MAX_HELD:
                    raise ProgramFailure(call.line, Reason.BUDGET)
            if self.allowance is not None:
                self.allowance.spend(work)
        return self._value(program.output, inputs, values)

    def run(self, body: Program, inputs: Mapping[str, Any], site: CallSite) -> Any:
        """The value of a function's body. Its calls are sites within the site where the function is called."""
        values: dict[int, Any] = {}
        for call in body.calls:
            values[id(call)] = self._call(call, inputs, values, site.inner(call))
        return self._value(body.output, inputs, values)

    def _call(self, call: Call, inputs: Mapping[str, Any], values: dict[int, Any], site: CallSite) -> Any:
        function, *args = [self._value(part, inputs, values) for part in (call.function, *call.args)]
        self.calls += 1
        if not self.typed and self.calls > MAX_CALLS:
            raise ProgramFailure(call.line, Reason.BUDGET)
        try:
            CURRENT.site = site
            if isinstance(function, _Closure) and is_direct(call):
                return function.run(args, site)
            value = function(*args)
            if not self.typed:
                _check_size(value)
            return value
        except Failure as failure:
            raise ProgramFailure(call.line, failure.reason) from None
        except (ProgramFailure, Exhausted):
            raise
        except Exception:  # values of the wrong type, in an untyped program
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
    """Fail if a value is too large or nested too deeply. Values that contain another one many times are cheap to make,
    but expensive to traverse."""
    elements, depth = size_of(value)
    if elements > MAX_ELEMENTS or depth > MAX_DEPTH:
        raise Failure(Reason.BUDGET)


class _Closure:
    """A function that the program defines, with its captured values."""

    def __init__(self, evaluation: _Evaluation, written: Lambda, *captured: Any) -> None:
        self.evaluation = evaluation
        self.written = written
        self.captured = captured
        self.text = ""

    def __call__(self, *args: Any) -> Any:
        """Call by a primitive: a failure is blamed on the line of the primitive."""
        site = CURRENT.site
        site.spend(CALL)
        try:
            return self.run(args, site)
        except ProgramFailure as failure:
            raise Failure(failure.reason) from None

    def run(self, args: Iterable[Any], site: CallSite) -> Any:
        """Call by a line of the program: a failure is blamed on a line of the body."""
        body = self.written.body
        given = dict(zip(body.inputs, (*self.captured, *args), strict=True))
        return self.evaluation.run(body, given, site)

    def __repr__(self) -> str:
        self.text = self.text or written(f"{LAMBDA}{self.written.body.shape}", self.captured)
        return self.text


Program.evaluator = staticmethod(evaluate)
