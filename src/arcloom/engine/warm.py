"""Making sure that kernels, and the interpreter that calls them, are compiled before they are used."""

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
from arcloom.engine.entrances import ENTRANCES, ON_CPU
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
    entrances: Sequence[str] = ON_CPU,
) -> int:
    """Compile the kernels (by default all) and entrances that are not compiled yet, and give the number of kernels.

    Call this before a clock starts. It takes a moment if there is nothing to compile, else up to a minute on two
    cores. ``report`` is told how far it is; by default a line is written to standard error. Raises CompileError if
    something cannot be compiled or kept, and CompileStopped, a KeyboardInterrupt, if the user stops it.
    """
    names = [*entrances, *(kernel.name for kernel in (all_kernels() if kernels is None else kernels))]
    if not LIBRARY.missing(names):
        return 0
    with _compiling:  # of several threads, the first compiles for the others
        return _compile(LIBRARY.missing(names), report or receiver() or Printer())


def _compile(missing: Sequence[str], report: Report) -> int:
    """Compile into the cache, or wait for another process to do so."""
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
    return sum(name not in ENTRANCES for name in missing)


class _Compilation:
    """Units to compile, those of them that are still absent, and who is told about it."""

    def __init__(self, units: Sequence[str], report: Report) -> None:
        self._total = len(units)
        self._absent = list(units)
        self._report = report
        self._began = time.monotonic()

    def tell(self, done: int = 0, *, waiting: bool = False, ended: bool = False) -> None:
        """Report how many units are there: those that were found, and ``done`` more."""
        done += self._total - len(self._absent)
        self._report(CompileProgress(done, self._total, time.monotonic() - self._began, waiting, ended))

    def run(self, folder: Path) -> None:
        """Compile what is absent, as soon as no other process compiles into the folder."""
        with lock(folder) as locked:
            while self._absent and not locked():
                self.tell(waiting=True)
                time.sleep(_POLL)
                self._absent = LIBRARY.missing(self._absent)
            self._absent = LIBRARY.missing(self._absent)
            if self._absent:
                compile_jobs(jobs_of(self._absent, tuple(ENTRANCES), cores()), {folder: host()}, self.tell)
        self._absent = LIBRARY.missing(self._absent)
        if self._absent:
            raise CompileError(f"{folder} does not keep what was compiled: {', '.join(self._absent)}")


@contextmanager
def _interruptible() -> Iterator[None]:
    """Here Ctrl-C, or a request to terminate, raises KeyboardInterrupt, whatever it does elsewhere."""
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
