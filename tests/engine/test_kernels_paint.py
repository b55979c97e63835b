"""Kernels of colours against the reference."""

import random
from typing import Any

import pytest
from kernel_check import assert_kernel, outcome
from test_kernels_grid import BARE, NUMBERS, PALETTES, Grid, grids, random_grid
from test_kernels_patch import PATCHES, assert_conforms, conformance, random_object, sets_are_sorted  # noqa: F401

from arcloom.dsl import paint
from arcloom.dsl.declare import Primitive
from arcloom.dsl.signature import GRID, INDICES, INT, OBJECT, PAIR, PATCH, Type
from arcloom.dsl.values import COLOUR_MAX, COLOUR_MIN, INT_LIMIT, SIDE_LIMIT, Reason

OF_COLOURS = (paint.palette, paint.numcolors, paint.mostcolor, paint.leastcolor)
COLOURS = (0, 1, 2, 3, 5, 8, 9, -1, COLOUR_MIN, COLOUR_MAX)
"""Numbers that a cell can hold."""
NO_COLOURS = (COLOUR_MIN - 1, COLOUR_MAX + 1, 256, INT_LIMIT, -INT_LIMIT)
"""Numbers that a cell cannot hold."""
ANY = (*COLOURS, *COLOURS, *NO_COLOURS)


def placed_object(rng: random.Random, picture: Grid) -> frozenset[Any]:
    """Cells on and around the grid, some at the same position, sometimes of an invalid colour."""
    height, width = len(picture), len(picture[0]) if picture else 0
    colours = rng.choice((COLOURS, (3,), (0, 5), COLOURS, ANY))
    count = rng.choice((0, 1, 3, 10, 100))
    return frozenset(
        (rng.choice(colours), (rng.randint(-2, height + 1), rng.randint(-2, width + 1))) for _ in range(count)
    )


def placed(rng: random.Random, picture: Grid, type: Type) -> frozenset[Any]:
    """A patch of the type, usually near the grid."""
    if rng.random() < 0.2:
        return PATCHES[type](rng)
    obj = placed_object(rng, picture)
    return frozenset(where for _, where in obj) if type is INDICES else obj


def near_ties(rng: random.Random) -> Grid:
    """A grid in which the colours are about equally frequent."""
    colours = [*rng.sample(rng.choice(PALETTES[:2]), 3), rng.choice((-7, COLOUR_MIN, COLOUR_MAX, 64))]
    width, each = rng.choice((1, 2, 3, 4, 6)), rng.randint(1, 4)
    cells = [colour for colour in colours for _ in range(each * width)]
    rng.shuffle(cells)
    for _ in range(rng.choice((0, 0, 1, 2))):
        cells[rng.randrange(len(cells))] = rng.choice(colours)
    return tuple(tuple(cells[k : k + width]) for k in range(0, len(cells), width))


def objects(seed: int, count: int = 300) -> list[frozenset[Any]]:
    rng = random.Random(seed)
    return [frozenset(), *(random_object(rng) for _ in range(count))]


@pytest.mark.parametrize("primitive", OF_COLOURS, ids=str)
def test_colours_of_grids(primitive: Primitive[..., Any]) -> None:
    rng = random.Random(1)
    everything = tuple(tuple(range(k, k + 16)) for k in range(COLOUR_MIN, COLOUR_MAX, 16))
    ties = [near_ties(rng) for _ in range(300)]
    assert_kernel(primitive, (GRID,), [(picture,) for picture in (*grids(2), *ties, everything, everything[::-1])])


@pytest.mark.parametrize("primitive", OF_COLOURS, ids=str)
def test_colours_of_objects(primitive: Primitive[..., Any]) -> None:
    rng = random.Random(3)
    ties = [
        frozenset((colour, (i, j)) for i, row in enumerate(near_ties(rng)) for j, colour in enumerate(row))
        for _ in range(100)
    ]
    assert_kernel(primitive, (OBJECT,), [(obj,) for obj in (*objects(4), *ties)])


def test_colorcount() -> None:
    rng = random.Random(5)
    assert_kernel(paint.colorcount, (GRID, INT), [(picture, rng.choice(ANY)) for picture in grids(6)])
    assert_kernel(paint.colorcount, (OBJECT, INT), [(obj, rng.choice(ANY)) for obj in objects(7)])


def test_ofcolor() -> None:
    rng = random.Random(8)
    assert_kernel(paint.ofcolor, (GRID, INT), [(picture, rng.choice(ANY)) for picture in grids(9, 500)])


def test_canvas() -> None:
    rng = random.Random(10)
    sides = (0, 1, 2, 3, 5, 10, 30, 33, -1, -INT_LIMIT)
    rows = [(rng.choice(ANY), (rng.choice(sides), rng.choice(sides))) for _ in range(300)]
    assert_kernel(paint.canvas, (INT, PAIR), rows)


