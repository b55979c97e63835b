"""Dividing work among devices, and what happens when some of them fail."""

from random import Random
from threading import Lock
from typing import Any, cast

import numpy as np
import pytest

from arcloom.engine.devices.driver import DeviceLost
from arcloom.engine.fleet import Fleet, FleetError, Ship
from arcloom.engine.shares import Piece, Share, cut, halves, shares_of, split
from arcloom.engine.waves.fetch import Block


def share(programs: int, samples: int) -> Share:
    return Share(tuple(range(programs)), np.arange(samples))


def runs(pieces: list[Piece]) -> list[tuple[int, int]]:
    """All runs of a program on a sample, in order."""
    return [(p, int(s)) for piece in pieces for one in piece for p in one.programs for s in one.samples]


# Shares


def test_programs_with_the_same_samples_share() -> None:
    both = [0, 1]
    found = shares_of([both, [2], both, []], [0, 1, 2, 3])
    assert [(one.programs, one.samples.tolist()) for one in found] == [((0, 2), [0, 1]), ((1,), [2])]


@pytest.mark.parametrize(("programs", "samples", "by"), [(3, 100, "samples"), (100, 3, "programs")])
def test_the_larger_side_is_split(programs: int, samples: int, by: str) -> None:
    pieces = split((share(programs, samples),), 4)
    assert len(pieces) == 4
    assert {len(piece[0].programs) for piece in pieces} == ({3} if by == "samples" else {25})
    assert {len(piece[0].samples) for piece in pieces} == ({25} if by == "samples" else {3})


@pytest.mark.parametrize("seed", range(20))
def test_pieces_are_all_the_work_and_do_not_overlap(seed: int) -> None:
    random = Random(seed)
    rows = [random.sample(range(12), random.randint(0, 12)) for _ in range(random.randint(1, 12))]
    work = shares_of(rows, list(range(len(rows))))
    everything = sorted((p, s) for p, samples in enumerate(rows) for s in samples)
    assert sorted(runs(split(work, random.randint(1, 5)))) == everything
    assert sorted(runs(cut(work, random.randint(1, 40)))) == everything
    if everything:
        assert sorted(runs(halves(work))) == everything


def test_pieces_are_no_larger_than_they_may_be() -> None:
    pieces = cut((share(10, 40), share(5, 3)), 60)
    assert max(sum(one.rows for one in piece) for piece in pieces) <= 60


def test_halving_ends_with_a_single_run() -> None:
    pieces: list[Piece] = [(share(3, 5), share(2, 2))]
    while any(len(halves(piece)) > 1 for piece in pieces):
        pieces = [part for piece in pieces for part in halves(piece)]
    assert {one.rows for piece in pieces for one in piece} == {1} and len(pieces) == 19


# The fleet


class Simulated:
    """A device that only writes down what it was given; it is lost when it has run so many pieces."""

    def __init__(self, name: str, lives: int, log: list[str], lock: Lock) -> None:
        self.name = name
        self.lives = lives
        self.log = log
        self.lock = lock

    def run(self, piece: Piece) -> list[Block]:
        with self.lock:
            self.lives -= 1
            if self.lives < 0:
                raise DeviceLost("it fell off the bus")
            self.log.append(self.name)
        return [cast(Block, one) for one in piece]


def fleet(lives: list[int]) -> tuple[Fleet, list[str]]:
    log: list[str] = []
    lock = Lock()
    ships = [Simulated(f"cuda:{k}", count, log, lock) for k, count in enumerate(lives)]
    return Fleet(cast(list[Ship], ships)), log


@pytest.mark.parametrize("lives", [[99, 99, 99, 99], [0, 99, 99, 99], [3, 0, 1, 99], [0, 0, 0, 99], [99, 2, 2, 0]])
def test_nothing_is_lost_and_nothing_is_there_twice(lives: list[int]) -> None:
    pieces = cut((share(7, 60),), 20)
    sailing, log = fleet(lives)
    blocks = cast(list[Any], sailing.run(pieces))
    assert runs([tuple(blocks)]) == runs(list(pieces)), "everything, once, and in order"
    assert len(log) == len(pieces)
    lost = [k for k, count in enumerate(lives) if count < 99 and f"cuda:{k}" in sailing.lost]
    assert len(sailing.notes) == len(sailing.lost) == len(lost)


def test_a_fleet_that_is_lost_says_what_happened() -> None:
    sailing, _ = fleet([1, 0])
    with pytest.raises(FleetError, match=r"no device is left.*fell off the bus"):
        sailing.run(cut((share(4, 8),), 4))


def test_other_errors_come_out() -> None:
    sailing, _ = fleet([99, 99])
    cast(Any, sailing.ships[1]).run = cast(Any, sailing.ships[0]).run = lambda piece: 1 / 0
    with pytest.raises(ZeroDivisionError):
        sailing.run(cut((share(4, 8),), 4))
