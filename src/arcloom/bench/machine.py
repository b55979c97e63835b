"""The conditions of a measurement."""

import os
import platform
import re
from importlib.metadata import version
from pathlib import Path
from typing import Any


def conditions() -> dict[str, Any]:
    """The machine and the versions of software. ``load`` is the load average of the last minute."""
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "load": round(os.getloadavg()[0], 2),
        "python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "numba")},
    }


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*:\s*(.*)", info.read_text(encoding="utf-8")) if info.exists() else None
    return found[1] if found else platform.processor() or platform.machine()
