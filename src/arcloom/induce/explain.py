"""The correct outcomes of the objects of demonstrations.

An outcome of an object is correct if the output contains all cells that it draws, and if it explains as many of the
changed cells that only this object can explain as any other outcome. Outcomes that explain no changed cell are omitted:
they are correct only for objects that can also stay.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from arcloom.induce.actions import ObjectAction
from arcloom.induce.cells import Numbers, Truths, Values
from arcloom.induce.scenes import Made, ObjectMeasure, Scene
from arcloom.induce.transformations import DISAPPEARS, STAYS, Applied, Objects, Stamp, Transformation, background
from arcloom.tasks.task import Task

MOST_OUTCOMES = 40
"""Maximum number of outcomes considered: those that are correct for most changed objects."""

VECTORS, COLOURS = 8, 4
"""Maximum number of constant vectors to move by, and of constant colours to draw with."""

MOST_SHIFTS = 400
"""Maximum number of positions in an output where an object is searched for."""

AROUND = 4
"""Maximum distance of a stamp's cells from the bounding box of an object."""


class Explainer:
    """Finds the correct outcomes of the objects of demonstrations."""

    def __init__(self, scene: Scene, task: Task) -> None:
        self.scene = scene
        self.targets = np.concatenate([np.array(pair.output, np.int64).ravel() for pair in task.train])
        self.cells, self.demonstrations = len(self.targets), len(task.train)
        self.given = np.concatenate([grid.ravel() for grid in scene.grids])
        self.ground = background(scene)
        self.count = len(scene.sample)
        self.shown = int(np.searchsorted(scene.sample, len(task.train)))
        self.whole = np.full(len(self.given), -1, np.int64)
        self.whole[: self.cells] = self.targets
        self.differs = self.given != self.whole
        self.differs[self.cells :] = False
        self.old = self._pairs(scene.objects)
        self.marks = np.zeros(self.count * len(self.given), bool)

    def objects(self) -> Objects | None:
        """The objects with all outcomes that are correct for some of them; None if the only outcome is to stay."""
        found = [(STAYS, self.stays, _nothing()), *self._candidates()]
        found = [each for each in found if each[0] is STAYS or each[1][: self.shown].any()]
        explaining = [(each, cells) for each in found if len(cells := self._explained(*each)) or each[0] is STAYS]
        if len(explaining) == 1:
            return None
        found = [each for each, _ in explaining]
        alone = self._alone([cells for _, cells in explaining])
        covers = [self._covered(cells, alone) for _, cells in explaining]
        most = np.maximum.reduce(
            [np.where(right, cover, 0) for (_, right, _), cover in zip(found, covers, strict=True)]
        )
        transformations = [
            (transformation, (right & (cover == most))[: self.shown], made)
            for (transformation, right, made), cover in zip(found, covers, strict=True)
        ]
        transformations[0][1][:] |= ~np.logical_or.reduce([right for _, right, _ in transformations])
        return Objects(self.scene, self.demonstrations, self.targets, self._ranked(transformations))

    def _alone(self, explained: Sequence[Numbers]) -> Truths:
        """For each pair of an object and a position, whether only this object explains the position."""
        self.marks[np.concatenate(explained)] = True
        pairs = np.flatnonzero(self.marks)
        places = pairs % len(self.given)
        alone = self.marks.copy()
        alone[pairs] = np.bincount(places, minlength=len(self.given))[places] == 1
        self.marks[pairs] = False
        return alone

    def _covered(self, covered: Numbers, alone: Truths) -> Numbers:
        """For each object, the number of covered cells that no other object explains."""
        return np.bincount(covered[alone[covered]] // len(self.given), minlength=self.count)

    def _ranked(self, transformations: list[Applied]) -> list[Applied]:
        stays, *others = transformations
        others.sort(key=lambda each: (-int((each[1] & ~stays[1]).sum()), each[0].cost))
        useful = [each for each in others if (each[1] & ~stays[1]).any()]
        return [stays, *useful[:MOST_OUTCOMES]]

    def _explained(self, transformation: Transformation, right: Truths, made: Made) -> Numbers:
        """The changed cells that a transformation explains, as pair numbers (see ``_pairs``), each once."""
        found: Numbers = self._pairs(made)[right[made.owner] & self.differs[made.place]]
        if not transformation.removes:
            return found
        old = self.scene.objects
        vacated = self.old[right[old.owner] & self.differs[old.place]]
        return np.unique(np.concatenate([found, vacated]))

    def _pairs(self, made: Made) -> Numbers:
        """The pair number of each cell: a number for each pair of an object and a position."""
        found: Numbers = made.owner * len(self.given) + made.place
        return found

    def _is_made(self, made: Made) -> Truths:
        """For each cell of the objects, whether it is among the drawn cells of the same object."""
        pairs = self._pairs(made)
        self.marks[pairs] = True
        found = self.marks[self.old]
        self.marks[pairs] = False
        return found

    @cached_property
    def stays(self) -> Truths:
        """For each object, whether all its cells are unchanged in the output."""
        old = self.scene.objects
        return self._none(old.owner[self.whole[old.place] != self.given[old.place]])

    def _none(self, owners: Numbers) -> Truths:
        """For each object, whether it is not among these owners."""
        found: Truths = np.bincount(owners, minlength=self.count) == 0
        return found

    def _candidates(self) -> Iterator[Applied]:
        nothing = _nothing()
        yield DISAPPEARS, self._vacated(nothing), nothing
        for vector in self._vectors():
            moved = self._moved(vector)
            yield Transformation(removes=True, vector=vector), self._replaced(moved), moved
        for stamp in self._stamps():
            made = self._stamped(stamp)
            there = np.bincount(made.owner, minlength=self.count) > 0
            right = there & self._none(made.owner[self.whole[made.place] != made.colour]) & self._kept(made)
            yield Transformation(stamp=stamp), right, made
        for action, made in self._acted():
            if action.draws:
                yield from self._drawings(action, made)
            else:
                yield Transformation(removes=True, action=action), self._replaced(made), made

    def _acted(self) -> Iterator[tuple[ObjectAction, Made]]:
        """The actions that can be correct for some object and explain a changed cell, with the cells that they draw."""
        acted = self.scene.pictures
        draws = np.array([action.draws for action, _ in acted], bool)
        useful = np.zeros(len(acted), bool)
        for sample in range(self.demonstrations if len(acted) else 0):
            size = self.scene.grids[sample].size
            cells = np.array([pictures[sample] for _, pictures in acted]).reshape(len(acted), -1, size)
            useful[draws] |= self._drawing_explains(cells[draws], sample)
            useful[~draws] |= self._move_explains(cells[~draws], sample)
        for k in np.flatnonzero(useful).tolist():
            action, pictures = acted[k]
            yield action, self.scene.made(pictures)

    def _drawing_explains(self, cells: Values, sample: int) -> Truths:
        """For each drawing, whether for some object of a sample its positions have one colour in the output, and some
        of them change."""
        part = self._part(sample)
        there, target = cells >= 0, self.whole[part].astype(np.int8)
        lowest, highest = (
            np.where(there, target, np.int8(127)).min(axis=2),
            np.where(there, target, np.int8(-1)).max(axis=2),
        )
        found: Truths = ((lowest == highest) & (there & self.differs[part]).any(axis=2)).any(axis=1)
        return found

    def _move_explains(self, cells: Values, sample: int) -> Truths:
        """For each move, whether for some object of a sample its cells are those of the output, and some of them
        change."""
        part = self._part(sample)
        there = cells >= 0
        wrong = (there & (cells != self.whole[part])).any(axis=2)
        changes = (there & self.differs[part]).any(axis=2) | ~self.stays[self.scene.sample == sample]
        found: Truths = (there.any(axis=2) & ~wrong & changes).any(axis=1)
        return found

    def _part(self, sample: int) -> slice:
        """The positions of a sample's cells."""
        start = int(self.scene.starts[sample])
        return slice(start, start + self.scene.grids[sample].size)

    def _vacated(self, made: Made) -> Truths:
        """For each object, whether the cells that it leaves are background or changed in the output."""
        old = self.scene.objects
        left = self.whole[old.place]
        wrong = ~self._is_made(made) & (left == self.given[old.place]) & (left != self.ground[old.place])
        if not len(made.owner):
            wrong = left != self.ground[old.place]
        return self._none(old.owner[wrong])

    def _replaced(self, made: Made) -> Truths:
        there = np.bincount(made.owner, minlength=self.count) > 0
        right = there & self._none(made.owner[self.whole[made.place] != made.colour])
        return right & self._vacated(made) if right[: self.shown].any() else right

    def _drawings(self, action: ObjectAction, made: Made) -> Iterator[Applied]:
        """A drawing in each colour that is correct for some object."""
        there = np.bincount(made.owner, minlength=self.count) > 0
        wanted = self.whole[made.place]
        first = np.full(self.count, -1, np.int64)
        first[made.owner[::-1]] = wanted[::-1]
        uniform = there & self._none(made.owner[wanted != first[made.owner]]) & self._kept(made)
        for colour in self.colours:
            right = uniform & (first == colour)
            if right[: self.shown].any():
                ink = np.full(len(made.owner), colour)
                yield Transformation(action=action, colour=colour), right, replace(made, colour=ink)
        for measure, values in self.inks:
            right = uniform & (first == values)
            if right[: self.shown].any():
                yield Transformation(action=action, measure=measure), right, replace(made, colour=values[made.owner])

    @cached_property
    def inks(self) -> list[tuple[ObjectMeasure, Numbers]]:
        """The measures that are colours, each with its value for every object."""
        measured = zip(self.scene.measures, self.scene.values, strict=True)
        return [(measure, values.astype(np.int64)) for measure, values in measured if measure.colour]

    def _kept(self, made: Made) -> Truths:
        """For each object, whether its cells that are not drawn over are unchanged."""
        old = self.scene.objects
        over = self._is_made(made)
        return self._none(old.owner[~over & (self.whole[old.place] != self.given[old.place])])

    @cached_property
    def colours(self) -> list[int]:
        """The most frequent colours that cells change to."""
        counts = Counter(self.whole[self.differs].tolist())
        return [colour for colour, _ in counts.most_common(COLOURS)]

    def _vectors(self) -> list[tuple[int, int]]:
        """Vectors by which changed objects can have moved, the most frequent first."""
        counts: Counter[tuple[int, int]] = Counter()
        old = self.scene.objects
        for k in np.flatnonzero(~self.stays[: self.shown]):
            mine = old.owner == k
            counts.update(self._shifts(int(self.scene.sample[k]), old.place[mine], old.colour[mine]))
        return [vector for vector, count in counts.most_common(VECTORS) if count > 1]

    def _shifts(self, sample: int, place: Numbers, colour: Numbers) -> list[tuple[int, int]]:
        grid, start = self.scene.grids[sample], int(self.scene.starts[sample])
        target = self.whole[start : start + grid.size].reshape(grid.shape)
        rows, columns = np.divmod(place - start, grid.shape[1])
        height, width = rows.max() - rows.min() + 1, columns.max() - columns.min() + 1
        at = np.argwhere(target == colour[0])
        steps = at - (rows[0], columns[0])
        top, left = steps[:, 0] + rows.min(), steps[:, 1] + columns.min()
        fits = (top >= 0) & (left >= 0) & (top + height <= grid.shape[0]) & (left + width <= grid.shape[1])
        steps = steps[fits & steps.any(axis=1)][:MOST_SHIFTS]
        seen = target[rows + steps[:, :1], columns + steps[:, 1:]]
        return [(int(down), int(right)) for down, right in steps[(seen == colour).all(axis=1)]]

    def _moved(self, vector: tuple[int, int]) -> Made:
        old = self.scene.objects
        sample = self.scene.sample[old.owner]
        heights, widths = (np.array([grid.shape[k] for grid in self.scene.grids])[sample] for k in (0, 1))
        start = self.scene.starts[sample]
        rows, columns = np.divmod(old.place - start, widths)
        rows, columns = rows + vector[0], columns + vector[1]
        inside = (rows >= 0) & (rows < heights) & (columns >= 0) & (columns < widths)
        place = start + rows * widths + columns
        return Made(old.owner[inside], place[inside], old.colour[inside])

    @cached_property
    def _boxes(self) -> Numbers:
        """The upper left corner, height and width of each object."""
        old = self.scene.objects
        widths = np.array([grid.shape[1] for grid in self.scene.grids])[self.scene.sample[old.owner]]
        cells = np.stack(np.divmod(old.place - self.scene.starts[self.scene.sample[old.owner]], widths), axis=1)
        low, high = np.full((self.count, 2), 99), np.full((self.count, 2), -1)
        np.minimum.at(low, old.owner, cells)
        np.maximum.at(high, old.owner, cells)
        return np.concatenate([low, high - low + 1], axis=1)

    def _stamps(self) -> Iterator[Stamp]:
        """Patterns that the outputs have around all objects of a group: the objects of one size, or of one size and
        colour."""
        colour = np.zeros(self.count, np.int64)
        colour[self.scene.objects.owner] = self.scene.objects.colour
        sizes = self._boxes[:, 2:]
        seen = set()
        for own, height, width in np.unique(np.column_stack([colour, sizes]), axis=0).tolist():
            alike = (sizes == (height, width)).all(axis=1)
            for group in (alike & (colour == own), alike):
                stamp = self._common(np.flatnonzero(group[: self.shown]), height, width)
                if stamp and stamp not in seen:
                    seen.add(stamp)
                    yield stamp

    def _common(self, group: Numbers, height: int, width: int) -> Stamp:
        """The changed cells around objects that are the same for all objects in the outputs, and not background."""
        if len(np.unique(self.scene.sample[group])) < 2:
            return ()
        rows, columns = np.mgrid[-AROUND : height + AROUND, -AROUND : width + AROUND].reshape(2, -1)
        inside, place = self._at(group, rows, columns)
        wanted = np.where(inside, self.whole[place], -1)
        colour = wanted.max(axis=0)
        same = ((wanted == colour) | ~inside).all(axis=0) & (inside.sum(axis=0) > 1)
        changes = (inside & self.differs[place]).any(axis=0) & ~(inside & (wanted == self.ground[place])).any(axis=0)
        return tuple(
            (int(colour[k]), (int(rows[k]), int(columns[k]))) for k in np.flatnonzero(same & changes & (colour >= 0))
        )

    def _at(self, group: Numbers, rows: Numbers, columns: Numbers) -> tuple[Truths, Numbers]:
        """Whether offsets from objects are inside the grid, and the positions of those that are."""
        sample = self.scene.sample[group]
        heights, widths = (np.array([grid.shape[k] for grid in self.scene.grids])[sample, None] for k in (0, 1))
        down, right = self._boxes[group, 0, None] + rows, self._boxes[group, 1, None] + columns
        inside = (down >= 0) & (down < heights) & (right >= 0) & (right < widths)
        return inside, np.where(inside, self.scene.starts[sample, None] + down * widths + right, 0)

    def _stamped(self, stamp: Stamp) -> Made:
        rows, columns = (np.array([cell[1][k] for cell in stamp]) for k in (0, 1))
        inside, place = self._at(np.arange(self.count), rows, columns)
        owner, which = np.nonzero(inside)
        return Made(owner, place[inside], np.array([cell[0] for cell in stamp])[which])


def _nothing() -> Made:
    empty: npt.NDArray[np.int64] = np.zeros(0, np.int64)
    return Made(empty, empty, empty)
