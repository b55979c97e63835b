"""A report on the devices of this machine: whether they agree with the reference, and how fast they are."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from arcloom.engine.calibration import Calibration, calibrate, keep
from arcloom.engine.compile.processes import cores
from arcloom.engine.devices import cuda
from arcloom.engine.devices.base import Device, DeviceError, Enumerations
from arcloom.engine.devices.cpu import Cpu
from arcloom.engine.devices.libcuda import Description
from arcloom.engine.selftest import Difference, SelfTest, selftest


@dataclass(frozen=True)
class Tested:
    """A device and the result of its self-test."""

    name: str
    description: str
    test: SelfTest
    seconds: float
    statistics: list[dict[str, Any]]

    def as_json(self) -> dict[str, Any]:
        """All fields and those of the self-test, for JSON."""
        test = asdict(self.test) | {"passed": self.test.passed}
        own = {"name": self.name, "description": self.description, "seconds": round(self.seconds, 3)}
        return own | test | {"statistics": self.statistics}


@dataclass(frozen=True)
class DeviceReport:
    """The devices of this machine and their tests. ``missing`` is the reason why no GPU can be used, or None."""

    gpus: list[Description]
    missing: str | None
    tested: list[Tested]
    calibrations: list[Calibration]

    @property
    def passed(self) -> bool:
        """Whether all devices agree with the reference."""
        return all(one.test.passed for one in self.tested)

    @property
    def summary(self) -> str:
        """One line: the GPUs, or the reason why none can be used."""
        if self.missing is not None:
            return f"no GPU can be used: {self.missing}"
        return "GPUs: " + ", ".join(f"cuda:{k} ({gpu.name})" for k, gpu in enumerate(self.gpus))

    def as_json(self) -> dict[str, Any]:
        """All fields, for JSON."""
        return {
            "summary": self.summary,
            "passed": self.passed,
            "gpus": [asdict(gpu) for gpu in self.gpus],
            "missing": self.missing,
            "devices": [one.as_json() for one in self.tested],
            "calibration": [one.as_json() for one in self.calibrations],
        }


def survey(enumerations: Enumerations[Any] | None = None) -> DeviceReport:
    """Find devices and test each. With enumerations, time these and a batt on the CPU and on each GPU, and keep the
    times."""
    gpus, missing = cuda.find_gpus()
    cpu = Cpu()
    tested = [_tested("cpu", f"{cores()} cores", lambda: cpu)]
    calibrations = calibrate(cpu, enumerations) if enumerations is not None else []
    for ordinal, gpu in enumerate(gpus):
        name = f"cuda:{ordinal}"
        tested.append(_tested(name, gpu.name, partial(cuda.open_device, str(ordinal))))
        if enumerations is not None and tested[-1].test.passed:
            calibrations += calibrate(cuda.open_device(str(ordinal)), enumerations, gpu.name)
    if enumerations is not None:
        keep(calibrations)
    return DeviceReport(gpus, missing, tested, calibrations)


def _tested(name: str, description: str, opened: Callable[[], Device]) -> Tested:
    started = time.perf_counter()
    try:
        device = opened()
        test = selftest(device)
        figures = [each.as_json() for each in device.statistics.values()]
    except DeviceError as error:
        test, figures = SelfTest(0, 0, [], [Difference("the self-test", str(error), "an answer")], []), []
    return Tested(name, description, test, time.perf_counter() - started, figures)
