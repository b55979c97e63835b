"""Feature tables: the cells of a task's samples with all features of a view."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from arcloom.engine.batt import Batt
from arcloom.engine.samples import Samples
from arcloom.induce.cells import CellItems
from arcloom.induce.views import CellFeature, FeatureView, has_black, plain
from arcloom.program.build import INPUTS, substituted
from arcloom.program.term import Program, Term
from arcloom.tasks.packed import unpack
from arcloom.tasks.task import Grid, Task

Array = npt.NDArray[np.int8]

KEPT = 1 << 26
"""Maximum size of the cache of features of inputs, in bytes: about a hundred tasks."""


FeatureValues = tuple[CellFeature, Term | None, Sequence[Array | None]]
"""A feature, the term of the grid that it is computed from (None for the input), and its value for each sample."""

ViewOf = tuple[FeatureView, Sequence[Grid], Term | None]
"""A view, the grids that it is applied to, and the term of these grids (None for the inputs)."""


@dataclass(frozen=True)
class FeatureTable:
    """The cells of a task, and for each of their features the grid that it is computed from.

    The grid is a term; None stands for the input.
    """

    cells: CellItems
    features: Sequence[tuple[CellFeature, Term | None]]

    def term(self, k: int) -> Term:
        """The term of the k-th feature."""
        feature, grid = self.features[k]
        return feature.term if grid is None else substituted(feature.term, {"I": grid})


class FeatureTables:
    """Computes the features of views on a device.

    Traced views are cached, since most tasks have the same ones. Features of inputs are cached, since they are the same
    for all programs whose outputs are analysed for a task.
    """

    def __init__(self, device: str = "cpu") -> None:
        self._device = device
        self._batts: dict[FeatureView, Batt] = {}
        self._kept: dict[tuple[Grid, ...], list[list[Array | None]]] = {}
        self._room = KEPT

    def at(self, task: Task, view: FeatureView) -> FeatureTable | None:
        """The features of the task's inputs in a view; None if the view does not have the shapes of the outputs."""
        grids = self._run(view, [pair.input for pair in task.samples])
        return _table(task, [(feature, None, grid) for feature, grid in zip(view, grids, strict=True)])

    def through(self, task: Task, outputs: Sequence[bytes | None], output: Term) -> FeatureTable | None:
        """The features of a program's outputs and, if they have the same shape, of the inputs.

        ``outputs`` are the packed values of the term ``output`` for the task's samples.
        """
        made = [unpack(grid) for grid in outputs if grid is not None]
        given = [pair.input for pair in task.samples]
        view = plain(has_black(made))
        found: list[FeatureValues] = [
            (feature, output, grid) for feature, grid in zip(view, self._run(view, made), strict=True)
        ]
        if all(map(_may_have_same_shape, given, made)):
            view = plain(has_black(given))
            found += [(feature, None, grid) for feature, grid in zip(view, self._of_inputs(view, given), strict=True)]
        return _table(task, found)

    def together(
        self, task: Task, parts: Sequence[ViewOf], further: Sequence[FeatureValues] = ()
    ) -> FeatureTable | None:
        """The features of several views in one table, followed by ``further`` features."""
        found = [
            (feature, term, values)
            for view, grids, term in parts
            for feature, values in zip(view, self._run(view, grids), strict=True)
        ]
        return _table(task, [*found, *further])

    def _of_inputs(self, view: FeatureView, given: Sequence[Grid]) -> list[list[Array | None]]:
        """The features of the inputs, cached while there is room. Nothing is evicted, since tasks take turns."""
        key = tuple(given)
        if key in self._kept:
            return self._kept[key]
        found = self._run(view, given)
        size = len(view) * sum(len(grid) * len(grid[0]) for grid in given)
        if size <= self._room:
            self._kept[key] = found
            self._room -= size
        return found

    def _run(self, view: FeatureView, grids: Sequence[Grid]) -> list[list[Array | None]]:
        """The value of each feature of a view for each grid; None where it fails."""
        if view not in self._batts:
            self._batts[view] = Batt.build([Program(feature.name, INPUTS, feature.term) for feature in view])
        results = self._batts[view].run(Samples([{"I": grid} for grid in grids]), device=self._device)
        return [[results.grid(p, s) for s in range(len(grids))] for p in range(len(view))]


def _may_have_same_shape(given: Grid, made: Grid) -> bool:
    """Whether features of a grid can have the shape of another grid. They have the grid's shape, or it transposed."""
    return sorted((len(given), len(given[0]))) == sorted((len(made), len(made[0])))


def _table(task: Task, found: Sequence[FeatureValues]) -> FeatureTable | None:
    """The table of the features that have the shapes of the first one; None if these are not those of the outputs."""
    shapes = [None if grid is None else grid.shape for grid in found[0][2]]
    targets = [np.array(pair.output, np.int8) for pair in task.train]
    if None in shapes or shapes[: len(targets)] != [target.shape for target in targets]:
        return None
    fitting = [each for each in found if [None if grid is None else grid.shape for grid in each[2]] == shapes]
    values = np.array([np.concatenate([grid.ravel() for grid in grids if grid is not None]) for *_, grids in fitting])
    sizes = [rows * columns for rows, columns in filter(None, shapes)]
    cells = CellItems(
        values,
        np.repeat(np.arange(len(sizes)), sizes),
        np.concatenate([target.ravel() for target in targets]),
        np.array([feature.cost for feature, *_ in fitting]),
        np.array([feature.colour for feature, *_ in fitting]),
    )
    return FeatureTable(cells, [(feature, term) for feature, term, _ in fitting])
