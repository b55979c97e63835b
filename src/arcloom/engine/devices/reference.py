"""The reference device: plain Python, one program and one sample at a time. It says what is right."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from arcloom.dsl.signature import GRID, ROWS, Type
from arcloom.dsl.values import Reason
from arcloom.dsl.work import Allowance, Exhausted
from arcloom.engine.results import Results, RowFailure, SampleError, packed_grid
from arcloom.notices import say_once
from arcloom.program.evaluate import ProgramFailure, evaluate, last_line
from arcloom.program.sizes import size_of
from arcloom.program.term import Program
from arcloom.program.trace import trace
from arcloom.program.trace_errors import TraceError, unexpected

GRIDS = ("I", "C", "O")
"""The inputs that are grids."""

TRACING = 75
"""Units of work to trace a call."""


class _Table:
    def __init__(self) -> None:
        self.values: dict[tuple[int, int], Any] = {}

    def value(self, program: int, sample: int) -> Any:
        return self.values[program, sample]

    def grid(self, program: int, sample: int) -> Any:
        import numpy as np  # here, because the reference needs nothing but the standard library otherwise

        value = self.values[program, sample]
        return None if isinstance(value, RowFailure) else np.array(value, np.int8)

    def packed(self, program: int, sample: int) -> bytes | None:
        grid = self.grid(program, sample)
        return None if grid is None else packed_grid(grid)

    def equal(self, program: int, sample: int) -> bool:
        raise ValueError("the reference was not told what to expect")


def run(
    programs: Sequence[Program],
    samples: Sequence[Mapping[str, Any]],
    rows: Sequence[Sequence[int]],
    budget: int,
    inputs: Mapping[str, Type],
    typed_only: bool = False,
    allowance: Allowance | None = None,
) -> Results:
    """See ``arcloom.engine.run.run``. Raises Exhausted when the job needs more than the allowance."""
    start = time.perf_counter()
    if allowance is not None:
        allowance.prepare(TRACING * sum(len(program.calls) for program in programs))
    types, untyped = _types(programs, inputs)
    traced = time.perf_counter()
    table = _Table()
    fallback = []
    done, total = 0, sum(map(len, rows))
    for p, program in enumerate(programs):
        if allowance is not None:
            allowance.project(done, total)
        done += len(rows[p])
        if p not in untyped:
            outcomes = (_outcome(program, p, s, samples[s], budget, types[p], allowance) for s in rows[p])
            table.values.update(zip(((p, s) for s in rows[p]), outcomes, strict=True))
        elif not typed_only:
            found = outcomes_if_any(program, p, samples, rows[p], budget, allowance)
            if found is not None:
                table.values.update(((p, s), value) for s, value in found.items())
                fallback.append(program.name)
                del untyped[p]
    seconds = {"trace": traced - start, "run": time.perf_counter() - traced}
    ran = [() if p in untyped else rows[p] for p in range(len(programs))]
    return Results(programs, ran, untyped, table, seconds, tuple(fallback))


def _types(programs: Sequence[Program], inputs: Mapping[str, Type]) -> tuple[dict[int, Type], dict[int, TraceError]]:
    """The types of the outputs of programs, and an error for each program without types."""
    types, errors = {}, {}
    for p, program in enumerate(programs):
        try:
            types[p] = trace(program, inputs).output.type
        except TraceError as error:
            errors[p] = error
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
    """The output of a program with types, as the engine gives it, or its failure."""
    value = outcome(program, p, s, sample, budget, allowance=allowance)
    if isinstance(value, RowFailure):
        return value
    if _elements(value, type) > budget:
        return RowFailure(p, s, last_line(program), Reason.BUDGET)
    return _declared(value, type)


def _elements(value: Any, type: Type) -> int:
    """The number of elements that count against the budget when an output is read. Grids were counted before."""
    if type is GRID:
        return 0
    return sum(map(len, value)) if type is ROWS else size_of(value)[0]


def _declared(value: Any, type: Type) -> Any:
    """The value with bools where its type says so, and ints elsewhere."""
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
    """What a program gives for a sample, or its failure. See ``evaluate``.

    Any other error is the program's failure, too, and the user is asked to report it. Raises KeyError or SampleError if
    the sample lacks an input that the program reads, or has no grid where one belongs.
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
    """Raise the error of the caller, if it is one, after an evaluation has failed."""
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
    """What a program without types gives for these samples, failures included; None if there are nothing but failures:
    then the best that can be said of it is why it has no types."""
    found = {s: outcome(program, p, s, samples[s], budget, typed=False, allowance=allowance) for s in rows}
    return None if all(isinstance(value, RowFailure) for value in found.values()) else found
