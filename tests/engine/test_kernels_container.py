"""Kernels of containers against the reference."""

from itertools import product
from random import Random
from typing import Any

import pytest
from kernel_check import run_kernel
from kernel_rows import Row, assert_exact, assert_observed, containing, observed, rows, unified

from arcloom.conform import Fault
from arcloom.dsl import container as dsl
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
    Misfit,
    Type,
    perhaps,
    record,
    rule,
    set_of,
    tuple_of,
)
from arcloom.dsl.values import INT_LIMIT, Reason
from arcloom.engine.kernels import container as kernels  # noqa: F401  (declares them)

ELEMENTS = (
    *(INT, BOOL, PAIR, CELL, PLACE, GRID, ROW, OBJECT, INDICES, PATCH, perhaps(INT), perhaps(PAIR)),
    *(record(INT, INT, INT), record(GRID, GRID), record(perhaps(INT), PAIR), set_of(OBJECT), tuple_of(GRID)),
)

UNRELATED = ((ROW, tuple_of(PAIR)), (INDICES, set_of(INT)), (GRID, ROW), (INT, PAIR), (OBJECT, INT))
"""Pairs of types that have at most an empty container in common."""

KINDS = (tuple_of, set_of)

elements = pytest.mark.parametrize("element", ELEMENTS, ids=str)
unrelated = pytest.mark.parametrize(("a", "b"), [*UNRELATED, *(pair[::-1] for pair in UNRELATED)], ids=str)


def _mixed(seed: int, types: tuple[Type, ...]) -> list[Row]:
    """Rows with small containers, and some with larger ones."""
    return rows(seed, types, 150, most=4) + rows(seed + 1, types, 50, most=40) + rows(seed + 2, types, 4, most=300)


def _chosen(seed: int, args: list[Row], item: int, container: int) -> list[Row]:
    """The rows; in some of them the item is replaced by an element of the container."""
    random = Random(seed)
    return [_with_element(random, row, item, container) if random.random() < 0.5 else row for row in args]


def _with_element(random: Random, row: Row, item: int, container: int) -> Row:
    choice = random.choice(list(row[container])) if row[container] else row[item]
    return tuple(choice if k == item else arg for k, arg in enumerate(row))


def _overlapping(seed: int, args: list[Row]) -> list[Row]:
    """The rows; in some of them elements of the first container are added to the second."""
    random = Random(seed)
    return [(a, type(b)([*b, *(x for x in a if random.random() < 0.5)])) for a, b in args]


@elements
@pytest.mark.parametrize("primitive", [dsl.size, dsl.first, dsl.last, dsl.totuple], ids=str)
def test_unary_primitives_of_containers(primitive: Primitive[..., Any], element: Type) -> None:
    for kind in KINDS:
        assert_exact(primitive, (kind(element),), _mixed(1, (kind(element),)))


@elements
@pytest.mark.parametrize("primitive", [dsl.dedupe, dsl.mostcommon, dsl.leastcommon], ids=str)
def test_unary_primitives_of_tuples(primitive: Primitive[..., Any], element: Type) -> None:
    assert_exact(primitive, (tuple_of(element),), _mixed(2, (tuple_of(element),)))


@pytest.mark.parametrize("primitive", [dsl.dedupe, dsl.mostcommon, dsl.leastcommon], ids=str)
@pytest.mark.parametrize("distinct", [1, 2, 10, 23, 24, 25, 26, 60, 10_000])
def test_tuples_with_repetitions(primitive: Primitive[..., Any], distinct: int) -> None:
    random = Random(distinct)
    listed = [tuple(random.randrange(distinct) for _ in range(random.randint(1, 100))) for _ in range(200)]
    assert_exact(primitive, (ROW,), [(numbers,) for numbers in listed])
    objects = {n: frozenset({(n, (n % 3, 0)), (1, (2, 3))}) for n in range(distinct)}
    assert_exact(primitive, (tuple_of(OBJECT),), [(tuple(objects[n] for n in numbers),) for numbers in listed])


@pytest.mark.parametrize("primitive", [dsl.maximum, dsl.minimum], ids=str)
def test_maximum_and_minimum(primitive: Primitive[..., Any]) -> None:
    for kind, element in product(KINDS, (INT, BOOL)):
        assert_exact(primitive, (kind(element),), _mixed(3, (kind(element),)))


@elements
def test_initset(element: Type) -> None:
    assert_exact(dsl.initset, (element,), rows(4, (element,)))


@elements
def test_insert(element: Type) -> None:
    types = (element, set_of(element))
    assert_exact(dsl.insert, types, _chosen(5, _mixed(5, types), 0, 1))


@elements
def test_remove(element: Type) -> None:
    for kind in KINDS:
        types = (element, kind(element))
        assert_exact(dsl.remove, types, _chosen(6, _mixed(6, types), 0, 1))


