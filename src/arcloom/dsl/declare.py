"""Declaring a primitive: everything there is to know about it is read off one function."""

import ast
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from types import UnionType
from typing import Any, Generic, ParamSpec, TypeVar, get_args, get_origin

from arcloom.dsl.meter import CURRENT, DEFAULT_BUDGET, Meter, affordable, metered
from arcloom.dsl.types import Cell, Colour, Corner, Element, Grid, Indices, Numeric, Object, Pair, Patch, Piece
from arcloom.dsl.values import COLOUR_MAX, COLOUR_MIN, SIDE_LIMIT, Failure, Reason, fail, ordered
from arcloom.dsl.work import CALL, COMPARING, CONSTANT, EXCEPTIONS, PAIRWISE, Cost, Size

P = ParamSpec("P")
R = TypeVar("R")

Measure = Callable[[Any], int]


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
        self.cost = _cost(self.name, self.signature)
        """How the cost of a call is counted, if this is a first-order primitive."""
        self._measures, self._measure = self._measured()
        self.__doc__ = function.__doc__

    @property
    def arity(self) -> int:
        """How many arguments it takes."""
        return len(self.params)

    def accepts(self, count: int) -> bool:
        """Whether it can be called with this number of arguments."""
        return count == self.arity

    @property
    def summary(self) -> str:
        """What it does, in a sentence."""
        return _split_doc(self)[0]

    @property
    def examples(self) -> tuple[Example, ...]:
        """The examples in its documentation."""
        return _split_doc(self)[1]

    @cached_property
    def higher_order(self) -> bool:
        """Whether it takes or gives a function."""
        annotations = [p.annotation for p in self.signature.parameters.values()]
        return any(map(_mentions_function, [*annotations, self.signature.return_annotation]))

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if kwargs:
            args = self.signature.bind(*args, **kwargs).args  # type: ignore[assignment]
        adapted = [adapt(arg) if adapt else arg for adapt, arg in zip(self._adapters, args, strict=True)]
        if self.higher_order:  # then it counts by itself
            return self.function(*adapted)  # type: ignore[arg-type, call-arg]
        place = CURRENT.place
        place.spend(self._price(adapted))
        result = self.function(*adapted)  # type: ignore[arg-type, call-arg]
        if self._measure is not None:
            size = self._measure(result)
            place.affords(size)
            place.spend(size)
        return result

    def _price(self, args: list[Any]) -> int:
        """The cost of a call before its result is known."""
        if self.cost.pairwise:
            return self.cost.of([measure(args[k]) for k, measure in self._measures], 0)
        price = CALL
        for k, measure in self._measures:
            price += measure(args[k])
        return price

    def _measured(self) -> tuple[tuple[tuple[int, Measure], ...], Measure | None]:
        """The positions of the arguments that count, each with its measure, and the measure of the result, if any.

        Functions that take or give functions count by themselves.
        """
        if self.higher_order:
            return (), None
        annotations = [p.annotation for p in self.signature.parameters.values()]
        sized = enumerate(zip(annotations, self.cost.params, strict=True))
        measures = tuple((k, _measure(annotation, size)) for k, (annotation, size) in sized if size)
        result = self.signature.return_annotation
        return measures, _measure(result, self.cost.result) if self.cost.result else None

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
# it; these are the checks that depend on the value, and the engine makes the same ones. Where several elements
# of a container do not fit, the first of them says why.

Adapter = Callable[[Any], Any]


def as_number(value: Any) -> Any:
    """An int that is not missing."""
    if value is None:
        fail(Reason.NONE)
    return value


def as_truth(value: Any) -> bool:
    """An int that is not missing, as a truth value."""
    return bool(as_number(value))


def as_pair(value: Any) -> Any:
    """A tuple as a pair: fails when it has not two elements, or one of them is missing."""
    if len(value) != 2 or None in value:
        fail(Reason.SHAPE if value and None not in value else Reason.NONE)
    return value


def as_grid(value: Any) -> Any:
    """A tuple of tuples as a grid: fails when rows differ in length or a colour does not fit."""
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
    """A tuple or set of cells or of positions as a set of them: fails when one of them is neither."""
    if not all(map(_is_place, value)):
        for place in ordered(value):
            _as_place(place)
    return frozenset(value)


