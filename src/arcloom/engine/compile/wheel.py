"""Compiling all units into a folder, for a binary wheel."""

import shutil
import time
from pathlib import Path

from arcloom.engine.compile.packed import write_manifest
from arcloom.engine.compile.processes import compile_jobs, cores, jobs_of
from arcloom.engine.compile.progress import CompileProgress, Printer
from arcloom.engine.compile.target import PORTABLE
from arcloom.engine.entry_points import FOR_GPU, ON_CPU
from arcloom.engine.warm import all_kernels


def pack(folder: Path) -> None:
    """Compile all kernels and entry points for each portable level into a folder, which is emptied first."""
    shutil.rmtree(folder, ignore_errors=True)
    folders = {folder / target.folder: target for target in PORTABLE}
    for each in folders:
        each.mkdir(parents=True)
    entry_points = tuple(dict.fromkeys((*ON_CPU, *FOR_GPU)))
    names = [*entry_points, *(kernel.name for kernel in all_kernels())]
    began, printer = time.monotonic(), Printer()
    jobs = jobs_of(names, entry_points, cores())
    compile_jobs(jobs, folders, lambda done: printer(CompileProgress(done, len(names), time.monotonic() - began)))
    printer(CompileProgress(len(names), len(names), time.monotonic() - began, ended=True))
    write_manifest(folder)
