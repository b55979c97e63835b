"""Rules for objects: what becomes of an object of the input, by its features.

An outcome is right for an object of a demonstration if the output has everything that it makes, and if no other object
can account for cells that only this one accounts for. Rules over outcomes are then learnt as they are for cells.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from arcloom.induce.actions import Action
from arcloom.induce.cells import Numbers, Truths, Values
from arcloom.induce.learn import Items, Rule, learn
from arcloom.induce.scenes import Made, Measure, Scene
from arcloom.program.build import INPUT, call, literal, named
from arcloom.program.term import Term
from arcloom.tasks.task import Task

Outcome = TypeVar("Outcome")

MOST_OUTCOMES = 40
"""Number of outcomes considered: those that are right for most objects that change."""

VECTORS, COLOURS = 8, 4
"""Maximum number of constant moves, and of constant colours to draw with."""

MOST_SHIFTS = 400
"""Maximum number of places in an output where an object is looked for."""

AROUND = 4
"""Maximum distance of a stamp's cells from the bounding box of an object."""

FEW = 3
"""Number of outcomes in the smallest sets of outcomes that are tried."""


@dataclass(frozen=True)
class Fate:
    """What can become of an object: an action, or a move by a vector; a drawing has a colour, by number or by measure.
    A ``stamp`` has cells that are drawn relative to the object's upper left corner.

    With none of these it stays, or disappears if it ``leaves``.
    """

    leaves: bool = False
    vector: tuple[int, int] | None = None
    stamp: "Stamp | None" = None
    action: Action | None = None
    colour: int | None = None
    measure: Measure | None = None

    @property
    def cost(self) -> int:
        """The cheaper it is, the likelier it is."""
        ink = 1 if self.colour is not None else 0 if self.measure is None else self.measure.cost - 1
        shape = 3 + len(self.stamp) // 4 if self.stamp else 3 if self.vector else 1
        return ink + (self.action.cost if self.action else shape)


Stamp = tuple[tuple[int, tuple[int, int]], ...]

STAYS, DISAPPEARS = Fate(), Fate(leaves=True)


@dataclass(frozen=True)
class SceneItems:
    """The objects of a scene as items to learn rules for."""

    scene: Scene
    demonstrations: int

    @property
    def values(self) -> Values:
        """See ``Items``."""
        return self.scene.values

    @property
    def sample(self) -> Numbers:
        """See ``Items``."""
        return self.scene.sample

    @cached_property
    def costs(self) -> Numbers:
        """See ``Items``."""
        return np.array([measure.cost for measure in self.scene.measures])

    @cached_property
    def shown(self) -> int:
        """See ``Items``."""
        return int(np.searchsorted(self.sample, self.demonstrations))

    def become(self, outcome: Numbers) -> Values:
        """See ``Items``."""
        return outcome.astype(np.int8)


@dataclass(frozen=True)
class Objects(SceneItems):
    """Objects that something becomes of. ``targets`` are the outputs of the demonstrations."""

    targets: Numbers
    fates: Sequence[tuple[Fate, Truths, Made]]

    @property
    def outcomes(self) -> list[Fate]:
        """See ``Items``."""
        return [fate for fate, *_ in self.fates]

    @cached_property
    def right(self) -> Numbers:
        """See ``Items``."""
        bits = np.zeros(self.shown, np.int64)
        for k, (_, right, _) in enumerate(self.fates):
            bits |= right.astype(np.int64) << k
        return bits

    @cached_property
    def changed(self) -> Truths:
        """See ``Items``."""
        found: Truths = ~self.fates[0][1]
        return found

    @cached_property
    def palettes(self) -> list[int]:
        """See ``Items``: the fewest outcomes that do, the fewest without the first of those, everything."""
        first = self._fewest(0)
        other = self._fewest(first & -first & ~1 or first >> 1 & -(first >> 1) << 1)
        return list(dict.fromkeys([first | 1, other | 1, (1 << len(self.fates)) - 1]))

    def _fewest(self, without: int) -> int:
        chosen, left = 0, self.changed.copy()
        while left.any() and chosen.bit_count() < FEW:
            counts = [int((right & left).sum()) for _, right, _ in self.fates]
            counts = [0 if without >> k & 1 else count for k, count in enumerate(counts)]
            best = int(np.argmax(counts))
            if not counts[best]:
                break
            chosen |= 1 << best
            left &= ~self.fates[best][1]
        return chosen

    def drawn(self, outcome: Numbers) -> Numbers:
        """The cells of all samples, given the outcome of every object."""
        whole = np.concatenate([grid.ravel() for grid in self.scene.grids])
        ground = background(self.scene)
        old = self.scene.objects
        leaving = np.array([fate.leaves for fate in self.outcomes])[outcome]
        places = old.place[leaving[old.owner]]
        whole[places] = ground[places]
        for k, (_, _, made) in enumerate(self.fates):
            mine = outcome[made.owner] == k
            order = np.argsort(made.colour[mine], kind="stable")
            whole[made.place[mine][order]] = made.colour[mine][order]
        return whole


