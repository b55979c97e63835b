"""The coordinator of a search: it owns the store, the clock and the submission, and sends units of work to workers."""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arcloom.cluster.memory_limits import WORKER_USES
from arcloom.cluster.messages import Adopted, Done, FailedUnit, Status, Unit
from arcloom.cluster.pool import Joined, Lost, PoolEvent, Refused, Replied, WorkerPool
from arcloom.cluster.schedule import Schedule
from arcloom.engine.devices import add_worker
from arcloom.search.loop import submission
from arcloom.search.loop.state import TaskState
from arcloom.search.loop.vote import Ballot
from arcloom.search.origin import Origins
from arcloom.search.time_profile import Totals
from arcloom.stopwatch import Deadline, Event
from arcloom.store import Delta, Run, Store, TaskKey, TaskRecord, Vote, runs
from arcloom.tasks.task import Grid, Task

SUBMISSION = "submission.json"

WRITE_EVERY = 15.0
"""Minimum seconds between two writes of the submission during a search."""

STORE_EVERY = 1.0
"""Minimum seconds between two transactions of the store. A killed run loses at most the work of this time."""

SHOW_EVERY = 0.25
"""Minimum seconds between two reports of progress."""

GRACE = 1.0
"""Seconds that workers have after the deadline to send the results of their last units."""

RESERVE = 0.4
"""Seconds at the end of the budget in which workers are stopped, and the final answers stored and written."""

LARGEST_RESERVE = 0.02
"""Maximum share of the budget that RESERVE may take."""


LATEST = 8
"""Maximum number of solutions in a report of progress."""

UNTYPED = "untyped"
"""Key of the untyped candidates in the counts by source."""


@dataclass(frozen=True)
class Solution:
    """The first program that solves all demonstrations of a task: its origin and its first test output."""

    task: str
    origin: str
    grid: Grid | None


@dataclass(frozen=True)
class SearchProgress:
    """The progress of a search. ``best`` is the mean of the tasks' best scores, from 0 to 1000.

    ``generation`` is the number of generations completed by every task that is still searched and has no solution. It
    and all counts include earlier sessions of a resumed run; ``left``, ``seconds`` and the rates are those of this
    session. ``before`` is the number of candidates of earlier sessions. ``sources`` and ``expressions`` are the numbers
    of candidates and of evaluated expressions in this session, by source. ``found`` counts the tasks whose
    demonstrations are solved, by the origin of their first solution; ``latest`` has the newest of these solutions.
    """

    left: float | None
    seconds: float
    generation: int
    candidates: int
    untyped: int
    tasks: int
    solved: int
    settled: int
    best: int
    before: int = 0
    sources: Mapping[str, int] = field(default_factory=dict)
    expressions: Mapping[str, int] = field(default_factory=dict)
    found: Mapping[str, int] = field(default_factory=dict)
    latest: Sequence[Solution] = ()

    @property
    def per_second(self) -> float:
        """Candidates per second in this session."""
        return self.rate(self.candidates - self.before)

    @property
    def expressions_per_second(self) -> float:
        """Expressions evaluated per second in this session."""
        return self.rate(sum(self.expressions.values()))

    def rate(self, number: int) -> float:
        """A count of this session per second."""
        return number / self.seconds if self.seconds > 0 else 0.0


class Journal:
    """Writes a run to the store. Deltas are collected and stored in one transaction, with the current statistics.

    ``command`` is the command line that repeats the run.
    """

    def __init__(self, store: Store, run: Run, command: str = "") -> None:
        self.store, self.run, self.command = store, run, command
        self.statistics: Callable[[], Mapping[str, Any]] = dict
        self._waiting: list[Delta] = []
        self._stored = time.monotonic()

    def add(self, deltas: Sequence[Delta]) -> None:
        """Add deltas. All pending deltas are stored if the last transaction was more than STORE_EVERY seconds ago."""
        self._waiting += deltas
        if time.monotonic() - self._stored >= STORE_EVERY:
            self.flush()

    def flush(self) -> None:
        """Store all pending deltas."""
        if self._waiting:
            runs.add_deltas(self.store, self.run, self._waiting, self.statistics())
            self._waiting = []
        self._stored = time.monotonic()

    def end(self) -> None:
        """Store all pending deltas and the final statistics."""
        runs.add_deltas(self.store, self.run, self._waiting, self.statistics())
        self._waiting = []

    def record(self, task: Task) -> TaskRecord | None:
        """The stored state of a task, including pending deltas."""
        self.flush()
        return runs.task_record(self.store, self.run, TaskKey.of(task))


