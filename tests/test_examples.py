"""The examples run and print the expected output."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
PRINTED = {
    "score_batch.py": ["0 a416b8f3 right", "1 67a3c6ac wrong", "4 a416b8f3 unparsable", "cannot be used in a program"],
    "reward.py": ["TRL: [1.0, ", "verl: 1.0"],
    "batt.py": ["twice 0 equal", "mirrored 2 another output", "too_far 1 line 8: there is no such element"],
    "steps.py": ["x1 = vmirror(I)", "the output is wrong"],
}


def test_every_example_is_run() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == PRINTED.keys()


@pytest.mark.parametrize("name", PRINTED)
def test_an_example_runs(name: str, tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, EXAMPLES / name], capture_output=True, text=True, check=False, cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"}, encoding="utf-8",
    )  # fmt: skip
    assert (ended.returncode, ended.stderr) == (0, "")
    assert [words for words in PRINTED[name] if words not in ended.stdout] == []
