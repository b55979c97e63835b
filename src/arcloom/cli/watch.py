"""Watching a check that takes long."""

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from arcloom.check import Report, Verdict
from arcloom.cli.app import INTERRUPTED, stop

if TYPE_CHECKING:
    from arcloom.engine.compile.progress import Progress as Compiling


class Watch:
    """Shows on a terminal how many programs are done, and tells so if the user stops it."""

    def __init__(self, programs: int, *, quiet: bool, device: str) -> None:
        self.programs = programs
        hidden = quiet or not sys.stderr.isatty()
        self.compiles = device != "reference" and not hidden
        self.report: Report | None = None
        self.bar = bar(hidden=hidden)
        self.task = self.bar.add_task("programs", total=programs)

    def __enter__(self) -> Self:
        self.bar.start()
        if self.compiles:
            from arcloom.engine.warm import report_to  # here, because the reference can do without a compiler

            report_to(self._compiling)
        return self

    def _compiling(self, progress: "Compiling") -> None:
        """Show how far the compilation is that the run needs."""
        if progress.ended:
            self.bar.update(self.task, description="programs", completed=0, total=self.programs)
        else:
            self.bar.update(self.task, description=progress.text, completed=progress.done, total=progress.total)

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
        counts = ", ".join(f"{self.report.count(verdict)} {verdict}" for verdict in Verdict)
        return f"{_done(self.report)} of {self.programs} programs done: {counts}"


def bar(*, hidden: bool) -> Progress:
    """A line on standard error that says how much is done, and goes away."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True, disable=hidden)


def _done(report: Report) -> int:
    return len(report.findings) + len(report.unmatched)
