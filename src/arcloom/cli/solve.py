"""The command that searches."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import arcloom
from arcloom.cli.app import DEFAULT_DEVICE, INTERRUPTED, TRAINING, Data, Device, Json, app, stop

if TYPE_CHECKING:
    from arcloom.program.term import Program
    from arcloom.search.solve import Search

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
        list[Path] | None, typer.Option(metavar="FILE.py", help="More programs to begin with; may be repeated.")
    ] = None,
    differs: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="More differs to score with; may be repeated.")
    ] = None,
    device: Device = DEFAULT_DEVICE,
    seed: Annotated[int, typer.Option(help="Which random choices are made.")] = 0,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where submission.json goes.")] = Path(),
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
    """
    from arcloom.cli import output, solved
    from arcloom.cli.live import Live, ended_by_signals, is_hidden
    from arcloom.search import submission

    search = _search(data, _seconds(budget, generations), generations, library, differs, device, seed, out)
    with Live(search.settings.seconds, hidden=is_hidden(as_json)) as live, ended_by_signals(search.stop):
        outcome = search.run(live)
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


def _search(
    data: str,
    seconds: float | None,
    generations: int | None,
    library: list[Path] | None,
    more_differs: list[Path] | None,
    device: str,
    seed: int,
    out: Path,
) -> "Search":
    from arcloom.engine.run import DEVICES, DeviceError
    from arcloom.library import bundled
    from arcloom.search.differs import DifferError
    from arcloom.search.differs import bundled as bundled_differs
    from arcloom.search.differs import read as read_differs
    from arcloom.search.explored import Explored
    from arcloom.search.generalise import variants
    from arcloom.search.solve import Search, Settings
    from arcloom.stopwatch import Stopwatch

    if device not in DEVICES:
        raise DeviceError(f"there is no device {device!r}; devices are {', '.join(DEVICES)}")
    out.mkdir(parents=True, exist_ok=True)
    settings = Settings(seconds, generations, seed, device)
    stopwatch = Stopwatch()
    with stopwatch.section("loading"):
        dataset = arcloom.load(data)
        programs = _distinct([*bundled(), *(program for file in library or () for program in arcloom.parse_file(file))])
        try:
            scoring = [*bundled_differs(), *(program for file in more_differs or () for program in read_differs(file))]
        except DifferError as error:
            raise stop(str(error), 2) from None
        more = variants(programs, arcloom.load(TRAINING), device)
        explored = Explored()
    return Search(dataset, settings, programs, more, scoring, [explored], stopwatch=stopwatch, out=out)


def _distinct(programs: "list[Program]") -> "list[Program]":
    """Each program once. Of two for one task, both stay: a name does not make a program."""
    return list(dict.fromkeys(programs))
