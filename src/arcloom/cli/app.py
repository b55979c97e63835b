"""The commands. Each parses its arguments, calls one public function and prints what that gives.

What only some commands need is imported when they run: help must not wait for it.
"""

import sqlite3
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import arcloom
from arcloom.cli.language import UnknownName
from arcloom.engine.compile.errors import CompileError
from arcloom.engine.run import DEFAULT_DEVICE, DEVICES, DeviceError
from arcloom.program.build import SOLVER
from arcloom.program.parse import ParseError, read_file
from arcloom.store.schema import StoreError
from arcloom.tasks import DataError

TRAINING = "arcagi:training"
INTERRUPTED = 130
"""The exit code of a command that was stopped with Ctrl-C: what shells give for it."""


class _Commands(TyperGroup):
    """The commands, with what a user can get wrong told in one line."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except (ParseError, DataError, DeviceError, StoreError, UnknownName, CompileError) as error:
            raise stop(str(error), 2) from None
        except sqlite3.Error as error:
            raise stop(f"the library cannot be used ({error})", 2) from None
        except BrokenPipeError:
            raise
        except OSError as error:
            where = "" if error.filename is None else f"{error.filename}: "
            raise stop(f"{where}{error.strerror or error}", 2) from None
        except KeyboardInterrupt as stopped:
            raise stop(str(stopped) or "stopped", INTERRUPTED) from None
        finally:
            _tell_evidence()


def _tell_evidence() -> None:
    """Say on standard error what CUDA devices did for a command, if they did anything."""
    on_devices = sys.modules.get("arcloom.engine.on_devices")
    for voyage in on_devices.told() if on_devices is not None else ():
        for line in (*voyage.notes, *voyage.evidence):
            typer.echo(f"arcloom: {line}", err=True)


def stop(message: str, code: int) -> typer.Exit:
    """What to raise to end a command with a message and an exit code."""
    typer.echo(f"arcloom: {message}", err=True)
    return typer.Exit(code)


app = typer.Typer(
    cls=_Commands,
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Device = Annotated[str, typer.Option(metavar="NAME", help=f"Where to run: {', '.join(DEVICES)}.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Data = Annotated[str, typer.Option(metavar="SPEC", help="A bundled set, a folder or a file of tasks.")]


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"arcloom {arcloom.__version__}")
        raise typer.Exit


@app.callback()
def arcloom_command(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Run programs of the arc-dsl language on ARC tasks, exactly.

    \b
    Examples:
      arcloom solve --budget 10m
      arcloom profile --budget 30s
      arcloom differs
      arcloom check solvers.py --data arcagi:training
      arcloom conform tests/conformance/primitives.jsonl --device reference
      arcloom dsl objects
      arcloom show 00d62c1b --out task.svg
      arcloom library import solvers.py
      arcloom submission merge part1.json part2.json --into submission.json
      arcloom kaggle-kit kit/
    """


@app.command()
def check(
    file: Annotated[str, typer.Argument(metavar="FILE.py", help="The programs.")],
    data: Data,
    device: Device = DEFAULT_DEVICE,
    prefix: Annotated[str, typer.Option(metavar="TEXT", help="What stands before the task id in names.")] = SOLVER,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first definition that is no program.")] = False,
    as_json: Json = False,
) -> None:
    """Run solvers on their tasks, and say which are right.

    Each program <prefix><task id> runs on all train and test samples of its task.
    Exit code: 0 if all are right, 1 if some are not, 2 if something could not be read.

    \b
    Examples:
      arcloom check solvers.py --data arcagi:training
      arcloom check mine.py --data tasks/ --prefix try_ --json
    """
    from arcloom.check import check
    from arcloom.cli import output
    from arcloom.cli.watch import Watch

    programs, dataset = read_file(file, strict=strict), arcloom.load(data)
    with Watch(len(programs), quiet=as_json) as watch:
        report = check(programs, dataset, device=device, prefix=prefix, progress=watch)
    output.show(output.check_json(report) if as_json else output.check_text(report))
    raise typer.Exit(1 if report.bad else 0)


@app.command()
def conform(
    file: Annotated[str, typer.Argument(metavar="FILE.jsonl", help="The examples, one a line.")],
    device: Device = DEFAULT_DEVICE,
    as_json: Json = False,
) -> None:
    """Compare what a device gives with examples, exactly.

    Each line of the file holds a program, its inputs, and what it must give or that it must fail.
    Exit code: 0 if all come out as expected, 1 if some do not, 2 if something could not be read.

    \b
    Examples:
      arcloom conform tests/conformance/primitives.jsonl
      arcloom conform primitives.jsonl --device reference --json
    """
    from arcloom.cli import output
    from arcloom.conform import conform

    report = conform(file, device)
    output.show(output.conform_json(report) if as_json else output.conform_text(report))
    raise typer.Exit(1 if report.failed else 0)


@app.command()
def dsl(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A primitive, a spelling or a constant.")] = None,
    as_json: Json = False,
) -> None:
    """List the language, or explain one of its names.

    \b
    Examples:
      arcloom dsl
      arcloom dsl objects
      arcloom dsl --json
    """
    from arcloom.cli import language, output

    if name is None:
        everything = language.catalogue()
        output.show(everything if as_json else output.catalogue_text(everything))
    else:
        entry = language.explain(name)
        output.show(entry if as_json else output.entry_text(entry))


@app.command()
def show(
    task: Annotated[str, typer.Argument(metavar="TASK", help="The id of a task.")],
    data: Data = TRAINING,
    out: Annotated[str | None, typer.Option(metavar="FILE.svg|png", help="Draw to this file instead.")] = None,
    hide_answers: Annotated[bool, typer.Option("--hide-answers", help="Draw test outputs as unknown.")] = False,
) -> None:
    """Draw a task, in the terminal or to a file.

    \b
    Examples:
      arcloom show 00d62c1b
      arcloom show 0934a4d8 --data arcagi:evaluation --out task.svg --hide-answers
    """
    from arcloom.cli import output
    from arcloom.tasks.draw import draw_task, save_task

    chosen = arcloom.load(data)[task]
    if out is None:
        output.show(draw_task(chosen, answers=not hide_answers))
    else:
        save_task(chosen, out, answers=not hide_answers)
        typer.echo(f"wrote {out}")
