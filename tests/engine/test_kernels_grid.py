"""Kernels of grids, and of mirroring and scaling patches, against the reference."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from kernel_check import assert_kernel, outcome
from test_kernels_patch import (  # noqa: F401
    PATCHES,
    SPARSE,
    assert_conforms,
    conformance,
    random_object,
    sets_are_sorted,
)

from arcloom.dsl import grid
from arcloom.dsl.declare import Primitive
from arcloom.dsl.signature import GRID, INDICES, INT, OBJECT, PAIR, PATCH, Type
from arcloom.dsl.values import COLOUR_MAX, COLOUR_MIN, INT_LIMIT, SIDE_LIMIT, Reason

Grid = tuple[tuple[int, ...], ...]

ROWS = 300
BARE: tuple[Grid, ...] = ((), ((),), ((), ()), ((),) * 7)
"""Grids without cells."""

SIDES = (1, 1, 2, 2, 3, 3, 4, 5, 7, 8, 10, 15, 16, 17, 30)
PALETTES = (
    tuple(range(10)),
    (0, 0, 0, 0, 5),
    (3, 3, 8),
    (4,),
    (COLOUR_MIN, COLOUR_MAX, -1, 0),
    tuple(range(COLOUR_MIN, COLOUR_MAX + 1)),
)
NUMBERS = (0, 1, 2, 3, 4, 5, 7, 10, 31, -1, -2, -3, -31, 1000, -1000)
EXTREME = (*NUMBERS, INT_LIMIT, -INT_LIMIT, INT_LIMIT - 1)

MIRRORS = (grid.hmirror, grid.vmirror, grid.dmirror, grid.cmirror)
OF_A_GRID = (
    *(grid.rot90, grid.rot180, grid.rot270, *MIRRORS, grid.trim, grid.compress, grid.asindices, grid.asobject),
    *(grid.tophalf, grid.bottomhalf, grid.lefthalf, grid.righthalf),
)
SCALES = (grid.hupscale, grid.vupscale, grid.upscale)


def random_grid(rng: random.Random) -> Grid:
    """A grid with a random palette, sometimes with lines of one colour, sometimes without cells."""
    if rng.random() < 0.05:
        return rng.choice(BARE)
    height, width, palette = rng.choice(SIDES), rng.choice(SIDES), rng.choice(PALETTES)
    rows = [[rng.choice(palette) for _ in range(width)] for _ in range(height)]
    if rng.random() < 0.5:
        rows[rng.randrange(height)] = [rng.choice(palette)] * width
        line, colour = rng.randrange(width), rng.choice(palette)
        for row in rows:
            row[line] = colour
    return tuple(map(tuple, rows))


def grids(seed: int, count: int = ROWS) -> list[Grid]:
    """All grids without cells, and ``count`` others."""
    rng = random.Random(seed)
    return [*BARE, *(random_grid(rng) for _ in range(count))]


def tiled_object(rng: random.Random) -> frozenset[Any]:
    """A part of a repeating pattern, often with some cells missing or changed."""
    down, right = rng.randint(1, 4), rng.randint(1, 4)
    tile = [[rng.choice((0, 1, 2)) for _ in range(right)] for _ in range(down)]
    height, width = rng.randint(1, 12), rng.randint(1, 12)
    top, left = rng.choice((0, 0, 3, -5)), rng.choice((0, 0, 2, -7))
    cells = {(i, j): tile[i % down][j % right] for i in range(height) for j in range(width)}
    for _ in range(rng.choice((0, 0, 0, 1, 3))):
        cells[rng.choice(list(cells))] = rng.choice((0, 5))
    kept = [place for place in cells if tile[0][0] == 2 or rng.random() < 0.995]
    return frozenset((cells[i, j], (top + i, left + j)) for i, j in kept)


def large_object(rng: random.Random) -> frozenset[Any]:
    """Many cells of one or several colours, dense or sparse."""
    side, count = rng.choice(((20, 300), (30, 900), (100, 60), (1000, 40), (5, 200)))
    colours = rng.choice(((1,), (1, 2), tuple(range(10))))
    return frozenset((rng.choice(colours), (rng.randrange(side), rng.randrange(side))) for _ in range(count))


@pytest.mark.parametrize("primitive", OF_A_GRID, ids=str)
def test_unary_primitives_of_grids(primitive: Primitive[..., Any]) -> None:
    assert_kernel(primitive, (GRID,), [(picture,) for picture in grids(1)])


@pytest.mark.parametrize("primitive", [grid.compress, grid.asobject], ids=str)
def test_unary_primitives_of_grids_with_all_colours(primitive: Primitive[..., Any]) -> None:
    rng = random.Random(2)
    everything = random.Random(3).sample(range(COLOUR_MIN, COLOUR_MAX + 1), 256)
    full = tuple(tuple(everything[16 * i : 16 * i + 16]) for i in range(16))
    assert_kernel(primitive, (GRID,), [(full,), (full + full,), *[(random_grid(rng),) for _ in range(20)]])


@pytest.mark.parametrize("type", [INDICES, OBJECT, PATCH], ids=str)
@pytest.mark.parametrize("primitive", MIRRORS, ids=str)
def test_mirrored_patches(primitive: Primitive[..., Any], type: Type) -> None:
    rng = random.Random(4)
    rows = [(PATCHES[type](rng),) for _ in range(ROWS)] + [(frozenset(),)]
    assert_kernel(primitive, (type,), rows)


@pytest.mark.parametrize("primitive", MIRRORS, ids=str)
def test_mirrored_patches_that_are_large_or_far(primitive: Primitive[..., Any]) -> None:
    rng = random.Random(5)
    assert_kernel(primitive, (OBJECT,), [(large_object(rng),) for _ in range(200)])
    edges = [frozenset({(INT_LIMIT - k, 0), (INT_LIMIT - k, 2)}) for k in range(4)]
    rows = [(patch,) for patch in (*SPARSE, *edges, *(frozenset((j, i) for i, j in edge) for edge in edges))]
    assert_kernel(primitive, (INDICES,), rows)
    if primitive in (grid.dmirror, grid.cmirror):
        assert Reason.RANGE in {outcome(primitive, row) for row in rows}


@pytest.mark.parametrize("primitive", SCALES, ids=str)
def test_scaled_grids(primitive: Primitive[..., Any]) -> None:
    rng = random.Random(6)
    rows = [(picture, rng.choice((0, 1, 2, 3, 4, 7, -1, -INT_LIMIT))) for picture in grids(7)]
    assert_kernel(primitive, (GRID, INT), rows)


@pytest.mark.parametrize("primitive", SCALES, ids=str)
def test_scaled_beyond_the_budget(primitive: Primitive[..., Any]) -> None:
    pictures = (*BARE, ((1,),), ((1, 2, 3),), ((1,), (2,)), ((1, 2), (3, 4)))
    factors = (1, 2, 99, 100, 101, 5000, 10_000, 10_001, SIDE_LIMIT, SIDE_LIMIT + 1, INT_LIMIT, 0)
    rows = [(picture, factor) for picture in pictures for factor in factors if len(picture) * factor < 4 * INT_LIMIT]
    assert_kernel(primitive, (GRID, INT), rows, budget=10_000)
    assert_kernel(primitive, (GRID, INT), [(((1,),), SIDE_LIMIT), (((1,),), SIDE_LIMIT + 1)], budget=100_000)
    assert Reason.BUDGET in {outcome(primitive, row, 10_000) for row in rows}


def test_scaled_objects() -> None:
    rng = random.Random(8)
    factors = (0, 1, 2, 3, 4, -1, -INT_LIMIT)
    rows = [(random_object(rng), rng.choice(factors)) for _ in range(ROWS)]
    assert_kernel(grid.upscale, (OBJECT, INT), [*rows, (frozenset(), 2), (frozenset(), 0)])


def test_scaled_objects_beyond_the_budget() -> None:
    near, far = frozenset({(3, (0, 0))}), frozenset({(3, (INT_LIMIT, 0))})
    wide = frozenset({(3, (0, 0)), (4, (0, INT_LIMIT))})
    factors = (1, 2, 50, 70, 71, 99, 100, 101, 199, 200, 201, 1000, INT_LIMIT)
    rows = [(obj, factor) for obj in (near, far, wide, near | wide) for factor in factors]
    assert_kernel(grid.upscale, (OBJECT, INT), rows, budget=10_000)
    assert {Reason.BUDGET, Reason.RANGE} < {outcome(grid.upscale, row, 10_000) for row in rows}
    assert_kernel(grid.upscale, (OBJECT, INT), [(obj, 1449) for obj in (near, far)])


def test_downscale() -> None:
    rng = random.Random(9)
    rows = [(picture, rng.choice(EXTREME)) for picture in grids(10, 500)]
    assert_kernel(grid.downscale, (GRID, INT), rows)


@pytest.mark.parametrize("primitive", [grid.hconcat, grid.vconcat], ids=str)
def test_concatenated_grids(primitive: Primitive[..., Any]) -> None:
    pairs = list(zip(grids(11), reversed(grids(12)), strict=True)) + [(a, b) for a in BARE for b in BARE]
    assert_kernel(primitive, (GRID, GRID), pairs)


def test_concatenated_grids_beyond_the_longest_side() -> None:
    half = ((1,) * (SIDE_LIMIT // 2),)
    rows = [(half, half), (half, ((1,) * (SIDE_LIMIT // 2 + 1),)), (half, ((1,) * (SIDE_LIMIT // 2 + 2),))]
    assert_kernel(grid.hconcat, (GRID, GRID), rows)
    assert outcome(grid.hconcat, rows[-1]) == Reason.BUDGET


@pytest.mark.parametrize("primitive", [grid.hsplit, grid.vsplit], ids=str)
def test_split(primitive: Primitive[..., Any]) -> None:
    rng = random.Random(13)
    counts = (0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 10, 31, -1, -2, -INT_LIMIT)
    rows = [(picture, rng.choice(counts)) for picture in grids(14)]
    rows += [(picture, count) for picture in BARE for count in counts]
    assert_kernel(primitive, (GRID, INT), rows)
    assert_kernel(primitive, (GRID, INT), [(((1,),), count) for count in (99, 100, 101, INT_LIMIT)], budget=100)


def test_crop() -> None:
    rng = random.Random(15)
    choices = (*NUMBERS, *NUMBERS, *EXTREME)
    rows = [
        (picture, (rng.choice(choices), rng.choice(choices)), (rng.choice(choices), rng.choice(choices)))
        for picture in grids(16, 1500)
    ]
    rows += [(picture, (1, 0), (2, len(picture[0]))) for picture in grids(17) if picture]
    assert_kernel(grid.crop, (GRID, PAIR, PAIR), rows)


@pytest.mark.parametrize("type", [INDICES, OBJECT, PATCH], ids=str)
def test_subgrid(type: Type) -> None:
    rng = random.Random(18)
    rows = [(PATCHES[type](rng), picture) for picture in grids(19, 500)]
    assert_kernel(grid.subgrid, (type, GRID), [*rows, (frozenset(), ((1, 2),)), (frozenset(), ())])


@pytest.mark.parametrize("primitive", [grid.hperiod, grid.vperiod], ids=str)
@pytest.mark.parametrize("objects", [tiled_object, random_object, large_object])
def test_periods(primitive: Primitive[..., Any], objects: Callable[[random.Random], frozenset[Any]]) -> None:
    rng = random.Random(20)
    assert_kernel(primitive, (OBJECT,), [(objects(rng),) for _ in range(ROWS)] + [(frozenset(),)])


@pytest.mark.parametrize("primitive", [grid.hperiod, grid.vperiod], ids=str)
def test_periods_of_distant_cells(primitive: Primitive[..., Any]) -> None:
    rng = random.Random(21)
    ends = (-INT_LIMIT, -INT_LIMIT + 1, -1, 0, 1, INT_LIMIT - 1, INT_LIMIT)
    rows = [
        (frozenset((rng.choice((1, 2)), (rng.choice(ends), rng.choice(ends))) for _ in range(rng.randint(1, 12))),)
        for _ in range(1000)
    ]
    assert_kernel(primitive, (OBJECT,), rows)
    assert Reason.RANGE in {outcome(primitive, row) for row in rows}


def test_index() -> None:
    rng = random.Random(22)
    choices = (*NUMBERS, *NUMBERS, *EXTREME)
    rows = [(picture, (rng.choice(choices), rng.choice(choices))) for picture in grids(23, 1500)]
    assert_kernel(grid.index, (GRID, PAIR), rows)


@pytest.mark.parametrize("primitive", [grid.asindices, grid.asobject, grid.tophalf, grid.rot90, grid.crop], ids=str)
def test_budget(primitive: Primitive[..., Any]) -> None:
    """The cells of a view of an argument count, too."""
    more = [(0, 0), (10, 10)] if primitive is grid.crop else []
    rows = [(((1,) * 10,) * height, *more) for height in range(8, 24)]
    assert_kernel(primitive, (GRID, *[PAIR] * len(more)), rows, budget=99)
    assert Reason.BUDGET in {outcome(primitive, row, 99) for row in rows}


@pytest.mark.parametrize(("name", "types"), conformance("grid"), ids=str)
def test_conformance(name: str, types: tuple[Any, ...]) -> None:
    assert_conforms(name, types, conformance("grid")[name, types])
