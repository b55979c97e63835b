"""Enumeration as a source of candidates: tasks are explored a few at a time, and again with more tries."""

import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from arcloom.engine.devices.cpu import borrowed
from arcloom.engine.explorer import Exploration, Explorer, Given, Operation
from arcloom.program.term import Program, Term
from arcloom.search.candidate import INPUTS, SOLVER, Candidate, Evaluated, Lineage
from arcloom.search.facts import INPUT, Facts, literal
from arcloom.search.operations import operations
from arcloom.search.state import TaskState
from arcloom.tasks.task import Task

TASKS = 64
"""So many tasks are explored in one generation."""

TRIES = 20_000
"""So many expressions are tried when a task is explored for the first time; each time after, GROWTH times as many."""

GROWTH, MOST_GROWTH = 3, 6
PRICE = 14
"""No expression may cost more."""

ENOUGH = 40
"""So many different solutions of a task are enough."""

OFTEN = 0.05
"""Every so many seconds somebody looks whether there is time left."""

SOLUTIONS, NEAREST = 12, 4
"""So many solutions of a task are proposed, and of the rest so many that come nearest."""

LINEAGE = Lineage("explored", "explored")


class Explored:
    """Programs found by exploring from the bottom up."""

    stage = "exploring"

    def __init__(
        self,
        chosen: Sequence[Operation] | None = None,
        *,
        tasks: int = TASKS,
        workers: int | None = None,
        goes_on: Callable[[], bool] = lambda: True,
    ) -> None:
        """``goes_on`` is asked again and again: when there is no time left, the rest of a generation is left out."""
        self._explorer = Explorer(operations() if chosen is None else chosen)
        self._tasks = tasks
        self._pool = ThreadPoolExecutor(workers or os.cpu_count())
        self._times: Counter[str] = Counter()
        self.goes_on = goes_on

    def ask(self, states: Sequence[TaskState], each: int, generation: int) -> list[Candidate]:
        """See ``Source``: the tasks that were explored least often are explored again."""
        least = sorted(states, key=lambda state: self._times[state.task.id])
        chosen = [state.task for state in least[: self._tasks]]
        with self._watched():
            found = list(zip(chosen, self._pool.map(self._explore, chosen), strict=True))
        self._times.update(task.id for task, result in found if result is not None)
        return [candidate for task, result in found if result for candidate in _candidates(task, result)]

    def tell(self, results: Sequence[Evaluated]) -> None:
        """See ``Source``. What others found makes no difference here."""

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """What is explored within ends when there is no time left."""
        done = threading.Event()
        watcher = threading.Thread(target=self._watch, args=(done,), daemon=True)
        watcher.start()
        try:
            yield
        finally:
            done.set()
            watcher.join()

    def _watch(self, done: threading.Event) -> None:
        while not done.wait(OFTEN):
            if not self.goes_on():
                self._explorer.stop()

    def _explore(self, task: Task) -> Exploration | None:
        if not self.goes_on():
            return None
        tries = TRIES * GROWTH ** min(self._times[task.id], MOST_GROWTH)
        answers = [pair.output for pair in task.train]
        with borrowed() as device:
            return self._explorer.explore(givens(task), answers, device=device, tries=tries, price=PRICE, enough=ENOUGH)


def _candidates(task: Task, found: Exploration) -> list[Candidate]:
    chosen = (*found.solutions[:SOLUTIONS], *found.nearest[:NEAREST])
    return [Candidate(task.id, _program(task, each.output), LINEAGE) for each in chosen]


def _program(task: Task, output: Term) -> Program:
    program = Program(SOLVER + task.id, INPUTS, output)
    return program.with_lines(range(1, len(program) + 1))


def givens(task: Task) -> list[Given]:
    """What expressions for a task start from: its input, and constants that it suggests, the likelier the cheaper."""
    facts, count = Facts(task), len(task.samples)
    inputs = [pair.input for pair in task.samples]
    colours = {0: 1} | dict.fromkeys(facts.seen, 2) | dict.fromkeys(facts.wanted, 2) | dict.fromkeys(_always(task), 1)
    numbers = {2: 1, 3: 1, 1: 2, 4: 2}
    pairs = dict.fromkeys(_DIRECTIONS, 2)
    if facts.one_output_shape:
        pairs |= {shape.value: 1 for shape in facts.pairs[:1]}
    constants: list[tuple[str, dict[Any, int]]] = [("colour", colours), ("number", numbers), ("pair", pairs)]
    return [
        Given(INPUT, "grid", 1, inputs),
        *(
            Given(literal(value), sort, cost, [value] * count)
            for sort, costs in constants
            for value, cost in costs.items()
        ),
    ]


_DIRECTIONS = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (-1, -1), (1, -1), (-1, 1))


def _always(task: Task) -> set[int]:
    """The colours that every demonstration's output has."""
    return set.intersection(*({cell for row in pair.output or () for cell in row} for pair in task.train))
