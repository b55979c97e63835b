"""Measurements of our side and of the peer on the same work."""

import gc
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from arcloom import collector
from arcloom.bench.checkout import Checkout, PeerOutcome, StepProgress
from arcloom.bench.verdicts import PeerComparison, compared
from arcloom.bench.workload import Workload
from arcloom.dsl.meter import DEFAULT_BUDGET, SEARCH_BUDGET
from arcloom.engine.batt import Batt
from arcloom.engine.results import Results
from arcloom.engine.samples import Samples
from arcloom.engine.warm import ensure
from arcloom.program.term import Program

LIMIT = 1.0
"""Time limit in seconds of one run of the peer in the mega-batch. A run that reaches it counts with this time."""

BUDGET = SEARCH_BUDGET
"""The budget of a program in the mega-batch: that of a search. With a lower one, more programs would come close to the
limit, where engine and reference may differ, and outcomes could not be compared."""

SHORT = 6
"""Factor of repetitions for short measurements, in which a disturbance is a larger share of the time."""

ENOUGH = 30.0
"""Total seconds after which a measurement is not repeated again."""

Rows = Sequence[Sequence[int]]


@dataclass(frozen=True)
class Times:
    """The times of repetitions of the same work, in seconds."""

    seconds: tuple[float, ...]

    @property
    def best(self) -> float:
        """The shortest time: the one least disturbed by other work on the machine."""
        return min(self.seconds)

    @property
    def median(self) -> float:
        """The median time."""
        return statistics.median(self.seconds)


def repeated(times: int, work: Callable[[], float]) -> Times:
    """The times of repetitions of some work, fewer if it takes long. Garbage is collected between the measurements."""
    seconds: list[float] = []
    gc.collect()
    gc.freeze()  # collections skip the objects that exist now
    try:
        while len(seconds) < times and sum(seconds) < ENOUGH:
            gc.collect()
            seconds.append(work())
    finally:
        gc.unfreeze()
    return Times(tuple(seconds))


def seconds_of(
    programs: Sequence[Program],
    samples: Samples,
    rows: Rows | None = None,
    *,
    threads: int | None = None,
    budget: int = DEFAULT_BUDGET,
) -> float:
    """The seconds from parsed programs and encoded samples to all outputs."""
    start = time.perf_counter()
    with collector.paused():
        Batt(programs).run(samples, rows=rows, threads=threads, budget=budget)
    return time.perf_counter() - start


@dataclass(frozen=True)
class Cold:
    """The extra cost of the first run: compiling and loading kernels, and encoding samples."""

    compiled: int
    compile_seconds: float
    first_run_seconds: float


def first_run(work: Workload) -> tuple[Cold, Results]:
    """Run all programs on their own tasks, after compiling or loading kernels."""
    batt = Batt.build(work.programs)
    start = time.perf_counter()
    count = ensure(batt.planner.kernels, entry_points=("run_tiles",))
    compiled = time.perf_counter()
    results = batt.run(work.samples, rows=work.own)
    return Cold(count, compiled - start, time.perf_counter() - compiled), results


@dataclass(frozen=True)
class OwnTask:
    """Every program on the samples of its own task."""

    runs: int
    ours: Times
    ours_on_one_thread: Times
    ours_without_slowest: Times
    peer: Times
    peer_without_slowest: Times
    slowest: str
    slowest_seconds: float
    comparison: PeerComparison

    @property
    def ratio(self) -> float:
        """The peer's best time divided by ours."""
        return self.peer.best / self.ours.best

    @property
    def ratio_without_slowest(self) -> float:
        """The ratio without the program that takes the peer longest."""
        return self.peer_without_slowest.best / self.ours_without_slowest.best


def own_task(
    work: Workload, results: Results, checkout: Checkout, *, passes: int, repeats: int, progress: StepProgress
) -> OwnTask:
    """Compare our results of the first run with the peer's, then measure both sides."""
    runs = work.own_runs
    named = [(work.programs[p].name, s) for p, s in runs]
    rounds = []
    for k in range(passes):
        rounds.append(checkout.solve(work.samples, named, progress=_part_of(progress, k, passes)))
    comparison = compared("own task", work, results, runs, rounds[0])
    by_program = [_by_program(named, answers) for answers in rounds]
    slowest = max(by_program[0], key=lambda name: min(seconds[name] for seconds in by_program))
    rest = work.only(set(work.names) - {slowest}) if len(work.programs) > 1 else work
    return OwnTask(
        runs=len(runs),
        ours=repeated(SHORT * repeats, lambda: seconds_of(work.programs, work.samples, work.own)),
        ours_on_one_thread=repeated(
            SHORT * repeats, lambda: seconds_of(work.programs, work.samples, work.own, threads=1)
        ),
        ours_without_slowest=repeated(SHORT * repeats, lambda: seconds_of(rest.programs, rest.samples, rest.own)),
        peer=Times(tuple(sum(seconds.values()) for seconds in by_program)),
        peer_without_slowest=Times(tuple(sum(seconds[name] for name in rest.names) for seconds in by_program)),
        slowest=slowest,
        slowest_seconds=min(seconds[slowest] for seconds in by_program),
        comparison=comparison,
    )


