"""Which names of a function are dictionaries, and the values of their missing keys."""

import ast
from collections.abc import Iterator, Sequence

from arcloom.program.mutation import statements_in
from arcloom.program.templates import filled

MAKERS = frozenset({"dict", "dict.fromkeys", "Counter", "defaultdict"})
"""Functions that make a dictionary."""

EMPTY = {"list": "tuple", "tuple": "tuple", "set": "frozenset", "frozenset": "frozenset"}
"""The functions that make the empty containers of ``defaultdict(list)`` and others."""


def are_different(keys: list[ast.expr]) -> bool:
    """Whether the keys are constants and all different."""
    values = [key.value for key in keys if isinstance(key, ast.Constant)]
    return len(values) == len(keys) == len(set(values))


def dictionaries_in(body: Sequence[ast.stmt], known: frozenset[str]) -> frozenset[str]:
    """The names to which only dictionaries are assigned, and those of ``known`` that are not assigned."""
    made: dict[str, bool] = {}
    for statement in statements_in(body):
        for name, value in _values(statement):
            made[name] = made.get(name, True) and value is not None and makes_dictionary(value)
    found = {name for name in {*known, *made} if made.get(name, True)}
    if found:  # seldom true: it saves a walk over the whole program
        found -= {name for statement in body for part in ast.walk(statement) for name in _bound_inside(part)}
    return frozenset(found)


def _bound_inside(node: ast.AST) -> list[str]:
    """The names that functions and comprehensions inside a node bind."""
    match node:
        case ast.Lambda(args=arguments):
            return [arg.arg for arg in arguments.args]
        case ast.comprehension(target=target):
            return _stored(target)
        case _:
            return []


def _values(statement: ast.stmt) -> Iterator[tuple[str, ast.expr | None]]:
    """The names that a statement assigns, each with its value, or None if the value is not an expression by itself."""
    match statement:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value)
            | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
        ):
            yield name, value
        case ast.Assign(targets=targets):
            yield from ((name, None) for target in targets for name in _stored(target))
        case ast.For(target=target) | ast.AugAssign(target=target):
            yield from ((name, None) for name in _stored(target))
        case ast.FunctionDef(name=name):
            yield name, None


def _stored(target: ast.expr) -> list[str]:
    return [part.id for part in ast.walk(target) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]


def makes_dictionary(value: ast.AST) -> bool:
    match value:
        case ast.Dict() | ast.DictComp():
            return True
        case ast.Call():
            return maker(value) in MAKERS
        case _:
            return False


def maker(node: ast.Call) -> str:
    """The name of the function that makes a dictionary, such as ``dict`` or ``dict.fromkeys``."""
    match node.func:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name(id="dict"), attr="fromkeys"):
            return "dict.fromkeys"
        case _:
            return ""


def defaults_in(body: Sequence[ast.stmt]) -> dict[str, ast.expr]:
    """The values of missing keys of dictionaries that have one, by name."""
    made = [entry for statement in statements_in(body) for entry in _values(statement)]
    found = [(name, default_of(value)) for name, value in made]
    return {name: default for name, default in found if default is not None}


def default_of(node: ast.AST | None) -> ast.expr | None:
    """The value of missing keys of a new dictionary, if it has one."""
    match node:
        case (
            ast.Call(func=ast.Name(id="Counter")) | ast.Call(func=ast.Name(id="defaultdict"), args=[ast.Name(id="int")])
        ):
            return ast.Constant(0)
        case ast.Call(func=ast.Name(id="defaultdict"), args=[ast.Name(id=name)]) if name in EMPTY:
            return filled(f"{EMPTY[name]}()", node)
        case ast.Call(func=ast.Name(id="defaultdict"), args=[ast.Lambda(body=body)]):
            return body
        case _:
            return None
