"""A task in the terminal, as large as it fits: cells two columns wide, or else half a line high.

A wide cell holds its digit in its own colour: that shows where there are no colours, and when copied.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import zip_longest

from rich.box import SQUARE
from rich.columns import Columns
from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from arcloom.tasks.picture import colour_of
from arcloom.tasks.task import Grid, Pair, Task

Painter = Callable[[Grid], Text]

EXTRA = 7
"""The columns that a pair takes besides its cells: two frames and the arrow."""


@dataclass(frozen=True)
class TaskView:
    """What rich prints for a task."""

    task: Task

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        paint = _painter(self.task, console, options.max_width)
        yield Text(self.task.id, style="bold")
        for part, pairs in (("train", self.task.train), ("test", self.task.test)):
            yield Columns(_pair(f"{part}[{i}]", pair, paint) for i, pair in enumerate(pairs))


def _painter(task: Task, console: Console, width: int) -> Painter:
    if 2 * max(map(_cells_across, task.samples), default=0) + EXTRA <= width:
        return _wide
    return _digits if console.no_color or console.color_system is None else _half_blocks


def _cells_across(pair: Pair) -> int:
    return sum(max(map(len, grid), default=0) for grid in (pair.input, pair.output or ()))


def _pair(label: str, pair: Pair, paint: Painter) -> Group:
    table = Table.grid()
    for _ in range(3):
        table.add_column(vertical="middle")
    table.add_row(_grid(pair.input, paint), " → ", _grid(pair.output, paint))
    return Group(Text(label, style="dim"), table)


def _grid(grid: Grid | None, paint: Painter) -> Panel:
    return Panel.fit(Text("?") if grid is None else paint(grid), box=SQUARE, padding=0, border_style="dim")


def _wide(grid: Grid) -> Text:
    return _lines([(f"{cell} ", f"{colour_of(cell)} on {colour_of(cell)}") for cell in row] for row in grid)


def _digits(grid: Grid) -> Text:
    return _lines([(str(cell), "") for cell in row] for row in grid)


def _half_blocks(grid: Grid) -> Text:
    """Two rows in one line: a character shows the upper cell, its background the lower one."""
    pairs = zip_longest(grid[::2], grid[1::2])
    return _lines([_block(*cells) for cells in zip_longest(upper, lower or ())] for upper, lower in pairs)


def _block(upper: int, lower: int | None) -> tuple[str, str]:
    return "▀", colour_of(upper) + ("" if lower is None else f" on {colour_of(lower)}")


def _lines(lines: Iterable[list[tuple[str, str]]]) -> Text:
    return Text("\n", no_wrap=True).join(Text.assemble(*line) for line in lines)
