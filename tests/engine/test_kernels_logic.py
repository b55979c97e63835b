"""Kernels of bools, comparisons and branches against the reference."""

from itertools import product
from random import Random
from typing import Any

import pytest
from kernel_check import run_kernel
from kernel_rows import Row, assert_exact, assert_observed, containing, observed, rows, unified, value

from arcloom.dsl import forms, logic
from arcloom.dsl.declare import Primitive
from arcloom.dsl.signature import (
    BOOL,
    CELL,
    GRID,
    INDICES,
    INT,
    NEVER,
    OBJECT,
    PAIR,
    PATCH,
    PLACE,
    ROW,
    SAMPLES,
    Type,
    perhaps,
    record,
    set_of,
    tuple_of,
    unify,
)
from arcloom.engine.kernels import forms as form_kernels  # noqa: F401  (declares them)
from arcloom.engine.kernels import logic as logic_kernels  # noqa: F401

TYPES = (
    *(INT, BOOL, PAIR, CELL, PLACE, GRID, ROW, INDICES, OBJECT, PATCH, SAMPLES, perhaps(INT), perhaps(PAIR)),
    *(record(INT, INT, INT), record(perhaps(INT), PAIR), record(GRID, OBJECT), record(INT, PLACE)),
    *(set_of(INT), set_of(GRID), set_of(OBJECT), set_of(ROW), set_of(perhaps(INT)), set_of(record(INT, ROW))),
    *(tuple_of(PAIR), tuple_of(GRID), tuple_of(OBJECT), tuple_of(set_of(OBJECT)), tuple_of(tuple_of(ROW))),
)

ALIKE_UNLESS_EMPTY = (
    *((tuple_of(INT), tuple_of(PAIR)), (tuple_of(OBJECT), ROW), (set_of(INT), INDICES), (OBJECT, set_of(OBJECT))),
    *((GRID, ROW), (tuple_of(CELL), GRID), (tuple_of(NEVER), tuple_of(NEVER)), (set_of(GRID), set_of(INT))),
)

NEVER_ALIKE = (
    *((set_of(INT), ROW), (tuple_of(PAIR), INDICES), (GRID, OBJECT), (INT, PAIR), (INT, GRID)),
    *(
        (perhaps(INT), perhaps(PAIR)),
        (OBJECT, CELL),
        (record(INT, GRID), GRID),
        (record(GRID, GRID), record(INT, GRID)),
    ),
)


def _likely_same(random: Random, row: Row) -> Row:
    """The two values, or the same value twice."""
    return (row[0], row[0]) if random.random() < 0.4 else row


@pytest.mark.parametrize("type", TYPES, ids=str)
def test_equality(type: Type) -> None:
    random = Random(2)
    args = [_likely_same(random, row) for row in rows(2, (type, type), most=3)]
    assert_exact(logic.equality, (type, type), args)


@pytest.mark.parametrize(("a", "b"), [*ALIKE_UNLESS_EMPTY, *NEVER_ALIKE], ids=str)
def test_equality_of_unrelated_types(a: Type, b: Type) -> None:
    assert_exact(logic.equality, (a, b), rows(3, (a, b), most=1))
    assert_exact(logic.equality, (b, a), rows(4, (b, a), most=1))


@pytest.mark.parametrize(("a", "b"), ALIKE_UNLESS_EMPTY, ids=str)
def test_empty_containers_of_any_element_types_are_equal(a: Type, b: Type) -> None:
    empty = frozenset() if a.kind == "set" else ()
    assert run_kernel(logic.equality, (a, b), [(empty, empty)]) == [True]


def test_equality_of_grids_depends_on_every_cell() -> None:
    grid = tuple(tuple((3 * i + j) % 7 for j in range(30)) for i in range(29))
    changed = [
        tuple(tuple(9 if (i, j) == spot else cell for j, cell in enumerate(row)) for i, row in enumerate(grid))
        for spot in product(range(0, 29, 4), (0, 13, 29))
    ]
    turned, flat = tuple(zip(*grid, strict=True)), (tuple(cell for row in grid for cell in row),)
    others = [*changed, turned, flat, grid[:-1], (), ((), ()), ((),)]
    assert_exact(logic.equality, (GRID, GRID), [*product([grid, ()], [grid, *others]), *product(others[-3:], repeat=2)])


@pytest.mark.parametrize("container", ["set", "tuple"])
@pytest.mark.parametrize("type", TYPES, ids=str)
def test_contained(type: Type, container: str) -> None:
    types = (type, set_of(type) if container == "set" else tuple_of(type))
    random = Random(5)
    listed = rows(5, types, most=6)
    assert_exact(logic.contained, types, [(_some(random, item, held), held) for item, held in listed])


def _some(random: Random, item: Any, held: Any) -> Any:
    """One of the elements, or the item."""
    return random.choice(list(held)) if held and random.random() < 0.5 else item


@pytest.mark.parametrize("type", [PAIR, CELL, INT], ids=str)
def test_contained_in_many(type: Type) -> None:
    random = Random(6)
    held = frozenset(value(random, type) for _ in range(400))
    items = [*held][:100] + [value(random, type) for _ in range(100)]
    for container, kind in ((held, set_of(type)), (tuple(held), tuple_of(type))):
        assert_exact(logic.contained, (type, kind), [(item, container) for item in items])


@pytest.mark.parametrize(("a", "b"), ALIKE_UNLESS_EMPTY, ids=str)
def test_contained_among_unrelated_elements(a: Type, b: Type) -> None:
    for container in (set_of(b), tuple_of(b)):
        assert_exact(logic.contained, (a, container), rows(7, (a, container), most=1))


@pytest.mark.parametrize("primitive", [logic.flip, logic.both, logic.either, logic.greater])
def test_bools(primitive: Primitive[..., Any]) -> None:
    type = INT if primitive is logic.greater else BOOL
    assert_exact(primitive, (type,) * primitive.arity, rows(8, (type,) * primitive.arity))


@pytest.mark.parametrize("type", TYPES, ids=str)
def test_branch(type: Type) -> None:
    types = (BOOL, type, type)
    assert_exact(forms.branch, types, rows(9, types))


def _as_traced(primitive: Primitive[..., Any], types: tuple[Type, ...]) -> tuple[Type, ...]:
    """The types of the kernel's arguments after tracing."""
    if primitive is logic.equality:
        return unified(*types)
    if primitive is not logic.contained or types[1].kind not in ("tuple", "set"):
        return types
    item, element = unified(types[0], types[1].element)
    return item, containing(types[1], element)


PRIMITIVES = (logic.flip, logic.equality, logic.contained, logic.both, logic.either, logic.greater, forms.branch)


@pytest.mark.parametrize("primitive", PRIMITIVES)
def test_conformance(primitive: Primitive[..., Any]) -> None:
    groups = list(observed(primitive))
    assert groups
    for types, args, expected in groups:
        assert_observed(primitive, _as_traced(primitive, types), args, expected)


def test_the_unrelated_types_do_not_unify() -> None:
    assert not [(a, b) for a, b in (*ALIKE_UNLESS_EMPTY, *NEVER_ALIKE) if a is not b and unify(a, b) is not None]