def test_canvas_beyond_the_budget() -> None:
    sides = (-1, 0, 1, 2, 99, 100, 101, 399, 400, 401, 1000, SIDE_LIMIT, SIDE_LIMIT + 1, INT_LIMIT)
    rows = [(colour, (height, width)) for colour in (3, 128) for height in sides for width in sides]
    assert_kernel(paint.canvas, (INT, PAIR), rows, budget=10_000)
    assert {Reason.BUDGET, Reason.RANGE} < {outcome(paint.canvas, row, 10_000) for row in rows}
    long = [(3, (SIDE_LIMIT, 1)), (3, (SIDE_LIMIT + 1, 1)), (3, (1, SIDE_LIMIT)), (3, (1, SIDE_LIMIT + 1))]
    assert_kernel(paint.canvas, (INT, PAIR), long)


@pytest.mark.parametrize("type", [INDICES, OBJECT, PATCH], ids=str)
@pytest.mark.parametrize("primitive", [paint.fill, paint.underfill], ids=str)
def test_filled(primitive: Primitive[..., Any], type: Type) -> None:
    rng = random.Random(11)
    pictures = [*grids(12, 400), *(near_ties(rng) for _ in range(100))]
    rows = [(picture, rng.choice(ANY), placed(rng, picture, type)) for picture in pictures]
    assert_kernel(primitive, (GRID, INT, type), rows)
    assert_kernel(primitive, (GRID, INT, type), [(bare, colour, frozenset()) for bare in BARE for colour in (3, 300)])


@pytest.mark.parametrize("type", [INDICES, OBJECT, PATCH], ids=str)
def test_cover(type: Type) -> None:
    rng = random.Random(13)
    pictures = [*grids(14, 400), *(near_ties(rng) for _ in range(100))]
    assert_kernel(paint.cover, (GRID, type), [(picture, placed(rng, picture, type)) for picture in pictures])


@pytest.mark.parametrize("primitive", [paint.paint, paint.underpaint], ids=str)
def test_painted(primitive: Primitive[..., Any]) -> None:
    rng = random.Random(15)
    pictures = [*grids(16, 800), *(near_ties(rng) for _ in range(100))]
    rows = [(picture, placed(rng, picture, OBJECT)) for picture in pictures]
    assert_kernel(primitive, (GRID, OBJECT), rows)
    assert {Reason.EMPTY, Reason.RANGE} < {outcome(primitive, row) for row in rows}


def test_move() -> None:
    rng = random.Random(17)
    steps = (*NUMBERS, *NUMBERS, 0, 1, -1, INT_LIMIT, -INT_LIMIT, INT_LIMIT - 2)
    rows = [
        (picture, placed(rng, picture, OBJECT), (rng.choice(steps), rng.choice(steps))) for picture in grids(18, 1000)
    ]
    far = frozenset({(300, (0, INT_LIMIT))})
    rows += [(bare, far, (0, along)) for bare in (*BARE, ((1, 2),)) for along in (0, 1, -INT_LIMIT)]
    assert_kernel(paint.move, (GRID, OBJECT, PAIR), rows)
    assert {Reason.EMPTY, Reason.RANGE} < {outcome(paint.move, row) for row in rows}


@pytest.mark.parametrize("primitive", [paint.replace, paint.switch], ids=str)
def test_recoloured(primitive: Primitive[..., Any]) -> None:
    rng = random.Random(19)
    rows = [(picture, rng.choice(ANY), rng.choice(ANY)) for picture in grids(20, 600)]
    assert_kernel(primitive, (GRID, INT, INT), rows)


def test_cellwise() -> None:
    rng = random.Random(21)
    rows: list[tuple[Grid, Grid, int]] = [(a, b, rng.choice(ANY)) for a in BARE for b in (*BARE, ((1, 2), (3, 4)))]
    rows += [(a, random_grid(rng), rng.choice(ANY)) for a in grids(22)]
    for a in grids(23):  # a larger grid, or the same with some cells changed
        more = rng.choice((0, 0, 1, 3))
        b = tuple(tuple(c if rng.random() < 0.8 else 5 for c in row) + (7,) * more for row in a)
        rows.append((a, b + b[:more], rng.choice(ANY)))
    assert_kernel(paint.cellwise, (GRID, GRID, INT), rows)
    assert {Reason.EMPTY, Reason.RANGE, Reason.SHAPE} < {outcome(paint.cellwise, row) for row in rows}


@pytest.mark.parametrize(("name", "types"), conformance("paint"), ids=str)
def test_conformance(name: str, types: tuple[Any, ...]) -> None:
    assert_conforms(name, types, conformance("paint")[name, types])
