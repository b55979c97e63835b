"""Python syntax that is written with simpler syntax before it is lowered: assignments to items of lists, dictionaries,
and methods.

A dictionary is a tuple of pairs in the order in which its keys were first given. A name stands for one if everything
that is assigned to it is one; such a name can be used only in ways that are known here.
"""

import ast
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from copy import deepcopy
from functools import lru_cache
from itertools import count
from typing import Any

from arcloom.program.mutation import base_of, keeps_entries, statements_in, unshared
from arcloom.program.refusal import ParseError, printable
from arcloom.program.stopping import breaks, flags_of, read

Node = ast.expr | ast.stmt | ast.keyword

_LOOKUP = "(lambda _k: [_w for _q, _w in D if _q == _k][0])(K)"
_GET = "(lambda _k, _z: ([_w for _q, _w in D if _q == _k] + [_z])[0])(K, Z)"
_KEYS, _VALUES, _ITEMS = "[_q for _q, _w in D]", "[_w for _q, _w in D]", "tuple(D)"
_ENTRY = (
    "(lambda _d, _k, _v: [(_q, _v if _q == _k else _w) for _q, _w in _d]"
    " + ([] if _k in [_q for _q, _w in _d] else [(_k, _v)]))(D, K, V)"
)
_DICTIONARY = (
    "(lambda _p: [(_q, [_w for _r, _w in _p if _r == _q][-1]) for _n, (_q, _v) in enumerate(_p)"
    " if _q not in [_r for _r, _w in _p[:_n]]])(tuple(P))"
)
_ITEM = "(lambda _x, _p, _v: [_v if _n == _p else _e for _n, _e in enumerate(_x)])(X, range(len(X))[K], V)"
_COUNT = "(lambda _x, _v: len([_e for _e in _x if _e == _v]))(X, A)"
_INDEX = "(lambda _x, _v: [_n for _n, _e in enumerate(_x) if _e == _v][0])(X, A)"
_FLAT = "frozenset([_e for _s in A for _e in _s])"
_POPPED = "(lambda _x, _p: _x[:_p] + _x[_p + 1:])(X, range(len(X))[A])"

_OF_SETS = {"union": "X | A", "intersection": "X & A", "difference": "X - A", "symmetric_difference": "X ^ A"}
_VALUE_METHODS = {
    "count": _COUNT,
    "index": _INDEX,
    "issubset": "X <= frozenset(A)",
    "issuperset": "X >= frozenset(A)",
    "isdisjoint": "not X & frozenset(A)",
}
_CHANGES = {
    "append": "X + [A]",
    "add": "X | {A}",
    "discard": "X - {A}",
    "extend": "X + tuple(A)",
    "update": "X | frozenset(A)",
    "remove": f"(lambda _x, _p: _x[:_p] + _x[_p + 1:])(X, {_INDEX})",
    "pop": _POPPED,
}
"""Methods of one argument that change a list or set: the changed one."""

_OF_KEYS = frozenset(
    {"len", "list", "tuple", "set", "frozenset", "sorted", "max", "min", "sum", "enumerate", "any", "all"}
)
"""Functions that can be given a dictionary, of which they see the keys."""

ONLY = "a dictionary can be used with [], in, len, for, get, keys, values, items and setdefault(...).append only"


