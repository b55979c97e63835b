"""Watching a search: one line on the terminal that says how far it is, and signals that end it in good order."""

import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskID, TextColumn
from rich.text import Text

from arcloom.engine.compile.progress import Progress as Compiling
from arcloom.engine.warm import report_to
from arcloom.search import solve

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class _TimeLeft(ProgressColumn):
    """What is left of the budget; it goes on between two generations."""

    max_refresh = 0.5

    def __init__(self, ends: float | None) -> None:
        super().__init__()
        self._ends = ends

    def render(self, task: Task) -> Text:
        if self._ends is None:
            return Text(_clock(task.elapsed or 0.0))
        return Text(f"{_clock(max(self._ends - time.monotonic(), 0.0))} left")


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class Live:
    """A line on standard error that is told of each generation, and goes away."""

    def __init__(self, seconds: float | None, *, hidden: bool) -> None:
        ends = None if seconds is None else time.monotonic() + seconds
        columns = (_TimeLeft(ends), BarColumn(20), TextColumn("{task.description}"))
        self._budget = seconds
        self._hidden = hidden
        self._bar = Progress(*columns, console=Console(stderr=True), transient=True, disable=hidden)
        self._task: TaskID = self._bar.add_task("loading", total=seconds)

    def __enter__(self) -> "Live":
        self._bar.start()
        if not self._hidden:
            report_to(self._compiling)
        return self

    def __exit__(self, *_: object) -> None:
        report_to(None)
        self._bar.stop()

    def _compiling(self, progress: Compiling) -> None:
        told = "loading" if progress.ended else progress.text
        self._bar.update(self._task, description=told)

    def __call__(self, progress: solve.Progress) -> None:
        """Show how far the search is."""
        self._bar.update(self._task, completed=progress.seconds, description=_line(progress))


def _line(progress: solve.Progress) -> str:
    return (
        f"generation {progress.generation}, {progress.per_second:,.0f} candidates/s, "
        f"{progress.solved} of {progress.tasks} tasks solved on demonstrations ({progress.settled} settled), "
        f"best so far {progress.best / 10:.1f} %"
    )


def is_hidden(quiet: bool) -> bool:
    """Whether nothing should be shown: a script asked, or nobody looks."""
    return quiet or not sys.stderr.isatty()


class Ending:
    """What to do when somebody asks for the end. That may be before anybody has said it."""

    def __init__(self) -> None:
        self._asked = False
        self._stop: Callable[[], object] = lambda: None

    def calls(self, stop: Callable[[], object]) -> None:
        """Say what to call: now, if the end was asked for already."""
        self._stop = stop
        if self._asked:
            stop()

    def ask(self) -> None:
        """Ask for the end."""
        self._asked = True
        self._stop()


@contextmanager
def ended_by_signals() -> Iterator[Ending]:
    """Within this context the first Ctrl-C, or request to terminate, asks for the end; the second one interrupts."""
    ending = Ending()

    def handle(number: int, frame: FrameType | None) -> None:
        signal.signal(number, _interrupt)
        ending.ask()

    before = {number: signal.signal(number, handle) for number in SIGNALS}
    try:
        yield ending
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
