"""Rewriting names of rows that a function changes: ``row[j] = 1`` after ``row = grid[i]`` is ``grid[i][j] = 1``.

A changed list becomes a new value of the name that holds it, so each list must have one name only. This module
replaces a second name by what it stands for, in loops over a list of lists and after assignments.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from typing import Any

from arcloom.program.mutation import base_of, changed_names, is_new, last_deep_change, statements_in
from arcloom.program.stopping import assignment, read
from arcloom.program.templates import filled


def with_one_name(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The statements of a function, in which changed lists have one name as far as possible."""
    if not any(True for statement in statements_in(body) for _ in changed_names(statement)):
        return list(body)
    return _block([part for statement in body for part in _separated(statement)])


def _block(statements: Sequence[ast.stmt]) -> list[ast.stmt]:
    made: list[ast.stmt] = []
    for k, statement in enumerate(statements):
        rest = statements[k + 1 :]
        match statement:
            case ast.For():
                made.append(_loop(statement, rest))
            case ast.If(test=test, body=body, orelse=orelse):
                made.append(ast.copy_location(ast.If(test, _nested(body), _nested(orelse)), statement))
            case ast.Assign(targets=[ast.Name(id=alias)], value=ast.Subscript(value=ast.Name(), slice=key) as item) if (
                _can_replace(alias, item.value.id, key, rest)  # type: ignore[attr-defined]
            ):
                return [*made, *_block(_replaced(rest, alias, item))]
            case _:
                made.append(statement)
    return made


def _nested(statements: Sequence[ast.stmt]) -> list[ast.stmt]:
    return _block([part for statement in statements for part in _separated(statement)])


def _separated(statement: ast.stmt) -> Iterator[ast.stmt]:
    """The statement; an assignment of several new lists to several names as one assignment for each."""
    match statement:
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)) if len(names) == len(values):
            targets = {name.id for name in names if isinstance(name, ast.Name)}
            read = {part.id for value in values for part in ast.walk(value) if isinstance(part, ast.Name)}
            makes = any(is_new(value) or isinstance(value, ast.Dict) for value in values)
            if makes and len(targets) == len(names) and targets.isdisjoint(read):
                for name, value in zip(names, values, strict=True):
                    yield ast.copy_location(ast.Assign([name], value), statement)
                return
    yield statement


# Loops over a list of lists


def _loop(node: ast.For, rest: Sequence[ast.stmt]) -> ast.For:
    """A loop; one over lists that its body changes as a loop over their indices."""
    found = _element(node)
    if found is not None and not _is_used_after(found[1], rest):
        held, element, index = found
        key = read(index, node)
        item = ast.copy_location(ast.Subscript(held, key, ast.Load()), node)
        name = base_of(item)
        if name is None:  # the loop is over a new value
            return _same_loop(node)
        if isinstance(held, ast.Name) and _can_replace(element, name.id, key, node.body, held=True):
            return _by_index(node, held, index, _replaced(node.body, element, item))
        if _changes_items(name.id, node.body, deeply=isinstance(held, ast.Subscript)):
            return _by_index(node, held, index, [assignment(element, item, node), *node.body])
    return _same_loop(node)


def _same_loop(node: ast.For) -> ast.For:
    return ast.copy_location(ast.For(node.target, node.iter, _nested(node.body), node.orelse), node)


def _element(node: ast.For) -> tuple[ast.expr, str, str] | None:
    """The container, the name of the element and the name of the index of a loop over a name or an item."""
    match node.target, node.iter:
        case ast.Name(id=element), ast.Name() | ast.Subscript(slice=ast.Name() | ast.Constant()):
            return node.iter, element, f" index {node.lineno}:{node.col_offset}"
        case (
            ast.Tuple(elts=[ast.Name(id=index), ast.Name(id=element)]),
            ast.Call(func=ast.Name(id="enumerate"), args=[ast.Name() | ast.Subscript() as held], keywords=[]),
        ):
            return held, element, index
        case _:
            return None


def _by_index(node: ast.For, held: ast.expr, index: str, body: Sequence[ast.stmt]) -> ast.For:
    indices = filled("range(len(X))", node, X=held)
    target = ast.copy_location(ast.Name(index, ast.Store()), node)
    return ast.copy_location(ast.For(target, indices, _nested(body), node.orelse), node)


