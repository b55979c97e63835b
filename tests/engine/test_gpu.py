"""GPUs: their code, compiled for the CPU, agrees with the reference, and no result is lost if a GPU fails."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fake_gpu import FakeDriver, fake_cuda

from arcloom import load
from arcloom.cluster import solve
from arcloom.dsl.meter import DEFAULT_BUDGET
from arcloom.dsl.values import Reason
from arcloom.engine import device_report, devices
from arcloom.engine.compile import cubins, ptxas
from arcloom.engine.compile.errors import CompileError
from arcloom.engine.devices import base, cuda, gpu
from arcloom.engine.devices.base import DeviceError, DeviceLost, Job, Programs, Statistics
from arcloom.engine.devices.cpu import Cpu
from arcloom.engine.devices.libcuda import DriverError, DriverMissing, KernelFault
from arcloom.engine.entry_points import ON_GPU
from arcloom.engine.outputs import Outputs
from arcloom.engine.results import Results, Sample
from arcloom.engine.samples import Samples
from arcloom.engine.selftest import selftest
from arcloom.engine.warm import all_kernels
from arcloom.library import bundled
from arcloom.program.parse import parse
from arcloom.program.term import Program
from arcloom.program.trace import STANDARD_INPUTS

LOST = DriverError(999, "CUDA_ERROR_UNKNOWN", "cuLaunchKernel")
FAULT = KernelFault(700, "CUDA_ERROR_ILLEGAL_ADDRESS", "cuCtxSynchronize")


def own_tasks(step: int = 1) -> tuple[list[Program], list[Sample], list[range]]:
    """Bundled programs, the samples of their tasks, and the range of samples of each program."""
    data, programs = load("arcagi:training"), bundled()[::step]
    samples: list[Sample] = []
    rows = []
    for program in programs:
        task = data[program.name.removeprefix("solve_")]
        shown = tuple((pair.input, pair.output) for pair in task.train)
        rows.append(range(len(samples), len(samples) + len(task.samples)))
        samples += [{"I": pair.input, "S": shown, "C": pair.input} for pair in task.samples]
    return programs, samples, rows


def outcomes(results: Results, rows: Sequence[Sequence[int]]) -> list[Any]:
    return [results.outcomes.value(p, s) for p, chosen in enumerate(rows) for s in chosen]


def test_bundled_programs_do_not_depend_on_old_memory_or_the_order_of_runs() -> None:
    programs, samples, rows = own_tasks()
    chosen, job = Programs(programs, STANDARD_INPUTS), Job(samples, rows, DEFAULT_BUDGET)
    device = fake_cuda(FakeDriver(shuffle=7))
    assert outcomes(device.execute(chosen, job), rows) == outcomes(Cpu().execute(chosen, job), rows)
    (figures,) = device.statistics.values()
    assert figures.runs_in_larger_slots + figures.runs_on_cpu <= 0.05 * figures.runs, "95 of 100 runs fit 64 KiB"
    assert figures.runs_on_cpu == 0


def test_every_kernel_agrees_with_the_reference() -> None:
    test = selftest(fake_cuda(FakeDriver(shuffle=3)))
    assert test.passed and test.never == []
    assert {"EMPTY", "SHAPE", "ZERO", "BUDGET"} <= set(test.failures)


def test_a_batt_takes_three_launches_and_four_transfers() -> None:
    programs, samples, rows = own_tasks(8)
    driver = FakeDriver()
    device, resident = fake_cuda(driver), Samples(samples)
    job = Job(resident, rows, DEFAULT_BUDGET)
    device.execute(Programs(programs, STANDARD_INPUTS), job)
    driver.calls.clear()
    device.execute(Programs(programs[::-1], STANDARD_INPUTS), Job(resident, rows[::-1], DEFAULT_BUDGET))
    assert driver.calls["launch"] <= 3
    assert driver.calls["copy_in"] + driver.calls["copy_out"] <= 4, "samples are still there"


def test_the_cpu_computes_large_runs_and_outputs_that_are_not_grids() -> None:
    large = "    x = asindices(upscale(I, TEN))\n    return size(product(x, x))\n"
    text = f"def f(I):\n    return size(I)\n\n\ndef g(I):\n{large}"
    driver = FakeDriver()
    device = fake_cuda(driver)
    samples: list[Sample] = [{"I": ((1, 2), (3, 4))}]
    results = device.execute(Programs(parse(text), STANDARD_INPUTS), Job(samples, [[0], [0]], DEFAULT_BUDGET))
    assert (results.output(0, 0), results.output(1, 0)) == (2, 160_000)
    assert device.statistics["cuda:0"].runs_on_cpu == 2


def test_loops_choices_and_failures_agree_with_the_reference() -> None:
    text = (
        "def f(I):\n    return power(hmirror, size(I))(I)\n\n\n"
        "def g(I):\n    return branch(greater(height(I), ONE), rot90, hmirror)(I)\n\n\n"
        "def h(I):\n    x = ofcolor(I, FIVE)\n    return subgrid(x, I)\n\n\n"
        "def k(I):\n    return power(power(rot90, 100), 100)(I)\n"
    )
    samples: list[Sample] = [{"I": ((1, 2), (3, 4))}, {"I": ((5, 6),)}]
    rows = [[0, 1]] * 4
    chosen, job = Programs(parse(text), STANDARD_INPUTS), Job(samples, rows, 50_000)
    results = fake_cuda(FakeDriver()).execute(chosen, job)
    assert outcomes(results, rows) == outcomes(Cpu().execute(chosen, job), rows)
    failure = results.failure(3, 0)
    assert failure is not None and failure.reason is Reason.BUDGET


@pytest.mark.parametrize(("call", "error"), [("launch", LOST), ("copy_in", LOST), ("synchronise", FAULT)])
def test_no_result_is_lost_if_a_gpu_fails(call: str, error: DriverError) -> None:
    programs, samples, rows = own_tasks(40)
    told: list[str] = []
    driver = FakeDriver(gpus=2)
    device = fake_cuda(driver, 2, told)
    driver.errors[call] = [error]
    chosen, job = Programs(programs, STANDARD_INPUTS), Job(samples, rows, DEFAULT_BUDGET)
    assert outcomes(device.execute(chosen, job), rows) == outcomes(Cpu().execute(chosen, job), rows)
    assert len(device.gpus) == 1 and len(told) == 1 and "is not used any more" in told[0]
    runs = sum(figures.runs for figures in device.statistics.values())
    assert runs == sum(map(len, rows)) if error is LOST else runs < sum(map(len, rows))
    assert device.execute(chosen, job).device == "cuda", "the other one goes on"


def test_the_cpu_continues_if_no_gpu_is_left() -> None:
    programs, samples, rows = own_tasks(40)
    told: list[str] = []
    driver = FakeDriver()
    device = fake_cuda(driver, 1, told)
    driver.errors["launch"] = [LOST]
    chosen, job = Programs(programs, STANDARD_INPUTS), Job(samples, rows, DEFAULT_BUDGET)
    assert outcomes(device.execute(chosen, job), rows) == outcomes(Cpu().execute(chosen, job), rows)
    assert told[-1] == "no GPU is left: the CPU does the rest"


@pytest.mark.parametrize("error", [LOST, FAULT])
def test_a_gpu_that_fails_while_it_is_tested_has_not_passed(
    error: DriverError, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The CPU does its work, so that all answers are right."""
    driver = FakeDriver()
    device = fake_cuda(driver)
    driver.errors["launch"] = [error]
    monkeypatch.setattr(cuda, "find_gpus", lambda *_: ([driver.describe(0)], None))
    monkeypatch.setattr(cuda, "open_device", lambda which: device)
    found = device_report.survey()
    assert not found.passed
    assert [one.name for one in found.tested if not one.test.passed] == ["cuda:0"]


