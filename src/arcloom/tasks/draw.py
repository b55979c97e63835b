"""Drawing tasks, in the terminal and to files."""

from pathlib import Path
from typing import TYPE_CHECKING

from arcloom.files import write_atomically
from arcloom.tasks.lettering import lettered
from arcloom.tasks.picture import (
    ARROW,
    GAP,
    LETTER,
    LINE,
    Box,
    Picture,
    beside,
    framed,
    labelled,
    png,
    sign,
    stacked,
    svg,
)
from arcloom.tasks.task import DataError, Pair, Task

if TYPE_CHECKING:
    from rich.console import RenderableType

SUFFIXES = (".svg", ".png")
"""Suffixes of the file formats that a task can be drawn to."""


def draw_task(task: Task, *, answers: bool = True) -> "RenderableType":
    """A task as a rich renderable: train pairs, then test pairs, as input -> output. Unknown outputs are a "?".

    Without ``answers`` the test outputs are drawn as unknown.
    """
    from arcloom.tasks.terminal import TaskRenderable

    return TaskRenderable(task if answers else task.without_answers())


def save_task(task: Task, path: str | Path, *, answers: bool = True) -> None:
    """Draw a task to an SVG or PNG file, depending on the suffix. Raises DataError for any other suffix."""
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise DataError(f"{path}: unknown kind of picture {suffix!r}; accepted are {', '.join(SUFFIXES)}")
    picture = task_picture(task if answers else task.without_answers())
    write_atomically(path, svg(picture, task.id) if suffix == ".svg" else png(picture))


def task_picture(task: Task) -> Picture:
    """A picture of a task: its id, then each pair in a row as input -> output, with a line before the test pairs.

    Each grid has a label above it, such as "train[0] input 3x4".
    """
    rows = [_pair(task.label(i), pair) for i, pair in enumerate(task.samples)]
    widths = [max(cell.width for cell in column) for column in zip(*rows, strict=True)]
    lines = [beside(row, widths) for row in rows]
    if task.train and task.test:
        lines.insert(len(task.train), Picture((Box(0, 0, sum(widths) + 2 * GAP, 2, LINE),)))
    return framed(stacked([sign(lettered(task.id), 2 * LETTER), *lines]))


def _pair(label: str, pair: Pair) -> tuple[Picture, Picture, Picture]:
    given = labelled(f"{label} input", pair.input)
    return given, sign(ARROW), labelled(f"{label} output", pair.output)
