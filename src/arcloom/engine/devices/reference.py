"""The reference device: plain Python, one program and one sample at a time. It says what is right."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from arcloom.dsl.signature import Type
from arcloom.dsl.work import Allowance
from arcloom.engine.results import Results, RowFailure, packed_grid
from arcloom.program.evaluate import ProgramFailure, evaluate
from arcloom.program.term import Program
from arcloom.program.trace import TraceError, trace

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
    untyped = _untyped(programs, inputs)
    traced = time.perf_counter()
    table = _Table()
    fallback = []
    done, total = 0, sum(map(len, rows))
    for p, program in enumerate(programs):
        if allowance is not None:
            allowance.project(done, total)
        done += len(rows[p])
        if p not in untyped:
            outcomes = (outcome(program, p, s, samples[s], budget, allowance=allowance) for s in rows[p])
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


def _untyped(programs: Sequence[Program], inputs: Mapping[str, Type]) -> dict[int, TraceError]:
    errors = {}
    for p, program in enumerate(programs):
        try:
            trace(program, inputs)
        except TraceError as error:
            errors[p] = error
    return errors


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
    """What a program gives for a sample, or its failure. See ``evaluate``."""
    try:
        return evaluate(program, sample, budget=budget, typed=typed, allowance=allowance)
    except ProgramFailure as failure:
        return RowFailure(p, s, failure.line, failure.reason)


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
