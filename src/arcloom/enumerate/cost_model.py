"""The costs of operations and leaves for a task: the costs for all tasks, changed by the traits of the task."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from arcloom.enumerate.traits import NAMES, traits
from arcloom.tasks.task import Task

Effects = Mapping[str, Mapping[str, Sequence[float]]]
"""For each trait and each name of an operation or kind of leaf: the change of its cost in half bits if a task has the
trait, and if it has not. Names without an entry do not change."""

HALF_BITS = 2
"""Costs are in half bits: the logarithm to base 2 times HALF_BITS."""


@dataclass(frozen=True)
class CostModel:
    """The costs of operations and kinds of leaves for all tasks, and the effects of traits on them.

    ``classes`` has the value class of each name. Costs compare alternatives within a class, so the changes of a class
    are shifted until the probabilities that they stand for have the same sum as before.
    """

    costs: Mapping[str, int]
    effects: Effects
    classes: Mapping[str, str]

    def of(self, task: Task) -> dict[str, int]:
        """The cost of each name for a task."""
        has = np.array(traits(task))
        changes = np.where(has, self._changes[:, :, 0], self._changes[:, :, 1]).sum(axis=1)
        costs = self._costs + changes + self._shifts(changes)
        return dict(zip(self.costs, np.maximum(1, np.rint(costs)).astype(int).tolist(), strict=True))

    @cached_property
    def _costs(self) -> npt.NDArray[np.float64]:
        return np.array(list(self.costs.values()), np.float64)

    @cached_property
    def _changes(self) -> npt.NDArray[np.float64]:
        """The changes by name, by trait, and by whether the task has the trait."""
        none = (0.0, 0.0)
        return np.array([[self.effects.get(trait, {}).get(name, none) for trait in NAMES] for name in self.costs])

    @cached_property
    def _members(self) -> Iterable[npt.NDArray[np.int64]]:
        """The indices of the names of each value class."""
        members: dict[str, list[int]] = defaultdict(list)
        for index, name in enumerate(self.costs):
            members[self.classes.get(name, "")].append(index)
        return [np.array(indices) for indices in members.values()]

    def _shifts(self, changes: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        shifts = np.zeros_like(changes)
        for indices in self._members:
            shares = np.exp2(-self._costs[indices] / HALF_BITS)
            changed = shares * np.exp2(-changes[indices] / HALF_BITS)
            shifts[indices] = HALF_BITS * np.log2(changed.sum() / shares.sum())
        return shifts