# Names for items


def _can_replace(alias: str, name: str, key: ast.expr, uses: Sequence[ast.stmt], *, held: bool = False) -> bool:
    """Whether ``name[key]`` can be written for an alias in these statements, and one of them changes it.

    ``held`` if changes of ``name[i][j]`` count, too.
    """
    if not isinstance(key, ast.Name | ast.Constant | ast.UnaryOp):
        return False
    changes = {changed for statement in statements_in(uses) for changed in changed_names(statement)}
    if alias not in changes and not (held and _deeply(name, uses) and _mentions(uses, alias)):
        return False
    fixed = {alias, name, *(part.id for part in ast.walk(key) if isinstance(part, ast.Name))}
    if not fixed.isdisjoint(_stored(uses)) or name in _changed_as_a_whole(uses):
        return False
    return not _replaces_items(name, uses)


def _deeply(name: str, statements: Sequence[ast.stmt]) -> bool:
    return last_deep_change(name, statements) > 0


def _changes_items(name: str, statements: Sequence[ast.stmt], *, deeply: bool) -> bool:
    """Whether statements assign items of a list, or items of its items, and do not change its length."""
    if deeply:
        return _deeply(name, statements)
    changes = {changed for statement in statements_in(statements) for changed in changed_names(statement)}
    return name in changes and name not in _changed_as_a_whole(statements)


def _mentions(statements: Iterable[ast.stmt], name: str) -> bool:
    return any(_is_name(part, name) for statement in statements for part in ast.walk(statement))


def _stored(statements: Iterable[ast.stmt]) -> set[str]:
    """The names that statements bind, also inside comprehensions and as parameters."""
    parts = [part for statement in statements for part in ast.walk(statement)]
    names = {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    return names | {part.arg for part in parts if isinstance(part, ast.arg)}


def _changed_as_a_whole(statements: Sequence[ast.stmt]) -> set[str]:
    """The names of lists of which statements call a method."""
    calls = [part.func for statement in statements for part in ast.walk(statement) if isinstance(part, ast.Call)]
    held = [called.value for called in calls if isinstance(called, ast.Attribute)]
    return {name.id for name in held if isinstance(name, ast.Name)}


def _replaces_items(name: str, statements: Iterable[ast.stmt]) -> bool:
    """Whether statements assign a new value to an item of a list."""
    return any(
        isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store) and _is_name(part.value, name)
        for statement in statements
        for part in ast.walk(statement)
    )


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _is_used_after(name: str, statements: Sequence[ast.stmt]) -> bool:
    """Whether statements may use the value that a name has before them."""
    for statement in statements:
        if any(_reads(name, part) for part in ast.iter_child_nodes(statement)):
            return not (isinstance(statement, ast.For) and _binds(statement.target, name))
        if isinstance(statement, ast.For | ast.Assign) and name in _stored([statement]):
            return False
    return False


def _binds(target: ast.AST, name: str) -> bool:
    return any(_is_name(part, name) for part in ast.walk(target))


def _reads(name: str, node: ast.AST) -> bool:
    """Whether an expression or statement reads a name. Comprehensions that bind the name do not."""
    generators = getattr(node, "generators", [])
    if any(_binds(generator.target, name) for generator in generators):
        return _reads(name, generators[0].iter)
    if isinstance(node, ast.Name):
        return node.id == name and isinstance(node.ctx, ast.Load)
    return any(_reads(name, part) for part in ast.iter_child_nodes(node))


def _replaced(statements: Sequence[ast.stmt], alias: str, item: ast.expr) -> list[ast.stmt]:
    return [_Replacing(alias, item).visit(deepcopy(statement)) for statement in statements]


class _Replacing(ast.NodeTransformer):
    """Replaces a name by an item."""

    def __init__(self, alias: str, item: ast.expr) -> None:
        self.alias, self.item = alias, item

    def visit_Name(self, node: ast.Name) -> Any:
        """A name, or the item that it stands for, at the position of the name."""
        if node.id != self.alias:
            return node
        return filled("X[K]", node, X=self.item.value, K=self.item.slice)  # type: ignore[attr-defined]
