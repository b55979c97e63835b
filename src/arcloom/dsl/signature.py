"""Static types, and the type rule that follows from a primitive's annotations.

A rule climbs from constants (``int``) through type variables (``Container[T] -> T``) to three conventions:
a ``Numeric`` result is a pair if an argument is one; a ``Container`` result has the kind of the first container
argument; a ``Piece``, ``Patch`` or ``Element`` result has the type of the first argument declared so.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from arcloom.dsl import annotations
from arcloom.dsl.annotations import ELEMENT, NUMERIC, PIECE, TypeExpr
from arcloom.dsl.declare import Primitive

MAX_DEPTH = 16
"""Maximum depth of nested types. Without a limit, a value could double with every line at no cost."""

_SHOWN = 100
"""Maximum number of characters of the parts of a type in messages."""


@dataclass(frozen=True, eq=False)
class Type:
    """A static type. There is one object for each type, so ``is`` compares them."""

    kind: str
    parts: tuple["Type", ...] = ()

    @property
    def element(self) -> "Type":
        """The element type of a tuple or a set, or the type of an optional value."""
        return self.parts[0]

    @cached_property
    def depth(self) -> int:
        """The number of levels: 1 for a type without parts."""
        return 1 + max((part.depth for part in self.parts), default=0)

    def __repr__(self) -> str:
        inner = ", ".join(map(str, self.parts))
        if len(inner) > _SHOWN:
            inner = "..."
        match self.kind:
            case "record":
                return f"({inner})"
            case "perhaps":
                return f"{inner}?"
            case _:
                return f"{self.kind}[{inner}]" if inner else self.kind


@cache
def _type(kind: str, *parts: Type) -> Type:
    made = Type(kind, parts)
    if made.depth > MAX_DEPTH:
        raise RecursionError(f"types are nested more than {MAX_DEPTH} deep")
    return made


INT = _type("int")
BOOL = _type("bool")
GRID = _type("grid")
NEVER = _type("nothing")
"""The element type of a container that is known to be empty."""


def tuple_of(element: Type) -> Type:
    """The type of tuples of any length with such elements."""
    return _type("tuple", element)


def set_of(element: Type) -> Type:
    """The type of sets with such elements."""
    return _type("set", element)


def record(*parts: Type) -> Type:
    """The type of tuples with just these parts."""
    return _type("record", *parts)


def perhaps(inner: Type) -> Type:
    """The type of a value that can be missing: None for an int, () for a pair."""
    return inner if inner.kind == "perhaps" else _type("perhaps", inner)


PAIR = record(INT, INT)
CELL = record(INT, PAIR)
PLACE = _type("place")
"""A pair or a cell: the element of a patch that is the one in some rows and the other in others."""

ROW = tuple_of(INT)
ROWS = tuple_of(ROW)
INDICES = set_of(PAIR)
OBJECT = set_of(CELL)
PATCH = set_of(PLACE)
SAMPLES = tuple_of(record(GRID, GRID))


@cache
def as_tuple(have: Type) -> Type | None:
    """The tuple type that a value of this type can be used as, if it is any kind of tuple."""
    match have.kind:
        case "tuple":
            return have
        case "grid":
            return ROWS
        case "record":
            element = join(have.parts)
            return None if element is None else tuple_of(element)
        case "perhaps":
            return as_tuple(have.element)
        case _:
            return None


@cache
def coerces(have: Type, want: Type) -> bool:
    """Whether a value of one type can be used as the other, possibly after a check at run time."""
    if have is want or have is NEVER:
        return True
    match have.kind, want.kind:
        case ("bool", "int") | ("int", "bool"):
            return True
        case "perhaps", "perhaps":
            return coerces(have.element, want.element)
        case _, "perhaps":
            return coerces(have, want.element)
        case ("tuple", "tuple") | ("set", "set"):
            return coerces(have.element, want.element)
        case "record", "record":
            same = len(have.parts) == len(want.parts)
            return same and all(map(coerces, have.parts, want.parts))
        case "record", "tuple":
            return all(coerces(part, want.element) for part in have.parts)
        case "tuple", "record":
            return all(coerces(have.element, part) for part in want.parts)
        case "grid", "tuple":
            return coerces(ROW, want.element)
        case (("tuple" | "record"), "grid"):
            return coerces(have, ROWS)
        case "perhaps", _:
            return coerces(have.element, want)
        case "record", "place":
            return have in (PAIR, CELL)
        case (("tuple" | "record"), "set"):
            listed = as_tuple(have)
            return want in (INDICES, OBJECT, PATCH) and listed is not None and coerces(listed.element, want.element)
        case _:
            return False


@cache
def unify(a: Type, b: Type) -> Type | None:
    """The narrowest type that both coerce to without a check, if there is one."""
    if a is b or b is NEVER:
        return a
    if a is NEVER:
        return b
    kinds = {a.kind, b.kind}
    if kinds == {"bool", "int"}:
        return INT
    if {a, b} <= {PAIR, CELL, PLACE}:
        return PLACE
    if "perhaps" in kinds:
        inner = unify(*(t.element if t.kind == "perhaps" else t for t in (a, b)))
        return inner if inner is None or inner.kind == "tuple" else perhaps(inner)
    if a.kind == b.kind == "record" and len(a.parts) == len(b.parts):
        parts = [unify(x, y) for x, y in zip(a.parts, b.parts, strict=True)]
        if None not in parts:
            return record(*parts)  # type: ignore[arg-type]
    if a.kind == b.kind == "set":
        element = unify(a.element, b.element)
        return None if element is None else set_of(element)
    return _unify_tuples(as_tuple(a), as_tuple(b))


def _unify_tuples(a: Type | None, b: Type | None) -> Type | None:
    if a is None or b is None:
        return None
    element = unify(a.element, b.element)
    return None if element is None else tuple_of(element)


def join(members: Iterable[Type]) -> Type | None:
    """The type that all of these unify to."""
    joined: Type | None = NEVER
    for member in members:
        joined = None if joined is None else unify(joined, member)
    return joined


def type_of(value: Any) -> Type | None:
    """The static type of a value, or None where its elements have nothing in common or are nested too deeply."""
    try:
        return _type_of(value)
    except RecursionError:
        return None


def _type_of(value: Any) -> Type | None:
    if isinstance(value, bool):
        return BOOL
    if value is None:
        return perhaps(INT)
    if isinstance(value, int):
        return INT
    of_ints = set(map(type, value)) == {int}
    members = [INT] * len(value) if of_ints else [_type_of(element) for element in value]
    if None in members:
        return None
    element = join(dict.fromkeys(members))  # type: ignore[arg-type]
    if isinstance(value, frozenset):
        return None if element is None else set_of(element)
    return _type_of_tuple(value, members, element)  # type: ignore[arg-type]


def _type_of_tuple(value: tuple[Any, ...], members: list[Type], element: Type | None) -> Type:
    """Pairs and mixed tuples are records, rows of one length a grid. Both can also be used as plain tuples."""
    if element is None or (len(value) == 2 and element in (INT, BOOL)):
        return record(*members)
    rows_of_ints = bool(value) and element is ROW and value[0] != ()
    if rows_of_ints and len({len(row) for row in value}) == 1:
        return GRID
    return tuple_of(element)


Bound = dict[str, Type]
"""The types of type variables by their names."""


@dataclass(frozen=True, eq=False)
class TypeRule:
    """The types to which a primitive coerces its arguments, and the type of its result."""

    wants: tuple[Type, ...]
    result: Type


class Misfit(Exception):
    """An argument of a type that the primitive cannot take."""

    def __init__(self, position: int, have: Type, expected: str) -> None:
        super().__init__(f"argument {position + 1} must be {expected}, and it is {have}")
        self.position, self.have, self.expected = position, have, expected


def rule(primitive: Primitive[..., Any], have: tuple[Type, ...]) -> TypeRule:
    """The rule for arguments of these types. Raises Misfit where one does not fit."""
    declared = primitive.param_types
    bound: Bound = {}
    for _ in range(2):  # the second time, the type variables are known
        wants = [_target(expr, type, bound) for expr, type in zip(declared, have, strict=True)]
    for position, (want, expr) in enumerate(zip(wants, declared, strict=True)):
        if want is None:
            raise Misfit(position, have[position], expr.text(bound))
    chosen: tuple[Type, ...] = tuple(wants)  # type: ignore[arg-type]
    return TypeRule(chosen, _result(primitive.result_type, declared, chosen, bound))


_CONSTANTS = {"int": INT, "bool": BOOL, "grid": GRID}
_PIECES = (PIECE, annotations.PATCH, ELEMENT)


def _target(expr: TypeExpr, have: Type, bound: Bound) -> Type | None:
    """The type to which an argument must be coerced so that it fits the expression, or None if it does not fit."""
    if have is PATCH and expr in (annotations.PATCH, PIECE):
        return PATCH
    if as_tuple(have) is not None and expr in (PIECE, ELEMENT):
        expr = annotations.GRID  # of an empty tuple, nobody could say whether cells or rows are missing
    match expr.kind:
        case "int" | "bool" | "grid":
            want = _CONSTANTS[expr.kind]
            return want if coerces(have, want) else None
        case "variable":
            return _bind(expr.name, have, bound)
        case "union" | "container":
            return _best_alternative(expr, have, bound)
        case "perhaps":
            return _target(expr.element, have, bound)
        case "tuple":
            return _tuple_target(expr.element, have, bound)
        case "set":
            return _set_target(expr.element, have, bound)
        case "record":
            return _record_target(expr.parts, have, bound)
        case _:
            return None


def _bind(variable: str, have: Type, bound: Bound) -> Type | None:
    joined = unify(bound.get(variable, NEVER), have)
    if joined is not None:
        bound[variable] = joined
    return joined


def _best_alternative(expr: TypeExpr, have: Type, bound: Bound) -> Type | None:
    """The alternative that needs no coercion, otherwise the first that fits."""
    fitting: list[tuple[int, int, Type, Bound]] = []
    for alternative in expr.alternatives:
        trial = dict(bound)
        want = _target(alternative, have, trial)
        if want is not None:
            fitting.append((_distance(have, want), len(fitting), want, trial))
    if not fitting:
        return None
    *_, want, trial = min(fitting, key=lambda entry: entry[:2])
    bound.update(trial)
    return want


def _distance(have: Type, want: Type) -> int:
    """0 if no coercion is needed, 1 for a coercion within the same kind, 2 for one to another kind."""
    return 0 if have is want else 1 if have.kind == want.kind else 2


def _tuple_target(part: TypeExpr, have: Type, bound: Bound) -> Type | None:
    listed = tuple_of(NEVER) if have is NEVER else as_tuple(have)
    if listed is None:
        return None
    element = _target(part, listed.element, bound)
    return None if element is None else tuple_of(element)


def _set_target(part: TypeExpr, have: Type, bound: Bound) -> Type | None:
    listed = have if have.kind == "set" else set_of(NEVER) if have is NEVER else as_tuple(have)
    if listed is None or have is GRID:
        return None
    element = _target(part, listed.element, bound)
    if element is None:
        return None
    want = set_of(element)
    return want if coerces(have, want) else None


def _record_target(parts: tuple[TypeExpr, ...], have: Type, bound: Bound) -> Type | None:
    if have.kind == "perhaps":
        have = have.element
    members = have.parts if have.kind == "record" else (have.element,) * len(parts) if have.kind == "tuple" else ()
    if have is NEVER:
        members = (NEVER,) * len(parts)
    if len(members) != len(parts):
        return None
    wants = [_target(part, member, bound) for part, member in zip(parts, members, strict=True)]
    return None if None in wants else record(*wants)  # type: ignore[arg-type]


def _result(expr: TypeExpr, params: tuple[TypeExpr, ...], wants: tuple[Type, ...], bound: Bound) -> Type:
    """The type of a result, where ``wants`` are the types of the arguments declared as ``params``."""

    def declared(test: Callable[[TypeExpr], bool]) -> list[Type]:
        return [want for param, want in zip(params, wants, strict=True) if test(param)]

    if expr == NUMERIC:
        return PAIR if PAIR in declared(lambda param: param == NUMERIC) else INT
    if expr in _PIECES:
        return declared(lambda param: param in _PIECES)[0]
    inner = [_result(part, params, wants, bound) for part in expr.parts]
    match expr.kind:
        case "variable":
            return bound.get(expr.name, NEVER)
        case "container":
            return _type(declared(lambda param: param.kind == "container")[0].kind, *inner)
        case "perhaps":
            return perhaps(*inner)
        case "int" | "bool" | "grid":
            return _CONSTANTS[expr.kind]
        case _:
            return _type(expr.kind, *inner)
