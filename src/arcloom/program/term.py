"""The form of a program: a graph of calls, in which variables have become shared sub-terms."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from arcloom.dsl.declare import Primitive


@dataclass(frozen=True, eq=False, slots=True)
class Input:
    """What a program is given: ``I``, ``S``, ``C`` or any free name."""

    name: str


@dataclass(frozen=True, eq=False, slots=True)
class Literal:
    """A constant, and how it was written."""

    value: Any
    text: str


@dataclass(frozen=True, eq=False, slots=True)
class Function:
    """A primitive used as a value or called, and how it was written."""

    primitive: Primitive[..., Any]
    text: str


@dataclass(frozen=True, eq=False, slots=True)
class Call:
    """One application. ``line`` is where it stands in the source, from 1."""

    function: "Term"
    args: tuple["Term", ...]
    line: int


Term = Input | Literal | Function | Call


@dataclass(frozen=True, eq=False)
class Program:
    """A solver: what it reads and the term it returns. Equal programs differ at most in spelling and order."""

    name: str
    inputs: tuple[str, ...]
    output: Term

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """All calls that the output depends on, each once, in the order in which they are evaluated.

        That is the order of lines in the source. A call whose line is before that of something it needs, as after
        a piece of another program was put in, goes with the last line that it needs.
        """
        lines = _lines(self.output)
        return tuple(sorted(lines, key=lines.__getitem__))

    @cached_property
    def digest(self) -> str:
        """A content hash that ignores names of variables, spellings, and the order of independent lines."""
        seen: dict[int, str] = {}
        for call in self.calls:
            parts = ",".join(_name(part, seen) for part in (call.function, *call.args))
            seen[id(call)] = hashlib.sha256(parts.encode()).hexdigest()[:32]
        return hashlib.sha256(_name(self.output, seen).encode()).hexdigest()[:32]

    @property
    def reads(self) -> frozenset[str]:
        """The inputs that it really uses."""
        parts = [part for call in self.calls for part in (call.function, *call.args)]
        return frozenset(part.name for part in (self.output, *parts) if isinstance(part, Input))

    def with_lines(self, lines: Iterable[int]) -> "Program":
        """The same program with its calls in other lines, which are given in the order of ``calls``."""
        copies: dict[Term, Term] = {}
        for call, line in zip(self.calls, lines, strict=False):
            function, *args = [copies.get(part, part) for part in (call.function, *call.args)]
            copies[call] = Call(function, tuple(args), line)
        return Program(self.name, self.inputs, copies.get(self.output, self.output))

    def evaluate(self, inputs: Mapping[str, Any], **settings: Any) -> Any:
        """The program's value for these inputs by the reference: see ``arcloom.program.evaluate.evaluate``."""
        from arcloom.program.evaluate import evaluate

        return evaluate(self, inputs, **settings)

    def __len__(self) -> int:
        return len(self.calls)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Program) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __str__(self) -> str:
        from arcloom.program.print import to_text

        return to_text(self)

    def __repr__(self) -> str:
        return f"<Program {self.name}: {len(self)} calls>"


def _name(term: Term, seen: dict[int, str]) -> str:
    match term:
        case Input(name):
            return f"input {name}"
        case Literal(value):
            return f"literal {canonical(value)}"
        case Function(primitive):
            return f"primitive {primitive.name}"
        case Call():
            return seen[id(term)]


def canonical(value: Any) -> str:
    """A spelling of a constant that is the same for equal constants: True is not 1 here, for their types differ."""
    if isinstance(value, tuple):
        return f"({','.join(map(canonical, value))})"
    return repr(value)


def walk(output: Term) -> Iterator[Call]:
    """The calls below a term, each once, arguments before the call and from left to right."""
    return iter(_lines(output))


def _lines(output: Term) -> dict[Call, int]:
    """The calls below a term as ``walk`` gives them, each with the last line among its own and those that it needs."""
    lines: dict[Call, int] = {}
    stack = [output] if isinstance(output, Call) else []
    while stack:
        call = stack[-1]
        last, ready = call.line, True
        for part in (*call.args[::-1], call.function):
            if isinstance(part, Call):
                line = lines.get(part)
                if line is None:
                    stack.append(part)
                    ready = False
                elif line > last:
                    last = line
        if ready:
            lines.setdefault(stack.pop(), last)
    return lines