class Coordinator:
    """Runs a search on the workers of a pool, until the deadline or until there is nothing left to do."""

    def __init__(
        self,
        tasks: Sequence[Task],
        pool: WorkerPool,
        journal: Journal,
        *,
        generations: int | None = None,
        seconds: float | None = None,
        spent: float = 0.0,
        out: Path | None = None,
        origins: Origins | None = None,
        memory: int = WORKER_USES,
    ) -> None:
        """``seconds`` is the remaining time of the budget, and ``spent`` the time used so far.

        ``out`` is the folder of the submission. ``origins`` determines the origins of solutions. A worker that uses
        more than ``memory`` bytes after a unit is replaced.
        """
        self._tasks = {task.id: task.without_answers() for task in tasks}
        self._pool, self._journal = pool, journal
        self._schedule = Schedule(self._tasks, generations)
        reserve = 0.0 if seconds is None else min(RESERVE, LARGEST_RESERVE * seconds)
        self._end = Deadline(seconds)
        self._deadline = Deadline(None if seconds is None else seconds - reserve)
        self._seconds = seconds
        self._began = time.monotonic() - spent
        self._out = out
        self._memory = memory
        self._busy: dict[int, list[str]] = {}
        self._idle: list[int] = []
        self._workers: set[int] = set()
        self._status: dict[str, Status] = {}
        self._held: dict[int, set[str]] = {}
        self._stale: dict[int, set[str]] = {}
        self.answers = submission.answers(map(TaskState, self._tasks.values()))
        self._origins = origins or Origins()
        self._solutions: dict[str, Solution] = {}
        self._earlier: Counter[str] = Counter()
        self.sources: dict[str, int] = {}
        self.expressions: Counter[str] = Counter()
        self.totals = Totals()
        self.events: dict[int, list[Event]] = {}
        self.problems: list[str] = []
        self.stopped = False
        self.peak_memory = self.most_workers = 0
        for task in self._tasks.values():
            if not task.train:
                self._schedule.end(task.id)
        self._resume()
        journal.statistics = self._statistics

    def _resume(self) -> None:
        """Load the stored state of the run, if it is resumed."""
        store, run = self._journal.store, self._journal.run
        stored, votes = runs.attempts(store, run), runs.votes(store, run)
        for step in runs.steps(store, run):
            if step.task.id in self._tasks:
                self._count(step.counts)
        self._earlier.update(self.sources)
        for id, task in self._tasks.items():
            key = TaskKey.of(task)
            if key in stored:
                record = runs.task_record(store, run, key)
                assert record is not None
                self.answers[id] = submission.stored_answers(stored[key])
                self._note(id, votes.get(key, ()))
                self._status[id] = _stored_status(task, record)
                self._schedule.update(id, self._status[id])

    def stop(self) -> None:
        """End the search soon. Running units are dropped. May be called from a signal handler."""
        self.stopped = True

    def run(self, watch: Callable[[SearchProgress], object] = lambda progress: None) -> None:
        """Run the search, end the workers and write the submission. It is also written after an error."""
        try:
            self._search(watch)
            self._pool.close()  # first, so that workers no longer compete for the processor
            self._journal.end()
        except BaseException:
            with suppress(OSError):
                self.write()
            raise
        finally:
            self._pool.close()
        self.write()

    def _search(self, watch: Callable[[SearchProgress], object]) -> None:
        if self._out is not None:
            self.write()
        written = shown = time.monotonic()
        while self._goes_on():
            for event in self._pool.wait(self._patience()):
                self._handle(event)
            self._give_work()
            now = time.monotonic()
            if now - shown >= SHOW_EVERY:
                watch(self.progress())
                shown = now
            if self._out is not None and now - written >= WRITE_EVERY:
                self.write()
                written = now

    def _goes_on(self) -> bool:
        if self.stopped:
            return False
        if not self._deadline.passed:
            return bool(self._busy) or not self._schedule.finished
        return bool(self._busy) and self._end.left > -GRACE

    def _patience(self) -> float:
        """Seconds to wait for the next event."""
        left = self._end.left + GRACE if self._deadline.passed else self._deadline.left
        return max(0.0, min(SHOW_EVERY, left))

    def _handle(self, event: PoolEvent) -> None:
        match event:
            case Joined(worker):
                self._workers.add(worker)
                self.most_workers = max(self.most_workers, len(self._workers))
                self._held[worker] = set()
                self._idle.append(worker)
            case Replied(worker, Done() as done):
                self._take(worker, done)
                self._free(worker, done.usage.memory)
            case Replied(worker, FailedUnit(tasks, error)):
                self._busy.pop(worker)
                self._held[worker].difference_update(tasks)
                self._fail(tasks, f"an error in arcloom, please report it:\n{error}")
                self._idle.append(worker)
            case Lost() as lost:
                self._lose(lost)
            case Refused(reason):
                self.problems.append(reason)

    def _take(self, worker: int, done: Done) -> None:
        """Store and count the results of a unit."""
        tasks = self._busy.pop(worker)
        self._journal.add(done.deltas)
        self._schedule.done(tasks, dict(done.status), done.usage.seconds)
        self._status.update(done.status)
        for delta in done.deltas:
            if delta.attempts:
                self.answers[delta.task.id] = submission.stored_answers(delta.attempts)
            self._note(delta.task.id, delta.votes)
            self._count(delta.counts)
        self.expressions.update(done.usage.expressions)
        add_worker(worker, done.usage.gpus)
        self.totals.add(done.usage.sections, done.usage.kernels)
        self.events.setdefault(worker, []).extend(done.usage.events)

    def _count(self, counts: Mapping[str, int]) -> None:
        """Add the numbers of candidates of a generation, by source."""
        for source, count in counts.items():
            self.sources[source] = self.sources.get(source, 0) + count

    def _note(self, task: str, votes: Sequence[Vote]) -> None:
        """Record the first solution of a task."""
        origin = self._origins.first(votes)
        if origin is not None and task not in self._solutions:
            answers = self.answers[task]
            self._solutions[task] = Solution(task, origin, answers[0].attempts[0] if answers else None)

    def _free(self, worker: int, memory: int) -> None:
        self.peak_memory = max(self.peak_memory, memory)
        if memory > self._memory:
            self._forget(worker)
            self._pool.retire(worker)
        else:
            self._idle.append(worker)

    def _forget(self, worker: int) -> None:
        self._workers.discard(worker)
        self._held.pop(worker, None)
        if worker in self._idle:
            self._idle.remove(worker)
        self._schedule.lost(worker)

    def _lose(self, lost: Lost) -> None:
        self._forget(lost.worker)
        tasks = self._busy.pop(lost.worker, [])
        if tasks and lost.blamed:
            self._fail(tasks, f"a worker was lost: {lost.reason}")
        else:
            self._schedule.returned(tasks)

    def _fail(self, tasks: Sequence[str], reason: str) -> None:
        before = set(self._schedule.skipped)
        self._schedule.failed(tasks)
        for task in set(self._schedule.skipped) - before:
            self.problems.append(f"task {task} is skipped after it failed twice; {reason}")

    def _give_work(self) -> None:
        if self._deadline.passed or self.stopped:
            return
        left = None if self._seconds is None else self._deadline.left
        waiting = []
        for worker in self._idle:
            tasks = self._schedule.take(worker, self._pool.size, left)
            if tasks:
                self._busy[worker] = tasks
                self._pool.send(worker, self._unit(worker, tasks, left))
            else:
                waiting.append(worker)
        self._idle = waiting

    def _unit(self, worker: int, tasks: Sequence[str], left: float | None) -> Unit:
        held = self._held[worker]
        moved = {task for other, others in self._held.items() if other != worker for task in others & set(tasks)}
        for other in self._held:
            if other != worker:
                self._stale.setdefault(other, set()).update(self._held[other] & moved)
                self._held[other] -= moved
        adopted = tuple(self._adopted(task) for task in tasks if task not in held)
        held.update(tasks)
        dropped = self._stale.pop(worker, set()).difference(tasks)
        return Unit(tuple(tasks), left, adopted, tuple(sorted(dropped)))

    def _adopted(self, task: str) -> Adopted:
        """A task with its stored state, for a worker that does not have it."""
        begun = task in self._status
        return Adopted(self._tasks[task], self._journal.record(self._tasks[task]) if begun else None)

    def progress(self) -> SearchProgress:
        """The progress so far."""
        found = self._status.values()
        new = {name: count - self._earlier[name] for name, count in self.sources.items() if name != UNTYPED}
        earlier = self._earlier.total() - self._earlier[UNTYPED]
        return SearchProgress(
            left=None if self._seconds is None else self._end.left,
            seconds=time.monotonic() - self._began,
            generation=self._generation(),
            candidates=sum(new.values()) + earlier,
            untyped=self.sources.get(UNTYPED, 0),
            tasks=len(self._tasks),
            solved=sum(status.solutions > 0 for status in found),
            settled=sum(status.settled for status in found),
            best=sum(status.best for status in found) // max(len(self._tasks), 1),
            before=earlier,
            sources={self._origins.source(name): count for name, count in new.items()},
            expressions=dict(self.expressions),
            found=Counter(solution.origin for solution in self._solutions.values()),
            latest=list(self._solutions.values())[-LATEST:],
        )

    def _statistics(self) -> dict[str, Any]:
        """The statistics of the session, in stored form."""
        return {
            "command": self._journal.command,
            "seconds": time.monotonic() - self._began,
            "workers": self.most_workers,
            "peak_memory": self.peak_memory,
            "candidates": dict(Counter(self.sources) - self._earlier),
            "settled": sum(status.settled for status in self._status.values()),
            "problems": self.problems,
            **self.totals.as_json(),
        }

    @property
    def all_failed(self) -> bool:
        """Whether all tasks failed: each ended its worker or raised an error."""
        return bool(self._tasks) and len(self._schedule.skipped) == len(self._tasks)

    def _generation(self) -> int:
        """The number of generations completed by all tasks still searched; if there are none, the maximum."""
        entries = [self._schedule[task] for task in self._tasks]
        open_ = [entry.generation for entry in entries if not entry.ended and not entry.solved]
        return min(open_) if open_ else max((entry.generation for entry in entries), default=0)

    def write(self) -> None:
        """Write the submission."""
        if self._out is not None:
            submission.write(self.answers, self._out / SUBMISSION)


def _stored_status(task: Task, record: TaskRecord) -> Status:
    """The status of a task from its stored state."""
    ballot = Ballot.of(task)
    for vote in record.votes:
        ballot.add(vote)
    best = max((member.score for member in record.members), default=0)
    return Status(record.generation, len(record.votes), ballot.convincing, ballot.settled, 0, best)
