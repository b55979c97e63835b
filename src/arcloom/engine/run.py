"""Running programs on samples: the one entrance to all devices."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from arcloom.dsl.declare import DEFAULT_BUDGET
from arcloom.dsl.signature import Type
from arcloom.engine import auto
from arcloom.engine.devices import reference
from arcloom.engine.given import programs_of, samples_of
from arcloom.engine.isolate import isolated
from arcloom.engine.results import Results, Sample
from arcloom.program.term import Program
from arcloom.program.trace import STANDARD_INPUTS


def _cpu(
    programs: Sequence[Program],
    samples: Sequence[Sample],
    rows: Sequence[Sequence[int]],
    budget: int,
    inputs: Mapping[str, Type],
    typed_only: bool,
) -> Results:
    from arcloom.engine.batt import build_and_run  # here, because importing the compiler takes its time

    return build_and_run(programs, samples, inputs, rows=rows, budget=budget, typed_only=typed_only)


Runner = Callable[..., Results]


def _on(spec: str) -> Runner:
    """Runs on the CUDA devices that a specification names, or on them and the host."""

    def run(*given: Any) -> Results:
        from arcloom.engine import on_devices

        return on_devices.run(spec, *given)

    return run


DEVICES: dict[str, Runner] = {
    "auto": auto.run,
    "reference": reference.run,
    "cpu": _cpu,
    "cuda": _on("cuda"),
    "hybrid": _on("hybrid"),
}

DEFAULT_DEVICE = "auto"


class DeviceError(ValueError):
    """A device that does not exist or cannot be used here."""


def runner_of(device: str) -> Runner:
    """The function that runs programs on a device. Raises DeviceError if there is no device of this name."""
    runner = _on(device) if device.startswith("cuda:") else DEVICES.get(device)
    if runner is None:
        raise DeviceError(f"there is no device {device!r}; devices are {', '.join(DEVICES)} and cuda:0,1,...")
    return runner


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

    Programs may be texts. Samples may be a Task, whose samples they are then, or grids by themselves, also as arrays.
    A row that fails is data in the results. ``inputs`` says what type each input has. A program that has no types is
    left to the reference, and counts as untyped if it has no value there; with ``typed_only`` it is not run. The device
    "auto" is the reference for small jobs and "cpu" for others.
    """
    runner = runner_of(device)
    given, columns = programs_of(programs), samples_of(samples)
    chosen = rows if rows is not None else [range(len(columns))] * len(given)

    def run_some(some: Sequence[Program], their_rows: Sequence[Sequence[int]]) -> Results:
        return runner(some, columns, their_rows, budget, inputs, typed_only)

    results = isolated(run_some, given, chosen)
    return results if results.device else replace(results, device=device)
