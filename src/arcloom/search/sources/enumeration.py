"""Bottom-up enumeration as a source of candidates."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from random import Random

from arcloom.engine.devices import device_of
from arcloom.enumerate.explorations import TaskExplorations
from arcloom.enumerate.explorer import Exploration, Explorer, Operation, Problem
from arcloom.enumerate.leaves import problem_of
from arcloom.enumerate.operations import operations
from arcloom.program.build import INPUTS, solver_name
from arcloom.program.term import Program, Term
from arcloom.search.loop.candidate import Candidate, Lineage
from arcloom.search.loop.source import Request, Source
from arcloom.stopwatch import Deadline
from arcloom.tasks.task import Task

FIRST, EVERY = 1, 4
"""Enumeration runs in generation 1 of a task and in every fourth generation after it."""

TRIES, GROWTH, LEVELS = 20_000, 3, 7
"""Number of expressions tried the first time, the factor from one time to the next, and the number of times."""

COMPLETE = 2
"""Number of times that all operations are used together. After that the tries are divided among random samples of the
operations: with fewer operations, larger expressions are reached by the same number of tries."""

SAMPLED, DOUBLED = 60_000, 2
"""Number of expressions tried with one sample of operations; it doubles after every DOUBLED times."""

SHARES = (0.5, 0.25)
"""The shares of operations in samples, by turns."""

POLL = 0.05
"""Seconds between two checks of the deadline while an enumeration runs."""

SOLUTIONS, NEAREST = 12, 4
"""Maximum number of candidates per task and level: programs that fit all demonstrations, and the best of the rest."""


class Enumeration(Source):
    """Proposes programs composed of operations, cheapest first, with more tries each time."""

    name = "enumeration"

    def __init__(self, chosen: Sequence[Operation] | None = None, device: str = "cpu") -> None:
        """``chosen`` replaces the bundled operations."""
        self._device = device
        used = operations() if chosen is None else chosen
        self._operations = len(used)
        self._explorer = Explorer(used)

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
        work = TaskExplorations(self._explorer, problems)
        with self._stopped_at(request.deadline):
            explored = device_of(self._device).explore(work)
            while not request.deadline.passed:
                found = next(explored, None)
                if found is None:
                    return
                for number, each in found.items():
                    self.expressions += each.evaluated
                    yield from _candidates(tasks[number], each)

    def _problems(self, task: Task, level: int) -> Iterator[Problem]:
        """The enumerations of a task: one with all operations, or several with samples of them."""
        tries = TRIES * GROWTH**level
        if level < COMPLETE:
            yield problem_of(task, tries)
            return
        rng, each = Random(f"{task.id} {level}"), SAMPLED * 2 ** ((level - COMPLETE) // DOUBLED)
        for number in range(round(tries / each)):
            share = SHARES[number % len(SHARES)]
            unused = [k for k in range(self._operations) if rng.random() >= share]
            yield replace(problem_of(task, each), unused=unused)

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
                self._explorer.stop()


def level_of(generation: int) -> int:
    """The number of enumerations of a task before this generation."""
    return (generation - FIRST + EVERY - 1) // EVERY


def _candidates(task: Task, found: Exploration) -> Iterator[Candidate]:
    for each in (*found.solutions[:SOLUTIONS], *found.nearest[:NEAREST]):
        yield Candidate(task.id, _program(task, each.output), Lineage(Enumeration.name, Enumeration.name))


def _program(task: Task, output: Term) -> Program:
    program = Program(solver_name(task.id), INPUTS, output)
    return program.with_lines(range(1, len(program) + 1))
