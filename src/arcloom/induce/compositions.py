"""Compositions: rules for cells whose features include the colours of grids that enumeration has found.

A rule can choose between such *pictures*: where the mirrored input is red, take the colour of the input with filled
holes. A picture does not need to be nearly correct. It is enough if it is correct for some of the cells that change, or
tells which cells change.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from arcloom.enumerate.enumerator import Picture
from arcloom.induce.cells import Truths, Values
from arcloom.induce.feature_tables import FeatureTable, FeatureTables, FeatureValues
from arcloom.induce.views import CellFeature, has_black, plain
from arcloom.program.build import INPUT
from arcloom.tasks.task import Grid, Task

LEAST_COST, PER_COST = 2, 8
"""The cost of a picture as a feature: LEAST_COST, and one more for each PER_COST half bits of its expression."""

COVERING, CORRECT = 0.5, 0.75
"""Up to the share COVERING, pictures are chosen that are correct for most of the changed cells for which no chosen one
is correct; up to the share CORRECT, those that are correct for most changed cells; then the cheapest ones."""


def composition_table(tables: FeatureTables, task: Task, pictures: Sequence[Picture], most: int) -> FeatureTable | None:
    """The cells of a task with the colours of at most ``most`` pictures as features; None if there is no picture.

    The other features are those of the inputs or, if the outputs have other shapes, of the best picture. A cell to
    which no rule applies has its colour in that grid.
    """
    if not pictures:
        return None
    best = max(pictures, key=lambda picture: int(_correct(task, picture.grids).sum()))
    base = [np.array(pair.input, np.int8) for pair in task.samples] if task.keeps_shapes else list(best.grids)
    shapes = [grid.shape for grid in base]
    fitting = [picture for picture in pictures if [grid.shape for grid in picture.grids] == shapes]
    chosen = [fitting[k] for k in _distinctive(task, base, fitting, most)]
    rows = [_rows(grid) for grid in base]
    view = plain(has_black(rows)), rows, None if task.keeps_shapes else best.term()
    return tables.together(task, [view], [_feature(picture) for picture in chosen])


def _feature(picture: Picture) -> FeatureValues:
    return CellFeature("picture", INPUT, LEAST_COST + picture.cost // PER_COST, True), picture.term(), picture.grids


def _rows(grid: Values) -> Grid:
    return tuple(map(tuple, grid.tolist()))


def _correct(task: Task, grids: Sequence[Values]) -> Truths:
    """Whether each cell of the demonstrations is correct in these grids, which have the shapes of the outputs."""
    pairs = zip(grids, task.train, strict=False)
    return np.concatenate([(grid == np.array(pair.output, np.int8)).ravel() for grid, pair in pairs])


def _distinctive(task: Task, base: Sequence[Values], pictures: Sequence[Picture], most: int) -> list[int]:
    """The indices of at most ``most`` pictures that promise to be useful features: see COVERING."""
    if not pictures:
        return []
    changed = ~_correct(task, base)
    correct = np.array([_correct(task, picture.grids) for picture in pictures])[:, changed]
    covering = list(_covering(correct, int(most * COVERING)))
    by_correct = np.argsort(-correct.sum(axis=1), kind="stable")[: int(most * CORRECT)].tolist()
    promising = list(dict.fromkeys([*covering, *by_correct]))[: int(most * CORRECT)]
    return list(dict.fromkeys([*promising, *range(len(pictures))]))[:most]


def _covering(correct: Truths, most: int) -> Iterator[int]:
    """Rows that are chosen greedily to cover the columns: each is true for most of those not yet covered."""
    left = np.ones(correct.shape[1], bool)
    for _ in range(most):
        gains = (correct & left).sum(axis=1)
        best = int(gains.argmax())
        if not gains[best]:
            return
        yield best
        left &= ~correct[best]
