"""The command ``report``, which writes a page about a search."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from arcloom.cli.app import Json, OptionalData, app
from arcloom.files import write_atomically

REPORT = "report.html"


@app.command()
def report(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The --out folder of a search, or a library.")],
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help=f"The page to write.  [default: FOLDER/{REPORT}]")
    ] = None,
    data: OptionalData = None,
    run: Annotated[
        int | None, typer.Option(metavar="N", help="The number of a run in the library.  [default: the latest]")
    ] = None,
    programs: Annotated[
        int, typer.Option(min=0, metavar="N", help="Maximum number of programs per task that are shown with traces.")
    ] = 2,
    as_json: Json = False,
) -> None:
    """Write a page about a finished, running or killed search.

    The page shows the tasks with their answers, votes, programs and traces, the sources, and a time profile. It is a
    single file that loads nothing else. With --json, the figures are printed and no page is written.

    \b
    Examples:
      arcloom report results
      arcloom report results --html run.html --programs 4
      arcloom report all/library.sqlite --data arcagi:training
    """
    from arcloom.cli import output
    from arcloom.report.overview import overview
    from arcloom.report.page import report_page
    from arcloom.report.run_data import RunData, latest_run, store_in
    from arcloom.store import Store

    path = store_in(folder)
    with Store.open(path, must_exist=True) as store:
        chosen = RunData(store, latest_run(store, run), data)
        if as_json:
            output.show(overview(chosen))
            return
        target = html or path.with_name(REPORT)
        with Console(stderr=True).status(f"Running the programs of {len(chosen.dataset):,} tasks"):
            text = report_page(chosen, programs)
        write_atomically(target, text)
    typer.echo(f"wrote {target}")
