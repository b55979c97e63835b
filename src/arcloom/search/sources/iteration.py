"""A source that proposes rules for cells that are applied repeatedly."""

from collections.abc import Iterator

from arcloom.induce.feature_tables import FeatureTables
from arcloom.induce.iterated import neighbour_table, reads_result, written_repeatedly
from arcloom.induce.learn import learn
from arcloom.program.build import INPUTS, solver_name
from arcloom.program.simplify import simplify
from arcloom.program.term import Program
from arcloom.search.loop.candidate import Candidate, Lineage
from arcloom.search.loop.source import Request, Source
from arcloom.search.sources.induction import HELD_OUT, weight
from arcloom.tasks.task import Task

FIRST = 3
"""The generation in which rules are learnt for a task."""

PROPOSED = 8
"""Maximum number of rules proposed for a task."""


class Iteration(Source):
    """Proposes programs that repeatedly apply a rule about a cell and its neighbours."""

    name = "iteration"

    def __init__(self, device: str = "cpu") -> None:
        """``device`` computes the features."""
        self._tables = FeatureTables(device)

    def is_due(self, generation: int) -> bool:
        """See ``Source``."""
        return generation == FIRST

    def propose(self, request: Request) -> Iterator[Candidate]:
        """See ``Source``."""
        for state in request.states:
            if not request.deadline.passed and state.task.keeps_shapes:
                yield from self._ruled(state.task)

    def _ruled(self, task: Task) -> Iterator[Candidate]:
        table = neighbour_table(self._tables, task)
        if table is None:
            return
        rules = [rule for rule in learn(table.cells) if rule.held_out >= HELD_OUT and reads_result(rule, table)]
        for rule in sorted(rules, key=weight, reverse=True)[:PROPOSED]:
            program = Program(solver_name(task.id), INPUTS, written_repeatedly(rule, table))
            yield Candidate(task.id, simplify(program, rules=()), Lineage(self.name, self.name))
