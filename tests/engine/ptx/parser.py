"""Parsing the text of PTX modules: the subset of the language that LLVM generates for functions of integers.

The grammar is that of NVIDIA's "PTX ISA" reference. Anything that is not known is an error.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field


class PtxError(Exception):
    """The text is not PTX, or it uses a feature that the simulator does not have."""


@dataclass(frozen=True)
class Register:
    """A register, or a special register such as %tid.x."""

    name: str


@dataclass(frozen=True)
class Immediate:
    """An integer constant."""

    value: int


@dataclass(frozen=True)
class Symbol:
    """The name of a variable, function, label or list of labels."""

    name: str


@dataclass(frozen=True)
class Address:
    """An address operand, ``[base+offset]``. The base is a register or a variable."""

    base: Register | Symbol
    offset: int


@dataclass(frozen=True)
class Group:
    """Several operands: a vector in braces, or the arguments or results of a call in parentheses."""

    items: tuple["Operand", ...]


Operand = Register | Immediate | Symbol | Address | Group


@dataclass(frozen=True)
class Instruction:
    """An instruction: the parts of its opcode, its operands, and the predicate that guards it, if any."""

    line: int
    opcode: tuple[str, ...]
    operands: tuple[Operand, ...]
    guard: str | None = None
    negated: bool = False

    @property
    def text(self) -> str:
        """The opcode as it is written."""
        return ".".join(self.opcode)


@dataclass(frozen=True)
class Label:
    """The target of branches."""

    name: str


@dataclass(frozen=True)
class Variable:
    """A variable in local or parameter memory: its name, alignment and size in bytes."""

    name: str
    align: int
    size: int


@dataclass
class Function:
    """A function. ``entry`` means that it can be launched."""

    name: str
    entry: bool
    results: list[Variable]
    params: list[Variable]
    registers: dict[str, str] = field(default_factory=dict)
    local: list[Variable] = field(default_factory=list)
    call_params: dict[str, Variable] = field(default_factory=dict)
    targets: dict[str, list[str]] = field(default_factory=dict)
    body: list[Instruction | Label] = field(default_factory=list)


@dataclass
class Module:
    """A PTX module: its version, the GPU that it is for, its functions by name, and the lines of its text."""

    version: str
    target: str
    functions: dict[str, Function]
    lines: list[str]


SIZES = {f"{kind}{bits}": bits // 8 for kind in "bus" for bits in (8, 16, 32, 64)}
"""The sizes in bytes of fundamental types."""

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_HEAD = re.compile(r"\.(visible|func|entry|weak|extern)\b")
_LABEL = re.compile(r"([\w$]+)\s*:\s*(\.branchtargets)?")
_STATEMENT = re.compile(r"[^;]*;")
_HEADER = re.compile(r"[^;{]*[;{]")


def parse(text: str) -> Module:
    """Parse a PTX module. Raises PtxError."""
    lines = text.split("\n")
    text = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
    start = re.match(r"\s*\.version\s+([\d.]+)\s+\.target\s+(\w+)\s+\.address_size\s+64\s", text)
    if start is None:
        raise PtxError("a module begins with .version, .target and .address_size 64")
    module, function = Module(start[1], start[2], {}, lines), None
    for line, statement in _statements(text, start.end()):
        try:
            if function is None:
                function = _header(module, statement)
            elif statement == "end of function":
                function = None
            else:
                _inside(function, line, statement)
        except PtxError as error:
            raise PtxError(f"line {line}: {error}") from error
    return module


def _statements(text: str, at: int) -> Iterator[tuple[int, str]]:
    """The statements of a module with the numbers of their lines: headers, declarations, labels and instructions."""
    line, counted, depth = 1, 0, 0
    while (at := _skip_space(text, at)) < len(text):
        line, counted = line + text.count("\n", counted, at), at
        if text[at] in "{}":
            depth += 1 if text[at] == "{" else -1
            at += 1
            if depth == 0:
                yield line, "end of function"
            continue
        pattern = _HEADER if _HEAD.match(text, at) else _STATEMENT
        found = _LABEL.match(text, at)
        if found is None or found[2]:
            found = pattern.match(text, at)
        if found is None:
            raise PtxError(f"line {line}: a statement does not end")
        at = found.end() - (found[0][-1] == "{")
        yield line, found[0].rstrip("{").strip()


def _skip_space(text: str, at: int) -> int:
    found = re.compile(r"\s*").match(text, at)
    assert found is not None
    return found.end()


_VARIABLE = re.compile(r"\.(?:param|local)\s+(?:\.align\s+(\d+)\s+)?\.(\w+)\s+([\w$]+)(?:\[(\d+)\])?$")
_FUNCTION = re.compile(
    r"(?:\.(?:visible|weak)\s+)?\.(func|entry)\s*(?:\((?P<results>[^)]*)\))?\s*(?P<name>[\w$]+)\s*\((?P<params>[^)]*)\)\s*;?$"
)


def _header(module: Module, statement: str) -> Function | None:
    """The function of a header; None if it is only declared."""
    found = _FUNCTION.match(statement)
    if found is None:
        raise PtxError(f"not the header of a function: {statement}")
    function = Function(found["name"], found[1] == "entry", _variables(found["results"]), _variables(found["params"]))
    if statement.endswith(";"):
        return None
    if function.name in module.functions:
        raise PtxError(f"{function.name} is defined twice")
    module.functions[function.name] = function
    return function


def _variables(text: str | None) -> list[Variable]:
    return [_variable(part.strip()) for part in (text or "").split(",") if part.strip()]


def _variable(text: str) -> Variable:
    found = _VARIABLE.match(text)
    if found is None or found[2] not in SIZES:
        raise PtxError(f"not a variable: {text}")
    size = SIZES[found[2]]
    return Variable(found[3], max(int(found[1] or 0), size), size * int(found[4] or 1))


_REGISTERS = re.compile(r"\.reg\s+\.(\w+)\s+(%[\w$]+)(?:<(\d+)>)?;$")


def _inside(function: Function, line: int, statement: str) -> None:
    """Add a statement to a function."""
    if found := _REGISTERS.match(statement):
        names = [found[2]] if found[3] is None else [f"{found[2]}{k}" for k in range(int(found[3]))]
        function.registers |= dict.fromkeys(names, found[1])
    elif statement.startswith(".local"):
        function.local.append(_variable(statement[:-1]))
    elif statement.startswith(".param"):
        variable = _variable(statement[:-1])
        if function.call_params.setdefault(variable.name, variable).size < variable.size:
            function.call_params[variable.name] = variable
    elif found := _LABEL.match(statement):
        if found[2]:
            function.targets[found[1]] = [each.strip() for each in statement[found.end() : -1].split(",")]
        else:
            function.body.append(Label(found[1]))
    elif not statement.startswith(".pragma"):  # pragmas are hints for the assembler
        function.body.append(_instruction(line, statement))


_INSTRUCTION = re.compile(r"(?:@(!?)(%\w+)\s+)?([a-z][\w.]*)\s*([^;]*);$")
_OPERAND = re.compile(r"\s*(\[[^]]*\]|\{[^}]*\}|\([^)]*\)|[^,\s][^,]*)\s*(?:,|$)")


def _instruction(line: int, statement: str) -> Instruction:
    found = _INSTRUCTION.match(statement)
    if found is None:
        raise PtxError(f"not an instruction: {statement}")
    opcode = tuple(found[3].replace("::", ".").split("."))
    return Instruction(line, opcode, _operands(found[4]), found[2], found[1] == "!")


def _operands(text: str) -> tuple[Operand, ...]:
    found, at = [], 0
    while at < len(text):
        part = _OPERAND.match(text, at)
        if part is None:
            raise PtxError(f"not operands: {text}")
        found.append(_operand(part[1].strip()))
        at = part.end()
    return tuple(found)


_ADDRESS = re.compile(r"\[\s*([%\w$.]+)\s*(?:\+\s*(-?\w+))?\s*\]$")


def _operand(text: str) -> Operand:
    if text[0] in "({":
        return Group(_operands(text[1:-1]))
    if text[0] == "[":
        found = _ADDRESS.match(text)
        if found is None:
            raise PtxError(f"not an address: {text}")
        base = _operand(found[1])
        if not isinstance(base, Register | Symbol):
            raise PtxError(f"not an address of a register or variable: {text}")
        return Address(base, int(found[2] or "0", 0))
    if text[0] == "%":
        return Register(text)
    if re.match(r"-?\d", text):
        return Immediate(int(text, 0))
    return Symbol(text)
