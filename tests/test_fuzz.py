"""A short run of each fuzzer in the folder ``fuzz``. Long runs are part of ``make nightly``."""

import importlib
import sys
from pathlib import Path

import pytest

FUZZ = Path(__file__).parents[1] / "fuzz"
SECONDS = {
    "texts": 3.0,
    "typed": 3.0,
    "tasks": 2.0,
    "libraries": 2.0,
    "caches": 0.0,
    "signals": 0.0,
    "commands": 2.0,
    "servers": 2.0,
}
"""Seconds of each fuzzer. At least one case runs."""


@pytest.mark.parametrize("name", SECONDS)
def test_fuzzers_find_no_faults(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert {file.stem for file in FUZZ.glob("*.py")} == {*SECONDS, "common"}
    monkeypatch.setattr(sys, "path", [str(FUZZ), *sys.path])
    case = importlib.import_module(name).case
    counts, faults = importlib.import_module("common").run(case, seed=0, seconds=SECONDS[name])
    assert faults == [] and counts["cases"] > 0


def test_a_fault_is_printed_with_its_seed_and_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(FUZZ), *sys.path])

    def case(chance: object, counts: object) -> None:
        raise ZeroDivisionError("a bug")

    counts, [fault] = importlib.import_module("common").run(case, seed=3, seconds=0.0, only=7)
    assert counts == {"cases": 1, "faults": 1}
    assert fault.startswith("--seed 3 --case 7\n") and "ZeroDivisionError: a bug" in fault
