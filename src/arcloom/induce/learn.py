"""Rule learning: finds small sets of features that determine the outcome of an item in all demonstrations.

Items are cells or objects. Two items *conflict* if no outcome (it stays, it becomes red, it gets the colour of a
feature) is correct for both. The features of a rule must distinguish all items that conflict. The search looks for sets
of features that distinguish some hundred conflicting pairs. It branches over the features that distinguish the hardest
pair, so that all small sets are found without trying every one. If a set leaves other items in conflict, these pairs
are added, and the search starts again.

Generalisation is measured by leave-one-out: each demonstration must be correct by the rule of the others. A
demonstration is *isolated* by a set of features if one of its changed items has feature values that occur in no other
demonstration. Then leave-one-out fails for it, and adding features does not help, so that most of the search is pruned.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from arcloom.engine.compile.call import entry_point
from arcloom.engine.entry_points import LEARNING
from arcloom.engine.warm import ensure
from arcloom.induce.cells import Numbers, Truths, Values
from arcloom.induce.compiled import items as compiled
from arcloom.induce.compiled import search, trial

Chosen = tuple[int, ...]

DRAWN = 8192
"""Number of random pairs of items, of which the hardest are used."""

WORK = 800
"""Maximum number of steps of a search: sets of features that are extended, tested for isolation, or tried."""

ISOLATED = 0.34
"""Maximum share of isolated demonstrations: see the module's docstring."""


Outcome_co = TypeVar("Outcome_co", covariant=True)


class ItemTable(Protocol[Outcome_co]):
    """The items that rules are learnt for: cells or objects, those of demonstrations first."""

    @property
    def values(self) -> Values:
        """The values of features: a row for each feature, a column for each item."""

    @property
    def sample(self) -> Numbers:
        """The sample that each item belongs to."""

    @property
    def costs(self) -> Numbers:
        """The cost of each feature."""

    @property
    def shown(self) -> int:
        """The number of items that belong to demonstrations."""

    @property
    def demonstrations(self) -> int:
        """The number of demonstrations."""

    @property
    def changed(self) -> Truths:
        """Whether each item of a demonstration changes."""

    @property
    def outcomes(self) -> Sequence[Outcome_co]:
        """The possible outcomes of an item, in order of preference. Staying comes first."""

    @property
    def right(self) -> Numbers:
        """For each item of a demonstration the set of its correct outcomes, as bits."""

    @property
    def palettes(self) -> Sequence[int]:
        """Sets of allowed outcomes to try, as bits."""

    def become(self, outcome: Numbers) -> Values:
        """The predicted values of the items of tests, given the outcome of each."""


@dataclass(frozen=True)
class Rule(Generic[Outcome_co]):
    """A table from values of features to the outcome of an item. Items with other values stay.

    ``held_out`` is the share of demonstrations that are correct by the rule of the others. ``unseen`` is the number of
    items of tests whose values occur in no demonstration. ``predicted`` are the values of the items of tests.
    """

    features: Chosen
    table: tuple[tuple[tuple[int, ...], Outcome_co], ...]
    held_out: float
    unseen: int
    cost: int
    predicted: bytes


def learn(cells: ItemTable[Outcome_co]) -> list[Rule[Outcome_co]]:
    """Rules that are correct for all demonstrations. Empty if no item changes."""
    return _Learner(cells).rules() if cells.changed.any() else []


class Tally:
    """Counts of work in this process, for benchmarks."""

    rules = 0
    """Number of sets of features whose rule was computed."""

    features = 0
    """Number of features whose values were labelled."""


