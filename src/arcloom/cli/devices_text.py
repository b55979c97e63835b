"""What ``arcloom devices`` prints."""

from rich.console import Group, RenderableType
from rich.table import Table

from arcloom.engine.assemble import Assembled
from arcloom.engine.survey import Calibration, Survey, Tested


def devices_text(found: Survey, compiled: dict[str, list[Assembled]]) -> RenderableType:
    """How each device did, what waves took, what compiled for which capability, and what there is in the end."""
    lines: list[RenderableType] = []
    for one in found.tested:
        lines += [_tested(one), *(f"  {difference}" for difference in one.test.different[:5]), *map(str, one.evidence)]
    return Group(*lines, *map(_calibration_text, found.calibrations), *ptx_lines(compiled), found.summary)


def _tested(one: Tested) -> str:
    test = one.test
    verdict = "agree with the reference" if test.passed else f"{len(test.different)} differ from the reference"
    never = f", {len(test.never)} kernels were not reached" if test.never else ""
    ran = f"{test.programs} programs on {test.kernels} kernels"
    return f"{one.name} ({one.what}): {ran} {verdict}{never} ({one.seconds:.1f} s)"


def _calibration_text(calibration: Calibration) -> RenderableType:
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


def ptx_lines(compiled: dict[str, list[Assembled]]) -> list[str]:
    """For each capability what compiled, what it takes on a GPU, and what is bad."""
    lines = []
    for capability, functions in compiled.items():
        bad = [f"  {one.name}: {one.error or ', '.join(one.lacking)}" for one in functions if not one.good]
        lines += [f"compute capability {capability}: {len(functions)} functions, {len(bad)} bad, {_taken(functions)}"]
        lines += bad
    return lines


def _taken(functions: list[Assembled]) -> str:
    """The registers, stacks and spills that the assembler tells."""
    registers = [one.registers for one in functions if one.registers is not None]
    if not registers:
        return "no ptxas here"
    stack, spills = max(one.stack or 0 for one in functions), sum(one.spills or 0 for one in functions)
    return f"at most {max(registers)} registers and {stack} bytes of stack, {spills} bytes spilled"
