"""A source that proposes rules for cells over the grids that enumeration finds."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from arcloom.engine.devices import device_of
from arcloom.enumerate.enumerations import TaskEnumerations
from arcloom.enumerate.enumerator import EnumerationResult, Enumerator, Problem
from arcloom.enumerate.leaves import problem_of
from arcloom.induce.compositions import composition_table
from arcloom.induce.feature_tables import FeatureTables
from arcloom.search.loop.candidate import Candidate, Lineage
from arcloom.search.loop.source import Request, Source
from arcloom.search.sources.induction import proposed_rules
from arcloom.tasks.task import Task

FIRST, EVERY = 3, 4
"""The first generation of a task in which compositions are learnt, and the interval after it."""

TRIES = 20_000
"""Number of expressions tried in each enumeration."""

SHARE = 0.5
"""The share of all operations that a random sample contains. The first enumeration of a task uses all operations."""

POOLS, MOST = (400, 2_000), (32, 48)
"""In turn: the number of grids from which features are chosen, the cheapest ones, and the number of features."""


class Composition(Source):
    """Proposes programs that compose the output cell by cell from grids that enumeration finds.

    It samples other operations each time, while the answers of a task are not convincing.
    """

    name = "composition"

    def __init__(self, enumerator: Enumerator, device: str = "cpu") -> None:
        """``device`` enumerates, and computes the features."""
        self._device = device
        self._enumerator = enumerator
        self._tables = FeatureTables(device)

    def is_due(self, generation: int) -> bool:
        """See ``Source``."""
        return generation >= FIRST and (generation - FIRST) % EVERY == 0

    def propose(self, request: Request) -> Iterator[Candidate]:
        """See ``Source``."""
        tasks = [state.task for state in request.states if not state.convincing]
        turn = (request.generation - FIRST) // EVERY
        work = TaskEnumerations(self._enumerator, [self._problem(task, turn) for task in tasks])
        for found in device_of(self._device).enumerate(work):
            if request.deadline.passed:
                return
            for number, each in found.items():
                self.expressions += each.evaluated
                yield from self._ruled(tasks[number], each, turn)

    def _problem(self, task: Task, turn: int) -> Problem:
        rng = Random(f"{task.id} {self.name} {turn}")
        unused = [k for k in range(self._enumerator.count) if turn and rng.random() >= SHARE]
        return replace(problem_of(task, TRIES), unused=unused, pictures=POOLS[turn % len(POOLS)])

    def _ruled(self, task: Task, found: EnumerationResult, turn: int) -> Iterator[Candidate]:
        table = composition_table(self._tables, task, found.pictures, MOST[turn % len(MOST)])
        if table is not None:
            yield from proposed_rules(task, table, Lineage(self.name, self.name))