class _Learner(Generic[Outcome_co]):
    """The features that distinguish items, and the search over sets of them.

    ``places`` are the items of demonstrations that differ in some feature or in their correct outcomes, then the items
    of tests. ``labels`` has a row for each feature and a column for each of ``places``.
    """

    def __init__(self, cells: ItemTable[Outcome_co]) -> None:
        ensure((), entry_points=LEARNING)
        self.cells = cells
        self.rng = np.random.default_rng(0)
        self.features, self.sizes, labels = self._labelled()
        self.first = self._first_of_each(labels)
        self.shown = len(self.first)
        self.places = np.concatenate([self.first, np.arange(cells.shown, len(cells.sample))])
        self.labels = np.take(labels, self.places, axis=1)
        self.sample = cells.sample[self.first]
        self.changed = np.flatnonzero(cells.changed[self.first])
        self.across = np.empty((self.shown, len(self.features)), np.int8)
        self.partitions = self._partitions()
        self._keep_supported()

    def _labelled(self) -> tuple[Numbers, Numbers, Values]:
        """The features that distinguish items, the number of labels of each, and the labels."""
        values = np.ascontiguousarray(self.cells.values)
        rows, items = values.shape
        labels = np.empty((rows + 1, items), np.int8)
        kept, sizes, hashes = np.empty((3, rows + 1), np.int64)
        weights, table = np.empty(items, np.int64), np.empty(compiled.BYTES, np.int64)
        features = compiled.Features(values, labels, kept, sizes, hashes, weights, table, rows, items)
        count = entry_point("label_features")(features)
        Tally.features += rows
        return kept[:count], sizes[:count], labels[:count]

    def _first_of_each(self, labels: Values) -> Numbers:
        """The first of each group of items of a demonstration with the same labels and the same correct outcomes."""
        shown, sample = self.cells.shown, np.ascontiguousarray(self.cells.sample)
        weights = self.rng.integers(1 << 62, size=len(labels) + 2)
        slots = np.zeros(_power_of_two(2 * shown), np.int64)
        totals, first = np.empty((2, shown), np.int64)
        arrays = (labels, sample, self.cells.right, weights, totals, slots, first)
        kinds = compiled.Kinds(*arrays, len(labels), len(sample), shown, len(slots) - 1)
        return first[: entry_point("first_of_each")(kinds)]

    def _partitions(self) -> compiled.Partitions:
        levels, codes = trial.LARGEST + 1, self.shown * int(self.sizes.max(initial=1))
        sizes = (
            compiled.PROGRESS_WORDS, levels, levels * self.shown, levels, levels, codes, self.cells.demonstrations
        )  # fmt: skip
        return compiled.Partitions(*(np.zeros(size, np.int64) for size in sizes))

    def _items(self, right: Numbers) -> compiled.Items:
        """The items in the form of the compiled search."""
        arrays = (self.labels, self.across, self.sizes, self.sample, right, self.changed)
        demonstrations = self.cells.demonstrations
        counts = (len(self.features), len(self.places), self.shown, len(self.changed), demonstrations)
        return compiled.Items(*arrays, *counts, int(demonstrations * ISOLATED))

    def _keep_supported(self) -> None:
        """Drop the features that isolate too many demonstrations: see ``isolated_with``."""
        anything = self.sample  # correct outcomes do not matter here
        count = entry_point("keep_supported")(self._items(anything), self.partitions, self.features)
        self.features, self.sizes = self.features[:count], self.sizes[:count]

    def rules(self) -> list[Rule[Outcome_co]]:
        """See ``learn``."""
        found: dict[tuple[Chosen, bytes], Rule[Outcome_co]] = {}
        palettes, room = self.cells.palettes, self._trial()
        sets, marks = np.zeros((2, _power_of_two(4 * WORK * len(palettes))), np.int64)
        for number, allowed in enumerate(palettes, 1):
            right = self.cells.right[self.first] & allowed
            if right.all():
                rules = self._rules(right, room, trial.Memo(sets, marks, len(sets) - 1, number))
                found |= {(rule.features, rule.predicted): rule for rule in rules}
        return list(found.values())

    def _rules(self, right: Numbers, room: trial.Trial, memo: trial.Memo) -> Iterator[Rule[Outcome_co]]:
        """The rules of one search. ``right`` has the correct outcomes of each item, among the allowed ones."""
        progress = _array(self.partitions.progress)
        progress[: compiled.LAST_STAMP] = 0
        progress[compiled.WORK_LEFT] = WORK
        found = self._found()
        count = entry_point("find_rules")(self._items(right), self.partitions, self._pairs(), room, memo, found)
        Tally.rules += int(progress[compiled.SETS_TRIED])
        rules, tables = trial.RULE.view(_array(found.rules)), trial.ENTRY.view(_array(found.tables))
        for row, outcome in zip(rules.rows[:count].tolist(), _array(found.outcomes), strict=False):
            yield self._rule(row, tables.rows, outcome)

    def _pairs(self) -> search.Pairs:
        """Random pairs of items. In half of them, one item changes."""
        left, right = self.rng.integers(0, self.shown, (2, DRAWN))
        left[: DRAWN // 2] = self.rng.choice(self.changed, DRAWN // 2)
        count, levels, width = len(self.features), trial.LARGEST, -(-search.MOST_PAIRS // search.WIDTH)
        sizes = (DRAWN, DRAWN, count + 2, count * width, levels * width, levels, levels)
        given: Any = [left, right, *_empty(*sizes), DRAWN]
        return search.Pairs(*given)

    def _trial(self) -> trial.Trial:
        places = len(self.places)
        words = places * int(self.sizes.max(initial=1)) // search.WIDTH + 2
        agreed = self.cells.demonstrations * places
        return trial.Trial(
            *_empty(trial.LARGEST, places, places, agreed, places, words, words, self.shown + 1, self.shown + 1)
        )

    def _found(self) -> trial.FoundRules:
        rules, places = search.RULES, len(self.places)
        return trial.FoundRules(
            trial.RULE.table(rules).words,
            np.empty(trial.ENTRY.size * rules * places, np.int64),
            np.empty((rules, places - self.shown), np.int8),
            *np.empty((2, search.MOST_PAIRS), np.int64),
        )

    def _rule(self, row: list[int], tables: Numbers, outcome: Numbers) -> Rule[Outcome_co]:
        size, right, unseen, first, entries, *chosen = row
        features = [int(self.features[k]) for k in chosen[:size]]
        items, outcomes = tables[first : first + entries].T
        values = self.cells.values[features][:, self.places[items]].T.tolist()
        said = [self.cells.outcomes[k] for k in outcomes]
        return Rule(
            tuple(features),
            tuple(zip(map(tuple, values), said, strict=True)),
            right / self.cells.demonstrations,
            unseen,
            int(self.cells.costs[features].sum()),
            self.cells.become(outcome).tobytes(),
        )


def _power_of_two(least: int) -> int:
    return 1 << max(least - 1, 1).bit_length()


def _empty(*sizes: int) -> Any:
    """Uninitialised arrays of words."""
    return [np.empty(size, np.int64) for size in sizes]


def _array(pointer: Any) -> Any:
    """The argument, untyped: an array that compiled code declares as a pointer."""
    return pointer
