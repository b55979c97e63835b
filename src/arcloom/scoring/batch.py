"""Scoring of one batch: programs are parsed, run together, and their outputs compared with the expected ones."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from arcloom import collector
from arcloom.check import Verdict, difference, other_shape, wrong_cells
from arcloom.engine.results import Results, RowFailure, Sample
from arcloom.engine.run import run
from arcloom.program.refusal import ParseError
from arcloom.program.term import Program
from arcloom.program.texts import as_solver, solver_in
from arcloom.program.trace import TraceError
from arcloom.scoring.near import Output, nearness
from arcloom.scoring.result import BEST, Score, Settings
from arcloom.scoring.target import SampleOutcome, Target, Unpacked, outcome_of
from arcloom.scoring.untyped import Untyped, values_if_any
from arcloom.tasks import Task
from arcloom.tasks.grid import shape

ProgramSource = str | Program


@dataclass(frozen=True)
class NotText:
    """A value of this type was given instead of a program."""

    type: str


Pairing = tuple[int, ProgramSource | NotText, int]
"""The position of a program in the input, the program, and the index of its task."""


@dataclass(slots=True)
class ScoringCase:
    """A pairing whose program could be parsed, and its results.

    ``rows`` are its samples among those of the batch, ``number`` is the position of the program in ``results``, and
    ``solved`` are the positions of the samples that it solves. An untyped program without values has no ``results``.
    """

    index: int
    program: Program
    target: Target
    rows: range = range(0)
    results: Results | None = None
    number: int = 0
    error: TraceError | None = None
    outcomes: list[SampleOutcome] = field(default_factory=list)
    solved: list[int] = field(default_factory=list)


class Scorer:
    """Scores programs on some tasks."""

    def __init__(self, tasks: Sequence[Task], settings: Settings) -> None:
        self.targets = [Target(task) for task in tasks]
        self.settings = settings

    def __call__(self, given: Iterable[Pairing]) -> list[Score]:
        """The scores of programs, which run together."""
        with collector.paused():  # this frees most objects before the collector runs again
            return self._results(given)

    def _results(self, given: Iterable[Pairing]) -> list[Score]:
        read = [(index, _read(source, self.targets[t].task), self.targets[t]) for index, source, t in given]
        cases = [ScoringCase(index, found, target) for index, found, target in read if isinstance(found, Program)]
        scored = iter(_scored(cases, self.settings))
        return [
            next(scored) if isinstance(found, Program) else _unparsable(index, found, target)
            for index, found, target in read
        ]


def _read(source: ProgramSource | NotText, task: Task) -> Program | ParseError:
    if isinstance(source, Program):
        return as_solver(source)
    if isinstance(source, NotText):
        return ParseError(f"a program is text, not {source.type}", file="<text>", line=1, column=1, text="")
    return solver_in(source, task.id)


def _unparsable(index: int, error: ParseError, target: Target) -> Score:
    return Score(
        index, "", target.task.id, Verdict.UNPARSABLE, 0, len(target.demonstrations), 0, len(target.tests),
        line=error.line, reason=error.message,
    )  # fmt: skip


def _scored(cases: list[ScoringCase], settings: Settings) -> list[Score]:
    """The scores of programs on their tasks. If running them together raises an exception, halves are tried."""
    if not cases:
        return []
    try:
        return _scored_together(cases, settings)
    except Exception as error:
        if len(cases) == 1:
            [case] = cases
            reason = f"it could not be run: {error}"
            return [Score(case.index, case.program.name, case.target.task.id, Verdict.FAILING, reason=reason)]
    half = len(cases) // 2
    return _scored(cases[:half], settings) + _scored(cases[half:], settings)


def _scored_together(cases: list[ScoringCase], settings: Settings) -> list[Score]:
    _run(cases, settings)
    for case in cases:
        if case.results is not None:
            case.outcomes = [outcome_of(case.results, case.number, row) for row in case.rows]
            case.solved = [k for k in case.target.known if _solves(case, k)]
    near = _near(cases) if settings.near else [0.0] * len(cases)
    return [_score(case, total, outputs=settings.outputs) for case, total in zip(cases, near, strict=True)]


def _run(cases: list[ScoringCase], settings: Settings) -> None:
    """Run all programs on the samples of their tasks, which are encoded once for each task."""
    samples: list[Sample] = []
    rows: dict[Target, range] = {}
    for target in {case.target: None for case in cases}:
        rows[target] = range(len(samples), len(samples) + len(target.samples))
        samples += target.samples
    chosen = [rows[case.target] for case in cases]
    programs = [case.program for case in cases]
    results = run(programs, samples, device=settings.device, rows=chosen, budget=settings.budget, typed_only=True)
    for p, case in enumerate(cases):
        case.rows, case.number, case.error = chosen[p], p, results.untyped.get(p)
        case.results = None if case.error else results
    _run_untyped([case for case in cases if case.error], samples, settings)


def _run_untyped(cases: list[ScoringCase], samples: Sequence[Sample], settings: Settings) -> None:
    given = [Untyped(case.program, case.error, case.rows) for case in cases if case.error]
    for case, results in zip(cases, values_if_any(given, samples, settings) if given else (), strict=True):
        case.results, case.number = results, 0


def _solves(case: ScoringCase, k: int) -> bool:
    """Whether the output for a sample is the expected one."""
    outcome, right = case.outcomes[k], case.target.packed[k]
    if isinstance(outcome, bytes) and right is not None:
        return outcome == right
    if isinstance(outcome, Unpacked) and outcome.shape is None:
        return bool(outcome.value == case.target.outputs[k])
    return right is None and bool(_output(case, k) == case.target.outputs[k])


def _output(case: ScoringCase, k: int) -> Any:
    return None if case.results is None else case.results.output(case.number, case.rows[k])


def _near(cases: list[ScoringCase]) -> list[float]:
    """For each program, the sum of the scores by differs of its wrong outputs."""
    wrong = [_wrong(case) for case in cases]
    near = nearness(output for outputs in wrong for output in outputs)
    return [sum(near[output] for output in outputs) for outputs in wrong]


def _wrong(case: ScoringCase) -> list[Output]:
    if case.results is None:
        return []
    positions = [k for k in case.target.known if k not in case.solved]
    return [(case.target, k, packed) for k in positions if isinstance(packed := case.outcomes[k], bytes)]


def _score(case: ScoringCase, near: float, *, outputs: bool) -> Score:
    """The score of a program. ``near`` is the sum of the scores of its wrong outputs."""
    target, solved = case.target, case.solved
    demonstrations, tests = len(target.demonstrations), len(target.tests)
    solved_tests = sum([k >= len(target.task.train) for k in solved]) if solved else 0
    count = demonstrations + tests
    verdict, sample, line, reason = _finding(case)
    return Score(
        case.index, case.program.name, target.task.id, verdict,
        len(solved) - solved_tests, demonstrations, solved_tests, tests,
        round((BEST * len(solved) + near) / count, 3) if count else 0.0,
        None if sample is None else target.task.label(sample), line, reason,
        _outputs(case) if outputs else None,
    )  # fmt: skip


def _outputs(case: ScoringCase) -> tuple[Any, ...]:
    return tuple(_output(case, k) for k in range(len(case.rows)))


def _finding(case: ScoringCase) -> tuple[Verdict, int | None, int | None, str]:
    """The verdict on a program; unless it is "right", also the sample, the line and the reason, if known."""
    if case.results is None:
        assert case.error is not None
        return Verdict.UNTYPED, None, case.error.line, case.error.message
    for k, outcome in enumerate(case.outcomes):
        if isinstance(outcome, RowFailure):
            return Verdict.FAILING, k, outcome.line, outcome.reason.text
    for k in case.target.known:
        if k not in case.solved:
            return Verdict.WRONG, k, None, _difference(case, k)
    return Verdict.RIGHT, None, None, ""


def _difference(case: ScoringCase, k: int) -> str:
    outcome, right = case.outcomes[k], case.target.packed[k]
    if isinstance(outcome, bytes) and right is not None and 0 not in outcome[:2]:
        return packed_difference(outcome, right)
    if isinstance(outcome, Unpacked) and outcome.shape is not None:
        height, width = outcome.shape
        return other_shape(f"{height}x{width}", shape(case.target.outputs[k]))
    return difference(_output(case, k), case.target.outputs[k])


def packed_difference(output: bytes, expected: bytes) -> str:
    """A message about the difference between an output and the expected grid, both packed as by ``Results.packed``."""
    if output[:2] != expected[:2]:
        return other_shape(f"{output[0]}x{output[1]}", f"{expected[0]}x{expected[1]}")
    have, right = (np.frombuffer(packed, np.int8, offset=2) for packed in (output, expected))
    different = (have != right).nonzero()[0]
    first = int(different[0])
    return wrong_cells(len(different), divmod(first, output[1]), int(have[first]), int(right[first]))
