"""The device ``cpu``: compiled kernels on several threads."""

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from arcloom import collector
from arcloom.engine.devices.base import Enumerations, Job, Programs, Statistics, T, enumerated_on_cpu
from arcloom.engine.devices.reference import FallbackRuns, run_fallback
from arcloom.engine.merged import MergedPrograms
from arcloom.engine.outputs import Outputs
from arcloom.engine.results import Results
from arcloom.engine.samples import Samples, input_columns
from arcloom.engine.warm import ensure
from arcloom.engine.work import Work, in_tiles, run_work


class Cpu:
    """The device ``cpu``."""

    name = "cpu"
    statistics: ClassVar[Mapping[str, Statistics]] = {}

    def execute(self, programs: Programs, job: Job) -> Results:
        """Run programs on the samples of a job."""
        with collector.paused():
            return run_batt(programs.batt, job, Outputs(len(programs.programs)), job.rows, self.name)

    def enumerate(self, work: Enumerations[T]) -> Iterator[Mapping[int, T]]:
        """Run enumerations one after the other."""
        return enumerated_on_cpu(work)


def run_batt(batt: MergedPrograms, job: Job, outputs: Outputs, rows: Sequence[Sequence[int]], device: str) -> Results:
    """Run program p on the samples ``rows[p]``, and programs without types or kernels on the reference.

    ``outputs`` may already have other runs of the job. ``device`` is the name of the device in the results.
    """
    start = time.perf_counter()
    samples = Samples.of(job.samples)
    samples.stay_above(len(batt.planner.store.words), len(batt.planner.store.cells))
    inputs = input_columns(batt.input_nodes, samples)
    encoded = time.perf_counter()
    ensure(batt.planner.kernels, entry_points=("run_tiles",))
    compiled = time.perf_counter()
    run_work(Work(batt, samples.store, inputs, job.budget, outputs), in_tiles(rows, list(batt.traced)), job.threads)
    left: FallbackRuns = run_fallback(batt, job, outputs)
    seconds = {
        **batt.seconds,
        "encode": encoded - start,
        "compile": compiled - encoded,
        "run": time.perf_counter() - compiled,
    }
    return Results(batt.programs, left.rows, left.untyped, outputs, seconds, left.fallback, device)


def open_device(which: str) -> Cpu:
    """The device ``cpu``. ``which`` is not used: there is only one."""
    return Cpu()
