"""The commands that search and that list differs."""

import json
import os
import re
import signal
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from arcloom.cli import app
from arcloom.cli import profile as profiling
from arcloom.cli import solve as solving
from arcloom.cli.live import Hidden
from arcloom.cluster.coordinator import Coordinator, SearchProgress
from cluster.small import setup
from schemas import documented

MIRROR = {"train": [{"input": [[1, 2]], "output": [[2, 1]]}], "test": [{"input": [[3, 4]], "output": [[4, 3]]}]}
ANSWER = [[9, 8, 7], [1, 6, 2], [3, 5, 4], [8, 1, 9]]
RIDDLE = {"train": [{"input": [[1]], "output": ANSWER}], "test": [{"input": [[5]]}, {"input": [[6, 6]]}]}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    small = partial(solving.searched, setup=setup())
    monkeypatch.setattr(solving, "searched", small)
    monkeypatch.setattr(profiling, "searched", small)
    (tmp_path / "tasks.json").write_text(json.dumps({"mirror": MIRROR, "riddle": RIDDLE}), encoding="utf-8")
    return tmp_path


def arc(*args: str, columns: int = 120) -> Result:
    return CliRunner().invoke(app, args, env={"COLUMNS": str(columns)})


def solved(*options: str) -> Result:
    return arc("solve", "--data", "tasks.json", "--generations", "2", "--workers", "1", *options)


def report(*options: str) -> dict[str, Any]:
    result = solved("--json", *options)
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = documented("solve", result.stdout)
    return found


def test_solve_prints_a_summary_and_writes_a_complete_submission() -> None:
    result = solved("--out", "here")
    assert result.exit_code == 0
    assert "solved 1 of 1 tasks of tasks.json with known answers" in result.stdout
    assert "wrote here/submission.json" in result.stdout
    submission = json.loads(Path("here/submission.json").read_text(encoding="utf-8"))
    assert {id: len(tests) for id, tests in submission.items()} == {"mirror": 1, "riddle": 2}
    assert [[4, 3]] in submission["mirror"][0].values()
    assert all(answer.keys() == {"attempt_1", "attempt_2"} for tests in submission.values() for answer in tests)


def test_json_has_the_counts() -> None:
    found = report("--seed", "5")
    assert (found["tasks"], found["known"], found["solved"], found["solved_tasks"]) == (2, 1, 1, ["mirror"])
    assert (found["seed"], found["generations"], found["workers"], found["stopped"]) == (5, 2, 1, False)
    assert found["submission"] == "submission.json"
    assert found["confidence"]["mirror"][0] > 0 and found["confidence"]["riddle"] == [0, 0]
    assert found["candidates"] > 20


SECTIONS = (
    "library",
    "enumeration",
    "running",
    "tracing",
    "merging",
    "scoring",
    "simplifying",
    "validating",
    "waiting",
)


def test_profile_and_trace() -> None:
    result = solved("--profile", "--trace", "trace.json")
    for section in (*SECTIONS, "all", "kernel", "between kernels"):
        assert f"\n{section} " in result.stdout
    events = json.loads(Path("trace.json").read_text(encoding="utf-8"))["traceEvents"]
    assert {"enumeration", "running"} <= {event["name"] for event in events}


def test_the_parts_of_a_profile_add_up() -> None:
    result = arc("profile", "--data", "tasks.json", "--generations", "2", "--workers", "2", "--json")
    assert result.exit_code == 0, result.output
    found = documented("profile", result.stdout)
    parts = {part["section"]: part["seconds"] for part in found["profile"]}
    assert set(SECTIONS) <= parts.keys()
    assert sum(parts.values()) == pytest.approx(found["profile_seconds"], rel=1e-3)
    kernels, inside = found["kernels"], sum(part["in_kernels"] for part in found["profile"])
    assert sum(kernel["seconds"] for kernel in kernels) == pytest.approx(inside, rel=0.03)
    mirror = next(kernel for kernel in kernels if kernel["kernel"] == "vmirror_grid")
    assert mirror["rows"] >= mirror["calls"] > 0
    assert mirror["ns_per_row"] == pytest.approx(mirror["seconds"] / mirror["rows"] * 1e9, rel=0.05)
    assert not list(Path().glob("*.sqlite")), "nothing is kept"


