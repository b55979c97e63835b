"""The command ``kaggle-kit``, which writes a kit for Kaggle."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arcloom.cli.app import Json, app, stop
from arcloom.kaggle.image import PLATFORM, PYTHON
from arcloom.kaggle.notebook import COMPETITION, HOURS

if TYPE_CHECKING:
    from arcloom.kaggle.kit import Kit


@app.command()
def kaggle_kit(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The folder to write; it must be new or empty.")],
    hours: Annotated[float, typer.Option(min=0.5, help="Maximum duration of the notebook.")] = HOURS,
    competition: Annotated[
        str, typer.Option(metavar="NAME", help="The competition's name in its address, or a folder on Kaggle.")
    ] = COMPETITION,
    python: Annotated[str, typer.Option(metavar="VERSION", help="The Python version of Kaggle's image.")] = PYTHON,
    platform: Annotated[str, typer.Option(metavar="TAG", help="The platform of Kaggle's image.")] = PLATFORM,
    everything: Annotated[bool, typer.Option("--all", help="Include packages that Kaggle's image has.")] = False,
    no_download: Annotated[bool, typer.Option("--no-download", help="Include only arcloom's wheel.")] = False,
    no_gpus: Annotated[bool, typer.Option("--no-gpus", help="Omit machine code for GPUs.")] = False,
    as_json: Json = False,
) -> None:
    """Write a kit to run arcloom in a Kaggle notebook without internet.

    The folder gets the wheels of arcloom and of packages that Kaggle's image lacks; machine code for GPUs (built in
    some minutes without a GPU, with the assembler of arcloom[cuda]); a notebook that installs the wheels, tests the
    devices, searches for some hours and writes submission.json; and a README.md with instructions.
    Exit code: 0 if the kit is written; 2 if it cannot be, and then nothing is left behind.

    \b
    Examples:
      arcloom kaggle-kit kit/
      arcloom kaggle-kit kit/ --hours 11 --competition arc-prize-2025
      arcloom kaggle-kit kit/ --python 3.11 --all --json
      arcloom kaggle-kit kit/ --no-download
    """
    from arcloom.cli import output
    from arcloom.cli.watch import bar
    from arcloom.kaggle.kit import Kit, write_kit
    from arcloom.kaggle.wheels import KitError, no_kernels

    kit = Kit(hours, competition, python, platform, downloads=not no_download, everything=everything, gpus=not no_gpus)
    try:
        with bar(hidden=as_json or not sys.stderr.isatty()) as shown:
            shown.add_task("collecting wheels", total=None)
            files = write_kit(kit, out)
    except KitError as error:
        raise stop(str(error), 2) from None
    lacking = no_kernels(kit.python, kit.platform)
    if lacking is not None:
        typer.echo(f"arcloom: the kit's wheel of arcloom has no compiled kernels: {lacking}", err=True)
    output.show(_as_json(kit, out, files) if as_json else _as_text(out, files))


def _as_json(kit: "Kit", out: Path, files: list[Path]) -> dict[str, Any]:
    return {
        "out": str(out),
        "hours": kit.hours,
        "competition": kit.competition,
        "python": kit.python,
        "platform": kit.platform,
        "bytes": _size(files),
        "files": [str(file.relative_to(out)) for file in files],
    }


def _as_text(out: Path, files: list[Path]) -> str:
    from arcloom.cli.output import count
    from arcloom.kaggle.kit import README

    wheels = count(sum(file.suffix == ".whl" for file in files), "wheel")
    return f"wrote a notebook and {wheels} to {out} ({_size(files) / 1e6:,.1f} MB); {out / README} says what to do"


def _size(files: list[Path]) -> int:
    return sum(file.stat().st_size for file in files)
