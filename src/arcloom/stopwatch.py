"""Time measurement by named, nested sections, whose own times add up to the total; and deadlines."""

import json
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

OTHER = "other"
"""Name of the time that is spent outside of all sections."""

EVENTS_KEPT = 200_000
"""Maximum number of events in a trace. A trace of a long run has the first ones."""


@dataclass
class Section:
    """The calls of a section and their total seconds, without the time of nested sections.

    ``metered`` is the part of these seconds that the meter counted: see ``Stopwatch``.
    """

    name: str
    calls: int = 0
    seconds: float = 0.0
    metered: float = 0.0


@dataclass(frozen=True)
class Event:
    """One call of a section, for a trace."""

    name: str
    start: float
    seconds: float


def _no_meter() -> float:
    return 0.0


class Deadline:
    """A point in time at which work should end. Without ``seconds``, there is none."""

    def __init__(self, seconds: float | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._end = math.inf if seconds is None else clock() + seconds

    @property
    def left(self) -> float:
        """Seconds until the deadline; negative afterwards."""
        return self._end - self._clock()

    @property
    def passed(self) -> bool:
        """Whether the deadline has passed."""
        return self.left <= 0


class Stopwatch:
    """Measures sections. The time of a nested section does not count for the outer one.

    ``meter`` is a second clock, which runs only during some activity such as the execution of kernels. Each section
    also has its seconds by this clock.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter, meter: Callable[[], float] = _no_meter) -> None:
        self._clock = clock
        self._meter = meter
        self._began = clock()
        self._sections: dict[str, Section] = {}
        self._inside: list[tuple[float, float]] = []
        self.events: list[Event] = []

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        """Measure the time of this context as a section."""
        start, metered = self._clock(), self._meter()
        self._inside.append((0.0, 0.0))
        try:
            yield
        finally:
            self._count(name, start, self._clock() - start, self._meter() - metered)

    def _count(self, name: str, start: float, seconds: float, metered: float) -> None:
        others, others_metered = self._inside.pop()
        self._add(name, seconds - others, metered - others_metered)
        self._belongs_inside(seconds, metered)
        if len(self.events) < EVENTS_KEPT:
            self.events.append(Event(name, start - self._began, seconds))

    def _add(self, name: str, seconds: float, metered: float = 0.0) -> None:
        section = self._sections.setdefault(name, Section(name))
        section.calls += 1
        section.seconds += seconds
        section.metered += metered

    def _belongs_inside(self, seconds: float, metered: float = 0.0) -> None:
        """Subtract this time from the running section, because another section counts it."""
        if self._inside:
            before, before_metered = self._inside[-1]
            self._inside[-1] = (before + seconds, before_metered + metered)

    def move(self, name: str, seconds: float) -> None:
        """Count ``seconds`` of the running section, which were measured elsewhere, as another section."""
        self._add(name, seconds)
        self._belongs_inside(seconds)

    @property
    def elapsed(self) -> float:
        """Seconds since the stopwatch was made."""
        return self._clock() - self._began

    def spent(self, name: str) -> float:
        """Seconds of a section so far."""
        return self._sections[name].seconds if name in self._sections else 0.0

    def sections(self) -> list[Section]:
        """All sections, longest first, then the time outside of them as "other"."""
        whole = self.elapsed
        found = sorted(self._sections.values(), key=lambda section: -section.seconds)
        rest = whole - sum(section.seconds for section in found)
        return [*found, Section(OTHER, 1, max(rest, 0.0))]

    def take_sections(self) -> list[Section]:
        """The sections since the last call. Counting starts again from zero."""
        taken, self._sections = list(self._sections.values()), {}
        return taken

    def take_events(self) -> list[Event]:
        """The events since the last call."""
        taken, self.events = self.events, []
        return taken


def write_trace(path: Path, processes: Mapping[str, Sequence[Event]]) -> None:
    """Write events as a Chrome trace file, which speedscope also reads. It has a row for each named process."""
    events: list[dict[str, Any]] = []
    for tid, (name, happened) in enumerate(processes.items()):
        events.append({"name": "thread_name", "ph": "M", "pid": 1, "tid": tid, "args": {"name": name}})
        events += [
            {"name": e.name, "ph": "X", "ts": e.start * 1e6, "dur": e.seconds * 1e6, "pid": 1, "tid": tid}
            for e in sorted(happened, key=lambda e: e.start)
        ]
    path.write_text(json.dumps({"traceEvents": events, "displayTimeUnit": "ms"}), encoding="utf-8")
