"""Parsing the annotations of primitives into type expressions.

A type expression describes the allowed types of an argument or a result. It can contain type variables and
alternatives; a static type (``signature.Type``) has neither.
"""

import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from arcloom.dsl import types as declared


@dataclass(frozen=True)
class TypeExpr:
    """A parsed annotation. Expressions with equal meaning compare equal.

    ``kind`` is int, bool, grid, perhaps (an optional value), tuple (of any length), set, record (a tuple of fixed
    length), container (a tuple or a set), union, variable, function or any. ``parts`` are the element, the members or
    the alternatives, and ``name`` is that of a variable.
    """

    kind: str
    parts: tuple["TypeExpr", ...] = ()
    name: str = ""

    @property
    def element(self) -> "TypeExpr":
        """The element of a container, or the value of an optional one."""
        return self.parts[0]

    @property
    def alternatives(self) -> tuple["TypeExpr", ...]:
        """The members of a union; a container is a tuple or a set."""
        if self.kind == "container":
            return TypeExpr("tuple", self.parts), TypeExpr("set", self.parts)
        return self.parts if self.kind == "union" else (self,)

    @property
    def is_sized(self) -> bool:
        """Whether a value of this type can be a grid or a container of any number of elements."""
        return any(part.kind in ("grid", "tuple", "set") for part in self.alternatives)

    @cached_property
    def mentions_function(self) -> bool:
        """Whether the type is a function or contains one."""
        return self.kind == "function" or any(part.mentions_function for part in self.parts)

    def text(self, bound: Mapping[str, Any] | None = None) -> str:
        """The expression in the notation of messages and documentation. Variables in ``bound`` are replaced."""
        if self in _NAMES:
            return _NAMES[self]
        inner = [part.text(bound) for part in self.parts]
        match self.kind:
            case "variable":
                return str((bound or {}).get(self.name, self.name))
            case "perhaps":
                return f"{inner[0]}?"
            case "record":
                return f"({', '.join(inner)})"
            case "union":
                return " or ".join(inner)
            case _:
                return f"{self.kind}[{inner[0]}]" if inner else self.kind


def parse(annotation: Any) -> TypeExpr:
    """The type expression of an annotation. Raises TypeError if the annotation is not a type of the language."""
    if annotation in (int, bool):
        return TypeExpr(annotation.__name__)
    if annotation is Any:
        return TypeExpr("any")
    if isinstance(annotation, TypeVar):
        return TypeExpr("variable", name=annotation.__name__)
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return TypeExpr("grid") if args[1] == "grid" else TypeExpr("perhaps", (parse(args[0]),))
    if origin in (Union, types.UnionType):
        return _union(tuple(map(parse, args)))
    if origin is tuple:
        return TypeExpr("tuple", (parse(args[0]),)) if args[-1] is Ellipsis else TypeExpr("record", _parsed(args))
    if origin is frozenset:
        return TypeExpr("set", _parsed(args))
    if origin is Callable:
        return TypeExpr("function")
    raise TypeError(f"{annotation!r} is not a type of the language")


def _parsed(annotations: tuple[Any, ...]) -> tuple[TypeExpr, ...]:
    return tuple(map(parse, annotations))


def _union(parts: tuple[TypeExpr, ...]) -> TypeExpr:
    if [part.kind for part in parts] == ["tuple", "set"] and parts[0].parts == parts[1].parts:
        return TypeExpr("container", parts[0].parts)
    return TypeExpr("union", parts)


INT, BOOL, GRID = parse(int), parse(bool), parse(declared.Grid)
PAIR, CELL, CORNER, COLOUR = parse(declared.Pair), parse(declared.Cell), parse(declared.Corner), parse(declared.Colour)
INDICES, OBJECT, NUMERIC = parse(declared.Indices), parse(declared.Object), parse(declared.Numeric)
PATCH, PIECE, ELEMENT = parse(declared.Patch), parse(declared.Piece), parse(declared.Element)

_NAMES = {PATCH: "patch", PIECE: "grid or patch", ELEMENT: "grid or object"}