@elements
def test_other(element: Type) -> None:
    for kind in KINDS:
        types = (kind(element), element)
        args = _chosen(7, _mixed(7, types), 1, 0)
        alone = [(kind_of_rows((item,)), item) for _, item in args[:20] for kind_of_rows in (_python(kind),)]
        assert_exact(dsl.other, types, args + alone)


def _python(kind: Any) -> Any:
    return frozenset if kind is set_of else tuple


@elements
def test_combine(element: Type) -> None:
    for a, b in product(KINDS, repeat=2):
        assert_exact(dsl.combine, (a(element), b(element)), _overlapping(8, _alike(8, a(element), b(element))))


def _alike(seed: int, a: Type, b: Type) -> list[Row]:
    """Rows of two containers. Elements of type PLACE are pairs in both or cells in both."""
    return [both for (both,) in _mixed(seed, (record(a, b),))]


@elements
def test_intersection(element: Type) -> None:
    types = (set_of(element), set_of(element))
    assert_exact(dsl.intersection, types, _overlapping(9, _alike(9, *types)))


@elements
def test_difference(element: Type) -> None:
    for a, b in product(KINDS, repeat=2):
        assert_exact(dsl.difference, (a(element), b(element)), _overlapping(10, _alike(10, a(element), b(element))))


@unrelated
def test_difference_of_unrelated_element_types(a: Type, b: Type) -> None:
    for kind in KINDS:
        assert_exact(dsl.remove, (a, kind(b)), rows(11, (a, kind(b)), most=1))
        assert_exact(dsl.other, (kind(a), b), rows(12, (kind(a), b), most=1))
        for other in KINDS:
            assert_exact(dsl.difference, (kind(a), other(b)), rows(13, (kind(a), other(b)), most=2))


@pytest.mark.parametrize("element", [INT, PAIR, CELL, PLACE, GRID, ROW, OBJECT, perhaps(INT)], ids=str)
def test_merge(element: Type) -> None:
    for outer, inner in product(KINDS, repeat=2):
        assert_exact(dsl.merge, (outer(inner(element)),), _mixed(14, (outer(inner(element)),)))


def test_merge_of_many_overlapping_objects() -> None:
    random = Random(15)
    args = []
    for _ in range(200):
        count, side = random.randint(1, 12), random.choice((2, 5, 30))
        objects = [_object(random, side) for _ in range(count)]
        args.append((frozenset(objects),))
    assert_exact(dsl.merge, (set_of(OBJECT),), args)
    assert_exact(dsl.merge, (tuple_of(OBJECT),), [(tuple(objects),) for (objects,) in args])


@pytest.mark.parametrize("width", [1, 62, 63, 64, 65, 127, 128, 129, 300])
def test_merge_of_wide_patches(width: int) -> None:
    random = Random(width)
    left = random.randint(-100, 0)
    rows = [frozenset((i, left + j) for j in range(0, width, step)) for i in range(-2, 3) for step in (1, 2, 3)]
    random.shuffle(rows)
    assert_exact(dsl.merge, (tuple_of(set_of(PAIR)),), [(tuple(rows),), (tuple(rows[:4]) * 10,)])
    assert_exact(dsl.merge, (set_of(set_of(PAIR)),), [(frozenset(rows),)])


