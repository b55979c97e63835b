"""The command ``check``, which checks programs on their tasks."""

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arcloom.cli import complete
from arcloom.cli.app import Device, Json, Limit, MaxSide, OptionalData, app, loaded, stop
from arcloom.dsl.meter import DEFAULT_BUDGET
from arcloom.engine.devices import DEFAULT_DEVICE
from arcloom.engine.devices.base import DeviceError
from arcloom.program.build import SOLVER
from arcloom.program.parse import ParseError, parse, read, read_file
from arcloom.program.term import Program
from arcloom.tasks.load import bundled
from arcloom.tasks.task import SIDE_MAX, DataError, Dataset

if TYPE_CHECKING:
    from arcloom.check import CheckReport

STDIN = "-"
POLL = 0.3
"""Seconds between two checks for changed files with --watch."""

Sources = list[tuple[str, Program | ParseError]]
"""Programs or parse errors, each with the name of its file."""


@dataclass(frozen=True)
class Wanted:
    """The arguments of the command."""

    files: Sequence[str]
    data: str | None
    device: str
    prefix: str
    strict: bool
    max_side: int
    limit: int
    show: bool
    verbose: bool
    as_json: bool

    def run(self) -> "CheckReport":
        """Check the programs and print the result."""
        from arcloom.check import check
        from arcloom.cli import checked, output
        from arcloom.cli.watch import CheckWatch

        sources = read_programs(self.files, strict=self.strict)
        programs = [program for _, program in sources]
        dataset = self._dataset(programs)
        with CheckWatch(len(programs), quiet=self.as_json) as watch:
            report = check(
                programs,
                dataset,
                device=self.device,
                prefix=self.prefix,
                files=[file for file, _ in sources],
                details=self.show or self.verbose,
                progress=watch,
                budget=self.limit,
            )
        if self.as_json:
            output.show(checked.as_json(report, verbose=self.verbose))
        else:
            output.show(checked.as_text(report, dataset, show=self.show, verbose=self.verbose))
        return report

    def _dataset(self, programs: Sequence[Program | ParseError]) -> Dataset:
        if self.data is not None:
            return loaded(self.data, strict=self.strict, max_side=self.max_side)
        names = [program.name for program in programs if isinstance(program, Program)]
        return bundled(name.removeprefix(self.prefix) for name in names if name.startswith(self.prefix))


@app.command()
def check(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE.py",
            help="Files of programs, folders of such files, or - for standard input.",
            autocompletion=complete.programs,
        ),
    ],
    data: OptionalData = None,
    show: Annotated[bool, typer.Option("--show", help="Draw output, expected output and difference.")] = False,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="List all samples of all programs.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Check again whenever a file changes, until Ctrl-C.")] = False,
    device: Device = DEFAULT_DEVICE,
    prefix: Annotated[str, typer.Option(metavar="TEXT", help="The prefix of names, before the task id.")] = SOLVER,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at the first definition or task file that is malformed.")
    ] = False,
    max_side: MaxSide = SIDE_MAX,
    limit: Limit = DEFAULT_BUDGET,
    as_json: Json = False,
) -> None:
    """Run programs on their tasks and report which are right.

    Each program <prefix><task id> runs on all train and test samples of its task. Without --data, tasks are searched in
    all bundled sets. Exit code: 0 if all programs are right, 1 if some are not, 2 if something cannot be read.

    \b
    Examples:
      arcloom check mine.py
      arcloom check mine.py --show --watch
      arcloom check solvers/ more.py -v
      arcloom check - < mine.py
      arcloom check mine.py --data tasks/ --prefix try_ --json
    """
    wanted = Wanted(files, data, device, prefix, strict, max_side, limit, show, verbose, as_json)
    if watch:
        _watch(wanted)
    report = wanted.run()
    raise typer.Exit(1 if report.bad else 0)


def read_programs(files: Sequence[str], *, strict: bool) -> Sources:
    """The programs in files, in the files of folders, and in standard input for "-"."""
    sources: Sources = []
    for name in _expanded(files):
        if name == STDIN:
            text = sys.stdin.read()
            found = parse(text, file="<stdin>") if strict else read(text, file="<stdin>")
            sources += [("<stdin>", program) for program in found]
        else:
            sources += [(name, program) for program in read_file(name, strict=strict)]
    return sources


def _expanded(files: Sequence[str]) -> Iterator[str]:
    """The files, with each folder replaced by the files *.py in it and its subfolders."""
    for name in files:
        if not Path(name).is_dir():
            yield name
            continue
        within = sorted(path for path in Path(name).rglob("*.py") if path.is_file())
        if not within:
            raise DataError(f"{name}: no programs; a folder has files *.py")
        yield from map(str, within)


def _watch(wanted: Wanted) -> None:
    """Check now and after each change of a file, until Ctrl-C raises KeyboardInterrupt."""
    if STDIN in wanted.files:
        raise stop("standard input cannot be watched; name a file", 2)
    before: dict[str, tuple[int, int]] = {}
    while True:
        now = _states(wanted.files)
        if now != before:
            before = now
            if sys.stdout.isatty():
                from rich.console import Console  # imported here because it takes time

                Console().clear()
            try:
                wanted.run()
            except (ParseError, DataError, DeviceError, OSError) as error:
                typer.echo(f"arcloom: {error}", err=True)
            typer.echo(f"{time.strftime('%H:%M:%S')}: waiting for changes; Ctrl-C ends", err=True)
        time.sleep(POLL)


def _states(files: Sequence[str]) -> dict[str, tuple[int, int]]:
    """The modification time and the size of each file; zeros for a file that does not exist."""
    states = {}
    for name in _expanded(files):
        try:
            status = Path(name).stat()
            states[name] = (status.st_mtime_ns, status.st_size)
        except OSError:
            states[name] = (0, 0)
    return states
