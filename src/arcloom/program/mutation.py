"""Alias analysis: which lists and sets of a function may be changed by methods such as ``append``.

Values of the language are immutable, so a method that changes a list assigns a new value to its name. This has the same
effect as in Python only if nothing else refers to the list or set at that time.
"""

import ast
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial

from arcloom.program.templates import OF_SETS

_NEW = (ast.List, ast.Set, ast.ListComp, ast.SetComp)
_MAKERS = frozenset({"list", "set", "sorted", "deepcopy"})
_COPIES = _MAKERS | {"tuple", "frozenset", "len", "sum", "any", "all", "max", "min"}
_READERS = _COPIES | {"enumerate", "zip", "reversed", "range", "filter", "map"}
"""Functions whose results do not contain their arguments themselves, only elements of them."""

_HOLDERS = (ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Starred)
_BODIES = ("body", "orelse")

MOST_LOOKED_AT = 500_000
"""Maximum product of the numbers of names and of syntax nodes of a function to analyse. In larger functions no list or
set may be changed."""


def unshared(body: Sequence[ast.stmt], parameters: Collection[str] = ()) -> frozenset[str]:
    """The names in a function's body whose lists and sets may be changed by methods and by assignments to items.

    Nothing else refers to them, or to their items if these are changed.
    """
    changed = {name for statement in statements_in(body) for name in changed_names(statement)}
    if not changed:
        return frozenset()
    nodes = sum(1 for statement in body for _ in ast.walk(statement))
    if len(changed) * nodes > MOST_LOOKED_AT:
        return frozenset()
    given = {name for name in parameters if not any(_makes(statement, name) for statement in body)}
    return frozenset(name for name in changed - given if _is_unshared(name, body) and is_private(name, body))