def background(scene: Scene) -> Numbers:
    """The background colour at each place."""
    colours = [0 if scene.black else int(np.bincount(grid.ravel()).argmax()) for grid in scene.grids]
    return np.repeat(colours, [grid.size for grid in scene.grids])


Found = tuple[Rule[Fate], Objects]


def object_rules(scene: Scene, task: Task) -> tuple[list[Found], list[Found]]:
    """Rules that give the outputs of all demonstrations, or else rules that make some cells right and none wrong.

    Of the latter, those come first that make most cells right.
    """
    right = _Right(scene, task)
    objects = right.objects()
    full: list[Found] = []
    partial: list[tuple[int, Found]] = []
    for rule in [] if objects is None else learn(objects):
        assert objects is not None
        whole = objects.drawn(outcome_of(rule, objects))
        shown, tests = np.split(whole, [len(objects.targets)])
        better = shown != right.given[: len(shown)]
        if (shown[better] == objects.targets[better]).all():
            cost = rule.cost + sum(fate.cost for fate in {fate for _, fate in rule.table}) // 2
            found = replace(rule, cost=cost, predicted=tests.astype(np.int8).tobytes()), objects
            if (shown == objects.targets).all():
                full.append(found)
            else:
                partial.append((int(better.sum()), found))
    ranked = sorted(partial, key=lambda each: (-each[0], each[1][0].cost))
    return full, [found for _, found in ranked]


def outcome_of(rule: Rule[Outcome], objects: Items[Outcome]) -> Numbers:
    """The number of the outcome that a rule has for each object."""
    table = {values: objects.outcomes.index(outcome) for values, outcome in rule.table}
    rows = objects.values[list(rule.features)].T.tolist() if rule.features else [()] * len(objects.sample)
    return np.array([table.get(tuple(row), 0) for row in rows], np.int64)