def test_little_memory_means_fewer_slots() -> None:
    device = fake_cuda(FakeDriver(memory=1_100_000_000, multiprocessors=100))
    assert 128 <= device.gpus[0].slots < 512 * 100


def test_memory_that_was_taken_in_vain_is_freed() -> None:
    driver = FakeDriver(memory=1_200_000_000, multiprocessors=100)
    driver.boasted = 1 << 34
    device = fake_cuda(driver)
    assert driver.calls["free"] > 0
    assert device.gpus[0].slots >= 128
    assert driver.used_bytes() <= 1_200_000_000 and len(driver._allocated) == 3


def test_samples_that_do_not_fit_are_left_to_the_cpu_and_the_gpu_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    programs, samples, rows = own_tasks(40)
    chosen, job = Programs(programs, STANDARD_INPUTS), Job(samples, rows, DEFAULT_BUDGET)
    device = fake_cuda(FakeDriver(gpus=2), 2)
    for one in device.gpus:
        monkeypatch.setattr(one, "first_cells", 1)
    assert outcomes(device.execute(chosen, job), rows) == outcomes(Cpu().execute(chosen, job), rows)
    assert len(device.gpus) == 2
    assert all(figures.runs == 0 for figures in device.statistics.values())


def test_tables_that_would_reach_the_samples_are_too_large() -> None:
    programs, samples, rows = own_tasks(40)
    batt, resident = Programs(programs, STANDARD_INPUTS).batt, Samples(samples)
    resident.store.words_at = 100
    work = gpu.GpuRun(list(batt.traced), [np.asarray(rows[p]) for p in batt.traced])
    (one,) = fake_cuda(FakeDriver()).gpus
    with pytest.raises(gpu.TooLarge):
        one.run(batt, work, resident, DEFAULT_BUDGET, Outputs(len(programs)))


def test_too_little_memory_is_reported_and_what_was_taken_is_freed() -> None:
    driver = FakeDriver(memory=900_000_000)
    with pytest.raises(DeviceLost, match=r"0\.8 GB of its memory are free, but 1\.0 GB are needed"):
        fake_cuda(driver)
    assert driver.calls["close"] == 1


