"""Solving in shards: merged libraries and submissions are those of a run without shards."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from arcloom.cli import app
from arcloom.cluster.solve import Shard, solve
from arcloom.search.setup import Setup
from arcloom.store import Store, runs
from arcloom.tasks.task import Dataset
from schemas import documented
from search.small import MIRROR, PAINT, RIDDLE, task

TURN = task("again", ((((1, 2), (3, 4)), ((4, 3), (2, 1))),), ((((5, 6),), ((6, 5),)),))
DATASET = Dataset("small", (RIDDLE, MIRROR, PAINT, TURN))
SETUP = Setup(
    bundled=False,
    derived=False,
    operations=["hmirror", "vmirror", "rot90"],
    library=["def solve_x(I):\n    return vmirror(I)\n\ndef solve_y(I):\n    return replace(I, ONE, TWO)\n"],
)
SHARDS = 3


def solved(out: Path, generations: int, shard: Shard | None = None, resume: bool = False) -> Path:
    solve(DATASET, generations=generations, shard=shard, out=out, workers=1, setup=SETUP, resume=resume)
    return out


def arc(*args: object) -> Result:
    return CliRunner().invoke(app, list(map(str, args)), env={"COLUMNS": "200"})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folders of a run, of its shards, and of the merged shards."""
    folder = tmp_path_factory.mktemp("shards")
    solved(folder / "whole", 3)
    for number in range(1, SHARDS + 1):
        solved(folder / f"part{number}", 3, Shard(number, SHARDS))
    for kind, file in (("library", "library.sqlite"), ("submission", "submission.json")):
        parts = [folder / f"part{number}" / file for number in range(1, SHARDS + 1)]
        assert arc(kind, "merge", *parts, "--into", folder / "merged" / file).exit_code == 0
    return folder


def contents(out: Path) -> dict[str, Any]:
    """Everything in a library of one run that the settings determine: no times, and no names of programs, since a
    program that is found for several tasks is named after the first of them.
    """
    with Store.open(out / "library.sqlite", must_exist=True) as store:
        [run] = runs.runs(store)
        records = {step.task: runs.task_record(store, run, step.task) for step in runs.steps(store, run)}
        return {
            "programs": {entry.digest for entry in store.programs()},
            "scores": {score for entry in store.programs() for score in store.scores_of(entry.digest)},
            "lineage": {(e.digest, *made) for e in store.programs() for made in store.parents_of(e.digest)},
            "states": {task: replace(record, texts={}) for task, record in records.items() if record},
            "attempts": runs.attempts(store, run),
            "steps": {(step.task, step.generation, json.dumps(step.counts)) for step in runs.steps(store, run)},
            "run": (run.command, run.seed, *store.query("SELECT settings FROM runs")),
        }


def test_merged_submissions_are_the_submission_of_a_run_without_shards(folder: Path) -> None:
    merged, whole = (folder / name / "submission.json" for name in ("merged", "whole"))
    assert merged.read_bytes() == whole.read_bytes()


def test_merged_libraries_are_the_library_of_a_run_without_shards(folder: Path) -> None:
    merged, whole = contents(folder / "merged"), contents(folder / "whole")
    assert len(whole["states"]) == len(DATASET)
    assert whole["programs"]
    for what in whole:
        assert merged[what] == whole[what], what


def test_a_merged_run_is_resumed_as_a_run_without_shards(folder: Path, tmp_path: Path) -> None:
    for file in ("library.sqlite", "submission.json"):
        (tmp_path / file).write_bytes((folder / "merged" / file).read_bytes())
    resumed, whole = solved(tmp_path, 5, resume=True), solved(folder / "longer", 5)
    assert (resumed / "submission.json").read_bytes() == (whole / "submission.json").read_bytes()
    assert contents(resumed)["states"] == contents(whole)["states"]
    assert contents(resumed)["programs"] == contents(whole)["programs"]


def test_library_merge_prints_a_summary(folder: Path, tmp_path: Path) -> None:
    part, whole, into = folder / "part1" / "library.sqlite", folder / "whole" / "library.sqlite", tmp_path / "new"
    result = arc("library", "merge", part, "--into", into)
    with Store.open(part) as store:
        count = len(store)
    row = [str(part), str(count), str(count), "1", "0", "0"]
    assert [line.split() for line in result.stdout.splitlines()][1] == row
    assert result.stdout.splitlines()[-1] == f"{count} programs and 1 run in {into}"
    told = documented("library merge", arc("library", "merge", part, whole, "--into", into, "--json").stdout)
    assert (told["library"], told["runs"]) == (str(into), 1)
    assert [(one["path"], one["runs"], one["joined"], one["apart"]) for one in told["merged"]] == [
        (str(part), 1, 1, 0),
        (str(whole), 1, 1, 0),
    ]
    assert told["merged"][0]["new"] == 0
    assert told["merged"][1]["programs"] == told["programs"]


def test_submission_merge_prints_a_summary(folder: Path, tmp_path: Path) -> None:
    parts = [folder / f"part{number}" / "submission.json" for number in (1, 2)]
    into = tmp_path / "s.json"
    assert arc("submission", "merge", *parts, "--into", into).stdout == f"wrote 3 tasks of 2 files to {into}\n"
    told = documented("submission merge", arc("submission", "merge", *parts, "--into", into, "--json").stdout)
    assert told == {"submission": str(into), "files": list(map(str, parts)), "tasks": 3}


def test_submission_merge_can_prefer_the_first_file(tmp_path: Path) -> None:
    for name, cell in (("a.json", 1), ("b.json", 2)):
        content = {"t": [{"attempt_1": [[cell]], "attempt_2": [[0]]}]}
        (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
    args = ("submission", "merge", tmp_path / "b.json", tmp_path / "a.json", "--into", tmp_path / "c.json")
    result = arc(*args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(
        f'arcloom: {tmp_path / "a.json"}: task "t": {tmp_path / "b.json"} has other answers;'
    )
    assert arc(*args, "--prefer", "first").exit_code == 0
    assert (tmp_path / "c.json").read_bytes() == (tmp_path / "b.json").read_bytes()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("library", "merge", "none", "--into", "x"), "there is no library none"),
        (("library", "merge", "text", "--into", "x"), "text is not a library"),
        (("library", "merge", "text", "--into", "text"), "text is not a library"),
        (("submission", "merge", "none", "--into", "x"), "none: cannot be read"),
        (("submission", "merge", "text", "--into", "x"), "text: not JSON"),
        (("submission", "merge", "text", "--into", "text"), "text is one of the files to merge"),
    ],
)
def test_errors_are_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text").write_text("words", encoding="utf-8")
    result = arc(*args)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert result.stderr.startswith(f"arcloom: {message}")
    assert not Path("x").exists()


@pytest.mark.parametrize("kind", ["library", "submission"])
def test_files_and_a_target_are_needed(kind: str) -> None:
    for args in (("a",), ("--into", "x")):
        result = arc(kind, "merge", *args)
        assert result.exit_code == 2
        assert "Missing" in result.stderr
