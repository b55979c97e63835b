"""Checking solvers: each program on every sample of the task that its name says."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from operator import ne
from typing import Any

from arcloom.dsl.signature import type_of
from arcloom.engine.results import Results
from arcloom.engine.run import DEFAULT_DEVICE, run
from arcloom.program.build import SOLVER
from arcloom.program.refusal import ParseError
from arcloom.program.term import Program
from arcloom.program.texts import as_solver
from arcloom.tasks import DataError, Dataset, Pair, Task
from arcloom.tasks.task import Grid

Case = tuple[Program, Task]

PROGRAMS_PER_RUN = {"reference": 10}
"""Devices that gain nothing from a whole batch get so many programs at once, and can tell how far they are."""


class Verdict(StrEnum):
    """What a program is worth on its task."""

    RIGHT = "right"
    WRONG = "wrong"
    FAILING = "failing"
    UNTYPED = "untyped"
    UNPARSABLE = "unparsable"


@dataclass(frozen=True)
class Finding:
    """A program's verdict. Unless it is right, ``message`` says why; ``sample`` and ``line`` say where, if known."""

    program: str
    task: str
    verdict: Verdict
    sample: str | None = None
    line: int | None = None
    message: str = ""


@dataclass(frozen=True)
class Report:
    """What a check found. ``programs`` counts all that were given: those with a finding, the unmatched, and the
    ones not yet run while a check is under way. ``device`` is the one that ran the programs.
    """

    data: str
    device: str
    programs: int
    tasks: int
    findings: tuple[Finding, ...] = ()
    unmatched: tuple[str, ...] = ()
    fallback_programs: tuple[str, ...] = ()
    samples: int = 0
    phases: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0

    def count(self, verdict: Verdict) -> int:
        """How many programs have this verdict."""
        return sum(finding.verdict is verdict for finding in self.findings)

    @property
    def summary(self) -> str:
        """The number of programs with each verdict, in words."""
        counts = {verdict: self.count(verdict) for verdict in Verdict}
        shown = [verdict for verdict in Verdict if counts[verdict] or verdict is not Verdict.UNPARSABLE]
        return ", ".join(f"{counts[verdict]:,} {verdict}" for verdict in shown)

    @property
    def bad(self) -> tuple[Finding, ...]:
        """The findings on programs that are not right."""
        return tuple(finding for finding in self.findings if finding.verdict is not Verdict.RIGHT)

    @property
    def solved(self) -> int:
        """How many tasks have a program that is right."""
        return len({finding.task for finding in self.findings if finding.verdict is Verdict.RIGHT})


Progress = Callable[[Report], object]
"""Called with the report so far, each time that programs are done."""


def check(
    programs: Sequence[Program | ParseError],
    dataset: Dataset,
    *,
    device: str = DEFAULT_DEVICE,
    prefix: str = SOLVER,
    progress: Progress | None = None,
) -> Report:
    """Run each program ``<prefix><task id>`` on the train and test samples of its task.

    A program is untyped, or failing if it gives no value for some sample, or wrong if some output is not the known
    one, or else right. Programs without a task in the data are unmatched; if all are, this is a DataError. Errors among
    the programs, as ``read`` gives them, are unparsable programs; if there is nothing else, the first one is raised.
    """
    parsed = [as_solver(program) for program in programs if isinstance(program, Program)]
    errors = [program for program in programs if isinstance(program, ParseError)]
    if errors and not parsed:
        raise errors[0]
    report = _check(parsed, dataset, device, prefix, progress)
    if len(report.unmatched) == len(programs):
        raise DataError(_nothing_matches(parsed, dataset, prefix))
    return replace(
        report, programs=len(programs), findings=(*report.findings, *(_unparsable(error, prefix) for error in errors))
    )


def _unparsable(error: ParseError, prefix: str) -> Finding:
    name = error.definition
    return Finding(name, name.removeprefix(prefix), Verdict.UNPARSABLE, None, error.line, error.message)


def _check(
    programs: Sequence[Program], dataset: Dataset, device: str, prefix: str, progress: Progress | None
) -> Report:
    ids = [_task_id(program, prefix) for program in programs]
    cases = [(program, dataset[id]) for program, id in zip(programs, ids, strict=True) if id and id in dataset]
    unmatched = tuple(program.name for program, id in zip(programs, ids, strict=True) if id not in dataset)
    report = Report(dataset.name, device, len(programs), len(dataset), unmatched=unmatched)
    step = PROGRAMS_PER_RUN.get(device) if progress else None
    for chunk in _chunks(cases, step):
        report = _extended(report, chunk)
        if progress:
            progress(report)
    return report


def _task_id(program: Program, prefix: str) -> str | None:
    return program.name.removeprefix(prefix) if program.name.startswith(prefix) else None


