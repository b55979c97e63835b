"""The whole benchmark and its report."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from arcloom.bench import measure
from arcloom.bench.checkout import BenchError, Checkout
from arcloom.bench.hot_spots import BenchProfile, profile
from arcloom.bench.machine import conditions
from arcloom.bench.measure import Cold, GrowthStep, MegaBatch, OwnTask
from arcloom.bench.objects_time import HEADLINE, ObjectsTime, objects
from arcloom.bench.peak_memory import mega_batch_peak
from arcloom.bench.verdicts import PeerComparison, PeerDifference
from arcloom.bench.workload import Workload

BenchProgress = Callable[[str, int, int], None]
"""Called with the name of a measurement and the numbers of completed and of all steps."""

RUNS = 3600
"""Number of random runs that measure the peer's time in the mega-batch."""

OURS, PEERS, MEGA = 20, 3, 5
"""Repetitions: of the own tasks on our side and on the peer's, and of the mega-batch on ours."""

NO_KERNEL = "fallback"


@dataclass(frozen=True)
class BenchReport:
    """All measurements and their conditions. ``left_out`` has the names of programs that were not run, by reason."""

    conditions: dict[str, Any]
    peer: str
    data: str
    seed: int
    left_out: dict[str, tuple[str, ...]]
    cold: Cold
    own_task: OwnTask
    mega_batch: MegaBatch
    objects: tuple[ObjectsTime, ...]
    growth_by_samples: tuple[GrowthStep, ...]
    growth_by_programs: tuple[GrowthStep, ...]
    profiles: tuple[BenchProfile, ...]
    peak_rss_mb: float

    @property
    def fallback_programs(self) -> tuple[str, ...]:
        """The programs that need a kernel that does not exist."""
        return self.left_out[NO_KERNEL]

    @property
    def valid(self) -> bool:
        """Whether arcloom could run all programs, and agreed with the reference wherever it differs from the peer."""
        return not (self.fallback_programs or self.left_out["untyped"] or self.mistakes)

    @property
    def objects_ns_per_cell(self) -> float | None:
        """Our time for the flags HEADLINE."""
        return next((time.ours for time in self.objects if time.flags == HEADLINE), None)

    @property
    def comparisons(self) -> Iterator[PeerComparison]:
        """The comparisons of all parts."""
        yield self.own_task.comparison
        yield self.mega_batch.comparison
        yield from (time.comparison for time in self.objects)

    @property
    def differences(self) -> tuple[PeerDifference, ...]:
        """All runs with different outcomes on the two sides."""
        return tuple(difference for comparison in self.comparisons for difference in comparison.differences)

    @property
    def mistakes(self) -> tuple[PeerDifference, ...]:
        """The differences in which the reference does not agree with the engine either."""
        return tuple(difference for difference in self.differences if not difference.reference_agrees)


def bench(
    file: str | Path,
    data: str | Path,
    against: str | Path,
    *,
    runs: int = RUNS,
    seed: int = 0,
    progress: BenchProgress = lambda what, done, total: None,
) -> BenchReport:
    """Measure the programs of a file on the tasks of a dataset against the solvers of an arc-dsl checkout.

    The peer's time in the mega-batch is estimated from ``runs`` random runs. Raises BenchError if there is nothing to
    compare.
    """
    where = conditions()
    with Checkout(against) as checkout:
        work = _in_common(Workload.read(file, data), checkout, against)
        cold, first = measure.first_run(work)
        peak = mega_batch_peak(file, data, work.names)  # first, so that only that process ends if memory runs out
        own = measure.own_task(
            work, first, checkout, passes=PEERS, repeats=OURS, progress=partial(progress, "own tasks")
        )
        mega = measure.mega_batch(
            work, checkout, runs=runs, seed=seed, repeats=MEGA, progress=partial(progress, "mega-batch")
        )
        found = objects(work, checkout, repeats=OURS, progress=partial(progress, "objects"))
    by_samples, by_programs = measure.growth(work, seed, partial(progress, "growth"))
    return BenchReport(
        conditions=where,
        peer=str(against),
        data=str(data),
        seed=seed,
        left_out=work.left_out,
        cold=cold,
        own_task=own,
        mega_batch=mega,
        objects=tuple(found),
        growth_by_samples=tuple(by_samples),
        growth_by_programs=tuple(by_programs),
        profiles=_profiles(work, partial(progress, "profile")),
        peak_rss_mb=peak,
    )


def _in_common(work: Workload, checkout: Checkout, against: str | Path) -> Workload:
    """The programs that both sides can run."""
    common = work.only(checkout.names, "not in the peer").typed()
    if not common.programs:
        reasons = ", ".join(f"{len(names)} {reason}" for reason, names in common.left_out.items() if names)
        raise BenchError(f"there is no program that both arcloom and {against} can run: {reasons}")
    return common


def _profiles(work: Workload, progress: Callable[[int, int], None]) -> tuple[BenchProfile, ...]:
    own = profile("own task", work, work.own)
    progress(1, 2)
    return own, profile("mega-batch", work, None)
