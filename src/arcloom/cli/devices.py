"""The command ``devices``, which lists, tests and times devices, and compiles for GPUs."""

from typing import TYPE_CHECKING, Annotated

import typer

from arcloom.cli.app import Json, app, stop

if TYPE_CHECKING:
    from arcloom.cli.devices_text import Compiled


@app.command()
def devices(
    calibrate: Annotated[
        bool, typer.Option("--calibrate", help="Time the same work on the CPU and on each GPU, for --device auto.")
    ] = False,
    ptx: Annotated[bool, typer.Option("--ptx", help="Compile everything for GPUs; none needs to be present.")] = False,
    as_json: Json = False,
) -> None:
    """List the devices that programs can run on, and test each against the reference.

    The self-test runs every kernel. With --calibrate, the bundled programs and an enumeration are timed on the CPU and
    on each GPU; from then on, --device auto uses these times. With --ptx, everything is compiled for several
    generations of GPUs, which takes minutes and needs arcloom[cuda]. Exit code: 0 if all tests pass, 1 if a device
    fails, 2 if something is missing.

    \b
    Examples:
      arcloom devices
      arcloom devices --calibrate --json
      arcloom devices --ptx
    """
    from dataclasses import asdict

    from arcloom.cli import output
    from arcloom.cli.devices_text import devices_text
    from arcloom.engine.device_report import survey
    from arcloom.enumerate.calibrating import made_up_enumerations

    found = survey(made_up_enumerations() if calibrate else None)
    compiled = _compiled() if ptx else {}
    if as_json:
        used = {
            f"{major}.{minor}": {name: asdict(each) for name, each in entries.items()}
            for (major, minor), entries in compiled.items()
        }
        output.show(found.as_json() | {"ptx": used})
    else:
        output.show(devices_text(found, compiled))
    raise typer.Exit(0 if found.passed else 1)


def _compiled() -> "Compiled":
    """The resources of all entry points, compiled for every compute capability."""
    from arcloom.engine.compile import cubins
    from arcloom.engine.compile.errors import CompileError
    from arcloom.engine.compile.progress import Printer
    from arcloom.engine.entry_points import ON_GPU
    from arcloom.engine.warm import all_kernels

    try:
        return cubins.build([kernel.name for kernel in all_kernels()], ON_GPU, Printer())
    except CompileError as missing:
        raise stop(str(missing), 2) from None
