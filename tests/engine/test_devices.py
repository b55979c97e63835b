"""Devices for waves: their room, their costs, what is said where there is none."""

import json
import weakref
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from simulated import compared, library

from arcloom import notices
from arcloom.engine.batt import Batt
from arcloom.engine.devices import costs as costs_module
from arcloom.engine.devices import find
from arcloom.engine.devices.base import HeapFull
from arcloom.engine.devices.costs import Choice, Costs, Line, fitted, stored_costs
from arcloom.engine.devices.cuda import Cuda
from arcloom.engine.devices.driver import EVENTS, DeviceLost, DriverFull, Silicon, guarded
from arcloom.engine.devices.evidence import Evidence, watched
from arcloom.engine.devices.find import Found, Gpu, open_devices, ordinals
from arcloom.engine.devices.host import Host
from arcloom.engine.devices.hybrid import Hybrid
from arcloom.engine.run import DeviceError, run
from arcloom.engine.wave_launchers import SIMULATED, kernel_launcher
from arcloom.engine.waves.room import Column, Room, adjacent
from arcloom.program.parse import parse_one
from arcloom.program.term import Program

# Room


def test_room_of_columns_is_used_again() -> None:
    room = Room(1000, 1000)
    first = room.block(100)
    start = first.start
    del first
    assert room.block(100).start == start


def test_heaps_and_columns_share_the_room() -> None:
    room = Room(1000, 50)
    room.settle(100, 10)
    column = room.block(400)
    assert room.take(400, 40) == (100, 10)
    for too_much in ((200, 0), (0, 1)):
        with pytest.raises(HeapFull):
            room.take(*too_much)
    with pytest.raises(HeapFull):
        room.block(200)
    assert room.top <= column.start
    assert room.peak_bytes == 8 * (500 + column.size) + 50


def test_a_block_of_an_earlier_run_gives_nothing_back() -> None:
    room = Room(1000, 0)
    old = room.block(100)
    room.reset()
    new = room.block(100)
    del old
    assert room.live == {new.start: new.size}
    assert room.block(100).start != new.start


def test_blocks_do_not_overlap() -> None:
    room = Room(10_000, 0)
    blocks = [room.block(count) for count in (1, 7, 33, 100, 1000, 5)]
    ends = sorted((block.start, block.start + block.size) for block in blocks)
    assert all(end <= start for (_, end), (start, _) in pairwise(ends))
    assert all(block.size >= count for block, count in zip(blocks, (1, 7, 33, 100, 1000, 5), strict=True))


def test_columns_that_follow_each_other_are_one() -> None:
    block = Room(1000, 0).block(10)
    first, second = Column(0, 4, 1, block), Column(4, 6, 1, block)
    assert adjacent([first, second]) == [Column(0, 10, 1, block)]
    assert adjacent([second, first]) == [second, first]
    assert adjacent([Column(5, 2, 0), Column(5, 3, 0)]) == [Column(5, 5, 0)]
    assert adjacent([first, Column(4, 6, 1, None)]) == [first, Column(4, 6, 1, None)], "another block"


# Costs

CHEAP_TO_BEGIN = Line(1e-6, 1e-6, 0)
CHEAP_TO_GO_ON = Line(1e-3, 1e-9, 0)
COSTS = Costs(CHEAP_TO_BEGIN, CHEAP_TO_GO_ON, Line(0, 1e-4, 1e-9))


def test_the_crossover_is_where_both_cost_the_same() -> None:
    rows = COSTS.crossover(0)
    assert rows is not None
    assert COSTS.host.seconds(rows, 0) == pytest.approx(COSTS.device.seconds(rows, 0))
    assert COSTS.faster(rows / 2, 0) == "host" and COSTS.faster(rows * 2, 0) == "device"


def test_a_device_that_is_never_faster_has_no_crossover() -> None:
    assert Costs(CHEAP_TO_BEGIN, Line(1e-3, 1e-6, 0), COSTS.move).crossover(9) is None


