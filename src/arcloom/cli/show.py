"""The command ``show``, which draws tasks."""

from pathlib import Path
from typing import Annotated

import typer

from arcloom.cli import complete
from arcloom.cli.app import MaxSide, OptionalData, app, loaded
from arcloom.tasks.load import BUNDLED, bundled
from arcloom.tasks.task import SIDE_MAX, DataError, Task, suggestion


@app.command()
def show(
    task: Annotated[
        str,
        typer.Argument(metavar="TASK", help="The id of a task, or a file with one.", autocompletion=complete.tasks),
    ],
    data: OptionalData = None,
    out: Annotated[str | None, typer.Option(metavar="FILE.svg|png", help="Draw to this file instead.")] = None,
    hide_answers: Annotated[bool, typer.Option("--hide-answers", help="Draw test outputs as unknown.")] = False,
    max_side: MaxSide = SIDE_MAX,
) -> None:
    """Draw a task on the terminal or to a file.

    Without --data, the task is searched in all bundled sets.

    \b
    Examples:
      arcloom show 00d62c1b
      arcloom show tasks/mine.json
      arcloom show mine --data tasks/ --out task.svg --hide-answers
    """
    from arcloom.cli import output
    from arcloom.tasks.draw import draw_task, save_task

    chosen = found_task(task, data, max_side)
    if out is None:
        output.show(draw_task(chosen, answers=not hide_answers))
    else:
        save_task(chosen, out, answers=not hide_answers)
        typer.echo(f"wrote {out}")


def found_task(task: str, data: str | None, max_side: int = SIDE_MAX) -> Task:
    """The task with an id, or the only task in a file. Raises DataError."""
    if data is not None:
        return loaded(data, max_side=max_side)[task]
    if Path(task).is_file():
        return _only(task, max_side)
    tasks = bundled([task])
    if task not in tasks:
        near = suggestion(task, tasks.ids)
        raise DataError(f"no bundled set ({', '.join(BUNDLED)}) has a task {task!r}, and no file has this name{near}")
    return tasks[task]


def _only(file: str, max_side: int) -> Task:
    tasks = loaded(file, max_side=max_side)
    if len(tasks) > 1:
        raise DataError(f"{file} has {len(tasks):,} tasks; choose one, for example {tasks[0].id} --data {file}")
    return tasks[0]
