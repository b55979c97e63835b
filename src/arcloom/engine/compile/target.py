"""Processors that code is compiled for."""

import platform
from dataclasses import dataclass
from functools import cache
from typing import Any

from llvmlite import binding as llvm

from arcloom.engine.compile.digest import digest_of, source_digest

PREFIX = "arcloom."
"""Prefix of the names of functions in machine code."""

_V2 = ("cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3")
_V3 = (*_V2, "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")


@dataclass(frozen=True)
class CodeTarget:
    """A processor: LLVM's name for it, LLVM's list of its features, and the features that code for it ``needs``."""

    cpu: str
    features: str = ""
    needs: tuple[str, ...] = ()
    gpu: bool = False

    @property
    def folder(self) -> str:
        """The name of the folder of code for this processor and this version of the sources."""
        kind = "cuda" if self.gpu else "cpu"
        return f"{kind}-{digest_of([source_digest(), self.triple, self.cpu, self.features])}"

    @property
    def triple(self) -> str:
        """LLVM's target triple."""
        return "nvptx64-nvidia-cuda" if self.gpu else str(llvm.get_process_triple())

    def machine(self) -> Any:
        """LLVM's target machine for the processor."""
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        target = llvm.Target.from_triple(self.triple)
        if self.gpu:
            return target.create_target_machine(cpu=self.cpu, features=self.features, opt=3)
        relocation = "static" if target.name.startswith("x86") else "default"  # what LLVM's loader supports
        return target.create_target_machine(
            cpu=self.cpu, features=self.features, opt=3, reloc=relocation, codemodel="jitdefault", jit=True
        )


PORTABLE = (CodeTarget("x86-64-v3", needs=_V3), CodeTarget("x86-64-v2", needs=_V2))
"""Levels of x86-64 that wheels have code for, fastest first."""


GPU = CodeTarget("sm_60", "+ptx70", gpu=True)
"""GPUs from the P100 on: PTX for it can be assembled for all later ones. Drivers from 450 on read this PTX version."""


@cache
def host() -> CodeTarget:
    """The processor of this machine, with all its features."""
    return CodeTarget(llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten())


@cache
def portable_here() -> tuple[CodeTarget, ...]:
    """The portable levels that this machine's processor supports."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return ()
    features = llvm.get_host_cpu_features()
    return tuple(target for target in PORTABLE if all(features.get(name) for name in target.needs))
