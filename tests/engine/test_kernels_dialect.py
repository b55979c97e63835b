"""Kernels of the dialect against the reference."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from kernel_check import outcome
from kernel_rows import assert_exact, rows
from test_kernels_objects import BARE, Grid, as_patch, grids, near, random_grid, sets_are_in_order  # noqa: F401

import arcloom.engine.kernels.dialect  # noqa: F401
from arcloom.dsl import dialect
from arcloom.dsl.declare import Primitive
from arcloom.dsl.signature import (
    BOOL,
    CELL,
    GRID,
    INDICES,
    INT,
    OBJECT,
    PAIR,
    PATCH,
    ROW,
    SAMPLES,
    Type,
    set_of,
    tuple_of,
)
from arcloom.dsl.values import COLOUR_MAX, COLOUR_MIN, INT_LIMIT, Reason

VARIANTS = (*range(8), *range(8), -1, 8, 15, 100, -INT_LIMIT, INT_LIMIT)
RANKS = (0, 0, 0, 1, 2, 3, 4, 5, -1, -1, -2, -3, -4, INT_LIMIT, -INT_LIMIT)
CONTAINERS = (set_of, tuple_of)
ELEMENTS = (INT, BOOL, PAIR, CELL, OBJECT, GRID, ROW, tuple_of(OBJECT))


def with_numbers(seed: int, numbers: tuple[int, ...], firsts: list[Any]) -> list[tuple[Any, int]]:
    """All combinations of a first argument with some of the numbers."""
    rng = random.Random(seed)
    return [(first, number) for first in firsts for number in rng.sample(numbers, 2)]


@pytest.mark.parametrize("primitive", [dialect.o_g, dialect.o_g_t], ids=str)
def test_objects(primitive: Primitive[..., Any]) -> None:
    assert_exact(primitive, (GRID, INT), with_numbers(1, VARIANTS, grids(2, 400)))
    assert_exact(primitive, (GRID, INT), [(bare, variant) for bare in BARE for variant in VARIANTS])


def test_mir_rot_t() -> None:
    assert_exact(dialect.mir_rot_t, (GRID, INT), with_numbers(3, VARIANTS, grids(4, 500)))
    assert_exact(dialect.mir_rot_t, (GRID, INT), [(bare, angle) for bare in BARE for angle in VARIANTS])


def patches(seed: int, type: Type) -> list[Any]:
    """Patches on and around grids, of one or several colours, and the empty patch."""
    rng = random.Random(seed)
    colours = ((4,), (0, 3), (-INT_LIMIT, 7, INT_LIMIT))
    made = [as_patch(rng, near(rng, random_grid(rng), rng.choice(colours)), type) for _ in range(300)]
    return [frozenset(), *made]


@pytest.mark.parametrize("type", [INDICES, OBJECT, PATCH], ids=str)
@pytest.mark.parametrize("primitive", [dialect.mir_rot_f, dialect.corner, dialect.col_row], ids=str)
def test_primitives_of_a_patch_and_a_number(primitive: Primitive[..., Any], type: Type) -> None:
    assert_exact(primitive, (type, INT), with_numbers(5, VARIANTS, patches(6, type)))
    assert_exact(primitive, (type, INT), [(frozenset(), number) for number in VARIANTS])


# The n-th element


@pytest.mark.parametrize("container", CONTAINERS, ids=["set", "tuple"])
@pytest.mark.parametrize("element", ELEMENTS, ids=str)
@pytest.mark.parametrize("primitive", [dialect.get_nth, dialect.get_common_rank], ids=str)
def test_nth_element(primitive: Primitive[..., Any], element: Type, container: Callable[[Type], Type]) -> None:
    made = [row[0] for row in rows(7, (container(element),), 200)]
    assert_exact(primitive, (container(element), INT), with_numbers(8, RANKS, made))


@pytest.mark.parametrize("container", CONTAINERS, ids=["set", "tuple"])
def test_second(container: Callable[[Type], Type]) -> None:
    for element in (INT, OBJECT):
        assert_exact(dialect.second, (container(element),), rows(9, (container(element),)))


@pytest.mark.parametrize("container", CONTAINERS, ids=["set", "tuple"])
def test_get_rank(container: Callable[[Type], Type]) -> None:
    made = [row[0] for most in (5, 60) for row in rows(10, (container(INT),), 200, most)]
    assert_exact(dialect.get_rank, (container(INT), INT), with_numbers(11, RANKS, made))


def test_get_common_rank_of_many() -> None:
    rng = random.Random(12)
    made = [tuple(rng.choices(range(rng.choice((2, 10, 1000))), k=rng.choice((30, 900)))) for _ in range(200)]
    assert_exact(dialect.get_common_rank, (ROW, INT), with_numbers(13, RANKS, made))


def test_get_color_rank_of_grids() -> None:
    everything = tuple(tuple(range(k, k + 16)) for k in range(COLOUR_MIN, COLOUR_MAX, 16))
    made = [*grids(14, 400), everything, everything[::-1], (*everything, *everything[3:])]
    assert_exact(dialect.get_color_rank, (GRID, INT), with_numbers(15, RANKS, made))


def test_get_color_rank_of_objects() -> None:
    rng = random.Random(16)
    heaps = [  # several colours at one position
        frozenset((rng.randint(0, 3), (0, rng.randint(0, 2))) for _ in range(rng.choice((1, 3, 9)))) for _ in range(300)
    ]
    assert_exact(dialect.get_color_rank, (OBJECT, INT), with_numbers(17, RANKS, [*patches(18, OBJECT), *heaps]))


# Palettes, differences and cells


def test_palettes() -> None:
    assert_exact(dialect.p_g, (GRID,), [(picture,) for picture in grids(19)])
    for primitive in (dialect.p_o, dialect.p_f):
        assert_exact(primitive, (OBJECT,), [(obj,) for obj in patches(20, OBJECT)])


@pytest.mark.parametrize("container", CONTAINERS, ids=["set", "tuple"])
@pytest.mark.parametrize("element", [INT, PAIR, OBJECT], ids=str)
def test_difference_tuple(element: Type, container: Callable[[Type], Type]) -> None:
    types = (tuple_of(element), container(element))
    assert_exact(dialect.difference_tuple, types, rows(21, types))


def test_difference_tuple_of_other_elements() -> None:
    types = (tuple_of(OBJECT), set_of(INT))
    assert_exact(dialect.difference_tuple, types, rows(22, types))


def test_cells() -> None:
    assert_exact(dialect.toij, (CELL,), rows(23, (CELL,)))
    assert_exact(dialect.ascell, (PAIR, INT), rows(24, (PAIR, INT)))
    types = (tuple_of(PAIR), ROW)
    assert_exact(dialect.celltuple, types, rows(25, types))


# Samples


def samples(rng: random.Random) -> tuple[tuple[Grid, Grid], ...]:
    """Demonstrations of a rotation or reflection; sometimes one or two do not match."""
    inputs = [rng.choice(BARE) if rng.random() < 0.1 else random_grid(rng) for _ in range(rng.choice((0, 1, 1, 2, 4)))]
    angle, strange = rng.randrange(8), rng.random() < 0.2
    pairs = [(each, dialect.mir_rot_t(each, angle)) for each in inputs]
    if strange and pairs:
        pairs[-1] = (pairs[-1][0], rng.choice((random_grid(rng), pairs[-1][0], _changed(rng, pairs[-1][1]))))
    return tuple(pairs)


def _changed(rng: random.Random, picture: Grid) -> Grid:
    """The grid with a changed colour in its last row."""
    return (
        (*picture[:-1], tuple(value + 1 if value < COLOUR_MAX else 0 for value in picture[-1])) if picture else ((1,),)
    )


def test_a_mr() -> None:
    rng = random.Random(26)
    made = [((),), *((samples(rng),) for _ in range(500))]
    made += [(((a, b),),) for a in BARE for b in BARE]
    assert_exact(dialect.a_mr, (SAMPLES,), made)
    assert {*range(8), Reason.MISSING} <= {outcome(dialect.a_mr, row) for row in made}
