"""The command ``studio``, which starts the studio."""

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from arcloom.cli.app import LOOPBACK, app, host_name, stop

PORT = 8642


@app.command()
def studio(
    data: Annotated[
        list[str] | None, typer.Option(metavar="SPEC", help="A folder or file of tasks to offer; may be repeated.")
    ] = None,
    run: Annotated[
        Path, typer.Option(metavar="FOLDER", help="The folder of the run to show, and of searches that are started.")
    ] = Path("studio-run"),
    library: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Where programs are saved.  [default: the user's library]")
    ] = None,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="The address to serve.")] = LOOPBACK,
    port: Annotated[int, typer.Option(min=0, max=65535, metavar="N", help="The port; 0 for any free port.")] = PORT,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Write programs in the browser, with the value of every line drawn.

    The studio shows the value of every line on every sample while you type, draws tasks, saves programs to the library,
    and starts, shows and stops searches. Programs are parsed, never executed as Python. By default only this machine
    can reach it; with another --host, clients need the token in the printed address.

    \\b
    Examples:
      arcloom studio
      arcloom studio --data tasks/ --run results --open
    """
    from arcloom.cli.language import catalogue
    from arcloom.studio.search import Search
    from arcloom.studio.server import Server, Studio
    from arcloom.studio.workbench import Workbench

    search, workbench = Search(run), Workbench(catalogue(), data or (), library)
    for name in data or ():
        workbench.dataset(name)
    try:
        server = Server(Studio(workbench, search), host_name(host), port)
    except OSError as error:
        raise stop(
            f"{host}:{port} cannot be served ({error.strerror}); choose another with --host or --port", 2
        ) from None
    typer.echo(f"arcloom studio: {server.address} (Ctrl-C ends it)")
    if open_browser:
        webbrowser.open(server.address)
    with server:
        try:
            server.serve_forever()
        finally:
            search.close()
