"""Checking programs: each program runs on all samples of the task that it is named after."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from arcloom.dsl.meter import DEFAULT_BUDGET
from arcloom.dsl.signature import type_of
from arcloom.engine.devices import DEFAULT_DEVICE
from arcloom.engine.results import Results
from arcloom.engine.run import run
from arcloom.program.build import SOLVER
from arcloom.program.refusal import ParseError
from arcloom.program.term import Program
from arcloom.program.texts import as_solver
from arcloom.tasks import DataError, Dataset, Task
from arcloom.tasks.grid import Grid, is_grid, shape
from arcloom.tasks.samples import samples_of_tasks
from arcloom.tasks.task import suggestion

Case = tuple[Program, Task]

PROGRAMS_PER_RUN = {"reference": 10}
"""Maximum number of programs per run, by device. Small runs report progress more often; others use one run."""


class Verdict(StrEnum):
    """The result of a program on its task, or on one sample of it."""

    RIGHT = "right"
    WRONG = "wrong"
    FAILING = "failing"
    UNTYPED = "untyped"
    UNPARSABLE = "unparsable"


@dataclass(frozen=True)
class SampleFinding:
    """The result of a program on one sample: its output and the expected one, or the line and reason of a failure.

    ``expected`` is None if it is unknown; then every output has the verdict "right".
    """

    sample: str
    verdict: Verdict
    output: Any = None
    expected: Grid | None = None
    line: int | None = None
    message: str = ""


@dataclass(frozen=True)
class Finding:
    """The verdict on a program. Unless it is "right", ``message`` is the reason, and ``sample`` and ``line`` say where.

    ``unknown`` is the number of samples without an expected output. ``samples`` has the result on each sample if
    details were requested.
    """

    program: str
    task: str
    verdict: Verdict
    sample: str | None = None
    line: int | None = None
    message: str = ""
    file: str = ""
    unknown: int = 0
    samples: tuple[SampleFinding, ...] = ()


@dataclass(frozen=True)
class CheckReport:
    """The findings of a check. ``device`` is the device that ran the programs.

    ``programs`` is the number of all given programs: those with a finding, the unmatched ones, and, in a report of
    progress, those that have not run yet.
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
        """The number of programs with this verdict."""
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
        """The number of tasks with a right program."""
        return len({finding.task for finding in self.findings if finding.verdict is Verdict.RIGHT})

    @property
    def unknown(self) -> int:
        """The number of samples without an expected output, counted once per program."""
        return sum(finding.unknown for finding in self.findings)


CheckProgress = Callable[[CheckReport], object]
"""Called with the report so far after each run of some programs."""


def check(
    programs: Sequence[Program | ParseError],
    dataset: Dataset,
    *,
    device: str = DEFAULT_DEVICE,
    prefix: str = SOLVER,
    files: Sequence[str] = (),
    details: bool = False,
    progress: CheckProgress | None = None,
    budget: int = DEFAULT_BUDGET,
) -> CheckReport:
    """Run each program ``<prefix><task id>`` on the train and test samples of its task.

    A program is untyped; or failing, if it fails on a sample; or wrong, if an output is not the expected one; or right.
    Programs without a task in the dataset are unmatched; if all are, DataError is raised. A ParseError among the
    programs is an unparsable program; if there are no others, the first one is raised. ``files`` are the file names of
    the programs, for the findings. With ``details``, findings have the result on each sample. ``budget`` is the maximum
    work of a call site in a run (see docs/language.md).
    """
    given = list(zip(programs, files or [""] * len(programs), strict=True))
    parsed = [Item(as_solver(program), file) for program, file in given if isinstance(program, Program)]
    errors = [(error, file) for error, file in given if isinstance(error, ParseError)]
    if errors and not parsed:
        raise errors[0][0]
    matched = [replace(item, task=dataset[id]) for item in parsed if (id := item.task_id(prefix, dataset)) is not None]
    unmatched = tuple(item.program.name for item in parsed if item.task_id(prefix, dataset) is None)
    if len(unmatched) == len(programs):
        raise DataError(_nothing_matches([item.program for item in parsed], dataset, prefix))
    report = CheckReport(dataset.name, device, len(programs), len(dataset), unmatched=unmatched)
    for chunk in _chunks(matched, PROGRAMS_PER_RUN.get(device) if progress else None):
        report = _extended(report, chunk, details, budget)
        if progress:
            progress(report)
    return replace(report, findings=(*report.findings, *(_unparsable(*error, prefix) for error in errors)))