def _is_place(value: Any) -> bool:
    """Whether this is a cell or a position, with nothing missing."""
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
        if value and isinstance(value[0], int):  # a row by itself, of which only the height is known
            return value
        cells = value and value[0] and isinstance(value[0][-1], tuple)
        return as_patch(value) if cells else as_grid(value)
    return as_patch(value)


_ADAPTERS: tuple[tuple[Any, Adapter], ...] = (
    (int, as_number),
    (bool, as_truth),
    (Pair, as_pair),
    (Numeric, _as_numeric),
    (Grid, as_grid),
    (Piece, _as_piece),
    (Element, _as_piece),
    (Indices, as_patch),
    (Object, as_patch),
    (Patch, as_patch),
)


def _adapter(annotation: Any) -> Adapter | None:
    """What is done to an argument that is declared so, or None where any value will do."""
    for declared, adapt in _ADAPTERS:
        if declared == annotation:
            return adapt
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is UnionType:  # a container of either kind
        return _each(_adapter(get_args(parts[0])[0]))
    if origin is frozenset:
        return _each(_adapter(parts[0]), frozenset) or frozenset
    if origin is tuple and parts[-1] is Ellipsis:
        return _each(_adapter(parts[0]))
    return _parts(*map(_adapter, parts)) if origin is tuple else None


def _each(adapt: Adapter | None, kind: Adapter | None = None) -> Adapter | None:
    """Adapts every element of a container, in a container of the given kind or of the same."""
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
    """Adapts a tuple of as many parts."""

    def adapted(value: Any) -> Any:
        if len(value) != len(adapters):
            fail(Reason.SHAPE if value else Reason.NONE)
        return tuple(adapt(part) if adapt else part for adapt, part in zip(adapters, value, strict=True))

    return adapted


def _cells(grid: Any) -> int:
    """The number of a grid's cells; fails when a side is too long for any grid."""
    sides = (len(grid), len(grid[0]) if isinstance(grid[0], tuple) else 1) if grid else (0, 0)
    if max(sides) > SIDE_LIMIT:
        fail(Reason.BUDGET)
    return sides[0] * sides[1]


def _measure(annotation: Any, size: Size) -> Measure:
    """How to count an argument or a result that is declared so."""
    if size is Size.WEIGHT:
        return _weight
    if size is Size.SCANNED:
        return lambda container: _weight(container) if isinstance(container, tuple) else 0
    if annotation == Grid:
        return _cells
    if annotation in (Piece, Element):
        return lambda piece: _cells(piece) if isinstance(piece, tuple) else len(piece)
    return len


def _weight(value: Any) -> int:
    return CURRENT.place.weight(value)


_NUMBERS = (int, bool, Pair, Cell, Corner, Numeric, Colour)
_GRIDS = (Grid, Piece, Element)


def _is_container(annotation: Any) -> bool:
    """Whether an annotation stands for a grid or for a container of any number of elements."""
    if annotation in _NUMBERS:
        return False
    kinds = (annotation, *(get_args(annotation) if get_origin(annotation) is UnionType else ()))
    return annotation in _GRIDS or any(map(_is_open_ended, kinds))


def _is_open_ended(annotation: Any) -> bool:
    origin, parts = get_origin(annotation), get_args(annotation)
    return origin is frozenset or (origin is tuple and parts[-1] is Ellipsis)


def _cost(name: str, signature: inspect.Signature) -> Cost:
    """The cost rule of a primitive, from its annotations and the sets of names in ``work``."""
    params = [p.annotation for p in signature.parameters.values()]
    if name in CONSTANT:
        sizes = [Size.NONE] * len(params)
    elif name in COMPARING:
        weighed = [Size.NONE if annotation in _NUMBERS else Size.WEIGHT for annotation in params]
        sizes = [EXCEPTIONS.get((name, p), size) for p, size in zip(signature.parameters, weighed, strict=True)]
    else:
        sizes = [Size.COUNT if _is_container(annotation) else Size.NONE for annotation in params]
    result = Size.COUNT if _is_container(signature.return_annotation) else Size.NONE
    return Cost(tuple(sizes), result, name in PAIRWISE)


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
    "as_number",
    "as_pair",
    "as_patch",
    "as_truth",
    "metered",
    "primitive",
    "run_example",
]
