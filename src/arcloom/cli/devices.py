"""The command about devices: what is there, whether it is right, what it costs, and what compiles for others."""

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.table import Table

from arcloom.cli.app import Json, app, stop

if TYPE_CHECKING:
    from arcloom.engine.assemble import Assembled
    from arcloom.engine.survey import Calibration, Survey, Tested


@app.command()
def devices(
    calibrate: Annotated[bool, typer.Option("--calibrate", help="Measure where waves run faster.")] = False,
    ptx: Annotated[bool, typer.Option("--ptx", help="Compile everything for GPUs that need not be here.")] = False,
    as_json: Json = False,
) -> None:
    """List the devices that programs can run on, and test each against the reference.

    The self-test runs every kernel on small columns. With --calibrate the costs of waves are measured and kept beside
    the compiled kernels: --device auto uses them. With --ptx all kernels are compiled for several generations of
    GPUs, which takes minutes and needs arcloom[cuda]; registers and spills are told where ptxas is installed.
    Exit code: 0 if all is well, 1 if a device or the compiler is not, 2 if something is missing.

    \\b
    Examples:
      arcloom devices
      arcloom devices --calibrate --json
      arcloom devices --ptx
    """
    from arcloom.cli import output
    from arcloom.cli.bench import _progress as progress
    from arcloom.engine.survey import survey

    with progress(quiet=as_json) as told:
        found = survey(calibrate=calibrate)
        compiled = _compiled(told) if ptx else {}
    good = found.passed and all(one.good for functions in compiled.values() for one in functions)
    if as_json:
        output.show(found.as_json() | {"ptx": {name: list(map(vars, some)) for name, some in compiled.items()}})
    else:
        output.show(Group(*_devices_text(found), *_ptx_text(compiled)))
    raise typer.Exit(0 if good else 1)


def _compiled(told: Any) -> "dict[str, list[Assembled]]":
    """Everything, for every capability that the compiler takes."""
    from arcloom.engine.assemble import CAPABILITIES, CompilerMissing, assemble_all, lowest_capability

    try:
        lowest = lowest_capability()
    except CompilerMissing as missing:
        raise stop(str(missing), 2) from None
    found = {}
    for capability in (one for one in CAPABILITIES if one >= lowest):
        name = ".".join(map(str, capability))
        found[name] = assemble_all(capability, told=partial(told, f"compiling for {name}"))
    return found


def _devices_text(found: "Survey") -> list[RenderableType]:
    lines: list[RenderableType] = []
    for one in found.tested:
        lines += [_tested(one), *(f"  {difference}" for difference in one.test.different[:5]), *map(str, one.evidence)]
    return [*lines, *map(_calibration_text, found.calibrations), found.summary]


def _tested(one: "Tested") -> str:
    test = one.test
    verdict = "agree with the reference" if test.passed else f"{len(test.different)} differ from the reference"
    never = f", {len(test.never)} kernels were not reached" if test.never else ""
    ran = f"{test.programs} programs on {test.kernels} kernels"
    return f"{one.name} ({one.what}): {ran} {verdict}{never} ({one.seconds:.1f} s)"


def _calibration_text(calibration: "Calibration") -> RenderableType:
    """Microseconds that waves took: only what was measured here."""
    table = Table(box=None, padding=(0, 2, 0, 0), title="Waves, in microseconds", title_justify="left")
    compared = (calibration.device_name, "faster") if calibration.device else ()
    for name in ("kernel", "cells a grid", "grids", "host", *compared):
        table.add_column(str(name), justify="left" if name in ("kernel", "faster") else "right")
    for row in calibration.rows():
        given = [row["kernel"], str(row["cells"]), f"{row['rows']:,}", f"{1e6 * row['host_seconds']:,.0f}"]
        more = [f"{1e6 * row['device_seconds']:,.0f}", row["faster"]] if calibration.device else []
        table.add_row(*given, *more)
    return table


def _ptx_text(compiled: "dict[str, list[Assembled]]") -> list[str]:
    lines = []
    for capability, functions in compiled.items():
        bad = [f"  {one.name}: {one.error or ', '.join(one.lacking)}" for one in functions if not one.good]
        registers = [one.registers for one in functions if one.registers is not None]
        spills = sum(one.spills or 0 for one in functions)
        assembled = f"at most {max(registers)} registers, {spills} bytes spilled" if registers else "no ptxas here"
        lines += [f"compute capability {capability}: {len(functions)} functions, {len(bad)} bad, {assembled}", *bad]
    return lines
