"""The command ``arcloom devices``."""

import json

import pytest
from typer.testing import CliRunner

from arcloom.cli import app
from arcloom.engine import on_devices, survey
from arcloom.engine.devices.costs import Point
from arcloom.engine.devices.cuda import Cuda
from arcloom.engine.devices.find import Found, Gpu
from arcloom.engine.run import DeviceError
from arcloom.engine.selftest import Difference, SelfTest
from arcloom.engine.warm import all_kernels

GOOD = SelfTest(440, 233, [], [], ["EMPTY"])
NOTHING = Found("1.0", None, missing="the driver is missing")


@pytest.fixture(autouse=True)
def no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(survey, "find_devices", lambda: NOTHING)


def test_the_cpu_passes_its_self_test_and_cuda_is_missed() -> None:
    ran = CliRunner().invoke(app, ["devices"])
    assert ran.exit_code == 0
    assert f"programs on {len(all_kernels())} kernels agree with the reference" in ran.stdout
    assert "no CUDA device: CPU is used (the driver is missing)" in ran.stdout


def test_a_device_that_differs_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    bad = SelfTest(440, 233, [], [Difference("O = add(1, 1)", "3", "2")], [])
    monkeypatch.setattr(survey, "selftest", lambda device: bad)
    ran = CliRunner().invoke(app, ["devices"])
    assert ran.exit_code == 1
    assert "1 differ from the reference" in ran.stdout and "add(1, 1)" in ran.stdout


def test_a_gpu_that_does_not_answer_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_answer(spec: str) -> list[Cuda]:
        raise DeviceError(f"{spec} cannot be used: it is lost")

    monkeypatch.setattr(survey, "find_devices", lambda: Found("1.0", "12.9", [Gpu(0, "Some GPU", (7, 5), 1, 2)]))
    monkeypatch.setattr(survey, "open_devices", no_answer)
    monkeypatch.setattr(survey, "selftest", lambda device: GOOD)
    ran = CliRunner().invoke(app, ["devices"])
    assert ran.exit_code == 1
    told = " ".join(ran.stdout.split())
    assert "cuda:0 (Some GPU)" in told and "it is lost" in told


def test_json_has_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(survey, "selftest", lambda device: GOOD)
    points = [Point("hmirror", rows, 9, rows * 1e-6) for rows in (16, 99)]
    monkeypatch.setattr(survey, "measure_waves", lambda device: points)
    found = json.loads(CliRunner().invoke(app, ["devices", "--calibrate", "--json"]).stdout)
    assert found["passed"] and found["devices"][0]["name"] == "cpu"
    assert found["cuda"]["devices"] == [] and found["cuda"]["missing"] == "the driver is missing"
    (calibration,) = found["calibration"]
    assert calibration["device"] is None
    assert {row["faster"] for row in calibration["table"]} == {None}, "nothing was measured on a GPU"


def test_a_command_tells_what_devices_did(monkeypatch: pytest.MonkeyPatch) -> None:
    from arcloom.engine.devices.evidence import Evidence
    from arcloom.engine.fleet import Voyage

    monkeypatch.setattr(survey, "selftest", lambda device: GOOD)
    monkeypatch.setattr(on_devices, "_voyages", [Voyage([Evidence("cuda:0", "CUDA events")], ["a note"])])
    ran = CliRunner().invoke(app, ["devices"])
    assert "arcloom: a note" in ran.stderr and "arcloom: cuda:0: 0 launches" in ran.stderr
