"""The interpreter with little memory: shares are divided, and results stay the same. Also limits of work and timing."""

from collections.abc import Iterator
from typing import Any

import pytest

from arcloom import load
from arcloom.cluster.memory_limits import resident
from arcloom.dsl.values import Reason
from arcloom.engine import memory, work
from arcloom.engine.batt import Batt
from arcloom.engine.devices.kernel_times import KernelProfile
from arcloom.engine.shares import Share
from arcloom.library import bundled
from arcloom.program.parse import parse_one
from arcloom.program.term import Program

SAMPLES = [{"I": pair.input} for task in list(load("arcagi:training"))[:40] for pair in task.train[:1]]
LARGE = "solve_feca6190"
"""A program whose outputs do not fit the small memory of these tests."""

PROGRAMS = [program for program in bundled() if program.reads == {"I"} and program.name != LARGE][::12]


def outcomes(batt: Batt) -> list[Any]:
    results = batt.run(SAMPLES, threads=1)
    return [results.outcomes.value(p, s) for p in range(len(PROGRAMS)) for s in range(len(SAMPLES))]


def make_small(monkeypatch: pytest.MonkeyPatch, words: int) -> None:
    """Make the memory of workers small."""
    monkeypatch.setattr(memory, "_idle", [])
    monkeypatch.setattr(memory, "WORDS", words)
    monkeypatch.setattr(memory, "CELLS", 1 << 18)
    monkeypatch.setattr(memory, "KEPT", 1 << 14)


def test_results_do_not_depend_on_the_size_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    make_small(monkeypatch, 1 << 18)
    batt = Batt.build(PROGRAMS)
    cramped = outcomes(batt)
    monkeypatch.undo()
    assert cramped == outcomes(batt)


def test_outputs_that_are_not_grids_are_read_before_the_next_tile(monkeypatch: pytest.MonkeyPatch) -> None:
    make_small(monkeypatch, 1 << 17)
    large = "    x1 = asindices(I)\n    x2 = product(x1, x1)\n    x3 = size(x2)\n"
    program = parse_one(f"def ragged(I):\n{large}    x4 = repeat(x3, ONE)\n    return combine(I, repeat(x4, ONE))\n")
    samples: list[dict[str, Any]] = [{"I": ((k,) * 10,) * 7} for k in range(10)]
    results = Batt.build([program]).run(samples, threads=1)
    assert [results.output(0, k) for k in range(10)] == [((k,) * 10,) * 7 + ((4900,),) for k in range(10)]


def test_a_run_that_needs_more_than_all_memory_fails_only_its_row(monkeypatch: pytest.MonkeyPatch) -> None:
    make_small(monkeypatch, 1 << 17)
    text = "def wide(I):\n    x1 = asindices(I)\n    x2 = product(x1, x1)\n    return size(x2)\n"
    programs = [parse_one(text), parse_one("def turned(I):\n    return rot90(I)\n")]
    samples: list[dict[str, Any]] = [{"I": ((1,) * 20,) * 10}, {"I": ((1, 2),)}]
    results = Batt.build(programs).run(samples, threads=1)
    failure = results.failure(0, 0)
    assert failure is not None and failure.reason is Reason.BUDGET
    assert [results.output(1, s) for s in range(2)] == [((1,) * 10,) * 20, ((1,), (2,))]


def test_a_program_that_needs_much_memory_does_not_divide_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    make_small(monkeypatch, 1 << 17)
    tiles: list[tuple[tuple[int, ...], int]] = []
    run = work.ThreadRunner._run

    def noting(runner: work.ThreadRunner, call: list[Share]) -> tuple[int, int, list[Share]]:
        done, why, again = run(runner, call)
        tiles.extend((share.programs, len(share.samples)) for share in call[:done])
        return done, why, again

    monkeypatch.setattr(work.ThreadRunner, "_run", noting)
    wide = "def f(I):\n    x1 = asindices(I)\n    x2 = product(x1, x1)\n    return canvas(size(initset(x2)), UNITY)\n"
    turned = [f"def turned{k}(I):\n    return {name}(I)\n" for k, name in enumerate(("rot90", "rot180", "rot270"))]
    samples: list[dict[str, Any]] = [{"I": ((k,) * 10,) * 7} for k in range(32)]
    results = Batt.build([parse_one(text) for text in (wide, *turned)]).run(samples, threads=1)
    assert [results.output(0, k) for k in range(32)] == [((1,),)] * 32
    assert [results.output(2, k) for k in range(32)] == [sample["I"] for sample in samples]
    assert sorted(tiles) == [((0,), 1)] * 32 + [((1, 2, 3), work.SAMPLES)] * 2


