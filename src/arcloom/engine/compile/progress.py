"""Reporting the progress of a compilation. This module imports no compiler."""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

EVERY = 5.0
"""Seconds between two lines of progress that are not written to a terminal."""


@dataclass(frozen=True)
class CompileProgress:
    """The number of compiled units, of all units, and the seconds since the compilation began.

    ``waiting`` means that another process compiles them, ``ended`` that this is the last report, and ``step`` names the
    work.
    """

    done: int
    total: int
    seconds: float
    waiting: bool = False
    ended: bool = False
    step: str = "Compiling kernels (once)"

    @property
    def text(self) -> str:
        """The progress in one line."""
        what = "Waiting for another process to compile kernels" if self.waiting else self.step
        return f"{what}: {self.done}/{self.total}{self._left}"

    @property
    def _left(self) -> str:
        if self.done == 0 or self.done == self.total or self.waiting:
            return ""
        return f", about {self.seconds / self.done * (self.total - self.done):.0f} s left"


Report = Callable[[CompileProgress], None]

_receiver: Report | None = None


def report_to(report: Report | None) -> None:
    """Set the function that gets the progress of compilations; None restores writing to standard error."""
    global _receiver
    _receiver = report


def receiver() -> Report | None:
    """The function that was set by ``report_to``, or None."""
    return _receiver


class Printer:
    """Writes progress to standard error: on a terminal to one line, which is erased at the end; else a line every few
    seconds."""

    def __init__(self) -> None:
        self._next = 0.0

    def __call__(self, progress: CompileProgress) -> None:
        if sys.stderr.isatty():
            text = "" if progress.ended else progress.text
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
        elif time.monotonic() >= self._next and not progress.ended:
            self._next = time.monotonic() + EVERY
            print(progress.text, file=sys.stderr, flush=True)


def say(line: str) -> None:
    """Write a message to the user on standard error."""
    print(f"arcloom: {line}", file=sys.stderr, flush=True)
