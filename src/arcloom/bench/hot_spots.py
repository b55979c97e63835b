"""Profiles of our time on one thread: phases, kernels, and Python functions."""

import cProfile
import pstats
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import arcloom.engine
from arcloom.bench.measure import BUDGET, Rows
from arcloom.bench.workload import Workload
from arcloom.dsl.meter import DEFAULT_BUDGET
from arcloom.engine.batt import Batt
from arcloom.engine.devices.kernel_times import KernelProfile, KernelTime
from arcloom.engine.memory import Memory

PACKAGE = str(Path(arcloom.engine.__file__).parents[1])
FUNCTIONS = 25
"""Maximum number of functions in a profile: those that take longest."""


@dataclass(frozen=True)
class Phase:
    """A phase of a run, and its share of the time."""

    name: str
    seconds: float
    share: float


@dataclass(frozen=True)
class KernelCost:
    """The time of one kernel, including its entry."""

    name: str
    calls: int
    rows: int
    seconds: float
    ns_per_row: float
    share: float


@dataclass(frozen=True)
class FunctionShare:
    """The own time of one Python function of arcloom, including functions of other packages that it calls, measured by
    a tracing profiler."""

    name: str
    calls: int
    seconds: float
    share: float


@dataclass(frozen=True)
class BenchProfile:
    """The phases, kernels and functions of one part of the benchmark, each list by decreasing share."""

    part: str
    seconds: float
    phases: tuple[Phase, ...]
    kernels: tuple[KernelCost, ...]
    functions: tuple[FunctionShare, ...]


@contextmanager
def kernel_times() -> Iterator[dict[str, KernelTime]]:
    """Measure the times of kernels on all devices in this context."""
    profile = Memory.profile = KernelProfile()
    try:
        yield profile.kernels
    finally:
        Memory.profile = None


def profile(part: str, work: Workload, rows: Rows | None) -> BenchProfile:
    """Profile all programs on their rows; without rows, on all samples with the budget of the mega-batch."""
    with kernel_times() as kernels:
        batt = Batt.build(work.programs)
        seconds = batt.run(work.samples, rows=rows, threads=1, budget=_budget(rows)).seconds
    total = sum(seconds.values())
    phases = _phases(seconds, kernels)
    return BenchProfile(
        part,
        total,
        _shares(phases, total),
        _kernel_shares(kernels, total),
        _function_shares(_called(work, rows)),
    )


def _budget(rows: Rows | None) -> int:
    return BUDGET if rows is None else DEFAULT_BUDGET


def _phases(seconds: dict[str, float], kernels: dict[str, KernelTime]) -> dict[str, float]:
    inside = sum(kernel.seconds for kernel in kernels.values())
    return {
        "trace and merge": seconds["trace"],
        "write tables": seconds["merge"],
        "encode samples": seconds["encode"],
        "look for kernels": seconds["compile"],
        "in kernels": inside,
        "between kernels": seconds["run"] - inside,
    }


def _shares(phases: dict[str, float], total: float) -> tuple[Phase, ...]:
    found = [Phase(name, seconds, seconds / total) for name, seconds in phases.items()]
    return tuple(sorted(found, key=lambda phase: -phase.seconds))


def _kernel_shares(kernels: dict[str, KernelTime], total: float) -> tuple[KernelCost, ...]:
    found = [
        KernelCost(name, k.calls, k.rows, k.seconds, k.seconds / max(1, k.rows) * 1e9, k.seconds / total)
        for name, k in kernels.items()
    ]
    return tuple(sorted(found, key=lambda kernel: -kernel.seconds))


def _called(work: Workload, rows: Rows | None) -> dict[Any, Any]:
    """The records of Python's own profiler."""
    profiler = cProfile.Profile()
    profiler.enable()
    Batt.build(work.programs).run(work.samples, rows=rows, threads=1, budget=_budget(rows))
    profiler.disable()
    found: dict[Any, Any] = pstats.Stats(profiler).stats  # type: ignore[attr-defined]
    return found


def _function_shares(records: dict[Any, Any]) -> tuple[FunctionShare, ...]:
    """The functions of arcloom by time.

    The time of other functions counts for the function of arcloom that called them.
    """
    calls = {place: record[1] for place, record in records.items() if _is_ours(place)}
    seconds = {place: records[place][2] for place in calls}
    for place, (_, _, _, _, callers) in records.items():
        if not _is_ours(place):
            for caller, (_, _, _, inclusive) in callers.items():
                if caller in seconds:
                    seconds[caller] += inclusive
    total = sum(seconds.values())
    longest = sorted(seconds, key=lambda place: -seconds[place])[:FUNCTIONS]
    return tuple(FunctionShare(_name(p), calls[p], seconds[p], seconds[p] / total) for p in longest)


def _is_ours(place: tuple[str, int, str]) -> bool:
    return place[0].startswith(PACKAGE)


def _name(place: tuple[str, int, str]) -> str:
    file, line, function = place
    return f"{Path(file).relative_to(PACKAGE)}:{line} {function}"
