"""Declaring a primitive: everything there is to know about it is read off one function."""

import ast
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, ParamSpec, TypeVar, get_args, get_origin

from arcloom.dsl.types import Cell, Corner, Element, Grid, Indices, Numeric, Object, Pair, Patch, Piece
from arcloom.dsl.values import COLOUR_MAX, COLOUR_MIN, Failure, Reason, fail

P = ParamSpec("P")
R = TypeVar("R")

DEFAULT_BUDGET = 1_000_000
"""How many elements one line of a program may produce for one sample."""


class Meter:
    """Counts the elements that primitives produce, and fails when they are too many."""

    def __init__(self, budget: int = DEFAULT_BUDGET) -> None:
        self.budget = budget
        self.produced = 0

    def spend(self, elements: int) -> None:
        """Count these elements too."""
        self.produced += elements
        if self.produced > self.budget:
            fail(Reason.BUDGET)


_meter: Meter | None = None


@contextmanager
def metered(meter: Meter) -> Iterator[Meter]:
    """Within this context all primitives count on this meter. One thread at a time."""
    global _meter
    before, _meter = _meter, meter
    try:
        yield meter
    finally:
        _meter = before


def affordable(elements: int) -> None:
    """Fails before more elements are made than the budget allows."""
    if elements > (_meter.budget if _meter else DEFAULT_BUDGET):
        fail(Reason.BUDGET)


@dataclass(frozen=True)
class Example:
    """One line of a primitive's documentation that can be run."""

    text: str
    call: str
    expected: str

    @property
    def fails(self) -> bool:
        """Whether the example shows that the primitive has no value to give."""
        return self.expected == "fails"


class Primitive(Generic[P, R]):
    """A function of the language: calling it gives its reference meaning."""

    def __init__(self, function: Callable[P, R]) -> None:
        self.function = function
        self.name = function.__name__
        self.family = function.__module__.rpartition(".")[2]
        self.signature = inspect.signature(function)
        self.params = tuple(self.signature.parameters)
        self._adapters = tuple(_adapter(p.annotation) for p in self.signature.parameters.values())
        self._measure = _measure(self.signature.return_annotation)
        self.__doc__ = function.__doc__

    @property
    def arity(self) -> int:
        """How many arguments it takes."""
        return len(self.params)

    @property
    def summary(self) -> str:
        """What it does, in a sentence."""
        return _split_doc(self)[0]

    @property
    def examples(self) -> tuple[Example, ...]:
        """The examples in its documentation."""
        return _split_doc(self)[1]

    @property
    def higher_order(self) -> bool:
        """Whether it takes or gives a function."""
        annotations = [p.annotation for p in self.signature.parameters.values()]
        return any(map(_mentions_function, [*annotations, self.signature.return_annotation]))

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if kwargs:
            args = self.signature.bind(*args, **kwargs).args  # type: ignore[assignment]
        adapted = [adapt(arg) if adapt else arg for adapt, arg in zip(self._adapters, args, strict=True)]
        result = self.function(*adapted)  # type: ignore[arg-type, call-arg]
        if _meter is not None and self._measure is not None:
            _meter.spend(self._measure(result))
        return result

    def __repr__(self) -> str:
        return self.name


PRIMITIVES: dict[str, Primitive[..., Any]] = {}
"""Every primitive by its name, in the order of declaration."""


def primitive(function: Callable[P, R]) -> Primitive[P, R]:
    """Declare a primitive. Its docstring's first paragraph says what it does; ``->`` lines are examples."""
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


# What a call does to its arguments before the reference function sees them. Static types promise most of
# it; these are the checks that depend on the value, and the engine makes the same ones.


def as_grid(value: Any) -> Any:
    """A tuple of tuples as a grid: fails when rows differ in length or a colour does not fit."""
    if value:
        width = len(value[0])
        if any(len(row) != width for row in value):
            fail(Reason.SHAPE)
        if width and (min(map(min, value)) < COLOUR_MIN or max(map(max, value)) > COLOUR_MAX):
            fail(Reason.RANGE)
    return value


def as_pair(value: Any) -> Any:
    """A tuple as a pair: fails when it has not two elements."""
    if len(value) != 2:
        fail(Reason.SHAPE if value else Reason.NONE)
    return value


def as_patch(value: Any) -> Any:
    """A tuple of cells or of positions as a set of them."""
    return frozenset(value)


def _as_number(value: Any) -> Any:
    if value is None:
        fail(Reason.NONE)
    return as_pair(value) if isinstance(value, tuple) else value


def _as_piece(value: Any) -> Any:
    if isinstance(value, tuple):
        cells = value and value[0] and isinstance(value[0][-1], tuple)
        return as_patch(value) if cells else as_grid(value)
    return as_patch(value)


_ADAPTERS: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    (int, _as_number),
    (Pair, _as_number),
    (Numeric, _as_number),
    (Grid, as_grid),
    (Piece, _as_piece),
    (Element, _as_piece),
    (Indices, as_patch),
    (Object, as_patch),
    (Patch, as_patch),
    (Cell, as_pair),
)


def _adapter(annotation: Any) -> Callable[[Any], Any] | None:
    return next((adapt for declared, adapt in _ADAPTERS if declared == annotation), None)


def _cells(grid: Any) -> int:
    return len(grid) * len(grid[0]) if grid else 0


def _measure(annotation: Any) -> Callable[[Any], int] | None:
    """How to count the elements of a result: a grid's cells, a container's elements, nothing else."""
    if annotation in (Pair, Cell, Corner, Numeric):
        return None
    if annotation == Grid:
        return _cells
    kinds = {get_origin(part) for part in (annotation, *get_args(annotation))}
    return len if kinds & {tuple, frozenset} else None


def _mentions_function(annotation: Any) -> bool:
    if get_origin(annotation) is Callable or isinstance(annotation, type(Callable[..., Any])):
        return True
    return any(map(_mentions_function, get_args(annotation)))


def run_example(text: str) -> Any:
    """The value of an expression made of literals and primitives, as documentation writes it."""
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
    "as_pair",
    "as_patch",
    "metered",
    "primitive",
    "run_example",
]
