"""Text to programs. The text is read with ``ast`` against a whitelist and is never executed."""

import ast
import difflib
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise
from pathlib import Path
from typing import TypeGuard

from arcloom.dsl import CONSTANTS, PRIMITIVES, SPELLINGS
from arcloom.dsl.values import INT_LIMIT
from arcloom.program.term import Call, Function, Input, Literal, Program, Term

MODULES = frozenset({"dsl", "constants", "arc_types", "arcloom", "arcloom.dsl"})
"""``from ... import *`` of these is what solver files begin with; it says nothing that we do not know."""

MAX_LINE = 100_000
"""How many characters a line may have."""

MAX_PIECE = 1_000_000
"""How many characters one definition, or a program of bare lines, may have."""

MAX_CALLS = 50_000
"""How many calls a program may have."""

MAX_DEPTH = 150
"""How deeply calls may be nested in one another."""

BARE_NAME = "program"
_CONSTANTS_ALLOWED = f"constants are whole numbers up to {INT_LIMIT:,}, True, False and tuples of them"
_TOO_DEEP = f"calls are nested too deeply (at most {MAX_DEPTH} levels)"
_NOT_TEXT = re.compile("[\0\ud800-\udfff]")
"""What Python refuses to read at all: NUL, and halves of surrogate pairs."""

_SHOWN = 80
_SUGGESTED_FROM = 1000


class ParseError(ValueError):
    """Text that is not a program: where, what, and what was expected."""

    def __init__(self, message: str, *, file: str, line: int, column: int, text: str) -> None:
        shown = _printable(text.strip())
        super().__init__(f"{file}:{line}:{column}: {message}" + (f": {shown}" if shown else ""))
        self.file, self.line, self.column, self.text, self.message = file, line, column, text, message


def _printable(text: str) -> str:
    """The text in so many characters, and nothing in it that a terminal would obey."""
    clipped = text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in clipped)