class _Right:
    """Finds the outcomes that are right for the objects of demonstrations."""

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

    def objects(self) -> Objects | None:
        """The objects with all outcomes that are right for some, none if there are no such outcomes."""
        found = [(STAYS, self._stays(), _nothing()), *self._candidates()]
        found = [each for each in found if each[0] is STAYS or each[1][: self.shown].any()]
        if len(found) == 1:
            return None
        explained = [self._explained(*each) for each in found]
        pairs = np.unique(np.concatenate(explained))
        places = pairs % len(self.given)
        alone = pairs[np.bincount(places, minlength=len(self.given))[places] == 1]
        covers = [self._covered(covered, alone) for covered in explained]
        most = np.maximum.reduce(
            [np.where(right, cover, 0) for (_, right, _), cover in zip(found, covers, strict=True)]
        )
        fates = [
            (fate, (right & (cover == most))[: self.shown], made)
            for (fate, right, made), cover in zip(found, covers, strict=True)
        ]
        fates[0][1][:] |= ~np.logical_or.reduce([right for _, right, _ in fates])
        return Objects(self.scene, self.demonstrations, self.targets, self._ranked(fates))

    def _covered(self, covered: Numbers, alone: Numbers) -> Numbers:
        """For each object the number of cells, of those that no other object accounts for."""
        return np.bincount(covered[np.isin(covered, alone)] // len(self.given), minlength=self.count)

    def _ranked(self, fates: list[tuple[Fate, Truths, Made]]) -> list[tuple[Fate, Truths, Made]]:
        stays, *others = fates
        others.sort(key=lambda each: (-int((each[1] & ~stays[1]).sum()), each[0].cost))
        useful = [each for each in others if (each[1] & ~stays[1]).any()]
        return [stays, *useful[:MOST_OUTCOMES]]

    def _explained(self, fate: Fate, right: Truths, made: Made) -> Numbers:
        """Cells that differ and become right, as numbers of pairs of an object and a place, once each."""
        owner, place = made.owner, made.place
        if fate.leaves:
            old = self.scene.objects
            owner, place = np.concatenate([owner, old.owner]), np.concatenate([place, old.place])
        keep = right[owner] & self.differs[place]
        return np.unique(owner[keep] * len(self.given) + place[keep])

    def _stays(self) -> Truths:
        old = self.scene.objects
        return self._none(old.owner[self.whole[old.place] != self.given[old.place]])

    def _none(self, owners: Numbers) -> Truths:
        """The objects that are not among these."""
        found: Truths = np.bincount(owners, minlength=self.count) == 0
        return found

    def _candidates(self) -> Iterator[tuple[Fate, Truths, Made]]:
        nothing = _nothing()
        yield DISAPPEARS, self._vacated(nothing), nothing
        for vector in self._vectors():
            moved = self._moved(vector)
            yield Fate(leaves=True, vector=vector), self._replaced(moved), moved
        for stamp in self._stamps():
            made = self._stamped(stamp)
            there = np.bincount(made.owner, minlength=self.count) > 0
            right = there & self._none(made.owner[self.whole[made.place] != made.colour]) & self._kept(made)
            yield Fate(stamp=stamp), right, made
        for action, made in self.scene.made:
            if action.draws:
                yield from self._drawings(action, made)
            else:
                yield Fate(leaves=True, action=action), self._replaced(made), made

    def _vacated(self, made: Made) -> Truths:
        """The objects whose places are background in the output, or something else, unless they are made again."""
        old = self.scene.objects
        again = np.isin(old.owner * len(self.given) + old.place, made.owner * len(self.given) + made.place)
        left = self.whole[old.place]
        wrong = ~again & (left == self.given[old.place]) & (left != self.ground[old.place])
        if not len(made.owner):
            wrong = left != self.ground[old.place]
        return self._none(old.owner[wrong])

    def _replaced(self, made: Made) -> Truths:
        there = np.bincount(made.owner, minlength=self.count) > 0
        wrong = self.whole[made.place] != made.colour
        return there & self._none(made.owner[wrong]) & self._vacated(made)

    def _drawings(self, action: Action, made: Made) -> Iterator[tuple[Fate, Truths, Made]]:
        """A drawing in all colours that are right for some object."""
        there = np.bincount(made.owner, minlength=self.count) > 0
        wanted = self.whole[made.place]
        first = np.full(self.count, -1, np.int64)
        first[made.owner[::-1]] = wanted[::-1]
        uniform = there & self._none(made.owner[wanted != first[made.owner]]) & self._kept(made)
        for colour in self._colours():
            right = uniform & (first == colour)
            if right[: self.shown].any():
                ink = np.full(len(made.owner), colour)
                yield Fate(action=action, colour=colour), right, replace(made, colour=ink)
        for measure, values in zip(self.scene.measures, self.scene.values.astype(np.int64), strict=True):
            right = uniform & (first == values)
            if measure.colour and right[: self.shown].any():
                yield Fate(action=action, measure=measure), right, replace(made, colour=values[made.owner])

    def _kept(self, made: Made) -> Truths:
        """The objects that stay where they are not drawn over."""
        old = self.scene.objects
        over = np.isin(old.owner * len(self.given) + old.place, made.owner * len(self.given) + made.place)
        return self._none(old.owner[~over & (self.whole[old.place] != self.given[old.place])])

    def _colours(self) -> list[int]:
        """The colours that cells change to most often."""
        counts = Counter(self.whole[self.differs].tolist())
        return [colour for colour, _ in counts.most_common(COLOURS)]

    def _vectors(self) -> list[tuple[int, int]]:
        """Moves after which objects are found again, the most frequent first."""
        counts: Counter[tuple[int, int]] = Counter()
        old = self.scene.objects
        for k in np.flatnonzero(~self._stays()[: self.shown]):
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
        """Patterns that are found at all objects of a group in the outputs: those of one colour and size, or all."""
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
        """The cells around objects that are the same in the outputs, and not background; some must change."""
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
        """The places relative to objects, and which of them are in the grid."""
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


def written_for_objects(rule: Rule[Fate], objects: Objects) -> Term:
    """The term that gives the output by this rule."""
    scene = objects.scene
    chosen = {fate: chosen_by(rule, scene, [v for v, each in rule.table if each == fate]) for _, fate in rule.table}
    result: Term = INPUT
    for fate, some in chosen.items():
        if fate.leaves:
            result = call("fill", result, scene.background, call("merge", some))
    for fate in (fate for fate in objects.outcomes if fate in chosen):
        made = _cells(fate, scene, chosen[fate])
        if made is not None:
            result = call("paint", result, made)
    return result


def chosen_by(rule: Rule[Outcome], scene: Scene, entries: Sequence[tuple[int, ...]]) -> Term:
    """The objects that have the values of one of these entries."""
    if not rule.features:
        return scene.segments
    function, key = scene.measures[rule.features[-1]].function, [entry[-1] for entry in entries]
    keys: list[object] = list(key)
    for k in range(len(rule.features) - 2, -1, -1):
        function = call("fork", named("astuple"), scene.measures[rule.features[k]].function, function)
        keys = [(entry[k], key) for entry, key in zip(entries, keys, strict=True)]
    if len(keys) == 1:
        return call("sfilter", scene.segments, call("matcher", function, literal(keys[0])))
    test = call("rbind", named("contained"), literal(tuple(keys)))
    return call("sfilter", scene.segments, call("compose", test, function))


def _cells(fate: Fate, scene: Scene, some: Term) -> Term | None:
    """The cells that are made of some objects."""
    if fate.vector is not None:
        return call("mapply", call("rbind", named("shift"), literal(fate.vector)), some)
    if fate.stamp is not None:
        place = call("compose", call("lbind", named("shift"), literal(fate.stamp)), named("ulcorner"))
        return call("mapply", place, some)
    if fate.action is None:
        return None
    act = fate.action.of(INPUT, scene.background, scene.segments)
    if fate.measure is not None:
        return call("mapply", call("fork", named("recolor"), fate.measure.function, act), some)
    made = call("mapply", act, some)
    return made if fate.colour is None else call("recolor", literal(fate.colour), made)
