"""Fuzz searches that are stopped or killed at random times: the submission is complete, and the run can be resumed."""

import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from arcloom.store.damage import find_damage
from arcloom.tasks import load, submissions
from common import Fault, main

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
TASKS = ("68b16354", "67a3c6ac", "a416b8f3")
LATEST = 8.0
"""Maximum seconds between the start of a search and the signal."""

SOON = 20.0
"""Time limit in seconds for a search to end after a signal, on a busy machine."""


def command(folder: Path, *more: str) -> list[str]:
    """A search on a few tasks."""
    where = ["--data", str(folder / "tasks.json"), "--out", str(folder / "out"), "--workers", "1"]
    return [sys.executable, "-m", "arcloom", "solve", *where, *more]


def case(chance: random.Random, counts: Counter[str]) -> None:
    """Start a search, send it a signal, check its files, and resume it."""
    with tempfile.TemporaryDirectory(prefix="arcloom-fuzz-") as name:
        folder = Path(name)
        write_tasks(folder / "tasks.json")
        number = chance.choice(SIGNALS)
        code, output = stopped(folder, number, chance.uniform(0.0, LATEST))
        counts[f"{number.name}: exit code {code}"] += 1
        if code not in (0, -number, 130, 128 + number) or "Traceback" in output:  # 0: the search was complete before
            raise Fault(f"exit code {code} after {number.name}\n{output}")
        check(folder)
        done = subprocess.run(
            command(folder, "--generations", "1", "--resume"), capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise Fault(f"resuming: exit code {done.returncode}\n{done.stderr}")
        check(folder)
        counts["resumed"] += 1


def write_tasks(path: Path) -> None:
    """Write a few tasks of the training set as a file."""
    dataset = load("arcagi:training")
    pairs = {id: [{"input": p.input, "output": p.output} for p in dataset[id].train] for id in TASKS}
    tests = {id: [{"input": p.input} for p in dataset[id].test] for id in TASKS}
    path.write_text(json.dumps({id: {"train": pairs[id], "test": tests[id]} for id in TASKS}), encoding="utf-8")


def stopped(folder: Path, number: signal.Signals, seconds: float) -> tuple[int, str]:
    """The exit code and output of a search that gets a signal some seconds after its beginning."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs of a shell ignore it
    pipe, both = subprocess.PIPE, subprocess.STDOUT
    with subprocess.Popen(command(folder, "--budget", "5m"), stdout=pipe, stderr=both, text=True) as process:
        while not (folder / "out").exists() and process.poll() is None:
            time.sleep(0.01)  # before that, Python itself imports modules and prints its own traceback for Ctrl-C
        time.sleep(seconds)
        process.send_signal(number)
        try:
            output, _ = process.communicate(timeout=SOON)
        except subprocess.TimeoutExpired:
            process.kill()
            raise Fault(f"{number.name} did not end the search within {SOON:.0f} seconds") from None
        return process.returncode, output


def check(folder: Path) -> None:
    """Raise Fault if the submission is incomplete, the library is damaged, or temporary files are left."""
    out = folder / "out"
    path = out / "submission.json"
    if path.exists() and set(submissions.read(path)) != set(TASKS):
        raise Fault("the submission lacks tasks")
    if (out / "library.sqlite").exists() and (damage := find_damage(out / "library.sqlite")):
        raise Fault(f"the library is damaged: {damage}")
    left = [file.name for file in out.glob(".submission*")] if out.exists() else []
    if left:
        raise Fault(f"files were left: {left}")


if __name__ == "__main__":
    main(case, __doc__)