def test_a_profile_shows_some_kernels_or_all() -> None:
    options = ("profile", "--data", "tasks.json", "--generations", "2", "--workers", "1")
    some, every = arc(*options), arc(*options, "--all")
    assert "candidates in 2 generations on 2 tasks of tasks.json (cpu, 1 worker)" in some.stdout
    assert " others " in some.stdout and " others " not in every.stdout
    assert len(every.stdout.splitlines()) > len(some.stdout.splitlines())


def test_programs_of_the_user_are_tried_too() -> None:
    answer = tuple(map(tuple, ANSWER[::-1]))
    Path("mine.py").write_text(f"def solve_riddle(I):\n    O = hmirror({answer})\n    return O\n", encoding="utf-8")
    assert report("--out", "a")["solved_on_demonstrations"] == 1
    assert report("--library", "mine.py", "--out", "b")["solved_on_demonstrations"] == 2


def test_differs_of_the_user_are_used() -> None:
    Path("mine.txt").write_text("def differ_mine(C, O):\n    return first(ONE)\n", encoding="utf-8")
    result = solved("--differs", "mine.txt")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "mine.txt: differ_mine, line 2: first" in result.stderr
    Path("mine.txt").write_text("def differ_mine(C, O):\n    return height(O)\n", encoding="utf-8")
    assert report("--differs", "mine.txt")["solved"] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--workers 0", "a search needs at least one worker, but --workers is 0"),
        ("--shard 5/4", "'5/4' is no shard; write number/count"),
        ("--budget soon", "'soon' is no budget; write a number with s, m or h, such as 90s, 10m or 1h30m"),
        (f"--budget {'9' * 400}h", "a search may take at most 9999 hours; write a shorter time, such as 8h"),
        ("--device abacus", "there is no device 'abacus'"),
        ("--library none.py", "none.py: No such file or directory"),
        ("--differs none.txt", "none.txt: No such file or directory"),
        ("--out tasks.json", "tasks.json: File exists"),
    ],
)
def test_user_errors_are_one_line(options: str, message: str) -> None:
    result = solved(*options.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("arcloom: ") and message in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_search_with_its_results(number: signal.Signals, monkeypatch: pytest.MonkeyPatch) -> None:
    def signalled(_: Hidden, progress: SearchProgress) -> None:
        os.kill(os.getpid(), number)

    monkeypatch.setattr(Hidden, "__call__", signalled)
    before = signal.getsignal(number)
    result = arc("solve", "--data", "tasks.json", "--budget", "5m", "--workers", "1", "--json")
    assert result.exit_code == 130
    assert json.loads(result.stdout)["stopped"]
    assert json.loads(Path("submission.json").read_text(encoding="utf-8")).keys() == {"mirror", "riddle"}
    assert signal.getsignal(number) is before


def test_resume_names_the_run_that_it_continues() -> None:
    first = solved("--resume", "--out", "here")
    assert "there is no run on tasks.json in here/library.sqlite; a new one begins" in first.stderr
    again = solved("--resume", "--out", "here", "--json")
    assert "continuing the run on tasks.json from " in again.stderr
    assert json.loads(again.stdout)["solved"] == 1, "stored programs count, though no more generations were asked for"
    Path("other.json").write_text(json.dumps({"riddle": RIDDLE}), encoding="utf-8")
    other = arc("solve", "--data", "other.json", "--generations", "1", "--resume", "--out", "here")
    assert other.exit_code == 2
    assert "here/library.sqlite has no run on other.json to continue: its runs are on tasks.json" in other.stderr


def test_a_submission_is_replaced_only_on_request() -> None:
    solved("--out", "here")
    before = Path("here/submission.json").read_bytes()
    again = solved("--out", "here")
    assert again.exit_code == 2
    assert "here has the answers of an earlier run; use --resume to continue it, use --overwrite" in again.stderr
    fewer = arc("solve", "--data", "tasks.json", "--shard", "1/2", "--generations", "1", "--resume", "--out", "here")
    assert fewer.exit_code == 2 and "answers to 1 tasks that are not searched for now" in fewer.stderr
    assert Path("here/submission.json").read_bytes() == before
    stopped = arc("solve", "--data", "tasks.json", "--budget", "1s", "--workers", "1", "--resume", "--out", "here")
    assert stopped.exit_code == 0
    after = json.loads(Path("here/submission.json").read_bytes())
    assert after["mirror"] == json.loads(before)["mirror"], "the stored answers count, however short the search"
    assert solved("--out", "here", "--overwrite").exit_code == 0


def test_differs_are_listed(folder: Path) -> None:
    (folder / "mine.txt").write_text("def differ_mine(C, O):\n    return height(O)\n", encoding="utf-8")
    text = arc("differs").stdout
    assert "differ_cells    C, O     The share of correct cells." in text and "mine" not in text
    source = arc("differs", "--source").stdout
    assert "# The share of correct cells.\ndef differ_cells(C, O):" in source
    listed = documented("differs", arc("differs", "mine.txt", "--json").stdout)["differs"]
    assert "height(O)" in listed["differ_mine"] and "differ_cells" in listed


def test_a_file_without_differs_is_refused() -> None:
    Path("mine.py").write_text("def solve_a(I):\n    return I\n", encoding="utf-8")
    result = arc("differs", "mine.py")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "mine.py: solve_a is no differ" in result.stderr


def test_a_missing_extra_is_one_line_before_anything_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    result = arc("solve", "--data", "tasks.json", "--budget", "1s", "--cluster", "auto", "--out", "here")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "arcloom: a cluster needs Ray, which is not installed: pip install 'arcloom[ray]'\n"
    assert not Path("here").exists()


def test_the_summary_names_solved_tasks_their_origins_and_the_next_command() -> None:
    text = solved("--out", "here", "--seed", "3").stdout
    lines = [" ".join(line.split()) for line in text.splitlines()]
    [row] = [line for line in lines if line.endswith(" 1 mirror")]
    assert row.split()[0] in {"library", "enumeration", "repair", "induction", "merge"}
    assert "wrote here/submission.json and here/library.sqlite" in lines
    assert "arcloom report here" in lines and "arcloom trace --run here mirror" in lines
    assert "arcloom solve --data tasks.json --budget 10m --workers 1 --seed 3 --out here --resume" in lines


def test_the_next_commands_can_be_run() -> None:
    """Each is one line even on a narrow terminal, so that it can be copied."""
    options = ("--data", "tasks.json", "--generations", "2", "--workers", "1", "--out", "here")
    text = arc("solve", *options, columns=50).stdout.partition("next:")[2]
    assert max(map(len, text.splitlines())) > 50
    for command in text.strip().splitlines():
        _, *args = command.replace("--budget 10m", "--generations 2").split()
        assert arc(*args).exit_code == 0


def test_tasks_without_known_answers_are_listed_by_their_demonstrations() -> None:
    known = {"mirror": {**MIRROR, "test": [{"input": [[3, 4]]}]}}
    Path("tasks.json").write_text(json.dumps(known), encoding="utf-8")
    assert " 1 mirror" in " ".join(solved().stdout.split())


def test_candidates_of_earlier_sessions_are_counted_apart() -> None:
    first = report("--out", "here")
    assert (first["candidates_before"], first["expressions"] > 0) == (0, True)
    again = arc("solve", "--data", "tasks.json", "--generations", "3", "--workers", "1", "--out", "here", "--resume")
    assert re.search(
        rf" candidates in 3 generations, {first['candidates']:,} of them in earlier sessions: ", again.stdout
    )


def test_gpus_are_mentioned_only_on_request() -> None:
    assert solved("--device", "cpu").stderr == ""
    asked = solved("--device", "cuda")
    assert asked.exit_code == 2 and "--device cuda cannot be used" in asked.stderr


def test_a_problem_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = "task x is skipped; please report it:\nTraceback (most recent call last):\n  File ...\nKeyError: 5\n"
    monkeypatch.setattr(Coordinator, "all_failed", False)
    monkeypatch.setattr(Coordinator, "write", lambda self: self.problems.append(problem) if not self.problems else None)
    text = solved().stdout
    assert "problem: task x is skipped; please report it: KeyError: 5 (--json has the traceback)" in text
    assert "Traceback" not in text
