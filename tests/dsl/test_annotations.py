"""Parsing annotations into type expressions."""

from collections.abc import Callable
from typing import Any, TypeVar

import pytest

from arcloom.dsl import PRIMITIVES
from arcloom.dsl.annotations import GRID, INT, NUMERIC, PAIR, PATCH, PIECE, TypeExpr, parse
from arcloom.dsl.types import Container, Corner, Element, Function, Grid, Object, Patch, Samples

T = TypeVar("T")
CONTAINER: Any = Container
FUNCTION: Any = Function


@pytest.mark.parametrize(
    ("annotation", "text"),
    [
        (int, "int"),
        (Grid, "grid"),
        (Corner, "(int, int)?"),
        (Patch, "patch"),
        (Element, "grid or object"),
        (CONTAINER[T], "container[T]"),
        (tuple[int, ...] | frozenset[tuple[int, int]], "tuple[int] or set[(int, int)]"),
        (frozenset[Object], "set[set[(int, (int, int))]]"),
        (Samples, "tuple[(grid, grid)]"),
        (Callable[[int], int], "function"),
        (CONTAINER[FUNCTION[T, int]], "container[function]"),
        (Any, "any"),
    ],
)
def test_the_text_of_an_annotation(annotation: Any, text: str) -> None:
    assert parse(annotation).text() == text


def test_bound_variables_are_replaced() -> None:
    assert parse(CONTAINER[T]).text({"T": "grid"}) == "container[grid]"


def test_other_annotations_are_refused() -> None:
    with pytest.raises(TypeError, match="is not a type of the language"):
        parse(dict[int, int])


def test_a_container_is_a_tuple_or_a_set() -> None:
    container = parse(CONTAINER[int])
    assert container.alternatives == (TypeExpr("tuple", (INT,)), TypeExpr("set", (INT,)))
    assert PIECE.alternatives == (GRID, *PATCH.alternatives)
    assert INT.alternatives == (INT,)


def test_only_grids_and_containers_are_sized() -> None:
    assert all(expr.is_sized for expr in (GRID, PIECE, parse(CONTAINER[int]), parse(Samples)))
    assert not any(expr.is_sized for expr in (INT, PAIR, NUMERIC, parse(Corner), parse(T), parse(FUNCTION[T, int])))


def test_functions_are_found_at_any_depth() -> None:
    assert parse(CONTAINER[FUNCTION[T, int]]).mentions_function
    assert not parse(CONTAINER[T]).mentions_function


def test_every_primitive_has_types_of_the_language() -> None:
    for primitive in PRIMITIVES.values():
        assert len(primitive.param_types) == primitive.arity
        assert primitive.result_type.kind != "any"
