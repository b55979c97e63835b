"""Running programs on samples: the one entrance to all devices."""

from collections.abc import Mapping, Sequence
from typing import Any

from arcloom.dsl.declare import DEFAULT_BUDGET
from arcloom.dsl.signature import Type
from arcloom.engine.devices import reference
from arcloom.engine.results import Results
from arcloom.program.term import Program
from arcloom.program.trace import STANDARD_INPUTS

Sample = Mapping[str, Any]
"""The inputs of one run by name: ``I``, and ``S`` and ``C`` where programs read them."""

DEVICES = {"reference": reference.run}


class DeviceError(ValueError):
    """A device that does not exist or cannot be used here."""


def run(
    programs: Sequence[Program],
    samples: Sequence[Sample],
    *,
    device: str = "reference",
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
