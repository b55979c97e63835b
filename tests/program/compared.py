"""Comparing programs with the results of running their texts in Python.

The texts are those of the tests only. Python runs them with the reference primitives as namespace. Sets are replaced by
sets that iterate in sorted order, and lists and iterators by tuples.
"""

import ast
import builtins
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from typing import Any

from arcloom.dsl import CONSTANTS, PRIMITIVES
from arcloom.dsl.values import ordered
from arcloom.engine.results import RowFailure
from arcloom.engine.run import run
from arcloom.program.evaluate import ProgramFailure, evaluate
from arcloom.program.parse import parse
from arcloom.program.term import Program
from arcloom.program.trace import TraceError, trace

FAILED = "failed"
GRIDS = (
    ((1, 2, 3), (0, 0, 1), (2, 2, 2)),
    ((0, 5), (5, 0), (0, 0), (7, 0)),
    ((3,),),
    ((0, 0, 0, 4), (0, 4, 0, 0), (0, 4, 4, 0), (1, 0, 0, 1)),
)


class SortedSet(frozenset[Any]):
    """A set that iterates in the order of the language."""

    def __iter__(self) -> Iterator[Any]:
        return iter(ordered(frozenset(frozenset.__iter__(self))))

    def __or__(self, other: Any) -> Any:
        return SortedSet(frozenset.__or__(self, other))

    def __and__(self, other: Any) -> Any:
        return SortedSet(frozenset.__and__(self, other))

    def __sub__(self, other: Any) -> Any:
        return SortedSet(frozenset.__sub__(self, other))

    def __xor__(self, other: Any) -> Any:
        return SortedSet(frozenset.__xor__(self, other))


def _wrapped(value: Any) -> Any:
    """A value whose sets iterate in sorted order, and whose lists and ranges are tuples."""
    if isinstance(value, frozenset | set):
        return SortedSet(map(_wrapped, value))
    if isinstance(value, tuple | list | range):
        return tuple(map(_wrapped, value))
    return _function(value) if callable(value) else value


def _function(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args, **named: _wrapped(function(*map(_wrapped, args), **named))


def _as_tuple(name: str) -> Callable[..., Any]:
    made = getattr(builtins, name)
    return lambda *args, **named: tuple(made(*args, **named))


class _Displays(ast.NodeTransformer):
    """Replaces list displays by tuples, and set displays by sorted sets."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        kinds = {ast.Set: "frozenset", ast.SetComp: "frozenset", ast.List: "tuple", ast.ListComp: "tuple"}
        name = kinds.get(type(node))
        if name is None or isinstance(getattr(node, "ctx", None), ast.Store):
            return node
        call = ast.Call(ast.Name(name, ast.Load()), [node], [])  # type: ignore[list-item]
        return ast.fix_missing_locations(ast.copy_location(call, node))


class ChangingSet(set[Any]):
    """A mutable set that iterates in the order of the language."""

    def __iter__(self) -> Iterator[Any]:
        return iter(ordered(frozenset(set.__iter__(self))))

    def __or__(self, other: Any) -> Any:
        return ChangingSet(set.__or__(self, other))

    def __and__(self, other: Any) -> Any:
        return ChangingSet(set.__and__(self, other))

    def __sub__(self, other: Any) -> Any:
        return ChangingSet(set.__sub__(self, other))


_CHANGING = re.compile(
    r"\.(append|add|extend|update|sort|reverse|insert|pop|remove|discard|setdefault)\(|\] ?[-+*]?= |\], \w+\[|\.copy\("
)
"""Matches texts that change lists or sets."""


def by_python(text: str, name: str, grid: Any) -> Any:
    """The value of a text's function for a grid, computed by Python."""
    changing = _CHANGING.search(text) is not None
    space: dict[str, Any] = {**CONSTANTS, **{name: _function(made) for name, made in PRIMITIVES.items()}}
    space |= {kind: _as_tuple(kind) for kind in ("range", "enumerate", "zip", "map", "filter", "reversed", "sorted")}
    space |= dict.fromkeys(("frozenset", "set"), SortedSet) | {"list": tuple}
    space |= dict.fromkeys(("Grid", "Object"), object)
    space |= {"Counter": Counter, "defaultdict": defaultdict, "reduce": reduce}
    if changing:
        space |= {"list": list, "set": ChangingSet, "sorted": sorted, "enumerate": enumerate}
    tree = ast.parse(text) if changing else ast.fix_missing_locations(_Displays().visit(ast.parse(text)))
    exec(compile(tree, "<test>", "exec"), space)
    try:
        return _wrapped(space[name](grid))
    except Exception:
        return FAILED


def by_reference(program: Program, grid: Any, *, typed: bool = True) -> Any:
    """The outcome of a program on the reference: a value, or the line and reason of a failure."""
    try:
        return evaluate(program, {"I": grid, "S": (), "C": grid}, typed=typed)
    except ProgramFailure as failure:
        return FAILED, failure.line, failure.reason


def is_typed(program: Program) -> bool:
    """Whether a program has types."""
    try:
        trace(program)
    except TraceError:
        return False
    return True


def by_engine(programs: Sequence[Program], grids: Sequence[Any] = GRIDS) -> list[list[Any]]:
    """The outcomes of programs on grids on the engine, in the form of ``by_reference``."""
    results = run(programs, [{"I": grid, "S": (), "C": grid} for grid in grids], device="cpu", typed_only=True)
    values = [[results.outcomes.value(p, s) for s in rows] for p, rows in enumerate(results.rows)]
    return [[(FAILED, v.line, v.reason) if isinstance(v, RowFailure) else v for v in row] for row in values]


def assert_like_python(text: str, name: str = "solve", grids: Sequence[Any] = GRIDS) -> Program:
    """Assert that the reference has Python's results, and return the program."""
    program = parse(text)[-1]
    for grid in grids:
        ours, theirs = by_reference(program, grid, typed=is_typed(program)), by_python(text, name, grid)
        if isinstance(ours, tuple) and ours[:1] == (FAILED,):
            ours = FAILED
        assert ours == theirs, f"{ours} and not {theirs} for {grid} by\n{text}"
        assert type(ours) is type(theirs) or isinstance(ours, int | frozenset | tuple)
    return program


def assert_like_reference(programs: Sequence[Program], grids: Sequence[Any] = GRIDS) -> None:
    """Assert that the engine has the outcomes of the reference, including failures."""
    for program, row in zip(programs, by_engine(programs, grids), strict=True):
        expected = [by_reference(program, grid) for grid in grids]
        assert row == expected, f"{row} and not {expected} by\n{program}"
