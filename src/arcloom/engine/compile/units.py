"""The units of compilation: a launcher for each kernel, and the entry points."""

from arcloom.engine import entry_points, launchers
from arcloom.engine import kernels as kernels  # declares the kernels
from arcloom.engine.compile.frontend import CompilationUnit
from arcloom.engine.kernel import KERNELS
from arcloom.engine.pointer import LAUNCHER


def units() -> dict[str, CompilationUnit]:
    """The units by name."""
    every = [kernel for variants in KERNELS.values() for kernel in variants]
    launched = [CompilationUnit(kernel.name, launchers.source(kernel), LAUNCHER.args) for kernel in every]
    entered = [
        CompilationUnit(name, entry_points.source(name), entry_points.SIGNATURE, entry_points.given(name))
        for name in entry_points.ENTRY_POINTS
    ]
    return {unit.name: unit for unit in (*entered, *launched)}
