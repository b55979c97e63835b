"""Rule induction as a source of candidates: each task is looked at once."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import numpy as np

from arcloom.program.simplify import simplify
from arcloom.program.term import Program
from arcloom.search.candidate import INPUTS, SOLVER, Candidate, Evaluated, Lineage
from arcloom.search.induction.learn import Rule, learn
from arcloom.search.induction.look import Look, Looks
from arcloom.search.induction.rules import written
from arcloom.search.induction.views import views
from arcloom.search.state import TaskState
from arcloom.tasks.task import Task

TASKS = 100
"""So many tasks are looked at in one generation."""

MENDED, BEST = 96, 8
"""So many kept programs are looked through in one generation, of each task only among so many of the best."""

HELD_OUT = 0.5
"""A rule is proposed if it is right for such a share of demonstrations by what the others say."""

ANSWERS, FOR_EACH = 2, 2
"""So many different answers are proposed for a task, and so many rules for each."""

Outputs = tuple[bytes | None, ...]
LINEAGE = Lineage("induced", "induced")


class Induced:
    """Programs that change cells by a rule which few features of a cell tell.

    Every task is looked at once as it is. After that, tasks without a solution are looked at again through what other
    programs make of them: a rule then mends what a kept program of the right shapes leaves wrong.
    """

    def __init__(self, *, tasks: int = TASKS, mended: int = MENDED, goes_on: Callable[[], bool] = lambda: True) -> None:
        """``goes_on`` is asked before each task: when there is no time left, the rest of a generation is left out."""
        self._tasks, self._mended = tasks, mended
        self._done: set[str] = set()
        self._tried: dict[str, set[Outputs]] = {}
        self._looks = Looks()
        self.goes_on = goes_on

    def ask(self, states: Sequence[TaskState], each: int, generation: int) -> list[Candidate]:
        """See ``Source``."""
        new = [state.task for state in states if state.task.id not in self._done][: self._tasks]
        self._done.update(task.id for task in new)
        found = [candidate for task in new if self.goes_on() for candidate in self._ruled(task)]
        if not new:
            chances = islice(self._chances(states), self._mended)
            found += [candidate for chance in chances if self.goes_on() for candidate in self._mending(*chance)]
        return found

    def tell(self, results: Sequence[Evaluated]) -> None:
        """See ``Source``. What others found is in the states."""

    def _ruled(self, task: Task) -> Iterator[Candidate]:
        for view in views(task):
            look = self._looks.at(task, view)
            if look is not None:
                yield from _proposed(task, look, LINEAGE)

    def _chances(self, states: Sequence[TaskState]) -> Iterator[tuple[Task, Evaluated]]:
        """The tasks that were tried least often come first, each with the best program that was not tried."""
        unsolved = [state for state in states if not state.solutions]
        for state in sorted(unsolved, key=lambda state: len(self._tried.get(state.task.id, ()))):
            tried = self._tried.setdefault(state.task.id, set())
            for result in state.archive.ranked()[:BEST]:
                if result.outputs not in tried and _has_shapes(result, state):
                    tried.add(result.outputs)
                    yield state.task, result
                    break

    def _mending(self, task: Task, result: Evaluated) -> Iterator[Candidate]:
        look = self._looks.through(task, result)
        if look is not None:
            program = result.candidate.program
            yield from _proposed(task, look, result.candidate.lineage.then("induced", program))


def _has_shapes(result: Evaluated, state: TaskState) -> bool:
    shapes = [target[:2] for target in state.targets]
    return all(result.outputs) and [(output or b"")[:2] for output in result.outputs[: len(shapes)]] == shapes


def _proposed(task: Task, look: Look, lineage: Lineage) -> Iterator[Candidate]:
    for rule in chosen(learn(look.cells)):
        program = Program(SOLVER + task.id, INPUTS, written(rule, look.term))
        yield Candidate(task.id, simplify(program, rules=()), lineage)  # features share much, and repeat it


def chosen(rules: Sequence[Rule]) -> list[Rule]:
    """The rules to propose: of the answers that most of them give, the best rules for each."""
    groups: dict[bytes, list[Rule]] = {}
    for rule in sorted(rules, key=weight, reverse=True):
        if rule.held_out >= HELD_OUT:
            groups.setdefault(rule.predicted, []).append(rule)
    ranked = sorted(groups.values(), key=lambda group: -sum(map(weight, group)))
    return [rule for group in ranked[:ANSWERS] for rule in group[:FOR_EACH]]


def weight(rule: Rule) -> float:
    """How much a rule is to be believed: simple ones that say something of all that is asked for more."""
    simple = np.exp2(-0.7 * rule.cost - 0.25 * len(rule.table))
    return float(rule.held_out**3 * simple * (0.3 if rule.unseen else 1.0))
