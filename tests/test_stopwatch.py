"""Where the time goes."""

import json
from pathlib import Path

import pytest

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
