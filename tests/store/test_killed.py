"""A writer that is killed at any moment loses at most its last delta."""

import random
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import killed_writer as writer

from arcloom.store import Store, runs

TIMES = 20


def killed(path: Path, seconds: float) -> int:
    """Let a process write for some time, kill it, and return the last generation that it printed."""
    command = [sys.executable, writer.__file__, str(path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    printed = [process.stdout.readline()]  # wait until the process has started to write
    time.sleep(seconds)
    process.kill()
    rest, _ = process.communicate()
    printed += [line for line in rest.splitlines(keepends=True) if line.endswith("\n")]
    return max(int(line) for line in printed)


def test_whole_deltas_survive(tmp_path: Path) -> None:
    path, chance = tmp_path / "library.sqlite", random.Random(5)
    known = 0
    for _ in range(TIMES):
        printed = killed(path, chance.uniform(0, 0.03))
        assert printed > known
        check_file(path)
        known = check_state(path)
        assert known in (printed, printed + 1), "all that was printed is stored, and at most one delta more"


def check_file(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def check_state(path: Path) -> int:
    """Every delta is stored as a whole. Returns the number of the last one."""
    with Store.open(path) as store:
        run, following = writer.go_on(store)
        last = following - 1
        expected = writer.delta(last)
        assert [step.generation for step in runs.steps(store, run)] == list(range(1, following))
        assert len(store) == len(store.programs_for(writer.TASK)) == last * writer.PER_GENERATION
        record = runs.task_record(store, run, writer.TASK)
        assert record is not None
        assert record.members == list(expected.added)
        assert len(record.votes) == last
        assert record.seen == {"card": b"".join(number.to_bytes(8) for number in range(1, following))}
        assert runs.attempts(store, run) == {writer.TASK: list(expected.attempts)}
        return last
