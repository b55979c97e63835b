"""Lowering Python's statements to terms.

An ``if`` whose sides assign names is a choice between tuples of their values. A ``for`` is a fold: its function takes
the values of the names that the body assigns, and an element, and returns the new values.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence

from arcloom.program.aliases import with_one_name
from arcloom.program.called import Calls
from arcloom.program.desugar import Desugar
from arcloom.program.lower import FALSE, FUNCTION_DEPTH, TRUE, Build, number
from arcloom.program.refusal import printable, refused
from arcloom.program.scope import Binding, Deferred, Scope, Undefined
from arcloom.program.stopping import breaks, flags_of, guarded_body, reachable, returns, stops
from arcloom.program.term import Term


class Statements(Calls):
    """Lowers expressions and statements."""

    dictionaries: frozenset[str] = frozenset()
    """The names of dictionaries that are assigned outside of definitions."""

    def _simple(self, node: ast.FunctionDef) -> list[ast.stmt]:
        """The statements of a function, rewritten to simpler syntax by ``Desugar``."""
        known = getattr(node, "dictionaries", self.dictionaries)
        body = with_one_name(node.body)
        return Desugar(body, known, self.error, [arg.arg for arg in node.args.args]).block(body)

    def block(self, statements: Sequence[ast.stmt], scope: Scope, owner: ast.FunctionDef) -> Term:
        """The value that a block of statements returns."""
        for k, statement in enumerate(statements):
            if isinstance(statement, ast.Return):
                if statement.value is None:
                    raise self.error(_no_return(owner), statement)
                return self.term(statement.value, scope)
            if isinstance(statement, ast.If) and returns([statement]):
                return self._returning(statement, statements[k + 1 :], scope, owner)
            if isinstance(statement, ast.For) and returns(statement.body):
                rest: Build = lambda inner: self.block(statements[k + 1 :], inner, owner)  # noqa: B023, E731
                return self._after_loop(statement, rest, scope)
            self.statement(statement, scope)
        raise self.error(_no_return(owner), statements[-1] if statements else owner)

    def _returning(self, node: ast.If, rest: Sequence[ast.stmt], scope: Scope, owner: ast.FunctionDef) -> Term:
        """An ``if`` that contains a ``return``: the statements after it are moved to the sides that do not return."""
        condition = self.condition(node.test, scope)
        yes: Build = lambda inner: self.block([*node.body, *rest], inner, owner)  # noqa: E731
        return self.choose(node, scope, condition, yes, lambda inner: self.block([*node.orelse, *rest], inner, owner))

    def _after_loop(self, node: ast.For, rest: Build | None, scope: Scope) -> Term:
        """The value of a function with a loop that may return. ``rest`` builds the value otherwise; None if the loop
        always returns."""
        values = self._for(node, scope)
        if rest is None:
            return self._returned_by(node, values, scope)
        flag = self.truth(self.named(flags_of(node).returned, node, scope), node)
        yes: Build = lambda inner: self._returned_by(node, inner.admit_term(values), inner)  # noqa: E731
        return self.choose(node, scope, flag, yes, rest)

    def _returned_by(self, node: ast.For, values: Term, scope: Scope) -> Term:
        """The value that a loop returns: its body is evaluated again for the element at which it returned."""
        position = self.named(flags_of(node).position, node, scope)
        element = self.operation("[]", node, self.operation("tuple", node, values), position)
        self.bind(node.target, element, scope)
        return self._returned(node.body, scope)

    def _returned(self, statements: Sequence[ast.stmt], scope: Scope) -> Term:
        """The value that the statements of a loop's body return, for an element at which they do."""
        for k, statement in enumerate(statements):
            rest = statements[k + 1 :]
            match statement:
                case ast.Return(value=value):
                    if value is None:
                        raise self.error("return must have a value", statement)
                    return self.term(value, scope)
                case ast.If(body=body, orelse=orelse) if returns([statement]) or stops([statement]):
                    options = [[*side, *rest] for side in (body, orelse)]
                    possible = [option for option in options if returns(reachable(option))]
                    if len(possible) == 1:
                        return self._returned(possible[0], scope)
                    yes, no = (lambda inner, option=option: self._returned(option, inner) for option in options)
                    return self.choose(statement, scope, self.condition(statement.test, scope), yes, no)
                case ast.For() if returns(statement.body):
                    following: Build | None = (lambda inner: self._returned(rest, inner)) if returns(rest) else None  # noqa: B023
                    return self._after_loop(statement, following, scope)
            self.statement(statement, scope)
        raise self.error("return must have a value", statements[-1])

    def body(self, written: Deferred, scope: Scope) -> Term:
        """The result of a function's body."""
        if isinstance(written.node, ast.FunctionDef):
            return self.function_body(written.node, scope)
        return super().body(written, scope)

    def function_body(self, node: ast.FunctionDef, scope: Scope) -> Term:
        """The value that a definition returns."""
        if not hasattr(node, "simple"):
            node.simple = self._simple(node)  # type: ignore[attr-defined]
        return self.block(node.simple, scope, node)  # type: ignore[attr-defined]

    def statement(self, node: ast.stmt, scope: Scope) -> Term | None:
        """Execute a statement on the bindings of a scope, and return the value that it assigns, if any."""
        if type(node) is ast.Assign and type(node.value) is ast.Call:  # a fast path for most lines
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
            raise self.error("a function can be assigned to plain names only", target)
        self.check_name(target.id, target)
        scope.names[target.id] = binding

    def _assigned_in_parallel(self, target: ast.expr, value: ast.expr, scope: Scope) -> bool:
        """Assign values to the same number of names, without building a tuple; returns whether this was possible."""
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

    def _for(self, node: ast.For, scope: Scope) -> Term:
        """Execute a loop on the bindings of a scope, and return the container that it iterates over."""
        values = self.term(node.iter, scope)
        flags, body = flags_of(node), guarded_body(node, self.error)
        if breaks(node.body) or returns(node.body):
            scope.names |= {flags.stopped: FALSE, flags.returned: FALSE, flags.position: number(0)}
        names = list(dict.fromkeys((*_targets(node.target), *assigned(body))))
        carried = [name for name in names if self._has_value(name, scope)]
        self.deeper(node, FUNCTION_DEPTH)
        turn = self._turn(node, body, carried, scope)
        if carried:
            start = self._state(carried, node, scope)
            self._set_state(carried, node, self.operation("fold", node, turn, values, start), scope)
        self.depth -= FUNCTION_DEPTH
        for name in names:
            if name not in carried:
                scope.names[name] = Undefined(self.before + node.lineno)
        return values

    def _turn(self, node: ast.For, body: list[ast.stmt], carried: list[str], scope: Scope) -> Term:
        """The function from the state before an element, and the element, to the state after it."""
        inner, flags = Scope(scope, scope.function), flags_of(node)
        state, element = inner.parameter("state"), inner.parameter("element")
        self._set_state(carried, node, state, inner)
        before = dict(inner.names)
        inner.names[flags.element] = element
        for statement in body:
            self.statement(statement, inner)
        after: Term = self._state(carried, node, inner)
        if returns(node.body):
            after = self._unless_returned(node, carried, before, after, inner)
        return self.function("loop", node, inner, (state, element), after)

    def _unless_returned(
        self, node: ast.For, carried: list[str], before: dict[str, Binding], after: Term, scope: Scope
    ) -> Term:
        """The state after an element; the state before it if the loop returns there, because the body is then evaluated
        again."""
        flags = flags_of(node)
        stopped: dict[str, Binding] = before | {flags.stopped: TRUE, flags.returned: TRUE}
        unchanged = self.tuple_of([self.meaning(stopped[name], node, scope) for name in carried], node)
        has_returned = self.truth(self.named(flags.returned, node, scope), node)
        return self.operation("if", node, has_returned, unchanged, after)

    def _has_value(self, name: str, scope: Scope) -> bool:
        found = scope.find(name)
        return found is not None and not isinstance(found, Undefined)

    def _state(self, names: list[str], node: ast.stmt | ast.expr, scope: Scope) -> Term:
        """The values of names: a single value, or a tuple of several."""
        values = [self.named(name, node, scope) for name in names]
        return values[0] if len(values) == 1 else self.tuple_of(values, node)

    def _set_state(self, names: list[str], node: ast.stmt, state: Term, scope: Scope) -> None:
        """Bind names to the values of a state."""
        several = len(names) > 1
        for k, name in enumerate(names):
            scope.names[name] = self.operation("[]", node, state, number(k)) if several else state


def _no_return(owner: ast.FunctionDef) -> str:
    return f"{printable(owner.name)} must end with 'return' and a value"


def _starred(nodes: Iterable[ast.expr]) -> bool:
    return any(isinstance(node, ast.Starred) for node in nodes)


def assigned(statements: Iterable[ast.stmt]) -> Iterator[str]:
    """The names that statements assign, in order."""
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


def _targets(target: ast.expr) -> Iterator[str]:
    match target:
        case ast.Name(id=name):
            yield name
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _targets(part)
        case ast.Starred(value=part):
            yield from _targets(part)
