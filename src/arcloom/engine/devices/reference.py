"""The device ``reference``: plain Python, one program and one sample at a time. It defines the correct results."""

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from arcloom import collector
from arcloom.dsl.declare import as_grid
from arcloom.dsl.meter import SEARCH_BUDGET
from arcloom.dsl.signature import GRID, ROWS, Type
from arcloom.dsl.values import Failure, Reason
from arcloom.dsl.work import Allowance, Exhausted
from arcloom.engine.devices.base import Enumerations, Job, Programs, Statistics, T, enumerated_on_cpu
from arcloom.engine.results import MAX_OUTPUT, Results, RowFailure, SampleError, packed_grid
from arcloom.notices import say_once
from arcloom.program.evaluate import ProgramFailure, evaluate, last_line
from arcloom.program.sizes import size_of
from arcloom.program.term import Program
from arcloom.program.trace import trace
from arcloom.program.trace_errors import TraceError, unexpected

GRIDS = ("I", "C", "O")
"""The inputs that are grids."""

if TYPE_CHECKING:
    from arcloom.engine.merged import MergedPrograms
    from arcloom.engine.outputs import Outputs

TRACING = 75
"""Work of tracing a call, in units of work."""


class _Table:
    def __init__(self) -> None:
        self.values: dict[tuple[int, int], Any] = {}

    def value(self, program: int, sample: int) -> Any:
        return self.values[program, sample]

    def grid(self, program: int, sample: int) -> Any:
        import numpy as np  # imported here: the rest of the reference needs only the standard library

        value = self.values[program, sample]
        return None if isinstance(value, RowFailure) else np.array(value, np.int8)

    def packed(self, program: int, sample: int) -> bytes | None:
        grid = self.grid(program, sample)
        return None if grid is None else packed_grid(grid)


class Reference:
    """The device ``reference``. With an allowance, it raises Exhausted when a job needs more work than that."""

    name = "reference"
    statistics: ClassVar[Mapping[str, Statistics]] = {}

    def __init__(self, allowance: Allowance | None = None) -> None:
        self._allowance = allowance

    def enumerate(self, work: Enumerations[T]) -> Iterator[Mapping[int, T]]:
        """Run enumerations on the CPU, because the reference has none."""
        return enumerated_on_cpu(work)

    def execute(self, programs: Programs, job: Job) -> Results:
        """Run programs on the samples of a job."""
        start = time.perf_counter()
        allowance = self._allowance
        if allowance is not None:
            allowance.prepare(TRACING * sum(len(program.calls) for program in programs.programs))
        types, untyped = _types(programs.programs, programs.inputs)
        traced = time.perf_counter()
        table = _Table()
        fallback = []
        done, total = 0, job.runs
        for p, program in enumerate(programs.programs):
            if allowance is not None:
                allowance.project(done, total)
            rows = job.rows[p]
            done += len(rows)
            if p not in untyped:
                outcomes = (_outcome(program, p, s, job.samples[s], job.budget, types[p], allowance) for s in rows)
                table.values.update(zip(((p, s) for s in rows), outcomes, strict=True))
            elif not job.typed_only:
                found = outcomes_if_any(program, p, job.samples, rows, job.budget, allowance)
                if found is not None:
                    table.values.update(((p, s), value) for s, value in found.items())
                    fallback.append(program.name)
                    del untyped[p]
        seconds = {"trace": traced - start, "run": time.perf_counter() - traced}
        ran = [() if p in untyped else job.rows[p] for p in range(len(programs.programs))]
        return Results(programs.programs, ran, untyped, table, seconds, tuple(fallback), self.name)


def open_device(which: str) -> Reference:
    """The device ``reference``. ``which`` is not used: there is only one."""
    return Reference()


class FallbackRuns(NamedTuple):
    """The samples that each program ran on, the untyped programs, and the names of programs run on the reference."""

    rows: Sequence[Sequence[int]]
    untyped: dict[int, TraceError]
    fallback: tuple[str, ...]


def run_fallback(batt: "MergedPrograms", job: Job, outputs: "Outputs") -> FallbackRuns:
    """Run the programs of a batt that have no kernels or no types on the reference."""
    for p in batt.fallback:
        for s in job.rows[p]:
            outputs.set_value(p, s, outcome(batt.programs[p], p, s, job.samples[s], job.budget))
    untyped = dict(batt.untyped)
    for p in () if job.typed_only else batt.untyped:
        found = outcomes_if_any(batt.programs[p], p, job.samples, job.rows[p], job.budget)
        if found is not None:
            del untyped[p]
            for s, value in found.items():
                outputs.set_value(p, s, value)
    fallen = [p for p in (*batt.fallback, *batt.untyped) if p not in untyped]
    ran = [() if p in untyped else job.rows[p] for p in range(len(batt.programs))]
    return FallbackRuns(ran, untyped, tuple(batt.programs[p].name for p in fallen))


