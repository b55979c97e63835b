"""Text to programs. The text is read with ``ast`` against a whitelist and is never executed."""

import ast
import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arcloom.dsl import CONSTANTS, PRIMITIVES, SPELLINGS
from arcloom.dsl.values import INT_LIMIT
from arcloom.program.term import Call, Function, Input, Literal, Program, Term

MODULES = frozenset({"dsl", "constants", "arc_types", "arcloom", "arcloom.dsl"})
"""``from ... import *`` of these is what solver files begin with; it says nothing that we do not know."""

MAX_LINE = 100_000
MAX_CALLS = 100_000
BARE_NAME = "program"


class ParseError(ValueError):
    """Text that is not a program: where, what, and what was expected."""

    def __init__(self, message: str, *, file: str, line: int, column: int, text: str) -> None:
        shown = text.strip()
        shown = shown if len(shown) <= 80 else f"{shown[:77]}..."
        super().__init__(f"{file}:{line}:{column}: {message}" + (f": {shown}" if shown else ""))
        self.file, self.line, self.column, self.text, self.message = file, line, column, text, message


def parse(text: str, *, file: str = "<text>") -> list[Program]:
    """All programs in a text: ``def`` blocks, or bare lines whose free names are the inputs.

    Raises ParseError with file, line, column and the offending text.
    """
    return list(_Parser(text, file).programs())


def parse_one(text: str, *, file: str = "<text>") -> Program:
    """The only program in a text."""
    programs = parse(text, file=file)
    if len(programs) != 1:
        raise ParseError(
            f"one program was expected, and there are {len(programs)}", file=file, line=1, column=1, text=""
        )
    return programs[0]


