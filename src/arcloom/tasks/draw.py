"""Drawing tasks, in the terminal and to files."""

from pathlib import Path
from typing import TYPE_CHECKING

from arcloom.tasks.picture import png, svg, task_picture
from arcloom.tasks.task import DataError, Task

if TYPE_CHECKING:
    from rich.console import RenderableType

SUFFIXES = (".svg", ".png")
"""The kinds of files that a task can be drawn to."""


def draw_task(task: Task, *, answers: bool = True) -> "RenderableType":
    """What rich prints for a task: its train, then its test pairs, input -> output, "?" for unknown outputs.

    Without answers the test outputs are drawn as unknown.
    """
    from arcloom.tasks.terminal import TaskView

    return TaskView(task if answers else task.without_answers())


def save_task(task: Task, path: str | Path, *, answers: bool = True) -> None:
    """Draw a task to a file: SVG or PNG, as the suffix says. Any other suffix is a DataError."""
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise DataError(f"{path}: unknown kind of picture {suffix!r}; accepted are {', '.join(SUFFIXES)}")
    picture = task_picture(task if answers else task.without_answers())
    path.write_bytes(svg(picture, task.id) if suffix == ".svg" else png(picture))
