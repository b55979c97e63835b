"""Validation: the results of the engine are compared with those of the reference.

The reference runs each program as parsed from its printed text, so that the stored form is validated.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from arcloom.dsl.meter import DEFAULT_BUDGET
from arcloom.engine.results import Results, RowFailure, Sample
from arcloom.program.evaluate import ProgramFailure
from arcloom.program.outcomes import NoValue, same_outcome
from arcloom.program.parse import parse_one
from arcloom.program.print import to_text
from arcloom.program.term import Program


@dataclass(frozen=True)
class Failed(NoValue):
    """The outcome of a program that fails for a sample; ``why`` is the reason."""

    why: str

    def __str__(self) -> str:
        return f"fails ({self.why})"


@dataclass(frozen=True)
class Raised:
    """The reference raised an exception that is no failure of the language. This is a bug: types should prevent it."""

    error: str

    def __str__(self) -> str:
        return f"raises {self.error}"


@dataclass(frozen=True)
class Disagreement:
    """A bug: the engine and the reference give different outcomes for one program and one sample.

    ``sample`` is the position of the sample. ``engine`` and ``reference`` are values of the language, Failed or Raised.
    """

    program: Program
    text: str
    sample: int
    inputs: Sample
    engine: Any
    reference: Any

    def __str__(self) -> str:
        given = "\n".join(f"  {name} = {value!r}" for name, value in self.inputs.items())
        return (
            "BUG IN ARCLOOM: the engine and the reference disagree; the program is dropped. Please report this.\n"
            f"{self.text}sample {self.sample}:\n{given}\n"
            f"engine:    {self.engine}\nreference: {self.reference}\n"
        )


@dataclass(frozen=True)
class Validated:
    """The positions of the programs for which the engine and the reference agree, and all disagreements."""

    agreed: list[int]
    disagreements: list[Disagreement]


def _print(disagreement: Disagreement) -> None:
    print(disagreement, file=sys.stderr, flush=True)


def validate(
    results: Results,
    samples: Sequence[Sample],
    *,
    budget: int = DEFAULT_BUDGET,
    report: Callable[[Disagreement], object] = _print,
) -> Validated:
    """Compare all results of a run on these samples with the reference.

    Untyped programs are skipped. ``report`` is called with every disagreement; by default it is printed to standard
    error.
    """
    found = Validated([], [])
    for p in range(len(results.programs)):
        if p not in results.untyped:
            differing = list(_disagreements(results, p, samples, budget))
            found.disagreements.extend(differing)
            if not differing:
                found.agreed.append(p)
    for disagreement in found.disagreements:
        report(disagreement)
    return found


def _disagreements(results: Results, p: int, samples: Sequence[Sample], budget: int) -> Iterator[Disagreement]:
    program, text = results.programs[p], to_text(results.programs[p])
    read = parse_one(text).with_lines(program.lines)  # failures name lines
    for s in results.rows[p]:
        engine = _plain(results.outcomes.value(p, s))
        reference = _evaluated(read, samples[s], budget)
        if not same_outcome(engine, reference):
            yield Disagreement(program, text, s, samples[s], engine, reference)


def _plain(outcome: Any) -> Any:
    return Failed(outcome.reason.text) if isinstance(outcome, RowFailure) else outcome


def _evaluated(program: Program, sample: Sample, budget: int) -> Any:
    try:
        return program.evaluate(sample, budget=budget)
    except ProgramFailure as failure:
        return Failed(failure.reason.text)
    except Exception as error:  # an error that is no failure of the language is a bug
        return Raised(f"{type(error).__name__}: {error}")
