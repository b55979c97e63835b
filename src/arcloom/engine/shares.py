"""Dividing the (program, sample) pairs of a run into shares."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from arcloom.engine.columns import Words


class Share(NamedTuple):
    """Some programs on some samples: each program runs on each sample."""

    programs: tuple[int, ...]
    samples: Words

    @property
    def rows(self) -> int:
        """The number of (program, sample) pairs."""
        return len(self.programs) * len(self.samples)


def shares_of(rows: Sequence[Sequence[int]], programs: Sequence[int]) -> list[Share]:
    """The shares of a run of program p on the samples ``rows[p]``: programs with equal samples are in one share."""
    by_rows: dict[tuple[int, ...] | range, list[int]] = defaultdict(list)
    keys: dict[int, tuple[int, ...] | range] = {}
    for p in programs:
        samples = rows[p]
        key = keys.get(id(samples))
        if key is None:
            key = keys[id(samples)] = samples if isinstance(samples, range) else tuple(samples)
        by_rows[key].append(p)
    return [Share(tuple(members), _numbers(key)) for key, members in by_rows.items() if key]


def _numbers(key: tuple[int, ...] | range) -> Words:
    return np.array(key, np.int64) if isinstance(key, tuple) else np.arange(key.start, key.stop, key.step)


def halves(share: Share) -> list[Share]:
    """The share divided in two: by samples if there are several, otherwise by programs."""
    if len(share.samples) > 1:
        return [Share(share.programs, part) for part in np.array_split(share.samples, 2)]
    middle = len(share.programs) // 2
    parts = (share.programs[:middle], share.programs[middle:])
    return [Share(part, share.samples) for part in parts if part]


def single_runs(programs: Sequence[int], samples: Words) -> list[Share]:
    """A share for each (program, sample) pair."""
    return [Share((p,), samples[k : k + 1]) for p in programs for k in range(len(samples))]
