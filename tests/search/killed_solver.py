"""Runs of ``arcloom solve --resume`` that are killed, for ``test_killed.py``: ``python killed_solver.py FOLDER KILLS``.

Each run is a process of its own, forked from this one, so that what is killed is a search and not Python's start. Of
all that makes starting long there is little: a few programs and operations, and the reference in the same process.
After each kill, the last generation that the run told of is printed, and a line is awaited. The last run is not killed.
"""

import os
import random
import signal
import sys
import tempfile
import time
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path

import pytest

from arcloom.cli import app
from arcloom.cli.live import Live
from arcloom.library import bundled
from arcloom.search import explored, session, solve
from arcloom.search.sources.enumeration import Explored
from arcloom.enumerate.operations import operations
from arcloom.search.review.validate import Validator

PROGRAMS, OPERATIONS, MORE = 20, 12, 3
LONGEST = 0.4
"""After so many seconds at most a run is killed."""


def make_small(tasks: str) -> None:
    """Have searches start quickly, and write their submission after every generation."""
    few, some = bundled()[:PROGRAMS], list(operations())[:OPERATIONS]
    patch = pytest.MonkeyPatch()
    patch.setattr(session, "bundled", lambda: few)
    patch.setattr(session, "lessons", list)
    patch.setattr(session, "TRAINING", tasks)
    patch.setattr(session, "Explored", partial(Explored, some, tasks=1))
    patch.setattr(session, "Validator", partial(Validator, workers=0))
    patch.setattr(explored, "TRIES", 100)
    patch.setattr(solve, "WRITE_EVERY", 0.0)


def solved(folder: Path, *options: str) -> object:
    """Run the command; its exit code."""
    arguments = ["solve", "--data", str(folder / "tasks.json"), "--out", str(folder), "--device", "cpu", "--resume"]
    return app([*arguments, *options], standalone_mode=False)


def load_kernels(folder: Path) -> None:
    """Search once elsewhere, so that no run has to load kernels."""
    with tempfile.TemporaryDirectory() as elsewhere, redirect_stdout(sys.stderr):
        solved(folder, "--generations", "6", "--out", elsewhere)


def told_to(pipe: int) -> None:
    """Have searches write each generation that they have stored to a pipe."""
    patch = pytest.MonkeyPatch()
    patch.setattr(Live, "__call__", lambda _, progress: os.write(pipe, b"%d\n" % (progress.generation - 1)))


def killed(folder: Path, seconds: float, *, searching: bool) -> int:
    """Run for so long, from the start or from the first generation on; the last generation told of, or -1."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        told_to(writing)
        solved(folder, "--budget", "1h")
        os._exit(1)
    os.close(writing)
    with os.fdopen(reading, "rb") as told:
        first = told.readline() if searching else b""
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return max(map(int, (first + told.read()).splitlines()), default=-1)


def main(folder: Path, kills: int) -> None:
    """Kill some runs, and let one come to its end."""
    make_small(str(folder / "tasks.json"))
    load_kernels(folder)
    chance, last = random.Random(5), -1
    for kill in range(kills):
        last = max(last, killed(folder, chance.uniform(0, LONGEST), searching=kill % 2 == 1))
        print(last, flush=True)
        sys.stdin.readline()
    with redirect_stdout(sys.stderr):
        solved(folder, "--generations", str(last + 1 + MORE))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
