"""The results of untyped programs.

Only the reference can run an untyped program, and it is slow. Most untyped programs fail for every sample, because the
call whose arguments have the wrong types fails. Therefore the arguments of that call are first computed on the device,
and the reference runs the whole program only if the call has a value for some sample.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arcloom.dsl.declare import Meter, metered
from arcloom.dsl.values import Failure, Reason
from arcloom.dsl.work import Allowance, Exhausted
from arcloom.engine.devices.base import Job, Programs
from arcloom.engine.devices.reference import Reference
from arcloom.engine.results import Results, Sample
from arcloom.engine.run import run
from arcloom.program.term import Call, Function, Input, Literal, Program, Term
from arcloom.program.trace import STANDARD_INPUTS, TraceError
from arcloom.scoring.result import Settings

WORK = 2_000_000
"""Maximum work of the reference for an untyped program, about a second."""


@dataclass(frozen=True)
class Untyped:
    """An untyped program, its type error, and the samples to run it on."""

    program: Program
    error: TraceError
    rows: range


def values_if_any(cases: Sequence[Untyped], samples: Sequence[Sample], settings: Settings) -> list[Results | None]:
    """The results of untyped programs; None for those without a value for any sample."""
    can = _can_have_values(cases, samples, settings)
    return [_run(case, samples, settings) if possible else None for case, possible in zip(cases, can, strict=True)]


def _run(case: Untyped, samples: Sequence[Sample], settings: Settings) -> Results | None:
    try:
        chosen, job = Programs([case.program], STANDARD_INPUTS), Job(samples, [case.rows], settings.budget)
        results = Reference(Allowance(WORK)).execute(chosen, job)
    except Exhausted:
        return None
    return None if results.untyped else results


def _can_have_values(cases: Sequence[Untyped], samples: Sequence[Sample], settings: Settings) -> list[bool]:
    """For each program, whether its mistyped call has a value for some sample; True if that is unknown."""
    probes = {k: _arguments(case) for k, case in enumerate(cases)}
    terms = [(k, arg) for k, args in probes.items() for arg in args or () if isinstance(arg, Call)]
    programs = [Program("argument", cases[k].program.inputs, arg) for k, arg in terms]
    rows = [cases[k].rows for k, _ in terms]
    results = run(programs, samples, device=settings.device, rows=rows, budget=settings.budget, typed_only=True)
    numbers: dict[Term, int] = {term: p for p, (_, term) in enumerate(terms)}
    return [
        args is None or _Probe(cases[k], args, numbers, results, settings.budget).has_value(samples)
        for k, args in probes.items()
    ]


def _arguments(case: Untyped) -> tuple[Term, ...] | None:
    """The arguments of the mistyped call; None if it does not call a primitive, or an argument is a lambda."""
    call = case.error.call
    if call is None or not isinstance(call.function, Function):
        return None
    return call.args if all(isinstance(arg, Call | Input | Literal | Function) for arg in call.args) else None


@dataclass(frozen=True)
class _Probe:
    """The mistyped call of a program. ``numbers`` maps each computed argument to its program in ``results``."""

    case: Untyped
    args: tuple[Term, ...]
    numbers: dict[Term, int]
    results: Results
    budget: int

    def has_value(self, samples: Sequence[Sample]) -> bool:
        """Whether the call has a value for some sample; True if an argument is unknown."""
        if any(self.numbers.get(arg) in self.results.untyped for arg in self.args):
            return True
        return any(self._succeeds(row, samples[row]) for row in self.case.rows)

    def _succeeds(self, row: int, sample: Sample) -> bool:
        function = self.case.error.call.function.primitive  # type: ignore[union-attr]
        try:
            values = [self._value(arg, row, sample) for arg in self.args]
            with metered(Meter(min(self.budget, WORK))):
                function(*values)
        except Failure as failure:
            return failure.reason is Reason.BUDGET  # then the limit of the whole program decides
        except Exception:  # any exception of Python for values of wrong types
            return False
        return True

    def _value(self, arg: Term, row: int, sample: Sample) -> Any:
        match arg:
            case Call():
                p = self.numbers[arg]
                if self.results.failure(p, row) is not None:
                    raise LookupError
                return self.results.output(p, row)
            case Literal(value):
                return value
            case Function(primitive):
                return primitive
            case Input(name):
                return sample[name]
            case _:
                raise AssertionError(arg)
