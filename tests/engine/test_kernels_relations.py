"""Kernels of relations of patches against the reference."""

import random
from itertools import product
from typing import Any

import pytest
from kernel_check import assert_kernel, outcome
from test_kernels_patch import (
    PATCHES,
    SIDES,
    assert_conforms,
    conformance,
    line,
    random_grid,
    random_indices,
    random_object,
    random_patch,
    ring,
)

from arcloom.dsl import relations
from arcloom.dsl.declare import Primitive
from arcloom.dsl.signature import GRID, INDICES, OBJECT, PATCH, Type
from arcloom.dsl.values import INT_LIMIT

ROWS = 300
TYPES = ((INDICES, INDICES), (OBJECT, OBJECT), (PATCH, PATCH), (OBJECT, INDICES))
OF_TWO_PATCHES = (
    relations.hmatching,
    relations.vmatching,
    relations.manhattan,
    relations.adjacent,
    relations.position,
    relations.gravitate,
)


def _as_type(rng: random.Random, places: Any, type: Type) -> frozenset[Any]:
    """These positions as a patch of the type, with one or several colours."""
    if type is INDICES or (type is PATCH and rng.random() < 0.5):
        return frozenset(places)
    colours = rng.choice(((4,), (1, 2), tuple(range(10))))
    return frozenset((rng.choice(colours), place) for place in places)


def near_patches(rng: random.Random, types: tuple[Type, Type]) -> tuple[frozenset[Any], frozenset[Any]]:
    """Two patches within one grid: any, disjoint, or far apart."""
    first, second = random_indices(rng), random_indices(rng)
    apart = rng.randint(-6, 6), rng.randint(-6, 6)
    second = frozenset((i + apart[0], j + apart[1]) for i, j in second)
    second = frozenset(place for place in second if max(map(abs, place)) <= INT_LIMIT)
    if rng.random() < 0.7:
        second -= first
    if rng.random() < 0.3:
        second -= {(i + down, j + right) for i, j in first for down, right in product((-1, 0, 1), repeat=2)}
    return _as_type(rng, first, types[0]), _as_type(rng, second, types[1])


def split_grid(rng: random.Random, types: tuple[Type, Type]) -> tuple[frozenset[Any], frozenset[Any]]:
    """The positions of two colours of a grid."""
    height, width, colours = rng.choice(SIDES), rng.choice(SIDES), rng.choice((2, 3, 12))
    drawn = {(i, j): rng.randrange(colours) for i in range(height) for j in range(width)}
    first, second = ([place for place, colour in drawn.items() if colour == wanted] for wanted in (0, 1))
    return _as_type(rng, first, types[0]), _as_type(rng, second, types[1])


