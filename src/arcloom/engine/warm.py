"""Making sure that kernels, and the interpreter that calls them, are compiled before they are used."""

import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from arcloom.engine import kernels as kernels  # declares the kernels
from arcloom.engine.compile.errors import CompileError as CompileError
from arcloom.engine.compile.errors import CompileStopped
from arcloom.engine.compile.folders import lock, writable
from arcloom.engine.compile.library import LIBRARY
from arcloom.engine.compile.packed import why_unused
from arcloom.engine.compile.processes import compile_jobs, cores, jobs_of
from arcloom.engine.compile.progress import Printer, Progress, Report, say
from arcloom.engine.compile.target import host
from arcloom.engine.entrances import ENTRANCES
from arcloom.engine.kernel import KERNELS, Kernel

_POLL = 0.2

_report: Report | None = None
_compiling = threading.Lock()


def report_to(report: Report | None) -> None:
    """Have compilations reported to a function, or again to standard error."""
    global _report
    _report = report


def all_kernels() -> list[Kernel]:
    """Every kernel of every operation."""
    return [kernel for variants in KERNELS.values() for kernel in variants]


def ensure(
    kernels: Iterable[Kernel] | None = None,
    report: Report | None = None,
    *,
    entrances: Sequence[str] = tuple(ENTRANCES),
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
        return _compile(LIBRARY.missing(names), report or _report or Printer())


def _compile(missing: Sequence[str], report: Report) -> int:
    """Compile into the cache, or wait for another process to do so."""
    if not missing:
        return 0
    reason = why_unused()
    if reason is not None:
        say(reason)
    began, folder, absent = time.monotonic(), writable(host().folder), list(missing)

    def tell(done: int, *, waiting: bool = False) -> None:
        report(Progress(len(missing) - len(absent) + done, len(missing), time.monotonic() - began, waiting))

    with (
        _interruptible(lambda: f"{len(missing) - len(LIBRARY.missing(missing))} of {len(missing)}"),
        lock(folder) as locked,
    ):
        while absent and not locked():
            tell(0, waiting=True)
            time.sleep(_POLL)
            absent = LIBRARY.missing(absent)
        absent = LIBRARY.missing(absent)
        if absent:
            compile_jobs(jobs_of(absent, tuple(ENTRANCES), cores()), {folder: host()}, tell)
        absent = LIBRARY.missing(absent)
        tell(0)
    if absent:
        raise CompileError(f"{folder} does not keep what was compiled: {', '.join(absent)}")
    return sum(name not in ENTRANCES for name in missing)


@contextmanager
def _interruptible(done: Callable[[], str]) -> Iterator[None]:
    """Here Ctrl-C, or a request to terminate, ends the compilation at once, whatever it does elsewhere."""
    before = {}
    if threading.current_thread() is threading.main_thread():
        handled = [number for number in (signal.SIGINT, signal.SIGTERM) if callable(signal.getsignal(number))]
        before = {number: signal.signal(number, _interrupt) for number in handled}
    try:
        yield
    except KeyboardInterrupt:
        raise CompileStopped(f"stopped while compiling kernels; {done()} are compiled and kept") from None
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