def test_one_large_wave_moves_to_the_device_and_small_ones_come_back() -> None:
    choice = Choice(COSTS)
    assert choice.next(10, 0, 1, 100) == "host"
    assert choice.next(1_000_000, 0, 1, 100) == "device"
    assert choice.next(10, 0, 1, 100) == "host"


def test_moving_much_for_little_is_not_worth_it() -> None:
    choice = Choice(COSTS)
    assert choice.next(1200, 0, 1, 1e9) == "host", "a little faster there, but a second to move"
    assert [choice.next(1200, 0, 1, 0) for _ in range(3)][-1] == "device", "in the end it adds up"


def test_fitting_finds_the_line_again() -> None:
    line = Line(2e-5, 3e-8, 5e-10)
    samples = [(rows, rows * cells, line.seconds(rows, rows * cells)) for rows in (16, 999, 8000) for cells in (9, 900)]
    found = fitted(samples)
    assert (found.always, found.row, found.byte) == pytest.approx((line.always, line.row, line.byte))


def test_no_cost_is_below_nothing() -> None:
    found = fitted([(1, 0, 1e-5), (10, 0, 0.9e-5), (100, 0, 0.8e-5)])
    assert min(found.always, found.row, found.byte) >= 0


def test_costs_are_measured_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs_module, "cache_folder", lambda: tmp_path)
    measured: list[str] = []

    def measure() -> Costs:
        measured.append("now")
        return COSTS

    assert stored_costs("Some GPU", measure) == stored_costs("Some GPU", measure) == COSTS
    assert measured == ["now"]
    (tmp_path / "costs.json").write_text("{")
    assert stored_costs("Some GPU", measure) == COSTS and len(measured) == 2


# Errors of the driver


class CudaAPIError(Exception):
    """As Numba has it."""


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (CudaAPIError("[2] Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY"), DriverFull),
        (CudaAPIError("[719] Call to cuStreamSynchronize results in CUDA_ERROR_LAUNCH_FAILED"), DeviceLost),
        (ValueError("ours"), ValueError),
    ],
)
def test_errors_of_the_driver_are_told_apart(raised: Exception, told: type[Exception]) -> None:
    with pytest.raises(told), guarded():
        raise raised


# A GPU's driver, with a module in the place of Numba's that writes down what it is asked for


class FakeArray:
    """Memory on a device that is not there."""

    def __init__(self, data: npt.NDArray[Any], log: list[str]) -> None:
        self.data, self.log, self.dtype = data, log, data.dtype

    def __getitem__(self, where: slice) -> "FakeArray":
        return FakeArray(self.data[where], self.log)

    def copy_to_device(self, data: npt.NDArray[Any], stream: object) -> None:
        self.log.append("write")
        self.data[:] = data

    def copy_to_host(self, stream: object) -> npt.NDArray[Any]:
        self.log.append("read")
        return self.data.copy()


class FakeKernel:
    """A kernel that is compiled, loaded, configured and called."""

    def __init__(self, log: list[str], error: Exception | None = None) -> None:
        self.log, self.error = log, error

    def typeof_pyval(self, value: object) -> str:
        return type(value).__name__

    def compile(self, types: tuple[str, ...]) -> "FakeKernel":
        self.log.append(f"compile {' '.join(types)}")
        return self

    def bind(self) -> None:
        self.log.append("bind")

    def __getitem__(self, configuration: tuple[Any, ...]) -> "FakeKernel":
        return self

    def __call__(self, *arguments: object) -> None:
        if self.error is not None:
            raise self.error
        self.log.append("launch")


class FakeCuda:
    """Numba's module, as far as a driver needs it."""

    def __init__(self, free: int = 1 << 22, most: int = 1 << 30) -> None:
        self.log: list[str] = []
        self.free, self.most = free, most
        self.gpus = {0: self}
        self.uuid, self.MULTIPROCESSOR_COUNT = "GPU-0", 40

    def __enter__(self) -> None:
        self.log.append("enter")

    def __exit__(self, *_: object) -> None:
        self.log.append("leave")

    def stream(self) -> SimpleNamespace:
        return SimpleNamespace(synchronize=lambda: self.log.append("wait"))

    def event(self) -> SimpleNamespace:
        return SimpleNamespace(record=lambda stream: self.log.append("event"))

    def event_elapsed_time(self, before: object, after: object) -> float:
        return 500.0

    def current_context(self) -> SimpleNamespace:
        return SimpleNamespace(get_memory_info=lambda: SimpleNamespace(free=self.free))

    def device_array(self, count: int, dtype: type[np.generic]) -> FakeArray:
        if count * np.dtype(dtype).itemsize > self.most:
            raise CudaAPIError("[2] Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY")
        return FakeArray(np.zeros(count, dtype), self.log)


