"""Small searches that the tests of the cluster share."""

from pathlib import Path

import arcloom
from arcloom.cluster.coordinator import Coordinator, Journal
from arcloom.cluster.pool import InlinePool, WorkerPool
from arcloom.cluster.worker import Worker
from arcloom.library import bundled
from arcloom.program.print import all_to_text
from arcloom.search.setup import Setup
from arcloom.store import Run, Store, TaskKey, runs
from arcloom.tasks.task import Dataset, Task

OPERATIONS = ("hmirror_grid", "vmirror_grid", "dmirror_grid", "compress_grid", "largest")
REAL = ("3c9b0459", "25ff71a9", "0d3d703e", "ce9e57f2", "d037b0a7")


def setup(programs: int = 12, **settings: object) -> Setup:
    """The setup of a search that starts quickly and has all sources."""
    library = [all_to_text(bundled()[:programs])] if programs else []
    small = Setup(seed=7, each=8, library=library, bundled=False, derived=False, operations=OPERATIONS)
    return Setup(**{**small.__dict__, **settings})


def real_tasks() -> Dataset:
    tasks = arcloom.load("arcagi:training")
    return Dataset("few", tuple(tasks[id] for id in REAL))


def searched(
    tasks: Dataset, store: Store, run: Run, generations: int, pool: WorkerPool | None = None, out: Path | None = None
) -> Coordinator:
    """A completed search, by default in this process."""
    used = InlinePool(Worker(setup())) if pool is None else pool
    coordinator = Coordinator(tasks.tasks, used, Journal(store, run), generations=generations, out=out)
    coordinator.run()
    return coordinator


def begun(store: Store) -> Run:
    return runs.begin_run(store, "solve", versions={}, settings={"data": "few"})


def contents(store: Store, run: Run, task: Task) -> object:
    """The stored state on which the rest of a search depends."""
    record = runs.task_record(store, run, TaskKey.of(task))
    assert record is not None
    seen = {source: sorted(keys) for source, keys in record.seen.items()}
    return record.generation, record.members, record.votes, seen, sorted(record.texts)
