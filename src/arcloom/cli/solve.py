"""The command ``solve``, which searches for programs that solve tasks."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arcloom.cli.app import Data, Device, Json, MaxSide, Strict, app, loaded, stop
from arcloom.engine.devices import DEFAULT_DEVICE
from arcloom.interrupt import INTERRUPTED
from arcloom.tasks.task import SIDE_MAX, Dataset

if TYPE_CHECKING:
    from arcloom.cluster.solve import Solved

EVALUATION = "arcagi:evaluation"

began: float | None = None
"""The value of ``time.monotonic`` at the start of the process, if it was started as a command. Budgets count from
it."""

Budget = Annotated[
    str | None,
    typer.Option(metavar="TIME", help="Search time, without compiling kernels: 90s, 10m, 2h.  [default: 2m]"),
]
Generations = Annotated[
    int | None,
    typer.Option(
        min=1, metavar="N", help="Stop after N generations per task. Without --budget, there is no time limit."
    ),
]
Workers = Annotated[int | None, typer.Option(metavar="N", help="Number of worker processes.  [default: one per core]")]
Library = Annotated[
    list[Path] | None,
    typer.Option(metavar="PATH", help="Additional programs: a file or a .sqlite library; may be repeated."),
]
Differs = Annotated[list[Path] | None, typer.Option(metavar="FILE", help="Additional differs; may be repeated.")]
Seed = Annotated[int, typer.Option(help="Seed of all random choices.")]
Trace = Annotated[Path | None, typer.Option(metavar="FILE", help="Write a Chrome trace of the workers.")]


@app.command()
def solve(
    data: Data = EVALUATION,
    budget: Budget = None,
    generations: Generations = None,
    workers: Workers = None,
    cluster: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Use a Ray cluster: its address, or auto for that of this machine."),
    ] = None,
    shard: Annotated[
        str | None, typer.Option(metavar="K/N", help="Solve only the K-th of N parts of the tasks.")
    ] = None,
    memory: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="Memory for all processes: 8GB.  [default: 80 % of the machine's]"),
    ] = None,
    library: Library = None,
    differs: Differs = None,
    device: Device = DEFAULT_DEVICE,
    seed: Seed = 0,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for submission.json and library.sqlite.")] = Path(),
    resume: Annotated[bool, typer.Option("--resume", help="Continue the last run in that folder.")] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Begin a new run in a folder with answers of an earlier one.")
    ] = False,
    hide_own: Annotated[
        bool, typer.Option("--hide-own", help="Hide the program that was written for a task from that task.")
    ] = False,
    strict: Strict = False,
    max_side: MaxSide = SIDE_MAX,
    profile: Annotated[bool, typer.Option("--profile", help="Show a time profile with kernels.")] = False,
    trace: Trace = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
    as_json: Json = False,
) -> None:
    """Search for programs that solve tasks, and write submission.json.

    The file has two attempts for every test input of every task; these are guesses if no program is found. It is
    written during the search and at the end. Ctrl-C ends the search early; the file is still written (exit code 130).
    If the data contains test outputs, the score is printed; the search does not use them. If the folder has answers of
    an earlier run, --resume continues that run and keeps its answers, and --overwrite begins a new one.

    \b
    Examples:
      arcloom solve
      arcloom solve --data arcagi2:evaluation --budget 10m --out results
      arcloom solve --data arc-agi_test_challenges.json --library mine.py --profile
      arcloom solve --data tasks/ --generations 20 --seed 1 --workers 4 --json
      arcloom solve --budget 2h --out results --resume
      arcloom solve --budget 1h --shard 3/16 --out part3
      arcloom solve --budget 1h --cluster auto
    """
    from arcloom.cli import output, solved

    found = searched(
        loaded(data, strict=strict, max_side=max_side),
        budget,
        quiet=quiet or as_json,
        generations=generations,
        workers=workers,
        cluster=cluster,
        shard=shard,
        memory=memory,
        library=library or (),
        differs=differs or (),
        device=device,
        seed=seed,
        out=out,
        resume=resume,
        overwrite=overwrite,
        hide_own=hide_own,
        kernels=profile or as_json,
        events=trace is not None,
    )
    if trace is not None:
        write_trace(trace, found)
    output.show(solved.as_json(found) if as_json else solved.as_text(found, profile=profile))
    raise typer.Exit(INTERRUPTED if found.stopped else 0)


def searched(
    data: Dataset,
    budget: str | None,
    *,
    quiet: bool,
    shard: str | None = None,
    memory: str | None = None,
    **options: Any,
) -> "Solved":
    """Run a search and show its progress. The first Ctrl-C ends it early, with its results."""
    from arcloom.cli.live import display, ended_by_signals
    from arcloom.cluster import solve as solving
    from arcloom.engine.compile.errors import CompileError
    from arcloom.search.loop.differs import DifferError

    settings = (solving.BudgetError, solving.SettingsError, solving.MemoryLimitError)
    errors = (*settings, solving.ClusterError, DifferError, CompileError)
    try:
        options["shard"] = None if shard is None else solving.Shard.of(shard)
        options["memory"] = None if memory is None else solving.bytes_of(memory)
        with display(data.name, quiet=quiet) as live, ended_by_signals() as stopper:
            return solving.solve(
                data, budget, watch=live, report=live.report, stopper=stopper, started=began, **options
            )
    except errors as error:
        raise stop(str(error), 2) from None


def write_trace(path: Path, found: "Solved") -> None:
    """Write the events of all workers as a Chrome trace."""
    from arcloom.stopwatch import write_trace

    write_trace(path, {f"worker {number}": events for number, events in sorted(found.events.items())})
