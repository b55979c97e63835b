"""Printing programs: one call per line, or nested."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from arcloom.dsl.constants import CONSTANTS
from arcloom.dsl.python import BUILTINS, Builtin
from arcloom.program.term import Call, Function, Input, Lambda, Literal, Program, Term

OUTPUT = "O"
LONGEST_NESTED = 200
"""Maximum number of characters of a nested call, so that it stays within the parser's limit of depth. A longer one gets
its own line."""

INDENT = "    "


def to_text(program: Program, *, nested: bool = False) -> str:
    """The program as a function definition that parses back to an equal program.

    With ``nested``, a call that is used once and is not too long is printed inside the call that uses it.
    """
    printer = _Printer(program, nested)
    header = f"def {program.name}({', '.join(program.inputs)}):\n"
    return header + "".join(f"{INDENT}{line}\n" for line in printer.body(program, {}, OUTPUT))


def all_to_text(programs: Iterable[Program], *, nested: bool = False) -> str:
    """Several programs as one solver file."""
    return "\n\n".join(to_text(program, nested=nested) for program in programs)


def literal_text(value: Any) -> str:
    """The source text of a constant: its name if it has one."""
    for name, known in CONSTANTS.items():
        if known == value and type(known) is type(value):
            return name
    return repr(value)


class _Printer:
    """Prints a program and its functions, with unique names."""

    def __init__(self, program: Program, nested: bool) -> None:
        self.nested = nested
        self.taken = set(program.inputs)

    def body(self, program: Program, inputs: dict[str, str], output: str | None = None) -> list[str]:
        """The lines of a program or function. ``inputs`` maps its inputs to names."""
        parts = [part for call in program.calls for part in (call.function, *call.args)]
        names = {id(part): repr(part.value) for part in parts if isinstance(part, Literal) and part.text in self.taken}
        for part in (*parts, program.output):
            if isinstance(part, Input):
                names[id(part)] = inputs.get(part.name, part.name)
        uses = Counter(map(id, parts))
        uses.update(id(arg) for call in program.calls if _needs_names(call.function) for arg in call.args)
        lines: list[str] = []
        count = 0
        for call in program.calls:
            lines += self._functions((call.function, *call.args), names)
            if isinstance(call.function, Lambda) and call.function.captured:
                lines += self._define(call.function, names, [_text(arg, names) for arg in call.args])
                names[id(call)] = names.pop(id(call.function))
                continue
            text = _call_text(call, names)
            if call is program.output and output is None:
                names[id(call)] = text
                break
            if call is program.output and output:
                names[id(call)] = output
            elif self.nested and uses[id(call)] == 1 and len(text) <= LONGEST_NESTED:
                names[id(call)] = f"({text})" if _is_operation(call.function) else text
                continue
            else:
                count += 1
                names[id(call)] = self._fresh(f"x{count}" if output else f"y{count}")
            lines.append(f"{names[id(call)]} = {text}")
        lines += self._functions((program.output,), names)
        return [*lines, f"return {_text(program.output, names)}"]

    def _functions(self, parts: Iterable[Term], names: dict[int, str]) -> Iterator[str]:
        """The lines that define those functions among these terms that have no name yet."""
        for part in parts:
            if isinstance(part, Lambda) and not part.captured and id(part) not in names:
                yield from self._define(part, names, [])

    def _define(self, function: Lambda, names: dict[int, str], captured: list[str]) -> list[str]:
        """The lines that define a function."""
        name = names[id(function)] = self._fresh("f1")
        params = [self._fresh(param if param.isidentifier() else "a") for param in function.parameters]
        inputs = dict(zip(function.body.inputs, (*captured, *params), strict=True))
        body = self.body(function.body, inputs)
        return [f"def {name}({', '.join(params)}):", *(f"{INDENT}{line}" for line in body)]

    def _fresh(self, name: str) -> str:
        """A new name like this one, which is not a name of the language."""
        stem = name.rstrip("0123456789_") or name
        number = int(name[len(stem) :].strip("_") or 1)
        while name in self.taken:
            number += 1
            name = f"{stem}{number}"
        self.taken.add(name)
        return name


def _needs_names(function: Term) -> bool:
    """Whether the arguments of a function must be names, because Python would evaluate them in another order."""
    return isinstance(function, Lambda) or (isinstance(function, Function) and function.primitive is BUILTINS["if"])


def _is_operation(function: Term) -> bool:
    """Whether calls of a function are printed with an operator."""
    return isinstance(function, Function) and isinstance(function.primitive, Builtin) and bool(function.primitive.text)


def _call_text(call: Call, names: dict[int, str]) -> str:
    args = [_text(arg, names) for arg in call.args]
    function = call.function
    if isinstance(function, Function) and isinstance(function.primitive, Builtin) and function.primitive.text:
        return _operation_text(function.primitive.text, args)
    return f"{_text(function, names)}({', '.join(args)})"


def _operation_text(text: str, args: list[str]) -> str:
    if text == "tuple":
        return f"({', '.join(args)}{',' if len(args) == 1 else ''})"
    if text == "set":
        return f"{{{', '.join(args)}}}"
    return text.format(*(f"({arg})" if arg.startswith("-") else arg for arg in args))


def _text(term: Term, names: dict[int, str]) -> str:
    match term:
        case Literal() | Function():
            return names.get(id(term), term.text)
        case _:
            return names[id(term)]


Program.printer = staticmethod(to_text)