def test_kernels_are_compiled_before_the_clock_runs() -> None:
    cuda = FakeCuda()
    driver, kernel = Silicon(0, cuda), FakeKernel(cuda.log)
    cuda.log.clear()
    for _ in range(2):
        driver.launch(kernel, 1, 32, 7, 8)
    once = ["event", "launch", "event"]
    assert cuda.log == ["compile int int", "bind", *once, *once]
    assert driver.seconds() == 1.0 and driver.seconds() == 0.0


def test_what_is_sent_lives_until_it_has_arrived() -> None:
    cuda = FakeCuda()
    driver = Silicon(0, cuda)
    memory = driver.array(8, np.int64)
    words = np.arange(3)
    sent = weakref.ref(words)
    driver.write(memory, 2, words)
    del words
    assert sent() is not None
    assert driver.read(memory, 1, 4).tolist() == [0, 0, 1, 2]
    assert cuda.log[-2:] == ["read", "wait"] and sent() is None


def test_events_do_not_pile_up() -> None:
    cuda = FakeCuda()
    driver, kernel = Silicon(0, cuda), FakeKernel(cuda.log)
    for _ in range(EVENTS):
        driver.launch(kernel, 1, 32, 7)
    assert cuda.log[-1] == "wait" and driver.seconds() == 0.5 * EVENTS


def test_a_gpu_takes_less_memory_if_there_is_not_so_much() -> None:
    device = Cuda(0, Silicon(0, FakeCuda(free=1 << 24, most=1 << 21)))
    assert 1 << 20 < 8 * device.room.words <= 1 << 21
    with pytest.raises(DeviceLost, match="of its memory can be had"):
        Cuda(0, Silicon(0, FakeCuda(free=1 << 24, most=1 << 10)))


def test_an_error_of_a_launch_is_the_devices() -> None:
    cuda = FakeCuda()
    driver = Silicon(0, cuda)
    for error, told in (("CUDA_ERROR_ILLEGAL_ADDRESS", DeviceLost), ("CUDA_ERROR_OUT_OF_MEMORY", DriverFull)):
        with pytest.raises(told):
            driver.launch(FakeKernel(cuda.log, CudaAPIError(error)), 1, 32)


def test_numba_has_what_the_driver_asks_for() -> None:
    if SIMULATED or find_spec("numba_cuda") is None:
        pytest.skip("this Numba has no CUDA target")
    cuda = import_module("numba.cuda")
    array = import_module("numba.cuda.cudadrv.devicearray").DeviceNDArray
    asked = {
        cuda: ("gpus", "stream", "event", "event_elapsed_time", "current_context", "device_array", "cuda_error"),
        array: ("copy_to_device", "copy_to_host", "dtype"),
        import_module("numba.cuda.cudadrv.driver").Stream: ("synchronize",),
        import_module("numba.cuda.cudadrv.driver").Event: ("record",),
        import_module("numba.cuda.cudadrv.devices")._DeviceContextManager: ("__enter__", "__exit__"),
        import_module("numba.cuda.dispatcher").CUDADispatcher: ("compile", "typeof_pyval", "__getitem__"),
        import_module("numba.cuda.dispatcher")._Kernel: ("bind",),
    }
    names = {name: owner for owner, names in asked.items() for name in names if name != "dtype"}
    assert [name for name, owner in names.items() if not hasattr(owner, name)] == []
    for copy in (array.copy_to_device, array.copy_to_host):
        assert "stream" in signature(copy).parameters


# The host beside a device, compiled as it is beside a GPU


