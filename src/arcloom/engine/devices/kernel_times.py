"""Times of kernels on all threads, measured while a profile is active."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass
class KernelTime:
    """The launches of one kernel and their time; ``seconds`` are those of all threads together."""

    calls: int = 0
    rows: int = 0
    seconds: float = 0.0


class KernelProfile:
    """Kernels by name, and how long threads were in the machine that launches them.

    ``thread_seconds`` adds up what each thread took; ``wall`` counts a moment once, however many threads were in the
    machine then.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self.kernels: dict[str, KernelTime] = {}
        self.thread_seconds = 0.0
        self._clock = clock
        self._lock = threading.Lock()
        self._inside = 0
        self._since = 0.0
        self._wall = 0.0

    @contextmanager
    def in_machine(self) -> Iterator[None]:
        """Count the time that this thread is within as time in the machine."""
        began = self._enter()
        try:
            yield
        finally:
            self._leave(began)

    def _enter(self) -> float:
        with self._lock:
            now = self._clock()
            if not self._inside:
                self._since = now
            self._inside += 1
            return now

    def _leave(self, began: float) -> None:
        with self._lock:
            now = self._clock()
            self._inside -= 1
            self.thread_seconds += now - began
            if not self._inside:
                self._wall += now - self._since

    def note(self, launched: Iterable[tuple[str, int, int, float]]) -> None:
        """Count launches: kernels with their calls, rows and seconds."""
        with self._lock:
            for name, calls, rows, seconds in launched:
                noted = self.kernels.setdefault(name, KernelTime())
                noted.calls += calls
                noted.rows += rows
                noted.seconds += seconds

    def wall(self) -> float:
        """Seconds in which at least one thread was in the machine, up to now."""
        with self._lock:
            return self._wall + (self._clock() - self._since if self._inside else 0.0)
