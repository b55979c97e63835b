"""Parsing programs. The text is parsed with ``ast`` and checked against a whitelist; it is never executed."""

import ast
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from arcloom import collector
from arcloom.files import read_whole
from arcloom.program.desugar import ONLY, Desugar
from arcloom.program.lower import CONSTANTS_ALLOWED, MAX_CALLS, MAX_DEPTH, NOTHING, TOO_DEEP, lookup
from arcloom.program.refusal import ParseError, printable, suggestion
from arcloom.program.scope import Deferred, Root, Scope
from arcloom.program.statements import Statements, assigned
from arcloom.program.straight import straight
from arcloom.program.term import Program, Term
from arcloom.program.trace_errors import REPORT

MODULES = frozenset({"dsl", "constants", "arc_types", "arcloom", "arcloom.dsl"})
"""Modules from which programs may import. Solver files begin with ``from ... import *``; it has no effect."""

MAX_LINE = 100_000
"""Maximum number of characters of a line."""

MAX_PIECE = 1_000_000
"""Maximum number of characters of a definition, or of a program of bare lines."""

MAX_ERRORS = 100
"""Maximum number of errors in a text. Parsing stops there."""

BARE_NAME = "program"
_NO_PROGRAM = Program("", (), NOTHING)
_DEFINITION = re.compile(r"^def\b[ \t]*(\w*)", re.MULTILINE)
_NOT_TEXT = re.compile("[\0\ud800-\udfff]")
"""Characters that Python's parser does not accept: NUL and surrogates."""

__all__ = [
    "MAX_CALLS",
    "MAX_DEPTH",
    "ParseError",
    "lookup",
    "parse",
    "parse_file",
    "parse_one",
    "read",
    "read_file",
    "suggestion",
]


def parse(text: str, *, file: str = "<text>") -> list[Program]:
    """All programs in a text: ``def`` blocks, or bare lines whose free names are the inputs.

    A definition that another one calls is a function of that program, not a program. Raises ParseError with file, line,
    column and the offending text.
    """
    programs: list[Program] = []
    for found in read(text, file=file):
        if isinstance(found, ParseError):
            raise found
        programs.append(found)
    return programs


def read(text: str, *, file: str = "<text>") -> list[Program | ParseError]:
    """All programs in a text, and an error for each definition that is not a program."""
    quickly = straight(text)
    if quickly is not None:
        return [quickly]
    return read_fully(text, file=file)


