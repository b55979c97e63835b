"""The command ``arcloom check``: its input and output."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from arcloom.cli import app
from schemas import documented

TASKS = {
    "mirror": {
        "train": [{"input": [[1, 2]], "output": [[2, 1]]}, {"input": [[5, 6]], "output": [[6, 5]]}],
        "test": [{"input": [[3, 4]]}],
    },
    "same": {"train": [{"input": [[1, 2]], "output": [[1, 2]]}], "test": []},
}
RIGHT = "def solve_mirror(I):\n    return vmirror(I)\n"
WRONG = "def solve_same(I):\n    return vmirror(I)\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tasks.json").write_text(json.dumps(TASKS), encoding="utf-8")
    (tmp_path / "right.py").write_text(RIGHT, encoding="utf-8")
    (tmp_path / "wrong.py").write_text(WRONG, encoding="utf-8")
    return tmp_path


def arc(*args: str, **options: Any) -> Result:
    return CliRunner().invoke(app, args, env={"COLUMNS": "120"}, **options)


def words(result: Result) -> list[str]:
    """The lines of the output with single spaces."""
    return [" ".join(line.split()) for line in result.stdout.splitlines()]


def test_unknown_outputs_are_counted_apart() -> None:
    result = arc("check", "right.py", "--data", "tasks.json")
    assert result.exit_code == 0
    assert "1 right, 0 wrong, 0 failing, 0 untyped, 1 sample without a known output" in result.stdout


def test_show_draws_output_expected_and_difference() -> None:
    result = arc("check", "wrong.py", "--data", "tasks.json", "--show")
    assert result.exit_code == 1
    assert words(result)[2:6] == [
        "solve_same train[0]: wrong (wrong cells: 2, first (0, 0): 2, expected 1)",
        "input output expected difference",
        "┌────┐ ┌────┐ ┌────┐ ┌────┐",
        "│1 2 │ │2 1 │ │1 2 │ │1 2 │",
    ]


def test_show_without_an_output_or_with_another_size() -> None:
    Path("bad.py").write_text("def solve_same(I):\n    return hconcat(I, I)\n", encoding="utf-8")
    text = arc("check", "bad.py", "--data", "tasks.json", "--show").stdout
    assert "expected" in text and "difference" not in text
    Path("bad.py").write_text("def solve_same(I):\n    return subgrid(ofcolor(I, 9), I)\n", encoding="utf-8")
    assert "?" in arc("check", "bad.py", "--data", "tasks.json", "--show").stdout


def test_verbose_lists_all_samples() -> None:
    result = arc("check", "right.py", "--data", "tasks.json", "-v")
    assert words(result)[1:4] == [
        "mirror right train[0]",
        "mirror right train[1]",
        "mirror right test[0] the expected output is unknown",
    ]
    [found] = documented("check", arc("check", "right.py", "--data", "tasks.json", "-v", "--json").stdout)["results"]
    assert found["samples"][2] == {
        "sample": "test[0]",
        "verdict": "right",
        "output": [[4, 3]],
        "expected": None,
        "line": None,
        "message": "",
    }


def test_several_files_and_folders() -> None:
    Path("more/within").mkdir(parents=True)
    Path("more/within/again.py").write_text(WRONG, encoding="utf-8")
    result = arc("check", "right.py", "more", "--data", "tasks.json")
    assert result.exit_code == 1
    assert words(result)[:2] == [
        "file task verdict sample line why",
        "more/within/again.py same wrong train[0] wrong cells: 2, first (0, 0): 2, expected 1",
    ]
    assert "2 programs on 4 samples" in result.stdout


def test_standard_input() -> None:
    result = arc("check", "-", "--data", "tasks.json", input=RIGHT)
    assert result.exit_code == 0 and "1 right" in result.stdout
    broken = arc("check", "-", "--data", "tasks.json", input="import os\n")
    assert broken.exit_code == 2 and "<stdin>:1:1: programs cannot import anything" in broken.stderr
    watched = arc("check", "-", "--watch")
    assert (watched.exit_code, watched.stderr) == (2, "arcloom: standard input cannot be watched; name a file\n")


def test_data_are_the_bundled_sets_by_default() -> None:
    Path("own.py").write_text("def solve_a416b8f3(I):\n    return hconcat(I, I)\n", encoding="utf-8")
    result = arc("check", "own.py")
    assert result.exit_code == 0
    assert "1 program on 4 samples of arcagi:training: 1 right" in result.stdout


def test_a_misspelled_task_id_gets_suggestions() -> None:
    result = arc("check", "right.py", "-", "--data", "tasks.json", input=RIGHT.replace("mirror(I):", "miror(I):"))
    assert "1 program without a task in the data: solve_miror" in result.stdout
    assert "  solve_miror; did you mean mirror?" in result.stdout
    alone = arc("check", "-", "--data", "tasks.json", input=RIGHT.replace("mirror(I):", "miror(I):"))
    assert alone.exit_code == 2 and alone.stderr.endswith("did you mean mirror?\n")


def test_bad_task_files_are_named_and_skipped() -> None:
    Path("folder").mkdir()
    Path("folder/mirror.json").write_text(json.dumps(TASKS["mirror"]), encoding="utf-8")
    Path("folder/broken.json").write_text("{", encoding="utf-8")
    result = arc("check", "right.py", "--data", "folder")
    assert result.exit_code == 0
    assert result.stderr.startswith("arcloom: skipped folder/broken.json: not JSON: ")
    strict = arc("check", "right.py", "--data", "folder", "--strict")
    assert strict.exit_code == 2 and strict.stderr.startswith("arcloom: folder/broken.json: not JSON: ")


def test_watch_checks_again_after_a_change(monkeypatch: pytest.MonkeyPatch) -> None:
    changes: list[Callable[[], object]] = [
        lambda: None,
        lambda: Path("right.py").write_text(RIGHT.replace("vmirror", "hmirror") + "\n", encoding="utf-8"),
        lambda: Path("right.py").unlink(),
    ]

    def sleep(_: float) -> None:
        if not changes:
            raise KeyboardInterrupt
        changes.pop(0)()

    monkeypatch.setattr("arcloom.cli.check.time.sleep", sleep)
    result = arc("check", "right.py", "--data", "tasks.json", "--watch")
    assert result.exit_code == 130
    assert "1 right" in result.stdout and "1 wrong" in result.stdout
    assert "right.py" in result.stderr and "waiting for changes; Ctrl-C ends" in result.stderr
