"""The kind of a term's value, as far as it can be known without tracing."""

from collections.abc import Callable
from functools import cache
from typing import Any

from arcloom.dsl.annotations import BOOL, ELEMENT, GRID, INDICES, INT, NUMERIC, OBJECT, PAIR, PATCH, PIECE, TypeExpr
from arcloom.dsl.declare import Primitive
from arcloom.program.term import Call, Function, Input, Lambda, Literal, Term

Kind = str | None
"""int, bool, pair, grid, tuple, set, objects (a set of objects) or function; None if it is not known."""

_INPUTS: dict[str, Kind] = {"I": "grid", "C": "grid", "S": "tuple"}
_PLAIN: dict[TypeExpr, Kind] = {
    INT: "int",
    BOOL: "bool",
    PAIR: "pair",
    GRID: "grid",
    INDICES: "set",
    OBJECT: "set",
    TypeExpr("set", (OBJECT,)): "objects",
}
_PIECES = (PIECE, PATCH, ELEMENT)
_STRUCTURED: dict[str, Kind] = {"set": "set", "tuple": "tuple", "record": "tuple", "function": "function"}


def kind_of(term: Term, kinds: dict[int, Kind]) -> Kind:
    """The kind of a term. ``kinds`` has the kinds of its arguments by ``id``."""
    match term:
        case Input(name):
            return _INPUTS.get(name)
        case Literal(value):
            return _kind_of_value(value)
        case Function() | Lambda():
            return "function"
        case Call(Function(primitive), args):
            return _result(primitive)([kinds[id(arg)] for arg in args])
    return None


def _kind_of_value(value: Any) -> Kind:
    if isinstance(value, tuple):
        return "pair" if len(value) == 2 and all(type(part) is int for part in value) else "tuple"
    if value is None or isinstance(value, frozenset):
        return None if value is None else "set"
    return "bool" if isinstance(value, bool) else "int"


@cache
def _result(primitive: Primitive[..., Any]) -> Callable[[list[Kind]], Kind]:
    """A function from the kinds of a primitive's arguments to the kind of its result."""
    declared, given = primitive.param_types, primitive.result_type
    if given == NUMERIC:
        return _numeric
    if given in _PIECES:
        position = next(k for k, param in enumerate(declared) if param in _PIECES)
        return lambda kinds: kinds[position] if kinds[position] in ("grid", "set") else None
    if given.kind == "container":
        position = next(k for k, param in enumerate(declared) if param.kind == "container")
        return lambda kinds: _container(kinds[position])
    kind = _PLAIN.get(given, _STRUCTURED.get(given.kind))
    return lambda kinds: kind


def _numeric(kinds: list[Kind]) -> Kind:
    if "pair" in kinds:
        return "pair"
    return "int" if all(kind in ("int", "bool") for kind in kinds) else None


def _container(kind: Kind) -> Kind:
    return {"grid": "tuple", "pair": "tuple", "tuple": "tuple", "set": "set", "objects": "set"}.get(kind or "")
