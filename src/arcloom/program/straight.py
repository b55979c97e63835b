"""Straight-line programs, read without ``ast``: one definition whose lines are ``name = function(name, ...)``.

Most programs are written so, and building a tree of Python's for each takes several times as long as all the rest of
reading them. Whatever this module does not know is left to the parser, errors included.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from keyword import iskeyword
from typing import Any

from arcloom.dsl.python import NAMES
from arcloom.program.lower import FALSE, NOTHING, TRUE, lookup
from arcloom.program.term import Call, Function, Input, Literal, Program, Term

LONGEST, MOST_LINES = 20_000, 100
"""Numbers of characters and lines up to which a text is read here. The limits of the parser are larger."""

KEPT = 50_000
"""Number of lines and of leaves that are kept, for most lines are in many programs."""

_NAME = r"(?!__)[A-Za-z_]\w*"
_INT = r"(?:0|-?[1-9]\d{0,5})"
_ATOM = rf"(?:{_NAME}|{_INT}|\({_INT}, {_INT}\))"
_CALL = rf"({_NAME})\(({_ATOM}(?:, ?{_ATOM})*)\)"
_LINE = re.compile(rf"    (?:({_NAME}) ?= ?|return ){_CALL} *(?:#[ -~]*)?", re.ASCII)
_RETURN = re.compile(rf"    return ({_NAME}) *", re.ASCII)
_ATOMS = re.compile(_ATOM, re.ASCII)
_PARAMETER = re.compile(rf"({_NAME})(?:: ?\w+)?", re.ASCII)
_HEADER = re.compile(rf"def ({_NAME})\(({_NAME}(?:: ?\w+)?(?:, ?{_NAME}(?:: ?\w+)?)*)\)(?: ?-> ?\w+)?: *", re.ASCII)
_INTS = re.compile(_INT, re.ASCII)
_EMPTY = re.compile(r" *(?:#[ -~]*)?", re.ASCII)
_DOCSTRING = re.compile(r'    """[ !#-\[\]-~]*""" *', re.ASCII)
_IMPORT = re.compile(r"from (?:dsl|constants|arc_types|arcloom\.dsl|arcloom) import \* *", re.ASCII)


RETURN = "return"

Line = tuple[str, tuple[Term | str, ...]]
"""The name that a line assigns or RETURN, and the function that it calls with its arguments. Those that the program
itself must define are names. A line of one part returns it, and a line without any says nothing."""

_lines: dict[str, Line] = {}
_calls: dict[tuple[int, tuple[Any, ...]], Call] = {}
_headers: dict[str, tuple[str, tuple[str, ...]]] = {}


class _Unknown(Exception):
    """Something that is left to the parser."""


def straight(text: str) -> Program | None:
    """The program in a text that has a single definition of straight lines, or None for any other text."""
    if len(text) > LONGEST:
        return None
    lines = text.split("\n")
    if len(lines) > MOST_LINES:
        return None
    try:
        start = _start(lines)
        name, inputs = _headers.get(lines[start]) or _header(lines[start])
        return _program(name, inputs, lines, start + 1)
    except _Unknown:
        return None


def _start(lines: list[str]) -> int:
    """The number of lines before the definition."""
    for k, line in enumerate(lines):
        if line.startswith("def "):
            return k
        if not (_EMPTY.fullmatch(line) or _IMPORT.fullmatch(line)):
            break
    raise _Unknown


def _program(name: str, inputs: tuple[str, ...], lines: list[str], start: int) -> Program:
    """The program whose body begins after a number of lines."""
    names: dict[Term | str, Term] = {input: _input(input) for input in inputs}
    calls: list[Call] = []
    used: set[Any] = set()
    known, made = _lines, _calls
    meaning: Callable[..., Any] = names.get
    for k in range(start, len(lines)):
        target, parts = known.get(lines[k]) or _line(lines[k])
        if len(parts) > 1:
            parts = tuple(map(meaning, parts, parts))
            used.update(parts)
            call = names[target] = made.get((k, parts)) or _call(k, parts)
            calls.append(call)
        if target == RETURN:
            _check_empty(lines[k + 1 :])
            output = meaning(RETURN) or meaning(parts[0], parts[0])
            if isinstance(output, str):
                raise _Unknown
            used.add(output)
            program = Program(name, inputs, output)
            vars(program)["calls"] = tuple(calls if used.issuperset(calls) else _needed(output, calls))
            return program
    raise _Unknown


def _check_empty(lines: list[str]) -> None:
    if not all(map(_EMPTY.fullmatch, lines)):
        raise _Unknown


def _needed(output: Term, calls: list[Call]) -> list[Call]:
    """The calls that an output depends on, in their order."""
    needed: set[Term] = {output}
    for call in reversed(calls):
        if call in needed:
            needed.update(call.args)
            needed.add(call.function)
    return [call for call in calls if call in needed]


# What is read once for all texts that have it


@lru_cache(KEPT)
def _input(name: str) -> Input:
    return Input(name)


def _call(line: int, parts: tuple[Any, ...]) -> Call:
    """A call, which is the same object in all programs that have it in the same line: it is traced once for all."""
    if len(_calls) >= KEPT:
        _calls.clear()
    if str in map(type, parts):  # a name that the program does not define
        raise _Unknown
    found = _calls[line, parts] = Call(parts[0], parts[1:], line + 1)
    return found


def _header(text: str) -> tuple[str, tuple[str, ...]]:
    """The name and the inputs of a definition."""
    match = _HEADER.fullmatch(text)
    inputs = tuple(_PARAMETER.findall(match[2])) if match else ()
    if match is None or len(set(inputs)) < len(inputs) or any(map(_has_meaning, (match[1], *inputs))):
        raise _Unknown
    found = match[1], inputs
    if len(_headers) >= KEPT:
        _headers.clear()
    _headers[text] = found
    return found


def _has_meaning(name: str) -> bool:
    """Whether a name is Python's or the language's. Programs that give it another meaning are left to the parser."""
    return iskeyword(name) or lookup(name) is not None


def _line(text: str) -> Line:
    found = _parts(text)
    if len(_lines) >= KEPT:
        _lines.clear()
    _lines[text] = found
    return found


def _parts(text: str) -> Line:
    match = _LINE.fullmatch(text)
    if match is not None:
        target, args = match[1] or RETURN, tuple(_ATOMS.findall(match[3]))
        if target != RETURN and _has_meaning(target):
            raise _Unknown
        return target, (_function(match[2], len(args)), *map(_leaf, args))
    returned = _RETURN.fullmatch(text)
    if returned is not None:
        return RETURN, (_leaf(returned[1]),)
    if _EMPTY.fullmatch(text) or _DOCSTRING.fullmatch(text):
        return "", ()
    raise _Unknown


def _function(name: str, count: int) -> Function | str:
    """The primitive with this name, which must take this number of arguments and be none of Python's functions; or the
    name, if the language does not have it."""
    found = lookup(name)
    if found is None and not iskeyword(name):
        return name
    if not isinstance(found, Function) or found.primitive is NAMES.get(found.primitive.name):
        raise _Unknown
    if found.primitive.arity != count:
        raise _Unknown
    return found


@lru_cache(KEPT)
def _leaf(text: str) -> Term | str:
    """A constant, a function of the language, or a name that the program must define."""
    return lookup(text) or _NAMED.get(text) or _constant(text)


def _constant(text: str) -> Literal | str:
    if text[0] == "(":
        parts = _INTS.findall(text)
        return Literal(tuple(map(int, parts)), f"({', '.join(parts)})")
    return Literal(int(text), text) if text[0] in "-0123456789" else text


_NAMED = {"True": TRUE, "False": FALSE, "None": NOTHING}
