"""Traces on the terminal: each statement, followed by its value for each sample."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.columns import Columns
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from arcloom.report.drawing import (
    CellsDrawing,
    Drawing,
    FailureDrawing,
    FunctionDrawing,
    GridDrawing,
    RowDrawing,
    TextDrawing,
    drawing_of,
)
from arcloom.report.trace import Trace, TracedLine
from arcloom.tasks.task import Grid, Task
from arcloom.tasks.terminal import DifferenceView, Painter, cells_dots, framed, grid_dots, painter

ITEMS_ACROSS = 6
"""Maximum number of elements of a container that are drawn. The others are counted."""

GAP = 5
"""Number of columns of a drawing besides its cells: the frame and the space after it."""


def sample_names(task: Task) -> list[str]:
    """The names of the samples of a task, such as train[0]."""
    train = [f"train[{i}]" for i in range(len(task.train))]
    return [*train, *(f"test[{i}]" for i in range(len(task.test)))]


@dataclass(frozen=True)
class TraceView:
    """A trace that rich can print. ``samples`` are the positions of the samples to show, by default all."""

    trace: Trace
    samples: Sequence[int] | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        task = self.trace.task
        chosen = range(len(task.samples)) if self.samples is None else self.samples
        view = _View(self.trace, chosen, _painter(self.trace, chosen, console, options.max_width))
        yield Text.assemble((self.trace.name, "bold"), f" on {task.id}")
        yield from view.lines()
        yield from view.outcome()


def _painter(trace: Trace, samples: Sequence[int], console: Console, width: int) -> Painter:
    """The painter with the largest cells for which two samples fit side by side, or the only one."""
    drawn = [line.values[i] for line in trace.lines for i in samples]
    grids = [trace.task.samples[i].input for i in samples] + [one.grid for one in drawn if isinstance(one, GridDrawing)]
    across = min(2, len(samples))
    return painter(console, max((len(grid[0]) for grid in grids), default=1) * across, width - GAP * across)


@dataclass(frozen=True)
class _View:
    trace: Trace
    samples: Sequence[int]
    paint: Painter

    def lines(self) -> Iterator[RenderableType]:
        """The input, then each statement with its values."""
        yield Text("input", style="bold cyan")
        yield self._columns([self._grid(self.trace.task.samples[i].input) for i in self.samples])
        for line in self.trace.lines:
            yield _heading(line)
            yield from self._values(line)

    def _values(self, line: TracedLine) -> Iterator[RenderableType]:
        values = [line.values[i] for i in self.samples]
        if all(isinstance(value, FunctionDrawing) for value in values):
            return  # the statement already shows the function
        if values and all(value == values[0] and isinstance(value, FailureDrawing | TextDrawing) for value in values):
            yield Group(Text("   all samples ", style="dim", end=""), self._drawn(values[0], self.samples[0]))
        else:
            yield self._columns([self._drawn(value, i) for value, i in zip(values, self.samples, strict=True)])

    def outcome(self) -> Iterator[RenderableType]:
        """The samples with a wrong output, each with the expected output and the difference; then a summary."""
        for i in self.trace.wrong:
            if i in self.samples:
                yield self._difference(i)
        yield _summary(self.trace)

    def _difference(self, i: int) -> RenderableType:
        output, pair = self.trace.outputs[i], self.trace.task.samples[i]
        what = "there is no output" if output is None else "the output is wrong"
        shown = drawing_of(output, None)
        grid = shown.grid if isinstance(shown, GridDrawing) else None
        heading = Text(f"{self._name(i)}: {what}", style="bold red")
        return Group(heading, DifferenceView(pair.input, grid, pair.output))

    def _columns(self, drawn: list[RenderableType]) -> Columns:
        names = [Text(self._name(i), style="dim") for i in self.samples]
        return Columns([Group(name, one) for name, one in zip(names, drawn, strict=True)], padding=(0, 3))

    def _name(self, i: int) -> str:
        return sample_names(self.trace.task)[i]

    def _grid(self, grid: Grid) -> RenderableType:
        return framed(self.paint(grid_dots(grid)))

    def _drawn(self, value: Drawing | None, sample: int) -> RenderableType:
        match value:
            case GridDrawing(grid):
                return self._grid(grid)
            case CellsDrawing(cells):
                grid = self.trace.task.samples[sample].input
                return framed(self.paint(cells_dots(cells, len(grid), len(grid[0]))))
            case RowDrawing():
                return self._row(value)
            case TextDrawing(text):
                return Text(text)
            case FunctionDrawing(text):
                return Text(text, style="italic")
            case FailureDrawing(line, reason):
                return Text(f"✗ line {line}: {reason}", style="red")
            case None:
                return Text("not computed", style="dim")

    def _row(self, row: RowDrawing) -> RenderableType:
        """The first elements side by side. Cells are drawn without the rest of the grid."""
        table = Table.grid(padding=(0, 1, 0, 0))
        shown = row.items[:ITEMS_ACROSS]
        more = row.count - len(shown)
        table.add_row(*map(self._item, shown), *([Text(f"+{more:,}", style="dim")] if more else []))
        return table

    def _item(self, item: Drawing) -> RenderableType:
        return framed(self.paint(cells_dots(item.cells))) if isinstance(item, CellsDrawing) else self._drawn(item, 0)


def _heading(line: TracedLine) -> Text:
    heading = Text.assemble((f"{line.number:>3} ", "dim"), (line.text.replace("\n", "\n    "), "bold"))
    return heading if line.type is None else heading.append(f"   {line.type}", style="cyan")


def _summary(trace: Trace) -> Text:
    known = sum(pair.output is not None for pair in trace.task.samples)
    right = known - len(trace.wrong)
    if trace.problem:
        return Text(f"no static types: {trace.problem}", style="red")
    style = "green" if right == known else "red"
    return Text(f"{right} of {known} known outputs are right", style=style)
