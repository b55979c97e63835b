"""Kernels of objects against the reference."""

import random
from collections.abc import Callable
from typing import Any

import kernel_check
import numpy as np
import pytest
from kernel_check import outcome
from kernel_rows import assert_exact, assert_observed, observed

import arcloom.engine.kernels.objects  # noqa: F401
from arcloom.dsl import objects
from arcloom.dsl.declare import Primitive
from arcloom.dsl.signature import (
    BOOL,
    GRID,
    INDICES,
    INT,
    OBJECT,
    PAIR,
    PATCH,
    Type,
    set_of,
    tuple_of,
)
from arcloom.dsl.values import COLOUR_MAX, COLOUR_MIN, INT_LIMIT, SIDE_LIMIT, Reason, ordered
from arcloom.engine.columns import Reader
from arcloom.engine.words import container

Grid = tuple[tuple[int, ...], ...]
Object = frozenset[Any]

BARE: tuple[Grid, ...] = ((), ((),), ((), ()), ((),) * 7)
"""Grids without cells."""

SIDES = (1, 1, 2, 3, 3, 4, 5, 7, 8, 10, 13, 16, 20, 30)
EXTREMES = (COLOUR_MIN, COLOUR_MAX, -1, 0)
FAMILY = (
    objects.objects,
    objects.partition,
    objects.fgpartition,
    objects.frontiers,
    objects.toobject,
    objects.color,
    objects.colorfilter,
    objects.sizefilter,
    objects.occurrences,
)


class OrderedReader(Reader):
    """A reader that asserts that sets are sorted and have no duplicates."""

    def _container(self, word: int, type: Type, kind: str) -> Any:
        listed = super()._container(word, type, "tuple" if kind == "set" else kind)
        if kind != "set":
            return listed
        assert listed == ordered(frozenset(listed)), f"not sorted, or with duplicates: {listed}"
        return frozenset(listed)


@pytest.fixture(autouse=True)
def sets_are_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_check, "Reader", OrderedReader)


# Generated grids


def noise(rng: random.Random, height: int, width: int) -> list[list[int]]:
    palette = rng.choice((range(10), (0, 0, 0, 0, 5), (0, 1), (3, 3, 8), EXTREMES, range(COLOUR_MIN, COLOUR_MAX + 1)))
    return [[rng.choice(palette) for _ in range(width)] for _ in range(height)]


def scene(rng: random.Random, height: int, width: int) -> list[list[int]]:
    """Rectangles, frames and lines on a background, some of which touch or overlap."""
    background = rng.choice((0, 0, 7))
    rows = [[background] * width for _ in range(height)]
    for _ in range(rng.randint(0, 8)):
        colour, hollow = rng.randint(0, 9), rng.random() < 0.3
        top, left = rng.randrange(height), rng.randrange(width)
        bottom, right = min(top + rng.choice((0, 1, 2, 5)), height - 1), min(left + rng.choice((0, 1, 2, 5)), width - 1)
        for i in range(top, bottom + 1):
            for j in range(left, right + 1):
                if not hollow or i in (top, bottom) or j in (left, right):
                    rows[i][j] = colour
    return rows


def stripes(rng: random.Random, height: int, width: int) -> list[list[int]]:
    down, right, colours = rng.randint(0, 3), rng.randint(0, 3), rng.randint(1, 4)
    return [[(i * down + j * right) % colours for j in range(width)] for i in range(height)]


def comb(rng: random.Random, height: int, width: int) -> list[list[int]]:
    """Vertical lines that are connected only in the last or first row; some pairs are connected earlier."""
    rows = [
        [1 if j % 2 == 0 or rng.random() < 0.1 else rng.choice((0, 0, 2)) for j in range(width)] for _ in range(height)
    ]
    rows[-1] = [1] * width
    return rows if rng.random() < 0.7 else rows[::-1]


def spiral(rng: random.Random, height: int, width: int) -> list[list[int]]:
    """A spiral that does not touch itself, with some gaps and shortcuts."""
    rows = [[0] * width for _ in range(height)]
    i, j, di, dj = 0, 0, 0, 1
    for _ in range(height * width):
        rows[i][j] = 3
        ahead = [(i + di * k, j + dj * k) for k in (1, 2)]
        inside = [0 <= a < height and 0 <= b < width for a, b in ahead]
        if not inside[0] or (inside[1] and rows[ahead[1][0]][ahead[1][1]] == 3):
            di, dj = dj, -di
        i, j = min(max(i + di, 0), height - 1), min(max(j + dj, 0), width - 1)
    for _ in range(rng.choice((0, 0, 1, 4))):
        rows[rng.randrange(height)][rng.randrange(width)] = rng.choice((0, 3, 4))
    return rows


MAKERS: tuple[Callable[[random.Random, int, int], list[list[int]]], ...] = (noise, scene, scene, stripes, comb, spiral)


