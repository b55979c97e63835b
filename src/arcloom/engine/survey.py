"""A survey of the devices of this machine: what is there, whether it gives what the reference gives, what it costs."""

import os
import time
from dataclasses import asdict, dataclass, field
from typing import Any

from arcloom.engine.devices.costs import Costs, Point, calibrated, line_of, measure_waves, store_costs
from arcloom.engine.devices.evidence import Evidence
from arcloom.engine.devices.find import NO_CUDA, Found, find_devices, open_devices
from arcloom.engine.devices.host import Host
from arcloom.engine.fleet import FleetError
from arcloom.engine.run import DeviceError
from arcloom.engine.selftest import Difference, SelfTest, selftest


@dataclass(frozen=True)
class Tested:
    """A device and how its self-test went."""

    name: str
    what: str
    test: SelfTest
    seconds: float
    evidence: list[Evidence] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """All of it."""
        return {
            "name": self.name,
            "what": self.what,
            "passed": self.test.passed,
            **asdict(self.test),
            "seconds": round(self.seconds, 3),
            "evidence": [one.as_json() for one in self.evidence],
        }


@dataclass(frozen=True)
class Calibration:
    """What waves took on the host and on a device; without a device there is nothing to compare."""

    host: list[Point]
    device_name: str | None = None
    device: list[Point] = field(default_factory=list)
    costs: Costs | None = None

    def rows(self) -> list[dict[str, Any]]:
        """The crossover table: for each kind of wave, seconds on either side, and where it is faster."""
        there = {(point.kernel, point.rows, point.cells): point.seconds for point in self.device}
        table = []
        for point in self.host:
            seconds = there.get((point.kernel, point.rows, point.cells))
            faster = None if seconds is None else "host" if point.seconds <= seconds else self.device_name
            row = {"kernel": point.kernel, "cells": point.cells, "rows": point.rows, "host_seconds": point.seconds}
            table.append(row | {"device_seconds": seconds, "faster": faster})
        return table

    def as_json(self) -> dict[str, Any]:
        """The table, and the model that was fitted to it."""
        model = asdict(line_of(self.host)) if self.costs is None else asdict(self.costs)
        return {"device": self.device_name, "model": model, "table": self.rows()}


@dataclass(frozen=True)
class Survey:
    """What there is, tested."""

    found: Found
    tested: list[Tested]
    calibrations: list[Calibration]

    @property
    def passed(self) -> bool:
        """Whether all devices agree with the reference."""
        return all(one.test.passed for one in self.tested)

    @property
    def summary(self) -> str:
        """What a run with ``--device hybrid`` will use."""
        if self.found.missing is None:
            return f"CUDA devices: {', '.join(f'cuda:{gpu.ordinal}' for gpu in self.found.devices)}"
        return f"{NO_CUDA} ({self.found.missing})"

    def as_json(self) -> dict[str, Any]:
        """All of it."""
        return {
            "summary": self.summary,
            "passed": self.passed,
            "cuda": asdict(self.found),
            "devices": [one.as_json() for one in self.tested],
            "calibration": [one.as_json() for one in self.calibrations],
        }


def survey(*, calibrate: bool = False) -> Survey:
    """Find devices and test each; with ``calibrate``, measure waves on all and keep what was found."""
    found = find_devices()
    started = time.perf_counter()
    tested = [Tested("cpu", f"{os.cpu_count()} cores", selftest(None), time.perf_counter() - started)]
    calibrations = []
    for gpu in found.devices if found.missing is None else ():
        started = time.perf_counter()
        try:
            (device,) = open_devices(f"cuda:{gpu.ordinal}")
            test = selftest(device)
        except (DeviceError, FleetError) as error:
            silent = SelfTest(0, 0, [], [Difference("the self-test", str(error), "an answer")], [])
            tested.append(Tested(f"cuda:{gpu.ordinal}", gpu.name, silent, time.perf_counter() - started))
            continue
        tested.append(Tested(device.name, gpu.name, test, time.perf_counter() - started, device.reports()))
        if calibrate:
            here, there, costs = calibrated(Host(), device)
            store_costs(gpu.name, costs)
            calibrations.append(Calibration(here, device.name, there, costs))
    if calibrate and not calibrations:
        calibrations.append(Calibration(measure_waves(Host())))
    return Survey(found, tested, calibrations)
