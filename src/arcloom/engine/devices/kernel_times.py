"""Times of kernels on all threads, for profiles."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass
class KernelTime:
    """The launches of one kernel, their rows, and their seconds on all threads together."""

    calls: int = 0
    rows: int = 0
    seconds: float = 0.0


class KernelProfile:
    """The times of kernels by name, and the time that threads spent in the interpreter.

    ``thread_seconds`` is the sum over threads; ``wall`` is the time in which at least one thread was in the
    interpreter.
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
        """A context whose time counts as time of this thread in the interpreter."""
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
        """Add launches: tuples of a kernel's name, calls, rows and seconds."""
        with self._lock:
            for name, calls, rows, seconds in launched:
                noted = self.kernels.setdefault(name, KernelTime())
                noted.calls += calls
                noted.rows += rows
                noted.seconds += seconds

    def wall(self) -> float:
        """Seconds up to now in which at least one thread was in the interpreter."""
        with self._lock:
            return self._wall + (self._clock() - self._since if self._inside else 0.0)
