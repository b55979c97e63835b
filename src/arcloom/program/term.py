"""Programs as terms: graphs of calls, in which variables are shared subterms."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any, ClassVar

from arcloom.dsl.declare import Primitive


@dataclass(frozen=True, eq=False, slots=True)
class Input:
    """An input of a program: ``I``, ``S``, ``C`` or any free name."""

    name: str


@dataclass(frozen=True, eq=False, slots=True)
class Literal:
    """A constant and its source text."""

    value: Any
    text: str


@dataclass(frozen=True, eq=False, slots=True)
class Function:
    """A primitive, called or used as a value, and its source text."""

    primitive: Primitive[..., Any]
    text: str


@dataclass(eq=False, slots=True)
class Call:
    """A call of a function. ``line`` is its line in the source, counted from 1.

    It is immutable, but not declared frozen, because creating a frozen object takes three times as long.
    """

    function: "Term"
    args: tuple["Term", ...]
    line: int


@dataclass(frozen=True, eq=False, slots=True)
class Lambda:
    """A function that the program defines: ``body`` is a program whose inputs are its parameters.

    The first ``captured`` inputs are captured values of the enclosing scope. If there are any, a call with these values
    returns the function of the other inputs.
    """

    body: "Program"
    captured: int

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the inputs that callers pass."""
        return self.body.inputs[self.captured :]


Term = Input | Literal | Function | Lambda | Call

LAMBDA = "lambda "
"""Prefix of the text of a function that the program defines, by which functions are sorted."""


def is_direct(call: Call) -> bool:
    """Whether a call directly calls a function that the program defines, not a value."""
    match call.function:
        case Lambda(captured=0) | Call(function=Lambda()):
            return True
        case _:
            return False


@dataclass(frozen=True, eq=False)
class Program:
    """A function of named inputs that returns the term ``output``. Equal programs can differ in spelling and order of
    lines."""

    printer: ClassVar[Callable[["Program"], str]]
    parser: ClassVar[Callable[[str], list["Program"]]]
    evaluator: ClassVar[Callable[..., Any]]
    """Functions of the modules ``print``, ``parse`` and ``evaluate``. Those modules import this one and set them."""

    name: str
    inputs: tuple[str, ...]
    output: Term

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """All calls that the output depends on, each once, in the order of evaluation.

        This is the order of lines in the source. A call whose line is before that of a call it depends on (for example
        after a part of another program was inserted) is evaluated at the latter's line.
        """
        lines = _lines(self.output)
        return tuple(sorted(lines, key=lines.__getitem__))

    @cached_property
    def digest(self) -> str:
        """A content hash that does not depend on names of variables, spellings, and the order of independent lines."""
        return _digest(self, {})

    @cached_property
    def shape(self) -> str:
        """A content hash like ``digest`` that does not depend on the names of inputs either, only on their order."""
        return _digest(self, {name: str(k) for k, name in enumerate(self.inputs)})

    @property
    def reads(self) -> frozenset[str]:
        """The inputs that the output depends on."""
        parts = [part for call in self.calls for part in (call.function, *call.args)]
        return frozenset(part.name for part in (self.output, *parts) if isinstance(part, Input))

    @cached_property
    def nesting(self) -> int:
        """The depth of nested functions that the program defines."""
        parts = [part for call in self.calls for part in (call.function, *call.args)]
        return max((1 + part.body.nesting for part in (self.output, *parts) if isinstance(part, Lambda)), default=0)

    @property
    def lines(self) -> "Lines":
        """The lines of the calls in the order of ``calls``, each with the lines of the functions in the call."""
        return _lines_in(self, {})

    def with_lines(self, lines: "Iterable[int | Line]") -> "Program":
        """The same program with its calls in other lines, in the order of ``calls``.

        A line may be combined with the lines of the functions in the call, as in ``lines``.
        """
        return _replaced(self, lines, {})

    def with_input(self, old: str, new: str) -> "Program":
        """The same program with an input renamed."""
        copies: dict[Term, Term] = {}
        for call in self.calls:
            function, *args = [_renamed(part, old, new, copies) for part in (call.function, *call.args)]
            copies[call] = Call(function, tuple(args), call.line)
        inputs = tuple(new if name == old else name for name in self.inputs)
        return Program(self.name, inputs, _renamed(self.output, old, new, copies))

    def __reduce__(self) -> tuple[Any, ...]:
        return _reread, (str(self), self.lines)

    def evaluate(self, inputs: Mapping[str, Any], **settings: Any) -> Any:
        """The program's value for these inputs by the reference: see ``arcloom.program.evaluate.evaluate``."""
        return type(self).evaluator(self, inputs, **settings)

    def __len__(self) -> int:
        return len(self.calls)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Program) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __str__(self) -> str:
        return type(self).printer(self)

    def __repr__(self) -> str:
        return f"<Program {self.name}: {len(self)} calls>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


