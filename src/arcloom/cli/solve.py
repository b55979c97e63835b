"""The command that searches."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arcloom.cli.app import INTERRUPTED, Data, Device, Json, app, stop

if TYPE_CHECKING:
    from arcloom.search.profile import Profiler
    from arcloom.search.session import Options
    from arcloom.search.solve import Outcome, Search

EVALUATION = "arcagi:evaluation"
BUDGET = "2m"

Generations = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="Stop after N generations; without --budget, only then.")
]
Library = Annotated[
    list[Path] | None,
    typer.Option(metavar="PATH", help="More programs to begin with, a file or a .sqlite library; may be repeated."),
]
Differs = Annotated[
    list[Path] | None, typer.Option(metavar="FILE", help="More differs to score with; may be repeated.")
]
Seed = Annotated[int, typer.Option(help="Which random choices are made.")]
Trace = Annotated[Path | None, typer.Option(metavar="FILE", help="Write a Chrome trace of where the time went.")]


@app.command()
def solve(
    data: Data = EVALUATION,
    budget: Annotated[
        str | None,
        typer.Option(metavar="TIME", help=f"How long, beside compiling: 90s, 10m, 2h.  [default: {BUDGET}]"),
    ] = None,
    generations: Generations = None,
    library: Library = None,
    differs: Differs = None,
    device: Device = "auto",
    seed: Seed = 0,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Where submission.json and what is found (library.sqlite) go.")
    ] = Path(),
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the last run in that folder.")] = False,
    profile: Annotated[bool, typer.Option("--profile", help="Say where the time went, kernel by kernel.")] = False,
    trace: Trace = None,
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
    seconds = seconds_of(budget, generations, BUDGET)
    compile_first(device)
    from arcloom.search.profile import Profiler

    profiler = Profiler()
    with profiler.stopwatch.section("starting"):
        from arcloom.cli import output, solved
        from arcloom.search import submission
        from arcloom.search.session import Options
        from arcloom.search.solve import Settings
    settings = Settings(seconds, generations, seed, device)
    options = Options(data, settings, out, library or (), differs or (), resume)
    search, outcome = searched(options, profiler, quiet=as_json, kernels=profile)
    if trace is not None:
        profiler.stopwatch.write_trace(trace)
    score = submission.score(outcome.answers, search.dataset)
    found = profiler.profile() if profile or as_json else None
    output.show(
        solved.as_json(search, outcome, score, found) if as_json else solved.as_text(search, outcome, score, found)
    )
    raise typer.Exit(INTERRUPTED if outcome.stopped else 0)


def compile_first(device: str) -> None:
    """Compile what a search on a device needs. The search's clock starts after this."""
    if device != "reference":
        from arcloom.engine.warm import ensure

        ensure()


def searched(
    options: "Options", profiler: "Profiler", *, quiet: bool, kernels: bool = True
) -> "tuple[Search, Outcome]":
    """Run a search that shows how far it is, and ends in good order when somebody asks for that, however early.

    With ``kernels``, the profiler notes what each of them takes.
    """
    from arcloom.cli.live import Live, ended_by_signals, is_hidden
    from arcloom.search.differs import DifferError
    from arcloom.search.session import session
    from arcloom.search.validate import ValidationError

    stopwatch = profiler.stopwatch
    with ExitStack() as opened:
        live = opened.enter_context(Live(options.settings.seconds, hidden=is_hidden(quiet)))
        ending = opened.enter_context(ended_by_signals())
        if kernels:
            opened.enter_context(profiler.noting())
        try:
            search = opened.enter_context(session(options, stopwatch))
            ending.calls(search.stop)
            outcome = search.run(live)
        except (DifferError, ValidationError) as error:
            raise stop(str(error), 2) from None
        with stopwatch.section("closing"):
            opened.close()
    return search, outcome


def seconds_of(budget: str | None, generations: int | None, default: str) -> float | None:
    """The seconds of a budget; None for no limit, where only generations are limited."""
    from arcloom.search import solve

    if budget is None and generations is not None:
        return None
    try:
        return solve.seconds_of(budget or default)
    except solve.BudgetError as error:
        raise stop(str(error), 2) from None
