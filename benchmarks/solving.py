"""Measure the search: solved tasks, use of the budget, scaling with workers, or speed. Prints one JSON object.

python benchmarks/solving.py --data arcagi:training --budget 2m --hide-own
python benchmarks/solving.py --data arcagi:training --scaling 1 2 --generations 6
python benchmarks/solving.py --speed
"""

import argparse
import gc
import json
import resource
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import arcloom
from arcloom.bench.machine import conditions
from arcloom.cluster.solve import Solved, solve
from arcloom.engine.memory import borrowed
from arcloom.engine.work import limit_threads
from arcloom.enumerate.enumerator import Enumerator
from arcloom.enumerate.leaves import problem_of
from arcloom.enumerate.operations import operations
from arcloom.induce.learn import Tally
from arcloom.search.loop.evolve import Evolution
from arcloom.search.loop.source import Request
from arcloom.search.loop.state import TaskState
from arcloom.search.setup import Setup
from arcloom.search.sources.enumeration import TRIES
from arcloom.search.sources.induction import FIRST, Induction
from arcloom.search.sources.object_rules import ObjectRules
from arcloom.store import Store, runs
from arcloom.tasks.packed import pack
from arcloom.tasks.task import Dataset

WARM_UP, REPEATS = 2, 5
EVERY = 10
"""Enumeration and rule learning are measured on every EVERY-th training task."""

QUOTED = {
    "one_task_32_candidates_seconds": "4.35 by the peer's own figures, 1.7 to 2.8 measured on 2 cores",
    "400_tasks_32_candidates_seconds": "512 as the target of the peer's user",
    "primitive_evaluations_per_core_second": "400,000 to 800,000 by icecuber's solver",
}
"""Figures of other systems, as measured by others; not measured in this run."""


def solving(data: str, **options: Any) -> dict[str, object]:
    """Run one search with ``arcloom.solve``. Returns the solved tasks and the use of the budget."""
    began, before = time.perf_counter(), _own_seconds()
    with tempfile.TemporaryDirectory() as folder:
        found = solve(data, out=Path(folder), **options)
    seconds = time.perf_counter() - began
    coordinator = _own_seconds() - before
    budget = found.options.seconds
    return {
        **_counts(found),
        "wall_seconds": round(seconds, 2),
        "budget_used": None if budget is None else round(seconds / budget, 4),
        "coordinator_core_share": round(coordinator / seconds, 4),
    }


