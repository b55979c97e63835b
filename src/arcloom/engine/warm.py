"""Compiling kernels and the interpreter before they are used."""

import signal
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from arcloom.engine import kernels as kernels  # declares the kernels
from arcloom.engine.compile.errors import CompileError as CompileError
from arcloom.engine.compile.errors import CompileStopped
from arcloom.engine.compile.folders import lock, writable
from arcloom.engine.compile.library import LIBRARY
from arcloom.engine.compile.packed import why_unused
from arcloom.engine.compile.processes import compile_jobs, cores, jobs_of
from arcloom.engine.compile.progress import CompileProgress, Printer, Report, receiver, say
from arcloom.engine.compile.target import host
from arcloom.engine.entry_points import ENTRY_POINTS, ON_CPU
from arcloom.engine.kernel import KERNELS, Kernel

_POLL = 0.2

_compiling = threading.Lock()


def all_kernels() -> list[Kernel]:
    """Every kernel of every operation."""
    return [kernel for variants in KERNELS.values() for kernel in variants]


def ensure(
    kernels: Iterable[Kernel] | None = None,
    report: Report | None = None,
    *,
    entry_points: Sequence[str] = ON_CPU,
) -> int:
    """Compile kernels (by default all) and entry points that are not in the cache; returns the number of new kernels.

    Call this before a clock starts: it can take a minute on two cores. ``report`` gets the progress; by default it is
    written to standard error. Raises CompileError if something cannot be compiled or stored, and CompileStopped, a
    KeyboardInterrupt, if the user stops it.
    """
    names = [*entry_points, *(kernel.name for kernel in (all_kernels() if kernels is None else kernels))]
    if not LIBRARY.missing(names):
        return 0
    with _compiling:  # the first of several threads compiles for the others
        return _compile(LIBRARY.missing(names), report or receiver() or Printer())


def _compile(missing: Sequence[str], report: Report) -> int:
    """Compile units into the cache, or wait for another process that does so."""
    if not missing:
        return 0
    reason = why_unused()
    if reason is not None:
        say(reason)
    compilation = _Compilation(missing, report)
    try:
        with _interruptible():
            compilation.run(writable(host().folder))
    except KeyboardInterrupt:
        kept = len(missing) - len(LIBRARY.missing(missing))
        text = f"stopped while compiling kernels; {kept} of {len(missing)} are compiled and kept"
        raise CompileStopped(text) from None
    finally:
        compilation.tell(ended=True)
    return sum(name not in ENTRY_POINTS for name in missing)


class _Compilation:
    """A compilation under way: its units, those not compiled yet, and the function that gets the progress."""

    def __init__(self, units: Sequence[str], report: Report) -> None:
        self._total = len(units)
        self._absent = list(units)
        self._report = report
        self._began = time.monotonic()

    def tell(self, done: int = 0, *, waiting: bool = False, ended: bool = False) -> None:
        """Report progress: the units in the cache, and ``done`` more."""
        done += self._total - len(self._absent)
        self._report(CompileProgress(done, self._total, time.monotonic() - self._began, waiting, ended))

    def run(self, folder: Path) -> None:
        """Compile the absent units into a folder, after waiting for other processes that compile into it."""
        with lock(folder) as locked:
            while self._absent and not locked():
                self.tell(waiting=True)
                time.sleep(_POLL)
                self._absent = LIBRARY.missing(self._absent)
            self._absent = LIBRARY.missing(self._absent)
            if self._absent:
                compile_jobs(jobs_of(self._absent, tuple(ENTRY_POINTS), cores()), {folder: host()}, self.tell)
        self._absent = LIBRARY.missing(self._absent)
        if self._absent:
            raise CompileError(f"compiled code is missing in {folder}: {', '.join(self._absent)}")


@contextmanager
def _interruptible() -> Iterator[None]:
    """A context in which SIGINT and SIGTERM raise KeyboardInterrupt, unless they are ignored."""
    before = {}
    if threading.current_thread() is threading.main_thread():
        handled = [number for number in (signal.SIGINT, signal.SIGTERM) if callable(signal.getsignal(number))]
        before = {number: signal.signal(number, _interrupt) for number in handled}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
