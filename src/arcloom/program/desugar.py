"""Rewriting Python syntax to simpler syntax before it is lowered: assignments to items of lists, dictionaries, and
methods.

A dictionary becomes a tuple of pairs in the order in which keys were first inserted. A name is a dictionary if only
dictionaries are assigned to it; it can be used only in the ways that this module rewrites.
"""

import ast
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from itertools import count
from typing import Any

from arcloom.program import templates
from arcloom.program.dictionaries import (
    MAKERS,
    are_different,
    default_of,
    defaults_in,
    dictionaries_in,
    maker,
    makes_dictionary,
)
from arcloom.program.mutation import base_of, keeps_entries, unshared
from arcloom.program.refusal import ParseError, printable
from arcloom.program.stopping import breaks, flags_of, read
from arcloom.program.templates import Node, filled

_OF_KEYS = frozenset(
    {"len", "list", "tuple", "set", "frozenset", "sorted", "max", "min", "sum", "enumerate", "any", "all"}
)
"""Functions that can take a dictionary: they get its keys."""

ONLY = "a dictionary can be used with [], in, len, for, get, keys, values, items and setdefault(...).append only"


class Desugar(ast.NodeTransformer):
    """Rewrites the body of one function. ``error`` creates the error for a message and a node."""

    def __init__(
        self,
        body: Sequence[ast.stmt],
        known: frozenset[str],
        error: Callable[[str, Node], ParseError],
        parameters: Collection[str] = (),
    ) -> None:
        self.error = error
        self.unshared = unshared(body, parameters)
        self.dictionaries = dictionaries_in(body, known).difference(parameters)
        self._defaults = defaults_in(body) if self.dictionaries else {}
        self._kept = frozenset(name for name in self.dictionaries if keeps_entries(name, body))
        self._numbers = count()

    def block(self, statements: Iterable[ast.stmt]) -> list[ast.stmt]:
        """The rewritten statements."""
        return [
            simple
            for statement in statements
            for simple in ((statement,) if self._is_simple(statement) else self._statement(statement))
        ]

    def _is_simple(self, node: ast.stmt) -> bool:
        """Whether a statement only assigns a call of a name with names and constants as arguments."""
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
            case ast.Expr(value=ast.Call(func=ast.Name(id="print"))) | ast.Assert():  # no effect on the result
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
                yield self._assign(target, filled("X[A]", node, X=x, A=self.visit(where)), node)
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
        """The ``else`` of a loop as an ``if`` after it."""
        if not breaks(node.body) or not statements:
            yield from statements
            return
        stopped = read(flags_of(node).stopped, node)
        yield ast.copy_location(ast.If(stopped, [ast.copy_location(ast.Pass(), node)], statements), node)

    def _without_names(self, node: ast.expr) -> Generator[ast.stmt, None, ast.expr]:
        """The condition of an ``if`` without ``:=``. Such assignments become statements before the ``if``."""
        naming = _Naming()
        test = naming.visit(node)
        for assignment in naming.assignments:
            yield from self._statement(assignment)
        return test  # type: ignore[no-any-return]

    def _iterated(self, node: ast.expr) -> ast.expr:
        return filled(templates.KEYS, node, D=self._pairs(node)) if self._is_dictionary(node) else self.visit(node)

    def _assign(self, target: ast.expr, value: ast.expr, at: ast.stmt) -> ast.stmt:
        return ast.copy_location(ast.Assign([target], value), at)

    def _assign_parts(self, target: ast.expr, value: ast.expr, at: ast.stmt) -> Iterator[ast.stmt]:
        """Assign a value to a target that contains items such as ``a[i]``."""
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
        """The assignment to an item, as an assignment of the changed list or dictionary to its name."""
        base = base_of(target)
        if isinstance(target.slice, ast.Slice) or base is None:
            raise self.error("a part of a value cannot be assigned: assign a single item of a list", target)
        if base.id in self._kept and (isinstance(at, ast.Expr) or isinstance(target.value, ast.Subscript)):
            raise self.error(
                "another name may refer to this list: add to the dictionary with d[k] = d[k] + [v]", target
            )
        if not self._is_dictionary(base) and base.id not in self.unshared:
            name = printable(base.id)
            why = "it is not a list created in this function, or another name or loop refers to it or a part of it"
            advice = f"make it with [list(row) for row in ...] or list(...), and read items as {name}[i][j]"
            raise self.error(f"an item of {name} cannot be assigned, because {why}: {advice}", target)
        store = ast.copy_location(ast.Name(base.id, ast.Store()), base)
        return self._assign(store, self._changed(target, value, at), at)

    def _changed(self, target: ast.Subscript, value: ast.expr, at: ast.stmt) -> ast.expr:
        """The list or dictionary with one item replaced."""
        held, key = target.value, self.visit(target.slice)
        if self._is_dictionary(held):
            return filled(templates.ENTRY, at, D=held, K=key, V=value)
        read = self.visit(_loaded(held))
        changed = filled(templates.ITEM, at, X=read, K=key, V=value)
        return self._changed(held, changed, at) if isinstance(held, ast.Subscript) else changed

    def _change(self, node: ast.stmt, call: ast.Call, method: ast.Attribute) -> Iterator[ast.stmt]:
        """A call of a method that changes a list, set or dictionary, as an assignment of the changed value."""
        held = method.value
        match held:
            case ast.Call(func=ast.Attribute(value=ast.Name() as name, attr="setdefault"), args=[key, default]):
                if self._is_dictionary(name):
                    old = filled(templates.GET, node, D=name, K=self.visit(key), Z=self.visit(default))
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
                return filled("X[::-1]", call, X=value)
            case "sort", []:
                ordered = filled("sorted(X)", call, X=value)
                ordered.keywords = [self.visit(keyword) for keyword in call.keywords]  # type: ignore[attr-defined]
                return ordered
            case "insert", [k, item]:
                return filled("(lambda _x, _k, _v: _x[:_k] + [_v] + _x[_k:])(X, K, V)", call, X=value, K=k, V=item)
            case "pop", []:
                return filled(templates.POPPED, call, X=value, A=ast.Constant(-1))
            case name, [item] if name in templates.CHANGES and not call.keywords:
                return filled(templates.CHANGES[name], call, X=value, A=item)
        raise self._no_method(method)

    def _no_method(self, method: ast.Attribute) -> ParseError:
        advice = "make a new value instead, for example with + or |"
        return self.error(f"the method {printable(method.attr)} cannot be used in a program: {advice}", method)

    # Expressions

    def _is_dictionary(self, node: ast.AST) -> bool:
        return makes_dictionary(node) or (isinstance(node, ast.Name) and node.id in self.dictionaries)

    def _pairs(self, node: ast.expr) -> ast.expr:
        """A dictionary as a tuple of pairs."""
        match node:
            case ast.Dict(keys=keys, values=values):
                return self._written(node, keys, values)
            case ast.DictComp(key=key, value=value, generators=generators):
                pair = ast.copy_location(ast.Tuple([key, value], ast.Load()), node)
                pairs = self.visit(ast.copy_location(ast.ListComp(pair, generators), node))
                return filled(templates.DICTIONARY, node, P=pairs)
            case ast.Call(args=[]) | ast.Call(func=ast.Name(id="defaultdict"), args=[_]):
                return ast.copy_location(ast.List([], ast.Load()), node)
            case ast.Call(func=ast.Name(id="Counter"), args=[values], keywords=[]):
                given = filled("tuple(A)", node, A=self._iterated(values))
                return filled(f"{templates.COUNTED}(A)", node, A=given)
            case ast.Call(func=ast.Attribute(attr="fromkeys"), args=[keys, *value], keywords=[]) if len(value) < 2:
                parts = {"A": self._iterated(keys), "V": self.visit(value[0]) if value else ast.Constant(None)}
                return filled(templates.DICTIONARY, node, P=filled(templates.WITH_ONE_VALUE, node, **parts))
            case ast.Call(func=ast.Name(id="dict"), args=[pairs], keywords=[]):
                given = self._pairs(pairs) if self._is_dictionary(pairs) else self.visit(pairs)
                return filled(templates.DICTIONARY, node, P=given)
            case ast.Call():
                raise self.error(f"{maker(node)} cannot take these arguments: use a dictionary display {{k: v}}", node)
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
        return written if are_different(known) else filled(templates.DICTIONARY, node, P=written)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """A name that is used as a value: a dictionary is refused."""
        if self._is_dictionary(node) and isinstance(node.ctx, ast.Load):
            raise self.error(ONLY, node)
        return node

    def visit_Dict(self, node: ast.Dict) -> ast.expr:
        """A dictionary that is used without assigning it to a name: refused."""
        raise self.error(ONLY, node)

    def visit_DictComp(self, node: ast.DictComp) -> ast.expr:
        """A dictionary that is used without assigning it to a name: refused."""
        raise self.error(ONLY, node)

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        """A ``for`` of a comprehension: over a dictionary it iterates over the keys."""
        tests = [self.visit(test) for test in node.ifs]
        return ast.comprehension(node.target, self._iterated(node.iter), tests, node.is_async)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """An item. For a dictionary, a lookup."""
        if self._is_dictionary(node.value):
            return self._looked_up(node, node.value)
        return self.generic_visit(node)  # type: ignore[return-value]

    def _looked_up(self, node: ast.Subscript, held: ast.expr) -> ast.expr:
        pairs, key = self._pairs(held), self.visit(node.slice)
        default = self._defaults.get(held.id) if isinstance(held, ast.Name) else default_of(held)
        if default is None:
            return filled(templates.LOOKUP, node, D=pairs, K=key)
        return filled(templates.GET, node, D=pairs, K=key, Z=default)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """A comparison. For a dictionary, ``in`` tests the keys."""
        others = [
            self._iterated(other) if isinstance(op, ast.In | ast.NotIn) else self.visit(other)
            for op, other in zip(node.ops, node.comparators, strict=True)
        ]
        return ast.copy_location(ast.Compare(self.visit(node.left), node.ops, others), node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        """A unary operator. ``not`` can be used with a dictionary."""
        return ast.copy_location(ast.UnaryOp(node.op, self._tested(node.operand)), node)

    def _tested(self, node: ast.expr) -> ast.expr:
        """An expression whose truth value is tested, which may be a dictionary."""
        return self._pairs(node) if self._is_dictionary(node) else self.visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """The method ``get`` of a dictionary as a function. Other attributes are refused later."""
        if self._is_dictionary(node.value) and node.attr == "get":
            return filled(
                "lambda _j: " + templates.GET.replace("(K, Z)", "(_j, None)"), node, D=self._pairs(node.value)
            )
        if node.attr in ("count", "index"):
            template = templates.VALUE_METHODS[node.attr].replace("(X, A)", "(X, _j)")
            return filled(f"lambda _j: {template}", node, X=self.visit(node.value))
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """A call of a function or method."""
        match node:
            case ast.Call(func=ast.Attribute(value=held, attr=attr), args=args, keywords=[]):
                found = self._method(node, held, attr, args)
                if found is not None:
                    return found
            case ast.Call() if maker(node) in MAKERS:
                raise self.error(ONLY, node)
            case ast.Call(func=ast.Name(id="next"), args=[ast.Call(func=ast.Name(id="iter"), args=[values]), *rest]):
                first = filled("tuple(X)", node, X=self._iterated(values))
                template = "(X + (Z,))[0]" if rest else "X[0]"
                return filled(template, node, X=first, **({"Z": self.visit(rest[0])} if rest else {}))
            case ast.Call(func=ast.Name(id=name), args=[only], keywords=keywords) if name in _OF_KEYS:
                if self._is_dictionary(only):
                    options = [self.visit(keyword) for keyword in keywords]
                    return ast.copy_location(ast.Call(node.func, [self._iterated(only)], options), node)
        return self.generic_visit(node)  # type: ignore[return-value]

    def _method(self, node: ast.Call, held: ast.expr, attr: str, args: list[ast.expr]) -> ast.expr | None:
        """The value of a method that does not change its object; None if the method is not known."""
        if self._is_dictionary(held):
            return self._of_dictionary(node, self._pairs(held), attr, [self.visit(arg) for arg in args])
        if attr in templates.VALUE_METHODS and len(args) == 1:
            return filled(templates.VALUE_METHODS[attr], node, X=self.visit(held), A=self.visit(args[0]))
        if attr in templates.OF_SETS and args:
            return self._combined(node, held, attr, args)
        return self.visit(held) if attr == "copy" and not args else None

    def _combined(self, node: ast.Call, held: ast.expr, attr: str, args: list[ast.expr]) -> ast.expr:
        """A method that combines sets. ``set.union(*sets)`` is a method of the first set."""
        if isinstance(held, ast.Name) and held.id in ("set", "frozenset") and attr in ("union", "intersection"):
            first = args[0].value if isinstance(args[0], ast.Starred) else args[0]
            result = filled("tuple(A)[0]" if first is not args[0] else "A", node, A=self.visit(first))
        else:
            result = self.visit(held)
        for arg in args:
            given = self.visit(arg.value if isinstance(arg, ast.Starred) else arg)
            if isinstance(arg, ast.Starred) and attr == "intersection":
                result = filled(templates.IN_ALL, node, X=result, A=given)
                continue
            other = filled(templates.FLAT if isinstance(arg, ast.Starred) else "frozenset(A)", node, A=given)
            result = filled(templates.OF_SETS[attr], node, X=result, A=other)
        return result

    def _of_dictionary(self, node: ast.Call, held: ast.expr, attr: str, args: list[ast.expr]) -> ast.expr:
        match attr, args:
            case "keys", []:
                return filled(templates.KEYS, node, D=held)
            case "values", []:
                return filled(templates.VALUES, node, D=held)
            case "items", []:
                return filled(templates.ITEMS, node, D=held)
            case "most_common", [] | [_]:
                ranked = filled(templates.MOST_COMMON, node, D=held)
                return filled("A[:B]", node, A=ranked, B=args[0]) if args else ranked
            case "get", [key, *rest] if len(rest) < 2:
                return filled(templates.GET, node, D=held, K=key, Z=rest[0] if rest else ast.Constant(None))
        raise self.error(ONLY, node)


class _Naming(ast.NodeTransformer):
    """Extracts the assignments (``:=``) of an expression that are executed whenever it is evaluated."""

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


def _loaded(node: ast.expr) -> ast.expr:
    """An assignment target as an expression that reads it."""
    if isinstance(node, ast.Subscript):
        return ast.copy_location(ast.Subscript(_loaded(node.value), node.slice, ast.Load()), node)
    return ast.copy_location(ast.Name(node.id, ast.Load()), node) if isinstance(node, ast.Name) else node


def _has_items(target: ast.expr) -> bool:
    """Whether a target contains an item such as ``a[i]``."""
    match target:
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return any(map(_has_items, parts))
        case _:
            return isinstance(target, ast.Subscript)
