"""The kernels whose PTX the tests build and execute: those of some bundled programs, or in ``make nightly`` all."""

import os
from collections.abc import Iterable, Sequence
from functools import cache

from arcloom.engine.compile import cubins
from arcloom.engine.devices.base import Programs
from arcloom.engine.entry_points import ON_GPU
from arcloom.engine.warm import all_kernels
from arcloom.library import bundled
from arcloom.program.parse import parse_one
from arcloom.program.term import Program
from arcloom.program.trace import STANDARD_INPUTS
from ptx.parser import Module, parse

NIGHTLY = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"

NAMES = (
    "solve_363442ee", "solve_ff805c23", "solve_c9e6f938", "solve_f25ffba3", "solve_8d5021e8", "solve_ed36ccf7",
    "solve_007bbfb7", "solve_f25fbde4", "solve_6d75e8bb",
)  # fmt: skip
"""Bundled programs that use few kernels. Their kernels suffice for more than 30 bundled programs."""

COMPARING = "O = canvas(branch(equality(height(I), width(I)), ONE, TWO), UNITY)"
"""A program with the kernels that the self-test uses to compare values."""


def needed(program: Program, inputs: object = STANDARD_INPUTS) -> set[str] | None:
    """The names of the kernels that a program needs; None if it cannot be typed."""
    batt = Programs([program], inputs).batt  # type: ignore[arg-type]
    return {kernel.name for kernel in batt.planner.kernels} if batt.traced else None


@cache
def some_kernels() -> tuple[str, ...]:
    """The kernels of the bundled programs with these names, and of a comparison."""
    chosen = [program for program in bundled() if program.name in NAMES]
    names = set().union(*(needed(program) or () for program in (*chosen, parse_one(COMPARING))))
    return tuple(kernel.name for kernel in all_kernels() if kernel.name in names)


@cache
def simulated_kernels() -> tuple[str, ...]:
    """The kernels whose PTX is executed."""
    return tuple(kernel.name for kernel in all_kernels()) if NIGHTLY else some_kernels()


@cache
def ptx_module(kernels: tuple[str, ...]) -> Module:
    """The PTX of the entry points with these kernels. It is built unless it is in the cache."""
    cubins.build(kernels, ON_GPU, lambda progress: None, [])
    file = cubins.find_ptx([], kernels, ON_GPU)
    assert file is not None
    return parse(file.read_text())


def runnable(programs: Sequence[Program], inputs: object = STANDARD_INPUTS) -> Iterable[int]:
    """The indices of the programs that need only kernels that are tested."""
    known = set(simulated_kernels())
    for k, program in enumerate(programs):
        names = needed(program, inputs)
        if names is not None and names <= known:
            yield k
