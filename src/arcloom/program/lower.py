"""Lowering Python's expressions to terms.

A comprehension is ``apply``, ``sfilter`` and ``mapply`` with a function. A conditional is ``branch`` between two
functions that are then called, so that only one side is evaluated. Operators and built-in functions are those of
``arcloom.dsl.python``.
"""

import ast
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from arcloom.dsl import CONSTANTS, PRIMITIVES, SPELLINGS
from arcloom.dsl.annotations import BOOL
from arcloom.dsl.python import BUILTINS, MAX_ARGUMENTS, NAMES
from arcloom.dsl.values import INT_LIMIT
from arcloom.program.refusal import ParseError, not_defined, printable, refused
from arcloom.program.scope import (
    Binding,
    Deferred,
    Root,
    Scope,
    Undefined,
    closed,
    enclosed,
    inputs_of,
    literal_of,
)
from arcloom.program.term import Call, Function, Input, Lambda, Literal, Term

MAX_CALLS = 50_000
"""Maximum number of calls in a program, including those in its functions."""

MAX_DEPTH = 150
"""Maximum depth of nested expressions. A function inside an expression counts several times."""

MAX_NESTING = 30
"""Maximum depth of functions inside functions, including functions that are called by name."""

MAX_LITERAL = 20_000
"""Maximum number of characters of a constant."""

MAX_CONSTANTS = 200_000
"""Maximum number of characters of named constants in a program, counted at every use of a name."""

FUNCTION_DEPTH = 5
"""Number of levels of nested expressions that a function inside an expression counts as."""

CONSTANTS_ALLOWED = f"constants are whole numbers up to {INT_LIMIT:,}, True, False, None and tuples of them"
NO_STRINGS = "a string cannot be used in a program: use a whole number for each case, such as 0, 1 and 2"
TOO_DEEP = f"expressions are nested too deeply (at most {MAX_DEPTH} levels)"

Node = ast.expr | ast.stmt | ast.keyword
Build = Callable[[Scope], Term]