def _chunks(cases: list[Case], size: int | None) -> Iterator[list[Case]]:
    size = size or len(cases) or 1
    for start in range(0, len(cases) or 1, size):
        yield cases[start : start + size]


def _extended(report: Report, cases: list[Case]) -> Report:
    """The report with these cases run too."""
    start = time.perf_counter()
    samples, rows = samples_of(cases)
    results = run([program for program, _ in cases], samples, device=report.device, rows=rows)
    findings = [finding_of(results, p, task, rows[p]) for p, (_, task) in enumerate(cases)]
    return replace(
        report,
        device=results.device,
        findings=(*report.findings, *findings),
        fallback_programs=(*report.fallback_programs, *results.fallback_programs),
        samples=report.samples + len(samples),
        phases=dict(Counter(report.phases) + Counter(results.seconds)),
        seconds=report.seconds + time.perf_counter() - start,
    )


def samples_of(cases: list[Case]) -> tuple[list[dict[str, Any]], list[range]]:
    """The inputs for all cases in one list, and which of them each program runs on. A solver has no candidate: its
    ``C`` is the input.
    """
    samples: list[dict[str, Any]] = []
    rows = []
    for _, task in cases:
        shown = tuple((pair.input, pair.output) for pair in task.train)
        rows.append(range(len(samples), len(samples) + len(task.samples)))
        samples += [{"I": pair.input, "S": shown, "C": pair.input} for pair in task.samples]
    return samples, rows


def finding_of(results: Results, p: int, task: Task, rows: range) -> Finding:
    """The verdict on a program that has run on the samples of its task."""
    name = results.programs[p].name
    if p in results.untyped:
        error = results.untyped[p]
        return Finding(name, task.id, Verdict.UNTYPED, None, error.line, error.message)
    for i, row in enumerate(rows):
        failure = results.failure(p, row)
        if failure:
            return Finding(name, task.id, Verdict.FAILING, label(task, i), failure.line, failure.reason.text)
    for i, (row, pair) in enumerate(zip(rows, task.samples, strict=True)):
        output = results.output(p, row)
        if not _fits(output, pair):
            return Finding(name, task.id, Verdict.WRONG, label(task, i), None, _difference(output, pair.output or ()))
    return Finding(name, task.id, Verdict.RIGHT)


def _fits(output: Any, pair: Pair) -> bool:
    """Whether the output is the known one, or none is known."""
    return pair.output is None or output == pair.output


def label(task: Task, i: int) -> str:
    """The name of a sample of a task."""
    return f"train[{i}]" if i < len(task.train) else f"test[{i - len(task.train)}]"


def _difference(output: Any, expected: Grid) -> str:
    """How an output differs from the grid that it should be."""
    if not is_grid(output):
        return f"the output is no grid but {type_of(output) or 'a mixed set'}"
    if _shape(output) != _shape(expected):
        return _other_shape(_shape(output), _shape(expected))
    cells = [(i, j) for i, row in enumerate(expected) for j, cell in enumerate(row) if output[i][j] != cell]
    i, j = cells[0]
    return _wrong_cells(len(cells), (i, j), output[i][j], expected[i][j])


def packed_difference(output: bytes, expected: bytes) -> str:
    """How a grid differs from the one that it should be; both are bytes as ``Results.packed`` gives them."""
    if output[:2] != expected[:2]:
        return _other_shape(f"{output[0]}x{output[1]}", f"{expected[0]}x{expected[1]}")
    different = list(map(ne, output, expected))
    at = different.index(True)
    have, right = (int.from_bytes(packed[at : at + 1], signed=True) for packed in (output, expected))
    return _wrong_cells(sum(different), divmod(at - 2, output[1]), have, right)


def _other_shape(have: str, right: str) -> str:
    return f"the output is {have}, and {right} is right"


def _wrong_cells(count: int, first: tuple[int, int], have: int, right: int) -> str:
    return f"wrong cells: {count}, first {first}: {have}, and {right} is right"


def is_grid(value: Any) -> bool:
    """Whether a value is a grid with at least one cell."""
    rows = isinstance(value, tuple) and value and all(isinstance(row, tuple) and row for row in value)
    return bool(rows) and len(set(map(len, value))) == 1 and all(isinstance(cell, int) for row in value for cell in row)


def _shape(grid: Grid) -> str:
    return f"{len(grid)}x{len(grid[0])}"


def _nothing_matches(programs: Sequence[Program], dataset: Dataset, prefix: str) -> str:
    if not programs:
        return "there are no programs to check"
    called = f"the first is {programs[0].name}, and a name must be {prefix}<task id>"
    advice = "choose other data (--data) or another beginning of the names (--prefix)"
    return f"no program has a task in {dataset.name}: {called}; {advice}"
