"""Which lists and sets of a function may be changed by methods such as ``append``.

Values never change here, so a method gives the name a new value. That is the same as in Python only if nothing else
holds the list or set when it is changed.
"""

import ast
from collections.abc import Callable, Iterator, Sequence

_NEW = (ast.List, ast.Set, ast.ListComp, ast.SetComp)
_MAKERS = frozenset({"list", "set"})
_COPIES = _MAKERS | {"tuple", "frozenset", "sorted", "len", "sum", "any", "all"}
_HOLDERS = (ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Starred)
_BODIES = ("body", "orelse")

MOST_LOOKED_AT = 500_000
"""Maximum number of names times parts of a function that are looked at; in larger functions nothing can be changed."""


def unshared(body: Sequence[ast.stmt]) -> frozenset[str]:
    """The names in a function's body whose lists and sets nothing else holds when a method changes them."""
    changed = {name for statement in _statements(body) if (name := changed_name(statement))}
    nodes = sum(1 for statement in body for _ in ast.walk(statement))
    if len(changed) * nodes > MOST_LOOKED_AT:
        return frozenset()
    return frozenset(name for name in changed if _is_unshared(name, body))


def changed_name(statement: ast.stmt) -> str | None:
    """The name whose value a statement changes by a method, if it does."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
            return name
        case _:
            return None


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements of a function, those inside of others included."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.If | ast.For):
            yield from _statements([*statement.body, *statement.orelse])


def _is_unshared(name: str, body: Sequence[ast.stmt]) -> bool:
    bound = [node for statement in body for node in ast.walk(statement) if _is_name(node, name, ast.Store)]
    made = [statement for statement in _statements(body) if _makes(statement, name)]
    return len(bound) == len(made) and all(_only_read(name, statements) for statements in _lists(body))


def _is_name(node: ast.AST, name: str, context: type[ast.expr_context]) -> bool:
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, context)


def _makes(statement: ast.stmt, name: str) -> bool:
    """Whether a statement gives the name a new list or set, or adds to its own."""
    match statement:
        case (
            ast.Assign(targets=[ast.Name(id=target)], value=value)
            | ast.AnnAssign(target=ast.Name(id=target), value=value)
        ):
            return target == name and _is_new(value)
        case ast.AugAssign(target=ast.Name(id=target)):
            return target == name
        case _:
            return False


def _is_new(value: ast.expr | None) -> bool:
    match value:
        case ast.Call(func=ast.Name(id=maker)):
            return maker in _MAKERS
        case _:
            return isinstance(value, _NEW)


def _lists(body: Sequence[ast.stmt]) -> Iterator[Sequence[ast.stmt]]:
    """All lists of statements in a function: its own, and those inside of statements."""
    yield body
    for statement in body:
        if isinstance(statement, ast.If | ast.For):
            yield from _lists(statement.body)
            yield from _lists(statement.orelse)


def _only_read(name: str, statements: Sequence[ast.stmt]) -> bool:
    """Whether statements, but for those inside of them, put the value of a name nowhere else.

    The last thing that is done with it may be to put it into another container, if the same statements made it.
    """
    changes = [k for k, statement in enumerate(statements) if any(map(_changes(name), _statements([statement])))]
    made = next((k for k, statement in enumerate(statements) if _makes(statement, name)), len(statements))
    for k, statement in enumerate(statements):
        if isinstance(statement, ast.Return):  # after which nothing changes any more
            continue
        if isinstance(statement, ast.Assign | ast.AnnAssign) and _is_name(statement.value or statement, name, ast.Load):
            return False
        if _is_handed_on(name, statement):
            if made > k or (changes and changes[-1] > k):
                return False
        elif not all(_reads_only(name, part) for part in _own_parts(statement)):
            return False
    return True


def _changes(name: str) -> Callable[[ast.stmt], bool]:
    return lambda statement: changed_name(statement) == name


def _is_handed_on(name: str, statement: ast.stmt) -> bool:
    """Whether a method puts the value of a name as it is into another container."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=other)), args=[ast.Name(id=argument)])):
            return argument == name and other != name
        case _:
            return False


def _own_parts(statement: ast.stmt) -> Iterator[ast.AST]:
    """The parts of a statement without the statements inside of it."""
    for field, value in ast.iter_fields(statement):
        if field not in _BODIES or not isinstance(statement, ast.If | ast.For):
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, ast.AST):
                    yield part


def _is_copy(node: ast.AST) -> bool:
    """Whether an expression is a call that makes a value of its own, whatever it is given."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _COPIES


def _reads_only(name: str, node: ast.AST) -> bool:
    """Whether an expression takes nothing of the name but values that are computed from it."""
    if _is_name(node, name, ast.Load) or _is_copy(node):
        return True
    later = isinstance(node, ast.Lambda | ast.FunctionDef | ast.arguments)  # it is read when the function is called
    for child in ast.iter_child_nodes(node):
        holds = later or (isinstance(node, _HOLDERS) and not _is_copy(child))
        if holds and _mentions(child, name):
            return False
        if not _reads_only(name, child):
            return False
    return True


def _mentions(node: ast.AST, name: str) -> bool:
    return any(_is_name(part, name, ast.Load) for part in ast.walk(node))
