"""The memory of a search: how much there is, how much processes use, and how it is shared out."""

import os
import re
import resource
import sys
from contextlib import suppress
from pathlib import Path

from arcloom.engine.compile.processes import cores

WORKER_NEEDS = 3 << 28
"""Bytes that a worker needs to search for a task (0.75 GB); with less it would be replaced after every unit."""

WORKER_USES = 3 << 30
"""Maximum number of bytes for a worker (3 GB). A worker that has kept more than this is slower than a new one."""

COORDINATOR = 1 << 29
"""Bytes for the coordinator (0.5 GB)."""

SHARE = 0.8
"""Share of the machine's memory that a search uses unless the user says otherwise."""

EXCESS = 1.5
"""A worker that uses this multiple of its limit is ended at once, and its unit fails. Below it, a worker is replaced
after its unit."""

PROCESSES_PER_CORE = 8
"""Maximum number of worker processes per core. More would not be faster, and could exhaust the machine's memory while
they start."""

CGROUPS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
"""Files in which Linux tells a container its limit."""

_UNITS = {"M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([MGT])(?:i?B)?", re.IGNORECASE)


class MemoryLimitError(ValueError):
    """An amount of memory that cannot be read, or that is too small."""


def bytes_of(text: str) -> int:
    """The number of bytes of an amount such as "8GB" or "500MB"."""
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise MemoryLimitError(f"{text!r} is no amount of memory; write a number with MB or GB, such as 8GB")
    return int(float(match[1]) * _UNITS[match[2].upper()])


def worker_limit(memory: int | None, workers: int) -> int:
    """Bytes that each worker may use, if all processes of a search together may use ``memory``.

    Raises MemoryLimitError if the amount was given and is not enough.
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
    """Maximum number of worker processes on this machine."""
    return PROCESSES_PER_CORE * cores()


def installed() -> int:
    """Bytes of memory of this machine, or of the container in which this process runs."""
    found = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    for file in CGROUPS:
        with suppress(OSError, ValueError):
            found.append(int(Path(file).read_text(encoding="ascii")))
    return min(found)


def resident(pid: int | None = None) -> int:
    """Bytes of memory that a process uses now, by default this one; 0 if that is not known.

    Where there is no /proc, it is the most that this process has used so far.
    """
    try:
        pages = Path(f"/proc/{pid or 'self'}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        unit = 1 if sys.platform == "darwin" else 1024
        return 0 if pid is not None else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
