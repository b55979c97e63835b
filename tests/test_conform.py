"""Conformance examples, which the reference must pass."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from arcloom import conform as conforming
from arcloom.conform import ConformanceReport, Fault, conform, decode, encode
from arcloom.engine.devices.base import DeviceError
from arcloom.engine.results import Results
from arcloom.engine.run import run
from arcloom.tasks import DataError

EXAMPLES = Path(__file__).parent / "conformance" / "primitives.jsonl"
FAILS = {"error": "ValueError"}


def line(program: str, expected: Any, **inputs: Any) -> dict[str, Any]:
    return {"primitive": "made up", "program": program, "inputs": inputs, "expected": expected}


@pytest.fixture
def conformed(tmp_path: Path) -> Any:
    def run_lines(*lines: dict[str, Any]) -> ConformanceReport:
        path = tmp_path / "examples.jsonl"
        path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
        return conform(path)

    return run_lines


def test_the_reference_conforms() -> None:
    report = conform(EXAMPLES)
    assert (report.examples, report.primitives) == (2749, 160)
    assert [(bad.example.line, bad.example.program, bad.got) for bad in report.failed] == []


@pytest.mark.parametrize(
    ("value", "json_value"),
    [
        (3, 3),
        (True, True),
        (None, None),
        ((), ["t"]),
        (frozenset(), ["s"]),
        ((1, (2, None)), ["t", 1, ["t", 2, None]]),
        (frozenset({(3, 1), (1, 2)}), ["s", ["t", 1, 2], ["t", 3, 1]]),
    ],
)
def test_values_as_json(value: Any, json_value: Any) -> None:
    assert decode(json_value) == value
    assert encode(value) == json_value


@pytest.mark.parametrize("value", [1.5, "t", [], [1, 2], ["x", 1], {"a": 1}, ["t", ["t", 0.5]]])
def test_json_that_is_no_value_is_refused(value: Any) -> None:
    with pytest.raises(DataError, match=r"^here: .* is no value"):
        decode(value, "here")


@pytest.mark.parametrize(
    ("program", "expected", "got"),
    [
        ("O = totuple(a)", ["t", 1, 2], None),
        ("O = totuple(a)", ["s", 1, 2], (1, 2)),
        ("O = identity(a)", ["t", 1, 2], frozenset({1, 2})),
        ("O = size(a)", 3, 2),
        ("O = equality(a, a)", 1, None),
        ("O = divide(1, 0)", FAILS, None),
        ("O = size(a)", FAILS, 2),
        ("O = divide(1, 0)", 1, Fault("line 1: division by zero")),
        ("O = rot90(a)", FAILS, None),
        ("O = rot90(a)", 1, Fault("untyped: rot90: argument 1 must be grid, and it is set[int]")),
        ("O = rot90(", 1, Fault("not a program ('(' was never closed)")),
        ("O = index(((1, 2), (3, 4)), (7, 7))", None, None),
        ("O = divide(1, 0)", None, Fault("line 1: division by zero")),
    ],
)
def test_values_failures_and_types_are_compared(conformed: Any, program: str, expected: Any, got: Any) -> None:
    report = conformed(line(program, expected, a=["s", 1, 2]))
    assert [mismatch.got for mismatch in report.failed] == ([] if got is None else [got])
    assert report.passed == (1 if got is None else 0)


def test_mismatches_are_in_the_order_of_the_file(conformed: Any) -> None:
    report = conformed(
        line("O = size(a)", 9, a=["t"]), line("O = first(a)", 9, a=["t", 1]), line("O = size(a)", 9, a=["t"])
    )
    assert [mismatch.example.line for mismatch in report.failed] == [1, 2, 3]


def test_examples_of_one_program_and_type_run_at_once(conformed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[Any, ...]] = []

    def spy(programs: Sequence[Any], samples: Sequence[Any], **options: Any) -> Results:
        calls.append((len(programs), len(samples), str(options["inputs"]["a"])))
        return run(programs, samples, **options)

    monkeypatch.setattr(conforming, "run", spy)
    report = conformed(
        line("O = add(a, b)", 3, a=1, b=2),
        line("O = add(a, b)", ["t", 3, 4], a=["t", 1, 2], b=2),
        line("O = add(a, b)", 5, b=3, a=2),
        line("O = subtract(a, b)", 1, a=3, b=2),
    )
    assert calls == [(1, 2, "int"), (1, 1, "(int, int)"), (1, 1, "int")]
    assert report.passed == 4


def test_an_input_without_a_type_is_a_fault(conformed: Any) -> None:
    report = conformed(line("O = size(a)", 2, a=["s", 1, ["t", 1, 2, 3]]))
    [mismatch] = report.failed
    assert "there is no input a" in mismatch.got.message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no examples"),
        ("{", ":1: not JSON"),
        ("\n[]", ":2: an example is an object with primitive, program, inputs, expected"),
        ('{"primitive": "x", "program": "y", "inputs": {}}', "an example is an object"),
        ('{"primitive": "x", "program": 1, "inputs": {}, "expected": 1}', "program must be a string"),
        ('{"primitive": "x", "program": "y", "inputs": [], "expected": 1}', "inputs must be an object"),
        ('{"primitive": "x", "program": "y", "inputs": {"a": 0.5}, "expected": 1}', ":1, input a: 0.5 is no value"),
        ('{"primitive": "x", "program": "y", "inputs": {}, "expected": {}}', ":1, expected: {} is no value"),
    ],
)
def test_malformed_files(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "examples.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        conform(path)
    assert message in str(caught.value)


def test_a_value_can_be_nested_too_deeply(tmp_path: Path) -> None:
    value: Any = 1
    for _ in range(900):
        value = ["t", value]
    path = tmp_path / "examples.jsonl"
    path.write_text(json.dumps(line("O = size(a)", 1, a=value)), encoding="utf-8")
    with pytest.raises(DataError, match=r"nested too deeply|not JSON"):
        conform(path)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "examples.jsonl"
    path.write_bytes(b"\xff")
    with pytest.raises(DataError, match=r"not UTF-8 text \(byte 0\)"):
        conform(path)


def test_an_unknown_device_is_an_error() -> None:
    with pytest.raises(DeviceError, match="no device 'abacus'"):
        conform(EXAMPLES, "abacus")
