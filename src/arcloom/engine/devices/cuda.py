"""The device ``cuda``: one GPU or several, which share the runs of a batt.

Each GPU has a thread of the host. If a GPU is lost, the others do its work. If a GPU reports a fault of the code, the
CPU does its work, because another GPU would fail, too. Neither GPU is used again in this process.
"""

import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from arcloom import collector
from arcloom.engine.columns import Words
from arcloom.engine.compile import cubins, ptxas
from arcloom.engine.compile.errors import CompileError
from arcloom.engine.compile.progress import Printer, receiver, say
from arcloom.engine.compile.ptxas import Capability
from arcloom.engine.devices import libcuda
from arcloom.engine.devices.base import (
    DeviceError,
    DeviceFault,
    DeviceLost,
    Enumerations,
    Job,
    Programs,
    Statistics,
    T,
    worker_number,
)
from arcloom.engine.devices.cpu import run_batt
from arcloom.engine.devices.gpu import TABLES, Gpu, GpuRun, Rest, TooLarge, TooManySamples
from arcloom.engine.devices.libcuda import Description, Driver
from arcloom.engine.entry_points import FOR_GPU, ON_GPU
from arcloom.engine.outputs import Outputs
from arcloom.engine.results import Results
from arcloom.engine.samples import Samples
from arcloom.engine.warm import all_kernels, ensure

if TYPE_CHECKING:
    from arcloom.engine.merged import MergedPrograms


CUBINS_VARIABLE = "ARCLOOM_CUBINS"
"""The environment variable that names a folder with machine code for GPUs, such as that of a kit."""


