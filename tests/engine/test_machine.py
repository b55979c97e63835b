"""The machine when there is little room: lanes are divided, and results stay the same."""

from typing import Any

import pytest

from arcloom import load
from arcloom.cluster.memory import resident
from arcloom.dsl.values import Reason
from arcloom.engine import memory
from arcloom.engine.batt import Batt
from arcloom.engine.devices.kernel_times import KernelProfile
from arcloom.library import bundled
from arcloom.program.parse import parse_one

SAMPLES = [{"I": pair.input} for task in list(load("arcagi:training"))[:40] for pair in task.train[:1]]
LARGE = "solve_feca6190"
"""Its outputs need more room than there is here."""

PROGRAMS = [program for program in bundled() if program.reads == {"I"} and program.name != LARGE][::12]


def outcomes(batt: Batt) -> list[Any]:
    results = batt.run(SAMPLES, threads=1)
    return [results.outcomes.value(p, s) for p in range(len(PROGRAMS)) for s in range(len(SAMPLES))]


def make_small(monkeypatch: pytest.MonkeyPatch, words: int) -> None:
    """Devices from now on have little room."""
    monkeypatch.setattr(memory, "_idle", [])
    monkeypatch.setattr(memory, "WORDS", words)
    monkeypatch.setattr(memory, "CELLS", 1 << 18)
    monkeypatch.setattr(memory, "KEPT", 1 << 14)


def test_little_room_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    make_small(monkeypatch, 1 << 18)
    batt = Batt.build(PROGRAMS)
    cramped = outcomes(batt)
    monkeypatch.undo()
    assert cramped == outcomes(batt)


def test_values_that_are_no_grids_are_read_before_the_next_lane(monkeypatch: pytest.MonkeyPatch) -> None:
    make_small(monkeypatch, 1 << 17)
    large = "    x1 = asindices(I)\n    x2 = product(x1, x1)\n    x3 = size(x2)\n"
    program = parse_one(f"def ragged(I):\n{large}    x4 = repeat(x3, ONE)\n    return combine(I, repeat(x4, ONE))\n")
    samples: list[dict[str, Any]] = [{"I": ((k,) * 10,) * 7} for k in range(10)]
    results = Batt.build([program]).run(samples, threads=1)
    assert [results.output(0, k) for k in range(10)] == [((k,) * 10,) * 7 + ((4900,),) for k in range(10)]


def test_what_needs_more_than_all_room_fails_its_own_row(monkeypatch: pytest.MonkeyPatch) -> None:
    make_small(monkeypatch, 1 << 17)
    text = "def wide(I):\n    x1 = asindices(I)\n    x2 = product(x1, x1)\n    return size(x2)\n"
    programs = [parse_one(text), parse_one("def turned(I):\n    return rot90(I)\n")]
    samples: list[dict[str, Any]] = [{"I": ((1,) * 20,) * 10}, {"I": ((1, 2),)}]
    results = Batt.build(programs).run(samples, threads=1)
    failure = results.failure(0, 0)
    assert failure is not None and failure.reason is Reason.BUDGET
    assert [results.output(1, s) for s in range(2)] == [((1,) * 10,) * 20, ((1,), (2,))]


def test_kernels_are_timed_only_while_somebody_asks() -> None:
    batt = Batt.build(PROGRAMS)
    profile = memory.Memory.profile = KernelProfile()
    noted = profile.kernels
    try:
        batt.run(SAMPLES[:3], threads=1)
    finally:
        memory.Memory.profile = None
    batt.run(SAMPLES[:3], threads=1)
    assert noted["objects_grid_int_int_int"].calls > 0
    assert noted["objects_grid_int_int_int"].rows >= 3
    assert sum(kernel.seconds for kernel in noted.values()) <= profile.thread_seconds
    assert memory.Memory.profile is None


def test_memory_of_large_runs_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_idle", [])
    batt = Batt.build(PROGRAMS)
    before = outcomes(batt)
    with memory.borrowed() as used:
        used.words[:] = -1
        used.cells[:] = -1
    assert resident() > 1 << 30
    memory.release_memory()
    assert resident() < 1 << 30
    assert outcomes(batt) == before
