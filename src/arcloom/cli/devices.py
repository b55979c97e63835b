"""The command about devices: what is there, whether it is right, what it costs, and what compiles for others."""

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arcloom.cli.app import Json, app, stop

if TYPE_CHECKING:
    from arcloom.engine.assemble import Assembled


@app.command()
def devices(
    calibrate: Annotated[bool, typer.Option("--calibrate", help="Measure where waves run faster.")] = False,
    ptx: Annotated[bool, typer.Option("--ptx", help="Compile everything for GPUs that need not be here.")] = False,
    as_json: Json = False,
) -> None:
    """List the devices that programs can run on, and test each against the reference.

    The self-test runs every kernel on small columns. With --calibrate the costs of waves are measured and kept beside
    the compiled kernels: --device hybrid uses them. With --ptx all kernels are compiled for several generations of
    GPUs, which takes minutes and needs arcloom[cuda]; registers and spills are told where ptxas is installed.
    Exit code: 0 if all is well, 1 if a device or the compiler is not, 2 if something is missing.

    \b
    Examples:
      arcloom devices
      arcloom devices --calibrate --json
      arcloom devices --ptx
    """
    from arcloom.cli import output
    from arcloom.cli.bench import _progress as progress
    from arcloom.cli.devices_text import devices_text
    from arcloom.engine.survey import survey

    with progress(quiet=as_json) as told:
        found = survey(calibrate=calibrate)
        compiled = _compiled(told) if ptx else {}
    good = found.passed and all(one.good for functions in compiled.values() for one in functions)
    if as_json:
        output.show(found.as_json() | {"ptx": {name: list(map(vars, some)) for name, some in compiled.items()}})
    else:
        output.show(devices_text(found, compiled))
    raise typer.Exit(0 if good else 1)


def _compiled(told: Any) -> "dict[str, list[Assembled]]":
    """Everything, for every capability that the compiler takes."""
    from arcloom.engine.assemble import CompilerMissing, assemble_all, capabilities_taken

    try:
        return assemble_all(capabilities_taken(), told=partial(told, "compiling"))
    except CompilerMissing as missing:
        raise stop(str(missing), 2) from None