def parse_file(path: str | Path) -> list[Program]:
    """All programs in a file."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        line = Path(path).read_bytes()[: error.start].count(b"\n") + 1
        message = f"not UTF-8 text (byte {error.start})"
        raise ParseError(message, file=str(path), line=line, column=1, text="") from None
    return parse(text, file=str(path))


@dataclass
class _Scope:
    """What names mean at one point of a function."""

    names: dict[str, Term]
    free_inputs: bool
    inputs: list[str]


class _Parser:
    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self.lines = text.split("\n")
        self.calls = 0
        self.tree = self._syntax_tree(text)

    def _syntax_tree(self, text: str) -> ast.Module:
        for number, line in enumerate(self.lines, 1):
            if len(line) > MAX_LINE:
                raise self._error_at(f"a line of {len(line):,} characters (at most {MAX_LINE:,})", number, 1)
            if "\0" in line:
                raise self._error_at("a NUL character", number, line.index("\0") + 1)
        try:
            return ast.parse(text)
        except SyntaxError as error:
            message = error.msg.split(" (")[0]
            raise self._error_at(f"not a program ({message})", error.lineno or 1, error.offset or 1) from None
        except (RecursionError, MemoryError):
            raise self._error_at("calls are nested too deeply", 1, 1) from None
        except ValueError as error:
            raise self._error_at(f"not a program ({error})", 1, 1) from None

    def _error_at(self, message: str, line: int, column: int) -> ParseError:
        text = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        return ParseError(message, file=self.file, line=line, column=column, text=text)

    def _error(self, message: str, node: ast.AST) -> ParseError:
        return self._error_at(message, getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1)

    def programs(self) -> Iterator[Program]:
        bare: list[ast.stmt] = []
        seen: dict[str, int] = {}
        for statement in self.tree.body:
            if isinstance(statement, ast.FunctionDef):
                if statement.name in seen:
                    first = seen[statement.name]
                    raise self._error(f"{statement.name} is defined twice, first in line {first}", statement)
                seen[statement.name] = statement.lineno
                yield self._guarded(self._definition, statement)
            elif not _is_docstring(statement) and not self._is_known_import(statement):
                bare.append(statement)
        if bare and seen:
            raise self._error("only definitions can stand here, or only bare lines", bare[0])
        if bare:
            yield self._guarded(self._bare_program, bare)

    def _guarded(self, read: Any, source: Any) -> Program:
        try:
            program: Program = read(source)
        except RecursionError:
            node = source[0] if isinstance(source, list) else source
            raise self._error("calls are nested too deeply", node) from None
        return program

    def _is_known_import(self, statement: ast.stmt) -> bool:
        match statement:
            case ast.ImportFrom(module=module, names=[ast.alias(name="*")], level=0) if module in MODULES:
                return True
            case ast.Import() | ast.ImportFrom():
                raise self._error("programs cannot import anything", statement)
            case _:
                return False

    def _definition(self, definition: ast.FunctionDef) -> Program:
        inputs = self._parameters(definition)
        scope = _Scope({name: Input(name) for name in inputs}, False, inputs)
        *body, last = [s for s in definition.body if not _is_docstring(s)] or [definition]
        if not isinstance(last, ast.Return) or last.value is None:
            raise self._error(f"{definition.name} must end with 'return' and a value", last)
        for statement in body:
            self._assignment(statement, scope)
        return Program(definition.name, tuple(inputs), self._term(last.value, scope))

    def _parameters(self, definition: ast.FunctionDef) -> list[str]:
        spec = definition.args
        unusual = spec.posonlyargs or spec.kwonlyargs or spec.vararg or spec.kwarg or spec.defaults
        if unusual or definition.decorator_list or getattr(definition, "type_params", None):
            raise self._error("a program is 'def name(I):' or 'def name(S, I, C):', nothing more", definition)
        names = [parameter.arg for parameter in spec.args]
        for name in names:
            self._check_name(name, definition)
        return names

    def _check_name(self, name: str, node: ast.AST) -> None:
        if name.startswith("__"):
            raise self._error(f"the name {name} is not allowed", node)

    def _bare_program(self, statements: list[ast.stmt]) -> Program:
        scope = _Scope({}, True, [])
        for statement in statements:
            self._assignment(statement, scope)
        match statements[-1]:
            case ast.Assign(targets=[ast.Name(id=last)]):
                return Program(BARE_NAME, tuple(scope.inputs), scope.names[last])
        raise AssertionError("assignments only")

    def _assignment(self, statement: ast.stmt, scope: _Scope) -> None:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._check_name(name, statement)
                scope.names[name] = self._term(value, scope)
            case _:
                raise self._error("only lines of the form 'name = function(...)' can stand here", statement)

    def _term(self, node: ast.expr, scope: _Scope) -> Term:
        match node:
            case ast.Name(id=name):
                return self._named(name, node, scope)
            case ast.Call(func=function, args=args, keywords=keywords):
                return self._call(node, function, args, keywords, scope)
            case ast.Constant() | ast.UnaryOp() | ast.Tuple():
                return Literal(self._constant(node), ast.unparse(node))
            case _:
                raise self._error(f"{_kind(node)} cannot be used in a program", node)

    def _call(
        self, node: ast.Call, function: ast.expr, args: list[ast.expr], keywords: list[ast.keyword], scope: _Scope
    ) -> Call:
        self.calls += 1
        if self.calls > MAX_CALLS:
            raise self._error(f"more than {MAX_CALLS:,} calls", node)
        called = self._term(function, scope)
        if isinstance(called, Literal):
            raise self._error("a constant cannot be called", node)
        given = [self._term(arg, scope) for arg in args]
        named = {keyword.arg or "**": self._term(keyword.value, scope) for keyword in keywords}
        if isinstance(called, Function):
            given = self._arranged(node, called, given, named)
        elif named:
            raise self._error("only a primitive takes keyword arguments", node)
        return Call(called, tuple(given), node.lineno)

    def _arranged(self, node: ast.Call, called: Function, given: list[Term], named: dict[str, Term]) -> list[Term]:
        """The arguments in the order in which the primitive declares them."""
        params = called.primitive.params
        for name in named:
            if name not in params[len(given) :]:
                raise self._error(f"{called.text} takes no argument named {name}, or takes it twice", node)
        missing = [name for name in params[len(given) :] if name not in named]
        if missing or len(given) + len(named) != len(params):
            takes = f"{called.text} takes {len(params)} arguments ({', '.join(params)})"
            raise self._error(f"{takes}, and {len(given) + len(named)} are given", node)
        return [*given, *(named[name] for name in params[len(given) :])]

    def _named(self, name: str, node: ast.expr, scope: _Scope) -> Term:
        self._check_name(name, node)
        if name in scope.names:
            return scope.names[name]
        known = lookup(name)
        if known is not None:
            return known
        if not scope.free_inputs:
            raise self._error(f"{name} is not defined{suggestion(name, scope.names)}", node)
        scope.inputs.append(name)
        return scope.names.setdefault(name, Input(name))

    def _constant(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=bool() as value):
                return value
            case ast.Constant(value=int() as value) if abs(value) <= INT_LIMIT:
                return value
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)) if value <= INT_LIMIT:
                return -value
            case ast.Tuple(elts=parts) if parts:
                return tuple(map(self._constant, parts))
            case ast.Name(id=name) if name in CONSTANTS:
                return CONSTANTS[name]
        allowed = f"constants are whole numbers up to {INT_LIMIT:,}, True, False and tuples of them"
        raise self._error(allowed, node)


def lookup(name: str) -> Literal | Function | None:
    """What a name of the language means: a constant or a primitive."""
    if name in CONSTANTS:
        return Literal(CONSTANTS[name], name)
    target = SPELLINGS.get(name, name)
    return Function(PRIMITIVES[target], name) if target in PRIMITIVES else None


def suggestion(name: str, names: Iterable[str] = ()) -> str:
    """A hint at names like this one, or nothing."""
    close = difflib.get_close_matches(name, [*names, *CONSTANTS, *PRIMITIVES, *SPELLINGS], n=3)
    return f" (did you mean {' or '.join(close)}?)" if close else ""


def _is_docstring(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
        case _:
            return False


_KINDS = {
    ast.Attribute: "attribute access",
    ast.Lambda: "a lambda",
    ast.ListComp: "a comprehension",
    ast.SetComp: "a comprehension",
    ast.DictComp: "a comprehension",
    ast.GeneratorExp: "a comprehension",
    ast.Subscript: "indexing",
    ast.BinOp: "an operator",
    ast.BoolOp: "an operator",
    ast.Compare: "a comparison",
    ast.Starred: "unpacking",
    ast.IfExp: "a conditional",
}


def _kind(node: ast.expr) -> str:
    return _KINDS.get(type(node), f"{type(node).__name__.lower()} syntax")
