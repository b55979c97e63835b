"""Measures what the search solves, and how fast a generation passes through it. Writes one JSON object.

python benchmarks/solving.py --data arcagi:training --budget 2m --hide-own
python benchmarks/solving.py --speed
"""

import argparse
import gc
import json
import statistics
import time
from dataclasses import replace

import arcloom
from arcloom.library import bundled
from arcloom.search.generalise import variants
from arcloom.search.solve import Search, Settings, seconds_of
from arcloom.search.submission import score
from arcloom.tasks.task import Dataset

WARM_UP, REPEATS = 2, 5


def solving(data: str, settings: Settings) -> dict[str, object]:
    """How many tasks are solved. With ``hide_own``, no task sees the library's program of its own name."""
    dataset = arcloom.load(data)
    search = Search(dataset, settings, bundled(), variants(bundled(), arcloom.load("arcagi:training")))
    outcome = search.run()
    found = score(outcome.answers, dataset)
    return {
        "data": data,
        "hide_own": settings.hide_own,
        "seed": settings.seed,
        "seconds": outcome.progress.seconds,
        "generations": outcome.progress.generation,
        "candidates": outcome.progress.candidates,
        "solved_on_demonstrations": outcome.progress.solved,
        "tasks": len(dataset),
        "solved": len(found.solved),
        "solved_tasks": found.solved,
        "profile": {section.name: round(section.seconds, 3) for section in search.stopwatch.sections()},
    }


def generation_seconds(dataset: Dataset) -> list[float]:
    """How long a generation of 32 mutants for each task takes, from dealing to storing, once all is warm."""
    search = Search(dataset, Settings(seconds=None), bundled())
    search.evolution.sources = search.evolution.sources[-1:]
    search.evolution.generation = 1_000_000  # the library counts as dealt
    times = []
    gc.disable()  # as a search does; it collects once a generation
    for _ in range(WARM_UP + REPEATS):
        start = time.perf_counter()
        search.evolution.step()
        gc.collect(0)
        times.append(time.perf_counter() - start)
    gc.enable()
    return times[WARM_UP:]


def speed() -> dict[str, object]:
    """One task and all training tasks, 32 candidates each."""
    dataset = arcloom.load("arcagi:training")
    one = [seconds for task in dataset.tasks[:10] for seconds in generation_seconds(replace(dataset, tasks=(task,)))]
    every = generation_seconds(dataset)
    return {
        "one_task_32_candidates_seconds": {"median": statistics.median(one), "greatest": max(one)},
        "400_tasks_32_candidates_seconds": {"median": statistics.median(every), "greatest": max(every)},
    }


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", default="arcagi:evaluation")
    parser.add_argument("--budget", default="2m")
    parser.add_argument("--generations", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--hide-own", action="store_true", help="no task sees the library's program of its own name")
    parser.add_argument("--speed", action="store_true", help="measure how fast a generation is, and nothing else")
    given = parser.parse_args()
    seconds = None if given.generations else seconds_of(given.budget)
    settings = Settings(seconds, given.generations, given.seed, hide_own=given.hide_own)
    print(json.dumps(speed() if given.speed else solving(given.data, settings), indent=2))


if __name__ == "__main__":
    main()
