"""The data of a run in a store, as reports need them."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from arcloom.cluster.solve import COMMAND, STORE, Shard
from arcloom.report.clock import Clock
from arcloom.search.origin import GUESS, Origins
from arcloom.store import (
    Attempt,
    Member,
    Run,
    Session,
    Step,
    Store,
    StoreError,
    TaskKey,
    TaskRecord,
    Vote,
    runs,
)
from arcloom.store.lock import is_locked
from arcloom.tasks import load
from arcloom.tasks.task import DataError, Dataset, Grid, Task

STATES = {
    "solved": "all test outputs are right",
    "wrong": "a program solves the demonstrations, but a test output is wrong",
    "found": "a program solves the demonstrations; the test outputs are unknown",
    "open": "no program solves the demonstrations yet",
    "new": "the search has not reached the task",
}
"""The states of a task in a run, and their meanings."""


def store_in(folder: Path) -> Path:
    """The path of the store in the output folder of a run; ``folder`` may also be the store. Raises StoreError."""
    path = folder / STORE if folder.is_dir() else folder
    if not path.exists():
        raise StoreError(f"there is no run in {folder}: it has no {STORE}; give the --out folder of 'arcloom solve'")
    return path


def latest_run(store: Store, number: int | None = None) -> Run:
    """The latest run of a search in a store, or the run with this number. Raises StoreError if there is none."""
    found = [run for run in runs.runs(store, COMMAND) if number in (None, run.id)]
    if not found:
        known = ", ".join(str(run.id) for run in runs.runs(store, COMMAND))
        known = f"its runs are {known}" if known else "it has none; 'arcloom solve --out FOLDER' makes one"
        raise StoreError(f"{store.path} has no {'run' if number is None else f'run {number}'}: {known}")
    return found[-1]


@dataclass(frozen=True)
class TaskResult:
    """The result of a run for one task.

    ``attempts`` are grouped by test input. ``origin`` is that of the program with the most weight; None if no program
    solves the demonstrations. ``found`` is the search time until the first solution, in seconds.
    """

    task: Task
    attempts: Sequence[Sequence[Attempt]]
    votes: Sequence[Vote]
    origin: str | None
    generations: int
    found: float | None
    seconds: Mapping[str, float]
    candidates: Mapping[str, int]

    @property
    def source(self) -> str | None:
        """The origin of the answer; GUESS if it is right although no program solves the demonstrations."""
        return GUESS if self.origin is None and self.state == "solved" else self.origin

    @property
    def expected(self) -> list[Grid | None]:
        """The expected outputs of the tests; None where they are unknown."""
        return [pair.output for pair in self.task.test]

    @property
    def right(self) -> list[bool | None]:
        """For each test, whether an attempt is right; None where the expected output is unknown."""
        return [
            None if output is None else any(attempt.grid == output for attempt in self._attempts(test))
            for test, output in enumerate(self.expected)
        ]

    def _attempts(self, test: int) -> Sequence[Attempt]:
        return self.attempts[test] if test < len(self.attempts) else ()

    @property
    def state(self) -> str:
        """One of STATES."""
        if self.right and all(self.right):
            return "solved"
        if self.votes:
            return "found" if None in self.right or not self.right else "wrong"
        return "open" if self.generations else "new"

    @property
    def confidence(self) -> float:
        """The least confidence of the first attempts."""
        return min((attempts[0].confidence for attempts in self.attempts if attempts), default=0.0)


class RunData:
    """A run with its tasks. Data are read from the store when they are first needed."""

    def __init__(self, store: Store, run: Run, data: str | None = None) -> None:
        """``data`` is the dataset of the run, by default the one that the run recorded."""
        self.store, self.run = store, run
        self.dataset = _tasks(data or str(run.settings.get("data")), self.sessions)

    @cached_property
    def sessions(self) -> list[Session]:
        """The sessions of the run."""
        return runs.sessions(self.store, self.run)

    @cached_property
    def origins(self) -> Origins:
        """Determines the origins of programs."""
        return Origins.of_settings(session.settings for session in self.sessions)

    @cached_property
    def is_running(self) -> bool:
        """Whether the search is still running."""
        return self.sessions[-1].ended is None and is_locked(self.store.path)

    @property
    def status(self) -> str:
        """The status of the run: "running", "killed" or "finished"."""
        if self.is_running:
            return "running"
        return "killed" if self.sessions[-1].ended is None else "finished"

    @cached_property
    def steps(self) -> list[Step]:
        """The completed generations of all tasks, in the order in which they were stored."""
        return runs.steps(self.store, self.run)

    @cached_property
    def clock(self) -> Clock:
        """The search time of the run."""
        return Clock.of(self.sessions, (step.stored for step in self.steps), time.time() if self.is_running else None)

    @cached_property
    def results(self) -> list[TaskResult]:
        """The results of all tasks, in the order of the dataset."""
        attempts, votes = runs.attempts(self.store, self.run), runs.votes(self.store, self.run)
        found = runs.solution_times(self.store, self.run)
        steps: dict[TaskKey, list[Step]] = {}
        for step in self.steps:
            steps.setdefault(step.task, []).append(step)
        return [self._result(task, attempts, votes, found, steps) for task in self.dataset]

    def _result(
        self,
        task: Task,
        attempts: Mapping[TaskKey, Sequence[Attempt]],
        votes: Mapping[TaskKey, Sequence[Vote]],
        found: Mapping[TaskKey, float],
        steps: Mapping[TaskKey, Sequence[Step]],
    ) -> TaskResult:
        key, own = TaskKey.of(task), steps.get(TaskKey.of(task), ())
        stored = attempts.get(key, ())
        return TaskResult(
            task,
            [[one for one in stored if one.test == test] for test in range(len(task.test))],
            votes.get(key, ()),
            self.origins.first(votes.get(key, ())),
            max((step.generation for step in own), default=0),
            self.clock.seconds(found[key]) if key in found else None,
            self._by_source(step.seconds for step in own),
            {name: int(number) for name, number in self._by_source(step.counts for step in own).items()},
        )

    def _by_source(self, counts: Iterable[Mapping[str, float]]) -> dict[str, float]:
        """The sums by source, with the names of sources that users see."""
        total: dict[str, float] = {}
        for one in counts:
            for name, number in one.items():
                named = self.origins.source(name)
                total[named] = total.get(named, 0) + number
        return total

    def record(self, task: Task) -> TaskRecord | None:
        """The stored state of a task."""
        return runs.task_record(self.store, self.run, TaskKey.of(task))

    def misses(self, task: Task, limit: int) -> list[Member]:
        """The members of a task's archive that do not solve all demonstrations, best first."""
        record = self.record(task)
        members = [] if record is None else [member for member in record.members if not member.solved]
        return sorted(members, key=lambda member: (-member.score, member.ordinal))[:limit]

    def ancestors(self, digest: str, limit: int = 20) -> list[tuple[str, str]]:
        """The chain of ancestors of a program: the digest of each, and the change that was made to it."""
        chain: list[tuple[str, str]] = []
        seen = {digest}
        while len(chain) < limit:
            parents = [parent for parent in self.store.parents_of(digest) if parent[0] not in seen]
            if not parents:
                break
            digest, how = parents[0]
            chain.append((digest, how))
            seen.add(digest)
        return chain


def _tasks(name: str, sessions: Sequence[Session]) -> Dataset:
    """The tasks of a run: the whole dataset, or the shards that its sessions searched. Raises DataError."""
    try:
        dataset = load(name)
    except DataError as error:
        raise DataError(f"the tasks of the run cannot be read: {error}; give their location with --data") from None
    shards = [session.settings.get("shard") for session in sessions]
    if None in shards:
        return dataset
    ids = {task.id for shard in shards for task in Shard.of(str(shard)).tasks(dataset)}
    return Dataset(dataset.name, tuple(task for task in dataset if task.id in ids))
