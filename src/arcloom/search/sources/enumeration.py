"""Bottom-up enumeration as a source of candidates."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from random import Random

from arcloom.engine.devices import device_of
from arcloom.enumerate.enumerations import TaskEnumerations
from arcloom.enumerate.enumerator import EnumerationResult, Enumerator, Operation, Problem
from arcloom.enumerate.leaves import problem_of
from arcloom.enumerate.operations import operations
from arcloom.program.build import INPUTS, solver_name
from arcloom.program.term import Program, Term
from arcloom.search.loop.candidate import Candidate, Lineage
from arcloom.search.loop.source import Request, Source
from arcloom.stopwatch import Deadline
from arcloom.tasks.task import Task

FIRST, EVERY = 1, 4
"""The first generation of a task in which enumeration runs, and the interval after it."""

TRIES, GROWTH, LEVELS = 20_000, 3, 7
"""Number of expressions tried in the first enumeration of a task (level 0), the factor from level to level, and the
number of levels."""

COMPLETE = 2
"""Number of levels that use all operations. Higher levels divide their tries among random samples of the operations:
with fewer operations, the same number of tries reaches larger expressions."""

SAMPLED, DOUBLED = 60_000, 2
"""Number of expressions tried with one sample of operations; it doubles every DOUBLED levels."""

SHARES = (0.5, 0.25)
"""The shares of all operations that samples contain, in turn."""

POLL = 0.05
"""Seconds between two checks of the deadline while an enumeration runs."""

SOLUTIONS, NEAREST = 12, 4
"""Maximum number of candidates per task and level: solutions of all demonstrations, and the best other programs."""


class Enumeration(Source):
    """Proposes programs composed of operations, found by bottom-up enumeration with more tries at each level."""

    name = "enumeration"

    def __init__(self, chosen: Sequence[Operation] | None = None, device: str = "cpu") -> None:
        """``chosen`` replaces the bundled operations."""
        self._device = device
        self.enumerator = Enumerator(operations() if chosen is None else chosen)

    def is_due(self, generation: int) -> bool:
        """See ``Source``."""
        return generation % EVERY == FIRST and level_of(generation) < LEVELS

    def propose(self, request: Request) -> Iterator[Candidate]:
        """See ``Source``."""
        level = level_of(request.generation)
        tasks, problems = [], []
        for state in request.states:
            for problem in self._problems(state.task, level):
                tasks.append(state.task)
                problems.append(problem)
        work = TaskEnumerations(self.enumerator, problems)
        with self._stopped_at(request.deadline):
            enumerated = device_of(self._device).enumerate(work)
            while not request.deadline.passed:
                found = next(enumerated, None)
                if found is None:
                    return
                for number, each in found.items():
                    self.expressions += each.evaluated
                    yield from _candidates(tasks[number], each)

    def _problems(self, task: Task, level: int) -> Iterator[Problem]:
        """The enumerations of a task at a level: one with all operations, or several with samples of them."""
        tries = TRIES * GROWTH**level
        if level < COMPLETE:
            yield problem_of(task, tries)
            return
        rng, each = Random(f"{task.id} {level}"), SAMPLED * 2 ** ((level - COMPLETE) // DOUBLED)
        problem = problem_of(task, each)
        for number in range(round(tries / each)):
            share = SHARES[number % len(SHARES)]
            unused = [k for k in range(self.enumerator.count) if rng.random() >= share]
            yield replace(problem, unused=unused)

    @contextmanager
    def _stopped_at(self, deadline: Deadline) -> Iterator[None]:
        """Stop the enumeration that runs in this context when the deadline passes."""
        done = threading.Event()
        watcher = threading.Thread(target=self._watch, args=(done, deadline), daemon=True)
        watcher.start()
        try:
            yield
        finally:
            done.set()
            watcher.join()

    def _watch(self, done: threading.Event, deadline: Deadline) -> None:
        while not done.wait(POLL):
            if deadline.passed:
                self.enumerator.stop()


def level_of(generation: int) -> int:
    """The level of a generation: the number of enumerations of a task before it."""
    return (generation - FIRST + EVERY - 1) // EVERY


def _candidates(task: Task, found: EnumerationResult) -> Iterator[Candidate]:
    for each in (*found.solutions[:SOLUTIONS], *found.nearest[:NEAREST]):
        yield Candidate(task.id, _program(task, each.output), Lineage(Enumeration.name, Enumeration.name))


def _program(task: Task, output: Term) -> Program:
    program = Program(solver_name(task.id), INPUTS, output)
    return program.with_lines(range(1, len(program) + 1))
