"""The commands about the library."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import arcloom
from arcloom.cli import app
from arcloom.program.parse import parse, parse_file
from arcloom.search.scores import scores_on
from arcloom.store import Delta, Descent, ProgramText, Store, TaskKey, default_path, runs
from schemas import documented

SOLVERS = """
def solve_mirror(I):
    x1 = rot90(I)
    O = vmirror(x1)
    return O

def solve_same(I):
    return identity(I)

def solve_flip(I):
    return hmirror(I)

def again(I):
    a = identity(I)
    return a

def solve_bad(I):
    return colorfilter(I, ONE)
"""
TASKS = {
    "mirror": {"train": [{"input": [[1, 2]], "output": [[1], [2]]}, {"input": [[1]], "output": [[1]]}], "test": []},
    "same": {"train": [{"input": [[1, 2]], "output": [[1, 2]]}], "test": [{"input": [[3]], "output": [[4]]}]},
    "flip": {"train": [{"input": [[1], [2]], "output": [[2], [1]]}, {"input": [[3]], "output": [[4]]}], "test": []},
}


def library(*args: str) -> Result:
    return CliRunner().invoke(app, ["library", *args], env={"COLUMNS": "140"})


def listed(*args: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = documented("library list", library("list", "--json", *args).stdout)["listed"]
    return found


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    Path("solvers.py").write_text(SOLVERS, encoding="utf-8")
    Path("tasks.json").write_text(json.dumps(TASKS), encoding="utf-8")


@pytest.fixture
def filled() -> None:
    assert library("import", "solvers.py", "--data", "tasks.json").exit_code == 0


def test_import_prints_a_summary() -> None:
    result = library("import", "solvers.py")
    assert result.exit_code == 0
    *untyped, line = result.stdout.splitlines()
    assert line == f"5 programs: 3 new, 1 known, 1 untyped ({default_path()})"
    assert untyped[-1].split()[:3] == ["solve_bad", "18", "colorfilter:"]
    assert library("import", "solvers.py").stdout.splitlines()[-1].startswith("5 programs: 0 new, 4 known, 1 untyped")


def test_import_as_json() -> None:
    printed = library("import", "solvers.py", "--data", "tasks.json", "--json", "--library", "l").stdout
    told = documented("library import", printed)
    [bad] = told.pop("untyped_programs")
    assert told == {"library": "l", "programs": 5, "new": 3, "known": 1, "untyped": 1, "scored": 3}
    assert (bad["program"], bad["line"]) == ("solve_bad", 18)


def test_a_failed_import_adds_nothing() -> None:
    Path("wrong.py").write_text("import os\n", encoding="utf-8")
    result = library("import", "wrong.py")
    assert (result.exit_code, result.stderr.startswith("arcloom: wrong.py:1:1: programs cannot import")) == (2, True)
    assert not default_path().exists()


@pytest.mark.usefixtures("filled")
def test_list_by_task_with_scores() -> None:
    rows = [(row["task"], row["name"], row["size"], row["score"], row["solved"], row["demos"]) for row in listed()]
    assert rows == [
        ("flip", "solve_flip", 1, 500, 1, 2),
        ("mirror", "solve_mirror", 2, 1000, 2, 2),
        ("same", "solve_same", 1, 1000, 1, 1),
    ]
    text = library("list").stdout.splitlines()
    assert text[0].split() == ["digest", "name", "size", "task", "score", "solved"]
    assert text[2].split()[1:] == ["solve_mirror", "2", "mirror", "1000", "2/2"]
    assert text[-1] == f"3 programs in {default_path()}"


@pytest.mark.usefixtures("filled")
def test_list_in_another_order_or_less() -> None:
    assert [row["size"] for row in listed("--sort", "size")] == [1, 1, 2]
    assert [row["score"] for row in listed("--sort", "score")] == [1000, 1000, 500]
    assert [row["task"] for row in listed("--task", "same")] == ["same"]
    assert listed("--task", "other") == []
    assert library("list", "--limit", "1").stdout.splitlines()[-2] == "and 2 more"


def test_programs_without_a_score_are_listed_too() -> None:
    library("import", "solvers.py")
    assert [(row["name"], row["task"], row["score"]) for row in listed("--sort", "score")][-1] == (
        "solve_mirror",
        None,
        None,
    )


@pytest.mark.usefixtures("filled")
def test_show_prints_a_solver_file() -> None:
    result = library("show", "mirror")
    [program] = parse(result.stdout)
    assert program == parse(SOLVERS)[0]
    assert result.stdout == (
        f"# {program.digest}, 2 calls\n# task mirror: 1000 of 1000, 2 of 2 demonstrations\n{program}"
    )
    assert "vmirror(rot90(I))" in library("show", program.digest[:5], "--nested").stdout


def test_show_prints_the_parents_of_a_program() -> None:
    child, parent, *_ = parse(SOLVERS)
    with Store.open() as store:
        run = runs.begin_run(store, "solve", versions={}, settings={})
        made = Descent(child.digest, parent.digest, "insert")
        texts = [ProgramText.of(program) for program in (child, parent)]
        runs.add_deltas(store, run, [Delta(TaskKey("mirror", ""), 1, programs=texts, lineage=[made])])
    assert f"# made from {parent.digest[:10]}: insert\n" in library("show", "solve_mirror").stdout
    [shown] = documented("library show", library("show", "solve_mirror", "--json").stdout)["programs"]
    assert (shown["parents"], shown["text"]) == ([{"digest": parent.digest, "how": "insert"}], str(child))


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("nested", [[], ["--nested"]])
def test_export_reads_back_to_the_same_programs(nested: list[str]) -> None:
    assert library("export", "out.py", "--all", *nested).stdout == "wrote 3 programs to out.py\n"
    programs = parse_file("out.py")
    assert {program.digest for program in programs} == {row["digest"] for row in listed()}
    assert [program.name for program in programs] == ["solve_mirror", "solve_same", "partial_flip"]
    assert library("export", "--all", *nested).stdout == Path("out.py").read_text(encoding="utf-8")
    assert library("import", "out.py", "--library", "copy").stdout.startswith("3 programs: 3 new")


def test_exported_names_are_unique_and_have_task_ids() -> None:
    Path("one.py").write_text(
        "def solve_same(I):\n    return rot180(I)\n\ndef p(I):\n    return rot90(I)\n", encoding="utf-8"
    )
    Path("two.py").write_text("def p(I):\n    return rot270(I)\n\ndef solve_same(I):\n    return I\n", encoding="utf-8")
    for file in ("one.py", "two.py"):
        assert library("import", file, "--data", "tasks.json").exit_code == 0
    library("export", "out.py")
    assert sorted(program.name for program in parse_file("out.py")) == ["p", "p_2", "solve_same"]
    assert parse_file("out.py")[0] == parse("def solve_same(I):\n    return I\n")[0]


def test_exported_solvers_are_right_by_check() -> None:
    Path("more.py").write_text(
        "def solve_same(I):\n    return vmirror(vmirror(I))\n\ndef solve_mirror(I):\n    return dmirror(I)\n",
        encoding="utf-8",
    )
    tasks = {**TASKS, "a-b": {"train": [{"input": [[1, 2]], "output": [[2, 1]]}], "test": []}}
    Path("tasks.json").write_text(json.dumps(tasks), encoding="utf-8")
    Path("other.py").write_text("def solve_a_b(I):\n    return vmirror(I)\n", encoding="utf-8")
    for file in ("solvers.py", "more.py", "other.py"):
        assert library("import", file, "--data", "tasks.json").exit_code == 0
    library("export", "out.py")
    names = [program.name for program in parse_file("out.py")]
    assert names == ["solve_a_b", "solve_mirror", "solve_mirror_2", "solve_same", "solve_same_2"]
    checked = CliRunner().invoke(app, ["check", "out.py", "--data", "tasks.json", "--json"])
    found = json.loads(checked.stdout)
    assert (found["programs"], found["unmatched"]) == (5, 0)
    assert {bad["sample"] for bad in found["bad"]} == {"test[0]"}, "all are right on the demonstrations"


def test_show_has_the_best_programs_for_a_task_first() -> None:
    text = "def solve_flip(I):\n    return I\n\ndef solve_mirror(I):\n    return I\n"
    Path("wrong.py").write_text(text, encoding="utf-8")
    for file in ("wrong.py", "solvers.py"):
        library("import", file, "--data", "tasks.json")
    assert [len(program) for program in parse(library("show", "mirror").stdout)] == [2, 0]


def test_a_library_of_a_run_is_suggested_and_found_by_its_folder() -> None:
    assert library("import", "solvers.py", "--library", "run/library.sqlite").exit_code == 0
    result = library("list")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.endswith("choose one: --library run/library.sqlite\n")
    assert len(listed("--library", "run")) == 3


@pytest.mark.parametrize("command", [["list"], ["show", "x"], ["export"]])
def test_a_missing_library_is_reported(command: list[str]) -> None:
    result = library(*command, "--library", "none")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("arcloom: there is no library none yet; 'arcloom library import'")
    assert not Path("none").exists()


@pytest.mark.usefixtures("filled")
def test_a_missing_program_is_reported() -> None:
    result = library("show", "nobody")
    assert result.exit_code == 2
    assert "has no program with the digest prefix, name or task 'nobody'" in result.stderr


def test_a_file_that_is_no_library_is_reported() -> None:
    result = library("import", "solvers.py", "--library", "tasks.json")
    assert (result.exit_code, result.stderr) == (
        2,
        "arcloom: tasks.json is not a library (no SQLite file); choose another file\n",
    )


def test_a_damaged_library_is_reported() -> None:
    library("import", "solvers.py", "--library", "damaged")
    content = Path("damaged").read_bytes()
    Path("damaged").write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    result = library("list", "--library", "damaged")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("arcloom: ")


def test_a_program_that_reads_the_answer_in_the_demonstrations_solves_none_unseen(tmp_path: Path) -> None:
    grids = [[[k, 0], [0, k]] for k in range(1, 5)]
    pairs = [{"input": grid, "output": grids[k - 1]} for k, grid in enumerate(grids)]
    data = tmp_path / "riddle.json"
    data.write_text(json.dumps({"train": pairs, "test": [{"input": [[1]]}]}), encoding="utf-8")
    (tmp_path / "mine.py").write_text(
        "def solve_riddle(S, I):\n    return last(extract(S, lambda pair: equality(first(pair), I)))\n",
        encoding="utf-8",
    )
    [program] = arcloom.parse_file(tmp_path / "mine.py")
    [score] = scores_on([program], arcloom.load(data), device="reference")
    assert (score.solved, score.demos, score.is_solution) == (0, 4, False)
