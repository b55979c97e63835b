"""Calibration: times the same work on the CPU and on GPUs, so that the device ``auto`` chooses by measurement."""

import json
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from arcloom.dsl.declare import DEFAULT_BUDGET
from arcloom.engine.compile.digest import source_digest
from arcloom.engine.compile.errors import CompileError
from arcloom.engine.compile.folders import trusted, writable
from arcloom.engine.compile.processes import cores
from arcloom.engine.devices import cuda, device_of
from arcloom.engine.devices.base import BATT, ENUMERATION, Device, DeviceError, Enumerations, Job, Programs
from arcloom.engine.devices.cpu import Cpu
from arcloom.engine.devices.libcuda import DriverError, DriverMissing
from arcloom.engine.samples import Samples
from arcloom.files import write_atomically
from arcloom.library import bundled
from arcloom.notices import say_once
from arcloom.program.trace import STANDARD_INPUTS
from arcloom.tasks.samples import inputs

FOLDER, FILE = "calibration", "speeds.json"
REPEATS = 3
GRIDS = 64
"""The number of samples that every bundled program runs on."""


@dataclass(frozen=True)
class Calibration:
    """The speed of a device at a kind of ``work``: program runs or enumerated tasks per second, the best of several
    times. ``gpu`` is the name of the GPU, if it is one; the name and the sources' digest say for which machine and
    version the speed holds."""

    work: str
    device: str
    gpu: str | None
    count: int
    per_second: float
    digest: str

    def as_json(self) -> dict[str, Any]:
        """All fields, for JSON."""
        return asdict(self)


def calibrate(device: Device, enumerations: Enumerations[Any], gpu: str | None = None) -> list[Calibration]:
    """Time all bundled programs on made-up grids, and enumerations of tasks."""
    programs = Programs(bundled(), STANDARD_INPUTS)
    samples = Samples([inputs(grid, ((grid, grid),)) for grid in map(made_up_grid, range(GRIDS))])
    job = Job(samples, [range(GRIDS)] * len(programs.programs), DEFAULT_BUDGET, typed_only=True)
    tasks = sum(map(len, enumerations.groups()))
    timed = {
        BATT: (job.runs, lambda: device.execute(programs, job)),
        ENUMERATION: (tasks, lambda: deque(device.enumerate(enumerations), 0)),
    }
    return [
        Calibration(work, device.name, gpu, count, round(count / _seconds(run), 3), source_digest())
        for work, (count, run) in timed.items()
    ]


def _seconds(run: Callable[[], Any]) -> float:
    """The shortest time of several runs. The first run, which loads kernels, does not count."""
    times = []
    for _ in range(REPEATS + 1):
        started = time.perf_counter()
        run()
        times.append(time.perf_counter() - started)
    return min(times[1:])


def made_up_grid(number: int) -> tuple[tuple[int, ...], ...]:
    """A synthetic grid with some objects. Its size and contents depend on the number."""
    side = 3 + number % 28
    return tuple(
        tuple((i * j * (number + 1) // 7) % 10 if (i + j) % 3 else 0 for j in range(side)) for i in range(side)
    )


def keep(calibrations: Sequence[Calibration]) -> None:
    """Store calibrations for the device ``auto``. Raises CompileError if the cache cannot be written to."""
    write_atomically(writable(FOLDER) / FILE, json.dumps([each.as_json() for each in calibrations]))


def kept() -> list[Calibration]:
    """The stored calibrations of this version; none if the file cannot be read."""
    try:
        files = [folder / FILE for folder in trusted(FOLDER)]
        found = [Calibration(**each) for file in files if file.exists() for each in json.loads(file.read_text())]
    except (CompileError, OSError, ValueError, TypeError):
        return []
    return [each for each in found if each.digest == source_digest()]


def _of_all_cores(cpu: Calibration) -> float:
    """The speed of the CPU. A batt runs on all cores, but the enumeration for a task on one, and a search has a worker
    process on each core."""
    return cpu.per_second * (cores() if cpu.work == ENUMERATION else 1)


def faster_gpus(work: str) -> list[int]:
    """The GPUs of this machine that were measured to be faster than the CPU at a kind of work."""
    known = [each for each in kept() if each.work == work]
    cpu = next((_of_all_cores(each) for each in known if each.gpu is None), None)
    faster = {each.gpu for each in known if cpu is not None and each.per_second > cpu}
    gpus, _ = cuda.find_gpus() if faster else ([], None)
    return [ordinal for ordinal, gpu in enumerate(gpus) if gpu.name in faster]


def fastest(work: str) -> Device:
    """The GPUs that are faster than the CPU at a kind of work; the CPU if there are none or they cannot be used."""
    wanted = ",".join(map(str, faster_gpus(work)))
    try:
        return device_of(f"cuda:{wanted}") if wanted else Cpu()
    except (DeviceError, CompileError, DriverError, DriverMissing) as error:
        say_once(f"GPUs are not used: {error}")
        return Cpu()
