"""Messages for texts that are not programs: what is wrong, and what to write instead."""

import ast
import difflib
from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import islice

from arcloom.dsl import CONSTANTS, PRIMITIVES, SPELLINGS
from arcloom.dsl.python import NAMES

_SHOWN = 80
_SUGGESTED, _SUGGESTED_FROM, _CUTOFF = 3, 1000, 0.6
_SHOWN_NAMES = 8
_LETTERS, _SAME = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", 16
"""The characters of names of the language, and the maximum number of times that a name has one of them."""


class ParseError(ValueError):
    """A text is not a program. Has the file, line, column, the offending text, and what was expected."""

    def __init__(self, message: str, *, file: str, line: int, column: int, text: str) -> None:
        shown = printable(text.strip())
        super().__init__(f"{file}:{line}:{column}: {message}" + (f": {shown}" if shown else ""))
        self.file, self.line, self.column, self.text, self.message = file, line, column, text, message
        self.definition = ""
        """The name of the definition that is not a program, if it has one."""

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self.message, self.file, self.line, self.column, self.text)


def _again(message: str, file: str, line: int, column: int, text: str) -> ParseError:
    return ParseError(message, file=file, line=line, column=column, text=text)


def printable(text: str) -> str:
    """The text, shortened if it is long, without control characters."""
    clipped = text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in clipped)


def suggestion(name: str, names: Iterable[str] = ()) -> str:
    """A hint with similar names, or an empty text. Variables come first, then arc-dsl's names, then the dialect's."""
    if len(name) > _SHOWN:
        return ""
    close = dict.fromkeys(difflib.get_close_matches(name, list(islice(names, _SUGGESTED_FROM)), n=_SUGGESTED))
    for group in _language():
        if len(close) < _SUGGESTED:
            close.update(dict.fromkeys(_close(name, group)))
    return f" (did you mean {' or '.join(list(close)[:_SUGGESTED])}?)" if close else ""


@cache
def _language() -> tuple[tuple[str, ...], ...]:
    """The names of the language: arc-dsl's, and then all of them."""
    original = [known for known, primitive in PRIMITIVES.items() if primitive.family != "dialect"]
    return (*original, *CONSTANTS, *NAMES), (*PRIMITIVES, *SPELLINGS)


@lru_cache(4096)
def _close(name: str, group: tuple[str, ...]) -> list[str]:
    """The same as ``difflib.get_close_matches`` for a group of names, but faster.

    The number of common letters bounds the similarity of two names, so that few names are compared in full.
    """
    letters, size = _letters(name), len(name)
    bounds = [(2 * (letters & own).bit_count() / (size + len(known)), known) for known, own in _lettered(group)]
    best: list[tuple[float, str]] = []
    matcher = difflib.SequenceMatcher(b=name)
    for bound, known in sorted(bounds, reverse=True):
        if bound < (best[-1][0] if len(best) == _SUGGESTED else _CUTOFF):
            break
        matcher.set_seq1(known)
        if matcher.ratio() >= _CUTOFF:
            best = sorted([*best, (matcher.ratio(), known)], reverse=True)[:_SUGGESTED]
    return [known for _, known in best]


@cache
def _lettered(group: tuple[str, ...]) -> list[tuple[str, int]]:
    return [(name, _letters(name)) for name in group]


def _letters(name: str) -> int:
    """The multiset of the letters of a name as bits of a number: the n-th occurrence of a letter has its own bit."""
    counts = [(_LETTERS.find(letter), min(count, _SAME)) for letter, count in Counter(name).items()]
    return sum(((1 << count) - 1) << (_SAME * k) for k, count in counts if k >= 0)


