"""Declaring primitives. Name, types, cost and examples of a primitive are read from its reference function."""

import ast
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, ParamSpec, TypeVar

from arcloom.dsl.annotations import (
    BOOL,
    CELL,
    COLOUR,
    CORNER,
    ELEMENT,
    GRID,
    INDICES,
    INT,
    NUMERIC,
    OBJECT,
    PAIR,
    PATCH,
    PIECE,
    TypeExpr,
    parse,
)
from arcloom.dsl.meter import CURRENT, DEFAULT_BUDGET, Meter, affordable, metered
from arcloom.dsl.values import COLOUR_MAX, COLOUR_MIN, SIDE_LIMIT, Failure, Reason, fail, ordered
from arcloom.dsl.work import CALL, COMPARING, CONSTANT, EXCEPTIONS, PAIRWISE, Cost, Size

P = ParamSpec("P")
R = TypeVar("R")

Measure = Callable[[Any], int]


@dataclass(frozen=True)
class Example:
    """An example in a primitive's docstring, which can be run: a line ``call -> expected``."""

    text: str
    call: str
    expected: str

    @property
    def fails(self) -> bool:
        """Whether the example shows a failure."""
        return self.expected == "fails"


class Primitive(Generic[P, R]):
    """A function of the language. A call evaluates its reference function."""

    def __init__(self, function: Callable[P, R]) -> None:
        self.function = function
        self.name = function.__name__
        self.family = function.__module__.rpartition(".")[2]
        self.signature = inspect.signature(function)
        self.params = tuple(self.signature.parameters)
        self.param_types = tuple(parse(p.annotation) for p in self.signature.parameters.values())
        self.result_type = parse(self.signature.return_annotation)
        self._adapters = tuple(map(_adapter, self.param_types))
        self.cost = _cost(self)
        """The cost rule of a call, for first-order primitives."""
        self._measures, self._measure = self._measured()
        self.__doc__ = function.__doc__

    @property
    def arity(self) -> int:
        """The number of arguments."""
        return len(self.params)

    def accepts(self, count: int) -> bool:
        """Whether a call can have this number of arguments."""
        return count == self.arity

    @property
    def summary(self) -> str:
        """The docstring without the examples."""
        return _split_doc(self)[0]

    @property
    def examples(self) -> tuple[Example, ...]:
        """The examples in the docstring."""
        return _split_doc(self)[1]

    @cached_property
    def higher_order(self) -> bool:
        """Whether an argument or the result is a function."""
        return any(declared.mentions_function for declared in (*self.param_types, self.result_type))

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if kwargs:
            args = self.signature.bind(*args, **kwargs).args  # type: ignore[assignment]
        adapted = [adapt(arg) if adapt else arg for adapt, arg in zip(self._adapters, args, strict=True)]
        if self.higher_order:  # the function counts its work itself
            return self.function(*adapted)  # type: ignore[arg-type, call-arg]
        site = CURRENT.site
        site.spend(self._price(adapted))
        result = self.function(*adapted)  # type: ignore[arg-type, call-arg]
        if self._measure is not None:
            size = self._measure(result)
            site.affords(size)
            site.spend(size)
        return result

    def _price(self, args: list[Any]) -> int:
        """The cost of a call without the size of its result."""
        if self.cost.pairwise:
            return self.cost.of([measure(args[k]) for k, measure in self._measures], 0)
        price = CALL
        for k, measure in self._measures:
            price += measure(args[k])
        return price

    def _measured(self) -> tuple[tuple[tuple[int, Measure], ...], Measure | None]:
        """The positions of the arguments that count, each with its measure, and the measure of the result, if any.

        Higher-order primitives have none: they count their work themselves.
        """
        if self.higher_order:
            return (), None
        sized = enumerate(zip(self.param_types, self.cost.params, strict=True))
        measures = tuple((k, _measure(declared, size)) for k, (declared, size) in sized if size)
        return measures, _measure(self.result_type, self.cost.result) if self.cost.result else None

    def __repr__(self) -> str:
        return self.name


