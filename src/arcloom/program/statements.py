"""Python's statements as terms of the language.

An ``if`` whose sides assign names is a choice between tuples of their values. A ``for`` is a fold: a function of the
names that its body changes and of an element, applied to one element after the other.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence

from arcloom.program.called import Calls
from arcloom.program.lower import FUNCTION_DEPTH, Build, number
from arcloom.program.mutation import unshared
from arcloom.program.refusal import printable, refused
from arcloom.program.scope import Binding, Deferred, Scope, Undefined
from arcloom.program.term import Term

_METHODS = {"append": ("+", "(,)"), "add": ("|", "{,}"), "extend": ("+", "tuple"), "update": ("|", "frozenset")}
"""Methods that change a container: the operator that makes the changed one, and what it is joined with."""


class Statements(Calls):
    """Lowers statements, too."""

    present: Sequence[ast.stmt] = ()
    """The body of the present function."""

    _unshared: tuple[Sequence[ast.stmt], frozenset[str]] = (), frozenset()

    def block(self, statements: Sequence[ast.stmt], scope: Scope, owner: ast.FunctionDef) -> Term:
        """The value that statements return."""
        for k, statement in enumerate(statements):
            if isinstance(statement, ast.Return):
                if statement.value is None:
                    raise self.error(_no_return(owner), statement)
                return self.term(statement.value, scope)
            if isinstance(statement, ast.If) and any(_returned([statement])):
                return self._returning(statement, statements[k + 1 :], scope, owner)
            self.statement(statement, scope)
        raise self.error(_no_return(owner), statements[-1] if statements else owner)

    def _returning(self, node: ast.If, rest: Sequence[ast.stmt], scope: Scope, owner: ast.FunctionDef) -> Term:
        """An ``if`` with a ``return`` in it: what follows it belongs to the sides that do not return."""
        condition = self.condition(node.test, scope)
        yes: Build = lambda inner: self.block([*node.body, *rest], inner, owner)  # noqa: E731
        return self.choose(node, scope, condition, yes, lambda inner: self.block([*node.orelse, *rest], inner, owner))

    def body(self, written: Deferred, scope: Scope) -> Term:
        """The result of a function's body."""
        if isinstance(written.node, ast.FunctionDef):
            return self.function_body(written.node, scope)
        return super().body(written, scope)

    def function_body(self, node: ast.FunctionDef, scope: Scope) -> Term:
        """The value that a definition returns."""
        outside, self.present = self.present, node.body
        try:
            return self.block(node.body, scope, node)
        finally:
            self.present = outside

    def can_change(self, name: str) -> bool:
        """Whether methods may change the list or set of a name in the present function."""
        if self._unshared[0] is not self.present:
            self._unshared = self.present, unshared(self.present)
        return name in self._unshared[1]

    def statement(self, node: ast.stmt, scope: Scope) -> Term | None:
        """Do what a statement does to the names of a scope; the value that it assigns, if it does."""
        if type(node) is ast.Assign and type(node.value) is ast.Call:  # written out, because most lines are like this
            target = node.targets[0]
            if type(target) is ast.Name and len(node.targets) == 1:
                return self._assign_call(target, node.value, scope)
        match node:
            case ast.Assign(targets=targets, value=value):
                return self._assign(targets, value, scope)
            case ast.AnnAssign(target=target, value=value):
                return None if value is None else self._assign([target], value, scope)
            case ast.AugAssign(target=ast.Name() as target, op=op, value=value):
                read = ast.copy_location(ast.Name(target.id, ast.Load()), target)
                return self._assign([target], ast.copy_location(ast.BinOp(read, op, value), node), scope)
            case ast.AugAssign(target=target, value=value):
                self.bind(target, self.term(value, scope), scope)
            case ast.If():
                self._if(node, scope)
            case ast.For():
                self._for(node, scope)
            case ast.FunctionDef():
                self._define(node, scope)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name()), args=[_], keywords=[]) as call):
                self._change(call, scope)
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                pass
            case _:
                raise self.error(refused(node), node)
        return None

    def _assign_call(self, target: ast.Name, value: ast.Call, scope: Scope) -> Term:
        self.check_name(target.id, target)
        scope.names[target.id] = term = self._call(value, scope)
        return term

    def _assign(self, targets: list[ast.expr], value: ast.expr, scope: Scope) -> Term:
        if isinstance(value, ast.Lambda) and isinstance(targets[0], ast.Name):
            written = self.deferred(targets[0].id, value, scope)
            for target in targets:
                self._name(target, written, scope)
            return self.value_of(written, value, scope)
        if len(targets) == 1 and self._assigned_in_parallel(targets[0], value, scope):
            return self._state([target.id for target in targets[0].elts], value, scope)  # type: ignore[attr-defined]
        term = self.term(value, scope)
        for target in targets:
            self.bind(target, term, scope)
        return term

    def _name(self, target: ast.expr, binding: Binding, scope: Scope) -> None:
        if not isinstance(target, ast.Name):
            raise self.error("a function can be given to plain names only", target)
        self.check_name(target.id, target)
        scope.names[target.id] = binding

    def _assigned_in_parallel(self, target: ast.expr, value: ast.expr, scope: Scope) -> bool:
        """Assign as many values as there are names, without a tuple of them in between."""
        match target, value:
            case ast.Tuple(elts=names), ast.Tuple(elts=values) if len(names) == len(values):
                if all(isinstance(name, ast.Name) for name in names) and not _starred(values):
                    for name, term in zip(names, [self.term(part, scope) for part in values], strict=True):
                        self.bind(name, term, scope)
                    return True
        return False

    def _define(self, node: ast.FunctionDef, scope: Scope) -> None:
        self.check_name(node.name, node)
        if node.decorator_list:
            raise self.error("a decorator cannot be used in a program: call the function where it is used", node)
        scope.names[node.name] = self.deferred(node.name, node, scope)

    def _change(self, call: ast.Call, scope: Scope) -> None:
        """A method that changes a list or set: the name gets a new value.

        That is the same only if no other name has the value, which must therefore be known to be new.
        """
        method = call.func
        assert isinstance(method, ast.Attribute) and isinstance(method.value, ast.Name)
        name = method.value.id
        if method.attr not in _METHODS or not self.can_change(name):
            advice = "make a new value instead, for example with + or |"
            raise self.error(f"the method {printable(method.attr)} cannot be used in a program: {advice}", call)
        operator, kind = _METHODS[method.attr]
        old = self.named(name, call, scope)
        added = self.operation(kind, call, self.term(call.args[0], scope))
        scope.names[name] = self.operation(operator, call, old, added)

    # Conditions and loops

    def _if(self, node: ast.If, scope: Scope) -> None:
        condition = self.condition(node.test, scope)
        self.deeper(node, FUNCTION_DEPTH)
        yes = Scope(scope, scope.function)
        no = Scope(scope, scope.function, sibling=yes)
        for side, statements in ((yes, node.body), (no, node.orelse)):
            for statement in statements:
                self.statement(statement, side)
        names = list(dict.fromkeys(assigned([*node.body, *node.orelse])))
        merged = [name for name in names if self._has_value(name, yes) and self._has_value(name, no)]
        if merged:
            sides = [self._state(merged, node, side) for side in (yes, no)]
            self._set_state(merged, node, self.chosen(node, condition, (yes, no), *sides), scope)
        for name in names:
            if name not in merged:
                scope.names[name] = Undefined(self.before + node.lineno)
        self.depth -= FUNCTION_DEPTH

    def _for(self, node: ast.For, scope: Scope) -> None:
        returned = next(_returned(node.body), None)
        if returned is not None:
            raise self.error("return cannot be used in a loop: use extract or assign a name", returned)
        if node.orelse:
            raise self.error("else cannot be used with a loop: write it after the loop", node.orelse[0])
        node = ast.copy_location(ast.For(node.target, node.iter, _without_continue(node.body), []), node)
        values = self.term(node.iter, scope)
        names = list(dict.fromkeys((*_targets(node.target), *assigned(node.body))))
        carried = [name for name in names if self._has_value(name, scope)]
        self.deeper(node, FUNCTION_DEPTH)
        turn = self._turn(node, carried, scope)
        if carried:
            start = self._state(carried, node, scope)
            self._set_state(carried, node, self.operation("fold", node, turn, values, start), scope)
        self.depth -= FUNCTION_DEPTH
        for name in names:
            if name not in carried:
                scope.names[name] = Undefined(self.before + node.lineno)

    def _turn(self, node: ast.For, carried: list[str], scope: Scope) -> Term:
        """The function that gives the state after an element for the state before."""
        inner = Scope(scope, scope.function)
        state, element = inner.parameter("state"), inner.parameter("element")
        self._set_state(carried, node, state, inner)
        self.bind(node.target, element, inner)
        for statement in node.body:
            self.statement(statement, inner)
        return self.function("loop", node, inner, (state, element), self._state(carried, node, inner))

    def _has_value(self, name: str, scope: Scope) -> bool:
        found = scope.find(name)
        return found is not None and not isinstance(found, Undefined)

    def _state(self, names: list[str], node: ast.stmt | ast.expr, scope: Scope) -> Term:
        """The values of names: one by itself, several as a tuple."""
        values = [self.named(name, node, scope) for name in names]
        return values[0] if len(values) == 1 else self.tuple_of(values, node)

    def _set_state(self, names: list[str], node: ast.stmt, state: Term, scope: Scope) -> None:
        """Give names the values of a state."""
        several = len(names) > 1
        for k, name in enumerate(names):
            scope.names[name] = self.operation("[]", node, state, number(k)) if several else state


