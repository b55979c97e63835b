"""The transformations of object rules, and the objects of a scene as items to learn rules for."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from arcloom.induce.actions import ObjectAction
from arcloom.induce.cells import Numbers, Truths, Values
from arcloom.induce.scenes import Made, ObjectMeasure, Scene

FEW = 3
"""Maximum number of outcomes in the smallest sets that are tried."""


@dataclass(frozen=True)
class Transformation:
    """The transformation that a rule applies to an object: an action, a move by a vector, or a stamp.

    A ``stamp`` is a set of cells relative to the upper left corner of the object. The cells of an action can get a new
    colour: a constant ``colour``, or the value of a ``measure`` of the object. If ``removes``, the object is erased.
    """

    removes: bool = False
    vector: tuple[int, int] | None = None
    stamp: "Stamp | None" = None
    action: ObjectAction | None = None
    colour: int | None = None
    measure: ObjectMeasure | None = None

    @property
    def cost(self) -> int:
        """The cost of the transformation. Likely transformations are cheap."""
        ink = 1 if self.colour is not None else 0 if self.measure is None else self.measure.cost - 1
        shape = 3 + len(self.stamp) // 4 if self.stamp else 3 if self.vector else 1
        return ink + (self.action.cost if self.action else shape)


Stamp = tuple[tuple[int, tuple[int, int]], ...]

Applied = tuple[Transformation, Truths, Made]
"""A transformation, whether it is correct for each object, and the cells that it draws for all objects."""

STAYS, DISAPPEARS = Transformation(), Transformation(removes=True)


@dataclass(frozen=True)
class SceneItems:
    """The objects of a scene as items to learn rules for."""

    scene: Scene
    demonstrations: int

    @property
    def values(self) -> Values:
        """See ``ItemTable``."""
        return self.scene.values

    @property
    def sample(self) -> Numbers:
        """See ``ItemTable``."""
        return self.scene.sample

    @cached_property
    def costs(self) -> Numbers:
        """See ``ItemTable``."""
        return np.array([measure.cost for measure in self.scene.measures])

    @cached_property
    def shown(self) -> int:
        """See ``ItemTable``."""
        return int(np.searchsorted(self.sample, self.demonstrations))

    def become(self, outcome: Numbers) -> Values:
        """See ``ItemTable``."""
        return outcome.astype(np.int8)


@dataclass(frozen=True)
class Objects(SceneItems):
    """Objects with the transformations that may apply to them. ``targets`` are the outputs of the demonstrations."""

    targets: Numbers
    transformations: Sequence[Applied]

    @property
    def outcomes(self) -> list[Transformation]:
        """See ``ItemTable``."""
        return [transformation for transformation, *_ in self.transformations]

    @cached_property
    def right(self) -> Numbers:
        """See ``ItemTable``."""
        bits = np.zeros(self.shown, np.int64)
        for k, (_, right, _) in enumerate(self.transformations):
            bits |= right.astype(np.int64) << k
        return bits

    @cached_property
    def changed(self) -> Truths:
        """See ``ItemTable``."""
        found: Truths = ~self.transformations[0][1]
        return found

    @cached_property
    def palettes(self) -> list[int]:
        """See ``ItemTable``: a few outcomes that explain most changes, a few without the first of these, and all."""
        first = self._fewest(0)
        other = self._fewest(first & -first & ~1 or first >> 1 & -(first >> 1) << 1)
        return list(dict.fromkeys([first | 1, other | 1, (1 << len(self.transformations)) - 1]))

    def _fewest(self, without: int) -> int:
        chosen, left = 0, self.changed.copy()
        while left.any() and chosen.bit_count() < FEW:
            counts = [int((right & left).sum()) for _, right, _ in self.transformations]
            counts = [0 if without >> k & 1 else count for k, count in enumerate(counts)]
            best = int(np.argmax(counts))
            if not counts[best]:
                break
            chosen |= 1 << best
            left &= ~self.transformations[best][1]
        return chosen

    def drawn(self, outcome: Numbers) -> Numbers:
        """The cells of all samples, given the outcome of every object."""
        whole = np.concatenate([grid.ravel() for grid in self.scene.grids])
        ground = background(self.scene)
        old = self.scene.objects
        leaving = np.array([transformation.removes for transformation in self.outcomes])[outcome]
        places = old.place[leaving[old.owner]]
        whole[places] = ground[places]
        for k, (_, _, made) in enumerate(self.transformations):
            mine = outcome[made.owner] == k
            order = np.argsort(made.colour[mine], kind="stable")
            whole[made.place[mine][order]] = made.colour[mine][order]
        return whole


def background(scene: Scene) -> Numbers:
    """The background colour at each position."""
    colours = [0 if scene.black else int(np.bincount(grid.ravel()).argmax()) for grid in scene.grids]
    return np.repeat(colours, [grid.size for grid in scene.grids])
