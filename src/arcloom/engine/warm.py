"""Compiling kernels, and the machine that calls them, ahead of their use, on all cores, into the cache.

As a program, ``python -m arcloom.engine.warm NAME ...`` compiles what is named and prints each name when done.
"""

import os
import subprocess
import sys
from collections.abc import Iterable
from queue import Queue
from threading import Thread

from arcloom.engine import kernels, reporting  # noqa: F401  (importing kernels declares them)
from arcloom.engine.entrances import entrance, missing_entrances
from arcloom.engine.kernel import KERNELS, Kernel
from arcloom.engine.launchers import launcher, missing

FEW = 3
"""So many kernels are compiled here; for more, other processes are worth starting."""

MACHINE = "machine:"
"""What stands before the name of one of the machine's entrances."""


class CompileError(RuntimeError):
    """A kernel that could not be compiled."""


def all_kernels() -> list[Kernel]:
    """Every kernel of every operation."""
    return [kernel for variants in KERNELS.values() for kernel in variants]


def warm(wanted: Iterable[Kernel] | None = None) -> int:
    """Compile those of the kernels (by default all) that are not in the cache; how many those were."""
    cold = missing(all_kernels() if wanted is None else wanted)
    if wanted is None or len(cold) > FEW:
        names = [MACHINE + name for name in missing_entrances()] + [kernel.name for kernel in cold]
        if names:
            _compile_in_processes(names)
    else:
        for kernel in cold:
            launcher(kernel)
    return len(cold)


def _compile_in_processes(names: list[str]) -> None:
    count = os.cpu_count() or 1
    lines: Queue[str | None] = Queue()
    readers = [Thread(target=_compile_there, args=(names[k::count], lines), daemon=True) for k in range(count)]
    for reader in readers:
        reader.start()
    done: list[str] = []
    running = len(readers)
    while running:
        line = lines.get()
        running -= line is None
        if line is not None:
            done.append(line)
            reporting.report(len(done), len(names))
    failed = sorted(set(names) - set(done))
    if failed:
        raise CompileError(f"these did not compile: {', '.join(failed)}")


def _compile_there(names: list[str], lines: "Queue[str | None]") -> None:
    """Compile in a process of its own: one compiler thread can run at a time in a process."""
    command = [sys.executable, "-m", "arcloom.engine.warm", *names]
    try:
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                lines.put(line.strip())
    finally:
        lines.put(None)


def main(names: list[str]) -> None:
    """Compile what has these names, in this order."""
    by_name = {kernel.name: kernel for kernel in all_kernels()}
    for name in names:
        try:
            if name.startswith(MACHINE):
                entrance(name.removeprefix(MACHINE))
            else:
                launcher(by_name[name])
        except Exception as error:  # the others can still be compiled
            print(f"{name}: {error}", file=sys.stderr)
        else:
            print(name, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
