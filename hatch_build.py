"""Packs compiled kernels into the wheel if the environment variable ARCLOOM_WHEEL is "binary"."""

import os
import platform
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLATFORM = "manylinux_2_17_x86_64"
"""Kernels call nothing but memory functions of the C library, so any glibc will do."""


class KernelHook(BuildHookInterface[Any]):
    """Compiles all kernels for portable levels of x86-64."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and add the result and a platform tag to the wheel. The pure wheel is left as it is."""
        if version == "editable" or os.environ.get("ARCLOOM_WHEEL", "pure") != "binary":
            return
        if (sys.platform, platform.machine()) != ("linux", "x86_64"):
            raise RuntimeError("binary wheels are built on Linux for x86-64 only: build the pure wheel here")
        source, packed = Path(self.root, "src"), Path(self.root, "build", "packed")
        sys.path.insert(0, str(source))
        os.environ["PYTHONPATH"] = str(source)  # for the processes that compile

        from arcloom.engine.compile.wheel import pack

        pack(packed)
        build_data["pure_python"] = False
        build_data["tag"] = f"cp{sys.version_info.major}{sys.version_info.minor}-none-{PLATFORM}"
        build_data["force_include"][str(packed)] = "arcloom/engine/compile/packed"
