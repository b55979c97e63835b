"""Kernels of neighbours and lines against the reference."""

import random
from typing import Any

import pytest
from kernel_check import assert_kernel, outcome
from test_kernels_patch import assert_conforms, conformance, sets_are_sorted  # noqa: F401

from arcloom.dsl import places
from arcloom.dsl.declare import Primitive
from arcloom.dsl.signature import PAIR
from arcloom.dsl.values import INT_LIMIT, Reason

ENDS = (-INT_LIMIT, -INT_LIMIT + 1, -1, 0, 1, INT_LIMIT - 1, INT_LIMIT)
EXTREME = [(i, j) for i in ENDS for j in ENDS]
AROUND = (places.dneighbors, places.ineighbors, places.neighbors)
FRONTIERS = (places.vfrontier, places.hfrontier)


def positions(seed: int, count: int = 400) -> list[tuple[int, int]]:
    """Positions on and near a grid."""
    rng = random.Random(seed)
    return [(rng.randint(-5, 31), rng.randint(-5, 31)) for _ in range(count)]


@pytest.mark.parametrize("primitive", AROUND + FRONTIERS, ids=str)
def test_unary_primitives_of_positions(primitive: Primitive[..., Any]) -> None:
    rows = [(place,) for place in (*positions(1), *EXTREME)]
    assert_kernel(primitive, (PAIR,), rows)
    assert (Reason.RANGE in {outcome(primitive, row) for row in rows}) == (primitive in AROUND)


def test_connect() -> None:
    rng = random.Random(2)
    rows = list(zip(positions(3), positions(4), strict=True))
    for i, j in positions(5, 1000):
        down, right = rng.choice(((0, 1), (1, 0), (1, 1), (1, -1), (0, 0), (1, 2)))
        steps = rng.randint(-40, 40)
        rows.append(((i, j), (i + steps * down, j + steps * right)))
    assert_kernel(places.connect, (PAIR, PAIR), rows)


def test_connect_far_apart() -> None:
    rows = [(a, b) for a in EXTREME for b in EXTREME]
    assert_kernel(places.connect, (PAIR, PAIR), rows, budget=1000)
    near = [((0, 0), (length, sign * length)) for length in range(997, 1003) for sign in (1, 0, -1)]
    assert_kernel(places.connect, (PAIR, PAIR), near, budget=1000)
    assert Reason.BUDGET in {outcome(places.connect, row, 1000) for row in near}
    assert_kernel(places.connect, (PAIR, PAIR), [((-INT_LIMIT, -INT_LIMIT), (INT_LIMIT, INT_LIMIT))])


def test_shoot() -> None:
    rng = random.Random(6)
    rows = [(place, (rng.randint(-2, 2), rng.randint(-2, 2))) for place in positions(7, 1000)]
    assert_kernel(places.shoot, (PAIR, PAIR), rows)


def test_shoot_far() -> None:
    furthest = INT_LIMIT // places.REACH
    steps = (0, 1, -1, 23, 24, furthest, -furthest, furthest + 1, -furthest - 1, INT_LIMIT)
    rows = [(place, (down, right)) for place in EXTREME for down in steps for right in steps]
    assert_kernel(places.shoot, (PAIR, PAIR), rows, budget=1000)
    assert {Reason.BUDGET, Reason.RANGE} < {outcome(places.shoot, row, 1000) for row in rows}


@pytest.mark.parametrize(("name", "types"), conformance("places"), ids=str)
def test_conformance(name: str, types: tuple[Any, ...]) -> None:
    assert_conforms(name, types, conformance("places")[name, types])
