"""A short run of each fuzzer in the folder ``fuzz``. Long runs are part of ``make nightly``."""

import importlib
import os
import subprocess
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

APART = "accesses"
"""A fuzzer that replaces compiled code by Python functions, so it runs in a process of its own."""


@pytest.mark.parametrize("name", SECONDS)
def test_fuzzers_find_no_faults(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert {file.stem for file in FUZZ.glob("*.py")} == {*SECONDS, APART, "common"}
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


def run_apart(*args: str) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments in the folder of the fuzzers."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(
        [sys.executable, *args], cwd=FUZZ, env=environment, capture_output=True, text=True, check=False
    )


def test_memory_is_accessed_correctly() -> None:
    ended = run_apart(f"{APART}.py", "--minutes", "0.02")
    assert (ended.returncode, ended.stderr) == (0, "") and "rows" in ended.stdout


OVERFLOW = """
from dataclasses import replace
import accesses
from arcloom.engine.run import run

at = accesses.NAMES.index({kernel!r})
kernel = accesses.all_kernels()[at]
accesses.LAUNCHERS[at] = accesses.launcher(replace(kernel, {heap}=lambda *_: 0))
run(["def solve(I): return {call}"], [{{"I": ((1, 2),), "S": ()}}], device="cpu")
"""


@pytest.mark.parametrize(
    ("kernel", "heap", "call"), [("repeat_any_int", "words", "repeat(I, TWO)"), ("rot90_grid", "cells", "rot90(I)")]
)
def test_a_kernel_that_writes_more_than_it_declares_is_a_fault(kernel: str, heap: str, call: str) -> None:
    ended = run_apart("-c", OVERFLOW.format(kernel=kernel, heap=heap, call=call))
    assert "outside its room: range" in ended.stderr and f"<launcher of {kernel}>" in ended.stderr


UNWRITTEN = """
import numpy as np
from accesses import CheckedPointer

words = CheckedPointer(np.zeros(3, np.int64), written=False)
words[1] = 5
print(words[1])
words.free(0, 2)
words[{position}]
"""


@pytest.mark.parametrize(("position", "message"), [(1, "not written or was freed"), (3, "reads position 3 of 3")])
def test_reading_memory_that_has_no_value_is_a_fault(position: int, message: str) -> None:
    ended = run_apart("-c", UNWRITTEN.format(position=position))
    assert ended.stdout == "5\n" and message in ended.stderr
