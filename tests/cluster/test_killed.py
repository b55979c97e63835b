"""A search that is killed at any moment can be resumed, and ends with the submission of an uninterrupted run."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

from arcloom.store import Store, runs
from cluster import killed_solver as solver
from cluster.small import REAL, begun, contents, real_tasks, searched

KILLS, GENERATIONS = 20, 14


def test_twenty_kills(tmp_path: Path) -> None:
    command = [sys.executable, solver.__file__, str(tmp_path), str(KILLS), str(GENERATIONS)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment) as process:
        assert process.stdin is not None and process.stdout is not None
        stored = 0
        for _ in range(KILLS):
            assert process.stdout.readline() == "killed\n"
            stored = check_library(tmp_path / "library.sqlite", stored)
            check_submission(tmp_path / "submission.json")
            process.stdin.write("\n")
            process.stdin.flush()
    assert process.returncode == 0
    assert stored > 0, "the runs came to search"
    check_end(tmp_path)


def check_end(folder: Path) -> None:
    """Check that the submission and the state of all tasks are those of an uninterrupted run."""
    (folder / "whole").mkdir()
    with Store.open(folder / "library.sqlite") as store, Store.in_memory() as other:
        run = begun(other)
        searched(real_tasks(), other, run, GENERATIONS, out=folder / "whole")
        [killed] = runs.runs(store)
        assert killed.ended is not None
        for task in real_tasks():
            assert contents(store, killed, task) == contents(other, run, task)
    assert (folder / "submission.json").read_bytes() == (folder / "whole" / "submission.json").read_bytes()


def check_library(path: Path, before: int) -> int:
    """Check that the library is undamaged and has lost nothing. Returns the number of stored generations."""
    if not path.exists():
        return 0
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()
    with Store.open(path) as store:
        steps = [step for run in runs.runs(store) for step in runs.steps(store, run)]
    for id in REAL:
        numbers = sorted(step.generation for step in steps if step.task.id == id)
        assert numbers == list(range(1, len(numbers) + 1)), "generations follow one another without a gap"
    assert len(steps) >= before
    return len(steps)


def check_submission(path: Path) -> None:
    """Check that the submission, if it exists, has two attempts for every test input."""
    if path.exists():
        found = json.loads(path.read_text(encoding="utf-8"))
        assert found.keys() == set(REAL)
        assert all(set(test) == {"attempt_1", "attempt_2"} for tests in found.values() for test in tests)
