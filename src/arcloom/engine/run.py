"""Running programs on samples: the one entry point to all devices."""

from collections.abc import Mapping, Sequence
from typing import Any

from arcloom.dsl.declare import DEFAULT_BUDGET
from arcloom.dsl.signature import Type
from arcloom.engine.arguments import programs_of, samples_of
from arcloom.engine.devices import DEFAULT_DEVICE, device_of
from arcloom.engine.devices.base import Job, Programs
from arcloom.engine.isolate import isolated
from arcloom.engine.results import Results, Sample
from arcloom.program.term import Program
from arcloom.program.trace import STANDARD_INPUTS


def run(
    programs: Sequence[Program | str],
    samples: "Sequence[Sample] | Any",
    *,
    device: str = DEFAULT_DEVICE,
    budget: int = DEFAULT_BUDGET,
    rows: Sequence[Sequence[int]] | None = None,
    inputs: Mapping[str, Type] = STANDARD_INPUTS,
    typed_only: bool = False,
) -> Results:
    """Run every program on every sample, or program p on the samples ``rows[p]`` only.

    ``programs`` may be texts. ``samples`` may be a Task, or grids, also as arrays. A failure does not raise: it is data
    in the results. ``inputs`` has the type of each input. A program without types runs on the reference, and counts as
    untyped if it fails there on all samples; with ``typed_only`` it does not run. The device "auto" is chosen by the
    work of the job: see docs/engine.md. Raises DeviceError.
    """
    given, columns = programs_of(programs), samples_of(samples)
    chosen = rows if rows is not None else [range(len(columns))] * len(given)
    opened = device_of(device)

    def run_some(some: Sequence[Program], their_rows: Sequence[Sequence[int]]) -> Results:
        return opened.execute(Programs(some, inputs), Job(columns, their_rows, budget, typed_only))

    return isolated(run_some, given, chosen)
