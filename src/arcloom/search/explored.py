"""Enumeration as a source of candidates: tasks are explored a few at a time, and again with more tries."""

import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from arcloom.engine.devices.cpu import borrowed
from arcloom.engine.explorer import Exploration, Explorer, Given, Operation
from arcloom.program.term import Program, Term
from arcloom.search.candidate import INPUTS, SOLVER, Candidate, Evaluated, Lineage
from arcloom.search.facts import INPUT, Facts, literal
from arcloom.search.operations import learnt_costs, operations
from arcloom.search.state import TaskState
from arcloom.tasks.task import Task

TASKS = 64
"""So many tasks are explored in one generation."""

TRIES = 20_000
"""So many expressions are tried when a task is explored for the first time; each time after, GROWTH times as many."""

GROWTH, MOST_GROWTH = 3, 6
PRICE = 80
"""No expression may cost more half bits."""

ENOUGH = 40
"""So many different solutions of a task are enough."""

OFTEN = 0.05
"""Every so many seconds somebody looks whether there is time left."""

SOLUTIONS, NEAREST = 12, 4
"""So many solutions of a task are proposed, and of the rest so many that come nearest."""

INPUT_GIVEN = "the input"
LIKELY_COLOUR, OTHER_COLOUR = "a likely colour", "another colour"
LIKELY_NUMBER, OTHER_NUMBER = "a likely number", "another number"
OUTPUT_SHAPE, DIRECTION = "the output's shape", "a direction"
"""What constants and the input are called where costs are looked up and uses counted."""

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
        self._ahead: list[tuple[Task, Future[Exploration | None]]] | None = None
        self.goes_on = goes_on

    def ask(self, states: Sequence[TaskState], each: int, generation: int) -> list[Candidate]:
        """See ``Source``. While the candidates are run, the next tasks are explored already."""
        under_way = self._begun(states) if self._ahead is None else self._ahead
        with self._watched():
            found = [(task, future.result()) for task, future in under_way]
        self._times.update(task.id for task, result in found if result is not None)
        self._ahead = self._begun(states)
        return [candidate for task, result in found if result for candidate in _candidates(task, result)]

    def _begun(self, states: Sequence[TaskState]) -> list[tuple[Task, Future[Exploration | None]]]:
        """Begin with those explored least often; a task that has a solution waits for one more round."""
        least = sorted(states, key=lambda state: self._times[state.task.id] + (state.solutions > 0))
        return [(state.task, self._pool.submit(self._explore, state.task)) for state in least[: self._tasks]]

    def close(self) -> None:
        """End all explorations, also those that were begun ahead."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._explorer.stop()

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
        return explore_task(self._explorer, task, TRIES * GROWTH ** min(self._times[task.id], MOST_GROWTH))


def explore_task(explorer: Explorer, task: Task, tries: int, costs: Mapping[str, int] | None = None) -> Exploration:
    """What so many tries find for a task; without ``costs``, what it starts from costs what was learnt."""
    answers = [pair.output for pair in task.train]
    with borrowed() as device:
        return explorer.explore(givens(task, costs), answers, device=device, tries=tries, price=PRICE, enough=ENOUGH)


def _candidates(task: Task, found: Exploration) -> list[Candidate]:
    chosen = (*found.solutions[:SOLUTIONS], *found.nearest[:NEAREST])
    return [Candidate(task.id, _program(task, each.output), LINEAGE) for each in chosen]


def _program(task: Task, output: Term) -> Program:
    program = Program(SOLVER + task.id, INPUTS, output)
    return program.with_lines(range(1, len(program) + 1))


def givens(task: Task, costs: Mapping[str, int] | None = None) -> list[Given]:
    """What expressions for a task start from: its input, and constants that it suggests, the likelier the cheaper."""
    prices = learnt_costs() if costs is None else costs
    count = len(task.samples)
    return [
        Given(INPUT, "grid", prices[INPUT_GIVEN], [pair.input for pair in task.samples], INPUT_GIVEN),
        *(
            Given(literal(value), sort, prices[name], [value] * count, name)
            for sort, names in _constants(task)
            for value, name in names.items()
        ),
    ]


def _constants(task: Task) -> list[tuple[str, dict[Any, str]]]:
    """The constants of each sort, and what each is counted as."""
    facts = Facts(task)
    colours = {0: LIKELY_COLOUR} | dict.fromkeys([*facts.seen, *facts.wanted], OTHER_COLOUR)
    colours |= dict.fromkeys(_always(task), LIKELY_COLOUR)
    numbers = {2: LIKELY_NUMBER, 3: LIKELY_NUMBER, 1: OTHER_NUMBER, 4: OTHER_NUMBER}
    pairs = dict.fromkeys(_DIRECTIONS, DIRECTION)
    if facts.one_output_shape:
        pairs |= {shape.value: OUTPUT_SHAPE for shape in facts.pairs[:1]}
    return [("colour", colours), ("number", numbers), ("pair", pairs)]


_DIRECTIONS = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (-1, -1), (1, -1), (-1, 1))


def _always(task: Task) -> set[int]:
    """The colours that every demonstration's output has."""
    return set.intersection(*({cell for row in pair.output or () for cell in row} for pair in task.train))