_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.BitOr: "|",
    ast.BitAnd: "&",
    ast.BitXor: "^",
}
_COMPARED: dict[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_UNARY: dict[type[ast.unaryop], str] = {ast.USub: "-x", ast.UAdd: "+x", ast.Not: "not"}
_TRUTHS = frozenset({"<", "<=", ">", ">=", "not", "bool", "any", "all", "any of", "all of"})

FALSE, TRUE, NOTHING = Literal(False, "False"), Literal(True, "True"), Literal(None, "None")


@lru_cache(4096)
def lookup(name: str) -> Literal | Function | None:
    """The meaning of a name of the language: a constant, a primitive or one of Python's functions."""
    if name in CONSTANTS:
        return Literal(CONSTANTS[name], name)
    target = SPELLINGS.get(name, name)
    known = PRIMITIVES.get(target) or NAMES.get(name)
    return None if known is None else Function(known, name)


@lru_cache(None)
def builtin(name: str) -> Function:
    """One of Python's operators or functions."""
    return Function(BUILTINS[name], name)


@lru_cache(None)
def primitive(name: str) -> Function:
    """A primitive by its own name."""
    return Function(PRIMITIVES[name], name)


def is_truth(term: Term) -> bool:
    """Whether a term is known to be a bool."""
    if isinstance(term, Literal):
        return isinstance(term.value, bool)
    if not isinstance(term, Call) or not isinstance(term.function, Function):
        return False
    called = term.function.primitive
    return called.name in _TRUTHS or called.result_type == BOOL


class Expressions:
    """Lowers expressions. ``error`` creates the error for a message and a node. ``before`` is the number of lines
    before the piece of text that is being lowered."""

    def __init__(self, error: Callable[[str, Node], ParseError]) -> None:
        self.error = error
        self.before = 0
        self.calls = 0
        self.characters = 0
        self.depth = 0

    # Common helpers

    def term(self, node: ast.expr, scope: Scope) -> Term:
        """The term of an expression."""
        if type(node) is ast.Name:
            return self.named(node.id, node, scope)
        handler = HANDLERS.get(type(node))
        if handler is None:
            raise self.error(refused(node), node)
        return handler(self, node, scope)

    def deeper(self, node: Node, levels: int = 1) -> None:
        """Add levels to the depth of nesting. The caller subtracts them when it leaves."""
        self.depth += levels
        if self.depth > MAX_DEPTH:
            raise self.error(TOO_DEEP, node)

    def call(self, function: Term, args: Sequence[Term], node: ast.AST) -> Call:
        """A call in the line of a node."""
        self.calls += 1
        if self.calls > MAX_CALLS:
            raise self.error(f"more than {MAX_CALLS:,} calls", node)  # type: ignore[arg-type]
        return Call(function, tuple(args), self.before + node.lineno)  # type: ignore[attr-defined]

    def operation(self, name: str, node: ast.AST, *args: Term) -> Call:
        """A call of one of Python's operators or functions."""
        return self.call(builtin(name), args, node)

    def check_name(self, name: str, node: Node) -> None:
        """Raise ParseError for names that are special in Python."""
        if name.startswith("__"):
            raise self.error(f"the name {printable(name)} is not allowed", node)

    def named(self, name: str, node: Node, scope: Scope) -> Term:
        """The value of a name."""
        found = scope.find(name) or self.elsewhere(name)
        if found is not None:
            return self.meaning(found, node, scope)
        self.check_name(name, node)
        return lookup(name) or self.free(name, node, scope)

    def meaning(self, found: Binding, node: Node, scope: Scope) -> Term:
        """The value of a binding."""
        if isinstance(found, Deferred):
            return self.value_of(found, node, scope)
        if isinstance(found, Undefined):
            raise self.error(f"this may be undefined here: line {found.line} assigns it only on some paths", node)
        if isinstance(found, Literal):
            self.characters += len(found.text)
            if self.characters > MAX_CONSTANTS:
                raise self.error(f"the constants have more than {MAX_CONSTANTS:,} characters", node)
        return found

    def elsewhere(self, name: str) -> Deferred | None:
        """A function with this name that is defined elsewhere in the text."""
        return None

    def free(self, name: str, node: Node, scope: Scope) -> Term:
        """A name that is not bound: an input, if the program has no definition. Otherwise raises ParseError."""
        root = scope
        while root.parent is not None and not isinstance(root, Root):
            root = root.parent
        if not isinstance(root, Root) or not root.free:
            raise self.error(not_defined(name, _names(scope)), node)
        root.add_input(name)
        found = scope.find(name)
        assert isinstance(found, Input)
        return found

    # Functions

    def function(self, name: str, node: Node, inner: Scope, params: Sequence[Input], output: Term) -> Term:
        """The function whose body an inner scope belongs to, as a value in the scope around it."""
        made, captured = enclosed(name, inner, tuple(params), output)
        self.check_nesting(made, node)
        return self.call(made, captured, node) if captured else made

    def check_nesting(self, function: Term, node: Node) -> None:
        """Raise ParseError if functions are nested too deeply. Each of them may have been lowered separately."""
        if isinstance(function, Lambda) and function.body.nesting >= MAX_NESTING:
            raise self.error(f"functions are nested too deeply (at most {MAX_NESTING} levels)", node)

    def mapped(self, target: ast.expr, build: Build, scope: Scope) -> Term:
        """The function that binds its argument to a target and returns the term that ``build`` makes in that scope."""
        self.deeper(target, FUNCTION_DEPTH)
        inner = Scope(scope)
        param = inner.parameter(target.id if isinstance(target, ast.Name) else "each")
        self.bind(target, param, inner)
        output = build(inner)
        self.depth -= FUNCTION_DEPTH
        return self.function("each", target, inner, (param,), output)

    def choose(self, node: Node, scope: Scope, condition: Term, yes: Build, no: Build) -> Term:
        """A conditional: only the chosen term is evaluated."""
        self.deeper(node, FUNCTION_DEPTH)
        first = Scope(scope, scope.function)
        second = Scope(scope, scope.function, sibling=first)
        chosen = self.chosen(node, condition, (first, second), yes(first), no(second))
        self.depth -= FUNCTION_DEPTH
        return chosen

    def chosen(self, node: Node, condition: Term, sides: tuple[Scope, Scope], yes: Term, no: Term) -> Term:
        """As ``choose``, for terms that exist already in the scopes of the two sides."""
        outer = {inner: term for term, inner in sides[0].captured.items()}
        if not isinstance(yes, Call) and not isinstance(no, Call):
            return self.operation("if", node, condition, *(outer.get(side, side) for side in (yes, no)))  # type: ignore[arg-type]
        used = [part for part in inputs_of(yes, no) if part in outer]
        options = [closed("side", used, side) for side in (yes, no)]
        for option in options:
            self.check_nesting(option, node)
        choice = self.call(primitive("branch"), (condition, *options), node)
        return self.call(choice, [outer[part] for part in used], node)

    def condition(self, node: ast.expr, scope: Scope) -> Term:
        """An expression as a bool. The operands of ``and``, ``or`` and ``not`` become bools, too."""
        match node:
            case ast.BoolOp(op=op, values=values):
                return self.truth(self._conditions(node, values, isinstance(op, ast.And), scope), node)
            case ast.UnaryOp(op=ast.Not(), operand=ast.BoolOp() as operand):
                every = isinstance(operand.op, ast.And)
                return self.operation("not", node, self._conditions(operand, operand.values, every, scope))
        return self.truth(self.term(node, scope), node)

    def _conditions(self, node: ast.expr, values: list[ast.expr], every: bool, scope: Scope) -> Term:
        first = self.condition(values[0], scope)
        if len(values) == 1:
            return first
        decided: Build = lambda _: FALSE if every else TRUE  # noqa: E731
        rest: Build = lambda inner: self._conditions(node, values[1:], every, inner)  # noqa: E731
        return self.choose(node, scope, first, *((rest, decided) if every else (decided, rest)))

    def truth(self, term: Term, node: Node) -> Term:
        """A term as a bool."""
        return term if is_truth(term) else self.operation("bool", node, term)

    def value_of(self, written: Deferred, node: Node, scope: Scope) -> Term:
        """A named function as a value, with its default arguments bound."""
        return self.resolved(written, node, scope, bound=bool(written.defaults))

    def resolved(self, written: Deferred, node: Node, scope: Scope, *, bound: bool) -> Term:
        """A named function at the position of its use. With ``bound``, parameters with defaults are captured."""
        home = scope.home_of(written.origin.function)
        assert home is not None
        known = written.known.get(bound)
        if known is None or known[0] is not home or not known[1].unchanged(home):
            if written.active:
                raise self.error(f"{printable(written.name)} calls itself: use power or a for loop", node)
            known = written.known[bound] = (home, *self._lowered(written, node, home, bound))
        scope.has_seen(known[1].seen, home)
        return scope.import_from(home, known[2])

    def _lowered(self, written: Deferred, node: Node, home: Scope, bound: bool) -> tuple[Scope, Term]:
        inner = Scope(home)
        params = []
        for arg in written.node.args.args:
            if bound and arg.arg in written.defaults:
                default = home.import_from(written.origin, written.defaults[arg.arg])
                inner.names[arg.arg] = inner.admit_term(default, arg.arg)
            else:
                params.append(inner.parameter(arg.arg))
                inner.names[arg.arg] = params[-1]
        self.deeper(node, FUNCTION_DEPTH)
        before, self.before, written.active = self.before, written.before, True
        try:
            output = self.body(written, inner)
        finally:
            self.before, written.active = before, False
        self.depth -= FUNCTION_DEPTH
        return inner, self.function(written.name, node, inner, params, output)

    def body(self, written: Deferred, scope: Scope) -> Term:
        """The result of a function's body."""
        assert isinstance(written.node, ast.Lambda)
        return self.term(written.node.body, scope)

    def deferred(self, name: str, node: ast.FunctionDef | ast.Lambda, scope: Scope) -> Deferred:
        """A function definition, which is lowered when it is used."""
        spec, at = node.args, node
        if spec.posonlyargs or spec.kwonlyargs or spec.vararg or spec.kwarg:
            raise self.error("a function has plain parameters only, such as (a, b) or (a, b=1)", at)
        names = [arg.arg for arg in spec.args]
        for param in names:
            self.check_name(param, at)
        if len(set(names)) < len(names):
            raise self.error("two parameters have the same name", at)
        values = [self.term(value, scope) for value in spec.defaults]
        defaults = dict(zip(names[len(names) - len(values) :], values, strict=True))
        return Deferred(name, node, scope, self.before, defaults)

    # Binding names

    def bind(self, target: ast.expr, value: Term, scope: Scope) -> None:
        """Bind the names of a target to a value or to its parts."""
        match target:
            case ast.Name(id=name):
                self.check_name(name, target)
                scope.names[name] = value
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                for part, position in zip(targets, self._positions(target, targets, value), strict=True):
                    self.bind(part.value if isinstance(part, ast.Starred) else part, position, scope)
            case _:
                advice = "make a new value, for example with fill, paint or a comprehension"
                raise self.error(f"a part of a value cannot be assigned: {advice}", target)

    def _positions(self, node: ast.expr, targets: list[ast.expr], value: Term) -> list[Term]:
        """The parts of a value, one for each target."""
        starred = [k for k, target in enumerate(targets) if isinstance(target, ast.Starred)]
        if not starred:
            parts = self.operation("unpacked", node, value, number(len(targets)))
            return [self.operation("[]", node, parts, number(k)) for k in range(len(targets))]
        count = len(targets) - 1
        if starred not in ([0], [count]):
            raise self.error("a starred name must be the first or the last one: use slices", node)
        return self._starred(node, self.operation("tuple", node, value), count, last=starred == [count])

    def _starred(self, node: ast.expr, values: Term, count: int, *, last: bool) -> list[Term]:
        """The parts of a tuple, one for each target. The starred target, first or last, gets the remaining elements."""
        ends = (NOTHING, number(count)) if last else (number(-count), NOTHING)
        edge = self.operation("[:]", node, values, *ends, NOTHING)
        checked = self.operation("unpacked", node, edge, number(count))
        singles: list[Term] = [self.operation("[]", node, checked, number(k)) for k in range(count)]
        limits = ends[::-1]
        rest = self.operation("[:]", node, values, *limits, NOTHING)
        enough = self.operation("[:]", node, checked, NOTHING, number(0), NOTHING)
        whole = self.operation("+", node, enough, rest)
        return [*singles, whole] if last else [whole, *singles]

    # Expressions

    def _constant(self, node: ast.Constant, scope: Scope) -> Term:
        value = node.value
        if value is None or isinstance(value, bool):
            return {None: NOTHING, True: TRUE, False: FALSE}[value]
        if type(value) is int and value <= INT_LIMIT:
            return Literal(value, str(value))
        raise self.error(NO_STRINGS if isinstance(value, str | bytes) else CONSTANTS_ALLOWED, node)

    def _unary(self, node: ast.UnaryOp, scope: Scope) -> Term:
        match node:
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=value)) if type(value) is int:
                if value > INT_LIMIT:
                    raise self.error(CONSTANTS_ALLOWED, node)
                return Literal(-value, f"-{value}")
        if type(node.op) not in _UNARY:
            raise self.error(refused(node.op), node)
        self.deeper(node)
        operand = self.term(node.operand, scope)
        self.depth -= 1
        return self.operation(_UNARY[type(node.op)], node, operand)

    def _binary(self, node: ast.BinOp, scope: Scope) -> Term:
        if type(node.op) not in _BINARY:
            raise self.error(refused(node.op), node)
        self.deeper(node)
        left, right = self.term(node.left, scope), self.term(node.right, scope)
        self.depth -= 1
        return self.operation(_BINARY[type(node.op)], node, left, right)

    def _boolean(self, node: ast.BoolOp, scope: Scope) -> Term:
        return self._junction(node, node.values, isinstance(node.op, ast.And), scope)

    def _junction(self, node: ast.expr, values: list[ast.expr], every: bool, scope: Scope) -> Term:
        """The operands of ``and`` or ``or``, with short-circuit evaluation."""
        first = self.term(values[0], scope)
        if len(values) == 1:
            return first
        known = is_truth(first)
        decided: Build = lambda inner: (FALSE if every else TRUE) if known else inner.admit_term(first)  # noqa: E731
        rest: Build = lambda inner: self._junction(node, values[1:], every, inner)  # noqa: E731
        sides = (rest, decided) if every else (decided, rest)
        return self.choose(node, scope, self.truth(first, node), *sides)

    def _comparison(self, node: ast.Compare, scope: Scope) -> Term:
        self.deeper(node)
        result = self._compared(node, self.term(node.left, scope), node.ops, node.comparators, scope)
        self.depth -= 1
        return result

    def _compared(
        self, node: ast.Compare, left: Term, ops: list[ast.cmpop], others: list[ast.expr], scope: Scope
    ) -> Term:
        right = self.term(others[0], scope)
        test = self._test(node, ops[0], left, right)
        if len(ops) == 1:
            return test
        rest: Build = lambda inner: self._compared(node, inner.admit_term(right), ops[1:], others[1:], inner)  # noqa: E731
        return self.choose(node, scope, test, rest, lambda _: FALSE)

    def _test(self, node: ast.Compare, op: ast.cmpop, left: Term, right: Term) -> Term:
        symbol = _COMPARED.get(type(op))
        if symbol is not None:
            return self.operation(symbol, node, left, right)
        if isinstance(op, ast.Is | ast.IsNot) and not (isinstance(right, Literal) and right in (NOTHING, TRUE, FALSE)):
            raise self.error(refused(op), node)
        inside = isinstance(op, ast.In | ast.NotIn)
        test = self.call(primitive("contained" if inside else "equality"), (left, right), node)
        negated = isinstance(op, ast.NotEq | ast.NotIn | ast.IsNot)
        return self.call(primitive("flip"), (test,), node) if negated else test

    def _conditional(self, node: ast.IfExp, scope: Scope) -> Term:
        condition = self.condition(node.test, scope)
        yes: Build = lambda inner: self.term(node.body, inner)  # noqa: E731
        return self.choose(node, scope, condition, yes, lambda inner: self.term(node.orelse, inner))

    def _subscript(self, node: ast.Subscript, scope: Scope) -> Term:
        self.deeper(node)
        values = self.term(node.value, scope)
        if isinstance(node.slice, ast.Slice):
            limits = (node.slice.lower, node.slice.upper, node.slice.step)
            found = [NOTHING if limit is None else self.term(limit, scope) for limit in limits]
            result = self.operation("[:]", node, values, *found)
        else:
            result = self.operation("[]", node, values, self.term(node.slice, scope))
        self.depth -= 1
        return result

    def _display(self, node: ast.Tuple | ast.List | ast.Set, scope: Scope) -> Term:
        self.deeper(node)
        starred = any(isinstance(part, ast.Starred) for part in node.elts)
        result = self._joined(node, scope) if starred else self._tuple(node, node.elts, scope)
        self.depth -= 1
        return result

    def _tuple(self, node: ast.expr, elements: list[ast.expr], scope: Scope) -> Term:
        parts = [self.term(part, scope) for part in elements]
        if len(parts) > MAX_ARGUMENTS and not all(isinstance(part, Literal) for part in parts):
            raise self.error(f"more than {MAX_ARGUMENTS:,} values in brackets", node)
        if isinstance(node, ast.Set):
            return self.operation("{,}", node, *parts)
        return self.tuple_of(parts, node)

    def tuple_of(self, parts: list[Term], node: Node) -> Term:
        """A tuple of terms; a constant if all of them are constants."""
        return literal_of(parts, MAX_LITERAL) or self.operation("(,)", node, *parts)

    def _joined(self, node: ast.Tuple | ast.List | ast.Set, scope: Scope) -> Term:
        """A display with starred parts: the concatenation of tuples."""
        result: Term | None = None
        for part in node.elts:
            is_starred = isinstance(part, ast.Starred)
            value = self.term(part.value if isinstance(part, ast.Starred) else part, scope)
            piece = self.operation("tuple" if is_starred else "(,)", node, value)
            result = piece if result is None else self.operation("+", node, result, piece)
        assert result is not None
        return self.operation("frozenset", node, result) if isinstance(node, ast.Set) else result

    def _lambda(self, node: ast.Lambda, scope: Scope) -> Term:
        return self.value_of(self.deferred("function", node, scope), node, scope)


def number(value: int | None) -> Literal:
    return NOTHING if value is None else Literal(value, str(value))


def _names(scope: Scope | None) -> list[str]:
    """All names that are bound in a scope and around it, innermost first."""
    names: list[str] = []
    while scope is not None:
        names += scope.names
        scope = scope.parent
    return names


Handler = Callable[[Any, Any, Scope], Term]

HANDLERS: dict[type[ast.expr], Handler] = {
    ast.Constant: Expressions._constant,
    ast.UnaryOp: Expressions._unary,
    ast.BinOp: Expressions._binary,
    ast.BoolOp: Expressions._boolean,
    ast.Compare: Expressions._comparison,
    ast.IfExp: Expressions._conditional,
    ast.Subscript: Expressions._subscript,
    ast.Tuple: Expressions._display,
    ast.List: Expressions._display,
    ast.Set: Expressions._display,
    ast.Lambda: Expressions._lambda,
}
"""The methods that lower expressions, by type of the node."""
