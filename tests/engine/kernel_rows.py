"""Rows of arguments for kernels: random values of a type, and the examples of the conformance file."""

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from kernel_check import outcome, run_kernel

from arcloom.conform import ConformanceExample, Fault, read
from arcloom.dsl.declare import DEFAULT_BUDGET, Primitive
from arcloom.dsl.signature import CELL, INT, PAIR, PLACE, Type, record, set_of, tuple_of, type_of, unify
from arcloom.dsl.values import INT_LIMIT, Reason

EXAMPLES = Path(__file__).parents[1] / "conformance" / "primitives.jsonl"

EDGES = (-INT_LIMIT, -INT_LIMIT + 1, -1, 0, 1, INT_LIMIT - 1, INT_LIMIT)

Row = tuple[Any, ...]


def number(random: Random) -> int:
    """An int, usually a small one, so that some are equal."""
    return random.choice(EDGES) if random.random() < 0.1 else random.randint(-3, 9)


def value(random: Random, type: Type, most: int = 5) -> Any:
    """A value of the type; its containers have at most ``most`` elements."""
    match type.kind:
        case "int":
            return number(random)
        case "bool":
            return random.random() < 0.5
        case "perhaps":
            missing = None if type.element is INT else ()
            return missing if random.random() < 0.3 else value(random, type.element, most)
        case "record":
            return tuple(value(random, part, most) for part in type.parts)
        case "grid":
            return _grid(random, random.randint(0, min(most, 3)), random.randint(0, min(most, 3)))
    return _container(random, type, most)


def _grid(random: Random, height: int, width: int) -> Any:
    return tuple(tuple(random.choice((0, 1, 1, 5, -128, 127)) for _ in range(width)) for _ in range(height))


def _container(random: Random, type: Type, most: int) -> Any:
    count = 0 if type.element.kind == "nothing" else random.randint(0, most)
    listed = [value(random, type.element, min(most, 3)) for _ in range(count)]
    return frozenset(listed) if type.kind == "set" else tuple(listed)


def rows(seed: int, types: tuple[Type, ...], count: int = 200, most: int = 5) -> list[Row]:
    """``count`` rows of arguments of these types. Elements of type PLACE in one argument are all pairs or all cells."""
    random = Random(seed)
    return [
        tuple(value(random, _settled(type, random.choice((PAIR, CELL))), most) for type in types) for _ in range(count)
    ]


def _settled(type: Type, place: Type) -> Type:
    """The type with PLACE replaced by a pair or a cell."""
    if type is PLACE:
        return place
    parts = [_settled(part, place) for part in type.parts]
    match type.kind:
        case "record":
            return record(*parts)
        case "set" | "tuple":
            return containing(type, parts[0])
        case _:
            return type


def _told(got: Any) -> Any:
    """The outcome of a kernel, with failures as Reasons: a NumPy int is the number of a reason."""
    return Reason(int(got)) if isinstance(got, np.integer) else got


def _exactly(value: Any) -> tuple[bool, bool, Any]:
    """A form of the value in which failures and different kinds of containers never compare equal."""
    return isinstance(value, Reason), isinstance(value, tuple | frozenset), value


def assert_exact(
    primitive: Primitive[..., Any], types: tuple[Type, ...], args: Sequence[Row], budget: int = DEFAULT_BUDGET
) -> None:
    """Assert that every row has the value of the reference, or fails for its reason."""
    for row, got in zip(args, run_kernel(primitive, types, args, budget), strict=True):
        expected = outcome(primitive, row, budget)
        assert _exactly(_told(got)) == _exactly(expected), f"{primitive.name}{row}: not {expected!r}"


def assert_observed(
    primitive: Primitive[..., Any], types: tuple[Type, ...], args: Sequence[Row], expected: Any
) -> None:
    """Assert that every row has the observed value, or fails if a failure was observed."""
    for row, got, value in zip(args, run_kernel(primitive, types, args), expected, strict=True):
        told = Fault() if isinstance(_told(got), Reason) else got
        assert told == value, f"{primitive.name}{row}: {got!r}, not {value!r}"


@cache
def _examples() -> tuple[ConformanceExample, ...]:
    return tuple(read(EXAMPLES))


def observed(primitive: Primitive[..., Any]) -> Iterator[tuple[tuple[Type, ...], list[Row], list[Any]]]:
    """The conformance examples that only call the primitive, by types of arguments: rows and expected outcomes."""
    groups: dict[tuple[Type, ...], tuple[list[Row], list[Any]]] = {}
    for example in _examples():
        if _function(example.program) == primitive.name:
            args = tuple(_argument(part, example) for part in _call(example.program).args)
            group = groups.setdefault(tuple(type_of(arg) or record() for arg in args), ([], []))
            group[0].append(args)
            group[1].append(example.expected)
    for types, (listed, expected) in groups.items():
        yield types, listed, expected


def _function(program: str) -> str | None:
    """The function that a program with one call calls."""
    function = _call(program).func
    return function.id if isinstance(function, ast.Name) and "\n" not in program else None


def _call(program: str) -> ast.Call:
    statement = ast.parse(program).body[-1]
    assert isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call)
    return statement.value


def _argument(part: ast.expr, example: ConformanceExample) -> Any:
    return example.inputs[part.id] if isinstance(part, ast.Name) else ast.literal_eval(part)


def unified(a: Type, b: Type) -> tuple[Type, Type]:
    """The types of two arguments of a comparison after tracing: the common type if there is one."""
    both = unify(a, b)
    return (a, b) if both is None else (both, both)


def containing(container: Type, element: Type) -> Type:
    """The container's type with another element type."""
    return set_of(element) if container.kind == "set" else tuple_of(element)
