"""Rule induction as a source of candidates: each task is looked at once."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from arcloom.engine.batt import Batt
from arcloom.engine.samples import Samples
from arcloom.program.term import Program
from arcloom.search.candidate import INPUTS, SOLVER, Candidate, Evaluated, Lineage
from arcloom.search.induction.learn import Cells, Learner, Rule
from arcloom.search.induction.rules import written
from arcloom.search.induction.views import View, views
from arcloom.search.packed import Cells as Grid
from arcloom.search.state import TaskState
from arcloom.tasks.task import Task

TASKS = 64
"""So many tasks are looked at in one generation."""

HELD_OUT = 0.5
"""A rule is proposed if it is right for such a share of demonstrations by what the others say."""

ANSWERS, FOR_EACH = 2, 2
"""So many different answers are proposed for a task, and so many rules for each."""

LINEAGE = Lineage("induced", "induced")


class Induced:
    """Programs that change cells by a rule which few features of a cell tell."""

    def __init__(self, *, tasks: int = TASKS, goes_on: Callable[[], bool] = lambda: True) -> None:
        """``goes_on`` is asked before each task: when there is no time left, the rest of a generation is left out."""
        self._tasks = tasks
        self._done: set[str] = set()
        self._batts: dict[View, Batt] = {}
        self.goes_on = goes_on

    def ask(self, states: Sequence[TaskState], each: int, generation: int) -> list[Candidate]:
        """See ``Source``."""
        new = [state.task for state in states if state.task.id not in self._done][: self._tasks]
        return [candidate for task in new if self.goes_on() for candidate in self._candidates(task)]

    def tell(self, results: Sequence[Evaluated]) -> None:
        """See ``Source``. What others found makes no difference here."""

    def _candidates(self, task: Task) -> Iterator[Candidate]:
        self._done.add(task.id)
        for view in views(task):
            cells = self.cells(task, view)
            if cells is not None:
                for rule in chosen(Learner(cells).rules()):
                    program = Program(SOLVER + task.id, INPUTS, written(rule, view))
                    lines = range(1, len(program) + 1)
                    yield Candidate(task.id, program.with_lines(lines), LINEAGE)

    def cells(self, task: Task, view: View) -> Cells | None:
        """The cells of the task's samples as this view has them; none where it does not fit."""
        grids = self._grids(task, view)
        if grids is None:
            return None
        sizes = [grid.size for grid in grids[0]]
        fitting = [k for k, each in enumerate(grids) if each]
        values = np.zeros((len(view), sum(sizes)), np.int8)
        for k in fitting:
            values[k] = np.concatenate([grid.ravel() for grid in grids[k]])
        targets = [np.array(pair.output, np.int8).ravel() for pair in task.train]
        return Cells(
            values,
            values[0],
            np.repeat(np.arange(len(sizes)), sizes),
            np.concatenate(targets),
            np.array([each.cost for each in view]),
            np.array([each.colour and bool(grids[k]) for k, each in enumerate(view)]),
        )

    def _grids(self, task: Task, view: View) -> list[list[Grid]] | None:
        """For each grid of the view those of all samples; empty where it has none or another shape than the first."""
        if view not in self._batts:
            self._batts[view] = Batt.build([Program(each.name, INPUTS, each.term) for each in view])
        results = self._batts[view].run(Samples([{"I": pair.input} for pair in task.samples]))
        count = range(len(task.samples))
        base = [results.grid(0, s) for s in count]
        if any(grid is None for grid in base):
            return None
        shapes = [np.shape(pair.output) for pair in task.train]
        if [grid.shape for grid in base[: len(shapes)]] != shapes:
            return None
        found = [base]
        for p in range(1, len(view)):
            grids = [results.grid(p, s) for s in count]
            fits = all(grid is not None and grid.shape == like.shape for grid, like in zip(grids, base, strict=True))
            found.append(grids if fits else [])
        return found


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
