"""The command ``arcloom``: its help, its error handling, and the options that several commands share.

Each command parses its arguments, calls one public function and prints the result. Modules that only some commands need
are imported when these commands run, so that ``--help`` is fast.
"""

import sqlite3
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import arcloom
from arcloom.cli import complete
from arcloom.cli.language import UnknownName
from arcloom.engine.compile.errors import CompileError
from arcloom.engine.devices import DEVICES, statistics_lines
from arcloom.engine.devices.base import DeviceError
from arcloom.interrupt import INTERRUPTED, interruptible
from arcloom.program.parse import ParseError
from arcloom.store.schema import StoreError
from arcloom.tasks import DataError, Dataset
from arcloom.tasks.load import read
from arcloom.tasks.task import PACKED_SIDE_MAX, SIDE_MAX

ORDER = ("solve", "report", "trace", "studio", "check", "show", "dsl", "library", "submission", "differs", "profile")
"""The order of the first commands in the help."""


LOOPBACK = "127.0.0.1"
"""The address that only programs on this machine can reach."""


class _Commands(TyperGroup):
    """The commands. User errors are reported in one line."""

    def list_commands(self, ctx: Any) -> list[str]:
        names = super().list_commands(ctx)
        return sorted(names, key=lambda name: ORDER.index(name) if name in ORDER else len(ORDER))

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write each command with its whole first sentence. Click would truncate it."""
        named = [(name, command) for name in self.list_commands(ctx) if (command := self.get_command(ctx, name))]
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.get_short_help_str(limit=1000)) for name, command in named])

    def invoke(self, ctx: Any) -> Any:
        try:
            with interruptible():
                return super().invoke(ctx)
        except (ParseError, DataError, DeviceError, StoreError, UnknownName, CompileError) as error:
            raise stop(str(error), 2) from None
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise stop(f"the library cannot be used ({error})", 2) from None
        except UnicodeEncodeError as error:  # an argument with bytes that are not UTF-8
            raise stop(f"{error.object!r} is not valid Unicode text", 2) from None
        except MemoryError:
            raise stop("there is not enough memory", 2) from None
        except BrokenPipeError:
            raise
        except OSError as error:
            where = "" if error.filename is None else f"{error.filename}: "
            raise stop(f"{where}{error.strerror or error}", 2) from None
        except KeyboardInterrupt as stopped:
            raise stop(str(stopped) or "stopped", INTERRUPTED) from None
        finally:
            _tell_statistics()


def _tell_statistics() -> None:
    """Print the statistics of GPUs to standard error, if the command used any."""
    for line in statistics_lines():
        print(f"arcloom: {line}", file=sys.stderr)


def stop(message: str, code: int) -> typer.Exit:
    """Print an error message, and return the exception that ends a command with an exit code."""
    typer.echo(f"arcloom: {message}", err=True)
    return typer.Exit(code)


def host_name(text: str) -> str:
    """The name of a host that the user gave; if it is empty, LOOPBACK. Stops the command if it cannot be a name."""
    try:
        text.encode("idna")
    except UnicodeError:
        raise stop(f"{text!r} is not the name of a host", 2) from None
    return text or LOOPBACK


app = typer.Typer(
    cls=_Commands,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Device = Annotated[
    str,
    typer.Option(metavar="NAME", help=f"The device: {', '.join(DEVICES)}.", autocompletion=complete.devices),
]
Limit = Annotated[
    int, typer.Option("--limit", min=1, metavar="UNITS", help="Maximum work of a call in a run, see docs/language.md.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Data = Annotated[
    str,
    typer.Option(metavar="SPEC", help="A bundled set, a folder or a file of tasks.", autocompletion=complete.data),
]
OptionalData = Annotated[
    str | None,
    typer.Option(
        metavar="SPEC",
        help="A bundled set, a folder or a file of tasks.  [default: the bundled sets]",
        autocompletion=complete.data,
    ),
]
Strict = Annotated[bool, typer.Option("--strict", help="Refuse a folder of tasks in which a file is malformed.")]
MaxSide = Annotated[
    int, typer.Option(min=1, max=PACKED_SIDE_MAX, metavar="N", help="Maximum number of rows and columns of a grid.")
]


def loaded(spec: str, *, strict: bool = False, max_side: int = SIDE_MAX) -> Dataset:
    """The tasks of a bundled set, a folder or a file. Skipped files are reported on standard error."""
    dataset = read(spec, strict=strict, max_side=max_side)
    for message in dataset.skipped:
        typer.echo(f"arcloom: skipped {message}", err=True)
    return dataset


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
    """Solve ARC tasks: search for programs, and run, check and draw them.

    \b
    Examples:
      arcloom solve --data arcagi:training --hide-own --budget 2m --out results
      arcloom report results
      arcloom trace --run results 00d62c1b
      arcloom studio --run results --open
      arcloom show 00d62c1b
      arcloom check mine.py --show
      arcloom dsl mirror
      arcloom library list --library results/library.sqlite
      arcloom submission merge part1.json part2.json --into submission.json
      arcloom differs
      arcloom profile --budget 30s
      arcloom conform tests/conformance/primitives.jsonl --device reference
      arcloom kaggle-kit kit/
    """
