"""Kernels of patches against the reference."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import kernel_check
import pytest
from kernel_check import assert_kernel, outcome, run_kernel

from arcloom.conform import ConformanceExample, Fault, read
from arcloom.dsl import PRIMITIVES, patch
from arcloom.dsl.declare import Primitive
from arcloom.dsl.signature import GRID, INDICES, INT, OBJECT, PAIR, PATCH, Type, type_of
from arcloom.dsl.values import INT_LIMIT, Reason
from arcloom.engine.columns import Reader
from arcloom.engine.kernels import patch as kernels
from arcloom.engine.words import LOWEST

Patch = frozenset[Any]

ROWS = 400
EXAMPLES = Path(__file__).parents[1] / "conformance" / "primitives.jsonl"
PATCH_TYPES = (INDICES, OBJECT, PATCH)

MEASURES = (patch.height, patch.width, patch.shape, patch.portrait, patch.square)
OF_A_PATCH = (
    *MEASURES,
    patch.vline,
    patch.hline,
    patch.uppermost,
    patch.lowermost,
    patch.leftmost,
    patch.rightmost,
    patch.ulcorner,
    patch.urcorner,
    patch.llcorner,
    patch.lrcorner,
    patch.toindices,
    patch.normalize,
    patch.center,
    patch.centerofmass,
    patch.corners,
    patch.box,
    patch.inbox,
    patch.outbox,
    patch.backdrop,
    patch.delta,
)


class SortedReader(Reader):
    """A reader that asserts that sets of scalars are sorted and have no duplicates."""

    def _container(self, word: int, type: Type, kind: str) -> Any:
        value = super()._container(word, type, kind)
        if kind == "set":
            at, count = word >> 21, word & ((1 << 21) - 1)
            words = self.heap[at : at + count].tolist()
            assert words == sorted(set(words)), f"not kept as a set: {value}"
            assert not words or words[0] >= LOWEST
        return value


@pytest.fixture(autouse=True)
def sets_are_sorted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_check, "Reader", SortedReader)


# Generated patches


def scattered(rng: random.Random, side: int) -> Patch:
    return frozenset((rng.randrange(side), rng.randrange(side)) for _ in range(rng.randint(1, side)))


def rectangle(rng: random.Random, side: int) -> Patch:
    height, width = rng.randint(1, side), rng.randint(1, side)
    full = [(i, j) for i in range(height) for j in range(width)]
    return frozenset(full if rng.random() < 0.5 else rng.sample(full, rng.randint(1, len(full))))


def ring(rng: random.Random, side: int) -> Patch:
    bottom, right = rng.randint(1, side), rng.randint(1, side)
    return frozenset((i, j) for i in range(bottom + 1) for j in range(right + 1) if i in (0, bottom) or j in (0, right))


def blob(rng: random.Random, side: int) -> Patch:
    i = j = side // 2
    places = {(i, j)}
    for _ in range(rng.randint(1, 2 * side)):
        down, right = rng.choice(((0, 1), (1, 0), (0, -1), (-1, 0)))
        i, j = i + down, j + right
        places.add((i, j))
    return frozenset(places)


def line(rng: random.Random, side: int) -> Patch:
    down, right = rng.choice(((0, 1), (1, 0), (1, 1), (1, -1)))
    return frozenset((k * down, k * right) for k in range(rng.randint(1, side)))


SHAPES: tuple[Callable[[random.Random, int], Patch], ...] = (scattered, rectangle, ring, blob, line)
SIDES = (1, 2, 3, 3, 5, 5, 8, 12, 30)
"""Sides of the grids of patches. Small ones are more frequent."""

CORNERS = ((0, 0), (0, 0), (0, 0), (2, 1), (-3, 4), (-40, -40), (INT_LIMIT - 30, 0), (-INT_LIMIT, INT_LIMIT - 30))


def random_indices(rng: random.Random) -> Patch:
    """Positions in typical shapes, sometimes far away, sometimes none."""
    if rng.random() < 0.03:
        return frozenset()
    side = rng.choice(SIDES)
    places = rng.choice(SHAPES)(rng, side)
    down, right = rng.choice(CORNERS)
    shifted = frozenset((i + down, j + right) for i, j in places)
    return frozenset((i, j) for i, j in shifted if max(abs(i), abs(j)) <= INT_LIMIT)


def random_object(rng: random.Random) -> Patch:
    """Cells of one or several colours, sometimes several at one position."""
    places = sorted(random_indices(rng))
    colours = rng.choice(((3,), (0, 5), tuple(range(10)), (-INT_LIMIT, -1, INT_LIMIT)))
    cells = [(rng.choice(colours), place) for place in places]
    if rng.random() < 0.2:
        cells += [(rng.choice(colours), rng.choice(places)) for _ in range(rng.randint(0, len(places)))]
    return frozenset(cells)


def random_patch(rng: random.Random) -> Patch:
    """Positions, cells, or a mixture of both."""
    if rng.random() < 0.7:
        return rng.choice((random_indices, random_object))(rng)
    cells = frozenset((abs(colour) + 1, where) for colour, where in random_object(rng) if abs(colour) < 10)
    positions = frozenset(place for place in random_indices(rng) if place[0] <= 0)
    return cells | positions  # colours are positive and rows are not, so that Python's order is the language's


PATCHES: dict[Type, Callable[[random.Random], Patch]] = {
    INDICES: random_indices,
    OBJECT: random_object,
    PATCH: random_patch,
}

SPARSE = [frozenset({(0, 0), (far, INT_LIMIT)}) for far in (-INT_LIMIT, -1, 0, 1, INT_LIMIT)]
"""Patches whose bounding boxes are too large for many primitives."""


def random_grid(rng: random.Random) -> tuple[tuple[int, ...], ...]:
    """A grid of colours, sometimes one without cells."""
    if rng.random() < 0.1:
        return rng.choice(((), ((),), ((), ())))
    height, width = rng.choice(SIDES), rng.choice(SIDES)
    return tuple(tuple(rng.randrange(10) for _ in range(width)) for _ in range(height))


def conformance(family: str) -> dict[tuple[str, tuple[Type | None, ...]], list[ConformanceExample]]:
    """The conformance examples of a module's primitives, grouped by primitive and types."""
    groups: dict[tuple[str, tuple[Type | None, ...]], list[ConformanceExample]] = {}
    for example in read(EXAMPLES):
        if PRIMITIVES[example.primitive].family == family:
            types = tuple(map(type_of, example.inputs.values()))
            assert example.program == f"O = {example.primitive}({', '.join(example.inputs)})"
            groups.setdefault((example.primitive, types), []).append(example)
    return groups


