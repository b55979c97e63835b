"""Isolating errors: a program that raises an unexpected error does not affect the other programs of a run."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from arcloom.engine.results import Results, RowFailure
from arcloom.program.evaluate import last_line
from arcloom.program.term import Input, Program
from arcloom.program.trace_errors import TraceError, unexpected

Run = Callable[[Sequence[Program], Sequence[Sequence[int]]], Results]
"""A function that runs programs, each on its rows of the samples."""

PROBE = Program("probe", ("I",), Input("I"))
"""A program that cannot cause an error. If it fails, the cause is not a program."""


def isolated(run: Run, programs: Sequence[Program], rows: Sequence[Sequence[int]]) -> Results:
    """The results of a run. A program that causes an unexpected error counts as untyped, with a message that asks the
    user to report it.

    Errors that no single program causes, such as those of the operating system, are raised.
    """
    try:
        return run(programs, rows)
    except Exception as error:
        if _is_known(error):
            raise
        run([PROBE], rows[:1])
        return _apart(run, programs, rows)


def _is_known(error: Exception) -> bool:
    """Whether callers expect the error: it is arcloom's own, one of the system, or about a missing input."""
    return isinstance(error, OSError | MemoryError | KeyError) or type(error).__module__.startswith("arcloom.")


def _apart(run: Run, programs: Sequence[Program], rows: Sequence[Sequence[int]]) -> Results:
    """Run the programs by bisection: a group that raises an error is divided until single programs remain."""
    joined = _Joined({})
    untyped: dict[int, TraceError] = {}
    groups = [list(range(len(programs)))]
    while groups:
        group = groups.pop()
        try:
            results = run([programs[p] for p in group], [rows[p] for p in group])
        except Exception as error:
            if _is_known(error):
                raise
            if len(group) > 1:
                groups += [group[: len(group) // 2], group[len(group) // 2 :]]
                continue
            program = programs[group[0]]
            untyped[group[0]] = TraceError(unexpected(error), program=program.name, line=last_line(program))
        else:
            joined.parts.update((p, (results, k)) for k, p in enumerate(group))
            untyped.update((group[k], error) for k, error in results.untyped.items())
    return _results(programs, rows, untyped, joined)


@dataclass(frozen=True)
class _Joined:
    """The outcomes of several runs. ``parts`` has for each program the results of its run and its number in them."""

    parts: dict[int, tuple[Results, int]]

    def value(self, program: int, sample: int) -> Any:
        results, k = self.parts[program]
        value = results.outcomes.value(k, sample)
        return replace(value, program=program) if isinstance(value, RowFailure) else value

    def grid(self, program: int, sample: int) -> Any:
        results, k = self.parts[program]
        return results.outcomes.grid(k, sample)

    def packed(self, program: int, sample: int) -> bytes | None:
        results, k = self.parts[program]
        return results.outcomes.packed(k, sample)


def _results(
    programs: Sequence[Program], rows: Sequence[Sequence[int]], untyped: dict[int, TraceError], joined: _Joined
) -> Results:
    ran = [() if p in untyped else rows[p] for p in range(len(programs))]
    found = {id(results): results for results, _ in joined.parts.values()}.values()
    fallback = tuple(name for results in found for name in results.fallback_programs)
    device = next((results.device for results in found), "")
    return Results(programs, ran, untyped, joined, {}, fallback, device)
