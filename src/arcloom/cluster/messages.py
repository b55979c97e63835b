"""The messages between the coordinator of a search and its workers. All are picklable plain data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from arcloom.engine.devices.base import Statistics
from arcloom.search.setup import Setup
from arcloom.stopwatch import Event
from arcloom.store import Delta, TaskRecord
from arcloom.tasks.task import Task


@dataclass(frozen=True)
class Assignment:
    """The first message to a worker: the search to build, whether replies contain kernel times and trace events, and
    the number of the worker on its machine."""

    setup: Setup
    kernels: bool = False
    events: bool = False
    number: int = 0


@dataclass(frozen=True)
class Adopted:
    """A task without its test outputs that is sent to a worker, and its stored state (None for a new task)."""

    task: Task
    record: TaskRecord | None = None


@dataclass(frozen=True)
class Unit:
    """A unit of work: the next generation of some tasks, which are all in the same generation.

    ``seconds`` is the time until the deadline, counted from the receipt of the message. ``adopted`` are the tasks of
    the unit that the worker does not have yet, and ``dropped`` are tasks that it no longer owns.
    """

    tasks: tuple[str, ...]
    seconds: float | None = None
    adopted: tuple[Adopted, ...] = ()
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True)
class Status:
    """The part of a task's state that the coordinator needs to choose the next unit and to show progress."""

    generation: int
    solutions: int
    convincing: bool
    settled: bool
    idle: int
    best: int


@dataclass(frozen=True)
class Usage:
    """The resources that a unit used: seconds; calls, seconds and seconds in the engine by section of the profile;
    calls, rows and seconds by kernel; events for a trace; the memory of the worker in bytes afterwards; the number of
    evaluated expressions by source; and the statistics of GPUs since the worker was started.
    """

    seconds: float = 0.0
    sections: Mapping[str, tuple[int, float, float]] = field(default_factory=dict)
    kernels: Mapping[str, tuple[int, int, float]] = field(default_factory=dict)
    events: Sequence[Event] = ()
    memory: int = 0
    expressions: Mapping[str, int] = field(default_factory=dict)
    gpus: Sequence[Statistics] = ()


@dataclass(frozen=True)
class Done:
    """A completed unit: the changes and the status of each task."""

    deltas: Sequence[Delta]
    status: Mapping[str, Status]
    usage: Usage


@dataclass(frozen=True)
class FailedUnit:
    """A unit that raised an exception. The worker has dropped the state of its tasks."""

    tasks: tuple[str, ...]
    error: str


Reply = Done | FailedUnit
