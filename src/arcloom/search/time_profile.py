"""The time profile of a search: sections of its workers, and the kernels that ran in them."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from arcloom.engine.devices.kernel_times import KernelProfile, KernelTime
from arcloom.stopwatch import Section, Stopwatch

BETWEEN = "between kernels"
"""Name of the time that the engine spends outside of kernels: between two kernels, and reading outputs."""

WAITING = "waiting"
"""Name of the time in which workers were idle: before their first unit of work, between units, and after the last."""

SectionTimes = Mapping[str, tuple[int, float, float]]
"""Calls, seconds, and seconds in the engine, by section."""

KernelTimes = Mapping[str, tuple[int, int, float]]
"""Calls, rows and seconds by kernel."""


@dataclass(frozen=True)
class KernelShare:
    """The time of one kernel in all workers."""

    name: str
    calls: int
    rows: int
    seconds: float

    @property
    def ns_per_row(self) -> float:
        """Nanoseconds per row."""
        return self.seconds / self.rows * 1e9 if self.rows else 0.0


@dataclass(frozen=True)
class TimeProfile:
    """The time of all workers together.

    The seconds of the sections add up to ``seconds``. The seconds of the kernels add up to the time that the sections
    spent in the engine (``Section.metered``).
    """

    seconds: float
    sections: tuple[Section, ...]
    kernels: tuple[KernelShare, ...]

    @property
    def in_kernels(self) -> float:
        """Seconds in the engine."""
        return sum(section.metered for section in self.sections)


class Profiler:
    """A stopwatch that also measures the time in the engine per section, and the times of kernels."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._kernels = KernelProfile(clock)
        self.stopwatch = Stopwatch(clock, self._kernels.wall)

    def start_noting(self) -> None:
        """Start timing the kernels of the engine in this process."""
        from arcloom.engine.memory import Memory  # imported here because importing the compiler takes time

        Memory.profile = self._kernels

    def take_kernels(self) -> dict[str, tuple[int, int, float]]:
        """The times of kernels since the last call."""
        taken, self._kernels.kernels = self._kernels.kernels, {}
        return {name: (kernel.calls, kernel.rows, kernel.seconds) for name, kernel in taken.items()}


class Totals:
    """The sums of the times that workers report."""

    def __init__(self) -> None:
        self._sections: dict[str, Section] = {}
        self._kernels: dict[str, KernelTime] = {}

    def add(self, sections: SectionTimes, kernels: KernelTimes) -> None:
        """Add the times of one unit of work."""
        for name, (calls, seconds, metered) in sections.items():
            section = self._sections.setdefault(name, Section(name))
            section.calls += calls
            section.seconds += seconds
            section.metered += metered
        for name, (calls, rows, seconds) in kernels.items():
            kernel = self._kernels.setdefault(name, KernelTime())
            kernel.calls += calls
            kernel.rows += rows
            kernel.seconds += seconds

    def as_json(self) -> dict[str, Any]:
        """The sums as JSON: calls, seconds and seconds in the engine by section; calls, rows and seconds by kernel."""
        return {
            "sections": {s.name: [s.calls, s.seconds, s.metered] for s in self._sections.values()},
            "kernels": {name: [k.calls, k.rows, k.seconds] for name, k in self._kernels.items()},
        }

    def profile(self, available: float) -> TimeProfile:
        """The profile of a search whose workers together had ``available`` seconds."""
        busy = sum(section.seconds for section in self._sections.values())
        waiting = Section(WAITING, 0, max(available - busy, 0.0))
        sections = sorted([*self._sections.values(), waiting], key=lambda section: -section.seconds)
        return TimeProfile(busy + waiting.seconds, tuple(sections), tuple(self._shares(sections)))

    def _shares(self, sections: Iterable[Section]) -> list[KernelShare]:
        """The kernels, longest first, then the other time in the engine. Empty if kernels were not timed."""
        if not self._kernels:
            return []
        found = [KernelShare(name, k.calls, k.rows, k.seconds) for name, k in self._kernels.items()]
        inside = sum(share.seconds for share in found)
        engine = sum(section.metered for section in sections)
        between = KernelShare(BETWEEN, 0, 0, max(engine - inside, 0.0))
        return [*sorted(found, key=lambda share: -share.seconds), between]