def changed_names(statement: ast.stmt) -> Iterator[str]:
    """The names whose values a statement changes by a method or by an assignment to an item."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
            yield name
        case ast.Assign(targets=targets, value=value):
            match value:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="pop")):
                    yield name
            for target in targets:
                yield from (base.id for item in _items(target) if (base := base_of(item)))
        case (
            ast.AugAssign(target=ast.Subscript() as target)
            | ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Subscript() as target)))
        ):
            base = base_of(target)
            if base is not None:
                yield base.id


def _items(target: ast.expr) -> Iterator[ast.Subscript]:
    """The items such as ``a[i]`` in an assignment target."""
    match target:
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _items(part)
        case ast.Subscript():
            yield target


def base_of(target: ast.Subscript) -> ast.Name | None:
    """The name in a target such as ``name[i]`` or ``name[i][j]``."""
    inner: ast.expr = target
    while isinstance(inner, ast.Subscript):
        inner = inner.value
    return inner if isinstance(inner, ast.Name) else None


def statements_in(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements of a function, including nested ones."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.If | ast.For):
            yield from statements_in([*statement.body, *statement.orelse])


def _is_unshared(name: str, body: Sequence[ast.stmt]) -> bool:
    bound = [node for statement in body for node in ast.walk(statement) if _is_name(node, name, ast.Store)]
    made = [statement for statement in statements_in(body) if _makes(statement, name)]
    if (
        not made
        or len(bound) != len(made)
        or any(_changes_while_read(name, statement) for statement in statements_in(body))
    ):
        return False
    return all(_only_read(name, statements) for statements in _lists(body)) and _ends_where_kept(name, body)


def _changes_while_read(name: str, statement: ast.stmt) -> bool:
    """Whether a loop iterates over the value of a name that its body changes."""
    if not isinstance(statement, ast.For) or not _holds(statement.iter, name):
        return False
    return any(map(_changes(name), statements_in(statement.body)))


def _holds(node: ast.AST, name: str) -> bool:
    """Whether the value of an expression may contain the value of the name itself, not a copy."""
    if _is_name(node, name, ast.Load):
        return True
    return not _is_copy(node) and any(_holds(part, name) for part in ast.iter_child_nodes(node))


def _is_name(node: ast.AST, name: str, context: type[ast.expr_context]) -> bool:
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, context)


def _makes(statement: ast.stmt, name: str) -> bool:
    """Whether a statement assigns a new list or set to the name, or extends its own."""
    match statement:
        case (
            ast.Assign(targets=[ast.Name(id=target)], value=value)
            | ast.AnnAssign(target=ast.Name(id=target), value=value)
        ):
            return target == name and (is_new(value) or _makes_nested(statement))
        case ast.AugAssign(target=ast.Name(id=target)):
            return target == name
        case _:
            return False


def is_new(value: ast.expr | None) -> bool:
    """Whether an expression creates a new list or set."""
    match value:
        case ast.Call(func=ast.Name(id=maker)):
            return maker in _MAKERS
        case ast.BinOp(left=left, op=ast.Add() | ast.Mult(), right=right):
            return isinstance(left, ast.List | ast.ListComp) or isinstance(right, ast.List | ast.ListComp)
        case ast.BinOp(op=ast.BitOr() | ast.BitAnd() | ast.BitXor() | ast.Sub()):  # of sets
            return True
        case ast.Call(func=ast.Attribute(attr="copy"), args=[]) | ast.Subscript(slice=ast.Slice()):
            return True
        case ast.Call(func=ast.Attribute(attr=attr)):
            return attr in OF_SETS
        case _:
            return isinstance(value, _NEW)


def _lists(body: Sequence[ast.stmt]) -> Iterator[Sequence[ast.stmt]]:
    """All blocks of a function: its body, and those of its statements."""
    yield body
    for statement in body:
        if isinstance(statement, ast.If | ast.For):
            yield from _lists(statement.body)
            yield from _lists(statement.orelse)


def _only_read(name: str, statements: Sequence[ast.stmt]) -> bool:
    """Whether the statements of a block, without nested ones, create no other reference to the value of a name.

    Whether it may be put into another container is checked by ``_ends_where_kept``.
    """
    return all(
        isinstance(statement, ast.Return)  # no change can follow
        or _is_handed_on(name, statement)
        or (not _is_renamed(name, statement) and all(_reads_only(name, part) for part in _own_parts(statement)))
        for statement in statements
    )


def _ends_where_kept(name: str, body: Sequence[ast.stmt]) -> bool:
    """Whether nothing changes the value of a name after something else refers to it: a container or another name."""
    blocks = list(_lists(body))
    return all(
        _ends_at(name, blocks, block, k)
        for block in blocks
        for k, statement in enumerate(block)
        if _is_handed_on(name, statement)
    )


def _ends_at(name: str, blocks: list[Sequence[ast.stmt]], block: Sequence[ast.stmt], k: int) -> bool:
    """Whether the value that a name has at a statement of a block is not changed after it."""
    changes = [any(map(_changes(name), statements_in([statement]))) for statement in block]
    makes = [_makes(statement, name) and not changes[m] for m, statement in enumerate(block)]
    following = next((m for m in range(k + 1, len(block)) if makes[m] or changes[m]), None)
    if following is not None:
        return makes[following]
    made = max((m for m in range(k) if makes[m]), default=None)
    if made is None or (any(changes[:made]) and block is not blocks[0]):
        return False
    inside = {id(statement) for statement in statements_in(block)}
    around = [other for other in blocks if inside <= {id(statement) for statement in statements_in(other)}]
    return all(
        _is_remade(name, blocks, around, change)
        for change in statements_in(blocks[0])
        if name in changed_names(change) and id(change) not in inside
    )


def _is_remade(name: str, blocks: list[Sequence[ast.stmt]], around: list[Sequence[ast.stmt]], change: ast.stmt) -> bool:
    """Whether a block that has a change, and is not one of those ``around``, makes the value anew before it."""
    for block in blocks:
        if any(block is other for other in around):
            continue
        for statement in block:
            if _makes(statement, name):
                return any(part is change for part in statements_in(block))
            if any(part is change for part in statements_in([statement])):
                break
    return False


def _changes(name: str) -> Callable[[ast.stmt], bool]:
    return lambda statement: name in changed_names(statement)


def _is_handed_on(name: str, statement: ast.stmt) -> bool:
    """Whether a method puts the value of a name itself into another container, or an assignment into a name."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=other)], value=ast.Name(id=argument)):
            return argument == name and other != name
        case ast.Assign(targets=[ast.Subscript() as item], value=ast.Name(id=argument)):
            base = base_of(item)
            return argument == name and (base is None or base.id != name)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=other)), args=[ast.Name(id=argument)])):
            return argument == name and other != name
        case _:
            return False


