"""Random programs in whose functions several calls fail: the line and the reason that the reference gives."""

import random

import pytest
from generated_failures import program
from test_generated import made_grid

from arcloom.engine.run import run

COUNT = 60
"""Number of programs that run together."""


@pytest.mark.parametrize("seed", range(5))
def test_the_call_that_is_evaluated_first_fails(seed: int) -> None:
    chance = random.Random(seed)
    programs = [program(chance) for _ in range(COUNT)]
    samples = [{"I": made_grid(chance, k, k), "S": ()} for k in (1, 2, 3)]
    engine, reference = (run(programs, samples, device=device) for device in ("cpu", "reference"))
    assert engine.untyped.keys() == reference.untyped.keys() and len(engine.untyped) < COUNT / 10
    for p in set(range(COUNT)) - engine.untyped.keys():
        for s in range(len(samples)):
            given, right = engine.outcomes.value(p, s), reference.outcomes.value(p, s)
            assert repr(given) == repr(right), programs[p]
