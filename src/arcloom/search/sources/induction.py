"""Rule induction as a source of candidates."""

import hashlib
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TypeVar

import numpy as np

from arcloom.induce.feature_tables import FeatureTable, FeatureTables
from arcloom.induce.learn import Rule, learn
from arcloom.induce.rules import written
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

Outcome = TypeVar("Outcome")
Of = TypeVar("Of")

FIRST = 2
"""The generation in which a task is first analysed."""

REPAIRED, BEST = 3, 24
"""Maximum number of programs per generation that rules are learnt for, and the number of archive members considered."""

HELD_OUT = 0.5
"""Minimum share of demonstrations for which a rule learnt from the others is right."""

ANSWERS, FOR_EACH = 2, 2
"""Maximum number of different answers proposed for a task, and of rules for each."""


class Induction(Source):
    """Proposes programs that change cells by a rule over few features of a cell.

    Each task is analysed once as it is. After that, a task without a solution is analysed as other programs leave it: a
    rule then repairs the output of a program in the archive that gives the right shapes.
    """

    name = "induction"

    def __init__(self, device: str = "cpu") -> None:
        """Features are computed on a device."""
        self._looks = FeatureTables(device)

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
            look = None if deadline.passed else self._looks.at(task, view)
            if look is not None:
                yield from _proposed(task, look, Lineage(self.name, self.name))

    def _mending(self, task: Task, result: Evaluated) -> Iterator[Candidate]:
        program = result.candidate.program
        look = self._looks.through(task, result.outputs, program.output)
        if look is not None:
            yield from _proposed(task, look, result.candidate.lineage.then(self.name, program))


def partial(state: TaskState, source: str) -> Iterator[Evaluated]:
    """The best programs of the archive with the right shapes whose outputs a source has not analysed before."""
    seen = state.seen_by(source)
    for result in state.archive.ranked()[:BEST]:
        if all(result.outputs) and state.has_shapes(result) and seen.add(_hash(result.outputs)):
            yield result


def _hash(outputs: Outputs) -> int:
    """A key of outputs, which is the same in every process."""
    digest = hashlib.blake2b(b"".join(output or b"\0\0" for output in outputs), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def _proposed(task: Task, look: FeatureTable, lineage: Lineage) -> Iterator[Candidate]:
    found = [(rule, look) for rule in learn(look.cells)]
    for rule, _ in chosen(found):
        program = Program(solver_name(task.id), INPUTS, written(rule, look.term))
        yield Candidate(task.id, simplify(program, rules=()), lineage)  # features share much, and repeat it


def chosen(rules: Sequence[tuple[Rule[Outcome], Of]]) -> list[tuple[Rule[Outcome], Of]]:
    """The rules to propose, each with what it was learnt from: the best rules for the answers that most rules give."""
    groups: dict[bytes, list[tuple[Rule[Outcome], Of]]] = {}
    for rule, of in sorted(rules, key=lambda each: -weight(each[0])):
        if rule.held_out >= HELD_OUT:
            groups.setdefault(rule.predicted, []).append((rule, of))
    ranked = sorted(groups.values(), key=lambda group: -sum(weight(rule) for rule, _ in group))
    return [each for group in ranked[:ANSWERS] for each in group[:FOR_EACH]]


def weight(rule: Rule[Outcome]) -> float:
    """How much a rule is to be believed: simple ones that say something of all that is asked for more."""
    simple = np.exp2(-0.7 * rule.cost - 0.25 * len(rule.table))
    return float(rule.held_out**3 * simple * (0.3 if rule.unseen else 1.0))
