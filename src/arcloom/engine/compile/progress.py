"""Telling the user how far a compilation is. This module imports no compiler."""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

EVERY = 5.0
"""Seconds between two lines in a log."""


@dataclass(frozen=True)
class CompileProgress:
    """How many units of a compilation are done, and after how many seconds.

    ``waiting`` means that another process compiles them, ``ended`` that nothing more will be told, and ``step`` is what
    is done.
    """

    done: int
    total: int
    seconds: float
    waiting: bool = False
    ended: bool = False
    step: str = "Compiling kernels (once)"

    @property
    def text(self) -> str:
        """One line that says so."""
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
    """Have compilations reported to a function; None has them written to standard error again."""
    global _receiver
    _receiver = report


def receiver() -> Report | None:
    """The function that compilations are reported to, if one was set."""
    return _receiver


class Printer:
    """Writes progress to standard error: on a terminal to one line that goes away, else a line every few seconds."""

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
    """Tell the user something on standard error."""
    print(f"arcloom: {line}", file=sys.stderr, flush=True)
