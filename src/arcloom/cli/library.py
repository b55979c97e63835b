"""The commands ``library ...``, which list, exchange and check the programs in a library."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arcloom.cli.app import Json, app, loaded, stop
from arcloom.engine.devices import DEFAULT_DEVICE
from arcloom.files import write_atomically

if TYPE_CHECKING:
    from arcloom.store import Listed, Store

library = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
app.add_typer(library, name="library")

Library = Annotated[
    Path | None,
    typer.Option(
        "--library",
        metavar="PATH",
        help="The library, or the folder of a run.",
        show_default="in the user's data folder",
    ),
]


class Order(StrEnum):
    """The first sort key of a list of programs."""

    TASK = "task"
    SIZE = "size"
    SCORE = "score"


@library.callback()
def library_command() -> None:
    """The library: programs found by searches or added by users, with their scores.

    It is one SQLite file, by default arcloom/library.sqlite in $XDG_DATA_HOME or ~/.local/share.

    \b
    Examples:
      arcloom library import solvers.py --data arcagi:training
      arcloom library list --sort size
      arcloom library show 00d62c1b --nested
      arcloom library export all.py
      arcloom library merge part1/library.sqlite part2/library.sqlite --into all.sqlite
    """


@library.command("list")
def list_programs(
    task: Annotated[str | None, typer.Option(metavar="ID", help="Only the programs scored on this task.")] = None,
    sort: Annotated[Order, typer.Option(help="The first sort key.")] = Order.TASK,
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="Maximum number of programs to list.")] = None,
    path: Library = None,
    as_json: Json = False,
) -> None:
    """List the programs with their scores, task by task.

    A program that was scored on several tasks is listed for each of them.

    \b
    Examples:
      arcloom library list
      arcloom library list --task 00d62c1b --json
      arcloom library list --sort score --limit 20
    """
    from arcloom.cli import listing, output

    with _opened(path) as store:
        chosen = [one for one in store.listed() if task in (None, one.score and one.score.task.id)]
        chosen.sort(key=_KEYS[sort])
        shown = chosen[:limit]
        more = len(chosen) - len(shown)
        output.show(listing.listed_json(store, shown) if as_json else listing.listed_text(store, shown, more))


def _of_task(one: "Listed") -> tuple[Any, ...]:
    return (one.score is None, one.score.task if one.score else ("", ""))


def _of_score(one: "Listed") -> int:
    return -1 if one.score is None else one.score.score


_KEYS: dict[Order, Any] = {
    Order.TASK: lambda one: (*_of_task(one), -_of_score(one), one.entry.size),
    Order.SIZE: lambda one: (one.entry.size, *_of_task(one)),
    Order.SCORE: lambda one: (-_of_score(one), one.entry.size, *_of_task(one)),
}


@library.command()
def show(
    wanted: Annotated[str, typer.Argument(metavar="PROGRAM", help="A prefix of a digest, a name, or a task id.")],
    nested: Annotated[bool, typer.Option("--nested", help="Write nested calls.")] = False,
    path: Library = None,
    as_json: Json = False,
) -> None:
    """Show a program, or all programs for a task.

    The output is a solver file. Comments give the scores and the ancestors of the programs.

    \b
    Examples:
      arcloom library show 3f2a
      arcloom library show 00d62c1b --nested
    """
    from arcloom.cli import listing, output

    with _opened(path) as store:
        found = store.find(wanted)
        if not found:
            what = f"no program with the digest prefix, name or task {wanted!r}"
            raise stop(f"{store.path} has {what}; 'arcloom library list' lists all programs", 2)
        if as_json:
            output.show(listing.shown_json(store, found, nested=nested))
        else:
            typer.echo(listing.shown_text(store, found, nested=nested), nl=False)


@library.command("import")
def import_file(
    file: Annotated[str, typer.Argument(metavar="FILE.py", help="The programs, in the form of arc-dsl's solvers.py.")],
    data: Annotated[
        str | None, typer.Option(metavar="SPEC", help="Score each solve_<id> on its task in this data.")
    ] = None,
    path: Library = None,
    as_json: Json = False,
) -> None:
    """Add the programs of a solver file to the library.

    Programs that are equal to one in the library are not added again, and untyped programs are left out. With --data,
    each program solve_<id> runs on the demonstrations of its task, and its score is stored.

    \b
    Examples:
      arcloom library import solvers.py
      arcloom library import solvers.py --data arcagi:training --library mine.sqlite
    """
    import arcloom
    from arcloom.cli import listing, output
    from arcloom.search.scores import scores_on
    from arcloom.store import Store
    from arcloom.store.exchange import import_programs

    programs = arcloom.parse_file(file)
    scores = [] if data is None else scores_on(programs, loaded(data), device=DEFAULT_DEVICE)
    with Store.open(path) as store:
        done = import_programs(store, programs, scores)
        output.show(listing.imported_json(store, done) if as_json else listing.imported_text(store, done))


@library.command()
def export(
    file: Annotated[str | None, typer.Argument(metavar="FILE.py", help="The file to write; without it, print.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Also write programs that solve no task.")] = False,
    nested: Annotated[bool, typer.Option("--nested", help="Write nested calls.")] = False,
    path: Library = None,
) -> None:
    """Write the programs of the library that solve tasks as a solver file.

    A program is named solve_<id> for each task whose demonstrations it solves; further programs for the same task are
    named solve_<id>_2 and so on. Imported programs without a score are written, too. 'arcloom check' and 'arcloom
    library import' read the file.

    \b
    Examples:
      arcloom library export all.py
      arcloom library export --nested
    """
    from arcloom.cli.output import count
    from arcloom.program.print import all_to_text
    from arcloom.store.exchange import exported

    with _opened(path) as store:
        programs = exported(store, every=every)
        text = all_to_text(programs, nested=nested)
        if file is None:
            typer.echo(text, nl=False)
        else:
            write_atomically(Path(file), text)
            typer.echo(f"wrote {count(len(programs), 'program')} to {file}")


@library.command()
def merge(
    files: Annotated[
        list[Path], typer.Argument(metavar="LIBRARY...", help="The libraries to merge. They are not changed.")
    ],
    into: Annotated[Path, typer.Option(metavar="LIBRARY", help="The library to add to; created if missing.")],
    as_json: Json = False,
) -> None:
    """Add the programs, scores and runs of libraries to another library.

    Libraries of shards ('arcloom solve --shard') become one run, which 'arcloom solve --resume' can continue. Runs that
    have different states of the same task are kept as separate runs.

    \b
    Examples:
      arcloom library merge part1/library.sqlite part2/library.sqlite --into all/library.sqlite
      arcloom library merge mine.sqlite yours.sqlite --into ours.sqlite --json
    """
    from arcloom.cli import listing, output
    from arcloom.store.merge import merge

    added = merge(files, into)
    with _opened(into) as store:
        output.show(listing.merged_json(store, added) if as_json else listing.merged_text(store, added))


@library.command()
def check(
    repair: Annotated[bool, typer.Option("--repair", help="Remove damaged rows; keep a copy of the old file.")] = False,
    path: Library = None,
    as_json: Json = False,
) -> None:
    """Find damaged rows of the library; with --repair, remove them.

    A repair keeps a copy of the old file in the same folder; its name ends in .damaged. If a row of the state of a task
    in a run is damaged, the whole state of that task is removed, and a resumed run searches for it from the beginning.
    Exit code: 0 if the library is readable or was repaired, 1 if something in it cannot be read.

    \b
    Examples:
      arcloom library check
      arcloom library check --repair --library results/library.sqlite
    """
    from arcloom.cli import output
    from arcloom.store import default_path
    from arcloom.store.damage import find_damage
    from arcloom.store.damage import repair as repaired

    where = path or default_path()
    found = repaired(where) if repair else find_damage(where)
    rows = [{"table": one.table, "key": list(one.key), "reason": one.reason} for one in found]
    done = "removed" if repair else "cannot be read"
    text = "".join(f"{done}: {one}\n" for one in found) + f"{where}: {len(found)} damaged rows or parts"
    output.show({"library": str(where), "repaired": repair, "damaged": rows} if as_json else text)
    raise typer.Exit(1 if found and not repair else 0)


def _opened(path: Path | None) -> "Store":
    """The opened library, which must exist. For a folder, it is the library in it, as written by ``solve --out``."""
    from arcloom.store import Store, default_path

    if path is not None and path.is_dir():
        path = path / default_path().name
    if path is None and not default_path().exists():
        near = [str(file) for file in _libraries_here()]
        if near:
            raise stop(f"there is no library {default_path()}; choose one: --library {' or '.join(near)}", 2)
    return Store.open(path, must_exist=True)


def _libraries_here() -> "list[Path]":
    """The libraries in the current folder and in its direct subfolders."""
    from arcloom.store import default_path

    name = default_path().name
    return sorted([*Path().glob(name), *Path().glob(f"*/{name}")])
