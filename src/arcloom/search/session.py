"""A search as users run it: from names of data and files to a search with a store, reviews and all sources."""

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from arcloom.engine.devices.find import say_once
from arcloom.engine.launchers import source_digest
from arcloom.library import bundled
from arcloom.program.parse import parse_file
from arcloom.program.term import Program
from arcloom.search import differs
from arcloom.search.explored import Explored
from arcloom.search.generalise import variants
from arcloom.search.induced import Induced
from arcloom.search.keeping import Kept, Reviews, known
from arcloom.search.lessons import lessons
from arcloom.search.solve import Search, Settings
from arcloom.search.validate import Validator
from arcloom.stopwatch import Stopwatch
from arcloom.store import Resumed, Store, installed_versions
from arcloom.tasks import load

STORE = "library.sqlite"
TRAINING = "arcagi:training"
COMMAND = "solve"


@dataclass(frozen=True)
class Options:
    """What to search on and with. ``library`` are program files or stores whose programs are dealt, too."""

    data: str
    settings: Settings
    out: Path
    library: Sequence[Path] = ()
    differs: Sequence[Path] = ()
    resume: bool = False


@contextmanager
def session(options: Options, stopwatch: Stopwatch | None = None) -> Iterator[Search]:
    """A search that keeps what it finds in a store in its folder; with ``resume``, it goes on where the last one ended.

    All that the stopwatch has measured before counts as part of the budget, and so does loading. Raises DataError,
    ParseError, DifferError or StoreError where something cannot be read.
    """
    stopwatch = stopwatch or Stopwatch()
    options.out.mkdir(parents=True, exist_ok=True)
    with ExitStack() as opened:
        with stopwatch.section("loading"):
            dataset = load(options.data)
            programs = _programs(options.library)
            scoring = [*differs.bundled(), *(differ for file in options.differs for differ in differs.read(file))]
            settings = replace(options.settings, device=usable(options.settings.device))
            store = opened.enter_context(Store.open(options.out / STORE))
            resumed = _resumed(store, options) if options.resume else None
            run = store.begin_run(
                COMMAND,
                versions=installed_versions(source_digest()),
                seed=settings.seed,
                settings={"data": options.data, "device": settings.device},
            )
            induced, explored = Induced(), Explored()
            opened.callback(explored.close)
            search = Search(
                dataset,
                settings,
                programs,
                [*lessons(), *variants(programs, load(TRAINING), settings.device)],
                scoring,
                extra=[induced, explored],
                known=[] if resumed is None else known(resumed, dataset),
                start=0 if resumed is None else resumed.generation + 1,
                sink=Kept(store, run),
                stopwatch=stopwatch,
                spent=stopwatch.elapsed,
                out=options.out,
            )
            induced.goes_on = explored.goes_on = search.goes_on
            reviews = Reviews(search.evolution.arena, opened.enter_context(Validator()))
        search.evolution.reviews = [("simplifying", reviews.simplify), ("validating", reviews.validate)]
        yield search
        with stopwatch.section("storing"):
            store.end_run(run)


def _resumed(store: Store, options: Options) -> Resumed | None:
    """Where the last run on this data stopped that came to keep something. If there is none, the user is told."""
    runs = [run for run in reversed(store.runs()) if run.command == COMMAND]
    for run in runs:
        if run.settings.get("data") == options.data and (found := store.resume(run)) is not None:
            say_once(f"going on after generation {found.generation} of the run from {_day(run.started)}")
            return found
    others = sorted({str(run.settings.get("data")) for run in runs} - {options.data})
    instead = f", but on {', '.join(others)}" if others else ""
    say_once(f"there is no run on {options.data} in {store.path}{instead}; a new one begins")
    return None


def _day(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


def usable(device: str) -> str:
    """The device to use: for "auto" it is the CPU, because a search is never a small job."""
    return "cpu" if device == "auto" else device


def _programs(files: Sequence[Path]) -> list[Program]:
    """The bundled programs and those of the files, each once. Of two for one task, both stay."""
    more = [program for file in files for program in _read(file)]
    return list(dict.fromkeys([*bundled(), *more]))


def _read(file: Path) -> list[Program]:
    if file.suffix != ".sqlite":
        return parse_file(str(file))
    with Store.open(file, must_exist=True) as store:
        return [entry.program for entry in store.programs()]