@pytest.fixture
def no_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fake GPUs need no machine code; here the numbers of kernels do not matter either."""
    monkeypatch.setattr(cuda, "machine_code", lambda *_: b"")


@pytest.mark.usefixtures("no_code")
def test_gpus_that_cannot_be_opened_are_left_out(capfd: pytest.CaptureFixture[str]) -> None:
    driver = FakeDriver(gpus=2)
    driver.errors["open"] = [DriverError(46, "CUDA_ERROR_DEVICE_UNAVAILABLE", "cuDevicePrimaryCtxRetain")]
    assert [one.name for one in cuda.open_device("0,1", lambda: driver).gpus] == ["cuda:1"]
    assert "cuda:0 cannot be used: CUDA_ERROR_DEVICE_UNAVAILABLE" in capfd.readouterr().err
    driver.errors["open"] = [LOST, LOST]
    with pytest.raises(DeviceError, match="cuda:1 cannot be used"):
        cuda.open_device("0,1", lambda: driver)


@pytest.mark.usefixtures("no_code")
def test_each_worker_of_a_search_opens_one_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []
    for number in range(3):
        monkeypatch.setattr(base, "_worker", number)
        opened += [one.name for one in cuda.open_device("0,1", lambda: FakeDriver(gpus=2)).gpus]
    assert opened == ["cuda:0", "cuda:1", "cuda:0"]


@pytest.mark.usefixtures("no_code")
def test_a_worker_whose_gpu_has_too_little_memory_uses_the_cpu(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(base, "_worker", 5)
    device = cuda.open_device("", lambda: FakeDriver(memory=1_000_000))
    assert device.gpus == [] and "the CPU does its work" in capfd.readouterr().err
    programs, samples, rows = own_tasks(80)
    chosen, job = Programs(programs, STANDARD_INPUTS), Job(samples, rows, DEFAULT_BUDGET)
    assert outcomes(device.execute(chosen, job), rows) == outcomes(Cpu().execute(chosen, job), rows)
    assert cuda.pieces([], 0) == []


@pytest.mark.parametrize("installed", [True, False])
def test_the_driver_compiles_code_that_a_kit_has_only_as_ptx(
    installed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does so also if the installed assembler does not know the GPU."""
    monkeypatch.setenv("ARCLOOM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv(cuda.CUBINS_VARIABLE, str(tmp_path / "kit"))
    monkeypatch.setattr(cubins, "check", lambda *_: None)
    monkeypatch.setattr(ptxas, "find", lambda: iter([tmp_path] if installed else []))

    def build(*_: object) -> None:
        assert installed, "nothing is compiled"
        raise CompileError("ptxas does not know sm_130")

    monkeypatch.setattr(cubins, "build", build)
    folder = tmp_path / "kit" / cubins.folder_name([kernel.name for kernel in all_kernels()], ON_GPU)
    folder.mkdir(parents=True)
    (folder / cubins.PTX).write_text("ptx")
    driver = FakeDriver()
    assert cuda.machine_code(driver, 0, (13, 0)) == b"assembled ptx"
    assert cuda.machine_code(driver, 0, (13, 0)) == b"assembled ptx"
    assert driver.calls["assemble"] == 1, "then it is in the cache"


def test_code_is_prepared_once_per_kind_of_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared: list[Any] = []
    monkeypatch.setattr(cuda, "machine_code", lambda driver, ordinal, capability: prepared.append(capability))
    cuda.prepare("0,1", lambda: FakeDriver(gpus=2))
    assert prepared == [(7, 5)]


def test_statistics_of_workers_are_added(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "_open", {})
    monkeypatch.setattr(devices, "_workers", {})
    for number in (1, 2, 1):
        devices.add_worker(number, [Statistics("cuda:0", runs=10, launches=3)])
    assert [line.split(",")[2].strip() for line in devices.statistics_lines()] == ["20 runs in 0.00 s"]


@pytest.mark.parametrize(("faster", "chosen"), [([], "cpu"), ([0], "auto")])
def test_a_search_uses_gpus_that_were_measured_to_be_faster(
    faster: list[int], chosen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solve, "faster_gpus", lambda work: faster if work == base.ENUMERATION else [])
    assert solve.search_device("auto") == chosen
    assert solve.search_device("cuda:1") == "cuda:1"


def test_a_missing_driver_is_reported() -> None:
    def missing() -> Any:
        raise DriverMissing("NVIDIA's driver is not installed")

    with pytest.raises(DeviceError, match="driver is not installed"):
        cuda.open_device("", missing)


@pytest.mark.parametrize("which", ["x", "0,0", "-1", "7"])
def test_missing_gpus_are_refused(which: str) -> None:
    with pytest.raises(DeviceError):
        cuda.open_device(which, lambda: FakeDriver(gpus=2))


def test_work_is_divided_evenly() -> None:

    work = [(p, np.arange(10)) for p in range(8)]
    assert [piece.runs for piece in cuda.pieces(work, 4)] == [20] * 4
    assert [piece.runs for piece in cuda.pieces(work[:1], 4)] == [3, 3, 2, 2]
    assert cuda.pieces([], 4) == []
