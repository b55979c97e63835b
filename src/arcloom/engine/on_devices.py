"""Running programs on CUDA devices, as ``arcloom.engine.run.run`` does for ``cuda``, ``cuda:0,1`` and ``hybrid``."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from arcloom.dsl.signature import Type
from arcloom.engine.batt import Batt
from arcloom.engine.devices.costs import Costs, calibrated, stored_costs
from arcloom.engine.devices.cuda import Cuda
from arcloom.engine.devices.driver import DeviceLost
from arcloom.engine.devices.evidence import Evidence
from arcloom.engine.devices.find import NO_CUDA, Found, find_devices, open_devices
from arcloom.engine.devices.host import Host
from arcloom.engine.devices.hybrid import Hybrid
from arcloom.engine.fleet import FleetError, Job, Voyage, run_on
from arcloom.engine.outputs import Outputs
from arcloom.engine.results import Results, Sample
from arcloom.engine.run import DeviceError
from arcloom.engine.samples import Samples
from arcloom.engine.waves.device import Device
from arcloom.engine.waves.room import Room
from arcloom.notices import say_once
from arcloom.program.term import Program


@dataclass(frozen=True)
class DeviceResults(Results):
    """Results with what devices did for them, and notes on what did not go as planned."""

    evidence: tuple[Evidence, ...] = ()
    notes: tuple[str, ...] = ()


def run(
    spec: str,
    programs: Sequence[Program],
    samples: Sequence[Sample],
    rows: Sequence[Sequence[int]],
    budget: int,
    inputs: Mapping[str, Type],
    typed_only: bool,
) -> Results:
    """See ``arcloom.engine.run.run``. Raises DeviceError."""
    batt = Batt.build(programs, inputs)
    if spec != "hybrid":
        return run_batt(batt, open_devices(spec), samples, rows, budget, typed_only=typed_only)
    found = find_devices()
    if found.missing is not None:
        say_once(f"{NO_CUDA} ({found.missing})")
        return batt.run(samples, rows=rows, budget=budget, typed_only=typed_only)
    return _run_hybrid(batt, found, Samples.of(samples), rows, budget, typed_only)


def _run_hybrid(
    batt: Batt, found: Found, samples: Samples, rows: Sequence[Sequence[int]], budget: int, typed_only: bool
) -> Results:
    """On GPUs and the host; on the CPU's own engine if no wave would be worth a launch, or if no GPU is left."""
    job = Job(batt, samples, budget)
    job.encode()
    count = sum(len(rows[p]) for p in batt.traced)
    try:
        opened = open_devices("cuda:" + ",".join(str(gpu.ordinal) for gpu in found.devices))
        costs = [costs_of(device, gpu.name) for device, gpu in zip(opened, found.devices, strict=True)]
        if any(one.faster(count, count * job.row_bytes) == "device" for one in costs):
            devices = [Hybrid(_beside(device), device, one) for device, one in zip(opened, costs, strict=True)]
            return run_batt(batt, devices, samples, rows, budget, typed_only=typed_only)
    except (DeviceError, DeviceLost) as error:
        say_once(f"{NO_CUDA} ({error})")
    return batt.run(samples, rows=rows, budget=budget, typed_only=typed_only)


BESIDE = 1 << 28
"""So many words, and as many cells, a device has at most beside a host, which has to have the same places: 2 GiB and a
quarter, of which only what is used takes memory."""


@cache
def _beside(device: Device) -> Host:
    """The host, with the same room as a device, which is no larger from now on than the host may have."""
    if device.room.words > BESIDE or device.room.cells > BESIDE:
        device.room = Room(min(BESIDE, device.room.words), min(BESIDE, device.room.cells))
    return Host(device.room.words, device.room.cells, "host", device.room)


def costs_of(device: Cuda, name: str) -> Costs:
    """What waves cost on a GPU and beside it, measured when first asked."""
    return stored_costs(name, lambda: calibrated(Host(), device)[2])


def run_batt(
    batt: Batt,
    devices: Sequence[Device],
    samples: Sequence[Sample],
    rows: Sequence[Sequence[int]],
    budget: int,
    expected: str | None = None,
    stay: bool = False,
    typed_only: bool = False,
) -> DeviceResults:
    """A batt on devices for waves: program p on the samples ``rows[p]``. See ``Batt.run``."""
    start = time.perf_counter()
    outputs = Outputs(len(batt.programs))
    columned = Samples.of(samples)
    try:
        voyage = run_on(devices, Job(batt, columned, budget, expected, stay), rows, outputs)
    except FleetError as error:
        raise DeviceError(str(error)) from error
    left = batt.run_left(columned, rows, budget, outputs, typed_only)
    seconds = {**batt.seconds, "run": time.perf_counter() - start}
    done = tuple(voyage.evidence), tuple(voyage.notes)
    results = DeviceResults(batt.programs, left.rows, left.untyped, outputs, seconds, left.fallback, "", *done)
    _tell(voyage)
    return results


_voyages: list[Voyage] = []
"""What devices did since somebody asked."""


def _tell(voyage: Voyage) -> None:
    _voyages.append(voyage)


def told() -> list[Voyage]:
    """What devices did in all runs since this was last asked: for whoever wants to print it."""
    found, _voyages[:] = list(_voyages), []
    return found
