"""The choice of the next unit of work.

The task with the fewest completed generations comes next. For a task with a convincing answer, WAIT is added to this
number, so that the other tasks come first. Ties are broken by the order of the tasks. A task stays with the worker that
ran it last, unless it is more than STEAL generations behind the tasks of an idle worker. A task ends when it is
settled, has reached the limit of generations, or has had no candidate for IDLE consecutive generations.

A unit has as many tasks of the same generation as take about TARGET seconds, estimated from earlier units of that
generation. Units are short, so that a budget can be used to its end, but not too short, because the candidates of one
unit share the work of tracing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arcloom.cluster.messages import Status

WAIT = 6
"""Number of generations by which a task with a convincing answer is delayed."""

STEAL = 2
"""A task moves to an idle worker if it is more than this number of generations behind that worker's own tasks."""

IDLE = 3
"""Number of consecutive generations without a candidate after which a task ends."""

TARGET, LARGEST = 1.0, 16
"""Intended duration of a unit in seconds, and the maximum number of its tasks."""

FAILURES = 2
"""Number of consecutive failures after which a task is skipped."""

SMOOTHING = 0.3
"""Weight of the latest unit in the running mean of seconds per task."""


@dataclass
class ScheduledTask:
    """A task in the schedule. ``solved`` says whether it has a convincing answer. ``owner`` is the worker that has its
    state, if any.
    """

    id: str
    order: int
    generation: int = 0
    solved: bool = False
    ended: bool = False
    owner: int | None = None
    busy: bool = False
    failures: int = 0
    alone: bool = False

    @property
    def priority(self) -> tuple[int, int]:
        """Tasks with a smaller value come first."""
        return self.generation + WAIT * self.solved, self.order


class Schedule:
    """The tasks of a search, and which of them comes next."""

    def __init__(self, tasks: Iterable[str], generations: int | None = None) -> None:
        """``generations`` is the number of generations after which a task ends."""
        self._entries = {id: ScheduledTask(id, order) for order, id in enumerate(tasks)}
        self._limit = generations
        self._seconds: dict[int, float] = {}

    def __getitem__(self, task: str) -> ScheduledTask:
        return self._entries[task]

    @property
    def finished(self) -> bool:
        """Whether all tasks have ended."""
        return all(entry.ended for entry in self._entries.values())

    @property
    def skipped(self) -> list[str]:
        """The tasks that were given up after FAILURES failures."""
        return [entry.id for entry in self._entries.values() if entry.failures >= FAILURES]

    def take(self, worker: int, workers: int, left: float | None = None) -> list[str]:
        """The tasks of the next unit for a worker; empty if there is nothing to do now. They are busy until ``done``.

        ``workers`` is the number of workers, and ``left`` the number of seconds until the deadline.
        """
        free = [entry for entry in self._entries.values() if not entry.busy and not entry.ended]
        own = [entry for entry in free if entry.owner in (None, worker)]
        first = min(own, key=_priority, default=None)
        other = min((entry for entry in free if entry.owner not in (None, worker)), key=_priority, default=None)
        if other is not None and (first is None or other.priority[0] + STEAL < first.priority[0]):
            first, own = other, [other]
        if first is None:
            return []
        size = self._size(first, len(free), workers, left)
        unit = sorted((entry for entry in own if _fits(entry, first)), key=_priority)[:size]
        for entry in unit:
            entry.busy, entry.owner = True, worker
        return [entry.id for entry in unit]

    def _size(self, first: ScheduledTask, free: int, workers: int, left: float | None) -> int:
        """The number of tasks in a unit that begins with this one."""
        if first.alone:
            return 1
        seconds = self._expected(first.generation)
        time = TARGET if left is None else min(TARGET, left)
        return max(1, min(LARGEST, int(time / seconds), -(-free // workers)))

    def _expected(self, generation: int) -> float:
        """The expected seconds per task in a generation, from units of this or the nearest earlier generation."""
        known = [number for number in self._seconds if number <= generation]
        return max(self._seconds[max(known)], 1e-3) if known else TARGET / 4

    def done(self, tasks: Sequence[str], status: dict[str, Status], seconds: float) -> None:
        """Record a completed unit."""
        each, generation = seconds / len(tasks), self._entries[tasks[0]].generation
        before = self._seconds.get(generation, each)
        self._seconds[generation] = before + SMOOTHING * (each - before)
        for task in tasks:
            self.update(task, status[task])
            entry = self._entries[task]
            entry.busy, entry.alone, entry.failures = False, False, 0

    def update(self, task: str, status: Status) -> None:
        """Set the state of a task."""
        entry = self._entries[task]
        entry.generation, entry.solved = status.generation, status.convincing
        limited = self._limit is not None and status.generation >= self._limit
        entry.ended = limited or status.settled or status.idle >= IDLE

    def end(self, task: str) -> None:
        """End a task that has nothing to search for."""
        self._entries[task].ended = True

    def failed(self, tasks: Sequence[str]) -> None:
        """Record a failed unit. Its tasks are retried one by one; a task that fails twice alone is skipped."""
        for task in tasks:
            entry = self._entries[task]
            entry.failures += 1 if len(tasks) == 1 else 0
            entry.busy, entry.owner, entry.alone = False, None, True
            entry.ended = entry.ended or entry.failures >= FAILURES

    def returned(self, tasks: Sequence[str]) -> None:
        """Record a unit that was lost for a reason other than its tasks."""
        for task in tasks:
            self._entries[task].busy, self._entries[task].owner = False, None

    def lost(self, worker: int) -> list[str]:
        """Record a lost worker. Returns the tasks that it owned and was not running."""
        orphans = [entry for entry in self._entries.values() if entry.owner == worker and not entry.busy]
        for entry in orphans:
            entry.owner = None
        return [entry.id for entry in orphans]


def _priority(entry: ScheduledTask) -> tuple[int, int]:
    return entry.priority


def _fits(entry: ScheduledTask, first: ScheduledTask) -> bool:
    """Whether a task can be in a unit that begins with another one."""
    return entry is first or (entry.generation == first.generation and entry.solved == first.solved and not entry.alone)
