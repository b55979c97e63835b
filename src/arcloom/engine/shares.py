"""Dividing work: programs and the samples they run on, cut into pieces that do not overlap."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from arcloom.engine.columns import Words


class Share(NamedTuple):
    """Programs that run on the same samples."""

    programs: tuple[int, ...]
    samples: Words

    @property
    def rows(self) -> int:
        """How many runs of a program on a sample these are."""
        return len(self.programs) * len(self.samples)


Piece = tuple[Share, ...]
"""Shares that run together."""


def shares_of(rows: Sequence[Sequence[int]], programs: Sequence[int]) -> Piece:
    """All the work: program p on the samples ``rows[p]``; programs with the same samples are together."""
    by_rows: dict[tuple[int, ...] | range, list[int]] = defaultdict(list)
    keys: dict[int, tuple[int, ...] | range] = {}
    for p in programs:
        samples = rows[p]
        key = keys.get(id(samples))
        if key is None:
            key = keys[id(samples)] = samples if isinstance(samples, range) else tuple(samples)
        by_rows[key].append(p)
    return tuple([Share(tuple(members), _numbers(key)) for key, members in by_rows.items() if key])


def _numbers(key: tuple[int, ...] | range) -> Words:
    return np.array(key, np.int64) if isinstance(key, tuple) else np.arange(key.start, key.stop, key.step)


def split(work: Piece, parts: int) -> list[Piece]:
    """The work divided into at most this number of pieces: by samples or by programs, whichever are more."""
    programs = sum(len(share.programs) for share in work)
    samples = len(np.unique(np.concatenate([share.samples for share in work]))) if work else 0
    by_samples = samples > programs
    pieces: list[list[Share]] = [[] for _ in range(parts)]
    before = 0
    for share in work:
        for k in range(parts):
            if by_samples:
                cut = Share(share.programs, np.array_split(share.samples, parts)[k])
            else:
                first, last = (max(0, min(programs * j // parts - before, len(share.programs))) for j in (k, k + 1))
                cut = Share(share.programs[first:last], share.samples)
            if cut.rows:
                pieces[k].append(cut)
        before += len(share.programs)
    return [tuple(piece) for piece in pieces if piece]


def halves(work: Piece) -> list[Piece]:
    """The work in two; as it is if it is a single row."""
    if len(work) > 1:
        middle = len(work) // 2
        return [work[:middle], work[middle:]]
    (share,) = work
    if len(share.samples) > 1:
        return [(Share(share.programs, part),) for part in np.array_split(share.samples, 2)]
    middle = len(share.programs) // 2
    parts = (share.programs[:middle], share.programs[middle:])
    return [(Share(part, share.samples),) for part in parts if part]


def cut(work: Piece, most: int) -> list[Piece]:
    """The work divided into pieces of about this number of rows at most."""
    pieces: list[Piece] = []
    current: list[Share] = []
    for share in work:
        for samples in np.array_split(share.samples, max(1, min(len(share.samples), -(-share.rows // most)))):
            part = Share(share.programs, samples)
            if current and sum(other.rows for other in current) + part.rows > most:
                pieces.append(tuple(current))
                current = []
            current.append(part)
    return [*pieces, tuple(current)] if current else pieces
