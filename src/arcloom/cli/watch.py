"""Progress bars of commands."""

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from arcloom.check import CheckReport
from arcloom.cli.app import stop
from arcloom.engine.compile.progress import CompileProgress, report_to
from arcloom.interrupt import INTERRUPTED

if TYPE_CHECKING:
    from rich.progress import Progress


class CheckWatch:
    """Shows the progress of a check on a terminal, and reports it if the user stops the check."""

    def __init__(self, programs: int, *, quiet: bool) -> None:
        self.programs = programs
        self.report: CheckReport | None = None
        self._bar = bar(hidden=False) if sys.stderr.isatty() and not quiet else None

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.add_task("programs", total=self.programs)
            self._bar.start()
            report_to(self._compiling)
        return self

    def _compiling(self, progress: CompileProgress) -> None:
        """Show the progress of compiling kernels for the run."""
        if progress.ended:
            self._update(description="programs", completed=0, total=self.programs)
        else:
            self._update(description=progress.text, completed=progress.done, total=progress.total)

    def _update(self, **fields: Any) -> None:
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], **fields)

    def __call__(self, report: CheckReport) -> None:
        self.report = report
        self.programs = report.programs
        self._update(completed=_done(report), total=report.programs)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if self._bar is not None:
            report_to(None)
            self._bar.stop()
        if kind is KeyboardInterrupt:
            raise stop(f"stopped, {self._so_far()}", INTERRUPTED) from None

    def _so_far(self) -> str:
        if self.report is None:
            return f"none of {self.programs} programs done"
        return f"{_done(self.report)} of {self.programs} programs done: {self.report.summary}"


def bar(*, hidden: bool) -> "Progress":
    """A progress bar on standard error, which is removed at the end."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True, disable=hidden)


def _done(report: CheckReport) -> int:
    return len(report.findings) + len(report.unmatched)
