"""The command that shows every line of a program on every sample of a task."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arcloom.cli import complete
from arcloom.cli.app import Device, Json, OptionalData, app, stop
from arcloom.cli.show import found_task
from arcloom.engine.devices import DEFAULT_DEVICE
from arcloom.program.build import SOLVER
from arcloom.program.parse import ParseError, read
from arcloom.program.term import Program
from arcloom.program.texts import as_solver
from arcloom.tasks.task import Task, suggestion

if TYPE_CHECKING:
    from arcloom.report.trace import Trace


@app.command()
def trace(
    file: Annotated[Path, typer.Argument(metavar="FILE.py", help="The programs.")],
    task: Annotated[
        str | None,
        typer.Argument(
            metavar="[TASK]",
            help="The id of a task, or a file with one.  [default: the id in the program's name]",
            autocompletion=complete.tasks,
        ),
    ] = None,
    data: OptionalData = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="The program to trace.  [default: solve_<TASK>]")
    ] = None,
    sample: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Show only this sample, such as train[0]; may be repeated.")
    ] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page for the browser instead.")] = None,
    device: Device = DEFAULT_DEVICE,
    as_json: Json = False,
) -> None:
    """Show the value of every line of a program on every sample of a task.

    Grids are drawn as grids, objects and positions in their places, functions by name, and failures with their reason.
    Where an output is not the expected one, the difference is shown. Exit code: 0 if all known outputs are right, 1 if
    some are not, 2 if something could not be read.

    \b
    Examples:
      arcloom trace mine.py 00d62c1b
      arcloom trace mine.py 00d62c1b --name attempt2 --sample train[0]
      arcloom trace mine.py 00d62c1b --html trace.html
    """
    from arcloom.cli import output
    from arcloom.report.encode import trace_json
    from arcloom.report.page import trace_page
    from arcloom.report.terminal import TraceView
    from arcloom.report.trace import trace_program

    source = file.read_text(encoding="utf-8", errors="replace")
    known = None if task is None else found_task(task, data)
    program = _chosen(file, source, name, None if known is None else known.id)
    chosen = known or found_task(program.name.removeprefix(SOLVER), data)
    found = trace_program(program, chosen, source=source, device=device)
    if html is not None:
        html.write_text(trace_page(chosen, [found]), encoding="utf-8")
        typer.echo(f"wrote {html}")
    elif as_json:
        output.show({"task": chosen.id, **trace_json(found)})
    else:
        output.show(TraceView(found, _samples(chosen, sample)))
    raise typer.Exit(_code(found))


def _code(found: "Trace") -> int:
    return 1 if found.wrong else 0


def _chosen(file: Path, source: str, name: str | None, task: str | None) -> Program:
    """The program with this name; or else the one for this task, or the only one. Other definitions may have errors."""
    entries = {_name(entry): entry for entry in read(source, file=str(file))}
    wanted = name or (None if task is None else SOLVER + task)
    if name is None and wanted not in entries and len(entries) == 1:
        wanted = next(iter(entries))
    if wanted not in entries:
        raise stop(_no_program(file, wanted, list(entries)), 2)
    entry = entries[wanted]
    if isinstance(entry, ParseError):
        raise entry
    return as_solver(entry)


def _name(entry: Program | ParseError) -> str:
    return entry.name if isinstance(entry, Program) else entry.definition


def _no_program(file: Path, wanted: str | None, names: Sequence[str]) -> str:
    if not names:
        return f"{file} has no programs"
    if wanted is None:
        return f"{file} has {len(names)} programs; say which task, or which program with --name"
    return f"{file} has no program {wanted}{suggestion(wanted, names)}; --name chooses another program"


def _samples(task: Task, names: Sequence[str] | None) -> list[int] | None:
    """The positions of samples by their names."""
    from arcloom.report.terminal import sample_names

    known = sample_names(task)
    for name in names or ():
        if name not in known:
            raise stop(f"task {task.id} has no sample {name!r}; its samples are {', '.join(known)}", 2)
    return [known.index(name) for name in names] if names else None
