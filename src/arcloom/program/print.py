"""Programs as text: one call a line, or nested."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from arcloom.dsl.constants import CONSTANTS
from arcloom.program.term import Call, Function, Input, Literal, Program, Term

OUTPUT = "O"
LONGEST_NESTED = 200
"""A nested call in more characters gets a line of its own; what is shorter, the parser does not find too deep."""


def to_text(program: Program, *, nested: bool = False) -> str:
    """The program as a function definition that parses back to an equal program.

    With ``nested``, a call that is used once and is not too long is written into the call that uses it.
    """
    taken = set(program.inputs)
    parts = [part for call in program.calls for part in (call.function, *call.args)]
    names = {id(part): repr(part.value) for part in parts if isinstance(part, Literal) and part.text in taken}
    uses = Counter(map(id, parts))
    lines: list[str] = []
    for call in program.calls:
        text = _call_text(call, names)
        if call is program.output:
            names[id(call)] = OUTPUT
        elif nested and uses[id(call)] == 1 and len(text) <= LONGEST_NESTED:
            names[id(call)] = text
            continue
        else:
            names[id(call)] = _fresh(len(lines) + 1, taken)
        lines.append(f"    {names[id(call)]} = {text}\n")
    header = f"def {program.name}({', '.join(program.inputs)}):\n"
    return header + "".join(lines) + f"    return {_text(program.output, names)}\n"


def all_to_text(programs: Iterable[Program], *, nested: bool = False) -> str:
    """Several programs as one solver file."""
    return "\n\n".join(to_text(program, nested=nested) for program in programs)


def literal_text(value: Any) -> str:
    """A constant in source form: by its name where it has one."""
    for name, known in CONSTANTS.items():
        if known == value and type(known) is type(value):
            return name
    return repr(value)


def _fresh(number: int, taken: set[str]) -> str:
    name = f"x{number}"
    while name in taken:
        name += "_"
    return name


def _call_text(call: Call, names: dict[int, str]) -> str:
    args = ", ".join(_text(arg, names) for arg in call.args)
    return f"{_text(call.function, names)}({args})"


def _text(term: Term, names: dict[int, str]) -> str:
    match term:
        case Input(name):
            return name
        case Literal() | Function():
            return names.get(id(term), term.text)
        case Call():
            return names[id(term)]