class Cuda:
    """The device ``cuda``. GPUs that failed are removed from ``gpus``."""

    name = "cuda"

    def __init__(self, gpus: Sequence[Gpu], tell: Callable[[str], None] = say) -> None:
        self.gpus = list(gpus)
        self._tell = tell
        self._statistics = {gpu.name: gpu.statistics for gpu in gpus}

    @property
    def statistics(self) -> Mapping[str, Statistics]:
        """The statistics of GPUs, by name."""
        return self._statistics

    def execute(self, programs: Programs, job: Job) -> Results:
        """Run programs on the samples of a job. The CPU computes the runs that no GPU can."""
        with collector.paused():
            batt, samples = programs.batt, Samples.of(job.samples)
            samples.stay_above(max(TABLES // 2, len(batt.planner.store.words)), len(batt.planner.store.cells))
            outputs = Outputs(len(batt.programs))
            rest = self._share(batt, job, samples, outputs)
            rows = _rows_of(rest, len(batt.programs))
            return run_batt(batt, replace(job, samples=samples), outputs, rows, self.name)

    def _share(self, batt: "MergedPrograms", job: Job, samples: Samples, outputs: Outputs) -> list[Rest]:
        """Run programs on the GPUs, and return the runs that the CPU must compute."""
        waiting = deque(pieces([(p, np.asarray(job.rows[p])) for p in batt.traced], len(self.gpus)))
        rest: list[Rest] = []

        def serve(gpu: Gpu) -> None:
            while waiting:
                try:
                    piece = waiting.popleft()
                except IndexError:
                    return
                try:
                    rest.extend(gpu.run(batt, piece, samples, job.budget, outputs))
                except TooLarge:
                    halves = _halves(piece)
                    waiting.extendleft(halves)
                    rest.extend([] if halves else _all_of(piece))
                except TooManySamples:
                    rest.extend(_all_of(piece))
                except DeviceFault as error:
                    rest.extend(_all_of(piece))
                    self._drop(gpu, f"a fault of the code, {error}; the CPU does its work")
                    return
                except DeviceLost as error:
                    waiting.append(piece)
                    self._drop(gpu, f"{error}")
                    return

        while waiting and self.gpus:
            with ThreadPoolExecutor(len(self.gpus)) as threads:
                list(threads.map(serve, list(self.gpus)))
        return rest + [each for piece in waiting for each in _all_of(piece)]

    def enumerate(self, work: Enumerations[T]) -> Iterator[Mapping[int, T]]:
        """Run enumerations, a group at a time on each GPU; tasks that fit no GPU run on the CPU."""
        waiting = deque(work.groups())
        while waiting:
            gpus = list(self.gpus)
            groups = [waiting.popleft() for _ in range(min(len(gpus) or 1, len(waiting)))]
            found: dict[int, T] = {}
            with ThreadPoolExecutor(len(groups)) as threads:
                for each in threads.map(partial(self._enumerate_group, work), gpus, groups):
                    found.update(each)
            yield found
            for task in chain.from_iterable(groups):
                if task not in found:
                    yield {task: work.on_cpu(task)}

    def _enumerate_group(self, work: Enumerations[T], gpu: Gpu, tasks: Sequence[int]) -> Mapping[int, T]:
        """Run enumerations on a GPU; no results if it fails."""
        try:
            return work.on_gpu(gpu, tasks)
        except DeviceLost as error:
            self._drop(gpu, f"{error}; the CPU does its work")
            return {}

    def _drop(self, gpu: Gpu, why: str) -> None:
        self.gpus.remove(gpu)
        self._tell(f"{gpu.name} is not used any more: {why}")
        gpu.close()
        if not self.gpus:
            self._tell("no GPU is left: the CPU does the rest")


def _all_of(piece: GpuRun) -> list[Rest]:
    return [Rest(p, int(s)) for p, chosen in zip(piece.programs, piece.rows, strict=True) for s in chosen]


def _rows_of(rest: Sequence[Rest], programs: int) -> list[list[int]]:
    rows: list[list[int]] = [[] for _ in range(programs)]
    for p, sample in rest:
        rows[p].append(sample)
    return rows


def pieces(work: Sequence[tuple[int, Words]], count: int) -> list[GpuRun]:
    """Divide work into pieces of about the same number of runs: by programs, or by samples if there are few
    programs."""
    if len(work) < max(count, 1):
        parts = [[(p, np.array_split(chosen, count)[k]) for p, chosen in work] for k in range(count)]
    else:
        sizes = np.cumsum([len(chosen) for _, chosen in work])
        bounds = np.searchsorted(sizes, np.linspace(0, sizes[-1], count + 1)[1:-1], side="right").tolist()
        parts = [list(work[first:last]) for first, last in zip([0, *bounds], [*bounds, len(work)], strict=True)]
    found = ([(p, chosen) for p, chosen in part if len(chosen)] for part in parts)
    return [GpuRun([p for p, _ in part], [chosen for _, chosen in part]) for part in found if part]


def _halves(piece: GpuRun) -> list[GpuRun]:
    """A piece divided in two; empty if it cannot be divided."""
    return pieces(list(zip(piece.programs, piece.rows, strict=True)), 2) if piece.runs > 1 else []


def find_gpus(driver: Callable[[], Driver] = libcuda.CudaDriver) -> tuple[list[Description], str | None]:
    """The GPUs of this machine, and the reason if there is none."""
    try:
        found = driver()
        return [found.describe(ordinal) for ordinal in range(found.count())], None
    except (libcuda.DriverMissing, libcuda.DriverError) as error:
        return [], str(error)


def check(which: str, driver: Callable[[], Driver] = libcuda.CudaDriver) -> list[int]:
    """The numbers of the GPUs in a text such as "0,2"; the first GPU if it is empty. Raises DeviceError if one is
    missing."""
    gpus, missing = find_gpus(driver)
    if missing is not None or not gpus:
        raise DeviceError(f"--device cuda cannot be used: {missing or 'there is no GPU'}")
    wanted = _ordinals(which) if which else [0]
    absent = [ordinal for ordinal in wanted if ordinal >= len(gpus)]
    if absent:
        raise DeviceError(f"there is no GPU {', '.join(map(str, absent))}; the last one is {len(gpus) - 1}")
    return wanted


def open_device(which: str, driver: Callable[[], Driver] = libcuda.CudaDriver) -> Cuda:
    """The device with the GPUs of a text such as "0,2". GPUs that cannot be opened are left out.

    The workers of a search divide the GPUs: each opens one, because every process that uses a GPU takes hundreds of
    megabytes of its memory. A worker that cannot open its GPU uses the CPU. Raises DeviceError or CompileError.
    """
    wanted, number = check(which, driver), worker_number()
    if number is not None:
        wanted = [wanted[number % len(wanted)]]
    ensure((), entry_points=FOR_GPU)
    opened, failed = [], []
    for ordinal in wanted:
        one = driver()
        try:
            opened.append(Gpu(one, ordinal, partial(machine_code, one, ordinal)))
        except DeviceLost as error:
            failed.append(f"cuda:{ordinal} cannot be used: {error}")
    if not opened and number is None:
        raise DeviceError("; ".join(failed))
    for why in failed:
        say(why if opened else f"{why}; the CPU does its work")
    return Cuda(opened)


def prepare(which: str, driver: Callable[[], Driver] = libcuda.CudaDriver) -> None:
    """Compile the code for GPUs unless it is in a kit or the cache. Raises DeviceError or CompileError."""
    found = driver()
    try:
        for capability, ordinal in {found.describe(each).capability: each for each in check(which, driver)}.items():
            machine_code(found, ordinal, capability)
    except libcuda.DriverError as error:
        raise DeviceError(f"--device cuda cannot be used: {error}") from error


def _ordinals(which: str) -> list[int]:
    """The numbers in a text such as "0,2". Raises DeviceError."""
    parts = which.split(",")
    if not all(part.isdecimal() for part in parts) or len(set(parts)) < len(parts):
        raise DeviceError(f"cuda:{which} names no GPUs, or one twice: write cuda, cuda:0 or cuda:0,1,2,3")
    return list(map(int, parts))


def machine_code(driver: Driver, ordinal: int, capability: Capability) -> bytes:
    """The machine code for a GPU, from a kit or the cache, or newly compiled: by NVIDIA's assembler if it is installed
    and knows the capability, otherwise by the driver. Raises CompileError, or DriverError if the driver cannot.
    """
    kernels = [kernel.name for kernel in all_kernels()]
    kit = os.environ.get(CUBINS_VARIABLE)
    folders = [Path(kit)] if kit else []
    with suppress(CompileError):
        return cubins.find(folders, kernels, ON_GPU, capability).read_bytes()
    ptx = cubins.find_ptx(folders, kernels, ON_GPU)
    if ptx is None or next(ptxas.find(), None) is not None:
        try:
            cubins.build(kernels, ON_GPU, receiver() or Printer(), [capability])
            return cubins.find(folders, kernels, ON_GPU, capability).read_bytes()
        except CompileError:
            ptx = cubins.find_ptx(folders, kernels, ON_GPU)
            if ptx is None:
                raise
    say("the driver compiles the code for GPUs of compute capability {}.{}, which takes minutes".format(*capability))
    driver.open(ordinal)
    return cubins.assemble_with(partial(driver.assemble, registers=ptxas.REGISTERS), ptx, ON_GPU, capability)
