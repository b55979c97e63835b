"""Where the time of a search went: its sections, and the kernels that ran in them."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from arcloom.engine.devices.profile import KernelProfile, KernelTime
from arcloom.stopwatch import Section, Stopwatch

BETWEEN = "between kernels"
"""What the engine takes to get from one kernel to the next, outputs included."""


@dataclass(frozen=True)
class KernelShare:
    """What one kernel took.

    ``thread_seconds`` are those of all threads together, and ``ns_per_row`` is counted from them. ``seconds`` is its
    part of the time on the wall, in which several threads may have run kernels at once.
    """

    name: str
    calls: int
    rows: int
    thread_seconds: float
    ns_per_row: float
    seconds: float


@dataclass(frozen=True)
class Profile:
    """All the time there was. The seconds of the sections add up to it, and those of the kernels to what the sections
    have in them (``Section.metered``).
    """

    seconds: float
    sections: tuple[Section, ...]
    kernels: tuple[KernelShare, ...]

    @property
    def in_kernels(self) -> float:
        """Seconds in which kernels ran."""
        return sum(section.metered for section in self.sections)


class Profiler:
    """A stopwatch whose sections know how long kernels ran in them."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self.kernels = KernelProfile(clock)
        self.stopwatch = Stopwatch(clock, self.kernels.wall)

    @contextmanager
    def noting(self) -> Iterator[Stopwatch]:
        """Have the engine note what its kernels take."""
        from arcloom.engine.devices.cpu import Cpu  # here, because importing the compiler takes its time

        Cpu.profile = self.kernels
        try:
            yield self.stopwatch
        finally:
            Cpu.profile = None

    def profile(self) -> Profile:
        """Where the time went up to now."""
        sections = self.stopwatch.sections()
        return Profile(sum(section.seconds for section in sections), tuple(sections), _shares(self.kernels))


def _shares(noted: KernelProfile) -> tuple[KernelShare, ...]:
    """The time in the machine, divided among kernels as their threads spent it. None if nothing was noted."""
    if not noted.kernels:
        return ()
    inside = sum(kernel.seconds for kernel in noted.kernels.values())
    between = KernelTime(seconds=max(noted.thread_seconds - inside, 0.0))
    scale = noted.wall() / ((inside + between.seconds) or 1.0)
    found = [_share(name, kernel, scale) for name, kernel in noted.kernels.items()]
    found.sort(key=lambda share: -share.seconds)
    return (*found, _share(BETWEEN, between, scale))


def _share(name: str, kernel: KernelTime, scale: float) -> KernelShare:
    per_row = kernel.seconds / kernel.rows * 1e9 if kernel.rows else 0.0
    return KernelShare(name, kernel.calls, kernel.rows, kernel.seconds, per_row, kernel.seconds * scale)