def read_fully(text: str, *, file: str = "<text>") -> list[Program | ParseError]:
    """As ``read``, without the fast path for straight-line programs."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # syntax that Python warns of, such as "\\d", is refused anyway
        parser = _Parser(text, file)
        found = parser.programs()
        parser.release()
        return [collector.without_traceback(entry) if isinstance(entry, ParseError) else entry for entry in found]


def parse_one(text: str, *, file: str = "<text>") -> Program:
    """The only program in a text."""
    programs = parse(text, file=file)
    if len(programs) != 1:
        message = f"one program was expected, and there are {len(programs)}"
        raise ParseError(message, file=file, line=1, column=1, text="")
    return programs[0]


def parse_file(path: str | Path) -> list[Program]:
    """All programs in a file."""
    return parse(source_of(path), file=str(path))


def read_file(path: str | Path, *, strict: bool = False) -> Sequence[Program | ParseError]:
    """All programs in a file, and an error for each definition that is not a program. If ``strict``, errors are
    raised."""
    return parse_file(path) if strict else read(source_of(path), file=str(path))


def source_of(path: str | Path) -> str:
    """The text of a file. Raises ParseError if it is not UTF-8."""
    data = read_whole(path)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        message = f"not UTF-8 text (byte {error.start})"
        raise ParseError(message, file=str(path), line=line, column=1, text="") from None


class _Parser:
    """Parses a text in pieces, each of which begins with a definition, so that syntax trees stay small."""

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self.text = re.sub("\r\n?", "\n", text.removeprefix("\ufeff"))
        self.lines = self.text.split("\n")
        self.lowering = _Lowering(self)
        self.module = self.lowering.module
        self.pieces: dict[str, tuple[int, int, int]] = {}

    # The text

    def _check_characters(self) -> None:
        for number, line in enumerate(self.lines, 1):
            if len(line) > MAX_LINE:
                raise self._error_at(f"a line of {len(line):,} characters (at most {MAX_LINE:,})", number, 1)
            odd = _NOT_TEXT.search(line)
            if odd:
                raise self._error_at(f"the character {odd[0]!a}", number, odd.start() + 1)

    def _statements(self) -> Iterator[ast.stmt | ParseError]:
        """The statements of the text, piece by piece, or an error for a piece with a syntax error."""
        starts = [match.start() for match in _DEFINITION.finditer(self.text) if match.start()]
        pieces, lines = [], 0
        for start, end in pairwise([0, *starts, len(self.text)]):
            pieces.append((start, end, lines))
            name = _DEFINITION.match(self.text, start)
            if name is not None:
                self.pieces.setdefault(name[1], pieces[-1])
            lines += self.text.count("\n", start, end)
        for start, end, before in pieces:
            self.lowering.before = before
            try:
                yield from self._read(start, end)
            except SyntaxError as error:
                rest = self._read_rest(start, end, error)
                yield from rest
                if not isinstance(rest[0], ParseError):
                    return
            except ParseError as error:
                yield error

    def _read_rest(self, start: int, end: int, error: SyntaxError) -> Sequence[ast.stmt | ParseError]:
        """Parse a piece with a syntax error again, together with all that follow; the error if that fails, too.

        This is needed if a string over several lines contains a line that looks like a definition.
        """
        try:
            if end < len(self.text) <= start + MAX_PIECE:
                return self._read(start, len(self.text))
        except (SyntaxError, ParseError):
            pass
        return [self._not_a_program(error)]

    def _read(self, start: int, end: int) -> list[ast.stmt]:
        if end - start > MAX_PIECE:
            message = f"a program of {end - start:,} characters (at most {MAX_PIECE:,})"
            raise self._error_at(message, self.lowering.before + 1, 1)
        piece = self.text[start:end]
        try:
            return ast.parse(piece).body
        except (RecursionError, MemoryError):
            line = next(filter(_is_too_deep, piece.split("\n")), "")
            number = piece[: piece.index(line)].count("\n") + self.lowering.before + 1
            raise self._error_at(TOO_DEEP, number, 1) from None

    def _not_a_program(self, error: SyntaxError) -> ParseError:
        too_large = error.msg.startswith("Exceeds the limit")  # Python's limit of the digits of a number
        message = CONSTANTS_ALLOWED if too_large else f"not a program ({error.msg})"
        return self._error_at(message, self.lowering.before + (error.lineno or 1), max(error.offset or 1, 1))

    def _error_at(self, message: str, line: int, column: int) -> ParseError:
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        return ParseError(message, file=self.file, line=line, column=column, text=text)

    def _error(self, message: str, node: ast.stmt | ast.expr | ast.keyword) -> ParseError:
        line = self.lowering.before + node.lineno
        before = self.lines[line - 1].encode()[: node.col_offset]  # ast counts bytes
        return self._error_at(message, line, len(before.decode()) + 1)

    def release(self) -> None:
        """Break reference cycles, so that the syntax trees are freed at once."""
        self.lowering.release()
        del self.lowering

    # The programs

    def programs(self) -> list[Program | ParseError]:
        """The programs and errors of the text, in order."""
        found: list[tuple[str, Program | ParseError]] = []
        errors = 0
        try:
            self._check_characters()
            for entry in self._found():
                found.append(entry)
                errors += isinstance(entry[1], ParseError)
                if errors > MAX_ERRORS:
                    break
        except ParseError as error:
            found.append(("", error))
        helpers = self.lowering.used
        kept = [entry for name, entry in found if name not in helpers]
        return kept or [entry for _, entry in found if isinstance(entry, ParseError)]  # e.g. recursion

    def _found(self) -> Iterator[tuple[str, Program | ParseError]]:
        """Programs and errors with the names of their definitions."""
        defined: dict[str, int] = {}
        bare: list[tuple[int, ast.stmt]] = []
        for statement in map(_as_definition, self._statements()):
            if isinstance(statement, ParseError):
                defined.setdefault("", statement.line)
                yield "", statement
            elif isinstance(statement, ast.FunctionDef):
                yield from self._constants(bare)
                bare.clear()
                entry = self._attempt(lambda: self._definition(statement, defined))  # noqa: B023
                if isinstance(entry, ParseError):
                    entry.definition = printable(statement.name)
                yield statement.name, entry
            elif not _is_docstring(statement):
                bare.append((self.lowering.before, statement))
            if defined:
                yield from self._constants(bare)
                bare.clear()
        if bare:
            yield "", self._attempt(lambda: self._bare_program([statement for _, statement in bare]))

    def _attempt(self, make: Callable[[], Program]) -> Program | ParseError:
        """The program that ``make`` returns, or the error that it raises."""
        self.lowering.calls = self.lowering.characters = self.lowering.depth = 0
        try:
            return make()
        except ParseError as error:
            return error
        except RecursionError:
            return self._error_at(TOO_DEEP, self.lowering.before + 1, 1)
        except Exception as error:  # a fault of the parser costs only this program
            return self._error_at(f"{REPORT} ({type(error).__name__}: {error})", self.lowering.before + 1, 1)

    def _constants(self, statements: list[tuple[int, ast.stmt]]) -> Iterator[tuple[str, ParseError]]:
        """Assign the constants of a module with definitions. Each statement has the number of lines before it."""
        present = self.lowering.before
        for self.lowering.before, statement in statements:
            error = self._attempt(lambda: self._constant(statement))  # noqa: B023
            if isinstance(error, ParseError):
                yield "", error
        self.lowering.before = present

    def _constant(self, statement: ast.stmt) -> Program:
        if not self._is_known_import(statement):
            rewriting = Desugar([statement], self.lowering.dictionaries, self._error)
            self.lowering.dictionaries = rewriting.dictionaries
            for simple in rewriting.block([statement]):
                for name in assigned([simple]):
                    if name in self.module.names:
                        raise self._error(f"{printable(name)} is assigned twice outside of definitions", statement)
                self.lowering.statement(simple, self.module)
        return _NO_PROGRAM

    def _is_known_import(self, statement: ast.stmt) -> bool:
        match statement:
            case ast.ImportFrom(module=module, names=[ast.alias(name="*")], level=0) if module in MODULES:
                return True
            case ast.Import() | ast.ImportFrom():
                raise self._error(
                    "programs cannot import anything: leave it out, all functions of the language are known", statement
                )
            case _:
                return False

    def _definition(self, definition: ast.FunctionDef, defined: dict[str, int]) -> Program:
        name = definition.name
        if name in defined:
            raise self._error(f"{printable(name)} is defined twice, first in line {defined[name]}", definition)
        defined[name] = self.lowering.before + definition.lineno
        self.lowering.check_name(name, definition)
        scope = Root(self.module)
        for input in self._parameters(definition):
            scope.add_input(input)
        output = self.lowering.function_body(definition, scope)
        return Program(name, tuple(scope.inputs), output)

    def _parameters(self, definition: ast.FunctionDef) -> list[str]:
        spec = definition.args
        unusual = spec.posonlyargs or spec.kwonlyargs or spec.vararg or spec.kwarg or spec.defaults
        if unusual or definition.decorator_list or getattr(definition, "type_params", None):
            raise self._error("a program is 'def name(I):' or 'def name(S, I, C):', nothing more", definition)
        names = [parameter.arg for parameter in spec.args]
        for name in names:
            self.lowering.check_name(name, definition)
        if len(set(names)) < len(names):
            raise self._error("two inputs have the same name", definition)
        return names

    def _bare_program(self, statements: list[ast.stmt]) -> Program:
        scope = Root(self.module, free=True)
        output: Term | None = None
        written = [statement for statement in statements if not self._is_known_import(statement)]
        rewriting = Desugar(written, self.lowering.dictionaries, self._error)
        for statement in rewriting.block(written):
            output = self.lowering.statement(statement, scope)
        if output is not None and not rewriting.dictionaries.isdisjoint(assigned(written[-1:])):
            raise self._error(ONLY, written[-1])
        if output is None:
            raise self._error("the last line of a program must assign its result to a name", statements[-1])
        return Program(BARE_NAME, tuple(scope.inputs), output)

    def definition_of(self, name: str) -> tuple[ast.FunctionDef, int] | None:
        """The definition with this name, anywhere in the text, and the number of lines before its piece."""
        piece = self.pieces.pop(name, None)  # needed only once
        if piece is None:
            return None
        start, end, before = piece
        try:
            statements = ast.parse(self.text[start:end]).body if end - start <= MAX_PIECE else []
        except (SyntaxError, RecursionError, MemoryError):
            return None
        found = [s for s in statements if isinstance(s, ast.FunctionDef) and s.name == name]
        return (found[0], before) if found else None


class _Lowering(Statements):
    """Lowers the definitions of one text, which can call each other."""

    def __init__(self, parser: "_Parser") -> None:
        super().__init__(parser._error)
        self.parser = parser
        self.module = Scope(None)
        self.used: set[str] = set()

    def release(self) -> None:
        """Break reference cycles."""
        vars(self).clear()

    def elsewhere(self, name: str) -> Deferred | None:
        """A function that is defined elsewhere in the text."""
        known = self.parser.definition_of(name) if name in self.parser.pieces else None
        if known is None:
            return None
        definition, lines = known
        self.used.add(name)
        before, self.before = self.before, lines
        try:
            self.statement(definition, self.module)
        finally:
            self.before = before
        found = self.module.names[name]
        assert isinstance(found, Deferred)
        return found


def _as_definition(statement: ast.stmt | ParseError) -> ast.stmt | ParseError:
    """The statement; ``solve = lambda I: ...`` as a definition."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda(args=args, body=body)) if name.startswith(
            "solve"
        ):
            returned = ast.copy_location(ast.Return(body), body)
            return ast.copy_location(ast.FunctionDef(name, args, [returned], []), statement)
        case _:
            return statement


def _is_too_deep(line: str) -> bool:
    """Whether this line is nested more deeply than Python can parse."""
    try:
        ast.parse(line.strip())
    except (RecursionError, MemoryError):
        return True
    except SyntaxError:
        pass
    return False


def _is_docstring(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
        case _:
            return False


Program.parser = staticmethod(parse)
