"""Stopwatches, time profiles and deadlines."""

import json
from pathlib import Path

import pytest

from arcloom.engine.devices.kernel_times import KernelProfile, KernelTime
from arcloom.search.time_profile import BETWEEN, WAITING, Totals
from arcloom.stopwatch import OTHER, Deadline, Stopwatch, write_trace


class Clock:
    """A clock that is advanced by the test."""

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
    write_trace(tmp_path / "trace.json", {"worker 0": watch.take_events()})
    events = json.loads((tmp_path / "trace.json").read_text(encoding="utf-8"))["traceEvents"]
    assert events[0]["args"] == {"name": "worker 0"}
    assert [(e["name"], e["ph"], e["ts"], e["dur"]) for e in events[1:]] == [
        ("outer", "X", 0, 3e6),
        ("inner", "X", 1e6, 2e6),
    ]


def test_a_meter_measures_a_part_of_each_section(clock: Clock) -> None:
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


def test_engine_time_of_several_threads_is_counted_once(clock: Clock) -> None:
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


def test_totals_add_up_what_workers_report() -> None:
    totals = Totals()
    totals.add({"running": (2, 5.0, 4.0)}, {"fill": (1, 4, 1.0), "paint": (2, 10, 2.0)})
    totals.add({"running": (1, 1.0, 1.0), "scoring": (1, 2.0, 0.0)}, {"fill": (1, 4, 0.5)})
    found = totals.profile(available=10.0)
    assert [(s.name, s.calls, s.seconds, s.metered) for s in found.sections] == [
        ("running", 3, 6, 5),
        ("scoring", 1, 2, 0),
        (WAITING, 0, 2, 0),
    ]
    assert (found.seconds, found.in_kernels) == (10, 5)
    assert [(k.name, k.calls, k.rows, k.seconds) for k in found.kernels] == [
        ("paint", 2, 10, 2),
        ("fill", 2, 8, 1.5),
        (BETWEEN, 0, 0, 1.5),
    ]


def test_sections_and_events_are_taken_once(clock: Clock) -> None:
    watch = Stopwatch(clock)
    with watch.section("work"):
        clock.now += 1
    assert [(section.name, section.seconds) for section in watch.take_sections()] == [("work", 1)]
    assert watch.take_sections() == []
    assert len(watch.take_events()) == 1
    assert watch.take_events() == []


def test_a_deadline_passes(clock: Clock) -> None:
    deadline = Deadline(2.0, clock)
    assert (deadline.left, deadline.passed) == (2.0, False)
    clock.now += 2
    assert (deadline.left, deadline.passed) == (0.0, True)
    assert not Deadline(None, clock).passed