def few_kernels(programs: int) -> tuple[list[Program], list[dict[str, Any]]]:
    """Programs of the library that need few kernels in all, and a sample for each: kernels have to be compiled."""
    listed, samples = library(60, 120)
    needs = [{kernel.name for kernel in Batt([program]).planner.kernels} for program in listed]
    chosen: list[int] = []
    known: set[str] = set()
    while len(chosen) < programs:
        chosen.append(min(set(range(len(listed))) - set(chosen), key=lambda k: (len(needs[k] - known), k)))
        known |= needs[chosen[-1]]
    return [listed[k] for k in chosen], [samples[k] for k in chosen]


def test_compiled_waves_on_both_sides_give_what_the_reference_gives() -> None:
    device = Host(1 << 22, 1 << 22, "device")
    both = Hybrid(
        Host(1 << 22, 1 << 22, "host", device.room),
        device,
        Costs(Line(1e-6, 1e-6, 0), Line(1e-5, 1e-8, 0), Line(0, 1e-9, 1e-12)),
    )
    programs, samples = few_kernels(10)
    rows = [list(range(p + 1)) for p in range(len(programs))]
    found, _ = compared([both], programs, samples, rows)
    assert found["programs"] == 10 and found["failures"] > 0 and found["different"] == []
    on_host, on_device = found["evidence"]
    assert both.moves > 2 and on_host["kernels"] > 0 and on_device["kernels"] > 0
    kernel = Batt(programs).planner.kernels[0]
    assert kernel_launcher(kernel, "fill", "host").signatures, "it has been interpreted"


# Evidence


def test_evidence_counts_and_is_json() -> None:
    evidence = Evidence("cuda:7", "CUDA events")
    evidence.launched("add_int_int", 30)
    evidence.launched("add_int_int", 12)
    evidence.moved(there=80)
    evidence.moved(back=8)
    with watched(evidence, None):
        pass
    found = json.loads(json.dumps(evidence.as_json()))
    assert (found["kernels"], found["rows"], found["launches"]) == (2, 42, {"add_int_int": 2})
    assert (found["bytes_to_device"], found["bytes_from_device"], found["transfers"]) == (80, 8, 2)
    assert found["utilisation"] is None
    assert "2 launches over 42 rows" in str(evidence) and "CUDA events" in str(evidence)


# What there is

PROGRAM = parse_one("O = hmirror(I)")
SAMPLES = [{"I": ((1, 2), (3, 4))}]
NOTHING = Found("1.0", None, missing="there is no working NVIDIA driver (none)")


def test_specifications_name_devices() -> None:
    assert ordinals("cuda") is None
    assert ordinals("cuda:0,2,3") == [0, 2, 3]
    for wrong in ("cuda:", "cuda:x", "cuda:1,1", "cuda:-1"):
        with pytest.raises(DeviceError, match="cuda:"):
            ordinals(wrong)


def test_cuda_without_a_device_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "find_devices", lambda: NOTHING)
    with pytest.raises(DeviceError, match="--device cuda cannot be used: there is no working NVIDIA driver"):
        run([PROGRAM], SAMPLES, device="cuda")


def test_a_device_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "find_devices", lambda: Found("1", "13.0", [Gpu(0, "Some GPU", (7, 5), 1, 2)]))
    with pytest.raises(DeviceError, match="there is no CUDA device 3; there are 0"):
        open_devices("cuda:0,3")


def test_hybrid_falls_back_and_says_so_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from arcloom.engine import on_devices

    monkeypatch.setattr(on_devices, "find_devices", lambda: NOTHING)
    monkeypatch.setattr(notices, "_said", set())
    for _ in range(2):
        assert run([PROGRAM], SAMPLES, device="hybrid").output(0, 0) == ((3, 4), (1, 2))
    assert capsys.readouterr().err.count("no CUDA device: CPU is used") == 1


def test_an_unknown_device_is_told_with_those_there_are() -> None:
    with pytest.raises(
        DeviceError, match=r"there is no device 'abacus'; devices are auto, reference, cpu, cuda, hybrid"
    ):
        run([PROGRAM], SAMPLES, device="abacus")