def _own_seconds() -> float:
    """The processor time of this process, without its workers."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _counts(found: Solved) -> dict[str, object]:
    score = found.score
    return {
        "data": found.dataset.name,
        "hide_own": found.options.hide_own,
        "seed": found.options.seed,
        "workers": found.workers,
        "generations": found.progress.generation,
        "candidates": found.progress.candidates,
        "candidates_by_source": dict(found.sources),
        "solved_on_demonstrations": found.progress.solved,
        "tasks": len(found.dataset),
        "solved": len(score.solved),
        "by_source": by_source(found),
        "peak_worker_memory_mb": found.peak_memory >> 20,
        "profile": {section.name: round(section.seconds, 2) for section in found.profile.sections},
    }


def by_source(found: Solved) -> dict[str, dict[str, int]]:
    """For each source, the number of tasks whose demonstrations its programs solve (``fit``), whose tests they also
    solve (``right``), and whose tests no other source solves (``only``).
    """
    fit: dict[str, set[str]] = {}
    right: dict[str, set[str]] = {}
    for task in found.dataset:
        answers = tuple(pack(pair.output) for pair in task.test)
        for vote in found.votes.get(task.id, ()):
            fit.setdefault(vote.source, set()).add(task.id)
            if vote.outputs == answers:
                right.setdefault(vote.source, set()).add(task.id)
    counts = {}
    for source, tasks in fit.items():
        mine = right.pop(source, set())
        others = set().union(*right.values())
        counts[source] = {"fit": len(tasks), "right": len(mine), "only": len(mine - others)}
        right[source] = mine
    return counts


def scaling(data: str, workers: list[int], **options: Any) -> dict[str, object]:
    """The times of the same work with several numbers of workers. Ends with an error if the submissions differ."""
    measured, answers = {}, []
    for count in workers:
        began, before = time.perf_counter(), _own_seconds()
        found = solve(data, workers=count, **options)
        seconds = time.perf_counter() - began
        answers.append(found.answers)
        measured[count] = {
            "seconds": round(seconds, 2),
            "coordinator_core_share": round((_own_seconds() - before) / seconds, 4),
            "candidates": found.progress.candidates,
        }
    if any(other != answers[0] for other in answers):
        raise SystemExit("the submissions differ: nothing is measured")
    first = measured[workers[0]]["seconds"]
    ratios = {count: round(first / measured[count]["seconds"], 3) for count in workers}
    return {"conditions": conditions(), "data": data, "workers": measured, "throughput_ratio": ratios}


@dataclass(frozen=True)
class Took:
    """The seconds of a generation, and the processor seconds of this process."""

    seconds: float
    processor_seconds: float


def generations(dataset: Dataset) -> tuple[list[Took], Evolution, int]:
    """The times of generations of 32 mutants per task, from proposing to storing, including the first generations."""
    evolution = Setup(derived=False).build()
    evolution.sources = evolution.sources[-1:]
    states = [TaskState(task, generation=1_000_000) for task in dataset]  # after the library was proposed
    times, candidates = [], 0
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "library.sqlite") as store:
        run = runs.begin_run(store, "benchmark", versions={}, settings={})
        gc.disable()  # like workers
        for _ in range(WARM_UP + REPEATS):
            start, processors = time.perf_counter(), time.process_time()
            deltas = evolution.step(states)
            runs.add_deltas(store, run, deltas)
            gc.collect(0)
            times.append(Took(time.perf_counter() - start, time.process_time() - processors))
            candidates += sum(delta.counts.get("mutation", 0) for delta in deltas)
        gc.enable()
    return times, evolution, candidates


def speed() -> dict[str, object]:
    """The speed of generations with 32 candidates for one task and for all training tasks, and of learning sources."""
    machine, dataset = conditions(), arcloom.load("arcagi:training")
    every, evolution, candidates = generations(dataset)
    one = [generations(Dataset(dataset.name, (task,)))[0] for task in dataset.tasks[:10]]
    count = WARM_UP + REPEATS
    return {
        "conditions": machine,
        "one_task_32_candidates_seconds": _summary([took for times in one for took in times[WARM_UP:]]),
        "400_tasks_32_candidates_seconds": {
            **_summary(every[WARM_UP:]),
            "first": round(every[0].seconds, 4),
            "candidates": candidates // count,
            "sections": {
                section.name: round(section.seconds / count, 4) for section in evolution.stopwatch.take_sections()
            },
        },
        "enumeration": enumeration(dataset),
        "induction": learning(dataset, Induction()),
        "objects": learning(dataset, ObjectRules()),
        "quoted": QUOTED,
    }


def _summary(times: list[Took]) -> dict[str, float]:
    seconds = [took.seconds for took in times]
    return {
        "median": round(statistics.median(seconds), 4),
        "greatest": round(max(seconds), 4),
        "processor_seconds": round(statistics.median(took.processor_seconds for took in times), 4),
    }


def enumeration(dataset: Dataset) -> dict[str, object]:
    """The speed of enumeration on one core. An evaluation is one node of an operation for one sample; nodes inside
    functions that are applied to elements are not counted.
    """
    enumerator, evaluated, tried, seconds = Enumerator(operations()), 0, 0, 0.0
    with borrowed() as device:
        for task in dataset.tasks[::EVERY]:
            problem = problem_of(task, TRIES)
            start = time.thread_time()
            found = enumerator.enumerate(problem, device)
            seconds += time.thread_time() - start
            evaluated += found.evaluated
            tried += found.tried
    return {
        "tasks": len(dataset.tasks[::EVERY]),
        "core_seconds": round(seconds, 3),
        "primitive_evaluations_per_core_second": round(evaluated / seconds),
        "expressions_per_core_second": round(tried / seconds),
    }


def learning(dataset: Dataset, source: Induction | ObjectRules) -> dict[str, object]:
    """The speed of a source that learns rules on one core, from the task to candidates.

    The first pass builds batts, and the second is measured. A rule is a set of features that was tried on all
    demonstrations of a task.
    """
    limit_threads(1)
    requests = [Request([TaskState(task.without_answers())], FIRST) for task in dataset.tasks[::EVERY]]
    for request in requests:
        list(source.propose(request))
    rules, features, start = Tally.rules, Tally.features, time.process_time()
    candidates = sum(len(list(source.propose(request))) for request in requests)
    seconds = time.process_time() - start
    limit_threads(None)
    return {
        "tasks": len(requests),
        "core_seconds": round(seconds, 3),
        "candidates": candidates,
        "rules_per_core_second": round((Tally.rules - rules) / seconds),
        "features_per_core_second": round((Tally.features - features) / seconds),
    }


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", default="arcagi:evaluation")
    parser.add_argument("--budget", help="by default 2m, or none with --generations")
    parser.add_argument("--generations", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int)
    parser.add_argument(
        "--hide-own", action="store_true", help="hide the program that was written for a task from that task"
    )
    parser.add_argument("--scaling", type=int, nargs="+", metavar="N", help="compare these numbers of workers")
    parser.add_argument("--speed", action="store_true", help="measure generations, enumeration and learning rules")
    given = parser.parse_args()
    options = {"generations": given.generations, "seed": given.seed, "hide_own": given.hide_own}
    if given.speed:
        report = speed()
    elif given.scaling:
        report = scaling(given.data, given.scaling, **{**options, "generations": given.generations or 4})
    else:
        report = solving(given.data, budget=given.budget, workers=given.workers, **options)
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