Line = tuple[int, tuple["Lines", ...]]
Lines = tuple[Line, ...]


def _functions(call: Call) -> list[Lambda]:
    return [part for part in (call.function, *call.args) if isinstance(part, Lambda)]


def _lines_in(program: Program, known: dict[int, Lines]) -> Lines:
    """The lines of a program. ``known`` caches those of functions."""
    found = known.get(id(program))
    if found is None:
        found = known[id(program)] = tuple(
            (call.line, tuple(_lines_in(function.body, known) for function in _functions(call)))
            for call in program.calls
        )
    return found


def _replaced(program: Program, lines: Iterable[int | Line], known: dict[int, Program]) -> Program:
    """The program with other lines."""
    copies: dict[Term, Term] = {}
    for call, entry in zip(program.calls, lines, strict=False):
        line, inner = (entry, ()) if isinstance(entry, int) else entry
        for function, within in zip(_functions(call), inner, strict=False):
            if id(function) not in known:
                known[id(function)] = _replaced(function.body, within, known)
            copies[function] = Lambda(known[id(function)], function.captured)
        made, *args = [copies.get(part, part) for part in (call.function, *call.args)]
        copies[call] = Call(made, tuple(args), line)
    return Program(program.name, program.inputs, copies.get(program.output, program.output))


def _renamed(part: Term, old: str, new: str, copies: dict[Term, Term]) -> Term:
    if isinstance(part, Input) and part.name == old:
        return Input(new)
    return copies.get(part, part)


def _reread(text: str, lines: Lines) -> Program:
    """A program from its pickled form: its text and its lines."""
    return Program.parser(text)[-1].with_lines(lines)


def _digest(program: Program, renamed: Mapping[str, str]) -> str:
    """The content hash of a program, with the inputs in ``renamed`` renamed."""
    seen: dict[int, str] = {}
    for call in program.calls:
        parts = ",".join(_name(part, seen, renamed) for part in (call.function, *call.args))
        seen[id(call)] = hashlib.sha256(parts.encode()).hexdigest()[:32]
    return hashlib.sha256(_name(program.output, seen, renamed).encode()).hexdigest()[:32]


def _name(term: Term, seen: dict[int, str], renamed: Mapping[str, str]) -> str:
    match term:
        case Input(name):
            return f"input {renamed.get(name, name)}"
        case Literal(value):
            return f"literal {canonical(value)}"
        case Function(primitive):
            return f"primitive {primitive.name}"
        case Lambda(body, captured):
            return f"lambda {captured} of {len(body.inputs)} {body.shape}"
        case Call():
            return seen[id(term)]


def canonical(value: Any) -> str:
    """A text that is equal for equal constants. True and 1 have different texts, because their types differ."""
    if isinstance(value, tuple):
        return f"({','.join(map(canonical, value))})"
    return repr(value)


def walk(output: Term) -> Iterator[Call]:
    """The calls in a term, each once, in depth-first order: arguments from left to right, then the call."""
    return iter(_lines(output))


def _lines(output: Term) -> dict[Call, int]:
    """The calls in a term in the order of ``walk``, each with the greatest line of itself and its dependencies."""
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
