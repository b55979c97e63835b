"""The cells of a task as items to learn rules for: the features of each cell, and its possible outcomes."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.int8]
Numbers = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]

ROLES = 12
"""Maximum number of features that can be outcomes of a cell: those that are correct for most changed cells."""

FEW = 3
"""Maximum number of such features in the smallest sets of outcomes that are tried."""


@dataclass(frozen=True)
class CellOutcome:
    """The outcome of a cell: a colour, or the value of a feature. With neither, the cell stays unchanged."""

    colour: int | None = None
    feature: int | None = None


STAYS = CellOutcome()


@dataclass(frozen=True)
class CellItems:
    """The cells of a task's samples, those of demonstrations first.

    ``values`` has a row for each feature; the first one is the colour of a cell that stays. ``sample`` has the sample
    of each cell, and ``targets`` the output colours of the cells of demonstrations. ``costs`` and ``colours`` have the
    cost of each feature and whether its values are colours.
    """

    values: Values
    sample: Numbers
    targets: Values
    costs: Numbers
    colours: Truths

    @property
    def shown(self) -> int:
        """The number of cells of demonstrations."""
        return len(self.targets)

    @property
    def demonstrations(self) -> int:
        """The number of demonstrations."""
        return int(self.sample[self.shown - 1]) + 1

    @cached_property
    def changed(self) -> Truths:
        """Whether each cell of a demonstration changes."""
        found: Truths = self.values[0, : self.shown] != self.targets
        return found

    @cached_property
    def _explained(self) -> list[tuple[CellOutcome, Truths]]:
        """The possible outcomes, each with the cells for which it is correct. STAYS is first, others by frequency."""
        targets, changed = self.targets, self.changed
        colours = [(CellOutcome(colour=int(colour)), targets == colour) for colour in np.unique(targets[changed])]
        ranked = sorted([*colours, *self._roles()], key=lambda each: -int((each[1] & changed).sum()))
        return [(STAYS, ~changed), *ranked]

    def _roles(self) -> list[tuple[CellOutcome, Truths]]:
        seen = {self.values[0].tobytes()}
        found = []
        for k in np.flatnonzero(self.colours):
            values = self.values[k]
            if values.tobytes() not in seen and (values != values[0]).any():
                seen.add(values.tobytes())
                found.append((CellOutcome(feature=int(k)), values[: self.shown] == self.targets))
        telling = [each for each in found if (each[1] & self.changed).any()]
        return sorted(telling, key=lambda each: -int((each[1] & self.changed).sum()))[:ROLES]

    @cached_property
    def outcomes(self) -> list[CellOutcome]:
        """The possible outcomes of a cell, in order of preference."""
        return [outcome for outcome, _ in self._explained]

    @cached_property
    def right(self) -> Numbers:
        """For each cell of a demonstration the set of its correct outcomes, as bits."""
        bits = np.zeros(self.shown, np.int64)
        for k, (_, explained) in enumerate(self._explained):
            bits |= explained.astype(np.int64) << k
        return bits

    @cached_property
    def palettes(self) -> list[int]:
        """Sets of allowed outcomes to try, as bits: only colours; also a few features; also all features.

        With more outcomes, fewer cells conflict, but more cells are explained by chance.
        """
        roles = sum(1 << k for k, outcome in enumerate(self.outcomes) if outcome.feature is not None)
        colours = (1 << len(self.outcomes)) - 1 - roles
        return list(dict.fromkeys([colours, colours | self._fewest_roles(), colours | roles]))

    def _fewest_roles(self) -> int:
        chosen, left = 0, self.changed.copy()
        while left.any() and chosen.bit_count() < FEW:
            counts = [
                0 if outcome.feature is None else int((explained & left).sum())
                for outcome, explained in self._explained
            ]
            best = int(np.argmax(counts))
            if not counts[best]:
                break
            chosen |= 1 << best
            left &= ~self._explained[best][1]
        return chosen

    def become(self, outcome: Numbers) -> Values:
        """The colours of the cells of tests, given the outcome of each."""
        return self._becoming[outcome, np.arange(len(outcome))]

    @cached_property
    def _becoming(self) -> Values:
        """The colours of the cells of tests, with a row for each outcome."""
        tests = self.values[:, self.shown :]
        return np.array([self._becomes(tests, outcome) for outcome in self.outcomes])

    def _becomes(self, tests: Values, outcome: CellOutcome) -> Values:
        if outcome.colour is not None:
            return np.full_like(tests[0], outcome.colour)
        found: Values = tests[outcome.feature or 0]
        return found


def labelled(values: Values) -> tuple[Numbers, int]:
    """The values numbered from 0 in order of appearance, and the number of different values."""
    found, first = np.unique(values, return_index=True)
    table = np.zeros(256, np.int64)
    table[found[np.argsort(first)].astype(np.int64) + 128] = np.arange(len(found))
    return table[values.astype(np.int64) + 128], len(found)
