"""Learning: which few features tell what becomes of a cell, in all demonstrations alike.

Two cells *conflict* if nothing that a rule can say of a cell (it stays, it becomes red, it gets the colour of this
feature) is right for both. The features of a rule must tell every two cells that conflict apart: sets of features are
looked for that do so for some hundred pairs. The search branches over the features that tell the hardest pair apart, so
that all small sets are found without trying all of them. Where a set turns out to leave others together, these are
added to the pairs.

How a rule generalises is measured on the demonstrations: each in turn is left out, and must come out right by what the
others say. A cell that changes and is like none of another demonstration cannot, whatever features are added: most of
the search is cut short by that.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from arcloom.induce.cells import Numbers, Truths, Values, labelled

Bits = npt.NDArray[np.uint64]
Chosen = tuple[int, ...]

LARGEST = 4
"""A rule looks at so many features at most."""

DRAWN, PAIRS = 8192, 512
"""So many pairs are drawn, of which the hardest are used."""

ROUNDS, FAILURES = 16, 24
"""After so many sets that were not enough, the search begins again with the pairs that they left together."""

RULES, ENOUGH = 120, 24
"""So many rules are enough, and so many that hold for all demonstrations left out."""

WORK = 800
"""So many sets are looked at."""

STRANGE = 0.34
"""Such a share of demonstrations may have cells that change and are like none of another."""

EVERYTHING = -1
"""All outcomes, as bits."""


Outcome_co = TypeVar("Outcome_co", covariant=True)


class Items(Protocol[Outcome_co]):
    """What rules are learnt for: cells or objects, those of demonstrations first. See ``Cells``."""

    @property
    def values(self) -> Values:
        """A row for each feature."""

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
        """Which items of demonstrations do not stay."""

    @property
    def outcomes(self) -> Sequence[Outcome_co]:
        """What may become of an item, in order of preference. That it stays comes first."""

    @property
    def right(self) -> Numbers:
        """For each item of a demonstration which outcomes are right, as bits."""

    @property
    def palettes(self) -> Sequence[int]:
        """Sets of outcomes to try, as bits."""

    def become(self, outcome: Numbers) -> Values:
        """The items of tests, given which outcome each has."""


@dataclass(frozen=True)
class Rule(Generic[Outcome_co]):
    """What becomes of items by their features' values. Where nothing is said, an item stays.

    ``held_out`` is the share of demonstrations that come out right by what the others say, ``unseen`` how many cells of
    tests are like none that was shown, ``predicted`` what becomes of the cells of tests.
    """

    features: Chosen
    table: tuple[tuple[tuple[int, ...], Outcome_co], ...]
    held_out: float
    unseen: int
    cost: int
    predicted: bytes


def learn(cells: Items[Outcome_co]) -> list[Rule[Outcome_co]]:
    """Rules that are right for all demonstrations."""
    return _Learner(cells).rules() if cells.changed.any() else []


class _Learner(Generic[Outcome_co]):
    """The features that tell cells apart, by number, and what was tried with them.

    ``labels`` has a row for each feature and a column for each of ``places``: cells of demonstrations that differ in
    some feature or in what is right for them, then the cells of tests.
    """

    def __init__(self, cells: Items[Outcome_co]) -> None:
        self.cells = cells
        self.rng = np.random.default_rng(0)
        self.demonstrations = cells.demonstrations
        self.features: list[int] = []
        self.sizes: list[int] = []
        labels = self._different()
        self.first = self._first_of_each(labels)
        self.shown = len(self.first)
        self.places = np.concatenate([self.first, np.arange(cells.shown, len(cells.sample))])
        self.labels = labels[:, self.places]
        self.sample, self.changed = cells.sample[self.first], cells.changed[self.first]
        self.familiar: dict[Chosen, bool] = {}
        self._begin(EVERYTHING)

    def _begin(self, allowed: int) -> None:
        """Look for rules with these outcomes."""
        self.right = self.cells.right[self.first] & allowed
        self.found: dict[Chosen, Rule[Outcome_co]] = {}
        self.tried: set[Chosen] = set()
        self.work = WORK

    def _different(self) -> Numbers:
        """The labels of features that tell cells apart; of those that tell the same ones, the first."""
        labels: list[Numbers] = []
        seen: set[bytes] = set()
        for k, values in enumerate(self.cells.values):
            label, count = labelled(values)
            key = label.astype(np.uint8).tobytes()
            if count > 1 and key not in seen:
                seen.add(key)
                labels.append(label)
                self.features.append(k)
                self.sizes.append(count)
        return np.array(labels, np.int64).reshape(len(labels), len(self.cells.sample))

    def _first_of_each(self, labels: Numbers) -> Numbers:
        """Of cells of a demonstration with the same labels, of which the same is right, the first."""
        shown = self.cells.shown
        rows = [*labels[:, :shown], self.cells.sample[:shown], self.cells.right]
        total = np.zeros(shown, np.int64)
        for code, row in zip(self.rng.integers(1 << 62, size=len(rows)), rows, strict=True):
            total += code * row  # 64 bits in which different cells never meet
        return np.sort(np.unique(total, return_index=True)[1])

    def rules(self) -> list[Rule[Outcome_co]]:
        """See ``learn``."""
        self._drop_strange()
        found: dict[tuple[Chosen, bytes], Rule[Outcome_co]] = {}
        for allowed in self.cells.palettes:
            self._begin(allowed)
            if self.right.all():
                found |= {(rule.features, rule.predicted): rule for rule in self._rules()}
        return list(found.values())

    def _rules(self) -> list[Rule[Outcome_co]]:
        a, b = self._conflicts()
        for _ in range(ROUNDS):
            more = self._search(a, b)
            if not more or self._is_done():
                break
            a, b = (np.concatenate([old, new]) for old, new in zip((a, b), np.array(more).T, strict=True))
        return list(self.found.values())

    def _is_done(self) -> bool:
        return self.work <= 0 or len(self.found) >= RULES

    def _drop_strange(self) -> None:
        good = [k for k in range(len(self.features)) if self._is_familiar((k,))]
        self.features = [self.features[k] for k in good]
        self.sizes = [self.sizes[k] for k in good]
        self.labels = self.labels[good]
        self.familiar.clear()

    def _conflicts(self) -> tuple[Numbers, Numbers]:
        """Pairs of cells that conflict, those that the fewest features tell apart."""
        a, b = self.rng.integers(0, self.shown, (2, DRAWN))
        a[: DRAWN // 2] = self.rng.choice(np.flatnonzero(self.changed), DRAWN // 2)
        conflict = self.right[a] & self.right[b] == 0
        a, b = a[conflict], b[conflict]
        apart = np.zeros(len(a), np.int64)
        for label in self.labels:
            apart += label[a] != label[b]
        hardest = np.argsort(apart, kind="stable")[:PAIRS]
        return a[hardest], b[hardest]

    def _search(self, a: Numbers, b: Numbers) -> list[tuple[int, int]]:
        """Try the sets that tell these pairs apart, and give back further pairs that they do not."""
        more: list[tuple[int, int]] = []
        if not len(a):
            return self._try(())
        hits = _Hits.of(self.labels[:, a] == self.labels[:, b])
        for size in range(1, LARGEST + 1):
            for chosen in self._hitting(hits, size, ()):
                more += self._try(chosen)
                if len(more) >= FAILURES or self._is_done():
                    return more
            if sum(rule.held_out == 1 for rule in self.found.values()) >= ENOUGH:
                return []
        return more

    def _hitting(self, hits: "_Hits", size: int, chosen: Chosen) -> Iterator[Chosen]:
        """Sets of so many features more that tell all pairs apart."""
        self.work -= 1
        together = hits.together(chosen)
        rest = hits.packed & together
        enough: Truths = np.logical_not(rest.any(axis=1))
        for k in np.flatnonzero(enough) if size == 1 else hits.telling(together):
            more = (*chosen, int(k))
            if self.work <= 0:
                return
            if size == 1 and self._is_familiar(more):
                yield more
            elif size > 1 and not enough[k] and self._is_familiar(more):
                yield from self._hitting(hits, size - 1, more)

    def _is_familiar(self, chosen: Chosen) -> bool:
        """Whether enough demonstrations are like others where they change. If not, more features do not help."""
        key = tuple(sorted(chosen))
        if key not in self.familiar:
            self.work -= 1
            self.familiar[key] = self._strange(key) <= self.demonstrations * STRANGE
        return self.familiar[key]

    def _strange(self, chosen: Chosen) -> int:
        """In how many demonstrations there are cells that change and are like none of another."""
        keys, count = self._keys(chosen, self.shown)
        place, size = self.sample * count + keys, self.demonstrations * count
        there = np.bincount(place, minlength=size).reshape(-1, count) > 0
        changes = np.bincount(place[self.changed], minlength=size).reshape(-1, count) > 0
        return int((changes & (there.sum(axis=0) == 1)).any(axis=1).sum())

    def _keys(self, chosen: Chosen, cells: int) -> tuple[Numbers, int]:
        """A number for each of the first cells, the same for those with the same labels, and how many there may be."""
        keys, count = np.zeros(cells, np.int64), 1
        for k in chosen:
            keys, count = keys * self.sizes[k] + self.labels[k, :cells], count * self.sizes[k]
            if count > cells:
                found, keys = np.unique(keys, return_inverse=True)
                count = len(found)
        return keys, count

    def _try(self, chosen: Chosen) -> list[tuple[int, int]]:
        """Find the rule for these features, or else cells that they would have to tell apart."""
        key = tuple(sorted(chosen))
        self.work -= 1
        if key in self.tried or any(set(done) <= set(key) for done in self.found):
            return []
        self.tried.add(key)
        keys, count = self._keys(key, len(self.places))
        agreed = self._agreed(keys[: self.shown], count)
        right = np.bitwise_and.reduce(agreed, axis=0)
        wrong = np.flatnonzero(right == 0)
        if len(wrong):
            return [pair for each in wrong[:3] for pair in self._conflict(keys, int(each))]
        self.found[key] = self._rule(key, keys, agreed)
        return []

    def _agreed(self, keys: Numbers, count: int) -> Numbers:
        """For each demonstration and key the outcomes that are right for all such cells, as bits."""
        place = self.sample * count + keys
        order = np.argsort(place, kind="stable")
        where, start = np.unique(place[order], return_index=True)
        agreed = np.full(self.demonstrations * count, EVERYTHING, np.int64)
        agreed[where] = np.bitwise_and.reduceat(self.right[order], start)
        return agreed.reshape(self.demonstrations, count)

    def _conflict(self, keys: Numbers, key: int) -> Iterator[tuple[int, int]]:
        """Two cells with this key that conflict. There need be none where only three cells have nothing in common."""
        places = np.flatnonzero(keys[: self.shown] == key)
        kinds, first = np.unique(self.right[places], return_index=True)
        a, b = np.nonzero(kinds[:, None] & kinds[None, :] == 0)
        if len(a):
            yield int(places[first[a[0]]]), int(places[first[b[0]]])

    def _rule(self, chosen: Chosen, keys: Numbers, agreed: Numbers) -> Rule[Outcome_co]:
        known = (agreed != EVERYTHING).any(axis=0)
        outcome = _preferred(np.bitwise_and.reduce(agreed, axis=0))
        tests = keys[self.shown :]
        return Rule(
            tuple(self.features[k] for k in chosen),
            self._table(chosen, keys, outcome),
            self._held_out(agreed),
            int((~known[tests]).sum()),
            int(self.cells.costs[[self.features[k] for k in chosen]].sum()) if chosen else 0,
            self.cells.become(outcome[tests]).tobytes(),
        )

    def _held_out(self, agreed: Numbers) -> float:
        """The share of demonstrations that are right by what the others say."""
        count = len(agreed)
        if count < 2:
            return 0.0
        others = [np.bitwise_and.reduce(np.delete(agreed, k, axis=0), axis=0) for k in range(count)]
        said = [_preferred(other) for other in others]
        return float(np.mean([(own >> each & 1).all() for own, each in zip(agreed, said, strict=True)]))

    def _table(self, chosen: Chosen, keys: Numbers, outcome: Numbers) -> tuple[tuple[tuple[int, ...], Outcome_co], ...]:
        there, first = np.unique(keys, return_index=True)
        changing = first[outcome[there] != 0]
        rows = [self.features[k] for k in chosen]
        values = self.cells.values[rows][:, self.places[changing]].T.tolist()
        said = [self.cells.outcomes[outcome[keys[place]]] for place in changing]
        return tuple(zip(map(tuple, values), said, strict=True))


def _preferred(bits: Numbers) -> Numbers:
    """The first outcome of each: where any is right, a cell stays."""
    lowest = bits & -bits
    found: Numbers = np.log2(lowest).astype(np.int64)
    return found


@dataclass(frozen=True)
class _Hits:
    """Which pairs of cells a feature leaves together, the hardest first: as truth values, and as bits."""

    apart: Truths
    packed: Bits

    @classmethod
    def of(cls, together: Truths) -> "_Hits":
        ordered = together[:, np.argsort((~together).sum(axis=0), kind="stable")]
        width = -(-ordered.shape[1] // 64) * 64
        padded = np.zeros((len(ordered), width), bool)
        padded[:, : ordered.shape[1]] = ordered
        return cls(~ordered, np.packbits(padded, axis=1, bitorder="little").view(np.uint64))

    def together(self, chosen: Chosen) -> Bits:
        """The pairs that all of these leave together."""
        if chosen:
            found: Bits = np.bitwise_and.reduce(self.packed[list(chosen)], axis=0)
            return found
        return np.packbits(np.ones(self.packed.shape[1] * 64, bool)).view(np.uint64)

    def telling(self, pairs: Bits) -> Numbers:
        """The features that tell the first of these pairs apart."""
        word = int(np.flatnonzero(pairs)[0])
        bits = int(pairs[word])
        return np.flatnonzero(self.apart[:, word * 64 + (bits & -bits).bit_length() - 1])
