"""The command that searches."""

from pathlib import Path
from typing import Annotated

import typer

from arcloom.cli.app import INTERRUPTED, Data, Device, Json, app, stop

EVALUATION = "arcagi:evaluation"
BUDGET = "2m"


@app.command()
def solve(
    data: Data = EVALUATION,
    budget: Annotated[str | None, typer.Option(metavar="TIME", help="How long: 90s, 10m, 2h.  [default: 2m]")] = None,
    generations: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Stop after N generations; without --budget, only then.")
    ] = None,
    library: Annotated[
        list[Path] | None,
        typer.Option(metavar="PATH", help="More programs to begin with, a file or a .sqlite library; may be repeated."),
    ] = None,
    differs: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="More differs to score with; may be repeated.")
    ] = None,
    device: Device = "auto",
    seed: Annotated[int, typer.Option(help="Which random choices are made.")] = 0,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Where submission.json and what is found (library.sqlite) go.")
    ] = Path(),
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the last run in that folder.")] = False,
    profile: Annotated[bool, typer.Option("--profile", help="Say where the time went.")] = False,
    trace: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a Chrome trace of where it went.")] = None,
    as_json: Json = False,
) -> None:
    """Search for programs that solve tasks, and write submission.json.

    The file holds two attempts for every test input of every task, the best guess where nothing is found. It is written
    now and then, and at the end. Ctrl-C ends the search early, and the file is written all the same (exit code 130).
    Where the data has the test outputs, the score is printed; they are used for nothing else.

    \b
    Examples:
      arcloom solve
      arcloom solve --data arcagi2:evaluation --budget 10m --out results
      arcloom solve --data arc-agi_test_challenges.json --library mine.py --profile
      arcloom solve --data tasks/ --generations 20 --seed 1 --json
      arcloom solve --budget 2h --out results --resume
    """
    from arcloom.cli import output, solved
    from arcloom.cli.live import Live, ended_by_signals, is_hidden
    from arcloom.search import submission
    from arcloom.search.differs import DifferError
    from arcloom.search.session import Options, session
    from arcloom.search.solve import Settings

    settings = Settings(_seconds(budget, generations), generations, seed, device)
    options = Options(data, settings, out, library or (), differs or (), resume)
    try:
        with (
            session(options) as search,
            Live(settings.seconds, hidden=is_hidden(as_json)) as live,
            ended_by_signals(search.stop),
        ):
            outcome = search.run(live)
    except DifferError as error:
        raise stop(str(error), 2) from None
    if trace is not None:
        search.stopwatch.write_trace(trace)
    score = submission.score(outcome.answers, search.dataset)
    output.show(solved.as_json(search, outcome, score) if as_json else solved.as_text(search, outcome, score, profile))
    raise typer.Exit(INTERRUPTED if outcome.stopped else 0)


def _seconds(budget: str | None, generations: int | None) -> float | None:
    from arcloom.search.solve import BudgetError, seconds_of

    if budget is None and generations is not None:
        return None
    try:
        return seconds_of(budget or BUDGET)
    except BudgetError as error:
        raise stop(str(error), 2) from None