def _types(programs: Sequence[Program], inputs: Mapping[str, Type]) -> tuple[dict[int, Type], dict[int, TraceError]]:
    """The types of the outputs of programs, and an error for each program without types."""
    types, errors = {}, {}
    for p, program in enumerate(programs):
        try:
            types[p] = trace(program, inputs).output.type
        except TraceError as error:
            errors[p] = collector.without_traceback(error)
    return types, errors


def _outcome(
    program: Program,
    p: int,
    s: int,
    sample: Mapping[str, Any],
    budget: int,
    type: Type,
    allowance: Allowance | None,
) -> Any:
    """The output of a typed program, equal to that of the engine, or its failure."""
    value = outcome(program, p, s, sample, budget, allowance=allowance)
    if isinstance(value, RowFailure):
        return value
    if _is_too_large(value, type, budget):
        return RowFailure(p, s, last_line(program), Reason.BUDGET)
    return _declared(value, type)


def _is_too_large(value: Any, type: Type, budget: int) -> bool:
    """Whether an output has too many elements: see MAX_OUTPUT. Grids are limited by the budget already."""
    if type is GRID:
        return False
    if type is not ROWS:
        return size_of(value)[0] > MAX_OUTPUT
    cells = sum(map(len, value))
    return cells > MAX_OUTPUT and (cells > budget or not _is_grid(value))


def _is_grid(rows: Any) -> bool:
    try:
        as_grid(rows)
    except Failure:
        return False
    return True


def _declared(value: Any, type: Type) -> Any:
    """The value, with bools exactly where its type has them, and ints elsewhere."""
    match type.kind:
        case "bool":
            return bool(value)
        case "grid" | "place":
            return _without_bools(value)
        case "perhaps":
            return value if value is None or value == () else _declared(value, type.element)
        case "tuple":
            return tuple(_declared(part, type.element) for part in value)
        case "set":
            return frozenset(_declared(part, type.element) for part in value)
        case "record":
            return tuple(map(_declared, value, type.parts))
        case _:
            return int(value)


def _without_bools(value: Any) -> Any:
    """The tuple with ints instead of bools."""
    if isinstance(value, tuple):
        return tuple(map(_without_bools, value)) if _holds_bool(value) else value
    return int(value)


def _holds_bool(value: Any) -> bool:
    return any(map(_holds_bool, value)) if isinstance(value, tuple) else isinstance(value, bool)


def outcome(
    program: Program,
    p: int,
    s: int,
    sample: Mapping[str, Any],
    budget: int,
    *,
    typed: bool = True,
    allowance: Allowance | None = None,
) -> Any:
    """The value of a program for a sample, or its failure. See ``evaluate``.

    An unexpected error counts as a failure, and a message asks the user to report it. Raises KeyError if the sample
    lacks an input that the program reads, and SampleError if an input is not a grid but must be one.
    """
    try:
        return evaluate(program, sample, budget=budget, typed=typed, allowance=allowance)
    except ProgramFailure as failure:
        return RowFailure(p, s, failure.line, failure.reason)
    except Exhausted:
        raise
    except Exception as error:
        _check_inputs(program, sample)
        say_once(f"{program.name}: {unexpected(error)}")
        return RowFailure(p, s, last_line(program), Reason.KIND)


def _check_inputs(program: Program, sample: Mapping[str, Any]) -> None:
    """Raise KeyError or SampleError if the sample is the cause of a failed evaluation."""
    for name in program.reads:
        value = sample[name]
        is_grid = isinstance(value, tuple) and all(isinstance(row, tuple) for row in value)
        if name in GRIDS and not is_grid:
            raise SampleError(f"the input {name} must be a grid, a tuple of tuples of ints")


def outcomes_if_any(
    program: Program,
    p: int,
    samples: Sequence[Mapping[str, Any]],
    rows: Sequence[int],
    budget: int,
    allowance: Allowance | None = None,
) -> dict[int, Any] | None:
    """The outcomes of a program without types for these samples; None if all are failures, so that the type error is
    reported instead.

    The limit of work is at most SEARCH_BUDGET, because a unit of work takes longer on the reference than on the engine.
    """
    limit = min(budget, SEARCH_BUDGET)
    found = {s: outcome(program, p, s, samples[s], limit, typed=False, allowance=allowance) for s in rows}
    return None if all(isinstance(value, RowFailure) for value in found.values()) else found