def assert_conforms(name: str, types: tuple[Any, ...], examples: Sequence[ConformanceExample]) -> None:
    """Assert that the kernel has the expected outcomes of the examples."""
    rows = [tuple(example.inputs.values()) for example in examples]
    for example, args, got in zip(examples, rows, run_kernel(PRIMITIVES[name], types, rows), strict=True):
        expected = outcome(PRIMITIVES[name], args) if isinstance(example.expected, Fault) else example.expected
        assert got == expected, f"{example}: {got}"


# Tests


@pytest.mark.parametrize("type", PATCH_TYPES, ids=str)
@pytest.mark.parametrize("primitive", OF_A_PATCH, ids=str)
def test_unary_primitives_of_patches(primitive: Primitive[..., Any], type: Type) -> None:
    rng = random.Random(1)
    assert_kernel(primitive, (type,), [(PATCHES[type](rng),) for _ in range(ROWS)])


@pytest.mark.parametrize("primitive", OF_A_PATCH, ids=str)
def test_boxes_beyond_all_budgets(primitive: Primitive[..., Any]) -> None:
    objects = [frozenset((k, place) for k, place in enumerate(sorted(patch))) for patch in SPARSE]
    assert_kernel(primitive, (INDICES,), [(patch,) for patch in SPARSE], budget=50_000)
    assert_kernel(primitive, (OBJECT,), [(patch,) for patch in objects], budget=50_000)


