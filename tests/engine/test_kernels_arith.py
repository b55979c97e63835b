"""Kernels of arithmetic against the reference."""

from itertools import product
from typing import Any

import pytest
from kernel_rows import EDGES, assert_exact, assert_observed, observed, rows

from arcloom.dsl import arith
from arcloom.dsl.declare import Primitive
from arcloom.dsl.signature import BOOL, INT, PAIR, Type, record
from arcloom.engine.kernels import arith as kernels  # noqa: F401  (declares them)

OF_TWO = (arith.add, arith.subtract, arith.multiply, arith.divide)
OF_ONE = (arith.invert, arith.double, arith.halve, arith.increment, arith.decrement, arith.crement, arith.sign)
OF_AN_INT = (arith.even, arith.positive, arith.toivec, arith.tojvec)

TYPINGS = (
    *((primitive, types) for primitive in OF_TWO for types in product((INT, PAIR), repeat=2)),
    *((primitive, (type,)) for primitive in OF_ONE for type in (INT, PAIR)),
    *((primitive, (INT,)) for primitive in OF_AN_INT),
)

NUMBERS = (*EDGES, -1001, -1000, -501, -7, -2, 2, 3, 7, 1000, 1001, 500_000, 500_001)


def _edges(types: tuple[Type, ...]) -> list[tuple[Any, ...]]:
    """All combinations of numbers near the limits, also in both components of a pair."""
    columns = [
        NUMBERS if type is INT else [*zip(NUMBERS, NUMBERS[::-1], strict=True), (3, 0), (0, 3)] for type in types
    ]
    return list(product(*columns))


@pytest.mark.parametrize(("primitive", "types"), TYPINGS)
def test_arithmetic(primitive: Primitive[..., Any], types: tuple[Type, ...]) -> None:
    assert_exact(primitive, types, _edges(types) + rows(1, types, 300))


@pytest.mark.parametrize("primitive", [*OF_TWO, *OF_ONE, *OF_AN_INT])
def test_conformance(primitive: Primitive[..., Any]) -> None:
    groups = list(observed(primitive))
    assert groups
    for types, args, expected in groups:
        assert_observed(primitive, types, args, expected)


def test_bools_are_numbers() -> None:
    assert_exact(arith.add, (BOOL, INT), [(True, 2), (False, -1)])
    assert_exact(arith.double, (record(BOOL, BOOL),), [((True, False),)])
