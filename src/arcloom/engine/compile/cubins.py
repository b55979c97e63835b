"""Building code for GPUs without a GPU: for each compute capability a cubin with all kernels and entry points.

Cubins are in a folder whose name contains a digest of the sources, in the cache or in a kit.
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import asdict
from functools import partial
from pathlib import Path
from shutil import copy

from arcloom.engine.compile import cuda, objects, ptxas
from arcloom.engine.compile.cuda import entry_name, ptx
from arcloom.engine.compile.digest import digest_of, sources
from arcloom.engine.compile.elf import launchable_functions
from arcloom.engine.compile.errors import CompileError
from arcloom.engine.compile.folders import lock, trusted, writable
from arcloom.engine.compile.objects import SUFFIX, ObjectFile
from arcloom.engine.compile.processes import compile_jobs, cores, jobs_of
from arcloom.engine.compile.progress import CompileProgress, Report
from arcloom.engine.compile.ptxas import CAPABILITIES, Capability, ThreadResources, architecture, assemble
from arcloom.engine.compile.target import GPU
from arcloom.files import replacing, write_atomically

PTX = "arcloom.ptx"
ASSEMBLING = "Assembling code for GPUs (once)"
TICK = 0.5
"""Seconds between two reports while code is assembled, which takes minutes."""


def folder_name(kernels: Sequence[str], entry_points: Sequence[str]) -> str:
    """The name of the folder with cubins of these kernels. Unlike code for CPUs, cubins depend on the sources only, not
    on the versions of Python and Numba."""
    texts = [part for item in sources().items() for part in item]
    linked = [Path(module.__file__ or "").read_bytes() for module in (cuda, ptxas)]
    return f"cuda-{digest_of([*texts, *linked, *kernels, '', *entry_points])}"


def find(folders: Sequence[Path], kernels: Sequence[str], entry_points: Sequence[str], capability: Capability) -> Path:
    """The cubin for a GPU, in one of these folders or in the cache.

    A cubin for a lower minor version of the capability can be used, too. Raises CompileError if there is none.
    """
    name = folder_name(kernels, entry_points)
    for folder in (*(folder / name for folder in folders), *trusted(name)):
        for minor in range(capability[1], -1, -1):
            file = _cubin(folder, (capability[0], minor))
            if file.is_file():
                return file
    raise CompileError(f"there is no compiled code for GPUs of compute capability {capability[0]}.{capability[1]}")


def find_ptx(folders: Sequence[Path], kernels: Sequence[str], entry_points: Sequence[str]) -> Path | None:
    """The PTX of kernels and entry points in one of these folders or in the cache, if it is there."""
    name = folder_name(kernels, entry_points)
    files = (folder / PTX for folder in (*(folder / name for folder in folders), *trusted(name)))
    return next((file for file in files if file.is_file()), None)


def assemble_with(
    assembler: Callable[[bytes], bytes], ptx: Path, entry_points: Sequence[str], capability: Capability
) -> bytes:
    """The cubin that an assembler makes of a PTX file. It is kept in the cache. Other processes wait for it."""
    folder = writable(ptx.parent.name)
    cubin = _cubin(folder, capability)
    with lock(folder) as locked:
        while not locked():
            time.sleep(TICK)
        if not cubin.exists():
            code = assembler(ptx.read_bytes())
            check(code, entry_points)
            write_atomically(cubin, code)
        return cubin.read_bytes()


def build(
    kernels: Sequence[str],
    entry_points: Sequence[str],
    report: Report,
    capabilities: Sequence[Capability] = CAPABILITIES,
    into: Path | None = None,
) -> dict[Capability, dict[str, ThreadResources]]:
    """Compile kernels and entry points for GPUs into the cache, unless they are there. Copy PTX and cubins to ``into``.

    Returns the resources of each entry point for each capability. Raises CompileError.
    """
    name = folder_name(kernels, entry_points)
    folder = writable(name)
    if not (folder / PTX).exists():
        write_atomically(folder / PTX, _ptx(kernels, entry_points, report))
    used = _in_parallel(partial(_assembled, folder, entry_points), capabilities, report)
    if into is not None:
        (into / name).mkdir(parents=True, exist_ok=True)
        for file in (folder / PTX, *(_cubin(folder, capability) for capability in capabilities)):
            copy(file, into / name)
    return dict(zip(capabilities, used, strict=True))


def _in_parallel(
    assembled: Callable[[Capability], dict[str, ThreadResources]], capabilities: Sequence[Capability], report: Report
) -> list[dict[str, ThreadResources]]:
    """Assemble for each capability. Progress is reported if that takes more than a moment."""
    began, reported = time.monotonic(), False
    with ThreadPoolExecutor(cores()) as threads:
        futures = [threads.submit(assembled, capability) for capability in capabilities]
        while (state := wait(futures, TICK)).not_done:
            seconds, reported = time.monotonic() - began, True
            report(CompileProgress(len(state.done), len(futures), seconds, step=ASSEMBLING))
    if reported:
        report(CompileProgress(len(futures), len(futures), time.monotonic() - began, ended=True, step=ASSEMBLING))
    return [future.result() for future in futures]


def _cubin(folder: Path, capability: Capability) -> Path:
    return folder / f"{architecture(capability)}.cubin"


def _assembled(folder: Path, entry_points: Sequence[str], capability: Capability) -> dict[str, ThreadResources]:
    """Write the cubin for a capability unless it exists, and return the resources of its entry points."""
    cubin = _cubin(folder, capability)
    told = cubin.with_suffix(".json")
    if not (cubin.exists() and told.exists()):
        with replacing(cubin) as partial_cubin:
            used = assemble(folder / PTX, capability, partial_cubin)
            check(partial_cubin.read_bytes(), entry_points)
            write_atomically(told, json.dumps({name: asdict(each) for name, each in used.items()}))
    return {name: ThreadResources(**each) for name, each in json.loads(told.read_text()).items()}


def check(cubin: bytes, entry_points: Sequence[str]) -> None:
    """Raise CompileError unless a cubin has all entry points."""
    missing = {entry_name(name) for name in entry_points} - launchable_functions(cubin)
    if missing:
        raise CompileError(f"code for GPUs lacks {', '.join(sorted(missing))}")


def _ptx(kernels: Sequence[str], entry_points: Sequence[str], report: Report) -> str:
    """The PTX of kernels and entry points. Units that are not in the cache are compiled to LLVM bitcode first."""
    names, folder, began = [*entry_points, *kernels], writable(GPU.folder), time.monotonic()
    missing = [name for name in names if name not in _found(folder)]
    if missing:
        jobs = jobs_of(missing, entry_points, cores())
        compile_jobs(
            jobs, {folder: GPU}, lambda done: report(CompileProgress(done, len(missing), time.monotonic() - began))
        )
    report(CompileProgress(len(missing), len(missing), time.monotonic() - began, ended=True))
    return ptx(_found(folder), kernels, entry_points)


def _found(folder: Path) -> dict[str, ObjectFile]:
    """The bitcode of each function in a folder."""
    return {name: each for each in _files(folder) for name in each.names}


def _files(folder: Path) -> Iterator[ObjectFile]:
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        each = objects.read(path)
        if each is not None:
            yield each
