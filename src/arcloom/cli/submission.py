"""The commands ``submission ...``, which merge submission files."""

from pathlib import Path
from typing import Annotated

import typer

from arcloom.cli.app import Json, app
from arcloom.tasks.submissions import Prefer

submission = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
app.add_typer(submission, name="submission")


@submission.callback()
def submission_command() -> None:
    """Submission files: two attempts for each test input of each task.

    \b
    Examples:
      arcloom submission merge part1/submission.json part2/submission.json --into submission.json
      arcloom submission merge new.json old.json --into submission.json --prefer first
    """


@submission.command()
def merge(
    files: Annotated[list[Path], typer.Argument(metavar="FILE.json...", help="The submissions to merge.")],
    into: Annotated[Path, typer.Option(metavar="FILE.json", help="The file to write; replaced if it exists.")],
    prefer: Annotated[
        Prefer | None, typer.Option(help="The answers to use if files differ; without it, that is an error.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Merge submissions with different tasks, such as those of shards, into one.

    Files may have tasks in common. If their answers to a task differ, that is an error; with --prefer first, the
    answers of the first of these files are used.

    \b
    Examples:
      arcloom submission merge part1/submission.json part2/submission.json --into submission.json
      arcloom submission merge new.json old.json --into submission.json --prefer first
    """
    from arcloom.cli import output
    from arcloom.tasks.submissions import merge

    merged = merge(files, into, prefer)
    told = {"submission": str(into), "files": list(map(str, files)), "tasks": len(merged)}
    counts = f"{output.count(len(merged), 'task')} of {output.count(len(files), 'file')}"
    output.show(told if as_json else f"wrote {counts} to {into}")
