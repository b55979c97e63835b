"""The command that says where the time of a search goes."""

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from arcloom.cli.app import INTERRUPTED, Data, Device, Json, app
from arcloom.cli.solve import (
    EVALUATION,
    Differs,
    Generations,
    Library,
    Seed,
    Trace,
    compile_first,
    searched,
    seconds_of,
)

BUDGET = "20s"


@app.command()
def profile(
    data: Data = EVALUATION,
    budget: Annotated[
        str | None, typer.Option(metavar="TIME", help=f"How long, beside compiling: 30s, 2m.  [default: {BUDGET}]")
    ] = None,
    generations: Generations = None,
    library: Library = None,
    differs: Differs = None,
    device: Device = "auto",
    seed: Seed = 0,
    every: Annotated[bool, typer.Option("--all", help="Show all kernels, not only those that took longest.")] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Keep what is found there.  [default: it is thrown away]")
    ] = None,
    trace: Trace = None,
    as_json: Json = False,
) -> None:
    """Search for a short time, and say what share of it went where.

    The sections follow one another and add up to all the time there was, from the start of the command. Kernels run
    within sections, on several threads at once: a kernel's share is its part of the time on the wall, and its
    nanoseconds a row are those of one thread. With CUDA devices, kernels are timed only where they run on the CPU.

    \b
    Examples:
      arcloom profile
      arcloom profile --data arcagi:training --budget 1m --all
      arcloom profile --data tasks/ --generations 5 --json
      arcloom profile --trace trace.json
    """
    seconds = seconds_of(budget, generations, BUDGET)
    compile_first(device)
    from arcloom.search.profile import Profiler

    profiler = Profiler()
    with profiler.stopwatch.section("starting"):
        from arcloom.cli import output, profiled
        from arcloom.search.session import Options
        from arcloom.search.solve import Settings
    settings = Settings(seconds, generations, seed, device)
    with ExitStack() as opened:
        folder = out or Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="arcloom-")))
        options = Options(data, settings, folder, library or (), differs or ())
        search, outcome = searched(options, profiler, quiet=as_json)
        if trace is not None:
            profiler.stopwatch.write_trace(trace)
        found = profiler.profile()
    shown = None if every else profiled.SHOWN
    output.show(
        profiled.as_json(search, outcome, found) if as_json else profiled.as_text(search, outcome, found, shown)
    )
    raise typer.Exit(INTERRUPTED if outcome.stopped else 0)
