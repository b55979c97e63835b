"""The PTX that is assembled for GPUs, executed by a simulator, agrees with the CPU.

The simulator reports accesses outside of the allocated memory, misaligned ones, and races between threads. In ``make
nightly`` the PTX has all kernels, and all bundled programs run.
"""

import random

import pytest
from generated import programs as generated_programs
from generated_failures import program as failing_program
from ptx.driver import PtxDriver, ptx_cuda
from ptx.kernels import NAMES, NIGHTLY, needed, ptx_module, runnable, simulated_kernels
from ptx.simulator import Simulator
from test_devices import sample
from test_gpu import outcomes, own_tasks
from test_gpu_enumeration import Noting, enumerated

from arcloom import load
from arcloom.dsl.meter import DEFAULT_BUDGET
from arcloom.dsl.signature import type_of
from arcloom.engine import selftest
from arcloom.engine.devices import gpu
from arcloom.engine.devices.base import Job, Programs
from arcloom.engine.devices.cpu import Cpu
from arcloom.engine.devices.cuda import Cuda
from arcloom.engine.devices.reference import Reference
from arcloom.engine.entry_points import ON_GPU
from arcloom.engine.kernel import Kernel
from arcloom.engine.results import Sample
from arcloom.enumerate.enumerator import PARAMETERS
from arcloom.enumerate.leaves import problem_of
from arcloom.enumerate.operations import operations
from arcloom.program.parse import parse
from arcloom.program.term import Program
from arcloom.program.trace import STANDARD_INPUTS

GENERATED = 400 if NIGHTLY else 60
TASKS = 20 if NIGHTLY else 2


NUMBERS = {name: number for number, name in enumerate(simulated_kernels())}


@pytest.fixture(scope="module")
def simulator() -> Simulator:
    module = ptx_module(simulated_kernels())
    return Simulator(module, [f"arcloom_{name}" for name in ON_GPU])


def number(kernel: Kernel) -> int:
    """The number of a kernel in the PTX; -1 if it is not there and must not be launched."""
    return NUMBERS.get(kernel.name, -1)


@pytest.fixture
def driver(simulator: Simulator) -> PtxDriver:
    return PtxDriver(simulator, races=True, shuffle=11)


@pytest.fixture
def device(driver: PtxDriver) -> Cuda:
    return ptx_cuda(driver, number)


def assert_equal(device: Cuda, driver: PtxDriver, programs: list[Program], job: Job) -> None:
    """Assert that a device gives what the CPU gives, without a fault."""
    chosen = Programs(programs, STANDARD_INPUTS)
    found, wanted = device.execute(chosen, job), Cpu().execute(chosen, job)
    assert driver.faults == []
    for p, rows in enumerate(job.rows):
        for s in rows:
            assert found.outcomes.value(p, s) == wanted.outcomes.value(p, s), (str(programs[p]), job.samples[s])


def test_bundled_programs(device: Cuda, driver: PtxDriver) -> None:
    programs, samples, rows = own_tasks()
    chosen = list(runnable(programs))
    assert {programs[k].name for k in chosen} >= set(NAMES) and len(chosen) >= 30
    job = Job(samples, [rows[k] for k in chosen], DEFAULT_BUDGET)
    assert_equal(device, driver, [programs[k] for k in chosen], job)
    (figures,) = device.statistics.values()
    assert figures.runs == job.runs and figures.runs_on_cpu == 0
    assert not NIGHTLY or figures.runs_in_larger_slots > 0


def test_the_self_test(device: Cuda, driver: PtxDriver) -> None:
    """Examples of the kernels, whose values are compared on the device."""
    programs, values = selftest._programs(selftest._documented())
    inputs = {name: type for name, value in values.items() if (type := type_of(value)) is not None}
    chosen = [programs[k] for k in runnable(programs, inputs)]
    made, job = Programs(chosen, inputs), Job([values], [[0]] * len(chosen), selftest.BUDGET)
    found = outcomes(device.execute(made, job), job.rows)
    assert found == outcomes(Reference().execute(made, job), job.rows)
    assert driver.faults == []
    used = {name for program in chosen for name in needed(program, inputs) or ()}
    assert not NIGHTLY or used == set(simulated_kernels())
    assert found.count(((1,),)) >= (300 if NIGHTLY else 5), "values are compared on the device"


def test_slots_that_are_too_small(driver: PtxDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs are repeated in larger slots. An access outside of a slot would be a race with its neighbour."""
    monkeypatch.setattr(gpu, "SLOT_WORDS", 1 << 8)
    monkeypatch.setattr(gpu, "SLOT_CELLS", 1 << 8)
    programs, samples, rows = own_tasks()
    chosen = list(runnable(programs))[:40]
    device, job = ptx_cuda(driver, number), Job(samples, [rows[k] for k in chosen], DEFAULT_BUDGET)
    assert_equal(device, driver, [programs[k] for k in chosen], job)
    assert device.statistics["cuda:0"].runs_in_larger_slots > 0


def test_generated_programs(device: Cuda, driver: PtxDriver) -> None:
    chance = random.Random(5)
    programs = [*generated_programs(5, GENERATED), *(failing_program(chance) for _ in range(GENERATED))]
    chosen = [programs[k] for k in runnable(programs)]
    samples = [sample(chance) for _ in range(4)]
    assert_equal(device, driver, chosen, Job(samples, [range(len(samples))] * len(chosen), 20_000))


def test_loops_failures_and_budgets(device: Cuda, driver: PtxDriver) -> None:
    text = (
        "def f(I):\n    return power(lbind(paint, I), size(I))(asobject(I))\n\n\n"
        "def g(I):\n    return paint(I, shift(asobject(I), decrement(UNITY)))\n\n\n"
        "def h(I):\n    return crop(I, ORIGIN, (9, 9))\n\n\n"
        "def k(I):\n    return canvas(branch(equality(I, I), ONE, TWO), (500, 500))\n"
    )
    programs = parse(text)
    samples: list[Sample] = [{"I": ((1, 2), (3, 4))}, {"I": ((5, 6),)}]
    chosen = [programs[k] for k in runnable(programs)]
    assert_equal(device, driver, chosen, Job(samples, [[0, 1]] * len(chosen), 5_000))


def test_enumeration(device: Cuda, driver: PtxDriver) -> None:
    """Banks and answers are those of the CPU."""
    every, types = operations(), {name: value_class.type for name, value_class in PARAMETERS.items()}
    enumerator = Noting([every[k] for k in runnable([one.program for one in every], types)])
    tasks = list(load("arcagi:training"))
    problems = [problem_of(task, 3_000) for task in tasks[:: len(tasks) // TASKS][:TASKS]]
    wanted = enumerated(Cpu(), enumerator, problems)
    assert enumerated(device, enumerator, problems) == wanted
    assert driver.faults == []
    (figures,) = device.statistics.values()
    assert figures.tasks_enumerated >= 0.9 * len(problems), "few tasks have expressions that fit no slot"
    assert figures.runs > 1_000
