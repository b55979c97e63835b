"""Devices for waves: their room, their costs, what is said where there is none."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from arcloom.engine.devices import costs as costs_module
from arcloom.engine.devices import find
from arcloom.engine.devices.base import HeapFull
from arcloom.engine.devices.costs import Choice, Costs, Line, fitted, stored_costs
from arcloom.engine.devices.driver import DeviceLost, guarded
from arcloom.engine.devices.evidence import Evidence, watched
from arcloom.engine.devices.find import Found, Gpu, open_devices, ordinals
from arcloom.engine.run import DeviceError, run
from arcloom.engine.waves.room import Column, Room, adjacent
from arcloom.program.parse import parse_one

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
        (CudaAPIError("[2] Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY"), HeapFull),
        (CudaAPIError("[719] Call to cuStreamSynchronize results in CUDA_ERROR_LAUNCH_FAILED"), DeviceLost),
        (ValueError("ours"), ValueError),
    ],
)
def test_errors_of_the_driver_are_told_apart(raised: Exception, told: type[Exception]) -> None:
    with pytest.raises(told), guarded():
        raise raised


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


def test_auto_falls_back_and_says_so_once(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from arcloom.engine import on_devices

    monkeypatch.setattr(on_devices, "find_devices", lambda: NOTHING)
    monkeypatch.setattr(find, "_said", set())
    for _ in range(2):
        assert run([PROGRAM], SAMPLES, device="auto").output(0, 0) == ((3, 4), (1, 2))
    assert capsys.readouterr().err.count("no CUDA device: CPU is used") == 1


def test_an_unknown_device_is_told_with_those_there_are() -> None:
    with pytest.raises(DeviceError, match=r"there is no device 'abacus'; devices are reference, cpu, cuda, auto"):
        run([PROGRAM], SAMPLES, device="abacus")
