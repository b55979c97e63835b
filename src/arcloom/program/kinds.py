"""What kind of value a term gives, as far as that is plain without tracing it."""

from collections.abc import Callable
from functools import cache
from typing import Any, get_args, get_origin

from arcloom.dsl.declare import Primitive
from arcloom.dsl.types import Element, Grid, Indices, Numeric, Object, Pair, Patch, Piece
from arcloom.program.term import Call, Function, Input, Lambda, Literal, Term

Kind = str | None
"""int, bool, pair, grid, tuple, set, objects (a set of them) or function; None where nobody knows."""

_INPUTS: dict[str, Kind] = {"I": "grid", "C": "grid", "S": "tuple"}
_PLAIN: tuple[tuple[Any, Kind], ...] = (
    (int, "int"),
    (bool, "bool"),
    (Pair, "pair"),
    (Grid, "grid"),
    (Indices, "set"),
    (Object, "set"),
    (frozenset[Object], "objects"),
)


def kind_of(term: Term, kinds: dict[int, Kind]) -> Kind:
    """The kind of a term, where ``kinds`` has that of its arguments by their ids."""
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
    """How the kind of what a primitive gives follows from that of its arguments."""
    declared = [parameter.annotation for parameter in primitive.signature.parameters.values()]
    given = primitive.signature.return_annotation
    for annotation, kind in _PLAIN:
        if given == annotation:
            return lambda kinds: kind
    if given == Numeric:
        return _numeric
    if given in (Piece, Patch, Element):
        position = next(k for k, annotation in enumerate(declared) if annotation in (Piece, Patch, Element))
        return lambda kinds: kinds[position] if kinds[position] in ("grid", "set") else None
    if _is_container(given):
        position = next(k for k, annotation in enumerate(declared) if _is_container(annotation))
        return lambda kinds: _container(kinds[position])
    kind = _structured(given)
    return lambda kinds: kind


def _numeric(kinds: list[Kind]) -> Kind:
    if "pair" in kinds:
        return "pair"
    return "int" if all(kind in ("int", "bool") for kind in kinds) else None


def _is_container(annotation: Any) -> bool:
    return {get_origin(part) for part in get_args(annotation)} == {tuple, frozenset}


def _container(kind: Kind) -> Kind:
    return {"grid": "tuple", "pair": "tuple", "tuple": "tuple", "set": "set", "objects": "set"}.get(kind or "")


def _structured(annotation: Any) -> Kind:
    origin = get_origin(annotation)
    if origin is frozenset:
        return "set"
    if origin is tuple:
        return "tuple"
    return "function" if origin is Callable else None