def _no_return(owner: ast.FunctionDef) -> str:
    return f"{printable(owner.name)} must end with 'return' and a value"


def _returned(statements: Iterable[ast.stmt]) -> Iterator[ast.Return]:
    """The ``return`` statements among these and inside of them."""
    for statement in statements:
        if isinstance(statement, ast.Return):
            yield statement
        elif isinstance(statement, ast.If | ast.For):
            yield from _returned((*statement.body, *statement.orelse))


def _without_continue(statements: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The body of a loop: what follows an ``if`` that may continue belongs to the sides that do not."""
    for k, statement in enumerate(statements):
        if isinstance(statement, ast.Continue):
            return list(statements[:k])
        if isinstance(statement, ast.If) and _continues(statement):
            sides = (_without_continue([*side, *statements[k + 1 :]]) for side in (statement.body, statement.orelse))
            return [*statements[:k], ast.copy_location(ast.If(statement.test, *sides), statement)]
    return list(statements)


def _continues(node: ast.If) -> bool:
    return any(
        isinstance(part, ast.Continue) or (isinstance(part, ast.If) and _continues(part))
        for part in (*node.body, *node.orelse)
    )


def _starred(nodes: Iterable[ast.expr]) -> bool:
    return any(isinstance(node, ast.Starred) for node in nodes)


def assigned(statements: Iterable[ast.stmt]) -> Iterator[str]:
    """The names that statements assign, in their order."""
    for statement in statements:
        match statement:
            case ast.Assign(targets=targets):
                for target in targets:
                    yield from _targets(target)
            case ast.AnnAssign(target=target, value=ast.expr()) | ast.AugAssign(target=target):
                yield from _targets(target)
            case ast.FunctionDef(name=name):
                yield name
            case ast.If(body=body, orelse=orelse):
                yield from assigned([*body, *orelse])
            case ast.For(target=target, body=body):
                yield from _targets(target)
                yield from assigned(body)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
                yield name


def _targets(target: ast.expr) -> Iterator[str]:
    match target:
        case ast.Name(id=name):
            yield name
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _targets(part)
        case ast.Starred(value=part):
            yield from _targets(part)
