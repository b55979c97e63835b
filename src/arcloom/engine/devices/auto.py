"""The device ``auto``: small jobs run on the reference, larger ones on the CPU or on faster GPUs.

All devices give the same results, so only the time depends on the choice. Starting the engine takes time: the compiler
is imported, and kernels that are not in the cache are compiled. A job runs on the reference until the work done there
exceeds the work of starting the engine; then the engine runs it from the beginning. GPUs are used only for the kinds of
work at which ``arcloom devices --calibrate`` has found them faster than the CPU on this machine.
"""

import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar

from arcloom.dsl.work import PROBE, Allowance, Exhausted
from arcloom.engine.devices.base import BATT, ENUMERATION, Device, Enumerations, Job, Programs, Statistics, T
from arcloom.engine.devices.reference import Reference
from arcloom.engine.results import Results

if TYPE_CHECKING:
    from arcloom.engine.merged import MergedPrograms

KERNEL = 1_000_000
"""Units of work of the reference that take as long as compiling a kernel: half a second. A kernel takes a second of
processor time on average, and two cores share the kernels."""

ENTRY_POINT = 20_000_000
"""Units of work of the reference that take as long as compiling the entry point that runs programs: 10 s."""


class Auto:
    """Chooses a device for each job.

    Work on the reference is counted over all jobs of the process, so that many small jobs start the engine as one large
    job does.
    """

    name = "auto"
    statistics: ClassVar[Mapping[str, Statistics]] = {}
    """Empty: the devices that are chosen have their own."""

    def __init__(self) -> None:
        self._spent = 0
        self._chosen: dict[str, Device] = {}
        """The chosen device for each kind of work that the engine has done."""

    def execute(self, programs: Programs, job: Job) -> Results:
        """Run programs on the samples of a job. ``Results.device`` says which device ran them."""
        if not _engine_is_loaded():
            found = self._within(PROBE, programs, job)
            if found is not None:
                return found
        found = self._within(_compilation(programs.batt), programs, job)
        if found is not None:
            return found
        self._spent = 0
        return self._engine(BATT).execute(programs, job)

    def enumerate(self, work: Enumerations[T]) -> Iterator[Mapping[int, T]]:
        """Run enumerations on the CPU, or on GPUs if they are faster."""
        return self._engine(ENUMERATION).enumerate(work)

    def _engine(self, work: str) -> Device:
        """The compiled device for a kind of work."""
        if work not in self._chosen:
            from arcloom.engine.calibration import fastest  # imported here, because importing the compiler takes time

            self._chosen[work] = fastest(work)
        return self._chosen[work]

    def _within(self, price: int, programs: Programs, job: Job) -> Results | None:
        """The results of the reference; None if the work done there would exceed ``price``, the work of starting the
        engine."""
        if price <= self._spent:
            return None
        allowance = Allowance(price - self._spent)
        try:
            return Reference(allowance).execute(programs, job)
        except Exhausted:
            return None
        finally:
            self._spent += min(allowance.used, allowance.limit)


def _engine_is_loaded() -> bool:
    return "arcloom.engine.batt" in sys.modules


def _compilation(batt: "MergedPrograms") -> int:
    """The work of compiling what a batt needs and the cache does not have."""
    from arcloom.engine.compile.library import LIBRARY

    kernels = LIBRARY.missing(kernel.name for kernel in batt.planner.kernels)
    return KERNEL * len(kernels) + ENTRY_POINT * len(LIBRARY.missing(["run_tiles"]))


def open_device(which: str) -> Auto:
    """The device ``auto``. ``which`` is not used."""
    return Auto()
