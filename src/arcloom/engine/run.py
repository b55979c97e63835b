"""Running programs on samples: the one entrance to all devices."""

from collections.abc import Mapping, Sequence

from arcloom.dsl.declare import DEFAULT_BUDGET
from arcloom.dsl.signature import Type
from arcloom.engine.devices import reference
from arcloom.engine.results import Results, Sample
from arcloom.program.term import Program
from arcloom.program.trace import STANDARD_INPUTS


def _cpu(
    programs: Sequence[Program],
    samples: Sequence[Sample],
    rows: Sequence[Sequence[int]],
    budget: int,
    inputs: Mapping[str, Type],
) -> Results:
    from arcloom.engine.batt import Batt  # here, because importing the compiler takes its time

    return Batt.build(programs, inputs).run(samples, rows=rows, budget=budget)


DEVICES = {"reference": reference.run, "cpu": _cpu}


class DeviceError(ValueError):
    """A device that does not exist or cannot be used here."""


def run(
    programs: Sequence[Program],
    samples: Sequence[Sample],
    *,
    device: str = "cpu",
    budget: int = DEFAULT_BUDGET,
    rows: Sequence[Sequence[int]] | None = None,
    inputs: Mapping[str, Type] = STANDARD_INPUTS,
) -> Results:
    """Run every program on every sample, or program p on the samples ``rows[p]`` only.

    A program that has no types is not run; a row that fails is data in the results. ``inputs`` says what type each
    input has.
    """
    if device not in DEVICES:
        raise DeviceError(f"there is no device {device!r}; devices are {', '.join(DEVICES)}")
    chosen = rows if rows is not None else [range(len(samples))] * len(programs)
    return DEVICES[device](programs, samples, chosen, budget, inputs)
