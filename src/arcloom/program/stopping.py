"""Loops that end early: ``break``, ``continue`` and ``return`` become assignments to flags.

A loop becomes a fold over all elements. Once the flag is set, the remaining elements have no effect.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from arcloom.program.refusal import ParseError

MAX_STATEMENTS = 10_000
"""Maximum number of statements of a loop's body after rewriting, which copies statements after an ``if`` to its
sides."""


class Flags(NamedTuple):
    """The names of the flags of a loop: whether it has stopped, whether it has returned, the position of the element at
    which it returned, and the element. They are not valid names in a program."""

    stopped: str
    returned: str
    position: str
    element: str


def flags_of(node: ast.For) -> Flags:
    """The names of the flags of a loop, made unique by its position in the text."""
    place = f"{node.lineno}:{node.col_offset}"
    return Flags(*(f" {name} {place}" for name in Flags._fields))


def returned(statements: Iterable[ast.stmt]) -> Iterator[ast.Return]:
    """The ``return`` statements in these statements, including nested ones."""
    for statement in statements:
        if isinstance(statement, ast.Return):
            yield statement
        elif isinstance(statement, ast.If | ast.For):
            yield from returned((*statement.body, *statement.orelse))


def returns(statements: Iterable[ast.stmt]) -> bool:
    """Whether statements contain a ``return``."""
    return any(True for _ in returned(statements))


def stops(statements: Iterable[ast.stmt], kinds: tuple[type[ast.stmt], ...] = (ast.Break, ast.Continue)) -> bool:
    """Whether statements of a loop's body contain a ``break`` or ``continue`` of this loop."""
    return any(
        isinstance(statement, kinds)
        or (isinstance(statement, ast.If) and stops((*statement.body, *statement.orelse), kinds))
        for statement in statements
    )


def breaks(body: Iterable[ast.stmt]) -> bool:
    """Whether a loop with this body can end early by ``break`` or ``return``."""
    return stops(body, (ast.Break,))


def reachable(statements: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
    """The statements up to a ``break`` or ``continue``."""
    ends = [k for k, statement in enumerate(statements) if isinstance(statement, ast.Break | ast.Continue)]
    return statements[: ends[0]] if ends else statements


def assignment(name: str, value: ast.expr, at: ast.stmt) -> ast.Assign:
    """A statement that assigns a value to a name."""
    target = ast.copy_location(ast.Name(name, ast.Store()), at)
    return ast.copy_location(ast.Assign([target], value), at)


def read(name: str, at: ast.stmt) -> ast.expr:
    """A name as an expression."""
    return ast.copy_location(ast.Name(name, ast.Load()), at)


def guarded_body(node: ast.For, error: Callable[[str, ast.stmt], ParseError]) -> list[ast.stmt]:
    """The body of a loop without ``break``, ``continue`` and ``return``."""
    flags, rewriting = flags_of(node), _Rewriting(node, error)
    body = rewriting.block(node.body)
    if not breaks(node.body) and not returns(node.body):
        return [ast.copy_location(ast.Assign([node.target], read(flags.element, node)), node), *body]
    one = ast.copy_location(ast.Constant(1), node)
    following = ast.copy_location(ast.BinOp(read(flags.position, node), ast.Add(), one), node)
    counted = [assignment(flags.position, following, node)] if returns(node.body) else []
    taken = ast.copy_location(ast.Assign([node.target], read(flags.element, node)), node)
    passed: list[ast.stmt] = [ast.copy_location(ast.Pass(), node)]
    return [ast.copy_location(ast.If(read(flags.stopped, node), passed, [*counted, taken, *body]), node)]


class _Rewriting:
    """Rewrites the body of one loop."""

    def __init__(self, node: ast.For, error: Callable[[str, ast.stmt], ParseError]) -> None:
        self.node, self.error = node, error
        self.flags = flags_of(node)
        self.count = 0

    def block(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Rewrite statements of the body. Statements after an ``if`` that may stop are moved to the sides that do not
        stop."""
        for k, statement in enumerate(statements):
            self._count(statement)
            before, rest = list(statements[:k]), statements[k + 1 :]
            match statement:
                case ast.Continue():
                    return before
                case ast.Break():
                    return [*before, self._set(self.flags.stopped, statement)]
                case ast.Return():
                    return [*before, *self._returned(statement)]
                case ast.If(test=test, body=body, orelse=orelse) if stops([statement]) or returns([statement]):
                    sides = (self.block([*side, *rest]) for side in (body, orelse))
                    return [*before, ast.copy_location(ast.If(test, *sides), statement)]
                case ast.For() if returns([statement]):
                    inner = read(flags_of(statement).returned, statement)
                    choice = ast.copy_location(ast.If(inner, self._returned(statement), self.block(rest)), statement)
                    return [*before, statement, choice]
        return list(statements)

    def _count(self, statement: ast.stmt) -> None:
        self.count += 1
        if self.count > MAX_STATEMENTS:
            raise self.error(
                "there are too many paths through this loop: use fewer break, continue or return", statement
            )

    def _set(self, name: str, at: ast.stmt) -> ast.stmt:
        return assignment(name, ast.copy_location(ast.Constant(True), at), at)

    def _returned(self, at: ast.stmt) -> list[ast.stmt]:
        return [self._set(name, at) for name in (self.flags.returned, self.flags.stopped)]
