"""All devices agree with the reference on generated programs: values, and failures with line and reason."""

import random
from typing import Any

import pytest
from fake_gpu import FakeDriver, fake_cuda
from generated import programs
from hypothesis import given
from hypothesis import strategies as st

from arcloom.dsl.meter import DEFAULT_BUDGET
from arcloom.engine.devices import DEVICES
from arcloom.engine.devices.auto import Auto
from arcloom.engine.devices.base import Device, Job, Programs
from arcloom.engine.devices.cpu import Cpu
from arcloom.engine.devices.reference import Reference
from arcloom.program.trace import STANDARD_INPUTS

COUNT = 6
"""Number of programs that run together."""

MADE: dict[str, Device] = {
    "auto": Auto(),
    "cpu": Cpu(),
    "cuda": fake_cuda(FakeDriver(shuffle=5)),
    "cuda:0,1": fake_cuda(FakeDriver(shuffle=5), gpus=2),
}
"""All devices except the reference. GPUs are simulated: their code is compiled for the CPU."""


def grid(chance: random.Random) -> Any:
    height, width = chance.randint(1, 6), chance.randint(1, 6)
    return tuple(tuple(chance.choice((0, 0, 0, 1, 2, 5)) for _ in range(width)) for _ in range(height))


def sample(chance: random.Random) -> dict[str, Any]:
    return {"I": grid(chance), "S": tuple((grid(chance), grid(chance)) for _ in range(chance.randint(0, 2)))}


def test_every_device_is_compared() -> None:
    assert {name.partition(":")[0] for name in MADE} | {"reference"} == set(DEVICES)


@pytest.mark.parametrize("name", MADE)
@given(seed=st.integers(0, 2**32))
def test_a_device_agrees_with_the_reference(name: str, seed: int) -> None:
    chance = random.Random(seed)
    made, samples = Programs(programs(seed, COUNT), STANDARD_INPUTS), [sample(chance) for _ in range(4)]
    rows = [sorted(chance.sample(range(len(samples)), chance.randint(1, len(samples)))) for _ in made.programs]
    job = Job(samples, rows, DEFAULT_BUDGET)
    found, wanted = MADE[name].execute(made, job), Reference().execute(made, job)
    for p, chosen in enumerate(rows):
        for s in chosen:
            assert found.outcomes.value(p, s) == wanted.outcomes.value(p, s), (str(made.programs[p]), samples[s])


@pytest.mark.parametrize("name", MADE)
def test_a_limit_may_be_any_number(name: str) -> None:
    made, samples = Programs(programs(1, COUNT), STANDARD_INPUTS), [sample(random.Random(1))]
    unlimited, usual = (MADE[name].execute(made, Job(samples, [[0]] * COUNT, budget)) for budget in (10**30, 10**7))
    assert [unlimited.outcomes.value(p, 0) for p in range(COUNT)] == [usual.outcomes.value(p, 0) for p in range(COUNT)]
