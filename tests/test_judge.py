"""The command ``arcloom judge``: JSON lines in, JSON lines out."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from arcloom.cli import app
from arcloom.cli.judge import _lines
from arcloom.scoring import requests as module
from arcloom.scoring.requests import Feed, Requests
from arcloom.tasks import Dataset, Pair, Task

TASK = {"train": [{"input": [[1, 2]], "output": [[2, 1]]}], "test": [{"input": [[3, 4]], "output": [[4, 3]]}]}
RIGHT = {"task": "mirror", "program": "def solve(I):\n    return vmirror(I)"}


@pytest.fixture
def data(tmp_path: Path) -> str:
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "mirror.json").write_text(json.dumps(TASK))
    return str(tmp_path / "tasks")


def judged(data: str, *lines: object, options: tuple[str, ...] = ()) -> tuple[list[dict[str, Any]], int, str]:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    command = [sys.executable, "-m", "arcloom", "judge", "--data", data, "--device", "reference", *options]
    ended = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    return [json.loads(line) for line in ended.stdout.splitlines()], ended.returncode, ended.stderr


def test_requests_are_answered_in_order(data: str) -> None:
    wrong = {"task": "mirror", "program": "O = I", "id": {"a": 1}}
    answers, code, told = judged(data, RIGHT, wrong, {**RIGHT, "program": "import os"})
    assert [(answer["index"], answer["verdict"]) for answer in answers] == [
        (0, "right"),
        (1, "wrong"),
        (2, "unparsable"),
    ]
    assert (answers[0]["reward"], answers[1]["id"], answers[2]["line"]) == (1.0, {"a": 1}, 1)
    assert code == 0
    assert told.startswith("arcloom: 3 programs: 1 right, 1 wrong, 1 unparsable (")


def test_bad_lines_are_answered_with_errors(data: str) -> None:
    lines = ("not json", "[" * 100_000, "[1]", {"task": "mirror"}, {**RIGHT, "program": 5}, {**RIGHT, "task": "miror"})
    answers, code, _ = judged(data, *lines, "", RIGHT, options=("--outputs",))
    assert [answer.get("error", "") for answer in answers] == [
        "not JSON (Expecting value: line 1 column 1 (char 0))",
        answers[1]["error"],
        'a request is an object such as {"task": "a416b8f3", "program": "..."}',
        "program must be a string, but is missing",
        "program must be a string, but is of type int",
        f"{data} has no task 'miror'; did you mean mirror?",
        "",
    ]
    assert answers[1]["error"].startswith("not JSON (")
    assert (answers[-1]["index"], answers[-1]["outputs"]) == (6, [[[2, 1]], [[4, 3]]])
    assert code == 1


def test_answers_come_before_the_input_ends_and_ctrl_c_ends_the_command(data: str) -> None:
    command = [sys.executable, "-m", "arcloom", "judge", "--data", data, "--device", "reference"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdin.write(json.dumps(RIGHT) + "\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["verdict"] == "right"
        time.sleep(0.1)
        os.kill(process.pid, signal.SIGINT)
        assert process.stderr.read() == "arcloom: stopped after 1 programs: 1 right\n"
        assert process.wait() == 130


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--serve", "nowhere"), "--serve takes HOST:PORT such as 127.0.0.1:8000, not 'nowhere'"),
        (("--serve", "127.0.0.1:99999"), "--serve takes HOST:PORT"),
        (("--device", "abacus"), "there is no device 'abacus'"),
        (("missing.jsonl",), "missing.jsonl: No such file or directory"),
    ],
)
def test_user_errors_are_one_line(data: str, options: tuple[str, ...], message: str) -> None:
    ended = CliRunner().invoke(app, ["judge", "--data", data, *options])
    assert ended.exit_code == 2
    assert ended.stderr.startswith(f"arcloom: {message}")
    assert ended.stderr.count("\n") == 1


def test_long_lines_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_REQUEST", 20)
    long, short = b"x" * 100, b"{}"
    assert [len(line) for line in _lines(io.BytesIO(b"\n".join((long, short, long))))] == [22, 3, 22]
    read = Requests(Dataset("none", ()))
    assert read.read(0, long).error == "a request of more than 20 bytes"
    task = Task("a", (Pair(((1,),), ((1,),)),))
    read = Requests(Dataset("one", (task,)))
    assert "has no task" in str(read.checked(0, {"task": "x" * 1000, "program": ""}).error)


def test_a_feed_yields_batches_and_an_empty_one_when_it_is_empty() -> None:
    feed = Feed(3)
    feed.put(1)
    batches = feed.batches()
    assert (next(batches), next(batches)) == ([1], [])
    assert feed.offer([2, 3])
    assert not feed.offer([4, 5])
    assert (next(batches), next(batches)) == ([2, 3], [])
    feed.put(4)
    feed.end()
    assert list(batches) == [[4]]


@pytest.mark.parametrize("address", ["\u0661", "127.0.0.1:\u0661\u0662", "0", "65536", "-1", "9" * 5_000, ":", ""])
def test_an_address_that_cannot_be_served(address: str) -> None:
    result = CliRunner().invoke(app, ["judge", "--serve", address])
    assert result.exit_code == 2 and "HOST:PORT" in result.output
