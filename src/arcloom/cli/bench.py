"""The commands ``bench``, which measures speed, and ``warm``, which compiles kernels ahead of time."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arcloom.cli.app import Data, Json, app, stop

if TYPE_CHECKING:
    from arcloom.bench.benchmark import BenchProgress


@app.command()
def bench(
    file: Annotated[str, typer.Argument(metavar="FILE.py", help="The programs.")],
    data: Data,
    against: Annotated[str, typer.Option(metavar="DIR", help="An arc-dsl checkout to measure against.")],
    runs: Annotated[int, typer.Option(min=1, help="Number of random runs that measure the time of the peer.")] = 3600,
    seed: Annotated[int, typer.Option(help="Seed of the choice of random runs.")] = 0,
    as_json: Json = False,
) -> None:
    """Measure speed and memory against an arc-dsl checkout.

    The checkout's solvers run unchanged, in a process of their own, on the same inputs. Results are compared first.
    A ratio is the peer's time on one core divided by ours, with compiled kernels; compile time is listed separately.

    \b
    Examples:
      arcloom bench arc-dsl/solvers.py --data arcagi:training --against arc-dsl
      arcloom bench solvers.py --data tasks/ --against arc-dsl --runs 10000 --json
    """
    from arcloom.bench import BenchError, bench
    from arcloom.bench.report_tables import as_json as report_json
    from arcloom.bench.report_tables import as_text
    from arcloom.cli import output

    try:
        with _progress(quiet=as_json) as told:
            report = bench(file, data, against, runs=runs, seed=seed, progress=told)
    except BenchError as error:
        raise stop(str(error), 2) from None
    output.show(report_json(report) if as_json else as_text(report))


@app.command()
def warm(as_json: Json = False) -> None:
    """Compile all kernels ahead of time.

    They are stored in $ARCLOOM_CACHE, or in the user's cache folder, and used until arcloom changes.

    \b
    Examples:
      arcloom warm
      arcloom warm --json
    """
    from arcloom.cli import output
    from arcloom.engine.compile.folders import cache_folder
    from arcloom.engine.warm import all_kernels, ensure

    start = time.perf_counter()
    compiled = ensure()
    done: dict[str, Any] = {
        "compiled": compiled,
        "kernels": len(all_kernels()),
        "cache": str(cache_folder()),
        "seconds": round(time.perf_counter() - start, 3),
    }
    text = "compiled {compiled} of {kernels} kernels into {cache} ({seconds:.1f} s)".format(**done)
    output.show(done if as_json else text)


@contextmanager
def _progress(*, quiet: bool) -> "Iterator[BenchProgress]":
    """Show the progress of a measurement, and of compiling kernels for it, on a terminal."""
    from arcloom.cli.watch import bar
    from arcloom.engine.compile.progress import report_to

    hidden = quiet or not sys.stderr.isatty()
    with bar(hidden=hidden) as shown:
        task = shown.add_task("starting", total=None)

        def told(what: str, done: int, total: int) -> None:
            shown.update(task, description=what, completed=done, total=total)

        if not hidden:
            report_to(lambda progress: told(progress.text, progress.done, progress.total))
        try:
            yield told
        finally:
            report_to(None)