@pytest.mark.parametrize("types", TYPES, ids=str)
@pytest.mark.parametrize("primitive", OF_TWO_PATCHES, ids=str)
def test_primitives_of_two_patches(primitive: Primitive[..., Any], types: tuple[Type, Type]) -> None:
    rng = random.Random(1)
    rows = [near_patches(rng, types) for _ in range(2 * ROWS)]
    rows += [split_grid(rng, types) for _ in range(ROWS // 2)]
    rows += [(PATCHES[types[0]](rng), PATCHES[types[1]](rng)) for _ in range(ROWS)]
    assert_kernel(primitive, types, rows)
    assert len({outcome(primitive, row) for row in rows}) > 1


@pytest.mark.parametrize("primitive", OF_TWO_PATCHES, ids=str)
def test_lines_over_many_words(primitive: Primitive[..., Any]) -> None:
    """Rows and columns that are far apart, and those near the boundaries of words of bits."""
    rng = random.Random(2)
    rows = []
    for _ in range(ROWS):
        scale = rng.choice((1, 30, 61, 62, 63, 64, 1000, 100_000))
        spots = [(rng.randint(-4, 4) * scale, rng.randint(-4, 4) * scale) for _ in range(rng.randint(2, 12))]
        nudge = rng.randint(0, 2)
        cut = rng.randint(1, len(spots) - 1)
        rows.append((frozenset(spots[:cut]), frozenset((i + nudge, j - nudge) for i, j in spots[cut:])))
    assert_kernel(primitive, (INDICES, INDICES), rows)


@pytest.mark.parametrize("types", [(INDICES, INDICES), (OBJECT, OBJECT)], ids=str)
@pytest.mark.parametrize("primitive", OF_TWO_PATCHES, ids=str)
def test_primitives_of_long_patches(primitive: Primitive[..., Any], types: tuple[Type, Type]) -> None:
    """Patches with more rows and columns than there are bits in a word."""
    rng = random.Random(5)
    rows = []
    for _ in range(ROWS):
        first, second = (rng.choice((line, ring))(rng, rng.choice((5, 61, 62, 63, 64, 65, 90))) for _ in range(2))
        down, right = rng.randint(-5, 5), rng.randint(-70, 70)
        moved = {(i + down, j + right) for i, j in second}
        if rng.random() < 0.7:
            moved -= first
        if moved:
            rows.append((_as_type(rng, first, types[0]), _as_type(rng, moved, types[1])))
    assert_kernel(primitive, types, rows)
    assert len({outcome(primitive, row) for row in rows}) > 1


@pytest.mark.parametrize("primitive", [relations.manhattan, relations.adjacent, relations.gravitate], ids=str)
def test_patches_at_the_ends_of_long_lines(primitive: Primitive[..., Any]) -> None:
    rows = []
    for count, beyond, beside in product(range(59, 66), (-45, -44, -43, -42, -41, -2, -1, 0, 1, 2), (-1, 0, 1)):
        for start in (-beyond, count - 1 + beyond):
            line = frozenset((0, k) for k in range(count))
            rows.append((frozenset({(beside, start)}), line))
            rows.append((frozenset({(start, beside)}), frozenset((j, i) for i, j in line)))
    assert_kernel(primitive, (INDICES, INDICES), rows)


@pytest.mark.parametrize("primitive", OF_TWO_PATCHES, ids=str)
def test_patches_at_the_limits_of_ints(primitive: Primitive[..., Any]) -> None:
    ends = (-INT_LIMIT, -1, 0, 1, INT_LIMIT - 1, INT_LIMIT)
    places = list(product(ends, ends))
    rows = [(frozenset({first}), frozenset({second})) for first in places for second in places[::5]]
    rows += [(frozenset({first, (0, 0)}), frozenset({second, (3, 1)})) for first in places for second in places[::7]]
    assert_kernel(primitive, (INDICES, INDICES), rows)


def _ways(rng: random.Random) -> tuple[frozenset[Any], frozenset[Any]]:
    """A patch, and another one with a slot of its width that is open to one side."""
    depth, distance, shift = rng.randint(1, 8), rng.randint(0, 45), rng.randint(-1, 1)
    slot = {(i, j) for i in range(depth + 1) for j in range(-2, 3) if j != 0 or i == depth}
    moving = {(-1 - distance - k, shift) for k in range(rng.randint(1, 3))}
    turns = rng.randrange(4)
    for _ in range(turns):
        slot, moving = ({(j, -i) for i, j in places} for places in (slot, moving))
    return _as_type(rng, moving, OBJECT), _as_type(rng, slot, OBJECT)


def test_gravitate_into_slots() -> None:
    rng = random.Random(3)
    rows = [_ways(rng) for _ in range(ROWS)]
    assert_kernel(relations.gravitate, (OBJECT, OBJECT), rows)
    assert {0, 42} < {max(map(abs, outcome(relations.gravitate, row))) for row in rows}


@pytest.mark.parametrize("make", [random_indices, random_object, random_patch])
def test_bordering(make: Any) -> None:
    rng = random.Random(4)
    type = {random_indices: INDICES, random_object: OBJECT, random_patch: PATCH}[make]
    rows: list[Any] = [(make(rng), random_grid(rng)) for _ in range(ROWS)]
    for _ in range(ROWS):
        grid = random_grid(rng)
        height, width = len(grid), len(grid[0]) if grid else 0
        place = rng.randint(-1, height), rng.randint(-1, width)
        rows.append((frozenset({place if type is INDICES else (5, place)}), grid))
    assert_kernel(relations.bordering, (type, GRID), rows)


@pytest.mark.parametrize(("name", "types"), conformance("relations"), ids=str)
def test_conformance(name: str, types: tuple[Any, ...]) -> None:
    assert_conforms(name, types, conformance("relations")[name, types])
