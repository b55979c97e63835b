"""NVIDIA's assembler ``ptxas``, which compiles PTX to machine code for one kind of GPU. It needs no GPU."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from arcloom.engine.compile.errors import CompileError

Capability = tuple[int, int]

CAPABILITIES: tuple[Capability, ...] = ((6, 0), (7, 5), (8, 9))
"""The capabilities of a P100, a T4 and an L4. CUDA 12 supports all of them, CUDA 13 only those from 7.5 on."""

REGISTERS = 128
"""Maximum number of registers per thread, so that 512 threads fit on a multiprocessor."""


def architecture(capability: Capability) -> str:
    """NVIDIA's name of the GPUs of a compute capability, such as sm_75."""
    return "sm_{}{}".format(*capability)


@dataclass(frozen=True)
class ThreadResources:
    """The resources of an entry point per thread: registers, bytes of stack including all callees, bytes of spill
    stores and loads of its own, and the maximum of those of its callees."""

    registers: int
    stack: int
    spills: int
    callee_spills: int


def find() -> Iterator[Path]:
    """The installed assemblers: that of NVIDIA's package, and one on the path."""
    spec = find_spec("nvidia")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        yield from (binary for binary in Path(place).glob("*/bin/ptxas") if os.access(binary, os.X_OK))
    elsewhere = shutil.which("ptxas")
    if elsewhere:
        yield Path(elsewhere)


@cache
def assembler() -> Path:
    """The assembler. Raises CompileError if there is none."""
    found = next(find(), None)
    if found is None:
        raise CompileError("NVIDIA's assembler ptxas is not installed: pip install 'arcloom[cuda]'")
    return found


def assemble(ptx: Path, capability: Capability, cubin: Path) -> dict[str, ThreadResources]:
    """Assemble a PTX file to a cubin for a compute capability, and return the resources of each entry point.

    Raises CompileError with the assembler's message.
    """
    options = ["--verbose", "--gpu-name", architecture(capability), "--maxrregcount", str(REGISTERS)]
    command = [str(assembler()), *options, "--output-file", str(cubin), str(ptx)]
    ran = subprocess.run(command, capture_output=True, text=True)
    if ran.returncode:
        raise CompileError(f"ptxas cannot assemble for {architecture(capability)}: {ran.stderr.strip()[:500]}")
    return usage(ran.stderr)


_PROPERTIES = re.compile(
    r"Function properties for (\S+)\n\s*(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads"
    r"(?:\n.*: Used (\d+) registers(?:.*?(\d+) bytes cumulative stack size)?)?"
)


def usage(said: str) -> dict[str, ThreadResources]:
    """The resources of entry points, from the messages of the assembler."""
    found = _PROPERTIES.findall(said)
    called = max((int(stores) + int(loads) for _, _, stores, loads, registers, _ in found if not registers), default=0)
    return {
        name: ThreadResources(int(registers), int(total or stack), int(stores) + int(loads), called)
        for name, stack, stores, loads, registers, total in found
        if registers
    }
