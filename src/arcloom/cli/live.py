"""The live display of a search, and the handling of signals that end it."""

import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Protocol, Self

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.live import Live as RichLive
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from arcloom.cli.output import count, table
from arcloom.cluster.coordinator import SUBMISSION, SearchProgress
from arcloom.cluster.solve import Stopper
from arcloom.engine.compile.progress import CompileProgress, Report
from arcloom.tasks.terminal import THUMBNAIL, ThumbnailsView

SIGNALS = (signal.SIGINT, signal.SIGTERM)

REFRESH = 4
"""Number of redraws of the view per second."""

STARTING = "starting workers"

LOW, NARROW = 20, 60
"""Minimum numbers of lines and columns of a terminal for the whole view; otherwise only its first lines are shown."""

FIRST_LINES = 4
"""Number of lines of the view above the table of sources."""

ROOMY = 32
"""Minimum number of lines of a terminal for empty lines between the parts of the view."""

INTERVALS = ((120.0, 15.0), (float("inf"), 60.0))
"""Pairs (until, interval): until this number of seconds has passed, a line is logged in this interval of seconds."""


class Display(Protocol):
    """Shows the progress of a search."""

    report: Report | None
    """Shows the progress of compiling kernels; None for the default, which writes to standard error."""

    def __call__(self, progress: SearchProgress) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


def display(data: str, *, quiet: bool) -> Display:
    """A live view on a terminal, otherwise lines at intervals; nothing if ``quiet``."""
    if quiet:
        return Hidden()
    return Live(data) if sys.stderr.isatty() else Log()


class Hidden:
    """Shows nothing."""

    report: Report | None = None

    def __call__(self, progress: SearchProgress) -> None:
        """Ignore the progress."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class Log(Hidden):
    """Writes a line to standard error at intervals."""

    def __init__(self) -> None:
        self._next = INTERVALS[0][1]

    def __call__(self, progress: SearchProgress) -> None:
        """Write a line if the interval has passed."""
        if progress.seconds >= self._next:
            step = next(step for until, step in INTERVALS if progress.seconds < until)
            self._next = progress.seconds + step
            print(f"arcloom: {line(progress)}", file=sys.stderr, flush=True)


class Live:
    """A view on standard error that disappears at the end."""

    def __init__(self, data: str) -> None:
        self.report: Report | None = self._compiling
        self._view = SearchView(data)
        console = Console(stderr=True, highlight=False, emoji=False)
        self._live = RichLive(
            get_renderable=lambda: self._view, console=console, refresh_per_second=REFRESH, transient=True
        )

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def _compiling(self, progress: CompileProgress) -> None:
        self._view.phase = STARTING if progress.ended else progress.text

    def __call__(self, progress: SearchProgress) -> None:
        """Show the progress of the search."""
        self._view.update(progress)


class SearchView:
    """The view of a search: time, counts, rates, sources, and the latest solutions as thumbnails."""

    def __init__(self, data: str) -> None:
        self.phase = STARTING
        self._data = data
        self._began = self._updated = time.monotonic()
        self._progress: SearchProgress | None = None

    def update(self, progress: SearchProgress) -> None:
        """Set the progress to show."""
        self._progress, self._updated = progress, time.monotonic()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        progress = self._progress
        if progress is None:
            yield Text(f"{clock(time.monotonic() - self._began)}  {self.phase}")
            return
        yield self._time(progress, options.max_width)
        yield from counts(progress, self._data)
        if options.max_width >= NARROW and console.height >= LOW:
            yield from _details(progress, console)

    def _time(self, progress: SearchProgress, width: int) -> RenderableType:
        """The time left and a bar, or the time since the start if there is no budget."""
        since = time.monotonic() - self._updated
        if progress.left is None:
            return Text(f"{clock(progress.seconds + since)} since the start", style="bold")
        left, total = max(progress.left - since, 0.0), progress.left + progress.seconds
        shown = Table.grid(padding=(0, 1))
        bar = ProgressBar(
            total=total, completed=total - left, width=max(width - 16, 4), complete_style="cyan", finished_style="cyan"
        )
        shown.add_row(Text(f"{clock(left)} left", style="bold"), bar)
        return shown


def counts(progress: SearchProgress, data: str) -> Iterator[Text]:
    """Lines with the solved tasks, the speed, and a hint."""
    solved = Text(f"{progress.solved:,} of {count(progress.tasks, 'task')}", style="bold green")
    yield solved.append(
        f" solved on demonstrations, {progress.settled:,} settled (several programs agree)", style="not bold default"
    )
    speed = f"generation {progress.generation:,}, {rates(progress)}" if progress.sources else STARTING
    yield Text(f"{data}: {speed}")
    yield Text(f"Ctrl-C ends the search; {SUBMISSION} is still written", style="dim")


def rates(progress: SearchProgress) -> str:
    """The speed of the search as text."""
    expressions = f", {progress.expressions_per_second:,.0f} expressions/s" if progress.expressions else ""
    return f"{progress.per_second:,.0f} candidates/s{expressions}"


def line(progress: SearchProgress) -> str:
    """The progress in one line."""
    left = f"{clock(progress.seconds)}" + ("" if progress.left is None else f", {clock(max(progress.left, 0.0))} left")
    solved = f"{progress.solved:,} of {progress.tasks:,} tasks solved on demonstrations ({progress.settled:,} settled)"
    return f"{left}: {solved}, generation {progress.generation:,}, {rates(progress)}"


def _details(progress: SearchProgress, console: Console) -> Iterator[RenderableType]:
    """The sources, and the latest solutions if there is room for them."""
    space = [""] if console.height >= ROOMY else []
    shown = _sources(progress)
    if shown.row_count:
        yield Group(*space, shown)
    thumbnails = THUMBNAIL if console.no_color or console.color_system is None else THUMBNAIL // 2
    left = console.height - FIRST_LINES - len(shown.rows) - 1 - 2 * len(space)
    if progress.latest and left >= 1 + thumbnails + 2:
        newest = [(solution.task, solution.origin, solution.grid) for solution in reversed(progress.latest)]
        title = Text("latest solutions (output for the first test input)", style="dim")
        yield Group(*space, title, ThumbnailsView(newest))


def _sources(progress: SearchProgress) -> Table:
    shown = table("source", "tasks solved", "candidates/s", "expressions/s")
    for column in shown.columns[1:]:
        column.justify = "right"
    for name in sorted({*progress.sources, *progress.found}, key=lambda name: -progress.found.get(name, 0)):
        candidates, expressions = progress.sources.get(name, 0), progress.expressions.get(name, 0)
        rate = f"{progress.rate(expressions):,.0f}" if expressions else ""
        shown.add_row(name, f"{progress.found.get(name, 0):,}", f"{progress.rate(candidates):,.0f}", rate)
    return shown


def clock(seconds: float) -> str:
    """A duration as [hours:]minutes:seconds."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@contextmanager
def ended_by_signals() -> Iterator[Stopper]:
    """In this context, the first SIGINT or SIGTERM stops the search, and the second raises KeyboardInterrupt."""
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
