"""Random values, one strategy for each type, and random well-typed arguments of primitives."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

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
    ROW,
    ROWS,
    SAMPLES,
    Misfit,
    Type,
    perhaps,
    record,
    rule,
    set_of,
    tuple_of,
)
from arcloom.dsl.values import COLOUR_MAX, COLOUR_MIN, INT_LIMIT

LARGEST = 4
"""Maximum number of elements of a container, and of rows or columns of a grid."""

_EDGES = (-INT_LIMIT, INT_LIMIT, INT_LIMIT - 1, COLOUR_MIN - 1, COLOUR_MIN, COLOUR_MAX, COLOUR_MAX + 1)

TYPES = (
    *(INT, BOOL, perhaps(INT), PAIR, perhaps(PAIR), CELL, GRID, ROW, ROWS, INDICES, OBJECT, PATCH, SAMPLES),
    *(set_of(t) for t in (INT, BOOL, GRID, ROW, OBJECT, PATCH, set_of(INT), perhaps(PAIR), NEVER)),
    *(tuple_of(t) for t in (BOOL, PAIR, CELL, GRID, OBJECT, INDICES, perhaps(INT), tuple_of(perhaps(INT)), NEVER)),
    *(set_of(t) for t in (record(perhaps(INT), PAIR), record(INT, perhaps(PAIR)), record(INT, perhaps(INT)))),
    *(record(INT, GRID), record(GRID, GRID), record(INT, INT, INT), record(INT, OBJECT), tuple_of(record(INT, ROW))),
)
"""Types of arguments: those that primitives expect, and those that can be coerced to them."""


def ints() -> SearchStrategy[int]:
    """Mostly small ints, and ints at the limits."""
    return st.integers(-2, 9) | st.integers(-2, 9) | st.integers(-2, 9) | st.sampled_from(_EDGES)


def colours() -> SearchStrategy[int]:
    """Values of a cell of a grid, mostly of a few colours, so that some are equal."""
    return st.integers(0, 3) | st.integers(0, 3) | st.sampled_from((9, COLOUR_MIN, COLOUR_MAX))


@st.composite
def grids(draw: st.DrawFn) -> Any:
    """Grids, including () and rows without cells."""
    height, width = draw(st.integers(0, LARGEST)), draw(st.integers(0, LARGEST))
    row = st.lists(colours(), min_size=width, max_size=width).map(tuple)
    return tuple(draw(st.lists(row, min_size=height, max_size=height)))


@cache
def values(type: Type) -> SearchStrategy[Any]:
    """Values of a type."""
    if type is PATCH:
        return values(INDICES) | values(OBJECT)
    match type.kind:
        case "int":
            return ints()
        case "bool":
            return st.booleans()
        case "grid":
            return grids()
        case "perhaps":
            return values(type.element) | st.just(_missing(type))
        case "record":
            return st.tuples(*map(values, type.parts))
        case "tuple":
            return _lists(type.element).map(tuple)
        case "set":
            return _lists(type.element).map(frozenset)
        case _:
            raise ValueError(f"there are no values of type {type}")


def _lists(element: Type) -> SearchStrategy[list[Any]]:
    return st.just([]) if element is NEVER else st.lists(values(element), max_size=LARGEST)


def _missing(type: Type) -> Any:
    return None if type.element is INT else ()


def belongs(value: Any, type: Type) -> bool:
    """Whether a value has the type without coercion."""
    match type.kind:
        case "int":
            return isinstance(value, int)
        case "bool":
            return isinstance(value, bool)
        case "grid":
            return belongs(value, ROWS) and len({len(row) for row in value}) < 2 and _fits_in_cells(value)
        case "perhaps":
            return value == _missing(type) or belongs(value, type.element)
        case "place":
            return belongs(value, PAIR) or belongs(value, CELL)
        case "record":
            return isinstance(value, tuple) and len(value) == len(type.parts) and all(map(belongs, value, type.parts))
        case "tuple" | "set":
            kind = tuple if type.kind == "tuple" else frozenset
            return isinstance(value, kind) and all(belongs(element, type.element) for element in value)
        case _:
            return False


def _fits_in_cells(rows: tuple[tuple[int, ...], ...]) -> bool:
    return all(COLOUR_MIN <= cell <= COLOUR_MAX for row in rows for cell in row)


@cache
def typings(primitive: Primitive[..., Any]) -> tuple[tuple[Type, ...], ...]:
    """All ways to choose the types of a primitive's arguments from TYPES."""
    return tuple(_typings(primitive, ()))


def _typings(primitive: Primitive[..., Any], chosen: tuple[Type, ...]) -> Iterator[tuple[Type, ...]]:
    if len(chosen) == primitive.arity:
        yield chosen
        return
    for type in TYPES:
        if _can_begin_with(primitive, (*chosen, type)):
            yield from _typings(primitive, (*chosen, type))


def _can_begin_with(primitive: Primitive[..., Any], chosen: tuple[Type, ...]) -> bool:
    """Whether a primitive accepts the argument types chosen so far."""
    try:
        rule(primitive, (*chosen, *[NEVER] * (primitive.arity - len(chosen))))
    except Misfit as misfit:
        return misfit.position >= len(chosen)
    return True


@st.composite
def arguments(draw: st.DrawFn, primitive: Primitive[..., Any]) -> tuple[tuple[Type, ...], tuple[Any, ...]]:
    """Argument types of a first-order primitive, and arguments of these types."""
    types = draw(st.sampled_from(typings(primitive)))
    return types, tuple(draw(values(type)) for type in types)


__all__ = ["LARGEST", "TYPES", "arguments", "belongs", "colours", "grids", "ints", "typings", "values"]
