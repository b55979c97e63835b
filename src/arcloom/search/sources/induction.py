"""A source that proposes rules for cells, learnt from the demonstrations."""

import hashlib
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TypeVar

import numpy as np

from arcloom.induce.cell_rules import written
from arcloom.induce.feature_tables import FeatureTable, FeatureTables
from arcloom.induce.learn import Rule, learn
from arcloom.induce.views import views
from arcloom.program.build import INPUTS, solver_name
from arcloom.program.simplify import simplify
from arcloom.program.term import Program
from arcloom.search.loop.candidate import Candidate, Evaluated, Lineage
from arcloom.search.loop.source import Request, Source
from arcloom.search.loop.state import TaskState
from arcloom.stopwatch import Deadline
from arcloom.store.records import Outputs
from arcloom.tasks.task import Task

AnyOutcome = TypeVar("AnyOutcome")
Of = TypeVar("Of")

FIRST = 2
"""The generation in which a task is first analysed."""

REPAIRED, BEST = 3, 24
"""Maximum number of archive members per generation whose outputs are repaired, and the number of members considered."""

HELD_OUT = 0.5
"""Minimum share of demonstrations for which the rule learnt from the others is correct."""

ANSWERS, FOR_EACH = 2, 2
"""Maximum number of different predicted answers per task, and of rules proposed for each."""


class Induction(Source):
    """Proposes programs that change cells by a rule over few features of a cell.

    Rules are learnt once from the inputs of a task. After that, while the task has no solution, rules are learnt from
    the outputs of archive members that have the correct shapes, to repair these outputs.
    """

    name = "induction"

    def __init__(self, device: str = "cpu") -> None:
        """``device`` computes the features."""
        self._tables = FeatureTables(device)

    def is_due(self, generation: int) -> bool:
        """See ``Source``."""
        return generation >= FIRST

    def propose(self, request: Request) -> Iterator[Candidate]:
        """See ``Source``."""
        for state in request.states:
            if request.generation == FIRST:
                yield from self._ruled(state.task, request.deadline)
            elif not state.solutions:
                for result in islice(partial(state, self.name), REPAIRED):
                    if not request.deadline.passed:
                        yield from self._mending(state.task, result)

    def _ruled(self, task: Task, deadline: Deadline) -> Iterator[Candidate]:
        for view in views(task):
            table = None if deadline.passed else self._tables.at(task, view)
            if table is not None:
                yield from proposed_rules(task, table, Lineage(self.name, self.name))

    def _mending(self, task: Task, result: Evaluated) -> Iterator[Candidate]:
        program = result.candidate.program
        table = self._tables.through(task, result.outputs, program.output)
        if table is not None:
            yield from proposed_rules(task, table, result.candidate.lineage.then(self.name, program))


def partial(state: TaskState, source: str) -> Iterator[Evaluated]:
    """The best archive members with outputs of the correct shapes that the source has not analysed before."""
    seen = state.seen_by(source)
    for result in state.archive.ranked()[:BEST]:
        if all(result.outputs) and state.has_shapes(result) and seen.add(_hash(result.outputs)):
            yield result


def _hash(outputs: Outputs) -> int:
    """A 64-bit hash of outputs that is the same in every process."""
    digest = hashlib.blake2b(b"".join(output or b"\0\0" for output in outputs), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def proposed_rules(task: Task, table: FeatureTable, lineage: Lineage) -> Iterator[Candidate]:
    """The programs of the best rules for the cells of a table."""
    found = [(rule, table) for rule in learn(table.cells)]
    for rule, _ in chosen(found):
        program = Program(solver_name(task.id), INPUTS, written(rule, table.term))
        yield Candidate(task.id, simplify(program, rules=()), lineage)  # merges common subterms of features


def chosen(rules: Sequence[tuple[Rule[AnyOutcome], Of]]) -> list[tuple[Rule[AnyOutcome], Of]]:
    """The rules to propose: the best ones for each of the predicted answers with the most weight.

    Each rule is paired with the items that it was learnt from.
    """
    groups: dict[bytes, list[tuple[Rule[AnyOutcome], Of]]] = {}
    for rule, of in sorted(rules, key=lambda each: -weight(each[0])):
        if rule.held_out >= HELD_OUT:
            groups.setdefault(rule.predicted, []).append((rule, of))
    ranked = sorted(groups.values(), key=lambda group: -sum(weight(rule) for rule, _ in group))
    return [each for group in ranked[:ANSWERS] for each in group[:FOR_EACH]]


def weight(rule: Rule[AnyOutcome]) -> float:
    """The weight of a rule. Simple rules weigh more; rules that meet unseen feature values in the tests weigh less."""
    simple = np.exp2(-0.7 * rule.cost - 0.25 * len(rule.table))
    return float(rule.held_out**3 * simple * (0.3 if rule.unseen else 1.0))
