"""Searches that are killed, run by ``test_killed.py``: ``python killed_solver.py FOLDER KILLS GENERATIONS``.

Each run is a process forked from this one, so that the kill hits a search and not the start of Python. After each kill
a line is printed and a line is awaited. The last run is not killed.
"""

import os
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from arcloom.cluster import coordinator
from arcloom.cluster.coordinator import Coordinator, Journal
from arcloom.cluster.pool import InlinePool
from arcloom.cluster.worker import Worker
from arcloom.store import Store, runs
from cluster.small import begun, real_tasks, searched, setup

MOST, LONGEST = 4, 0.1
"""Maximum number of progress reports before a run is killed, and maximum seconds between the last one and the kill."""


def resumed(folder: Path, worker: Worker, generations: int, report: Callable[[], object] = lambda: None) -> None:
    """Begin or resume the run in a folder."""
    with Store.open(folder / "library.sqlite") as store:
        known = runs.runs(store)
        run = runs.resume_run(store, known[-1], versions={}, settings={"data": "few"}) if known else begun(store)
        pool = InlinePool(worker)
        search = Coordinator(real_tasks().tasks, pool, Journal(store, run), generations=generations, out=folder)
        search.run(lambda progress: report())
        runs.end_run(store, run)


def killed(folder: Path, worker: Worker, generations: int, times: int, seconds: float) -> None:
    """Resume the run in a child process, and kill it some seconds after a number of progress reports."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        resumed(folder, worker, generations, lambda: os.write(writing, b"."))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb", buffering=0) as reports:
        for _ in range(times):
            reports.read(1)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def main(folder: Path, kills: int, generations: int) -> None:
    """Kill some runs, and let the last one end."""
    coordinator.STORE_EVERY = coordinator.WRITE_EVERY = coordinator.SHOW_EVERY = 0.01
    with Store.in_memory() as store:  # loads all kernels before the runs are forked
        searched(real_tasks(), store, begun(store), generations)
    worker, chance = Worker(setup()), random.Random(5)
    for _ in range(kills):
        killed(folder, worker, generations, chance.randrange(MOST), chance.uniform(0, LONGEST))
        print("killed", flush=True)
        sys.stdin.readline()
    resumed(folder, worker, generations)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