@dataclass(frozen=True)
class Item:
    """A program to check, its file, and its task."""

    program: Program
    file: str
    task: Task | None = None

    def task_id(self, prefix: str, dataset: Dataset) -> str | None:
        """The id of the program's task: its name without the prefix, if the dataset has this task."""
        name = self.program.name
        return dataset.id_of(name.removeprefix(prefix)) if name.startswith(prefix) else None


def _unparsable(error: ParseError, file: str, prefix: str) -> Finding:
    name = error.definition
    return Finding(name, name.removeprefix(prefix), Verdict.UNPARSABLE, None, error.line, error.message, file)


def _chunks(items: list[Item], size: int | None) -> Iterator[list[Item]]:
    size = size or len(items) or 1
    for start in range(0, len(items) or 1, size):
        yield items[start : start + size]


def _extended(report: CheckReport, items: list[Item], details: bool, budget: int) -> CheckReport:
    """The report extended by the findings on these programs."""
    start = time.perf_counter()
    cases = [(item.program, item.task) for item in items if item.task is not None]
    samples, rows = samples_of_tasks(task for _, task in cases)
    results = run([program for program, _ in cases], samples, device=report.device, rows=rows, budget=budget)
    findings = [
        replace(finding_of(results, p, task, rows[p], details=details), file=items[p].file)
        for p, (_, task) in enumerate(cases)
    ]
    return replace(
        report,
        device=results.device,
        findings=(*report.findings, *findings),
        fallback_programs=(*report.fallback_programs, *results.fallback_programs),
        samples=report.samples + len(samples),
        phases=dict(Counter(report.phases) + Counter(results.seconds)),
        seconds=report.seconds + time.perf_counter() - start,
    )


def finding_of(results: Results, p: int, task: Task, rows: range, *, details: bool = False) -> Finding:
    """The verdict on a program that has run on the samples of its task."""
    name = results.programs[p].name
    unknown = sum(pair.output is None for pair in task.samples)
    if p in results.untyped:
        error = results.untyped[p]
        return Finding(name, task.id, Verdict.UNTYPED, None, error.line, error.message, unknown=unknown)
    found = [_on_sample(results, p, row, task, i) for i, row in enumerate(rows)]
    samples = tuple(found) if details else ()
    for verdict in (Verdict.FAILING, Verdict.WRONG):
        for one in found:
            if one.verdict is verdict:
                where = (one.sample, one.line, one.message)
                return Finding(name, task.id, verdict, *where, unknown=unknown, samples=samples)
    return Finding(name, task.id, Verdict.RIGHT, unknown=unknown, samples=samples)


def _on_sample(results: Results, p: int, row: int, task: Task, sample: int) -> SampleFinding:
    label, expected = task.label(sample), task.samples[sample].output
    failure = results.failure(p, row)
    if failure:
        return SampleFinding(label, Verdict.FAILING, None, expected, failure.line, failure.reason.text)
    output = results.output(p, row)
    if expected is None or output == expected:
        return SampleFinding(label, Verdict.RIGHT, output, expected)
    return SampleFinding(label, Verdict.WRONG, output, expected, None, difference(output, expected))


def difference(output: Any, expected: Grid) -> str:
    """A message about the difference between an output and the expected grid."""
    if not is_grid(output):
        return f"the output is no grid but {type_of(output) or 'a mixed set'}"
    if shape(output) != shape(expected):
        return other_shape(shape(output), shape(expected))
    cells = [(i, j) for i, row in enumerate(expected) for j, cell in enumerate(row) if output[i][j] != cell]
    i, j = cells[0]
    return wrong_cells(len(cells), (i, j), output[i][j], expected[i][j])


def other_shape(have: str, right: str) -> str:
    """The message for an output of another shape."""
    return f"the output is {have}, expected {right}"


def wrong_cells(count: int, first: tuple[int, int], have: int, right: int) -> str:
    """The message for an output with wrong cells."""
    return f"wrong cells: {count}, first {first}: {have}, expected {right}"


def _nothing_matches(programs: Sequence[Program], dataset: Dataset, prefix: str) -> str:
    if not programs:
        return "there are no programs to check"
    name = programs[0].name
    near = suggestion(name.removeprefix(prefix), dataset.ids)
    called = f"the first is {name}, but a name must be {prefix}<task id>"
    advice = "choose other data (--data) or another prefix of the names (--prefix)"
    return f"no program has a task in {dataset.name}: {called}; {advice}{near}"
