"""Drawing tasks and grids in the terminal, as large as they fit: cells are two columns wide, or else half a line high.

A wide cell contains its digit in the same colour, so that it can be read without colours and when it is copied.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

from rich.box import SQUARE
from rich.columns import Columns
from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from arcloom.tasks.picture import colour_of
from arcloom.tasks.task import Grid, Pair, Task, shape

EXTRA = 7
"""Number of columns of a pair besides its cells: two frames and the arrow."""

THUMBNAIL = 12
"""Maximum side of a thumbnail, in cells."""

FRAME = 2
"""Number of columns of the frame of a grid."""


class Dot(NamedTuple):
    """A cell to draw: its label and its colour, None for a faint cell. The label of a marked cell is visible."""

    label: str
    colour: str | None = None
    marked: bool = False


Dots = Sequence[Sequence[Dot]]
Painter = Callable[[Dots], Text]

FAINT = Dot("·")


def grid_dots(grid: Grid) -> Dots:
    """The cells of a grid."""
    return [[Dot(str(cell), colour_of(cell)) for cell in row] for row in grid]


def difference_dots(output: Grid, expected: Grid) -> Dots:
    """The cells of the expected grid: marked where the output differs, otherwise faint."""
    found = {(i, j): cell for i, row in enumerate(output) for j, cell in enumerate(row)}
    return [
        [FAINT if found.get((i, j)) == cell else Dot(str(cell), colour_of(cell), True) for j, cell in enumerate(row)]
        for i, row in enumerate(expected)
    ]


def cells_dots(cells: Iterable[tuple[int, int, int | None]], height: int = 0, width: int = 0) -> Dots:
    """Cells at their positions, in an area of this size from (0, 0) that is extended to include all cells.

    The colour of a cell that is only a position is None.
    """
    known = {(i, j): colour for i, j, colour in cells}
    rows = _extent([i for i, _ in known], height)
    columns = _extent([j for _, j in known], width)
    return [[_cell_dot(known[i, j]) if (i, j) in known else FAINT for j in columns] for i in rows]


def _extent(numbers: Sequence[int], size: int) -> range:
    if size:
        return range(min([0, *numbers]), max([size, *(number + 1 for number in numbers)]))
    return range(min(numbers, default=0), max(numbers, default=-1) + 1)


def _cell_dot(colour: int | None) -> Dot:
    return Dot("#", "#FFFFFF") if colour is None else Dot(str(colour), colour_of(colour))


def painter(console: Console, columns: int, width: int) -> Painter:
    """The painter with the largest cells of which ``columns`` fit into ``width``."""
    if 2 * columns <= width:
        return _wide
    return _digits if console.no_color or console.color_system is None else _half_blocks


@dataclass(frozen=True)
class TaskRenderable:
    """A task as a rich renderable."""

    task: Task

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        across = max(map(_cells_across, self.task.samples), default=0)
        paint = painter(console, across, options.max_width - EXTRA)
        yield Text(self.task.id, style="bold")
        for part, pairs in (("train", self.task.train), ("test", self.task.test)):
            yield Columns(_pair(f"{part}[{i}]", pair, paint) for i, pair in enumerate(pairs))


@dataclass(frozen=True)
class GridsRenderable:
    """Grids side by side, each below its title, as a rich renderable. An unknown grid is a question mark."""

    grids: Sequence[tuple[str, Grid | None]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Columns(_titled(self.grids, console, options.max_width))


@dataclass(frozen=True)
class ThumbnailsView:
    """Thumbnails of grids, each above two lines of text. Only the first ones that fit side by side are shown."""

    grids: Sequence[tuple[str, str, Grid | None]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        paint = painter(console, columns=1, width=0)
        shown = Table.grid(padding=(0, 2))
        left = options.max_width
        cells: list[Group] = []
        for title, about, grid in self.grids:
            small = thumbnail(grid or ())
            left -= 2 + max(_width(small), len(title), len(about))
            if left >= 0:
                cells.append(Group(paint(grid_dots(small)), Text(title), Text(about, style="dim")))
        for _ in cells:
            shown.add_column(vertical="bottom")
        shown.add_row(*cells)
        yield shown


def thumbnail(grid: Grid) -> Grid:
    """The grid downsampled evenly, so that no side is longer than THUMBNAIL."""
    step = -(-max(len(grid), _width(grid)) // THUMBNAIL) or 1
    return tuple(row[::step] for row in grid[::step])


@dataclass(frozen=True)
class DifferenceView:
    """An input, the output of a program, the expected output, and the cells in which the two differ.

    Differing cells are shown with the expected colour, all others as a dot. Grids of different sizes have no
    difference.
    """

    given: Grid
    output: Grid | None
    expected: Grid | None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        grids = [("input", self.given), ("output", self.output), ("expected", self.expected)]
        shown = _titled(grids, console, options.max_width)
        if self.output is not None and self.expected is not None and shape(self.output) == shape(self.expected):
            shown.append(_below("difference", framed(_wide(difference_dots(self.output, self.expected)))))
        yield Columns(shown)


def _titled(grids: Sequence[tuple[str, Grid | None]], console: Console, width: int) -> list[Group]:
    """Each grid below its title, all with cells of the same size."""
    across = max((_width(grid) for _, grid in grids), default=0)
    paint = painter(console, across, width - FRAME)
    return [_below(title, _grid(grid, paint)) for title, grid in grids]


def _below(title: str, panel: Panel) -> Group:
    return Group(Text(title, style="dim"), panel)


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
    return framed(Text("?") if grid is None else paint(grid_dots(grid)))


def framed(content: Text, style: str = "dim") -> Panel:
    """A frame around a drawing."""
    return Panel.fit(content, box=SQUARE, padding=0, border_style=style)


def _wide(dots: Dots) -> Text:
    return _lines([(f"{dot.label} ", _wide_style(dot)) for dot in row] for row in dots)


def _wide_style(dot: Dot) -> str:
    if dot.colour is None:
        return "dim"
    return f"bold {_contrast(dot.colour)} on {dot.colour}" if dot.marked else f"{dot.colour} on {dot.colour}"


def _contrast(colour: str) -> str:
    """The text colour on a background colour: black or white."""
    red, green, blue = bytes.fromhex(colour[1:])
    return "#000000" if 0.3 * red + 0.6 * green + 0.1 * blue > 110 else "#FFFFFF"


def _digits(dots: Dots) -> Text:
    return _lines([(dot.label, "") for dot in row] for row in dots)


def _half_blocks(dots: Dots) -> Text:
    """Two rows of cells per line: the colour of a half-block character is the upper cell, its background the lower."""
    pairs = zip_longest(dots[::2], dots[1::2])
    return _lines([_block(*cells) for cells in zip_longest(upper, lower or ())] for upper, lower in pairs)


def _block(upper: Dot, lower: Dot | None) -> tuple[str, str]:
    """The character and style for two cells, each of which may be faint."""
    below = None if lower is None else lower.colour
    if upper.colour is None:
        return ("·", "dim") if below is None else ("▄", below)
    return "▀", upper.colour + ("" if below is None else f" on {below}")


def _lines(lines: Iterable[list[tuple[str, str]]]) -> Text:
    return Text("\n", no_wrap=True).join(Text.assemble(*line) for line in lines)
