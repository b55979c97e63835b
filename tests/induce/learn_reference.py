"""The search of ``arcloom.induce.learn`` in plain Python, without the tables of rules: an oracle for the compiled
search."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from arcloom.induce.compiled.search import ENOUGH, FAILURES, PAIRS, ROUNDS, RULES
from arcloom.induce.compiled.trial import LARGEST, NEW_PAIRS
from arcloom.induce.learn import DRAWN, ISOLATED, ItemTable

Chosen = tuple[int, ...]
Labels = tuple[int, ...]


def in_order(values: Sequence[int]) -> Labels:
    """The values numbered in order of appearance."""
    numbers: dict[int, int] = {}
    return tuple(numbers.setdefault(value, len(numbers)) for value in values)


def preferred(bits: int) -> int:
    return (bits & -bits).bit_length() - 1


class Reference:
    """Finds rules: their features, the share of correct held-out demonstrations, and the outcomes of the items of
    tests."""

    def __init__(self, items: ItemTable[Any], work: int) -> None:
        self.items, self.limit, self.rng = items, work, np.random.default_rng(0)
        labels: dict[Labels, int] = {}
        for k, values in enumerate(items.values.tolist()):
            if len(set(values)) > 1:
                labels.setdefault(in_order(values), k)
        self.rng.integers(1 << 62, size=len(labels) + 2)  # the random numbers that the learner draws for its hashes
        kinds: dict[Any, int] = {}
        columns = list(zip(*labels, strict=True)) or [()] * len(items.sample)
        for i in range(items.shown):
            kinds.setdefault((columns[i], items.sample[i], items.right[i]), i)
        self.first = list(kinds.values())
        self.sample = items.sample[self.first].tolist()
        self.changed = np.flatnonzero(items.changed[self.first])
        places = [*self.first, *range(items.shown, len(items.sample))]
        rows = {k: [row[i] for i in places] for row, k in labels.items()}
        self.supported: dict[Chosen, bool] = {}
        self.columns = list(zip(*rows.values(), strict=True)) or [()] * len(places)
        self.features = list(rows)
        good = [k for k in range(len(rows)) if self._isolated((k,)) <= items.demonstrations * ISOLATED]
        self.columns = [tuple(column[k] for k in good) for column in self.columns]
        self.features = [self.features[k] for k in good]

    def rules(self) -> dict[tuple[Chosen, Labels], tuple[float, int]]:
        found = {}
        for allowed in self.items.palettes:
            right = [bits & allowed for bits in self.items.right[self.first].tolist()]
            if all(right):
                for chosen, (held_out, unseen, outcomes) in _Search(self, right, self.limit).rules().items():
                    found[tuple(self.features[k] for k in chosen), outcomes] = held_out, unseen
        return found

    def pairs(self) -> list[tuple[int, int]]:
        a, b = self.rng.integers(0, len(self.first), (2, DRAWN))
        a[: DRAWN // 2] = self.rng.choice(self.changed, DRAWN // 2)
        return list(zip(a.tolist(), b.tolist(), strict=True))

    def keys(self, chosen: Chosen) -> list[Labels]:
        return [tuple(column[k] for k in chosen) for column in self.columns]

    def _isolated(self, chosen: Chosen) -> int:
        keys = self.keys(chosen)[: len(self.first)]
        there: dict[Labels, set[int]] = {}
        for key, sample in zip(keys, self.sample, strict=True):
            there.setdefault(key, set()).add(sample)
        return len({self.sample[i] for i in self.changed if len(there[keys[i]]) == 1})

    def is_supported(self, chosen: Chosen) -> bool:
        return self._isolated(chosen) <= self.items.demonstrations * ISOLATED


@dataclass
class _Search:
    of: Reference
    right: list[int]
    work: int
    found: dict[Chosen, tuple[float, int, Labels]] = field(default_factory=dict)
    tried: set[Chosen] = field(default_factory=set)

    def rules(self) -> dict[Chosen, tuple[float, int, Labels]]:
        pairs = [(a, b) for a, b in self.of.pairs() if not self.right[a] & self.right[b]]
        pairs = sorted(pairs, key=self._apart)[:PAIRS]
        for _ in range(ROUNDS):
            more = self._round(sorted(pairs, key=self._apart))
            if not more or self._is_done():
                break
            pairs += more
        return self.found

    def _apart(self, pair: tuple[int, int]) -> int:
        return sum(x != y for x, y in zip(*(self.of.columns[i] for i in pair), strict=True))

    def _is_done(self) -> bool:
        return self.work <= 0 or len(self.found) >= RULES

    def _round(self, pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
        if not pairs:
            return self._try(())
        more: list[tuple[int, int]] = []
        for size in range(1, LARGEST + 1):
            for chosen in self._hitting(pairs, size, ()):
                more += self._try(chosen)
                if len(more) >= FAILURES or self._is_done():
                    return more
            if sum(held_out == 1 for held_out, *_ in self.found.values()) >= ENOUGH:
                return []
        return more

    def _hitting(self, pairs: list[tuple[int, int]], size: int, chosen: Chosen) -> Iterator[Chosen]:
        self.work -= 1
        columns = self.of.columns
        for k in range(len(self.of.features)):
            rest = [(a, b) for a, b in pairs if columns[a][k] == columns[b][k]]
            fits = not rest if size == 1 else bool(rest) and pairs[0] not in rest
            if fits and self.work > 0 and self._is_supported((*chosen, k)):
                if size == 1:
                    yield (*chosen, k)
                else:
                    yield from self._hitting(rest, size - 1, (*chosen, k))

    def _is_supported(self, chosen: Chosen) -> bool:
        key, known = tuple(sorted(chosen)), self.of.supported
        if key not in known:
            self.work -= 1
            known[key] = self.of.is_supported(key)
        return known[key]

    def _try(self, chosen: Chosen) -> list[tuple[int, int]]:
        key = tuple(sorted(chosen))
        self.work -= 1
        if key in self.tried or any(set(done) <= set(key) for done in self.found):
            return []
        self.tried.add(key)
        keys = self.of.keys(key)
        shown = keys[: len(self.right)]
        wrong = [each for each in sorted(set(shown)) if not self._agreed(shown, each)]
        if wrong:
            return [pair for each in wrong[:NEW_PAIRS] for pair in self._conflict(shown, each)]
        tests = keys[len(self.right) :]
        outcomes = tuple(preferred(self._agreed(shown, each)) for each in tests)
        self.found[key] = self._held_out(shown), sum(each not in shown for each in tests), outcomes
        return []

    def _agreed(self, keys: list[Labels], key: Labels, *, only: int = -1, without: int = -1) -> int:
        bits = -1
        for own, sample, right in zip(keys, self.of.sample, self.right, strict=True):
            if own == key and only in (-1, sample) and sample != without:
                bits &= right
        return bits

    def _conflict(self, keys: list[Labels], key: Labels) -> list[tuple[int, int]]:
        kinds: dict[int, int] = {}
        for i, own in enumerate(keys):
            if own == key:
                kinds.setdefault(self.right[i], i)
        found = [(kinds[a], kinds[b]) for a in sorted(kinds) for b in sorted(kinds) if not a & b]
        return found[:1]

    def _held_out(self, keys: list[Labels]) -> float:
        count = self.of.items.demonstrations
        right = 0
        for own in range(count if count > 1 else 0):
            here = {key for key, sample in zip(keys, self.of.sample, strict=True) if sample == own}
            right += all(
                self._agreed(keys, key, only=own) >> preferred(self._agreed(keys, key, without=own)) & 1 for key in here
            )
        return right / count