class Desugar(ast.NodeTransformer):
    """Rewrites the body of one function. ``error`` makes the error at a node."""

    def __init__(
        self,
        body: Sequence[ast.stmt],
        known: frozenset[str],
        error: Callable[[str, Node], ParseError],
        parameters: Collection[str] = (),
    ) -> None:
        self.error = error
        self.unshared = unshared(body, parameters)
        self.dictionaries = _dictionaries(body, known).difference(parameters)
        self._kept = frozenset(name for name in self.dictionaries if keeps_entries(name, body))
        self._numbers = count()

    def block(self, statements: Iterable[ast.stmt]) -> list[ast.stmt]:
        """Statements without what is rewritten here."""
        return [
            simple
            for statement in statements
            for simple in ((statement,) if self._is_simple(statement) else self._statement(statement))
        ]

    def _is_simple(self, node: ast.stmt) -> bool:
        """Whether a statement assigns a call with nothing but names and constants in it, as most do."""
        if self.dictionaries:
            return False
        match node:
            case ast.Assign(targets=[ast.Name()], value=ast.Call(func=ast.Name(id=name), args=args, keywords=[])):
                return name != "dict" and all(isinstance(arg, ast.Name | ast.Constant) for arg in args)
            case _:
                return False

    # Statements

    def _statement(self, node: ast.stmt) -> Iterator[ast.stmt]:
        match node:
            case ast.FunctionDef():
                node.dictionaries = self.dictionaries - {arg.arg for arg in node.args.args}  # type: ignore[attr-defined]
                yield node
            case ast.If(test=test, body=body, orelse=orelse):
                test = yield from self._without_names(test)
                yield ast.copy_location(ast.If(self._tested(test), self.block(body), self.block(orelse)), node)
            case ast.For(target=target, iter=iter, body=body, orelse=orelse):
                yield ast.copy_location(ast.For(target, self._iterated(iter), self.block(body), []), node)
                yield from self._otherwise(node, self.block(orelse))
            case ast.Expr(value=ast.Call(func=ast.Name(id="print"))) | ast.Assert():  # the result does not depend on it
                yield ast.copy_location(ast.Pass(), node)
            case ast.Expr(value=ast.Call(func=ast.Attribute() as method) as call):
                yield from self._change(node, call, method)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in self.dictionaries:
                yield ast.copy_location(ast.Assign(node.targets, self._pairs(value)), node)
            case ast.AnnAssign(target=ast.Name(id=name) as target, value=ast.expr() as value) if (
                name in self.dictionaries
            ):
                yield self._assign(target, self._pairs(value), node)
            case ast.Assign(
                targets=[target], value=ast.Call(func=ast.Attribute(value=ast.Name() as x, attr="pop")) as call
            ):
                where = call.args[0] if call.args else ast.Constant(-1)
                yield self._assign(target, self._made("X[A]", node, X=x, A=self.visit(where)), node)
                yield from self._change(node, call, call.func)  # type: ignore[arg-type]
            case ast.Assign(targets=targets, value=value) if any(map(_has_items, targets)):
                for target in targets:
                    yield from self._assign_parts(target, self.visit(value), node)
            case ast.AugAssign(target=ast.Subscript() as target, op=op, value=value):
                read = ast.copy_location(ast.Subscript(target.value, target.slice, ast.Load()), target)
                changed = ast.copy_location(ast.BinOp(read, op, value), node)
                yield from self._assign_parts(target, self.visit(changed), node)
            case _:
                yield self.generic_visit(node)  # type: ignore[misc]

    def _otherwise(self, node: ast.For, statements: list[ast.stmt]) -> Iterator[ast.stmt]:
        """The ``else`` of a loop: what follows if nothing stops it."""
        if not breaks(node.body) or not statements:
            yield from statements
            return
        stopped = read(flags_of(node).stopped, node)
        yield ast.copy_location(ast.If(stopped, [ast.copy_location(ast.Pass(), node)], statements), node)

    def _without_names(self, node: ast.expr) -> Generator[ast.stmt, None, ast.expr]:
        """The condition of an ``if`` without assignments inside of it, which become statements before it."""
        naming = _Naming()
        test = naming.visit(node)
        for assignment in naming.assignments:
            yield from self._statement(assignment)
        return test  # type: ignore[no-any-return]

    def _iterated(self, node: ast.expr) -> ast.expr:
        return self._made(_KEYS, node, D=self._pairs(node)) if self._is_dictionary(node) else self.visit(node)

    def _assign(self, target: ast.expr, value: ast.expr, at: ast.stmt) -> ast.stmt:
        return ast.copy_location(ast.Assign([target], value), at)

    def _assign_parts(self, target: ast.expr, value: ast.expr, at: ast.stmt) -> Iterator[ast.stmt]:
        """Assign a value to a target that has items in it."""
        match target:
            case ast.Tuple(elts=parts) | ast.List(elts=parts) if _has_items(target):
                names: list[ast.expr] = [ast.Name(f" part {next(self._numbers)}", ast.Store()) for _ in parts]
                for name in names:
                    ast.copy_location(name, target)
                yield self._assign(ast.copy_location(ast.Tuple(names, ast.Store()), target), value, at)
                for part, name in zip(parts, names, strict=True):
                    read = ast.copy_location(ast.Name(name.id, ast.Load()), target)  # type: ignore[attr-defined]
                    yield from self._assign_parts(part, read, at)
            case ast.Subscript():
                yield self._assign_item(target, value, at)
            case _:
                yield self._assign(target, value, at)

    def _assign_item(self, target: ast.Subscript, value: ast.expr, at: ast.stmt) -> ast.stmt:
        """Give the name of a list or dictionary the changed one."""
        base = base_of(target)
        if isinstance(target.slice, ast.Slice) or base is None:
            raise self.error("a part of a value cannot be assigned: assign a single item of a list", target)
        if base.id in self._kept and (isinstance(at, ast.Expr) or isinstance(target.value, ast.Subscript)):
            raise self.error(
                "this list may be held by another name: add to the dictionary with d[k] = d[k] + [v]", target
            )
        if not self._is_dictionary(base) and base.id not in self.unshared:
            name = printable(base.id)
            why = "it is no list that this function makes, or another name or loop holds it or a part of it"
            advice = f"make it with [list(row) for row in ...] or list(...), and read items as {name}[i][j]"
            raise self.error(f"an item of {name} cannot be assigned, because {why}: {advice}", target)
        store = ast.copy_location(ast.Name(base.id, ast.Store()), base)
        return self._assign(store, self._changed(target, value, at), at)

    def _changed(self, target: ast.Subscript, value: ast.expr, at: ast.stmt) -> ast.expr:
        """A list or dictionary with another item."""
        held, key = target.value, self.visit(target.slice)
        if self._is_dictionary(held):
            return self._made(_ENTRY, at, D=held, K=key, V=value)
        read = self.visit(_loaded(held))
        changed = self._made(_ITEM, at, X=read, K=key, V=value)
        return self._changed(held, changed, at) if isinstance(held, ast.Subscript) else changed

    def _change(self, node: ast.stmt, call: ast.Call, method: ast.Attribute) -> Iterator[ast.stmt]:
        """A method that changes a list, set or dictionary: the name gets a new value."""
        held = method.value
        match held:
            case ast.Call(func=ast.Attribute(value=ast.Name() as name, attr="setdefault"), args=[key, default]):
                if self._is_dictionary(name):
                    old = self._made(_GET, node, D=name, K=self.visit(key), Z=self.visit(default))
                    item = ast.copy_location(ast.Subscript(name, key, ast.Store()), node)
                    yield self._assign_item(item, self._changed_by(call, method, old), node)
                    return
            case ast.Subscript():
                yield self._assign_item(held, self._changed_by(call, method, self.visit(_loaded(held))), node)
                return
            case ast.Name(id=name) if name in self.unshared:
                store = ast.copy_location(ast.Name(name, ast.Store()), held)
                yield self._assign(store, self._changed_by(call, method, held), node)
                return
        raise self._no_method(method)

    def _changed_by(self, call: ast.Call, method: ast.Attribute, value: ast.expr) -> ast.expr:
        """The list or set after a call of a method that changes it."""
        args = [self.visit(arg) for arg in call.args]
        match method.attr, args:
            case "reverse", []:
                return self._made("X[::-1]", call, X=value)
            case "sort", []:
                ordered = self._made("sorted(X)", call, X=value)
                ordered.keywords = [self.visit(keyword) for keyword in call.keywords]  # type: ignore[attr-defined]
                return ordered
            case "insert", [k, item]:
                return self._made("(lambda _x, _k, _v: _x[:_k] + [_v] + _x[_k:])(X, K, V)", call, X=value, K=k, V=item)
            case "pop", []:
                return self._made(_POPPED, call, X=value, A=ast.Constant(-1))
            case name, [item] if name in _CHANGES and not call.keywords:
                return self._made(_CHANGES[name], call, X=value, A=item)
        raise self._no_method(method)

    def _no_method(self, method: ast.Attribute) -> ParseError:
        advice = "make a new value instead, for example with + or |"
        return self.error(f"the method {printable(method.attr)} cannot be used in a program: {advice}", method)

    # Expressions

    def _made(self, template: str, at: Node, **parts: ast.expr) -> ast.expr:
        """An expression that is written with names for its parts."""
        return _Filled(parts, at).visit(deepcopy(_parsed(template)))  # type: ignore[no-any-return]

    def _is_dictionary(self, node: ast.AST) -> bool:
        return _makes_dictionary(node) or (isinstance(node, ast.Name) and node.id in self.dictionaries)

    def _pairs(self, node: ast.expr) -> ast.expr:
        """A dictionary as a tuple of pairs."""
        match node:
            case ast.Dict(keys=keys, values=values):
                return self._written(node, keys, values)
            case ast.DictComp(key=key, value=value, generators=generators):
                pair = ast.copy_location(ast.Tuple([key, value], ast.Load()), node)
                pairs = self.visit(ast.copy_location(ast.ListComp(pair, generators), node))
                return self._made(_DICTIONARY, node, P=pairs)
            case ast.Call(args=[]):
                return ast.copy_location(ast.List([], ast.Load()), node)
            case ast.Call(args=[pairs], keywords=[]):
                given = self._pairs(pairs) if self._is_dictionary(pairs) else self.visit(pairs)
                return self._made(_DICTIONARY, node, P=given)
            case ast.Call():
                raise self.error("dict takes nothing or a container of pairs", node)
            case _:
                return node

    def _written(self, node: ast.Dict, keys: Sequence[ast.expr | None], values: list[ast.expr]) -> ast.expr:
        known = [key for key in keys if key is not None]
        if len(known) < len(keys):
            raise self.error("unpacking cannot be used in a dictionary: write its entries out", node)
        pairs: list[ast.expr] = [
            ast.copy_location(ast.Tuple([self.visit(key), self.visit(value)], ast.Load()), node)
            for key, value in zip(known, values, strict=True)
        ]
        written = ast.copy_location(ast.List(pairs, ast.Load()), node)
        return written if _are_different(known) else self._made(_DICTIONARY, node, P=written)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """A name by itself."""
        if self._is_dictionary(node) and isinstance(node.ctx, ast.Load):
            raise self.error(ONLY, node)
        return node

    def visit_Dict(self, node: ast.Dict) -> ast.expr:
        """A dictionary that has no name."""
        raise self.error(ONLY, node)

    def visit_DictComp(self, node: ast.DictComp) -> ast.expr:
        """A dictionary that has no name."""
        raise self.error(ONLY, node)

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        """A ``for`` of a comprehension."""
        tests = [self.visit(test) for test in node.ifs]
        return ast.comprehension(node.target, self._iterated(node.iter), tests, node.is_async)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """An item, perhaps of a dictionary."""
        if self._is_dictionary(node.value):
            return self._made(_LOOKUP, node, D=self._pairs(node.value), K=self.visit(node.slice))
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """A comparison: ``in`` looks at the keys of a dictionary."""
        others = [
            self._iterated(other) if isinstance(op, ast.In | ast.NotIn) else self.visit(other)
            for op, other in zip(node.ops, node.comparators, strict=True)
        ]
        return ast.copy_location(ast.Compare(self.visit(node.left), node.ops, others), node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        """An operator of one operand: ``not`` can be used with a dictionary."""
        return ast.copy_location(ast.UnaryOp(node.op, self._tested(node.operand)), node)

    def _tested(self, node: ast.expr) -> ast.expr:
        """An expression whose truth value is asked for, perhaps a dictionary."""
        return self._pairs(node) if self._is_dictionary(node) else self.visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """A method of a dictionary as a function."""
        if self._is_dictionary(node.value) and node.attr == "get":
            return self._made("lambda _j: " + _GET.replace("(K, Z)", "(_j, None)"), node, D=self._pairs(node.value))
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """A call, perhaps of a method."""
        match node:
            case ast.Call(func=ast.Attribute(value=held, attr=attr), args=args, keywords=[]):
                found = self._method(node, held, attr, args)
                if found is not None:
                    return found
            case ast.Call(func=ast.Name(id="dict")):
                raise self.error(ONLY, node)
            case ast.Call(func=ast.Name(id="next"), args=[ast.Call(func=ast.Name(id="iter"), args=[values]), *rest]):
                first = self._made("tuple(X)", node, X=self._iterated(values))
                template = "(X + (Z,))[0]" if rest else "X[0]"
                return self._made(template, node, X=first, **({"Z": self.visit(rest[0])} if rest else {}))
            case ast.Call(func=ast.Name(id=name), args=[only], keywords=keywords) if name in _OF_KEYS:
                if self._is_dictionary(only):
                    options = [self.visit(keyword) for keyword in keywords]
                    return ast.copy_location(ast.Call(node.func, [self._iterated(only)], options), node)
        return self.generic_visit(node)  # type: ignore[return-value]

    def _method(self, node: ast.Call, held: ast.expr, attr: str, args: list[ast.expr]) -> ast.expr | None:
        """The value of a method that changes nothing; None if the method is not known."""
        if self._is_dictionary(held):
            return self._of_dictionary(node, self._pairs(held), attr, [self.visit(arg) for arg in args])
        if attr in _VALUE_METHODS and len(args) == 1:
            return self._made(_VALUE_METHODS[attr], node, X=self.visit(held), A=self.visit(args[0]))
        if attr in _OF_SETS and args:
            result = self.visit(held)
            for arg in args:
                template = _FLAT if isinstance(arg, ast.Starred) else "frozenset(A)"
                other = self._made(template, node, A=self.visit(arg.value if isinstance(arg, ast.Starred) else arg))
                result = self._made(_OF_SETS[attr], node, X=result, A=other)
            return result  # type: ignore[no-any-return]
        return None

    def _of_dictionary(self, node: ast.Call, held: ast.expr, attr: str, args: list[ast.expr]) -> ast.expr:
        match attr, args:
            case "keys", []:
                return self._made(_KEYS, node, D=held)
            case "values", []:
                return self._made(_VALUES, node, D=held)
            case "items", []:
                return self._made(_ITEMS, node, D=held)
            case "get", [key, *rest] if len(rest) < 2:
                return self._made(_GET, node, D=held, K=key, Z=rest[0] if rest else ast.Constant(None))
        raise self.error(ONLY, node)


class _Naming(ast.NodeTransformer):
    """Takes those assignments out of an expression that are always done when it is evaluated."""

    def __init__(self) -> None:
        self.assignments: list[ast.stmt] = []

    def visit(self, node: ast.AST) -> Any:
        """A part of the expression."""
        match node:
            case ast.NamedExpr(target=target, value=value):
                self.assignments.append(ast.copy_location(ast.Assign([target], self.visit(value)), node))
                return ast.copy_location(ast.Name(target.id, ast.Load()), node)
            case ast.BoolOp(values=values):
                values[0] = self.visit(values[0])
                return node
            case ast.Call() | ast.BinOp() | ast.UnaryOp() | ast.Subscript() | ast.Tuple():
                return self.generic_visit(node)
            case ast.Compare(ops=[_]):
                return self.generic_visit(node)
        return node


class _Filled(ast.NodeTransformer):
    """Puts parts into an expression, all of which then stands in one place of the text. Its own names cannot be spelt
    in a program."""

    def __init__(self, parts: dict[str, ast.expr], at: Node) -> None:
        self.parts, self.at = parts, at

    def visit(self, node: ast.AST) -> Any:
        """A part of the expression."""
        if isinstance(node, ast.Name) and node.id in self.parts:
            part = self.parts[node.id]
            return part if hasattr(part, "lineno") else ast.copy_location(part, self.at)
        if isinstance(node, ast.expr | ast.arg):
            ast.copy_location(node, self.at)
        if isinstance(node, ast.Name) and node.id.startswith("_"):
            node.id = f" {node.id}"
        if isinstance(node, ast.arg):
            node.arg = f" {node.arg}"
        return self.generic_visit(node)


@lru_cache(None)
def _parsed(template: str) -> ast.expr:
    return ast.parse(template, mode="eval").body


def _loaded(node: ast.expr) -> ast.expr:
    """A target as an expression."""
    if isinstance(node, ast.Subscript):
        return ast.copy_location(ast.Subscript(_loaded(node.value), node.slice, ast.Load()), node)
    return ast.copy_location(ast.Name(node.id, ast.Load()), node) if isinstance(node, ast.Name) else node


def _has_items(target: ast.expr) -> bool:
    """Whether an item is among what is assigned."""
    match target:
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return any(map(_has_items, parts))
        case _:
            return isinstance(target, ast.Subscript)


def _are_different(keys: list[ast.expr]) -> bool:
    """Whether keys are known to be different."""
    values = [key.value for key in keys if isinstance(key, ast.Constant)]
    return len(values) == len(keys) == len(set(values))


def _dictionaries(body: Sequence[ast.stmt], known: frozenset[str]) -> frozenset[str]:
    """The names to which only dictionaries are assigned, and those from around the function that it does not assign."""
    made: dict[str, bool] = {}
    for statement in statements_in(body):
        for name, value in _assigned(statement):
            made[name] = made.get(name, True) and value is not None and _makes_dictionary(value)
    found = {name for name in {*known, *made} if made.get(name, True)}
    if found:  # which is seldom, and looking at all parts of a program takes time
        found -= {name for statement in body for part in ast.walk(statement) for name in _bound_inside(part)}
    return frozenset(found)


def _bound_inside(node: ast.AST) -> list[str]:
    """The names that a function or comprehension inside of an expression gives a meaning of its own."""
    match node:
        case ast.Lambda(args=arguments):
            return [arg.arg for arg in arguments.args]
        case ast.comprehension(target=target):
            return _stored(target)
        case _:
            return []


def _assigned(statement: ast.stmt) -> Iterator[tuple[str, ast.expr | None]]:
    """The names that a statement assigns, with the value if it is assigned as it is."""
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


def _makes_dictionary(value: ast.AST) -> bool:
    match value:
        case ast.Dict() | ast.DictComp() | ast.Call(func=ast.Name(id="dict")):
            return True
        case _:
            return False
