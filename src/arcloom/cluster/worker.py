"""A worker: it owns the state of tasks and runs their generations. Processes and Ray actors use the same class."""

import gc
import time
import traceback
from dataclasses import replace

from arcloom.cluster.memory_limits import resident
from arcloom.cluster.messages import Assignment, Done, FailedUnit, Reply, Status, Unit, Usage
from arcloom.engine.devices import used_gpus
from arcloom.engine.devices.base import be_worker
from arcloom.engine.memory import release_memory
from arcloom.engine.work import limit_threads
from arcloom.search.loop.state import TaskState
from arcloom.search.setup import Setup
from arcloom.search.time_profile import Profiler
from arcloom.stopwatch import Deadline
from arcloom.store import Delta

COLLECT_ALL = 100
"""Number of units between two full garbage collections. Collections in between scan only new objects, because scanning
millions of terms for cycles takes long and finds few."""


class Worker:
    """Runs units of work. It has the state of the tasks that it owns, and its own search."""

    def __init__(self, setup: Setup, *, kernels: bool = False, events: bool = False) -> None:
        """``kernels`` adds times of kernels to replies, and ``events`` the events of a trace."""
        self._profiler = Profiler()
        self._events = events
        self._evolution = setup.build(self._profiler.stopwatch)
        self._states: dict[str, TaskState] = {}
        self._sent: set[str] = set()
        self._units = 0
        gc.collect()
        gc.freeze()
        gc.disable()
        if kernels:
            self._profiler.start_noting()

    def run(self, unit: Unit) -> Reply:
        """Run a unit. If it raises an exception, the reply is a FailedUnit."""
        deadline = Deadline(unit.seconds)
        try:
            return self._run(unit, deadline)
        except Exception:
            for task in unit.tasks:
                self._states.pop(task, None)
            return FailedUnit(unit.tasks, traceback.format_exc())

    def _run(self, unit: Unit, deadline: Deadline) -> Done:
        start = time.perf_counter()
        self._adopt(unit)
        states = [self._states[task] for task in unit.tasks]
        deltas = self._evolution.step(states, deadline)
        with self._profiler.stopwatch.section("collecting garbage"):
            self._units += 1
            gc.collect(2 if self._units % COLLECT_ALL == 0 else 0)
            release_memory()
        status = {state.task.id: _status(state) for state in states}
        return Done([self._unsent(delta) for delta in deltas], status, self._usage(start))

    def _adopt(self, unit: Unit) -> None:
        for task in unit.dropped:
            self._states.pop(task, None)
        for new in unit.adopted:
            state = TaskState(new.task) if new.record is None else TaskState.restored(new.task, new.record)
            self._states[new.task.id] = state

    def _unsent(self, delta: Delta) -> Delta:
        """The delta without the texts of programs that were sent before."""
        new = [program for program in delta.programs if program.digest not in self._sent]
        self._sent.update(program.digest for program in new)
        return replace(delta, programs=new)

    def _usage(self, start: float) -> Usage:
        sections = {s.name: (s.calls, s.seconds, s.metered) for s in self._profiler.stopwatch.take_sections()}
        events = self._profiler.stopwatch.take_events()
        kernels = self._profiler.take_kernels()
        seconds = time.perf_counter() - start
        expressions = {source.name: n for source in self._evolution.sources if (n := source.take_expressions())}
        return Usage(seconds, sections, kernels, events if self._events else (), resident(), expressions, used_gpus())


def assigned(assignment: Assignment) -> Worker:
    """A worker with a single thread, for a process that only runs this worker."""
    limit_threads(1)
    be_worker(assignment.number)
    return Worker(assignment.setup, kernels=assignment.kernels, events=assignment.events)


def _status(state: TaskState) -> Status:
    best = state.archive.best
    score = 0 if best is None else best.score
    return Status(state.generation, state.solutions, state.convincing, state.settled, state.idle, score)