PRIMITIVES: dict[str, Primitive[..., Any]] = {}
"""All primitives by name, in the order of declaration."""


def primitive(function: Callable[P, R]) -> Primitive[P, R]:
    """Declare a primitive. Lines with ``->`` in its docstring are examples; the rest is its summary."""
    declared = Primitive(function)
    if declared.name in PRIMITIVES:
        raise ValueError(f"primitive {declared.name} is declared twice")
    PRIMITIVES[declared.name] = declared
    return declared


def _split_doc(declared: Primitive[..., Any]) -> tuple[str, tuple[Example, ...]]:
    lines = [line.strip() for line in inspect.cleandoc(declared.__doc__ or "").splitlines()]
    examples = [line for line in lines if " -> " in line]
    words = " ".join(line for line in lines if line and line not in examples)
    return words, tuple(Example(text, *map(str.strip, text.split(" -> "))) for text in examples)


# Checks and conversions of arguments before the reference function is called. Static types guarantee most properties;
# these checks depend on the value, and the engine makes the same ones. If several elements of a container do not fit,
# the first of them determines the reason.

Adapter = Callable[[Any], Any]


def as_number(value: Any) -> Any:
    """The int itself; fails if it is None."""
    if value is None:
        fail(Reason.NONE)
    return value


def as_truth(value: Any) -> bool:
    """The truth value of an int; fails if it is None."""
    return bool(as_number(value))


def as_pair(value: Any) -> Any:
    """A tuple as a pair; fails unless it has two elements that are not missing."""
    if len(value) != 2 or None in value:
        fail(Reason.SHAPE if value and None not in value else Reason.NONE)
    return value


def as_grid(value: Any) -> Any:
    """A tuple of tuples as a grid; fails if rows differ in length or a colour is out of range."""
    if value:
        width = len(value[0])
        if any(len(row) != width for row in value):
            fail(Reason.NONE if any(None in row for row in value) else Reason.SHAPE)
        if max(len(value), width) > SIDE_LIMIT:
            fail(Reason.BUDGET)
        try:
            fits = not width or (min(map(min, value)) >= COLOUR_MIN and max(map(max, value)) <= COLOUR_MAX)
        except TypeError:  # a colour is missing
            fail(Reason.NONE)
        if not fits:
            fail(Reason.RANGE)
    return value


def as_patch(value: Any) -> Any:
    """A tuple or set of cells or positions as a set; fails if an element is neither."""
    if not all(map(_is_place, value)):
        for place in ordered(value):
            _as_place(place)
    return frozenset(value)


def _is_place(value: Any) -> bool:
    """Whether the value is a cell or a position without missing parts."""
    if len(value) != 2 or None in value:
        return False
    where = value[1]
    return not isinstance(where, tuple) or (len(where) == 2 and None not in where)


def _as_place(value: Any) -> None:
    where = as_pair(value)[1]
    if isinstance(where, tuple):
        as_pair(where)


def _as_numeric(value: Any) -> Any:
    return as_pair(value) if isinstance(value, tuple) else as_number(value)


def _as_piece(value: Any) -> Any:
    if isinstance(value, tuple):
        if value and isinstance(value[0], int):  # a single row, for which only ``height`` is defined
            return value
        cells = value and value[0] and isinstance(value[0][-1], tuple)
        return as_patch(value) if cells else as_grid(value)
    return as_patch(value)


_ADAPTERS: dict[TypeExpr, Adapter] = {
    INT: as_number,
    BOOL: as_truth,
    PAIR: as_pair,
    NUMERIC: _as_numeric,
    GRID: as_grid,
    PIECE: _as_piece,
    ELEMENT: _as_piece,
    INDICES: as_patch,
    OBJECT: as_patch,
    PATCH: as_patch,
}


