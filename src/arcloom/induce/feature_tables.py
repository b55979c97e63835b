"""Looking at a task: its samples' cells with all features that a view gives them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from arcloom.engine.batt import Batt
from arcloom.engine.samples import Samples
from arcloom.induce.cells import Cells
from arcloom.induce.views import Seen, View, has_black, plain
from arcloom.program.build import INPUTS, substituted
from arcloom.program.term import Program, Term
from arcloom.tasks.packed import unpack
from arcloom.tasks.task import Grid, Task

Array = npt.NDArray[np.int8]

KEPT = 1 << 26
"""Number of bytes of features that are kept: those of about a hundred tasks."""


@dataclass(frozen=True)
class FeatureTable:
    """The cells of a task, and which grids of numbers their features are, as terms of ``I`` or of another grid."""

    cells: Cells
    seen: Sequence[tuple[Seen, Term | None]]

    def term(self, k: int) -> Term:
        """The term that gives the k-th feature."""
        seen, grid = self.seen[k]
        return seen.term if grid is None else substituted(seen.term, {"I": grid})


class FeatureTables:
    """Runs views on a device. What was traced is kept, since most tasks are looked at in the same ways; and so are
    features of inputs, which are the same for all programs that give outputs for a task.
    """

    def __init__(self, device: str = "cpu") -> None:
        self._device = device
        self._batts: dict[View, Batt] = {}
        self._kept: dict[tuple[Grid, ...], list[list[Array | None]]] = {}
        self._room = KEPT

    def at(self, task: Task, view: View) -> FeatureTable | None:
        """The task's inputs in this view; none where it does not have the shapes of the outputs."""
        grids = self._run(view, [pair.input for pair in task.samples])
        return _look(task, [(seen, None, grid) for seen, grid in zip(view, grids, strict=True)])

    def through(self, task: Task, outputs: Sequence[bytes | None], output: Term) -> FeatureTable | None:
        """The outputs of a program, with features of inputs and outputs if they have the same shape.

        ``outputs`` are the packed grids that the term ``output`` gives for the task's samples.
        """
        made = [unpack(grid) for grid in outputs if grid is not None]
        given = [pair.input for pair in task.samples]
        view = plain(has_black(made))
        found: list[Found] = [(seen, output, grid) for seen, grid in zip(view, self._run(view, made), strict=True)]
        if all(map(_may_have_same_shape, given, made)):
            view = plain(has_black(given))
            found += [(seen, None, grid) for seen, grid in zip(view, self._of_inputs(view, given), strict=True)]
        return _look(task, found)

    def together(self, task: Task, parts: Sequence[tuple[View, Sequence[Grid], Term | None]]) -> FeatureTable | None:
        """Several views in one look: each with the grids that it is a view of, and the term that gives these grids.

        The term is None for the inputs of the task.
        """
        found = [
            (seen, term, values)
            for view, grids, term in parts
            for seen, values in zip(view, self._run(view, grids), strict=True)
        ]
        return _look(task, found)

    def _of_inputs(self, view: View, given: Sequence[Grid]) -> list[list[Array | None]]:
        """The grids of the plain view. They are kept while there is room; none is replaced, since tasks take turns."""
        key = tuple(given)
        if key in self._kept:
            return self._kept[key]
        found = self._run(view, given)
        size = len(view) * sum(len(grid) * len(grid[0]) for grid in given)
        if size <= self._room:
            self._kept[key] = found
            self._room -= size
        return found

    def _run(self, view: View, grids: Sequence[Grid]) -> list[list[Array | None]]:
        """Each grid of the view for each of the grids."""
        if view not in self._batts:
            self._batts[view] = Batt.build([Program(seen.name, INPUTS, seen.term) for seen in view])
        results = self._batts[view].run(Samples([{"I": grid} for grid in grids]), device=self._device)
        return [[results.grid(p, s) for s in range(len(grids))] for p in range(len(view))]


Found = tuple[Seen, Term | None, list[Array | None]]
"""A grid of numbers, the term that it is a feature of (None for the input), and its values for each sample."""


def _may_have_same_shape(given: Grid, made: Grid) -> bool:
    """Whether features of a grid can have the shape of another: they have its own shape, or are turned."""
    return sorted((len(given), len(given[0]))) == sorted((len(made), len(made[0])))


def _look(task: Task, found: Sequence[Found]) -> FeatureTable | None:
    """The grids that fit: the first determines the shapes, which must be those of the outputs."""
    shapes = [None if grid is None else grid.shape for grid in found[0][2]]
    targets = [np.array(pair.output, np.int8) for pair in task.train]
    if None in shapes or shapes[: len(targets)] != [target.shape for target in targets]:
        return None
    fitting = [each for each in found if [None if grid is None else grid.shape for grid in each[2]] == shapes]
    values = np.array([np.concatenate([grid.ravel() for grid in grids if grid is not None]) for *_, grids in fitting])
    sizes = [rows * columns for rows, columns in filter(None, shapes)]
    cells = Cells(
        values,
        np.repeat(np.arange(len(sizes)), sizes),
        np.concatenate([target.ravel() for target in targets]),
        np.array([seen.cost for seen, *_ in fitting]),
        np.array([seen.colour for seen, *_ in fitting]),
    )
    return FeatureTable(cells, [(seen, term) for seen, term, _ in fitting])
