"""A writer that is killed at any moment loses at most the generation in flight."""

import random
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import killed_writer as writer

from arcloom.store import Store

TIMES = 20


def killed(path: Path, seconds: float) -> int:
    """Have a process write for so long, kill it, and say which generation it told of last, or -1."""
    command = [sys.executable, writer.__file__, str(path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    told = [process.stdout.readline()]  # so that the moment falls among the writing, and not among Python's start
    time.sleep(seconds)
    process.kill()
    rest, _ = process.communicate()
    told += [line for line in rest.splitlines(keepends=True) if line.endswith("\n")]
    return max((int(line) for line in told if line.strip()), default=-1)


def test_whole_generations_survive(tmp_path: Path) -> None:
    path, chance = tmp_path / "library.sqlite", random.Random(5)
    known = -1
    for _ in range(TIMES):
        told = killed(path, chance.uniform(0, 0.03))
        assert told > known
        check_file(path)
        known = check_generations(path)
        assert known in (told, told + 1), "what was told is there, and at most one more"


def check_file(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()


def check_generations(path: Path) -> int:
    """Every generation is there as a whole, and the last is what a new process goes on from. Gives its number."""
    with Store.open(path) as store:
        run, following = writer.go_on(store)
        numbers = [generation.number for generation in store.generations(run)]
        assert numbers == list(range(following))
        assert len(store) == following * writer.PER_GENERATION
        assert len(store.programs_for(writer.TASK)) == len(store)
        stopped = store.resume(run)
        assert stopped is not None
        kept = [entry.program for entry in stopped.kept[writer.TASK]]
        assert kept == writer.programs(following - 1)
        return following - 1
