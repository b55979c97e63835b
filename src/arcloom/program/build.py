"""Building terms: inputs, constants, calls, and substitution."""

import re
from collections.abc import Mapping
from functools import cache

from arcloom.program.parse import lookup
from arcloom.program.print import literal_text
from arcloom.program.term import Call, Function, Input, Lambda, Literal, Program, Term, walk
from arcloom.program.term import canonical as canonical_value

INPUT, SHOWN = Input("I"), Input("S")
"""The input grid and the demonstrations, as terms."""

_SHARED = {term.name: term for term in (INPUT, SHOWN)}

INPUTS = ("S", "I", "C")
"""The parameters that a generated program declares, whether it reads them or not."""

SOLVER = "solve_"
"""Prefix of the name of a program that solves a task. The id of the task follows."""


def solver_name(task: str) -> str:
    """The name of a program for the task with this id: always a valid identifier."""
    return SOLVER + re.sub(r"\W", "_", task)


@cache
def literal(value: int | tuple[int, int]) -> Literal:
    """The constant, spelled by its name if it has one. Equal constants are the same object."""
    return Literal(value, literal_text(value))


def call(name: str, *args: Term) -> Call:
    """A call of the primitive with this name, in the line after its arguments."""
    return applied(named(name), *args)


def applied(function: Term, *args: Term) -> Call:
    """A call of a function, in the line after its arguments."""
    lines = [part.line for part in (function, *args) if isinstance(part, Call)]
    return Call(function, args, 1 + max(lines, default=0))


def named(name: str) -> Term:
    """The primitive or constant with this name."""
    found = lookup(name)
    assert found is not None
    return found


def substituted(term: Term, values: Mapping[str, Term]) -> Term:
    """The term with its inputs replaced by other terms."""
    done: dict[int, Term] = {}

    def replaced(part: Term) -> Term:
        if isinstance(part, Input):
            return values.get(part.name, part)
        if not isinstance(part, Call):
            return part
        if id(part) not in done:
            done[id(part)] = Call(replaced(part.function), tuple(map(replaced, part.args)), part.line)
        return done[id(part)]

    return replaced(term)


def canonical(output: Term) -> Term:
    """The term in a form that depends only on its content, like ``Program.digest``.

    Equal calls are one object, calls are in depth-first order, constants and primitives have their usual spelling, and
    inputs are the objects ``INPUT`` and ``SHOWN``.
    """
    made: dict[Term, Term] = {}
    known: dict[object, Term] = {}

    def form(part: Term) -> Term:
        if part not in made:
            key, leaf = _leaf(part)
            made[part] = known.setdefault(key, leaf)
        return made[part]

    for each in walk(output):
        function, *args = map(form, (each.function, *each.args))
        key = (id(function), *map(id, args))
        if key not in known:
            known[key] = Call(function, tuple(args), 0)
        made[each] = known[key]
    return _in_lines(form(output))


def _leaf(part: Term) -> tuple[object, Term]:
    """The content of a term that is not a call, and its usual form."""
    match part:
        case Input(name):
            return ("input", name), _SHARED.get(name, part)
        case Literal(value):
            return ("literal", canonical_value(value)), Literal(value, literal_text(value))
        case Function(primitive):
            return ("primitive", primitive.name), Function(primitive, primitive.name)
        case Lambda(body, captured):
            inner = Program(body.name, body.inputs, canonical(body.output))
            return ("lambda", captured, body.shape), Lambda(inner, captured)
        case Call():
            raise AssertionError("a call is not a leaf")


def _in_lines(output: Term) -> Term:
    """The term with its calls in lines 1, 2, 3, ..."""
    copies: dict[Term, Term] = {}
    for line, each in enumerate(walk(output), 1):
        function, *args = [copies.get(part, part) for part in (each.function, *each.args)]
        copies[each] = Call(function, tuple(args), line)
    return copies.get(output, output)
