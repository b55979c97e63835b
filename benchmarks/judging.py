"""Measure generated programs judged per minute, from text to verdict: by arcloom, and by arc-dsl in a process pool."""

import argparse
import json
import resource
import signal
import sys
import time
from collections import Counter, deque
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from arcloom.program.parse import parse_file
from arcloom.scoring import Settings
from arcloom.scoring.stream import score_pairs
from arcloom.tasks import Task, load
from texts import cases

WORKERS = 2
CORES = 2
WARM = 2_000
"""Number of programs that run before the measurement, to load kernels."""

SECONDS = 1.0
"""Time limit of arc-dsl for a sample, in seconds."""

Timed = tuple[str, Task]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path, help="a folder with dsl.py, constants.py and solvers.py")
    parser.add_argument("--data", default="arcagi:training")
    parser.add_argument("--programs", type=int, default=20_000)
    parser.add_argument("--peer-programs", type=int, default=2_000, help="number of programs that arc-dsl runs")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    tasks = list(load(args.data))
    timed = cases(parse_file(args.checkout / "solvers.py"), tasks, args.programs + WARM, args.seed)
    ours = judged(timed, tasks, near=False)
    report = {
        **ours,
        "with_differs": judged(timed, tasks, near=True),
        "arc_dsl": with_peer(timed[WARM:][: args.peer_programs], args.checkout, ours["processor_us"]),
    }
    print(json.dumps(report, indent=1))


def judged(timed: list[Timed], tasks: list[Task], *, near: bool) -> dict[str, Any]:
    """The rate at which programs are judged by two workers."""
    numbers = {task.id: t for t, task in enumerate(tasks)}
    given = [(k, text, numbers[task.id]) for k, (text, task) in enumerate(timed)]
    verdicts: Counter[str] = Counter()
    before = processor_seconds()
    deque(score_pairs(given[:WARM], tasks, Settings(near=near), WORKERS), maxlen=0)
    warm = processor_seconds() - before
    start, before = time.perf_counter(), processor_seconds()
    for result in score_pairs(given, tasks, Settings(near=near), WORKERS):
        verdicts[str(result.verdict)] += result.index >= WARM
    wall, used = time.perf_counter() - start, processor_seconds() - before
    return rates(len(given) - WARM, used - warm, wall) | {"verdicts": dict(verdicts)}


def processor_seconds() -> float:
    """The processor time of this process and its ended child processes."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def rates(programs: int, processor: float, wall: float) -> dict[str, Any]:
    return {
        "programs": programs,
        "processor_us": round(1e6 * processor / programs, 1),
        "per_minute_two_cores": round(CORES * 60 * programs / processor),
        "wall_per_minute": round(60 * programs / wall),
    }


# The other side


def with_peer(timed: list[Timed], checkout: Path, ours: float) -> dict[str, Any]:
    """The rate of arc-dsl on the same texts, in a pool of processes."""
    given = [(text, [(pair.input, pair.output) for pair in task.samples]) for text, task in timed]
    start, before = time.perf_counter(), processor_seconds()
    with ProcessPoolExecutor(WORKERS, initializer=_begin, initargs=(str(checkout),)) as pool:
        verdicts = Counter(pool.map(_judge, given, chunksize=64))
    wall, used = time.perf_counter() - start, processor_seconds() - before
    found = rates(len(given), used, wall)
    return {**found, "verdicts": dict(verdicts), "ratio": round(found["processor_us"] / ours, 1)}


_names: dict[str, Any] = {}


class OverLimit(BaseException):
    """Raised when a run reaches its time limit."""


def _begin(checkout: str) -> None:
    sys.path.insert(0, checkout)
    exec("from dsl import *\nfrom constants import *", _names)
    signal.signal(signal.SIGALRM, _stop)


def _stop(*_: object) -> None:
    raise OverLimit


def _judge(given: tuple[str, list[tuple[Any, Any]]]) -> str:
    """The verdict on a text, which is executed as Python."""
    text, samples = given
    try:
        names = dict(_names)
        exec(compile(text, "<text>", "exec"), names)
        solve = names["solve"]
    except Exception:
        return "unparsable"
    solved = [_outcome(solve, *sample) for sample in samples]
    return "right" if all(solved) else "not right"


def _outcome(solve: Any, given: Any, right: Any) -> bool:
    try:
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        try:
            return bool(solve(given) == right)
        except Exception:
            return False
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except OverLimit:
        return False


if __name__ == "__main__":
    main()
