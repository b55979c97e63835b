"""Conformance tests: the results of programs for given inputs are compared with expected results."""

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from arcloom.dsl.meter import DEFAULT_BUDGET
from arcloom.dsl.signature import Type, type_of
from arcloom.dsl.values import ordered
from arcloom.engine.devices import DEFAULT_DEVICE
from arcloom.engine.run import run
from arcloom.files import read_whole
from arcloom.program.outcomes import NoValue, same_outcome
from arcloom.program.parse import ParseError, parse_one
from arcloom.tasks import DataError

KINDS = {"t": tuple, "s": frozenset}
"""The container type of a JSON list, by its first element."""

FIELDS = {"primitive": str, "program": str, "inputs": dict, "expected": object}
"""The keys of each line."""


@dataclass(frozen=True)
class Fault(NoValue):
    """The result of a program that is untyped or fails. As an expected result it has no message."""

    message: str = ""


@dataclass(frozen=True)
class ConformanceExample:
    """One line of a conformance file. ``expected`` is a value or a Fault."""

    line: int
    primitive: str
    program: str
    inputs: Mapping[str, Any]
    expected: Any


@dataclass(frozen=True)
class Discrepancy:
    """An example, and the result that differs from the expected one: a value or a Fault."""

    example: ConformanceExample
    got: Any


@dataclass(frozen=True)
class ConformanceReport:
    """The results of the examples in a file. ``device`` names the devices that ran, separated by commas."""

    file: str
    device: str
    examples: int
    primitives: int
    failed: tuple[Discrepancy, ...]
    fallback_programs: tuple[str, ...]
    seconds: float

    @property
    def passed(self) -> int:
        """The number of examples with the expected result."""
        return self.examples - len(self.failed)


def conform(path: str | Path, device: str = DEFAULT_DEVICE, budget: int = DEFAULT_BUDGET) -> ConformanceReport:
    """Run all examples of a JSONL file on a device and compare the results exactly.

    A line is ``{"primitive", "program", "inputs", "expected"}``, where ``["t", ...]`` is a tuple, ``["s", ...]`` a set,
    null is None, and the expected result ``{"error": ...}`` is a failure. Raises DataError for a malformed line.
    ``budget`` is the maximum work of a call site in a run (see docs/language.md).
    """
    start = time.perf_counter()
    examples = read(path)
    failed: list[Discrepancy] = []
    fallback: dict[str, None] = {}
    devices: set[str] = set()
    for group in _groups(examples):
        ran = _outcomes(group, device, budget)
        pairs = zip(group, ran.values, strict=True)
        failed += [Discrepancy(example, got) for example, got in pairs if not same_outcome(example.expected, got)]
        fallback |= dict.fromkeys([group[0].program] if ran.fell_back else [])
        devices |= {ran.device} if ran.device else set()
    failed.sort(key=lambda mismatch: mismatch.example.line)
    primitives = len({example.primitive for example in examples})
    seconds = time.perf_counter() - start
    named = ", ".join(sorted(devices)) or device
    return ConformanceReport(str(path), named, len(examples), primitives, tuple(failed), tuple(fallback), seconds)


def read(path: str | Path) -> list[ConformanceExample]:
    """The examples in a file. Raises DataError for a malformed line."""
    try:
        text = read_whole(path).decode()
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not UTF-8 text (byte {error.start})") from None
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not lines:
        raise DataError(f"{path}: no examples; each line of the file is one")
    return [_example(line, number, f"{path}:{number}") for number, line in lines]


def _example(text: str, number: int, where: str) -> ConformanceExample:
    fields = _fields(text, where)
    inputs = {name: decode(value, f"{where}, input {name}") for name, value in fields["inputs"].items()}
    return ConformanceExample(
        number, fields["primitive"], fields["program"], inputs, _expectation(fields["expected"], where)
    )


def _fields(text: str, where: str) -> dict[str, Any]:
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        raise DataError(f"{where}: not JSON") from None
    if not isinstance(fields, dict) or not FIELDS.keys() <= fields.keys():
        raise DataError(f"{where}: an example is an object with {', '.join(FIELDS)}")
    for name, kind in FIELDS.items():
        if not isinstance(fields[name], kind):
            raise DataError(f"{where}: {name} must be {'an object' if kind is dict else 'a string'}")
    return fields


def _expectation(value: Any, where: str) -> Any:
    return Fault() if isinstance(value, dict) and "error" in value else decode(value, f"{where}, expected")


def decode(value: Any, where: str = "value") -> Any:
    """A value of the language from JSON. Raises DataError, with a message that begins with ``where``."""
    try:
        return _decoded(value, where)
    except RecursionError:
        raise DataError(f"{where}: nested too deeply") from None


def _decoded(value: Any, where: str) -> Any:
    match value:
        case [str(kind), *parts] if kind in KINDS:
            return KINDS[kind](_decoded(part, where) for part in parts)
        case None | bool() | int():
            return value
    raise DataError(f'{where}: {json.dumps(value)[:40]} is no value; values are ints, ["t", ...], ["s", ...] and null')


def encode(value: Any) -> Any:
    """A value of the language, or a Fault, as JSON."""
    match value:
        case Fault():
            return {"error": value.message}
        case tuple():
            return ["t", *map(encode, value)]
        case frozenset():
            return ["s", *map(encode, ordered(value))]
        case _:
            return value


def _groups(examples: list[ConformanceExample]) -> Iterator[list[ConformanceExample]]:
    """The examples in groups that can run together: of one program, with inputs of the same types."""
    groups: dict[tuple[Any, ...], list[ConformanceExample]] = {}
    for example in examples:
        types = ((name, type_of(value)) for name, value in example.inputs.items())
        groups.setdefault((example.program, *sorted(types, key=lambda entry: entry[0])), []).append(example)
    yield from groups.values()


class _GroupResult(NamedTuple):
    """The results of a group: a value or a Fault for each example, whether the program ran on the reference instead of
    the device, and the device that ran it; None if the program did not run."""

    values: list[Any]
    fell_back: bool = False
    device: str | None = None


def _outcomes(group: list[ConformanceExample], device: str, budget: int) -> _GroupResult:
    """Run a group on a device."""
    types = {name: type_of(value) for name, value in group[0].inputs.items()}
    try:
        program = parse_one(group[0].program)
    except ParseError as error:
        return _GroupResult([Fault(error.message)] * len(group))
    inputs = [example.inputs for example in group]
    results = run([program], inputs, device=device, budget=budget, inputs=_known(types), typed_only=True)
    if results.untyped:
        return _GroupResult([Fault(f"untyped: {results.untyped[0].message}")] * len(group))
    failures = [results.failure(0, row) for row in range(len(group))]
    values = [Fault(str(f)) if f else results.output(0, row) for row, f in enumerate(failures)]
    return _GroupResult(values, bool(results.fallback_programs), results.device)


def _known(types: Mapping[str, Type | None]) -> dict[str, Type]:
    """The inputs with a type. A program that reads another input is untyped."""
    return {name: type for name, type in types.items() if type is not None}
