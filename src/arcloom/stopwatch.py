"""Where the time goes: named sections that nest, whose own times add up to the whole."""

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
"""Maximum number of sections in a trace file: of a long run it has the first ones."""


@dataclass
class Section:
    """How often something was done, and how long that took without what is measured inside it.

    ``metered`` is how much of it a meter counted: see Stopwatch.
    """

    name: str
    calls: int = 0
    seconds: float = 0.0
    metered: float = 0.0


@dataclass(frozen=True)
class Event:
    """One time that a section ran, for a trace."""

    name: str
    start: float
    seconds: float


def _no_meter() -> float:
    return 0.0


class Deadline:
    """A point in time after which work should end; without ``seconds`` it never comes."""

    def __init__(self, seconds: float | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._end = math.inf if seconds is None else clock() + seconds

    @property
    def left(self) -> float:
        """Seconds until the deadline; negative afterwards."""
        return self._end - self._clock()

    @property
    def passed(self) -> bool:
        """Whether the deadline is over."""
        return self.left <= 0


class Stopwatch:
    """Measures sections. A section inside another is not counted twice: the outer one has the rest.

    ``meter`` is a second clock that runs only while something of interest happens, such as kernels that run: each
    section then knows how much of its time that was.
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
        """Measure what is done in this context under a name."""
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
        """Have the section that is running leave this to another one."""
        if self._inside:
            before, before_metered = self._inside[-1]
            self._inside[-1] = (before + seconds, before_metered + metered)

    def move(self, name: str, seconds: float) -> None:
        """Count so much of the section that is running as another one, which was measured elsewhere."""
        self._add(name, seconds)
        self._belongs_inside(seconds)

    @property
    def elapsed(self) -> float:
        """Seconds since the beginning."""
        return self._clock() - self._began

    def spent(self, name: str) -> float:
        """Seconds of a section so far."""
        return self._sections[name].seconds if name in self._sections else 0.0

    def sections(self) -> list[Section]:
        """All sections, the longest first; what is outside of them comes last as "other"."""
        whole = self.elapsed
        found = sorted(self._sections.values(), key=lambda section: -section.seconds)
        rest = whole - sum(section.seconds for section in found)
        return [*found, Section(OTHER, 1, max(rest, 0.0))]

    def take_sections(self) -> list[Section]:
        """The sections since the last call; counting starts again."""
        taken, self._sections = list(self._sections.values()), {}
        return taken

    def take_events(self) -> list[Event]:
        """The events since the last call."""
        taken, self.events = self.events, []
        return taken


def write_trace(path: Path, lanes: Mapping[str, Sequence[Event]]) -> None:
    """Write events as a Chrome trace, which speedscope reads too; one lane per process, by its name."""
    events: list[dict[str, Any]] = []
    for tid, (name, happened) in enumerate(lanes.items()):
        events.append({"name": "thread_name", "ph": "M", "pid": 1, "tid": tid, "args": {"name": name}})
        events += [
            {"name": e.name, "ph": "X", "ts": e.start * 1e6, "dur": e.seconds * 1e6, "pid": 1, "tid": tid}
            for e in sorted(happened, key=lambda e: e.start)
        ]
    path.write_text(json.dumps({"traceEvents": events, "displayTimeUnit": "ms"}), encoding="utf-8")
