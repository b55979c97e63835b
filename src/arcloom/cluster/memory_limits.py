"""The memory of a search: the installed amount, the use of processes, and the limit of each worker."""

import os
import re
import resource
import sys
from contextlib import suppress
from pathlib import Path

from arcloom.engine.compile.processes import cores

WORKER_NEEDS = 3 << 28
"""Minimum memory of a worker in bytes (0.75 GB). With less, it would be replaced after every unit."""

WORKER_USES = 3 << 30
"""Maximum memory of a worker in bytes (3 GB). A worker with more than this is slower than a new one."""

COORDINATOR = 1 << 29
"""Memory of the coordinator in bytes (0.5 GB)."""

SHARE = 0.8
"""Default share of the machine's memory that a search may use."""

EXCESS = 1.5
"""Multiple of its limit above which a worker is ended at once, so that its unit fails. Below it, a worker that exceeds
its limit is replaced after its unit."""

PROCESSES_PER_CORE = 8
"""Maximum number of worker processes per core. More are not faster, and starting them could exhaust the memory."""

CGROUPS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
"""Files that contain the memory limit of a Linux container."""

_UNITS = {"M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([MGT])(?:i?B)?", re.IGNORECASE)


class MemoryLimitError(ValueError):
    """An amount of memory that is malformed or too small."""


def bytes_of(text: str) -> int:
    """The number of bytes of an amount such as "8GB" or "500MB"."""
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise MemoryLimitError(f"{text!r} is no amount of memory; write a number with MB or GB, such as 8GB")
    return int(float(match[1]) * _UNITS[match[2].upper()])


def worker_limit(memory: int | None, workers: int) -> int:
    """The memory limit of each worker in bytes, if all processes of a search together may use ``memory``.

    Without ``memory``, they may use SHARE of the installed amount. Raises MemoryLimitError if ``memory`` is too small.
    """
    each = ((int(installed() * SHARE) if memory is None else memory) - COORDINATOR) // workers
    if memory is not None and each < WORKER_NEEDS:
        needed = (COORDINATOR + workers * WORKER_NEEDS) / (1 << 30)
        raise MemoryLimitError(
            f"{workers} workers need at least {needed:.2f} GB, and --memory is {memory / (1 << 30):.2f} GB; "
            "use fewer workers (--workers) or more memory"
        )
    return min(max(each, WORKER_NEEDS), WORKER_USES)


def most_processes() -> int:
    """The maximum number of worker processes on this machine."""
    return PROCESSES_PER_CORE * cores()


def installed() -> int:
    """The memory of this machine in bytes, or of the container in which this process runs."""
    found = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    for file in CGROUPS:
        with suppress(OSError, ValueError):
            found.append(int(Path(file).read_text(encoding="ascii")))
    return min(found)


def resident(pid: int | None = None) -> int:
    """The resident memory of a process in bytes, by default of this one; 0 if it is unknown.

    On systems without /proc, it is the peak memory of this process.
    """
    try:
        pages = Path(f"/proc/{pid or 'self'}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        unit = 1 if sys.platform == "darwin" else 1024
        return 0 if pid is not None else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
