"""Enumeration on GPUs: their code, compiled for the CPU, finds the same banks and answers as the CPU."""

from collections import ChainMap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from fake_gpu import FakeDriver, fake_cuda

from arcloom import load
from arcloom.engine import calibration, devices
from arcloom.engine.devices import auto, cuda, gpu
from arcloom.engine.devices.base import BATT, ENUMERATION, Statistics
from arcloom.engine.devices.cpu import Cpu
from arcloom.engine.devices.cuda import Cuda
from arcloom.engine.devices.libcuda import DriverError
from arcloom.enumerate import on_gpu
from arcloom.enumerate.compiled.bank import ENTRY, PROGRESS, Bank
from arcloom.enumerate.enumerations import TaskEnumerations
from arcloom.enumerate.enumerator import EnumerationResult, Enumerator, Problem
from arcloom.enumerate.leaves import problem_of
from arcloom.enumerate.operations import operations
from arcloom.library import bundled
from arcloom.search.loop.source import Request
from arcloom.search.loop.state import TaskState
from arcloom.search.sources import enumeration, induction, object_rules
from arcloom.search.sources.enumeration import Enumeration
from arcloom.search.sources.induction import Induction
from arcloom.search.sources.object_rules import ObjectRules
from arcloom.stopwatch import Deadline

TRIES = 4_000
COMPARED = [name for name in ENTRY.fields if name != "place"]
"""Fields that are not compared: the positions of values depend on the device."""


class Noting(Enumerator):
    """An enumerator that remembers the banks of problems."""

    banks: dict[int, Bank]

    def finish(self, problem: Problem, bank: Bank, device: Any) -> EnumerationResult:
        found = super().finish(problem, bank, device)
        self.banks[id(problem)] = bank
        return found


@pytest.fixture(scope="module")
def enumerator() -> Noting:
    return Noting(operations())


@pytest.fixture(scope="module")
def problems() -> list[Problem]:
    data = load("arcagi:training")
    chosen = [problem_of(task, TRIES) for task in list(data)[::67]]
    return [*chosen, problem_of(next(iter(data)), 30_000)]


def bank_words(bank: Bank) -> list[Any]:
    """The contents of a bank that are the same on all devices."""
    progress = PROGRESS.view(np.asarray(bank.progress))
    entries = ENTRY.view(np.asarray(bank.bank)[: ENTRY.size * int(progress["count"][0])])
    return [progress.words.tolist(), *(entries[name].tolist() for name in COMPARED)]


def shown(found: EnumerationResult) -> list[Any]:
    """The results of an enumeration as plain values."""
    each = [
        (str(one.output), one.cost, one.score, one.used, [grid.tolist() for grid in one.grids])
        for one in (*found.solutions, *found.nearest)
    ]
    return [len(found.solutions), found.tried, found.evaluated, found.entries, each]


def enumerated(device: Any, enumerator: Noting, problems: Sequence[Problem]) -> list[Any]:
    """Banks and results of problems, in their order."""
    enumerator.banks = {}
    found = dict(ChainMap(*device.enumerate(TaskEnumerations(enumerator, problems))))
    return [[bank_words(enumerator.banks[id(each)]), shown(found[k])] for k, each in enumerate(problems)]


@pytest.fixture(scope="module")
def wanted(enumerator: Noting, problems: list[Problem]) -> list[Any]:
    return enumerated(Cpu(), enumerator, problems)


