"""The command ``profile``, which shows a time profile of a search."""

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from arcloom.cli.app import Data, Device, Json, app, loaded
from arcloom.cli.solve import EVALUATION, Differs, Generations, Library, Seed, Trace, Workers, searched, write_trace
from arcloom.engine.devices import DEFAULT_DEVICE
from arcloom.interrupt import INTERRUPTED

BUDGET = "20s"


@app.command()
def profile(
    data: Data = EVALUATION,
    budget: Annotated[
        str | None, typer.Option(metavar="TIME", help=f"Time to search: 30s, 2m.  [default: {BUDGET}]")
    ] = None,
    generations: Generations = None,
    workers: Workers = None,
    library: Library = None,
    differs: Differs = None,
    device: Device = DEFAULT_DEVICE,
    seed: Seed = 0,
    every: Annotated[bool, typer.Option("--all", help="Show all kernels, not only the slowest.")] = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder for submission and library.  [default: none are kept]"),
    ] = None,
    trace: Trace = None,
    as_json: Json = False,
) -> None:
    """Search for a short time, and show a time profile of the workers.

    The sections add up to the time of all workers together, from their start to the end of the search; idle time is
    shown as waiting. Kernels run within sections.

    \b
    Examples:
      arcloom profile
      arcloom profile --data arcagi:training --budget 1m --all
      arcloom profile --data tasks/ --generations 5 --workers 1 --json
      arcloom profile --trace trace.json
    """
    from arcloom.cli import output, profiled

    with ExitStack() as opened:
        folder = out or Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="arcloom-")))
        found = searched(
            loaded(data),
            budget if generations else budget or BUDGET,
            quiet=as_json,
            generations=generations,
            workers=workers,
            library=library or (),
            differs=differs or (),
            device=device,
            seed=seed,
            out=folder,
            kernels=True,
            events=trace is not None,
        )
    if trace is not None:
        write_trace(trace, found)
    shown = None if every else profiled.SHOWN
    output.show(profiled.as_json(found) if as_json else profiled.as_text(found, shown))
    raise typer.Exit(INTERRUPTED if found.stopped else 0)
