"""Learning: which few features tell what becomes of a cell, in all demonstrations alike.

Two cells *conflict* if nothing that a rule can say of a cell (it stays, it becomes red, it gets the colour of this
feature) is right for both. The features of a rule must tell every two cells that conflict apart: a set of features is
looked for that hits them all. The search branches over the features that tell the hardest pair apart, so that all small sets are found
without trying all.

How a rule generalises is measured on the demonstrations: each in turn is left out, and must come out right by what the
others say.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.int8]
Labels = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint64]

PAIRS, DRAWN = 1024, 16_384
ROUNDS = 16
FAILURES = 24
LARGEST = 4
EVALUATED = 120
WORK = 2500
ENOUGH = 24
ROLES = 12
STAYS = 0
STRANGE = 0.34


@dataclass(frozen=True)
class Cells:
    """The cells of a task's samples, those of demonstrations first.

    ``values`` has a row for each feature; ``base`` is what a cell is if no rule says anything of it. ``sample`` says
    which sample a cell belongs to, ``targets`` what it must become, for the cells of demonstrations.
    """

    values: Values
    base: Values
    sample: npt.NDArray[np.int64]
    targets: Values
    costs: npt.NDArray[np.int64]
    colours: npt.NDArray[np.bool_]

    @property
    def shown(self) -> int:
        """How many cells belong to demonstrations."""
        return len(self.targets)

    @property
    def demonstrations(self) -> int:
        """How many demonstrations there are."""
        return int(self.sample[self.shown - 1]) + 1


@dataclass(frozen=True)
class Outcome:
    """What can become of a cell: a colour, or what a feature has there. It stays where there is neither."""

    colour: int | None = None
    feature: int | None = None


@dataclass(frozen=True)
class Rule:
    """What becomes of cells by their features' values. Where nothing is said, a cell stays.

    ``held_out`` is the share of demonstrations that come out right by what the others say, ``unseen`` how many cells of
    tests are like none that was shown, ``predicted`` what becomes of the cells of tests.
    """

    features: tuple[int, ...]
    table: tuple[tuple[tuple[int, ...], Outcome], ...]
    held_out: float
    unseen: int
    cost: int
    predicted: bytes


def _labelled(values: Values) -> tuple[Labels, int]:
    """The values numbered from 0 in order of appearance: equal partitions get equal labels."""
    found, first = np.unique(values, return_index=True)
    order = np.argsort(first)
    table = np.zeros(256, np.int64)
    table[found[order].astype(np.int64) + 128] = np.arange(len(found))
    return table[values.astype(np.int64) + 128], len(found)


class Learner:
    """Finds the rules for one set of cells."""

    def __init__(self, cells: Cells, seed: int = 0) -> None:
        self.cells = cells
        self.rng = np.random.default_rng(seed)
        self._choose_features()
        self._choose_outcomes()
        self._choose_cells()

    def _choose_cells(self) -> None:
        """Of cells of a demonstration that no feature tells apart and of which the same is right, the first stays."""
        shown = self.cells.shown
        rows = [*self.labels[:, :shown], self.cells.sample[:shown], self.mask_of]
        codes = self.rng.integers(1 << 62, size=len(rows), dtype=np.int64)
        total = np.zeros(shown, np.int64)
        for code, row in zip(codes, rows, strict=True):  # 64 bits: two different cells never meet
            total += code * row
        _, first = np.unique(total, return_index=True)
        self.first = np.sort(first)
        self.samples = self.cells.sample[self.first]
        self.mask_of = self.mask_of[self.first]
        self.changed = self.changed[self.first]
        self.shown = len(self.first)
        self.labels = self.labels[:, np.concatenate([self.first, np.arange(shown, len(self.cells.sample))])]
        self.places = np.concatenate([self.first, np.arange(shown, len(self.cells.sample))])

    def _choose_features(self) -> None:
        """Of features that tell the same cells apart, the first stays."""
        self.kept: list[int] = []
        labels: list[Labels] = []
        self.sizes: list[int] = []
        seen: set[bytes] = set()
        for k, values in enumerate(self.cells.values):
            label, count = _labelled(values)
            key = label.astype(np.uint8).tobytes()
            if count > 1 and key not in seen:
                seen.add(key)
                self.kept.append(k)
                labels.append(label)
                self.sizes.append(count)
        self.labels = np.array(labels).reshape(len(labels), self.cells.values.shape[1])

    def _choose_outcomes(self) -> None:
        """What may become of a cell, the more telling first; ``explains`` says for each cell which are right."""
        cells, shown = self.cells, self.cells.shown
        changed = cells.targets != cells.base[:shown]
        self.changed = changed
        colours = [(Outcome(colour=int(c)), cells.targets == c) for c in np.unique(cells.targets[changed])]
        roles = []
        seen = {cells.base.tobytes()}
        for k in np.flatnonzero(cells.colours):
            values = cells.values[k]
            if values.tobytes() not in seen and not (values == values[0]).all():
                seen.add(values.tobytes())
                roles.append((Outcome(feature=int(k)), values[:shown] == cells.targets))
        roles = [each for each in roles if (each[1] & changed).any()]
        roles = sorted(roles, key=lambda each: -int((each[1] & changed).sum()))[:ROLES]
        ranked = sorted([*colours, *roles], key=lambda each: -int((each[1] & changed).sum()))
        self.outcomes = [Outcome(), *(outcome for outcome, _ in ranked)]
        explains = np.array([~changed, *(right for _, right in ranked)])
        bits = (explains.astype(np.int64) << np.arange(len(explains))[:, None]).sum(axis=0)
        self.masks, self.mask_of = np.unique(bits, return_inverse=True)
        self.allowed = ((self.masks[:, None] >> np.arange(len(explains))) & 1).astype(np.float64)

    # Conflicts

    def _draw_conflicts(self) -> tuple[Any, Any]:
        """Pairs of cells that conflict, those that the fewest features tell apart."""
        shown = self.shown
        a, b = self.rng.integers(0, shown, (2, DRAWN))
        picked = np.flatnonzero(self.changed)
        if len(picked):  # one of the two is a cell that changes: most cells do not, and would conflict with none
            a[: DRAWN // 2] = self.rng.choice(picked, DRAWN // 2)
        conflict = (self.masks[self.mask_of[a]] & self.masks[self.mask_of[b]]) == 0
        a, b = a[conflict], b[conflict]
        apart = np.zeros(len(a), np.int64)
        for label in self.labels:
            apart += label[a] != label[b]
        chosen = np.argsort(apart, kind="stable")[:PAIRS]
        return a[chosen], b[chosen]

    def rules(self) -> list[Rule]:
        """Rules that are right for all demonstrations, the best first."""
        if not self.changed.any():
            return []
        self.work = WORK
        self._narrow()
        if not len(self.labels):
            return []
        a, b = self._draw_conflicts()
        self.found: dict[tuple[int, ...], Rule] = {}
        self.tried: set[tuple[int, ...]] = set()
        for _ in range(ROUNDS):
            self.more: list[tuple[int, int]] = []
            self._search(a, b)
            if not self.more or len(self.found) >= EVALUATED or self.work <= 0:
                break
            a = np.concatenate([a, [pair[0] for pair in self.more]])
            b = np.concatenate([b, [pair[1] for pair in self.more]])
        return sorted(self.found.values(), key=_merit)

    def _narrow(self) -> None:
        """Leave out features by which too many demonstrations are like no other."""
        self.familiar: dict[tuple[int, ...], bool] = {}
        good = [k for k in range(len(self.kept)) if self._is_familiar((k,))]
        self.kept = [self.kept[k] for k in good]
        self.sizes = [self.sizes[k] for k in good]
        self.labels = self.labels[good]
        self.familiar.clear()

    def _is_familiar(self, chosen: tuple[int, ...]) -> bool:
        """Whether the cells that change in a demonstration are like some of others. If not, more features do not help."""
        key = tuple(sorted(chosen))
        if key not in self.familiar:
            self.work -= 1
            self.familiar[key] = self._strange(key) <= self.cells.demonstrations * STRANGE
        return self.familiar[key]

    def _strange(self, chosen: tuple[int, ...]) -> int:
        """In how many demonstrations there are cells that change and are like none of another."""
        shown, demos = self.shown, self.cells.demonstrations
        joint, count = self.labels[chosen[0]][:shown], self.sizes[chosen[0]]
        for k in chosen[1:]:
            joint, count = joint * self.sizes[k] + self.labels[k][:shown], count * self.sizes[k]
        if count > shown:
            found, joint = np.unique(joint, return_inverse=True)
            count = len(found)
        place = self.samples * count + joint
        there = np.bincount(place, minlength=demos * count).reshape(demos, count) > 0
        changes = np.bincount(place[self.changed], minlength=demos * count).reshape(demos, count) > 0
        alone = there.sum(axis=0) == 1
        return int((changes & alone).any(axis=1).sum())

    def _search(self, a: Any, b: Any) -> None:
        together = self.labels[:, a] == self.labels[:, b]
        order = np.argsort((~together).sum(axis=0), kind="stable")  # the hardest first
        together = together[:, order]
        packed = _packed(together)
        if not together.shape[1]:
            self._try(())
            return
        for size in range(1, LARGEST + 1):
            for chosen in self._hitting(packed, together, size, ()):
                self._try(chosen)
                if len(self.found) >= EVALUATED or len(self.more) >= FAILURES or self.work <= 0:
                    return
            if sum(rule.held_out == 1 for rule in self.found.values()) >= ENOUGH:
                return

    def _hitting(self, packed: Bits, together: Any, size: int, chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """Sets of so many features with which no pair stays together: the pairs are in order, the hardest first."""
        left = np.bitwise_and.reduce(packed[list(chosen)], axis=0) if chosen else None
        rest = packed if left is None else packed & left
        if size == 1:
            self.work -= 1
            for k in np.flatnonzero(~rest.any(axis=1)):
                if self._is_familiar((*chosen, int(k))):
                    yield (*chosen, int(k))
            return
        open_ = 0 if left is None else _first(left)
        for k in np.flatnonzero(~together[:, open_]):
            if self.work <= 0:
                return
            more = (*chosen, int(k))
            if rest[k].any() and self._is_familiar(more):  # else it is enough by itself, and found already
                yield from self._hitting(packed, together, size - 1, more)

    # One set of features

    def _try(self, chosen: tuple[int, ...]) -> None:
        key = tuple(sorted(chosen))
        self.work -= 1
        if key in self.tried or any(set(done) <= set(key) for done in self.found):
            return
        self.tried.add(key)
        rule = self._rule(key)
        if isinstance(rule, Rule):
            self.found[key] = rule
        else:
            self.more += rule

    def _keys(self, chosen: tuple[int, ...]) -> tuple[Labels, int]:
        joint = np.zeros(self.labels.shape[1], np.int64)
        for k in chosen:
            joint = joint * self.sizes[k] + self.labels[k]
        _, keys = np.unique(joint, return_inverse=True)
        return keys, int(keys.max()) + 1

    def _rule(self, chosen: tuple[int, ...]) -> "Rule | list[tuple[int, int]]":
        """The rule for these features, or cells that conflict."""
        cells, shown = self.cells, self.shown
        keys, count = self._keys(chosen)
        shown_keys, kinds, demos = keys[:shown], len(self.masks), cells.demonstrations
        place = (self.samples * count + shown_keys) * kinds + self.mask_of
        counts = np.bincount(place, minlength=demos * count * kinds).reshape(demos, count, kinds)
        explained = counts @ self.allowed
        numbers = counts.sum(axis=2)
        total, number = explained.sum(axis=0), numbers.sum(axis=0)
        best = total.argmax(axis=1)  # the first of those that explain most
        wrong = np.flatnonzero(total[np.arange(count), best] < number)
        if len(wrong):
            return [pair for key in wrong[:4] for pair in self._conflict(np.flatnonzero(shown_keys == key))]
        held_out = self._held_out(explained, numbers)
        outcome = np.where(number > 0, best, STAYS)
        tests = keys[shown:]
        return Rule(
            tuple(self.kept[k] for k in chosen),
            self._table(chosen, keys, outcome),
            held_out,
            int((number[tests] == 0).sum()),
            int(sum(self.cells.costs[self.kept[k]] for k in chosen)),
            self._predicted(outcome[tests]),
        )

    def _conflict(self, places: Any) -> Iterator[tuple[int, int]]:
        """Two of these cells that nothing explains both of."""
        masks = self.masks[self.mask_of[places]]
        values, first = np.unique(masks, return_index=True)
        for k in range(len(values)):
            for other in range(k + 1, len(values)):
                if values[k] & values[other] == 0:
                    yield int(places[first[k]]), int(places[first[other]])
                    return

    def _held_out(self, explained: Any, numbers: Any) -> float:
        """The share of demonstrations that are right by what the others say."""
        demos = len(numbers)
        if demos < 2:
            return 0.0
        others = explained.sum(axis=0) - explained
        known = numbers.sum(axis=0) - numbers > 0
        said = np.where(known, others.argmax(axis=2), STAYS)
        right = np.take_along_axis(explained, said[:, :, None], axis=2)[:, :, 0] == numbers
        return float(right.all(axis=1).mean())

    def _table(self, chosen: tuple[int, ...], keys: Labels, outcome: Any) -> Any:
        _, first = np.unique(keys, return_index=True)
        rows = [self.kept[k] for k in chosen]
        changing = np.flatnonzero(outcome != STAYS)
        values = self.cells.values[rows][:, self.places[first[changing]]].T.tolist()
        return tuple((tuple(row), self.outcomes[outcome[key]]) for row, key in zip(values, changing, strict=True))

    def _predicted(self, outcome: Any) -> bytes:
        shown = self.cells.shown
        result = self.cells.base[shown:].copy()
        for k, each in enumerate(self.outcomes):
            if k != STAYS:
                values = self.cells.values[each.feature][shown:] if each.feature is not None else each.colour
                result = np.where(outcome == k, values, result)
        return result.astype(np.int8).tobytes()


def _merit(rule: Rule) -> tuple[float, ...]:
    """What is better comes first."""
    return -rule.held_out, rule.unseen > 0, rule.cost + len(rule.table) / 4, rule.unseen


def _packed(together: Any) -> Bits:
    width = -(-together.shape[1] // 64) * 64
    padded = np.zeros((len(together), width), bool)
    padded[:, : together.shape[1]] = together
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)


def _first(bits: Bits) -> int:
    """The first bit that is set."""
    word = int(np.flatnonzero(bits)[0])
    value = int(bits[word])
    return word * 64 + (value & -value).bit_length() - 1