def parse(text: str, *, file: str = "<text>") -> list[Program]:
    """All programs in a text: ``def`` blocks, or bare lines whose free names are the inputs.

    Raises ParseError with file, line, column and the offending text.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what Python warns of, such as "\\d", cannot be part of a program
        return list(_Parser(text, file).programs())


def parse_one(text: str, *, file: str = "<text>") -> Program:
    """The only program in a text."""
    programs = parse(text, file=file)
    if len(programs) != 1:
        message = f"one program was expected, and there are {len(programs)}"
        raise ParseError(message, file=file, line=1, column=1, text="")
    return programs[0]


def parse_file(path: str | Path) -> list[Program]:
    """All programs in a file."""
    data = Path(path).read_bytes()
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
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
    """Reads a text piece by piece: a piece begins with a definition, so that no tree gets large."""

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self.text = re.sub("\r\n?", "\n", text.removeprefix("\ufeff"))
        self.lines = self.text.split("\n")
        self.before = 0  # lines before the piece that is being read
        self.calls = self.depth = 0

    # The text

    def _check_characters(self) -> None:
        for number, line in enumerate(self.lines, 1):
            if len(line) > MAX_LINE:
                raise self._error_at(f"a line of {len(line):,} characters (at most {MAX_LINE:,})", number, 1)
            odd = _NOT_TEXT.search(line)
            if odd:
                raise self._error_at(f"the character {odd[0]!a}", number, odd.start() + 1)

    def _statements(self) -> Iterator[ast.stmt]:
        """The statements of the text, piece by piece."""
        starts = [match.start() for match in re.finditer(r"^def\b", self.text, re.MULTILINE) if match.start()]
        lines = 0
        for start, end in pairwise([0, *starts, len(self.text)]):
            self.before, lines = lines, lines + self.text.count("\n", start, end)
            try:
                statements = self._read(start, end)
            except SyntaxError as error:
                yield from self._read_rest(start, error)
                return
            yield from statements

    def _read_rest(self, start: int, error: SyntaxError) -> list[ast.stmt]:
        """A piece that could not be read, with all that follow.

        That helps where a string over several lines looks like a definition.
        """
        try:
            if len(self.text) - start <= MAX_PIECE:
                return self._read(start, len(self.text))
        except SyntaxError as whole:
            error = whole
        raise self._not_a_program(error) from None

    def _read(self, start: int, end: int) -> list[ast.stmt]:
        if end - start > MAX_PIECE:
            message = f"a program of {end - start:,} characters (at most {MAX_PIECE:,})"
            raise self._error_at(message, self.before + 1, 1)
        piece = self.text[start:end]
        try:
            return ast.parse(piece).body
        except (RecursionError, MemoryError):
            line = next(filter(_is_too_deep, piece.split("\n")), "")
            number = piece[: piece.index(line)].count("\n") + self.before + 1
            raise self._error_at(_TOO_DEEP, number, 1) from None

    def _not_a_program(self, error: SyntaxError) -> ParseError:
        too_large = error.msg.startswith("Exceeds the limit")  # Python's own, for the digits of a number
        message = _CONSTANTS_ALLOWED if too_large else f"not a program ({error.msg})"
        return self._error_at(message, self.before + (error.lineno or 1), max(error.offset or 1, 1))

    def _error_at(self, message: str, line: int, column: int) -> ParseError:
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        return ParseError(message, file=self.file, line=line, column=column, text=text)

    def _error(self, message: str, node: ast.stmt | ast.expr | ast.keyword) -> ParseError:
        line = self.before + node.lineno
        before = self.lines[line - 1].encode()[: node.col_offset]  # ast counts bytes
        return self._error_at(message, line, len(before.decode()) + 1)

    # The programs

    def programs(self) -> Iterator[Program]:
        """The programs of the text, in its order."""
        self._check_characters()
        defined: dict[str, int] = {}
        bare: list[ast.stmt] = []
        stray: ParseError | None = None
        for statement in self._statements():
            if isinstance(statement, ast.FunctionDef):
                self._check_new(statement, defined)
                yield self._definition(statement)
            elif not _is_docstring(statement) and not self._is_known_import(statement):
                stray = stray or self._error("only definitions can stand here, or only bare lines", statement)
                bare.append(statement)
            if defined and stray:
                raise stray
        if bare:
            yield self._bare_program(bare)

    def _check_new(self, definition: ast.FunctionDef, defined: dict[str, int]) -> None:
        name = definition.name
        if name in defined:
            raise self._error(f"{_printable(name)} is defined twice, first in line {defined[name]}", definition)
        defined[name] = self.before + definition.lineno

    def _is_known_import(self, statement: ast.stmt) -> bool:
        match statement:
            case ast.ImportFrom(module=module, names=[ast.alias(name="*")], level=0) if module in MODULES:
                return True
            case ast.Import() | ast.ImportFrom():
                raise self._error("programs cannot import anything", statement)
            case _:
                return False

    def _definition(self, definition: ast.FunctionDef) -> Program:
        self._check_name(definition.name, definition)
        inputs = self._parameters(definition)
        scope = _Scope({name: Input(name) for name in inputs}, False, inputs)
        *body, last = [s for s in definition.body if not _is_docstring(s)] or [definition]
        if not isinstance(last, ast.Return) or last.value is None:
            raise self._error(f"{_printable(definition.name)} must end with 'return' and a value", last)
        self.calls = 0
        for statement in body:
            self._assignment(statement, scope)
        return Program(definition.name, tuple(inputs), self._term(last.value, scope))

    def _parameters(self, definition: ast.FunctionDef) -> list[str]:
        spec = definition.args
        unusual = spec.posonlyargs or spec.kwonlyargs or spec.vararg or spec.kwarg or spec.defaults
        annotations = (definition.returns, *(parameter.annotation for parameter in spec.args))
        named_types = all(annotation is None or isinstance(annotation, ast.Name) for annotation in annotations)
        if unusual or not named_types or definition.decorator_list or getattr(definition, "type_params", None):
            raise self._error("a program is 'def name(I):' or 'def name(S, I, C):', nothing more", definition)
        names = [parameter.arg for parameter in spec.args]
        for name in names:
            self._check_name(name, definition)
        if len(set(names)) < len(names):
            raise self._error("two inputs have the same name", definition)
        return names

    def _check_name(self, name: str, node: ast.stmt | ast.expr) -> None:
        if name.startswith("__"):
            raise self._error(f"the name {_printable(name)} is not allowed", node)

    def _bare_program(self, statements: list[ast.stmt]) -> Program:
        scope = _Scope({}, True, [])
        for statement in statements:
            last = self._assignment(statement, scope)
        return Program(BARE_NAME, tuple(scope.inputs), last)

    def _assignment(self, statement: ast.stmt, scope: _Scope) -> Term:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._check_name(name, statement)
                scope.names[name] = term = self._term(value, scope)
                return term
            case _:
                raise self._error("only lines of the form 'name = function(...)' can stand here", statement)

    # The terms

    def _term(self, node: ast.expr, scope: _Scope) -> Term:
        match node:
            case ast.Name(id=name):
                return self._named(name, node, scope)
            case ast.Call():
                return self._call(node, scope)
            case ast.Constant() | ast.UnaryOp() | ast.Tuple():
                return self._literal(node, scope)
            case _:
                raise self._error(f"{_kind(node)} cannot be used in a program", node)

    def _call(self, node: ast.Call, scope: _Scope) -> Call:
        self.calls += 1
        self.depth += 1
        if self.calls > MAX_CALLS:
            raise self._error(f"more than {MAX_CALLS:,} calls", node)
        if self.depth > MAX_DEPTH:
            raise self._error(_TOO_DEEP, node)
        function = self._term(node.func, scope)
        args = [self._term(arg, scope) for arg in node.args]
        named = self._keywords(node, scope)
        self.depth -= 1
        if isinstance(function, Literal):
            raise self._error("a constant cannot be called", node)
        if isinstance(function, Function):
            args = self._arranged(node, function, args, named)
        elif named:
            raise self._error("only a primitive takes keyword arguments", node)
        return Call(function, tuple(args), self.before + node.lineno)

    def _keywords(self, node: ast.Call, scope: _Scope) -> dict[str, Term]:
        named: dict[str, Term] = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                raise self._error("unpacking cannot be used in a program", keyword)
            if keyword.arg in named:
                raise self._error(f"the argument {_printable(keyword.arg)} is given twice", keyword)
            named[keyword.arg] = self._term(keyword.value, scope)
        return named

    def _arranged(self, node: ast.Call, called: Function, given: list[Term], named: dict[str, Term]) -> list[Term]:
        """The arguments in the order in which the primitive declares them."""
        params = called.primitive.params
        for name in named:
            if name not in params[len(given) :]:
                message = f"{called.text} takes no argument named {_printable(name)}, or takes it twice"
                raise self._error(message, node)
        if len(given) + len(named) != len(params):
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
            raise self._error(f"{_printable(name)} is not defined{suggestion(name, scope.names)}", node)
        scope.inputs.append(name)
        return scope.names.setdefault(name, Input(name))

    def _literal(self, node: ast.expr, scope: _Scope) -> Literal:
        match node:
            case ast.Constant(value=bool() as value):
                return Literal(value, str(value))
            case ast.Constant(value=value) if _is_number(value):
                return Literal(value, str(value))
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=value)) if _is_number(value):
                return Literal(-value, f"-{value}")
            case ast.Tuple(elts=[_, *_] as parts):
                members = [self._literal(part, scope) for part in parts]
                texts = ", ".join(member.text for member in members)
                return Literal(tuple(member.value for member in members), f"({texts})" if parts[1:] else f"({texts},)")
            case ast.Name(id=name):
                term = scope.names.get(name) or lookup(name)
                if isinstance(term, Literal):
                    return term
        raise self._error(_CONSTANTS_ALLOWED, node)


def _is_number(value: object) -> TypeGuard[int]:
    return type(value) is int and value <= INT_LIMIT


def _is_too_deep(line: str) -> bool:
    """Whether this line alone is nested more deeply than Python can read."""
    try:
        ast.parse(line.strip())
    except (RecursionError, MemoryError):
        return True
    except SyntaxError:
        pass
    return False


@lru_cache(4096)
def lookup(name: str) -> Literal | Function | None:
    """What a name of the language means: a constant or a primitive."""
    if name in CONSTANTS:
        return Literal(CONSTANTS[name], name)
    target = SPELLINGS.get(name, name)
    return Function(PRIMITIVES[target], name) if target in PRIMITIVES else None


def suggestion(name: str, names: Iterable[str] = ()) -> str:
    """A hint at names like this one, or nothing."""
    if len(name) > _SHOWN:
        return ""
    nearby = islice(names, _SUGGESTED_FROM)
    close = difflib.get_close_matches(name, [*nearby, *CONSTANTS, *PRIMITIVES, *SPELLINGS], n=3)
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
    ast.NamedExpr: "an assignment",
    ast.JoinedStr: "a string",
    ast.Await: "await",
    ast.Yield: "yield",
    ast.YieldFrom: "yield",
    ast.List: "a list",
    ast.Set: "a set",
    ast.Dict: "a dictionary",
}


def _kind(node: ast.expr) -> str:
    return _KINDS.get(type(node), f"{type(node).__name__.lower()} syntax")
