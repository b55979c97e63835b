"""Rules that choose an object by its features, where the output is a picture of that object."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from arcloom.induce.cells import Numbers, Truths
from arcloom.induce.learn import Rule, learn
from arcloom.induce.objects import chosen_by, outcome_of
from arcloom.induce.scenes import Scene
from arcloom.induce.transformations import SceneItems
from arcloom.program.build import INPUT, call
from arcloom.program.term import Term
from arcloom.tasks.task import Pair, Task

ObjectPicture = npt.NDArray[np.int8]

IMAGES: dict[str, Callable[[ObjectPicture], ObjectPicture]] = {
    "": lambda grid: grid,
    "vmirror": np.fliplr,
    "hmirror": np.flipud,
    "dmirror": np.transpose,
    "rot90": lambda grid: np.rot90(grid, -1),
    "rot180": lambda grid: np.rot90(grid, 2),
    "rot270": np.rot90,
    "trim": lambda grid: grid[1:-1, 1:-1],
}
"""Primitives that can be applied to the picture, by name; the empty name stands for none."""


@dataclass(frozen=True)
class Way:
    """A way to draw an object: its part of the grid, or the object ``alone`` on the background; then an ``image``."""

    alone: bool
    image: str

    def term(self, chosen: Term, background: Term) -> Term:
        """The term of an object's picture."""
        if self.alone:
            blank = call("canvas", background, call("shape", chosen))
            shown = call("paint", blank, call("normalize", chosen))
        else:
            shown = call("subgrid", chosen, INPUT)
        return call(self.image, shown) if self.image else shown


@dataclass(frozen=True)
class Choice(SceneItems):
    """The objects of a scene, of which one is chosen in each sample. The outcome of an object is whether it is chosen.

    ``fits`` has whether the picture of each object of a demonstration is the output.
    """

    way: Way
    pictures: Sequence[ObjectPicture]
    fits: Truths

    outcomes = (False, True)
    palettes = (3,)

    @cached_property
    def right(self) -> Numbers:
        """See ``ItemTable``. If several objects of a sample fit, both outcomes are correct for each of them."""
        several = np.bincount(self.sample[: self.shown], self.fits)[self.sample[: self.shown]] > 1
        found: Numbers = np.where(self.fits, np.where(several, 3, 2), 1)
        return found

    @property
    def changed(self) -> Truths:
        """See ``ItemTable``."""
        return self.fits


def choice_rules(scene: Scene, task: Task) -> Iterator[tuple[Rule[bool], Choice]]:
    """The rules that are correct for all demonstrations, each with the objects that it chooses from."""
    for choice in choices(scene, task):
        for rule in learn(choice):
            shown = _shown(choice, outcome_of(rule, choice))
            if shown is not None and all(map(_is_output, shown, task.train)):
                tests = (bytes(picture.shape) + picture.tobytes() for picture in shown[len(task.train) :])
                yield replace(rule, predicted=b"".join(tests)), choice


def _is_output(picture: ObjectPicture, pair: Pair) -> bool:
    return pair.output is not None and np.array_equal(picture, pair.output)


def choices(scene: Scene, task: Task) -> Iterator[Choice]:
    """The choices, one for each way to draw objects in which every output is the picture of an object."""
    shown = int(np.searchsorted(scene.sample, len(task.train)))
    targets = [np.array(pair.output, np.int8) for pair in task.train]
    for alone in (False, True):
        plain = list(_pictures(scene, alone))
        for image, make in IMAGES.items():
            pictures = [np.ascontiguousarray(make(picture)) for picture in plain]
            fits = np.array([np.array_equal(pictures[k], targets[scene.sample[k]]) for k in range(shown)], bool)
            if len(np.unique(scene.sample[:shown][fits])) == len(targets):
                yield Choice(scene, len(targets), Way(alone, image), pictures, fits)


def _pictures(scene: Scene, alone: bool) -> Iterator[ObjectPicture]:
    """The cells of each object's bounding box."""
    old = scene.objects
    for k, sample in enumerate(scene.sample.tolist()):
        grid, mine = scene.grids[sample], old.owner == k
        rows, columns = np.divmod(old.place[mine] - scene.starts[sample], grid.shape[1])
        box = grid[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1].astype(np.int8)
        if alone:
            box = np.full_like(box, 0 if scene.black else np.bincount(grid.ravel()).argmax())
            box[rows - rows.min(), columns - columns.min()] = old.colour[mine]
        yield box


def _shown(choice: Choice, outcome: Numbers) -> list[ObjectPicture] | None:
    """The picture of the first chosen object of each sample; None if a sample has no chosen object."""
    found = {int(choice.sample[k]): choice.pictures[k] for k in np.flatnonzero(outcome)[::-1]}
    return [found[s] for s in range(len(choice.scene.grids))] if len(found) == len(choice.scene.grids) else None


def written_for_choice(rule: Rule[bool], choice: Choice) -> Term:
    """The output term of a rule."""
    some = chosen_by(rule, choice.scene, [values for values, _ in rule.table])
    return choice.way.term(call("first", call("totuple", some)), choice.scene.background)