@pytest.fixture
def small_slots(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(gpu, "SLOT_WORDS", 1 << 10)
    monkeypatch.setattr(gpu, "SLOT_CELLS", 1 << 10)
    yield


def used_by(device: Cuda) -> Statistics:
    (figures,) = device.statistics.values()
    return figures


def test_banks_and_answers_are_those_of_the_cpu(enumerator: Noting, problems: list[Problem], wanted: list[Any]) -> None:
    device = fake_cuda(FakeDriver(shuffle=5))
    assert enumerated(device, enumerator, problems) == wanted
    figures = used_by(device)
    assert figures.tasks_enumerated == len(problems)
    assert figures.runs_on_cpu == 0
    assert figures.runs >= sum(found[1] for _, found in wanted)


@pytest.mark.usefixtures("small_slots")
def test_expressions_are_repeated_in_larger_slots(
    enumerator: Noting, problems: list[Problem], wanted: list[Any]
) -> None:
    device = fake_cuda(FakeDriver(shuffle=6))
    assert enumerated(device, enumerator, problems[:3]) == wanted[:3]
    assert used_by(device).runs_in_larger_slots > 0


@pytest.mark.usefixtures("small_slots")
def test_tasks_that_no_slot_suffices_for_are_left_to_the_cpu(
    enumerator: Noting, problems: list[Problem], wanted: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpu, "GROWTH", 2)
    device = fake_cuda(FakeDriver())
    assert enumerated(device, enumerator, problems[:3]) == wanted[:3]
    assert used_by(device).runs_on_cpu > 0


def test_tasks_whose_values_have_no_room_are_left_to_the_cpu(
    enumerator: Noting, problems: list[Problem], wanted: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_gpu, "CELLS_END", 200_000)
    device = fake_cuda(FakeDriver())
    assert enumerated(device, enumerator, problems[:3]) == wanted[:3]
    assert used_by(device).runs_on_cpu > 0


@pytest.mark.parametrize("call", ["launch", "copy_in", "copy_out"])
def test_a_failing_gpu_costs_no_result(
    enumerator: Noting, problems: list[Problem], wanted: list[Any], call: str
) -> None:
    told: list[str] = []
    driver = FakeDriver()
    device = fake_cuda(driver, 1, told)
    driver.errors[call] = [DriverError(999, "CUDA_ERROR_UNKNOWN", call)]
    assert enumerated(device, enumerator, problems[:1]) == wanted[:1]
    assert device.gpus == [] and "is not used any more" in told[0]
    assert enumerated(device, enumerator, problems[1:2]) == wanted[1:2]


def test_samples_are_uploaded_again_after_an_enumeration(enumerator: Noting, problems: list[Problem]) -> None:
    device = fake_cuda(FakeDriver())
    device.gpus[0]._samples = object()
    list(device.enumerate(TaskEnumerations(enumerator, problems[:1])))
    assert device.gpus[0]._samples is None


def test_several_gpus_share_groups_of_tasks(
    enumerator: Noting, problems: list[Problem], wanted: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arcloom.enumerate.enumerations.TOGETHER", 1)
    device = fake_cuda(FakeDriver(gpus=2), 2)
    assert enumerated(device, enumerator, problems[:2]) == wanted[:2]
    assert [figures.tasks_enumerated for figures in device.statistics.values()] == [1, 1]


def test_sources_of_a_search_use_its_device(monkeypatch: pytest.MonkeyPatch) -> None:
    device = fake_cuda(FakeDriver())
    monkeypatch.setitem(devices._open, "cuda", device)
    monkeypatch.setattr(enumeration, "TRIES", 500)
    states = [TaskState(task) for task in list(load("arcagi:training"))[:4:3]]
    figures = used_by(device)
    for source, generation, counted in (
        (Enumeration, enumeration.FIRST, "tasks_enumerated"),
        (Induction, induction.FIRST, "batts"),
        (ObjectRules, object_rules.FIRST, "batts"),
    ):
        before = getattr(figures, counted)
        request = Request(states, generation)
        assert list(source(device="cuda").propose(request)) == list(source().propose(request))
        assert getattr(figures, counted) > before


def test_enumeration_is_timed_on_the_cpu_and_on_gpus_and_auto_uses_the_faster_one(
    monkeypatch: pytest.MonkeyPatch, enumerator: Noting, problems: list[Problem], wanted: list[Any]
) -> None:
    """The simulated GPU is slower than the CPU, so the speeds are exchanged."""
    device = fake_cuda(FakeDriver())
    gpu = FakeDriver().describe(0)
    work = TaskEnumerations(enumerator, problems[:1])
    monkeypatch.setattr(calibration, "bundled", lambda: bundled()[:2])
    speeds = [*calibration.calibrate(Cpu(), work), *calibration.calibrate(device, work, gpu.name)]
    assert [each.work for each in speeds] == [BATT, ENUMERATION] * 2
    assert all(each.per_second > 0 for each in speeds)
    assert used_by(device).tasks_enumerated == calibration.REPEATS + 1
    order = sorted(speeds[1::2], key=lambda each: each.gpu is not None)
    fast = [replace(each, per_second=1.0 + k) for k, each in enumerate(order)]
    monkeypatch.setattr(calibration, "kept", lambda: [*speeds[:1], *fast])
    monkeypatch.setattr(calibration, "cores", lambda: 1)
    monkeypatch.setattr(cuda, "find_gpus", lambda *_: ([gpu], None))
    monkeypatch.setattr(cuda, "open_device", lambda which: device)
    monkeypatch.setattr(devices, "_open", {})
    before = used_by(device).tasks_enumerated
    assert enumerated(auto.open_device(""), enumerator, problems[:1]) == wanted[:1]
    assert used_by(device).tasks_enumerated == before + 1
    assert devices.statistics_lines() == [used_by(device).line]


def test_at_the_deadline_all_tasks_of_a_group_have_partial_results(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(devices._open, "cuda", fake_cuda(FakeDriver()))
    states = [TaskState(task) for task in list(load("arcagi:training"))[:3]]
    monkeypatch.setattr(enumeration, "TRIES", 80_000)
    found = Enumeration(device="cuda").propose(Request(states, enumeration.FIRST, deadline=Deadline(0.3)))
    assert {candidate.task for candidate in found} == {state.task.id for state in states}
