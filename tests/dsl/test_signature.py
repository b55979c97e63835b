"""Static types: coercions, unification, and the type rules of primitives."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcloom.dsl import PRIMITIVES
from arcloom.dsl.declare import Primitive
from arcloom.dsl.signature import (
    BOOL,
    CELL,
    GRID,
    INDICES,
    INT,
    MAX_DEPTH,
    NEVER,
    OBJECT,
    PAIR,
    PATCH,
    PLACE,
    ROW,
    ROWS,
    SAMPLES,
    Misfit,
    Type,
    as_tuple,
    coerces,
    join,
    perhaps,
    record,
    rule,
    set_of,
    tuple_of,
    type_of,
    unify,
)
from strategies import TYPES, belongs, typings, values

MAYBE_INT, MAYBE_PAIR = perhaps(INT), perhaps(PAIR)


def misfit(name: str, *types: Type) -> Misfit:
    with pytest.raises(Misfit) as caught:
        rule(PRIMITIVES[name], types)
    return caught.value


def result(name: str, *types: Type) -> Type:
    return rule(PRIMITIVES[name], types).result


def test_there_is_one_object_for_each_type() -> None:
    assert tuple_of(set_of(INT)) is tuple_of(set_of(INT))
    assert record(INT, PAIR) is CELL
    assert perhaps(perhaps(INT)) is perhaps(INT)
    assert len({INT, BOOL, GRID, ROWS, PAIR, tuple_of(INT), set_of(INT), NEVER}) == 8


@pytest.mark.parametrize(
    ("type", "text"),
    [
        (INT, "int"),
        (GRID, "grid"),
        (CELL, "(int, (int, int))"),
        (MAYBE_PAIR, "(int, int)?"),
        (tuple_of(OBJECT), "tuple[set[(int, (int, int))]]"),
        (set_of(NEVER), "set[nothing]"),
        (PATCH, "set[place]"),
    ],
)
def test_the_text_of_a_type(type: Type, text: str) -> None:
    assert str(type) == text


def test_the_depth_of_types_is_limited() -> None:
    type = INT
    for _ in range(MAX_DEPTH - 1):
        type = record(type, type)
    assert type.depth == MAX_DEPTH
    assert len(str(type)) < 200
    for nest in (tuple_of, set_of, perhaps, lambda inner: record(INT, inner)):
        with pytest.raises(RecursionError, match=f"more than {MAX_DEPTH} deep"):
            nest(type)


@pytest.mark.parametrize(
    ("have", "want"),
    [
        (BOOL, INT),
        (INT, BOOL),
        (NEVER, GRID),
        (INT, MAYBE_INT),
        (MAYBE_INT, INT),
        (MAYBE_PAIR, PAIR),
        (PAIR, ROW),
        (ROW, PAIR),
        (GRID, ROWS),
        (ROWS, GRID),
        (tuple_of(PAIR), GRID),
        (record(ROW, PAIR), GRID),
        (tuple_of(CELL), OBJECT),
        (tuple_of(PAIR), INDICES),
        (record(CELL, CELL), OBJECT),
        (INDICES, PATCH),
        (OBJECT, PATCH),
        (set_of(NEVER), OBJECT),
        (tuple_of(BOOL), ROW),
        (set_of(MAYBE_PAIR), INDICES),
    ],
)
def test_types_that_coerce(have: Type, want: Type) -> None:
    assert coerces(have, want)


@pytest.mark.parametrize(
    ("have", "want"),
    [
        (INT, PAIR),
        (PAIR, INT),
        (PAIR, CELL),
        (INDICES, OBJECT),
        (OBJECT, INDICES),
        (PATCH, OBJECT),
        (set_of(INT), ROW),
        (ROW, set_of(INT)),
        (GRID, INDICES),
        (GRID, tuple_of(INT)),
        (tuple_of(CELL), INDICES),
        (record(INT, INT, INT), PAIR),
        (MAYBE_PAIR, INT),
        (INT, NEVER),
    ],
)
def test_types_that_do_not_coerce(have: Type, want: Type) -> None:
    assert not coerces(have, want)


@pytest.mark.parametrize(
    ("a", "b", "common"),
    [
        (INT, BOOL, INT),
        (NEVER, GRID, GRID),
        (INT, MAYBE_INT, MAYBE_INT),
        (PAIR, MAYBE_PAIR, MAYBE_PAIR),
        (PAIR, CELL, PLACE),
        (INDICES, OBJECT, PATCH),
        (MAYBE_PAIR, CELL, perhaps(PLACE)),
        (PAIR, ROW, ROW),
        (MAYBE_PAIR, ROW, ROW),
        (GRID, ROWS, ROWS),
        (GRID, tuple_of(PAIR), ROWS),
        (record(INT, BOOL), record(BOOL, INT), record(INT, INT)),
        (record(INT, MAYBE_INT), PAIR, record(INT, MAYBE_INT)),
        (record(INT, INT, INT), PAIR, ROW),
        (tuple_of(NEVER), GRID, ROWS),
        (set_of(NEVER), OBJECT, OBJECT),
        (set_of(OBJECT), set_of(INDICES), set_of(PATCH)),
    ],
)
def test_types_that_unify(a: Type, b: Type, common: Type) -> None:
    assert unify(a, b) is common
    assert unify(b, a) is common


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (INT, PAIR),
        (INT, GRID),
        (ROW, set_of(INT)),
        (GRID, OBJECT),
        (set_of(INT), INDICES),
        (CELL, ROW),
        (record(INT, GRID), PAIR),
    ],
)
def test_types_that_do_not_unify(a: Type, b: Type) -> None:
    assert unify(a, b) is None
    assert unify(b, a) is None


def test_every_type_unifies_with_itself_and_with_never() -> None:
    for type in TYPES:
        assert unify(type, type) is type
        assert unify(NEVER, type) is type
        assert coerces(type, type)


def test_types_coerce_to_the_type_they_unify_to() -> None:
    for a, b in product(TYPES, repeat=2):
        common = unify(a, b)
        assert unify(b, a) is common
        if common is not None:
            assert coerces(a, common), f"{a} to {common}"
            assert unify(a, common) is common
            assert unify(common, b) is common


@pytest.mark.parametrize("type", TYPES, ids=str)
@given(data=st.data())
def test_a_unified_type_contains_the_values_of_both(type: Type, data: st.DataObject) -> None:
    common = {unify(type, other) for other in TYPES} - {None}
    value = data.draw(values(type))
    assert [wider for wider in common if wider is not None and not belongs(value, wider)] == []


def test_join_of_several_types() -> None:
    assert join([]) is NEVER
    assert join([BOOL, INT, MAYBE_INT]) is MAYBE_INT
    assert join([INT, GRID, INT]) is None


@pytest.mark.parametrize(
    ("type", "listed"),
    [(GRID, ROWS), (PAIR, ROW), (MAYBE_PAIR, ROW), (ROW, ROW), (CELL, None), (OBJECT, None), (INT, None)],
)
def test_types_that_coerce_to_tuples(type: Type, listed: Type | None) -> None:
    assert as_tuple(type) is listed


@pytest.mark.parametrize(
    ("value", "type"),
    [
        (True, BOOL),
        (3, INT),
        (None, MAYBE_INT),
        ((1, 2), PAIR),
        ((True, 2), record(BOOL, INT)),
        ((1, 2, 3), ROW),
        ((1,), ROW),
        ((), tuple_of(NEVER)),
        ((3, (1, 2)), CELL),
        (((1, 2), (3, 4)), tuple_of(PAIR)),
        (((1, 2, 3), (4, 5, 6)), GRID),
        (((1, 2, 3), (4, 5)), ROWS),
        (((), ()), tuple_of(tuple_of(NEVER))),
        (frozenset(), set_of(NEVER)),
        (frozenset({(1, 2)}), INDICES),
        (frozenset({(1, (1, 2))}), OBJECT),
        (frozenset({(1, (1, 2)), (1, 2)}), PATCH),
        ((1, (1, 2, 3)), record(INT, ROW)),
        (frozenset({1, frozenset()}), None),
    ],
)
def test_types_of_values(value: Any, type: Type | None) -> None:
    assert type_of(value) is type


@pytest.mark.parametrize("levels", [2 * MAX_DEPTH, 5000])
def test_values_that_are_nested_too_deeply_have_no_type(levels: int) -> None:
    value: Any = 1
    for _ in range(levels):
        value = (value,)
    assert type_of(value) is None


@pytest.mark.parametrize("type", [t for t in TYPES if t is not PATCH], ids=str)
@given(data=st.data())
def test_the_type_of_a_value_coerces_to_the_type_it_was_made_for(type: Type, data: st.DataObject) -> None:
    value = data.draw(values(type))
    assert belongs(value, type)
    found = type_of(value)
    assert found is not None
    if not _has_parts_that_may_be_empty(type):
        assert coerces(found, type)


def _has_parts_that_may_be_empty(type: Type) -> bool:
    """Whether a value of the type can have empty parts, whose element type is not known from the value."""
    return any(map(_has_parts_that_may_be_empty, type.parts)) or (
        type.kind == "record" and any(part.kind in ("set", "tuple", "grid", "perhaps") for part in type.parts)
    )


# Rules


@pytest.mark.parametrize(
    ("name", "types", "expected"),
    [
        ("add", (INT, INT), INT),
        ("add", (INT, PAIR), PAIR),
        ("add", (MAYBE_PAIR, BOOL), PAIR),
        ("add", (ROW, INT), PAIR),
        ("hmirror", (GRID,), GRID),
        ("hmirror", (ROWS,), GRID),
        ("hmirror", (OBJECT,), OBJECT),
        ("hmirror", (INDICES,), INDICES),
        ("hmirror", (PATCH,), PATCH),
        ("shift", (tuple_of(CELL), PAIR), OBJECT),
        ("upscale", (OBJECT, INT), OBJECT),
        ("toindices", (PATCH,), INDICES),
        ("first", (GRID,), ROW),
        ("first", (OBJECT,), CELL),
        ("first", (PAIR,), INT),
        ("first", (SAMPLES,), record(GRID, GRID)),
        ("merge", (tuple_of(OBJECT),), tuple_of(CELL)),
        ("merge", (set_of(OBJECT),), OBJECT),
        ("merge", (GRID,), ROW),
        ("combine", (INDICES, tuple_of(PAIR)), INDICES),
        ("combine", (ROW, set_of(INT)), ROW),
        ("combine", (OBJECT, INDICES), PATCH),
        ("difference", (OBJECT, INDICES), OBJECT),
        ("insert", (PAIR, set_of(NEVER)), INDICES),
        ("totuple", (OBJECT,), tuple_of(CELL)),
        ("product", (ROW, INDICES), set_of(record(INT, PAIR))),
        ("pair", (GRID, set_of(INT)), tuple_of(record(ROW, INT))),
        ("astuple", (INT, GRID), record(INT, GRID)),
        ("repeat", (GRID, INT), tuple_of(GRID)),
        ("index", (GRID, PAIR), MAYBE_INT),
        ("ulcorner", (INDICES,), MAYBE_PAIR),
        ("corners", (OBJECT,), set_of(MAYBE_PAIR)),
        ("branch", (BOOL, INT, MAYBE_INT), MAYBE_INT),
        ("branch", (INT, INDICES, OBJECT), PATCH),
        ("hsplit", (GRID, INT), tuple_of(GRID)),
        ("vconcat", (GRID, GRID), ROWS),
        ("objects", (GRID, BOOL, INT, BOOL), set_of(OBJECT)),
        ("a_mr", (SAMPLES,), INT),
    ],
)
def test_result_types(name: str, types: tuple[Type, ...], expected: Type) -> None:
    assert result(name, *types) is expected


@pytest.mark.parametrize(
    ("name", "types", "wants"),
    [
        ("hmirror", (ROWS,), (GRID,)),
        ("fill", (ROWS, MAYBE_INT, tuple_of(PAIR)), (GRID, INT, INDICES)),
        ("both", (INT, MAYBE_INT), (BOOL, BOOL)),
        ("crop", (GRID, MAYBE_PAIR, ROW), (GRID, PAIR, PAIR)),
        ("paint", (GRID, tuple_of(CELL)), (GRID, OBJECT)),
        ("combine", (OBJECT, INDICES), (PATCH, PATCH)),
        ("insert", (CELL, tuple_of(CELL)), (CELL, OBJECT)),
        ("sizefilter", (tuple_of(INDICES), BOOL), (tuple_of(INDICES), INT)),
    ],
)
def test_types_of_coerced_arguments(name: str, types: tuple[Type, ...], wants: tuple[Type, ...]) -> None:
    assert rule(PRIMITIVES[name], types).wants == wants


@pytest.mark.parametrize(
    ("name", "types", "position", "message"),
    [
        ("rot90", (INT,), 0, "argument 1 must be grid, and it is int"),
        ("fill", (GRID, GRID, INDICES), 1, "argument 2 must be int, and it is grid"),
        ("fill", (GRID, INT, GRID), 2, "argument 3 must be patch, and it is grid"),
        ("paint", (GRID, INDICES), 1, "argument 2 must be set[(int, (int, int))], and it is set[(int, int)]"),
        ("add", (INT, GRID), 1, "argument 2 must be int or (int, int), and it is grid"),
        ("first", (INT,), 0, "argument 1 must be container[T], and it is int"),
        ("height", (INT,), 0, "argument 1 must be grid or patch, and it is int"),
        ("mostcolor", (INDICES,), 0, "argument 1 must be grid or object, and it is set[(int, int)]"),
        ("hmirror", (tuple_of(CELL),), 0, "argument 1 must be grid or patch, and it is tuple[(int, (int, int))]"),
        ("combine", (ROW, INDICES), 1, "argument 2 must be container[int], and it is set[(int, int)]"),
        ("dedupe", (set_of(INT),), 0, "argument 1 must be tuple[T], and it is set[int]"),
        ("intersection", (set_of(INT), INT), 1, "argument 2 must be set[int], and it is int"),
        ("maximum", (INDICES,), 0, "argument 1 must be container[int], and it is set[(int, int)]"),
        ("toij", (PAIR,), 0, "argument 1 must be (int, (int, int)), and it is (int, int)"),
        ("branch", (GRID, INT, INT), 0, "argument 1 must be bool, and it is grid"),
        ("branch", (BOOL, INT, GRID), 2, "argument 3 must be int, and it is grid"),
    ],
)
def test_a_misfit_names_both_types(name: str, types: tuple[Type, ...], position: int, message: str) -> None:
    error = misfit(name, *types)
    assert (error.position, str(error)) == (position, message)
    assert error.have is types[position]


@pytest.mark.parametrize("primitive", [p for p in PRIMITIVES.values() if not p.higher_order], ids=str)
def test_arguments_coerce_to_the_types_of_a_rule(primitive: Primitive[..., Any]) -> None:
    for types in typings(primitive)[:200]:
        found = rule(primitive, types)
        assert all(map(coerces, types, found.wants))
        again = rule(primitive, found.wants)
        assert (again.wants, again.result) == (found.wants, found.result)
