"""The command ``arcloom devices``."""

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from arcloom.cli import app
from arcloom.engine import calibration, device_report, devices
from arcloom.engine.calibration import Calibration
from arcloom.engine.compile import folders
from arcloom.engine.compile.digest import source_digest
from arcloom.engine.compile.errors import CompileError
from arcloom.engine.devices import cuda, libcuda
from arcloom.engine.devices.base import BATT, ENUMERATION, DeviceError
from arcloom.engine.devices.cpu import Cpu
from arcloom.engine.devices.libcuda import Description
from arcloom.engine.selftest import Difference, SelfTest
from arcloom.engine.warm import all_kernels
from schemas import documented

GOOD = SelfTest(440, 233, [], [], ["EMPTY"])
GPU = Description("Some GPU", (7, 5), 40, 1 << 34)


def speed(work: str, per_second: float, gpu: str | None = None) -> Calibration:
    return Calibration(work, "cpu" if gpu is None else "cuda", gpu, 9, per_second, source_digest())


@pytest.fixture(autouse=True)
def no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda, "find_gpus", lambda *_: ([], "the driver is missing"))


def test_the_cpu_passes_its_self_test_and_gpus_are_missed() -> None:
    ran = CliRunner().invoke(app, ["devices"])
    assert ran.exit_code == 0
    assert f"programs on {len(all_kernels())} kernels agree with the reference" in " ".join(ran.stdout.split())
    assert "no GPU can be used: the driver is missing" in ran.stdout


def test_a_device_that_differs_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    bad = SelfTest(440, 233, [], [Difference("O = add(1, 1)", "3", "2")], [])
    monkeypatch.setattr(device_report, "selftest", lambda device: bad)
    ran = CliRunner().invoke(app, ["devices"])
    assert ran.exit_code == 1
    assert "1 differ from the reference" in ran.stdout and "add(1, 1)" in ran.stdout


@pytest.mark.parametrize("error", [DeviceError("it is lost"), CompileError("it is lost")])
def test_a_gpu_that_does_not_answer_is_named(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_answer(which: str) -> Any:
        raise error

    monkeypatch.setattr(cuda, "find_gpus", lambda *_: ([GPU], None))
    monkeypatch.setattr(cuda, "open_device", no_answer)
    monkeypatch.setattr(device_report, "selftest", lambda device: GOOD)
    ran = CliRunner().invoke(app, ["devices"])
    assert ran.exit_code == 1
    told = " ".join(ran.stdout.split())
    assert "cuda:0 (Some GPU)" in told and "it is lost" in told


def test_calibration_is_measured_and_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(folders.CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(device_report, "selftest", lambda device: GOOD)
    monkeypatch.setattr(device_report, "calibrate", lambda device, work: [speed(BATT, 5.0)])
    found = documented("devices", CliRunner().invoke(app, ["devices", "--calibrate", "--json"]).stdout)
    assert found["passed"] and found["devices"][0]["name"] == "cpu" and found["missing"] == "the driver is missing"
    (measured,) = found["calibration"]
    assert measured["gpu"] is None and calibration.kept() == [Calibration(**measured)]


def test_auto_uses_gpus_only_if_they_were_measured_to_be_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    gpus: Any = object()

    def open_device(which: str) -> Any:
        opened.append(which)
        return gpus

    monkeypatch.setattr(devices, "_open", {})
    monkeypatch.setattr(cuda, "find_gpus", lambda *_: ([GPU, GPU], None))
    monkeypatch.setattr(cuda, "open_device", open_device)
    monkeypatch.setattr(calibration, "kept", lambda: [speed(BATT, 100.0), speed(BATT, 99.0, GPU.name)])
    assert isinstance(calibration.fastest(BATT), Cpu) and opened == []
    monkeypatch.setattr(calibration, "kept", lambda: [speed(BATT, 100.0), speed(BATT, 101.0, GPU.name)])
    assert calibration.fastest(BATT) is gpus and opened == ["0,1"]


def test_auto_chooses_for_each_kind_of_work(monkeypatch: pytest.MonkeyPatch) -> None:
    speeds = [
        speed(BATT, 100.0),
        speed(BATT, 90.0, GPU.name),
        speed(ENUMERATION, 1.0),
        speed(ENUMERATION, 2.0, GPU.name),
    ]
    monkeypatch.setattr(devices, "_open", {})
    monkeypatch.setattr(calibration, "kept", lambda: speeds)
    monkeypatch.setattr(cuda, "find_gpus", lambda *_: ([GPU], None))
    gpus: Any = object()
    monkeypatch.setattr(cuda, "open_device", lambda which: gpus)
    monkeypatch.setattr(calibration, "cores", lambda: 1)
    assert isinstance(calibration.fastest(BATT), Cpu)
    assert calibration.fastest(ENUMERATION) is gpus
    monkeypatch.setattr(calibration, "cores", lambda: 4)
    assert isinstance(calibration.fastest(ENUMERATION), Cpu), "the workers of a search enumerate on all cores"
    monkeypatch.setattr(calibration, "kept", lambda: speeds[:2])
    assert isinstance(calibration.fastest(ENUMERATION), Cpu)


@pytest.mark.parametrize(
    "error", [DeviceError("it is lost"), libcuda.DriverMissing("no driver"), CompileError("ptxas is not installed")]
)
def test_auto_falls_back_to_the_cpu_with_one_line(
    error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(which: str) -> Any:
        raise error

    monkeypatch.setattr(devices, "_open", {})
    monkeypatch.setattr(calibration, "kept", lambda: [speed(BATT, 1.0), speed(BATT, 2.0, GPU.name)])
    monkeypatch.setattr(cuda, "find_gpus", lambda *_: ([GPU], None))
    monkeypatch.setattr(cuda, "open_device", fails)
    assert isinstance(calibration.fastest(BATT), Cpu)
    assert isinstance(calibration.fastest(BATT), Cpu)
    assert capsys.readouterr().err.count("\n") == 1
