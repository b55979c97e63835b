"""A report on the devices of this machine: whether they agree with the reference, and how fast they are."""

import time
from dataclasses import asdict, dataclass
from typing import Any

from arcloom.engine.calibration import Calibration, calibrate, keep
from arcloom.engine.compile.errors import CompileError
from arcloom.engine.compile.processes import cores
from arcloom.engine.devices import cuda
from arcloom.engine.devices.base import Device, DeviceError, Enumerations
from arcloom.engine.devices.cpu import Cpu
from arcloom.engine.devices.libcuda import Description, DriverError, DriverMissing
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
    tested, calibrations = [_tested("cpu", f"{cores()} cores", Cpu())], []
    if enumerations is not None:
        calibrations += calibrate(Cpu(), enumerations)
    for ordinal, gpu in enumerate(gpus):
        test, speeds = _of_gpu(ordinal, gpu, enumerations)
        tested.append(test)
        calibrations += speeds
    if enumerations is not None:
        keep(calibrations)
    return DeviceReport(gpus, missing, tested, calibrations)


def _of_gpu(ordinal: int, gpu: Description, enumerations: Enumerations[Any] | None) -> tuple[Tested, list[Calibration]]:
    """The test and the calibrations of a GPU. A GPU that cannot be opened, or that fails during the test, has not
    passed, although the CPU completed its work."""
    name = f"cuda:{ordinal}"
    try:
        device = cuda.open_device(str(ordinal))
    except (DeviceError, CompileError, DriverError, DriverMissing) as error:
        return _failed(name, gpu.name, str(error)), []
    test, speeds = _tested(name, gpu.name, device), []
    if enumerations is not None and test.test.passed and device.gpus:
        speeds = calibrate(device, enumerations, gpu.name)
    return (test, speeds) if device.gpus else (_failed(name, gpu.name, "the GPU failed"), [])


def _tested(name: str, description: str, device: Device) -> Tested:
    started = time.perf_counter()
    test = selftest(device)
    figures = [each.as_json() for each in device.statistics.values()]
    return Tested(name, description, test, time.perf_counter() - started, figures)


def _failed(name: str, description: str, why: str) -> Tested:
    """The test of a device that could not be tested."""
    return Tested(name, description, SelfTest(0, 0, [], [Difference("the self-test", why, "an answer")], []), 0.0, [])
