"""The display of a search that is under way, and signals that end it in good order."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskID, TextColumn
from rich.text import Text

from arcloom.cluster.coordinator import Progress as SearchProgress
from arcloom.cluster.solve import Stopper
from arcloom.engine.compile.progress import Progress as Compiling

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class _Time(ProgressColumn):
    """The time that is left of the budget, or the time since the start if there is no budget."""

    max_refresh = 0.5

    def render(self, task: Task) -> Text:
        left = task.fields.get("left")
        return Text(_clock(task.elapsed or 0.0) if left is None else f"{_clock(max(left, 0.0))} left")


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class Live:
    """One line on standard error that shows the progress and disappears at the end."""

    def __init__(self, *, hidden: bool) -> None:
        columns = (_Time(), BarColumn(20), TextColumn("{task.description}"))
        self._bar = Progress(*columns, console=Console(stderr=True), transient=True, disable=hidden)
        self._task: TaskID = self._bar.add_task("loading", total=None, left=None)
        self.report = None if hidden else self._compiling
        """Shows the progress of compiling kernels. None has it written to a log."""

    def __enter__(self) -> "Live":
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def _compiling(self, progress: Compiling) -> None:
        """Show the progress of compiling kernels."""
        self._bar.update(self._task, description="loading" if progress.ended else progress.text)

    def __call__(self, progress: SearchProgress) -> None:
        """Show the progress of the search."""
        total = None if progress.left is None else progress.seconds + progress.left
        self._bar.update(
            self._task, completed=progress.seconds, total=total, left=progress.left, description=_line(progress)
        )


def _line(progress: SearchProgress) -> str:
    return (
        f"{progress.solved} of {progress.tasks} tasks solved on demonstrations ({progress.settled} settled), "
        f"generation {progress.generation}, {progress.per_second:,.0f} candidates/s"
    )


def is_hidden(quiet: bool) -> bool:
    """Whether no progress is shown: a script asked for that, or standard error is not a terminal."""
    return quiet or not sys.stderr.isatty()


@contextmanager
def ended_by_signals() -> Iterator[Stopper]:
    """In this context, the first Ctrl-C or request to terminate stops a search in good order, the second interrupts."""
    stopper = Stopper()

    def handle(number: int, frame: FrameType | None) -> None:
        signal.signal(number, _interrupt)
        stopper.stop()

    before = {number: signal.signal(number, handle) for number in SIGNALS}
    try:
        yield stopper
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
