"""Tasks and grids in the terminal, as large as they fit: cells two columns wide, or else half a line high.

A wide cell holds its digit in its own colour: that shows where there are no colours, and when copied.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from rich.box import SQUARE
from rich.columns import Columns
from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from arcloom.tasks.picture import PAPER, colour_of
from arcloom.tasks.task import Grid, Pair, Task, shape

Painter = Callable[[Grid], Text]

EXTRA = 7
"""The columns that a pair takes besides its cells: two frames and the arrow."""

THUMBNAIL = 12
"""Maximum side of a thumbnail, in cells."""

FRAME = 2
"""The columns that the frame of a grid takes."""

DARK, PALE = "#000000", frozenset({3, 4, 5, 7, 8})
"""The colour of digits on the pale colours of ARC; on the others they are white."""


@dataclass(frozen=True)
class TaskView:
    """What rich prints for a task."""

    task: Task

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        paint = _painter(self.task, console, options.max_width)
        yield Text(self.task.id, style="bold")
        for part, pairs in (("train", self.task.train), ("test", self.task.test)):
            yield Columns(_pair(f"{part}[{i}]", pair, paint) for i, pair in enumerate(pairs))


@dataclass(frozen=True)
class GridsView:
    """Grids side by side, each below its title, as rich prints them. An unknown grid is a question mark."""

    grids: Sequence[tuple[str, Grid | None]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Columns(_titled(self.grids, console, options.max_width))


@dataclass(frozen=True)
class ThumbnailsView:
    """Small pictures of grids, each above its two lines of text: as many of the first as fit side by side."""

    grids: Sequence[tuple[str, str, Grid | None]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        paint = _fitting(False, console)
        shown = Table.grid(padding=(0, 2))
        left = options.max_width
        cells: list[Group] = []
        for title, about, grid in self.grids:
            small = thumbnail(grid or ())
            left -= 2 + max(_width(small), len(title), len(about))
            if left >= 0:
                cells.append(Group(paint(small), Text(title), Text(about, style="dim")))
        for _ in cells:
            shown.add_column(vertical="bottom")
        shown.add_row(*cells)
        yield shown


def thumbnail(grid: Grid) -> Grid:
    """The grid with rows and columns left out evenly, so that no side is longer than THUMBNAIL."""
    step = -(-max(len(grid), _width(grid)) // THUMBNAIL) or 1
    return tuple(row[::step] for row in grid[::step])


@dataclass(frozen=True)
class DifferenceView:
    """An input, the output of a program, the expected output, and the cells in which the two differ.

    The differing cells are shown as expected, all others as a dot. Grids of different sizes have no such picture.
    """

    given: Grid
    output: Grid | None
    expected: Grid | None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        grids = [("input", self.given), ("output", self.output), ("expected", self.expected)]
        shown = _titled(grids, console, options.max_width)
        if self.output is not None and self.expected is not None and shape(self.output) == shape(self.expected):
            shown.append(_below("difference", _framed(_difference(self.output, self.expected))))
        yield Columns(shown)


def _titled(grids: Sequence[tuple[str, Grid | None]], console: Console, width: int) -> list[Group]:
    """Each grid below its title, all with cells of the same size."""
    across = max((_width(grid) for _, grid in grids), default=0)
    paint = _fitting(2 * across + FRAME <= width, console)
    return [_below(title, _grid(grid, paint)) for title, grid in grids]


def _below(title: str, panel: Panel) -> Group:
    return Group(Text(title, style="dim"), panel)


def _difference(output: Grid, expected: Grid) -> Text:
    return _lines([_mark(*cells) for cells in zip(*rows, strict=True)] for rows in zip(output, expected, strict=True))


def _mark(output: int, expected: int) -> tuple[str, str]:
    if output == expected:
        return "· ", "dim"
    return f"{expected} ", f"bold {DARK if expected in PALE else PAPER} on {colour_of(expected)}"


def _painter(task: Task, console: Console, width: int) -> Painter:
    return _fitting(2 * max(map(_cells_across, task.samples), default=0) + EXTRA <= width, console)


def _fitting(fits: bool, console: Console) -> Painter:
    """Wide cells where they fit, else small ones; digits where there are no colours."""
    if fits:
        return _wide
    return _digits if console.no_color or console.color_system is None else _half_blocks


def _width(grid: Grid | None) -> int:
    return max(map(len, grid), default=0) if grid else 0


def _cells_across(pair: Pair) -> int:
    return _width(pair.input) + _width(pair.output)


def _pair(label: str, pair: Pair, paint: Painter) -> Group:
    table = Table.grid()
    for _ in range(3):
        table.add_column(vertical="middle")
    table.add_row(_grid(pair.input, paint), " → ", _grid(pair.output, paint))
    return Group(Text(label, style="dim"), table)


def _grid(grid: Grid | None, paint: Painter) -> Panel:
    return _framed(Text("?") if grid is None else paint(grid))


def _framed(text: Text) -> Panel:
    return Panel.fit(text, box=SQUARE, padding=0, border_style="dim")


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