def _by_program(runs: Sequence[tuple[str, int]], answers: Sequence[PeerOutcome]) -> dict[str, float]:
    seconds: dict[str, float] = defaultdict(float)
    for (name, _), answer in zip(runs, answers, strict=True):
        seconds[name] += answer.seconds
    return seconds


def _part_of(progress: StepProgress, k: int, parts: int) -> StepProgress:
    """A function that reports the progress of part ``k`` of equal parts as the progress of the whole."""
    return lambda done, total: progress(k * total + done, parts * total)


@dataclass(frozen=True)
class MegaBatch:
    """Every program on the inputs of all tasks; for the peer, a random sample of these runs.

    ``peer_error`` is the standard error of the peer's mean time.
    """

    programs: int
    samples: int
    ours: Times
    sampled: int
    peer_seconds: float
    peer_error: float
    over_limit: int
    failed: int
    comparison: PeerComparison

    @property
    def runs(self) -> int:
        """The number of program runs."""
        return self.programs * self.samples

    @property
    def runs_per_second(self) -> float:
        """Our program runs per second."""
        return self.runs / self.ours.best

    @property
    def ratio(self) -> float:
        """The peer's mean time per run divided by ours."""
        return self.peer_seconds / self.sampled * self.runs_per_second


def mega_batch(
    work: Workload, checkout: Checkout, *, runs: int, seed: int, repeats: int, progress: StepProgress
) -> MegaBatch:
    """Compare the outcomes of sampled runs, then measure both sides."""
    chosen = _sampled(len(work.programs), len(work.samples), runs, seed)
    named = [(work.programs[p].name, s) for p, s in chosen]
    answers = checkout.solve(work.samples, named, LIMIT, progress)
    seconds = [answer.seconds for answer in answers]
    results = Batt.build(work.programs).run(work.samples, budget=BUDGET)
    comparison = compared("mega-batch", work, results, chosen, answers, budget=BUDGET)
    return MegaBatch(
        programs=len(work.programs),
        samples=len(work.samples),
        ours=repeated(repeats, lambda: seconds_of(work.programs, work.samples, budget=BUDGET)),
        sampled=len(chosen),
        peer_seconds=sum(seconds),
        peer_error=statistics.stdev(seconds) / len(seconds) ** 0.5 if len(seconds) > 1 else 0.0,
        over_limit=sum(answer.kind == "limit" for answer in answers),
        failed=sum(answer.failed for answer in answers),
        comparison=comparison,
    )


def _sampled(programs: int, samples: int, runs: int, seed: int) -> list[tuple[int, int]]:
    """A random sample of the runs of all programs on all samples, at most ``runs``."""
    count = programs * samples
    chosen = random.Random(seed).sample(range(count), min(runs, count))
    return [divmod(k, samples) for k in sorted(chosen)]


@dataclass(frozen=True)
class GrowthStep:
    """The time of some programs on some samples. ``against_linear`` is above 1 if time grows faster than work."""

    programs: int
    samples: int
    seconds: float
    against_linear: float | None = None


def growth(work: Workload, seed: int, progress: StepProgress) -> tuple[list[GrowthStep], list[GrowthStep]]:
    """The times for a sixteenth, a quarter and all of the samples, and the same of the programs, chosen at random."""
    order = random.Random(seed)
    samples = order.sample(list(work.samples), len(work.samples))
    programs = order.sample(work.programs, len(work.programs))
    by_samples = [(programs, Samples(samples[:count])) for count in _parts(len(samples))]
    by_programs = [(programs[:count], work.samples) for count in _parts(len(programs))]
    steps = []
    for chosen, given in [*by_samples, *by_programs, (programs, work.samples)]:
        steps.append(_step(chosen, given))
        progress(len(steps), len(by_samples) + len(by_programs) + 1)
    all_of_both = steps.pop()
    return (
        against_linear([*steps[: len(by_samples)], all_of_both]),
        against_linear([*steps[len(by_samples) :], all_of_both]),
    )


def _parts(count: int) -> list[int]:
    """A sixteenth and a quarter of a number."""
    return sorted({max(1, count // 16), max(1, count // 4)} - {count})


def _step(programs: Sequence[Program], samples: Samples) -> GrowthStep:
    Batt.build(programs).run(samples, rows=[range(1)] * len(programs))  # encodes the samples
    best = repeated(2, lambda: seconds_of(programs, samples, budget=BUDGET)).best
    return GrowthStep(len(programs), len(samples), best)


def against_linear(steps: list[GrowthStep]) -> list[GrowthStep]:
    """The steps with ``against_linear``: the growth of time since the step before, divided by the growth of work."""
    return [steps[0], *(_against(before, step) for before, step in pairwise(steps))]


def _against(before: GrowthStep, step: GrowthStep) -> GrowthStep:
    work = (step.programs * step.samples) / (before.programs * before.samples)
    return GrowthStep(step.programs, step.samples, step.seconds, step.seconds / before.seconds / work)
