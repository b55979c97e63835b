"""A search that is killed at any moment goes on where it was, and loses at most the generation in flight."""

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

from arcloom.store import Store
from search import killed_solver as solver

KILLS = 20
GRIDS = {"mirror": [[[1, 2, 0]], [[0, 2, 1]]], "riddle": [[[1, 0], [0, 3]], [[9, 8, 7], [3, 4, 4]]]}


def test_twenty_kills_of_whole_runs(tmp_path: Path) -> None:
    tasks = {
        id: {"train": [{"input": given, "output": wanted}], "test": [{"input": given}, {"input": [[5, 6, 7]]}]}
        for id, (given, wanted) in GRIDS.items()
    }
    (tmp_path / "tasks.json").write_text(json.dumps(tasks), encoding="utf-8")
    command = [sys.executable, solver.__file__, str(tmp_path), str(KILLS)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        known = -1
        for _ in range(KILLS):
            told = int(process.stdout.readline())
            stored = check_library(tmp_path / "library.sqlite")
            assert max(known, told) <= stored <= max(known, told + 1), "what was told is there, and at most one more"
            check_submission(tmp_path / "submission.json")
            known = stored
            process.stdin.write("\n")
            process.stdin.flush()
    assert process.returncode == 0
    assert known >= KILLS // 2 - 1, "every other run came to search"
    assert check_library(tmp_path / "library.sqlite") >= known
    assert check_submission(tmp_path / "submission.json")
    with Store.open(tmp_path / "library.sqlite") as store:
        *killed, last = store.runs()
    assert last.ended is not None and all(run.ended is None for run in killed)


def check_library(path: Path) -> int:
    """The file is sound, and its runs went on from one another without a gap. Gives the last generation, or -1."""
    if not path.exists():
        return -1
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()
    with Store.open(path) as store:
        numbers = [generation.number for run in store.runs() for generation in store.generations(run)]
    assert numbers == list(range(len(numbers)))
    return len(numbers) - 1


def check_submission(path: Path) -> bool:
    """The file has two attempts for everything, or is not there yet."""
    if not path.exists():
        return False
    found = json.loads(path.read_text(encoding="utf-8"))
    assert {id: [set(test) for test in tests] for id, tests in found.items()} == {
        id: [{"attempt_1", "attempt_2"}] * 2 for id in GRIDS
    }
    return True
