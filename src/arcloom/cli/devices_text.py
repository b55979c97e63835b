"""The output of ``arcloom devices``."""

from collections.abc import Mapping

from rich.console import Group, RenderableType
from rich.table import Table

from arcloom.engine.calibration import Calibration
from arcloom.engine.compile.ptxas import ThreadResources
from arcloom.engine.device_report import DeviceReport, Tested
from arcloom.engine.devices.base import BATT, ENUMERATION

Compiled = Mapping[tuple[int, int], Mapping[str, ThreadResources]]
"""The resources of each entry point, for each compute capability."""


def devices_text(found: DeviceReport, compiled: Compiled) -> RenderableType:
    """The self-test of each device, measured speeds, compiled entry points, and the GPUs of this machine."""
    lines: list[RenderableType] = []
    for one in found.tested:
        lines += [_tested(one), *(f"  {difference}" for difference in one.test.different[:5])]
    tables = [_calibration_table(found.calibrations)] if found.calibrations else []
    return Group(*lines, *tables, *compiled_lines(compiled), found.summary)


def _tested(one: Tested) -> str:
    test = one.test
    verdict = "agree with the reference" if test.passed else f"{len(test.different)} differ from the reference"
    never = f", {len(test.never)} kernels were not reached" if test.never else ""
    ran = f"{test.programs} programs on {test.kernels} kernels"
    return f"{one.name} ({one.description}): {ran} {verdict}{never} ({one.seconds:.1f} s)"


def _calibration_table(calibrations: list[Calibration]) -> RenderableType:
    """Program runs and enumerated tasks per second, as measured on this machine."""
    table = Table("device", "work", "per second", box=None, padding=(0, 2, 0, 0))
    for each in calibrations:
        table.add_row(each.gpu or each.device, _UNITS[each.work], f"{each.per_second:,.1f}")
    return table


_UNITS = {BATT: "runs of programs", ENUMERATION: "tasks enumerated"}


def compiled_lines(compiled: Compiled) -> list[str]:
    """The resources that each entry point needs, by compute capability."""
    return [
        f"compute capability {major}.{minor}, {name}: {each.registers} registers, {each.stack} bytes of stack, "
        f"{each.spills} bytes spilled"
        for (major, minor), used in compiled.items()
        for name, each in used.items()
    ]