def _object(random: Random, side: int) -> frozenset[Any]:
    cells = ((random.randint(0, 9), (random.randrange(side), random.randrange(side))) for _ in range(side * side // 2))
    return frozenset(cells)


@pytest.mark.parametrize("primitive", [dsl.combine, dsl.intersection, dsl.difference], ids=str)
def test_primitives_of_two_objects(primitive: Primitive[..., Any]) -> None:
    random = Random(16)
    args = [(_object(random, a), _object(random, b)) for a, b in product((1, 3, 10, 30), repeat=2) for _ in range(13)]
    assert_exact(primitive, (OBJECT, OBJECT), _overlapping(16, args))


def test_interval() -> None:
    numbers = (-7, -2, -1, 0, 1, 2, 5, 12)
    edges = (-INT_LIMIT, INT_LIMIT)
    far = [*product(edges, edges, edges), (0, INT_LIMIT, 999), (0, INT_LIMIT, -1)]
    assert_exact(dsl.interval, (INT, INT, INT), [*product(numbers, repeat=3), *far])
    assert_exact(dsl.interval, (INT, INT, INT), [(-INT_LIMIT, INT_LIMIT, 1), (INT_LIMIT, -1, -1)])


@elements
def test_repeat(element: Type) -> None:
    counts = (-INT_LIMIT, -1, 0, 1, 2, 7)
    args = [(item, count) for (item,) in rows(17, (element,), 40) for count in counts]
    assert_exact(dsl.repeat, (element, INT), args)


PAIRED = (
    *((INT, INT), (BOOL, INT), (INT, PAIR), (INT, record(INT, BOOL)), (PAIR, INT), (PAIR, PAIR), (INT, CELL)),
    *((INT, perhaps(INT)), (INT, PLACE), (OBJECT, INT), (GRID, GRID), (ROW, OBJECT), (INT, NEVER), (NEVER, NEVER)),
)


@pytest.mark.parametrize(("a", "b"), PAIRED, ids=str)
@pytest.mark.parametrize("primitive", [dsl.pair, dsl.product], ids=str)
def test_records_of_two(primitive: Primitive[..., Any], a: Type, b: Type) -> None:
    for kinds in product(KINDS, repeat=2):
        types = (kinds[0](a), kinds[1](b))
        assert_exact(primitive, types, rows(18, types, 200) + rows(19, types, 8, most=40))


def test_records_do_not_overlap() -> None:
    """The next rows do not overwrite the words of a row."""
    objects = tuple(frozenset({(n, (0, 0))}) for n in range(5))
    assert_exact(dsl.product, (tuple_of(OBJECT), ROW), [(objects[k:], (1, 1, 2)[k % 3 :]) for k in range(5)] * 40)
    assert_exact(dsl.pair, (tuple_of(OBJECT), ROW), [(objects[k:], (1, 1, 2)[k % 3 :]) for k in range(5)] * 40)


BUDGETED = (
    (dsl.combine, (ROW, ROW)),
    (dsl.combine, (set_of(INT), set_of(INT))),
    (dsl.combine, (set_of(INT), ROW)),
    (dsl.intersection, (set_of(INT), set_of(INT))),
    (dsl.difference, (set_of(INT), set_of(INT))),
    (dsl.difference, (ROW, ROW)),
    (dsl.difference, (ROW, tuple_of(PAIR))),
    (dsl.dedupe, (ROW,)),
    (dsl.repeat, (INT, INT)),
    (dsl.merge, (tuple_of(ROW),)),
    (dsl.merge, (set_of(ROW),)),
    (dsl.insert, (INT, set_of(INT))),
    (dsl.remove, (INT, ROW)),
    (dsl.interval, (INT, INT, INT)),
    (dsl.product, (ROW, set_of(INT))),
    (dsl.product, (tuple_of(ROW), set_of(INT))),
    (dsl.pair, (ROW, ROW)),
    (dsl.totuple, (set_of(INT),)),
)


@pytest.mark.parametrize(("primitive", "types"), BUDGETED, ids=str)
def test_budget(primitive: Primitive[..., Any], types: tuple[Type, ...]) -> None:
    assert_exact(primitive, types, rows(20, types, 200, most=12), budget=14)


def test_containers_with_more_elements_than_a_handle_can_hold() -> None:
    long = tuple(range(1500))
    assert run_kernel(dsl.product, (ROW, ROW), [(long, long)])[0] == Reason.BUDGET
    assert run_kernel(dsl.merge, (tuple_of(ROW),), [((long,) * 1400,)])[0] == Reason.BUDGET


EVERY = (
    *(dsl.combine, dsl.intersection, dsl.difference, dsl.dedupe, dsl.repeat, dsl.size, dsl.merge, dsl.maximum),
    *(dsl.minimum, dsl.mostcommon, dsl.leastcommon, dsl.initset, dsl.insert, dsl.remove, dsl.first, dsl.last),
    *(dsl.other, dsl.interval, dsl.product, dsl.pair, dsl.totuple),
)


def _as_traced(primitive: Primitive[..., Any], types: tuple[Type, ...]) -> tuple[Type, ...]:
    """The types of the kernel's arguments after tracing: a common type if elements are compared."""
    if primitive is dsl.merge and types[0].parts == (NEVER,):
        return (containing(types[0], ROW),)
    wants = rule(primitive, types).wants
    if primitive is dsl.difference:
        a, b = unified(wants[0].element, wants[1].element)
        return containing(wants[0], a), containing(wants[1], b)
    if primitive is dsl.remove:
        item, element = unified(wants[0], wants[1].element)
        return item, containing(wants[1], element)
    if primitive is dsl.other:
        element, item = unified(wants[0].element, wants[1])
        return containing(wants[0], element), item
    return wants


@pytest.mark.parametrize("primitive", EVERY, ids=str)
def test_conformance(primitive: Primitive[..., Any]) -> None:
    groups = list(observed(primitive))
    assert groups
    for types, args, expected in groups:
        try:
            traced = _as_traced(primitive, types)
        except Misfit:
            assert all(isinstance(value, Fault) for value in expected), types
            continue
        assert_observed(primitive, traced, args, expected)


def test_every_primitive_with_a_value_is_tested() -> None:
    declared = {name for name, primitive in vars(dsl).items() if isinstance(primitive, Primitive)}
    assert declared - {primitive.name for primitive in EVERY} == {"astuple"}  # traced as a record
