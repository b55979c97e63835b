"""Watching a check that takes long."""

import sys
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from arcloom.check import Report
from arcloom.cli.app import INTERRUPTED, stop


class Watch:
    """Shows on a terminal how many programs are done, and tells so if the user stops it."""

    def __init__(self, programs: int, *, quiet: bool, device: str) -> None:
        self.programs = programs
        self.compiles = device != "reference"
        self.report: Report | None = None
        self.bar = bar(hidden=quiet or not sys.stderr.isatty())
        self.task = self.bar.add_task("programs", total=programs)

    def __enter__(self) -> Self:
        self.bar.start()
        if self.compiles:
            from arcloom.engine.warm import report_to  # here, because the reference can do without a compiler

            report_to(self._compiling)
        return self

    def _compiling(self, done: int, total: int) -> None:
        """Tell how far compiling is that the run turned out to need."""
        finished = done == total
        what, now, end = ("programs", 0, self.programs) if finished else ("compiling kernels, once", done, total)
        self.bar.update(self.task, description=what, completed=now, total=end)

    def __call__(self, report: Report) -> None:
        self.report = report
        self.programs = report.programs
        self.bar.update(self.task, completed=_done(report), total=report.programs)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.bar.stop()
        if kind is KeyboardInterrupt:
            raise stop(f"stopped, {self._so_far()}", INTERRUPTED) from None

    def _so_far(self) -> str:
        if self.report is None:
            return f"none of {self.programs} programs done"
        return f"{_done(self.report)} of {self.programs} programs done: {self.report.summary}"


def bar(*, hidden: bool) -> Progress:
    """A line on standard error that says how much is done, and goes away."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True, disable=hidden)


def _done(report: Report) -> int:
    return len(report.findings) + len(report.unmatched)