def _is_renamed(name: str, statement: ast.stmt) -> bool:
    """Whether a statement gives the value of a name itself a second name."""
    match statement:
        case ast.Assign(targets=targets, value=ast.Name(id=read)):
            return read == name and any(isinstance(target, ast.Name) for target in targets)
        case ast.AnnAssign(value=ast.Name(id=read)):
            return read == name
        case _:
            return False


def _own_parts(statement: ast.stmt) -> Iterator[ast.AST]:
    """The expressions of a statement, without nested statements."""
    for field, value in ast.iter_fields(statement):
        if field not in _BODIES or not isinstance(statement, ast.If | ast.For):
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, ast.AST):
                    yield part


def _is_copy(node: ast.AST) -> bool:
    """Whether an expression is a call that returns a new value for any argument."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _COPIES


def _reads_only(name: str, node: ast.AST) -> bool:
    """Whether an expression uses the value of the name only to compute new values."""
    if _is_name(node, name, ast.Load) or _is_copy(node):
        return True
    later = isinstance(node, ast.Lambda | ast.FunctionDef | ast.arguments)  # evaluated when the function is called
    for child in ast.iter_child_nodes(node):
        holds = later or (isinstance(node, _HOLDERS) and not _is_copy(child) and not isinstance(child, ast.Subscript))
        if holds and _mentions(child, name):
            return False
        if not _reads_only(name, child):
            return False
    return True


def _mentions(node: ast.AST, name: str) -> bool:
    return any(_is_name(part, name, ast.Load) for part in ast.walk(node))


# Lists in lists


def is_private(name: str, body: Sequence[ast.stmt]) -> bool:
    """Whether items of items may be assigned, as in ``grid[i][j] = 1``: nothing else refers to an item of the name.

    This holds if only new lists of new lists are assigned to the name, and no expression uses an item as a whole while
    it can change.
    """
    if not last_deep_change(name, body):
        return True
    last = last_deep_change(name, body)
    made = [statement for statement in statements_in(body) if _makes(statement, name)]
    items = [value for statement in statements_in(body) for value in _assigned_items(name, statement)]
    if not all(map(_makes_nested, made)) or not all(map(is_new, items)):
        return False
    return all(
        _takes_no_items(name, part, last)
        for statement in statements_in(body)
        if not isinstance(statement, ast.Return)
        for part in _own_parts(statement)
    )


def last_deep_change(name: str, body: Sequence[ast.stmt]) -> int:
    """The last line of the last statement that changes an item of an item of a name, or 0. A loop is one statement."""
    deep = [any(map(partial(_changes_deeply, name), statements_in([statement]))) for statement in body]
    return max((each.end_lineno or 0 for each, changes in zip(body, deep, strict=True) if changes), default=0)


def keeps_entries(name: str, body: Sequence[ast.stmt]) -> bool:
    """Whether something else may refer to a value of a dictionary when a method changes the value."""
    last = last_deep_change(name, body)
    return any(
        _takes_entry(name, part)
        for statement in statements_in(body)
        if statement.lineno <= last and not isinstance(statement, ast.Return)
        for part in _own_parts(statement)
    )


def _takes_entry(name: str, node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id=maker)) if maker in _COPIES:
            return False
        case ast.Subscript(value=ast.Subscript(value=ast.Name(id=read))) if read == name:
            return False
        case ast.Call(func=ast.Attribute(value=ast.Subscript(value=ast.Name(id=read))), args=args) if read == name:
            return any(_takes_entry(name, arg) for arg in args)
        case ast.Call(func=ast.Attribute(value=ast.Name(id=read), attr="values" | "items" | "get")):
            return read == name
        case ast.Subscript(value=ast.Name(id=read), ctx=ast.Load()) if read == name:
            return True
    return any(_takes_entry(name, part) for part in ast.iter_child_nodes(node))


def _assigned_items(name: str, statement: ast.stmt) -> Iterator[ast.expr]:
    """The values that a statement assigns to items of a name."""
    match statement:
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=changed))], value=value) if changed == name:
            yield value


def _changes_deeply(name: str, statement: ast.stmt) -> bool:
    targets: list[ast.expr] = []
    match statement:
        case ast.Assign(targets=targets):
            pass
        case ast.AugAssign(target=target):
            targets = [target]
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Subscript() as held))):
            base = base_of(held)
            return base is not None and base.id == name
        case ast.Expr(
            value=ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Attribute(value=ast.Name(id=changed)))))
        ):
            return changed == name
    items = [item for target in targets for item in _items(target) if isinstance(item.value, ast.Subscript)]
    return any((base := base_of(item)) is not None and base.id == name for item in items)


def _makes_nested(statement: ast.stmt) -> bool:
    """Whether a statement assigns a new list of new lists."""
    match getattr(statement, "value", None):
        case ast.ListComp(elt=element):
            return is_new(element)
        case ast.List(elts=elements):
            return all(map(is_new, elements))
        case ast.Call(
            func=ast.Name(id="list" | "tuple"), args=[ast.Call(func=ast.Name(id="map"), args=[ast.Name(id="list"), _])]
        ):
            return True
        case ast.Call(func=ast.Name(id="tuple"), args=[ast.GeneratorExp(elt=element)]):
            return is_new(element)
        case ast.Call(func=ast.Name(id="deepcopy")):
            return True
        case _:
            return False


def _index_of(name: str, node: ast.AST) -> ast.AST:
    """The index of an item of a name, for an expression that is one, otherwise the expression itself."""
    match node:
        case ast.Subscript(value=ast.Name(id=read), slice=index) if read == name and not isinstance(index, ast.Slice):
            return index
        case _:
            return node


def _takes_no_items(name: str, node: ast.AST, last: int) -> bool:
    """Whether an expression at a point before the line ``last`` uses only items of items and copies of the name."""
    match node:
        case ast.Subscript(value=ast.Subscript(value=ast.Name(id=read), slice=first), slice=second) if read == name:
            return all(_takes_no_items(name, part, last) for part in (first, second))
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=read)]) if read == name:
            return True
        case ast.Call(func=ast.Name(id="map"), args=[ast.Name(id="tuple" | "list" | "sum" | "len"), ast.Name(id=read)]):
            return True
        case ast.Call(func=ast.Name(id=called), args=args) if called in _READERS:
            return all(_takes_no_items(name, _index_of(name, arg), last) for arg in args)
        case ast.Call(func=ast.Attribute(value=ast.Subscript() as held), args=args):
            return all(_takes_no_items(name, part, last) for part in (_index_of(name, held), *args))
        case ast.Compare(left=left, comparators=others):
            return all(_takes_no_items(name, _index_of(name, side), last) for side in (left, *others))
        case ast.comprehension() | ast.For():
            parts = (part for part in ast.iter_child_nodes(node) if part is not node.iter)
            return all(_takes_no_items(name, part, last) for part in (_index_of(name, node.iter), *parts))
        case ast.GeneratorExp(elt=element) | ast.ListComp(elt=element) if _is_copy(element) or is_new(element):
            return True
        case ast.Subscript(value=ast.Name(id=read), ctx=ast.Store()) if read == name:
            return _takes_no_items(name, node.slice, last)
        case ast.Name(id=read, ctx=ast.Load()) if read == name:
            return node.lineno > last
    return all(_takes_no_items(name, part, last) for part in ast.iter_child_nodes(node))