_NO_INPUT = "a program has nothing but its input"
_NO_STRINGS = "there are no strings, so use whole numbers"
_ADVICE = {
    **dict.fromkeys(("eval", "exec", "compile", "open", "input", "globals", "locals", "getattr", "setattr"), _NO_INPUT),
    **dict.fromkeys(("str", "repr", "format", "chr", "ord"), _NO_STRINGS),
    **dict.fromkeys(("np", "numpy"), "a grid is a tuple of rows: use comprehensions and functions of the language"),
    "collections": "write Counter(...) or defaultdict(...) without it",
    **dict.fromkeys(("float", "round", "math"), "there are only whole numbers: use // and %"),
    "copy": "make a list with list(...), or lists with [list(row) for row in grid]",
    **dict.fromkeys(("isinstance", "type", "callable", "hasattr"), "types are fixed, so leave the test out"),
    **dict.fromkeys(("random", "randint", "choice", "sample", "time"), "a program always gives the same result"),
    "deque": "use a list",
    "iter": "use for, or next(iter(x))",
    "reduce": "it takes a function, a container and perhaps a start",
    "divmod": "it takes two ints",
    "combinations": "use [(a, b) for i, a in enumerate(xs) for b in xs[i + 1:]]",
    "itertools": "use comprehensions, or product and pair",
    "functools": "use lambda, or lbind and rbind",
    "pow": "use **",
}
"""Advice for names that Python programs use and the language does not have."""


def not_defined(name: str, names: Iterable[str]) -> str:
    """The message for a name that is not defined, with a hint."""
    known = [other for other in names if other.isidentifier()]
    message = f"{printable(name)} is not defined"
    if name in _ADVICE:
        return f"{message}: {_ADVICE[name]}"
    hint = suggestion(name, known)
    if hint or not known or len(known) > _SHOWN_NAMES:
        return message + hint
    return f"{message} (names that are: {', '.join(map(printable, known))})"


def no_attribute(name: str) -> str:
    """The message for an attribute, with advice."""
    advice = f"call a function of the language instead of a method{suggestion(name) if len(name) > 1 else ''}"
    return f"the attribute {printable(name)} cannot be used in a program: {advice}"


_EXPRESSIONS: dict[type[ast.AST], tuple[str, str]] = {
    ast.NamedExpr: ("an assignment inside an expression", "assign it in a separate line"),
    ast.JoinedStr: ("a string", "values are ints, bools, tuples and sets"),
    ast.Starred: ("unpacking", "name the arguments one by one"),
    ast.Await: ("await", "call the function"),
    ast.Yield: ("yield", "return a tuple"),
    ast.YieldFrom: ("yield", "return a tuple"),
    ast.MatMult: ("the operator @", "use functions of the language"),
    ast.Div: ("the operator /", "use // because there are only whole numbers"),
    ast.LShift: ("the operator <<", "use *"),
    ast.RShift: ("the operator >>", "use //"),
    ast.Invert: ("the operator ~", "use not or -"),
    ast.Is: ("is", "use =="),
    ast.IsNot: ("is not", "use !="),
    ast.Slice: ("a slice", "write it in the brackets of one tuple"),
}

_STATEMENTS: dict[type[ast.AST], tuple[str, str]] = {
    ast.While: ("a while loop", "use a for loop over range(...) or power(function, times)"),
    ast.ClassDef: ("a class", "use functions and tuples"),
    ast.AsyncFunctionDef: ("an async function", "use def"),
    ast.AsyncFor: ("an async loop", "use for"),
    ast.AsyncWith: ("with", "programs have nothing to open"),
    ast.With: ("with", "programs have nothing to open"),
    ast.Try: ("try", "test with if before the call that can fail"),
    ast.Raise: ("raise", "return a value"),
    ast.Delete: ("del", "leave it out"),
    ast.Global: ("global", "pass the value as a parameter"),
    ast.Nonlocal: ("nonlocal", "pass the value as a parameter"),
    ast.Match: ("match", "use if"),
    ast.Break: ("break outside of a loop", "leave it out"),
    ast.Continue: ("continue outside of a loop", "leave it out"),
    ast.Import: ("an import", "all functions of the language are known"),
    ast.ImportFrom: ("an import", "all functions of the language are known"),
    ast.Expr: ("a line without an assignment", "write 'name = function(...)', because a call changes no value"),
}


def refused(node: ast.AST) -> str:
    """The message for a construct that programs cannot use, with advice."""
    if isinstance(node, ast.Attribute):
        held = node.value
        if isinstance(held, ast.Name) and held.id in _ADVICE:
            return not_defined(held.id, ())
        return no_attribute(node.attr)
    known = _EXPRESSIONS.get(type(node)) or _STATEMENTS.get(type(node))
    what, instead = known or (f"{type(node).__name__.lower()} syntax", "use functions of the language")
    return f"{what} cannot be used in a program: {instead}"