def limits(program: Program, samples: list[dict[str, Any]]) -> Iterator[int]:
    """Limits of work around those at which the samples start to have values."""
    for sample in samples:
        low, high = 0, 1 << 20
        while high - low > 1:
            middle = (low + high) // 2
            value = Batt.build([program]).run([sample], budget=middle, threads=1).failure(0, 0)
            low, high = (low, middle) if value is None else (middle, high)
        yield from (low, high)


@pytest.mark.parametrize(
    "body",
    [
        "x1 = objects(I, F, F, F)\n    x2 = apply(toindices, x1)\n    O = size(merge(x2))",
        "x1 = apply(rbind(shift, UNITY), objects(I, F, F, F))\n    O = size(x1)",
        "x1 = asindices(I)\n    O = size(apply(lbind(apply, first), apply(rbind(product, x1), apply(initset, x1))))",
        "x1 = valmax(objects(I, F, F, F), compose(size, toindices))\n    O = canvas(x1, UNITY)",
        "x1 = power(compose(increment, double), height(I))\n    O = size(apply(x1, interval(0, width(I), 1)))",
        "x1 = power(lbind(hconcat, crop(I, ORIGIN, UNITY)), height(I))\n    O = x1(crop(I, ORIGIN, UNITY))",
    ],
)
def test_each_sample_has_its_own_limit_of_work(body: str) -> None:
    """Samples that run together have the same results as samples that run alone, for all relevant limits."""
    program = parse_one(f"def limited(I):\n    {body}\n    return O\n")
    samples: list[dict[str, Any]] = [
        {"I": tuple(tuple(int(i % 2 and j % 2) for j in range(3 + k)) for i in range(4 + 2 * k))}
        for k in (4, 0, 2, 3, 1)
    ]
    for limit in limits(program, samples):
        together = Batt.build([program]).run(samples, budget=limit, threads=1)
        for s, sample in enumerate(samples):
            alone = Batt.build([program]).run([sample], budget=limit, threads=1)
            assert together.output(0, s) == alone.output(0, 0)
            assert str(together.failure(0, s)) == str(alone.failure(0, 0))


def test_kernels_are_timed_only_while_a_profile_is_set() -> None:
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


def test_memory_of_large_runs_is_released(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_idle", [])
    batt = Batt.build(PROGRAMS)
    before, small = outcomes(batt), resident()
    with memory.borrowed() as used:
        used.words[:] = -1
        used.cells[:] = -1
    assert resident() - small > 1 << 30
    memory.release_memory()
    assert resident() - small < 1 << 28
    assert outcomes(batt) == before


TURNS = ("rot90", "hmirror", "dmirror", "vmirror")


def test_rows_of_different_lengths_are_read_though_other_tiles_run_in_the_same_call() -> None:
    programs = [f"def f(I):\n    return {name}(I, {turn}(I))\n" for name in ("vconcat", "combine") for turn in TURNS]
    samples: list[dict[str, Any]] = [{"I": ((k, 2, 3), (4, 5, 6))} for k in range(len(programs))]
    results = Batt.build(programs).run(samples, rows=[[k] for k in range(len(programs))], threads=1)
    outputs = [results.output(k, k) for k in range(len(programs))]
    assert outputs == [parse_one(text).evaluate(sample) for text, sample in zip(programs, samples, strict=True)]
    assert {len({len(row) for row in output}) for output in outputs} == {1, 2}
