"""The reference: a program evaluated call by call, with the primitives' own functions."""

from collections.abc import Mapping
from typing import Any

from arcloom.dsl.declare import DEFAULT_BUDGET, Meter, metered
from arcloom.dsl.values import Failure, Reason
from arcloom.dsl.work import Allowance, Exhausted
from arcloom.program.term import Call, Function, Input, Literal, Program, Term


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
    values: dict[int, Any] = {}
    meter = Meter(budget, allowance)
    line = 0
    with metered(meter):
        for call in program.calls:
            if call.line != line:
                meter.next_line()
                line = call.line
            function, *args = [_value(part, inputs, values) for part in (call.function, *call.args)]
            try:
                values[id(call)] = function(*args)
            except Failure as failure:
                raise ProgramFailure(call.line, failure.reason) from None
            except Exhausted:
                raise
            except Exception:  # whatever Python raises for values that do not fit
                if typed:
                    raise
                raise ProgramFailure(call.line, Reason.KIND) from None
    return _value(program.output, inputs, values)


def _value(term: Term, inputs: Mapping[str, Any], values: dict[int, Any]) -> Any:
    match term:
        case Call():
            return values[id(term)]
        case Literal(value):
            return value
        case Function(primitive):
            return primitive
        case Input(name):
            return inputs[name]
