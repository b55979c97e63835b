"""The command ``trace``, which shows the values of every line of a program on the samples of a task."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group

from arcloom.cli import complete
from arcloom.cli.app import Device, Json, OptionalData, app, stop
from arcloom.cli.show import found_task
from arcloom.engine.devices import DEFAULT_DEVICE
from arcloom.files import write_atomically
from arcloom.program.build import SOLVER
from arcloom.program.parse import ParseError, read, source_of
from arcloom.program.term import Program
from arcloom.program.texts import as_solver
from arcloom.tasks.task import Task, suggestion

if TYPE_CHECKING:
    from arcloom.report.trace import TraceRequest


@app.command()
def trace(
    file: Annotated[str, typer.Argument(metavar="FILE.py", help="The programs; not with --run.")],
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
    run: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Trace the programs that a search found for TASK instead.")
    ] = None,
    programs: Annotated[int, typer.Option(min=1, metavar="N", help="Maximum number of programs of a run.")] = 1,
    sample: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Show only this sample, such as train[0]; may be repeated.")
    ] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page for the browser instead.")] = None,
    device: Device = DEFAULT_DEVICE,
    as_json: Json = False,
) -> None:
    """Show the value of every line of a program on every sample of a task.

    Grids are drawn, objects and positions are drawn on the input, functions are shown by name, and failures with their
    reason. If an output is wrong, its difference from the expected one is shown. With --run, the programs are the
    solutions that a search found, or its nearest misses. Exit code: 0 if all known outputs are right, 1 if some are
    not, 2 if something cannot be read.

    \b
    Examples:
      arcloom trace mine.py 00d62c1b
      arcloom trace mine.py 00d62c1b --name attempt2 --sample train[0]
      arcloom trace mine.py 00d62c1b --html trace.html
      arcloom trace --run results 00d62c1b
    """
    from arcloom.cli import output
    from arcloom.report.encode import trace_json
    from arcloom.report.page import trace_page
    from arcloom.report.terminal import TraceView
    from arcloom.report.trace import trace_programs

    if run is None:
        requests = [_of_file(Path(file), task, data, name)]
    elif task is None:
        requests = _of_run(run, file, data, programs)
    else:
        raise stop(f"with --run, give only the task: arcloom trace --run {run} {task}", 2)
    traces, chosen = trace_programs(requests, device=device), requests[0].task
    if html is not None:
        write_atomically(html, trace_page(chosen, traces))
        typer.echo(f"wrote {html}")
    elif as_json:
        output.show({"task": chosen.id, "traces": list(map(trace_json, traces))})
    else:
        samples = _samples(chosen, sample)
        output.show(Group(*(TraceView(found, samples) for found in traces)))
    raise typer.Exit(1 if any(found.wrong for found in traces) else 0)


def _of_file(file: Path, task: str | None, data: str | None, name: str | None) -> "TraceRequest":
    from arcloom.report.trace import TraceRequest

    source = source_of(file)
    known = None if task is None else found_task(task, data)
    program = _chosen(file, source, name, None if known is None else known.id)
    return TraceRequest(program, known or found_task(program.name.removeprefix(SOLVER), data), source)


def _of_run(folder: Path, task: str, data: str | None, limit: int) -> list["TraceRequest"]:
    """The solutions that a run found for a task, those with the most weight first, or its nearest misses."""
    from arcloom.report.details import shown_programs
    from arcloom.report.run_data import RunData, latest_run, store_in
    from arcloom.report.trace import TraceRequest
    from arcloom.store import Store

    with Store.open(store_in(folder), must_exist=True) as store:
        chosen = RunData(store, latest_run(store), data)
        result = chosen.results[chosen.dataset.ids.index(chosen.dataset[task].id)]
        found = [TraceRequest(shown.program, shown.task) for shown in shown_programs(chosen, result, limit)]
    if not found:
        raise stop(f"the run in {folder} has no programs for task {task} yet", 2)
    return found


def _chosen(file: Path, source: str, name: str | None, task: str | None) -> Program:
    """The program with this name; without a name, the one for this task, or the only one.

    Other definitions in the file may have errors.
    """
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
    """The positions of the samples with these names."""
    from arcloom.report.terminal import sample_names

    known = sample_names(task)
    for name in names or ():
        if name not in known:
            raise stop(f"task {task.id} has no sample {name!r}; its samples are {', '.join(known)}", 2)
    return [known.index(name) for name in names] if names else None