def random_grid(rng: random.Random) -> Grid:
    rows = rng.choice(MAKERS)(rng, rng.choice(SIDES), rng.choice(SIDES))
    return tuple(map(tuple, rows))


def grids(seed: int, count: int = 300) -> list[Grid]:
    """All grids without cells, and ``count`` others."""
    rng = random.Random(seed)
    return [*BARE, *(random_grid(rng) for _ in range(count))]


def two_of(colour: int, other: int, count: int) -> Grid:
    """A grid of one row in which two colours are equally frequent."""
    return ((colour, other) * count,)


# Finding objects

FLAGS = [
    (univalued, diagonal, bare) for univalued in (True, False) for diagonal in (True, False) for bare in (True, False)
]


@pytest.mark.parametrize("flags", FLAGS, ids=str)
def test_objects(flags: tuple[bool, bool, bool]) -> None:
    rows = [(picture, *flags) for picture in grids(1, 500)]
    rows += [(two_of(*both, 3), *flags) for both in ((3, 2), (2, 3), (-1, 0), (COLOUR_MAX, COLOUR_MIN), (0, -1))]
    rows += [(((9, 9, *range(-5, 5)),), *flags)]
    assert_exact(objects.objects, (GRID, BOOL, BOOL, BOOL), rows)


def test_long_grids() -> None:
    row = (tuple(k // 30_000 for k in range(SIDE_LIMIT)),)
    column = tuple(zip(*row, strict=True))
    assert_exact(objects.objects, (GRID, BOOL, BOOL, BOOL), [(row, *FLAGS[0]), (column, *FLAGS[6])])
    assert_exact(objects.frontiers, (GRID,), [(((5,) * 1000,),), (((5,),) * 1000,)])


def test_objects_beyond_the_budget() -> None:
    rows = [(two_of(1, 2, count), *flags) for count in (1, 6, 15, 30, 90) for flags in FLAGS]
    assert_exact(objects.objects, (GRID, BOOL, BOOL, BOOL), rows, budget=20)
    assert Reason.BUDGET in {outcome(objects.objects, row, 20) for row in rows}


@pytest.mark.parametrize("primitive", [objects.partition, objects.fgpartition, objects.frontiers], ids=str)
def test_unary_primitives_of_grids(primitive: Primitive[..., Any]) -> None:
    rng = random.Random(3)
    plain = [((rng.randint(0, 2),) * rng.choice(SIDES),) * rng.choice(SIDES) for _ in range(50)]
    lines = [tuple(map(tuple, stripes(rng, rng.choice(SIDES), rng.choice(SIDES)))) for _ in range(100)]
    ties = [two_of(*both, 3) for both in ((3, 2), (-1, 0), (COLOUR_MAX, COLOUR_MIN))]
    assert_exact(primitive, (GRID,), [(picture,) for picture in (*grids(4), *plain, *lines, *ties)])


# Objects and grids


def near(rng: random.Random, picture: Grid, colours: tuple[int, ...] = (0, 3)) -> Object:
    """Cells on and around the grid, some at the same position, and sometimes a cell far away."""
    height, width = len(picture), len(picture[0]) if picture else 0
    count, far = rng.choice((0, 1, 3, 10, 30, 100, 400)), rng.choice((0, 0, 0, INT_LIMIT, -INT_LIMIT))
    places = [(rng.randint(-1, height), rng.randint(-1, width)) for _ in range(count)] + [(far, 0), (0, far)]
    return frozenset((rng.choice(colours), place) for place in places[: count + rng.choice((0, 0, 2))])


def as_patch(rng: random.Random, obj: Object, type: Type) -> Object:
    bare = type is INDICES or (type is PATCH and rng.random() < 0.5)
    return frozenset(place for _, place in obj) if bare else obj


@pytest.mark.parametrize("type", [INDICES, OBJECT, PATCH], ids=str)
def test_toobject(type: Type) -> None:
    rng = random.Random(5)
    palettes = ((4,), (0, 3), (-INT_LIMIT, 7, INT_LIMIT))
    rows = [(as_patch(rng, near(rng, picture, rng.choice(palettes)), type), picture) for picture in grids(6, 600)]
    rows += [(frozenset(), picture) for picture in BARE]
    assert_exact(objects.toobject, (type, GRID), rows)


def pattern(rng: random.Random, picture: Grid) -> Object:
    """Some cells of a part of the grid, moved, sometimes with a changed colour or two cells at one position."""
    height, width = len(picture), len(picture[0])
    top, left = rng.randrange(height), rng.randrange(width)
    down, right = rng.choice((0, 0, 1, 2)), rng.choice((0, 0, 1, 2, 9))
    places = [
        (i, j) for i in range(top, min(top + down + 1, height)) for j in range(left, min(left + right + 1, width))
    ]
    kept = rng.sample(places, rng.randint(1, len(places)))
    i, j = rng.choice(((0, 0), (-7, 3), (INT_LIMIT - 40, -INT_LIMIT)))
    cells = [(picture[a][b], (a + i, b + j)) for a, b in kept]
    odd = [(rng.choice((5, 128, -INT_LIMIT, 256)), cells[0][1])] if rng.random() < 0.1 else []
    return frozenset(cells[rng.choice((0, 0, 1)) if odd else 0 :] + odd)


def test_occurrences() -> None:
    rng = random.Random(7)
    rows = [(picture, pattern(rng, picture)) for picture in grids(8, 600) if picture and picture[0]]
    rows += [(picture, frozenset()) for picture in grids(9, 50)]
    rows += [(picture, near(rng, picture)) for picture in grids(10, 50)]
    ends = frozenset({(1, (-INT_LIMIT, INT_LIMIT)), (1, (INT_LIMIT, -INT_LIMIT))})
    rows += [(picture, ends) for picture in grids(11, 10)]
    assert_exact(objects.occurrences, (GRID, OBJECT), rows)


def test_occurrences_beyond_the_budget() -> None:
    rows = [(((0,) * 9,) * height, obj) for height in (1, 5, 15, 20) for obj in (frozenset(), frozenset({(0, (0, 0))}))]
    assert_exact(objects.occurrences, (GRID, OBJECT), rows, budget=100)
    assert Reason.BUDGET in {outcome(objects.occurrences, row, 100) for row in rows}
    assert_exact(objects.occurrences, (GRID, OBJECT), [(((),) * SIDE_LIMIT, obj) for _, obj in rows], budget=9000)


# Filtering objects


def some_objects(rng: random.Random) -> tuple[Object, ...]:
    """Objects of a grid in any order, some repeated, sometimes an empty one."""
    picture = random_grid(rng)
    found = list(objects.objects(picture, *rng.choice(FLAGS)))
    chosen = rng.choices(found, k=rng.choice((1, 5, 40))) if found else []
    return (*chosen, *((frozenset(),) if rng.random() < 0.1 else ()))


def test_color() -> None:
    rng = random.Random(12)
    far = frozenset({(INT_LIMIT, (INT_LIMIT, INT_LIMIT)), (-INT_LIMIT, (-INT_LIMIT, 0))})
    rows = [(obj,) for _ in range(100) for obj in some_objects(rng)[-5:]]
    assert_exact(objects.color, (OBJECT,), [(frozenset(),), (far,), *rows])


@pytest.mark.parametrize("container", [set_of, tuple_of], ids=["set", "tuple"])
def test_colorfilter(container: Callable[[Type], Type]) -> None:
    rng = random.Random(13)
    listed = [some_objects(rng) for _ in range(300)]
    made = [frozenset(each) if container is set_of else each for each in [(), *listed]]
    rows = [(each, rng.choice((0, 1, 2, 3, 5, 7, -1, INT_LIMIT))) for each in made for _ in range(2)]
    assert_exact(objects.colorfilter, (container(OBJECT), INT), rows)


@pytest.mark.parametrize("container", [set_of, tuple_of], ids=["set", "tuple"])
@pytest.mark.parametrize("element", [OBJECT, set_of(INT), INDICES, set_of(INDICES)], ids=str)
def test_sizefilter(container: Callable[[Type], Type], element: Type) -> None:
    rng = random.Random(14)
    rows = []
    for _ in range(300):
        listed = [frozenset(_parts(rng, element)) for _ in range(rng.choice((0, 1, 3, 10, 40)))]
        kept = tuple(listed) if container is tuple_of else frozenset(listed)
        rows.append((kept, rng.choice((0, 1, 1, 2, 3, -1, INT_LIMIT))))
    assert_exact(objects.sizefilter, (container(element), INT), rows)


def _parts(rng: random.Random, type: Type) -> list[Any]:
    """A few elements of a set of this type."""
    count = rng.randint(0, 3)
    if type is OBJECT:
        return [(rng.randint(0, 2), (rng.randint(0, 1), 5)) for _ in range(count)]
    if type.element is PAIR:
        return [(rng.randint(0, 1), rng.randint(-1, 0)) for _ in range(count)]
    if type.element is INT:
        return [rng.randint(0, 3) for _ in range(count)]
    return [frozenset(_parts(rng, type.element)) for _ in range(count)]


# Examples


@pytest.mark.parametrize("primitive", FAMILY, ids=str)
def test_conformance(primitive: Primitive[..., Any]) -> None:
    groups = list(observed(primitive))
    assert sum(len(rows) for _, rows, _ in groups) >= 16
    for types, rows, expected in groups:
        assert_observed(primitive, types, rows, expected)


def test_the_reader_detects_unsorted_sets() -> None:
    reader = OrderedReader(np.array([2, 1, 1]), np.zeros(0, np.int8))
    assert reader.value(container(1, 1), set_of(INT)) == {1}
    for unsorted in (container(0, 2), container(1, 2)):
        with pytest.raises(AssertionError):
            reader.value(unsorted, set_of(INT))