def _adapter(declared: TypeExpr) -> Adapter | None:
    """The adapter for arguments of this type, or None if every value fits."""
    if declared in _ADAPTERS:
        return _ADAPTERS[declared]
    match declared.kind:
        case "container" | "tuple":
            return _each(_adapter(declared.element))
        case "set":
            return _each(_adapter(declared.element), frozenset) or frozenset
        case "record":
            return _parts(*map(_adapter, declared.parts))
        case _:
            return None


def _each(adapt: Adapter | None, kind: Adapter | None = None) -> Adapter | None:
    """An adapter for every element of a container. The result has the given container type, or the same one."""
    if adapt is None:
        return None

    def adapted(container: Any) -> Any:
        try:
            return (kind or type(container))(map(adapt, container))
        except Failure:
            for element in ordered(container):
                adapt(element)
            raise

    return adapted


def _parts(*adapters: Adapter | None) -> Adapter:
    """An adapter for tuples with one element for each of the given adapters."""

    def adapted(value: Any) -> Any:
        if len(value) != len(adapters):
            fail(Reason.SHAPE if value else Reason.NONE)
        return tuple(adapt(part) if adapt else part for adapt, part in zip(adapters, value, strict=True))

    return adapted


def _cells(grid: Any) -> int:
    """The number of cells of a grid; fails if a side is beyond SIDE_LIMIT."""
    sides = (len(grid), len(grid[0]) if isinstance(grid[0], tuple) else 1) if grid else (0, 0)
    if max(sides) > SIDE_LIMIT:
        fail(Reason.BUDGET)
    return sides[0] * sides[1]


def _measure(declared: TypeExpr, size: Size) -> Measure:
    """A function that returns the size of an argument or result of this type."""
    if size is Size.WEIGHT:
        return _weight
    if size is Size.SCANNED:
        return lambda container: _weight(container) if isinstance(container, tuple) else 0
    if declared == GRID:
        return _cells
    if declared in (PIECE, ELEMENT):
        return lambda piece: _cells(piece) if isinstance(piece, tuple) else len(piece)
    return len


def _weight(value: Any) -> int:
    return CURRENT.site.weight(value)


_NUMBERS = (INT, BOOL, PAIR, CELL, CORNER, NUMERIC, COLOUR)


def _cost(declared: Primitive[..., Any]) -> Cost:
    """The cost rule of a primitive, from its types and the sets of names in ``work``."""
    name, params = declared.name, declared.param_types
    if name in CONSTANT:
        sizes = [Size.NONE] * len(params)
    elif name in COMPARING:
        weighed = [Size.NONE if param in _NUMBERS else Size.WEIGHT for param in params]
        sizes = [EXCEPTIONS.get((name, p), size) for p, size in zip(declared.params, weighed, strict=True)]
    else:
        sizes = [Size.COUNT if param.is_sized else Size.NONE for param in params]
    result = Size.COUNT if declared.result_type.is_sized else Size.NONE
    return Cost(tuple(sizes), result, name in PAIRWISE)


def run_example(text: str) -> Any:
    """The value of an expression of literals and primitives, in the notation of examples."""
    return _evaluate(ast.parse(text, mode="eval").body)


def _evaluate(node: ast.expr) -> Any:
    match node:
        case ast.Call(func, args):
            return _evaluate(func)(*map(_evaluate, args))
        case ast.Name("set"):
            return frozenset
        case ast.Name(name):
            return PRIMITIVES[name]
        case ast.Tuple(parts):
            return tuple(map(_evaluate, parts))
        case ast.Set(parts):
            return frozenset(map(_evaluate, parts))
        case _:
            return ast.literal_eval(node)


__all__ = [
    "DEFAULT_BUDGET",
    "PRIMITIVES",
    "Example",
    "Failure",
    "Meter",
    "Primitive",
    "affordable",
    "as_grid",
    "as_number",
    "as_pair",
    "as_patch",
    "as_truth",
    "metered",
    "primitive",
    "run_example",
]
