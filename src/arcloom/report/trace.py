"""Traces: the value of every statement of a program for every sample of a task, from one run of the engine."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from arcloom.dsl.signature import CELL, INDICES, OBJECT, PATCH, Type
from arcloom.engine.devices import DEFAULT_DEVICE
from arcloom.engine.results import Results, Sample
from arcloom.engine.run import run
from arcloom.program.graph import Graph
from arcloom.program.term import Function, Lambda, Program
from arcloom.program.trace import TraceError, Tracer
from arcloom.report.drawing import Drawing, FailureDrawing, FunctionDrawing, drawing_of
from arcloom.report.statements import Statement, statements_of
from arcloom.tasks.samples import samples_of
from arcloom.tasks.task import Task


@dataclass(frozen=True)
class TracedLine:
    """A statement of a program and its value for each sample.

    ``type`` is the text of the static type, if the statement has one. A value is None if it is not computed.
    """

    number: int
    text: str
    type: str | None
    values: tuple[Drawing | None, ...]


@dataclass(frozen=True)
class Trace:
    """A program's statements with their values, and its outputs, for all samples of a task. Failed outputs are None.

    ``problem`` is the type error of an untyped program, otherwise None.
    """

    name: str
    task: Task
    lines: tuple[TracedLine, ...]
    outputs: tuple[Any, ...]
    problem: str | None = None

    @property
    def wrong(self) -> tuple[int, ...]:
        """The positions of the samples whose output is not the expected one."""
        known = enumerate(zip(self.outputs, self.task.samples, strict=True))
        return tuple(i for i, (output, pair) in known if pair.output is not None and output != pair.output)


@dataclass(frozen=True)
class TraceRequest:
    """A program to trace on the samples of a task, and its source text, if there is one."""

    program: Program
    task: Task
    source: str | None = None


def trace_program(program: Program, task: Task, *, source: str | None = None, device: str = DEFAULT_DEVICE) -> Trace:
    """The values of every statement of a program for every sample of a task."""
    return trace_programs([TraceRequest(program, task, source)], device=device)[0]


def trace_programs(requests: Sequence[TraceRequest], *, device: str = DEFAULT_DEVICE) -> list[Trace]:
    """The traces of several programs, from one run of the engine in which common expressions are computed once."""
    samples: list[Sample] = []
    places: dict[int, range] = {}
    for request in requests:
        if id(request.task) not in places:
            places[id(request.task)] = range(len(samples), len(samples) + len(request.task.samples))
            samples += samples_of(request.task)
    jobs = [_Job(request, places[id(request.task)]) for request in requests]
    tracer = Tracer(Graph())
    for job in jobs:
        job.classify(tracer)
    programs = [program for job in jobs for program in job.programs]
    rows = [job.rows for job in jobs for _ in job.programs]
    results = run(programs, samples, rows=rows, device=device)
    first = 0
    traces = []
    for job in jobs:
        traces.append(job.trace(results, first))
        first += len(job.programs)
    return traces


class _Job:
    """A program to trace: its statements, their static types, and the programs to run for them."""

    def __init__(self, request: TraceRequest, rows: range) -> None:
        self.request, self.rows = request, rows
        self.statements = statements_of(request.program, request.source)
        self.types: list[Type | None] = []
        self.functions: list[bool] = []
        self.problem: str | None = None

    def classify(self, tracer: Tracer) -> None:
        """Determine the static types of statements, and which of them are functions."""
        for statement in self.statements:
            type, is_function = self._classified(statement.program, tracer)
            self.types.append(type)
            self.functions.append(is_function)

    def _classified(self, program: Program | None, tracer: Tracer) -> tuple[Type | None, bool]:
        if program is None:
            return None, False
        if isinstance(program.output, Function | Lambda):
            return None, True
        try:
            return tracer.trace(program).output.type, False
        except TraceError as error:
            if tracer.is_function(program.output):
                return None, True
            self.problem = self.problem or f"line {error.line}: {error.message}"
            return None, False

    @property
    def programs(self) -> list[Program]:
        """The programs to run: one for each statement whose value is not a function, and the program itself."""
        return [*(program for _, program in self._run()), self.request.program]

    def _run(self) -> Iterator[tuple[int, Program]]:
        """The statements to run: their positions and programs."""
        for i, statement in enumerate(self.statements):
            if statement.program is not None and not self.functions[i]:
                yield i, statement.program

    def trace(self, results: Results, first: int) -> Trace:
        """The trace from results in which the programs of this job begin at position ``first``."""
        values: dict[int, tuple[Drawing | None, ...]] = {}
        for number, (i, _) in enumerate(self._run(), first):
            values[i] = tuple(_drawing(results, number, row, self.types[i]) for row in self.rows)
        last = first + len(values)
        lines = [self._line(i, statement, values.get(i)) for i, statement in enumerate(self.statements)]
        outputs = tuple(results.output(last, row) for row in self.rows)
        return Trace(self.request.program.name, self.request.task, tuple(lines), outputs, self.problem)

    def _line(self, i: int, statement: Statement, values: tuple[Drawing | None, ...] | None) -> TracedLine:
        type = self.types[i]
        if self.functions[i]:
            values = (FunctionDrawing(_function_text(statement)),) * len(self.rows)
        return TracedLine(
            statement.line,
            statement.text,
            "function" if self.functions[i] else None if type is None else type_text(type),
            values if values is not None else (None,) * len(self.rows),
        )


def _function_text(statement: Statement) -> str:
    """The function that a statement defines: its name, or the expression that returns it."""
    head = statement.text.split("\n")[0]
    if head.startswith("def "):
        return head[4:].rstrip(": ")
    return head.partition("=")[2].strip() or head.removeprefix("return ").strip()


def _drawing(results: Results, program: int, row: int, type: Type | None) -> Drawing:
    failure = results.failure(program, row)
    if failure is not None:
        untyped = results.untyped.get(program)
        return FailureDrawing(failure.line, failure.reason.text if untyped is None else untyped.message)
    return drawing_of(results.output(program, row), type)


_TYPE_NAMES = {OBJECT: "object", INDICES: "indices", PATCH: "patch", CELL: "cell"}


def type_text(type: Type) -> str:
    """The text of a static type, with the names of the language: "object" for a set of cells, and so on."""
    if type in _TYPE_NAMES:
        return _TYPE_NAMES[type]
    inner = ", ".join(map(type_text, type.parts))
    match type.kind:
        case "record":
            return f"({inner})"
        case "perhaps":
            return f"{inner}?"
        case kind:
            return f"{kind}[{inner}]" if inner else kind
