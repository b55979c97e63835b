"""Processes whose parent is killed: they end, whether they work, wait or still import modules."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from arcloom import child

PATIENCE = 60
"""Seconds to wait for something that takes less than one on an idle machine."""

SLOW = "def solve(I):\n    f = lambda g: rot90(g)\n    return power(f, 9999)(I)\n"


def wait_for(happens: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE
    while not happens() and time.monotonic() < end:
        time.sleep(0.05)
    return happens()


def children(parent: int) -> list[int]:
    """The processes that a process has started."""
    return [int(pid) for file in Path(f"/proc/{parent}/task").glob("*/children") for pid in file.read_text().split()]


def runs(pid: int) -> bool:
    """Whether a process exists and has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("work", ["solve", "judge"])
@pytest.mark.parametrize("seconds", [0.0, 4.0])
def test_a_killed_command_leaves_no_processes(work: str, seconds: float, tmp_path: Path) -> None:
    requests = tmp_path / "requests.jsonl"
    requests.write_text(json.dumps({"task": "68b16354", "program": SLOW}) + "\n")
    options = {
        "solve": ["--hide-own", "--budget", "2m", "--out", str(tmp_path / "out"), "--data", "arcagi:training"],
        "judge": ["-"],
    }[work]
    command = [sys.executable, "-m", "arcloom", work, "--workers", "2", *options]
    devnull = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=devnull, stderr=devnull) as process:
        assert process.stdin is not None
        process.stdin.write(requests.read_bytes() * 200)
        process.stdin.flush()
        assert wait_for(lambda: len(children(process.pid)) >= 2)
        time.sleep(seconds)
        started = children(process.pid)
        assert len(started) >= 2
        process.send_signal(signal.SIGKILL)
    assert wait_for(lambda: not any(map(runs, started)))


def test_a_process_that_never_reads_its_input(tmp_path: Path) -> None:
    (tmp_path / "endless.py").write_text("print(flush=True)\nwhile True: pass")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    pipe = subprocess.PIPE
    with subprocess.Popen(child.command("endless"), stdin=pipe, stdout=pipe, env=environment) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(b"never read")
        process.stdout.readline()
        process.stdin.close()
        assert process.wait(PATIENCE) == 0