@pytest.mark.parametrize("primitive", MEASURES, ids=str)
def test_unary_primitives_of_grids(primitive: Primitive[..., Any]) -> None:
    rng = random.Random(2)
    assert_kernel(primitive, (GRID,), [(random_grid(rng),) for _ in range(ROWS)])


@pytest.mark.parametrize("type", PATCH_TYPES, ids=str)
def test_recolor(type: Type) -> None:
    rng = random.Random(3)
    colours = (0, 3, 9, -1, INT_LIMIT, -INT_LIMIT)
    assert_kernel(patch.recolor, (INT, type), [(rng.choice(colours), PATCHES[type](rng)) for _ in range(ROWS)])


@pytest.mark.parametrize("type", PATCH_TYPES, ids=str)
def test_shift(type: Type) -> None:
    rng = random.Random(4)
    numbers = (0, 0, 1, -1, 2, -7, 30, 1000, INT_LIMIT - 30, INT_LIMIT, -INT_LIMIT)
    rows = [(PATCHES[type](rng), (rng.choice(numbers), rng.choice(numbers))) for _ in range(2 * ROWS)]
    assert_kernel(patch.shift, (type, PAIR), rows)


@pytest.mark.parametrize("primitive", [patch.toindices, patch.recolor, patch.centerofmass], ids=str)
def test_colours_in_large_patches(primitive: Primitive[..., Any]) -> None:
    """Covers both algorithms for sorting by place: on a map of the bounding box, and by comparison."""
    rng = random.Random(5)
    colour = [7] if primitive is patch.recolor else []
    rows = []
    for _ in range(60):
        side, count = rng.choice((6, 30, 60, 90)), rng.choice((23, 24, 25, 100, 1500))
        down, right = rng.randint(-50, 50), rng.randint(-50, 50)
        cells = ((rng.randrange(10), (rng.randrange(side) + down, rng.randrange(side) + right)) for _ in range(count))
        rows.append((*colour, frozenset(cells)))
    assert_kernel(primitive, (*[INT] * len(colour), OBJECT), rows)


@pytest.mark.parametrize(
    "primitive", [patch.box, patch.inbox, patch.outbox, patch.backdrop, patch.delta, patch.shift], ids=str
)
def test_budget(primitive: Primitive[..., Any]) -> None:
    """A call fails exactly if the size of the result, or the size that is counted beforehand, exceeds the budget."""
    budget = kernels.FEW + 904
    sides = [(1, budget + k) for k in range(-3, 4)] + [(1, budget // 2 + k) for k in range(-3, 4)]
    sides += [(budget // 4 + k, budget // 4 + m) for k in range(-3, 4) for m in range(2)]
    sides += [(50, 100), (50, 101), (2, budget // 2), (3, budget // 3 + 1), (budget, budget)]
    patches = [frozenset({(0, 0), (i - 1, j - 1)}) for a, b in sides for i, j in ((a, b), (b, a))]
    patches += [frozenset((0, j) for j in range(budget + k)) for k in range(-2, 3)]
    moves = [(1, 1)] if primitive is patch.shift else []
    rows = [(patch, *moves) for patch in patches]
    assert_kernel(primitive, (INDICES, *[PAIR] * len(moves)), rows, budget=budget)
    reasons = {outcome(primitive, row, budget) for row in rows}
    assert Reason.BUDGET in reasons and len(reasons) > 1


@pytest.mark.parametrize(("name", "types"), conformance("patch"), ids=str)
def test_conformance(name: str, types: tuple[Any, ...]) -> None:
    assert_conforms(name, types, conformance("patch")[name, types])
