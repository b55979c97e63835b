"""Where the time goes."""

import json
from pathlib import Path

import pytest

from arcloom.engine.devices.profile import KernelProfile, KernelTime
from arcloom.search.profile import BETWEEN, Profiler
from arcloom.stopwatch import OTHER, Stopwatch


class Clock:
    """Time that passes only when told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def spent(watch: Stopwatch) -> dict[str, float]:
    return {section.name: section.seconds for section in watch.sections()}


def test_parts_add_up_to_the_whole(clock: Clock) -> None:
    watch = Stopwatch(clock)
    clock.now += 1
    with watch.section("outer"):
        clock.now += 2
        with watch.section("inner"):
            clock.now += 4
        with watch.section("inner"):
            clock.now += 8
        watch.move("elsewhere", 0.5)
    clock.now += 16
    assert spent(watch) == {"inner": 12, "outer": 1.5, "elsewhere": 0.5, OTHER: 17}
    assert sum(spent(watch).values()) == watch.elapsed == 31


def test_calls_are_counted_and_the_longest_comes_first(clock: Clock) -> None:
    watch = Stopwatch(clock)
    for seconds in (1, 2):
        with watch.section("short"):
            clock.now += seconds
    with watch.section("long"):
        clock.now += 9
    assert [(section.name, section.calls) for section in watch.sections()] == [("long", 1), ("short", 2), (OTHER, 1)]


def test_a_section_that_raises_is_counted(clock: Clock) -> None:
    watch = Stopwatch(clock)
    with pytest.raises(KeyError), watch.section("outer"), watch.section("inner"):
        clock.now += 3
        raise KeyError
    assert spent(watch) == {"inner": 3, "outer": 0, OTHER: 0}


def test_a_trace_has_each_time_a_section_ran(clock: Clock, tmp_path: Path) -> None:
    watch = Stopwatch(clock)
    with watch.section("outer"):
        clock.now += 1
        with watch.section("inner"):
            clock.now += 2
    watch.write_trace(tmp_path / "trace.json")
    events = json.loads((tmp_path / "trace.json").read_text(encoding="utf-8"))["traceEvents"]
    assert [(e["name"], e["ph"], e["ts"], e["dur"]) for e in events] == [
        ("outer", "X", 0, 3e6),
        ("inner", "X", 1e6, 2e6),
    ]


def test_a_meter_says_how_much_of_each_section_was_something_else(clock: Clock) -> None:
    kernels = Clock()
    watch = Stopwatch(clock, kernels)
    with watch.section("outer"):
        clock.now, kernels.now = clock.now + 5, kernels.now + 2
        with watch.section("inner"):
            clock.now, kernels.now = clock.now + 4, kernels.now + 3
        watch.move("elsewhere", 1)
    assert {section.name: (section.seconds, section.metered) for section in watch.sections()} == {
        "inner": (4, 3),
        "outer": (4, 2),
        "elsewhere": (1, 0),
        OTHER: (0, 0),
    }
    assert (watch.spent("inner"), watch.spent("never")) == (4, 0)


def test_time_in_the_machine_is_counted_once_however_many_threads_are_there(clock: Clock) -> None:
    kernels = KernelProfile(clock)
    with kernels.in_machine():
        clock.now += 1
        with kernels.in_machine():  # as another thread would
            clock.now += 2
        clock.now += 4
        assert kernels.wall() == 7
    clock.now += 8
    kernels.note([("paint", 2, 10, 3.0), ("fill", 1, 4, 1.0)])
    kernels.note([("paint", 1, 5, 1.0)])
    assert (kernels.wall(), kernels.thread_seconds) == (7, 9)
    assert kernels.kernels == {"paint": KernelTime(3, 15, 4.0), "fill": KernelTime(1, 4, 1.0)}


def test_kernels_have_their_part_of_the_time_on_the_wall(clock: Clock) -> None:
    profiler = Profiler(clock)
    with profiler.stopwatch.section("running"), profiler.kernels.in_machine(), profiler.kernels.in_machine():
        clock.now += 5
    profiler.kernels.note([("fill", 1, 4, 2.0), ("paint", 2, 10, 6.0)])
    found = profiler.profile()
    assert (found.seconds, found.in_kernels) == (5, 5)
    assert [(k.name, k.thread_seconds, k.seconds, k.ns_per_row) for k in found.kernels] == [
        ("paint", 6, 3, 6e8),
        ("fill", 2, 1, 5e8),
        (BETWEEN, 2, 1, 0),
    ]
