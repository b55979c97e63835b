"""Abstract values: the values of variables while a program is traced."""

from collections.abc import Callable
from dataclasses import dataclass

from arcloom.program.graph import Node

Closure = Callable[..., "Abstract"]


@dataclass(eq=False)
class Static:
    """A tuple or set that contains functions. Its elements are known while tracing."""

    kind: str
    items: tuple["Abstract", ...]


@dataclass(eq=False)
class Family:
    """A container of functions, one for each element of another container."""

    source: Node
    member: Closure


Abstract = Node | Closure | Static | Family

Form = Callable[..., Abstract | None]
"""A function that traces calls of a primitive. It takes the tracer and abstract arguments, and returns None if the
primitive is to be traced as a first-order one."""

FORMS: dict[str, Form] = {}
"""The forms of primitives by name. The modules that ``arcloom.program`` imports add them."""


def describe(value: Abstract) -> str:
    """A description of a value for messages."""
    if isinstance(value, Node):
        return f"a value of type {value.type}"
    return "a container of functions" if isinstance(value, Static | Family) else "a function"
