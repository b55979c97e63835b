"""The documentation is correct: its sessions, programs, names and links are checked."""

import re
import shlex
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

import arcloom
from arcloom.cli import app
from arcloom.dsl import CONSTANTS, PRIMITIVES, SPELLINGS, Reason
from arcloom.dsl.declare import DEFAULT_BUDGET
from arcloom.dsl.python import NAMES
from arcloom.dsl.values import COLOUR_MAX, COLOUR_MIN, INT_LIMIT
from arcloom.store import Store
from arcloom.store.schema import VERSION
from arcloom.tasks.load import BUNDLED
from documents import ROOT, blocks_of, comparable, steps_of, text_of
from schemas import SCHEMAS

CONTRIBUTING = ROOT / "CONTRIBUTING.md"
README = ROOT / "README.md"
LANGUAGE = ROOT / "docs" / "language.md"
CLI = ROOT / "docs" / "cli.md"
KAGGLE = ROOT / "docs" / "kaggle.md"
LIBRARY = ROOT / "docs" / "library.md"


UNREPEATABLE = {"solve", "report"}
"""Commands whose output depends on their run time."""


def sessions() -> list[tuple[str, str]]:
    """The commands of the README, each with its output."""
    return [step for block in blocks_of(README) if block.language == "console" for step in steps_of(block.text)]


def test_the_readme_begins_with_a_session() -> None:
    lines = text_of(README).splitlines()
    assert any(line.startswith("$ arcloom solve ") for line in lines[:15])
    assert "$ python3 -m pip install arcloom" in lines[:15]


@pytest.mark.usefixtures("new_process")
def test_sessions_print_what_they_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ran = 0
    for command, printed in sessions():
        program, *args = shlex.split(command)
        if program == "cat":
            Path(args[0]).write_text(printed, encoding="utf-8")
        if program == "arcloom" and args[0] not in UNREPEATABLE:
            result = CliRunner().invoke(app, args, env={"COLUMNS": "120"})
            assert comparable(result.stdout) == comparable(printed)
            ran += 1
    assert ran == 2


def test_make_has_the_targets_that_are_named() -> None:
    named = [command.split()[1] for command, _ in sessions() if command.startswith("make ")]
    assert named == ["solve", "test"]
    for target in named:
        assert re.search(rf"^{target}:", text_of(ROOT / "Makefile"), re.MULTILINE)


def test_python_in_the_readme_runs() -> None:
    [block] = [block.text for block in blocks_of(README) if block.language == "python"]
    names: dict[str, object] = {}
    exec(compile(block, str(README), "exec"), names)
    assert {"results", "task"} <= names.keys()


def test_links_of_the_readme_are_valid() -> None:
    for target in re.findall(r"\]\((?!https://)([^)]+)\)", text_of(README)):
        assert (ROOT / target.partition("#")[0]).is_file()


@pytest.mark.parametrize("page", [README, LANGUAGE, CLI, KAGGLE, LIBRARY], ids=lambda page: page.name)
def test_commands_and_options_exist(page: Path) -> None:
    commands = get_command(app).commands  # type: ignore[attr-defined]
    mentioned = re.findall(r"(?:`|^\$ |^```text\n)arcloom ([\w-]+)([^`\n]*)", text_of(page), re.MULTILINE)
    assert mentioned
    for name, rest in mentioned:
        command = commands[name]
        for word in rest.split():  # the command of a group
            command = getattr(command, "commands", {}).get(word, command)
        options = {option for param in command.params for option in (*param.opts, *param.secondary_opts)}
        assert set(re.findall(r"--[a-z-]+", rest)) <= options


def test_every_command_is_documented() -> None:
    for name in get_command(app).commands:  # type: ignore[attr-defined]
        assert f"`arcloom {name}" in text_of(README)
        assert f"\n## {name}\n" in text_of(CLI)


def commands_with_json() -> list[str]:
    """The names of the commands with the option --json, those of groups included."""
    found = []
    for name, command in get_command(app).commands.items():  # type: ignore[attr-defined]
        members = {f"{name} {member}": inner for member, inner in getattr(command, "commands", {}).items()}
        found += [
            full
            for full, inner in (members or {name: command}).items()
            if any("--json" in p.opts for p in inner.params)
        ]
    return found


def test_every_command_with_json_has_a_schema() -> None:
    assert set(commands_with_json()) == {*SCHEMAS, "bench"}  # benchmarks/README.md describes the keys of bench


def test_every_table_of_the_library_is_documented() -> None:
    with Store.in_memory() as store:
        tables = {name for (name,) in store.query("SELECT name FROM sqlite_master WHERE type = 'table'")}
    documented = re.findall(r"^\| `(\w+)` \|", text_of(LIBRARY), re.MULTILINE)
    assert set(documented) == tables - {"sqlite_sequence"}
    assert f"This is version {VERSION} of the tables" in text_of(LIBRARY)


def test_every_bundled_set_is_documented() -> None:
    for name in BUNDLED:
        assert f"`{name}`" in text_of(CLI)


def test_every_reason_is_documented() -> None:
    for reason in Reason:
        assert f"| {reason.text} |" in text_of(LANGUAGE)


@pytest.mark.parametrize("page", [README, LANGUAGE], ids=lambda page: page.name)
def test_documented_limits_are_those_of_the_code(page: Path) -> None:
    assert f"±{INT_LIMIT:,}" in text_of(page)
    assert f"{COLOUR_MIN}..{COLOUR_MAX}" in text_of(page)
    assert f"{DEFAULT_BUDGET:,} units of work" in text_of(page)


@pytest.mark.parametrize("page", [README, LANGUAGE], ids=lambda page: page.name)
def test_names_that_are_called_exist(page: Path) -> None:
    called = re.findall(r"\b([a-z]\w*)\([^)]*\)`", text_of(page)) + re.findall(r"`([a-z]+_[a-z_]+)`", text_of(page))
    others = {"x1", "arc_types", "name", "function", "set", "append", "get", "dict", "pop", "print", "score", "show"}
    others |= {"defaultdict", "f", "float", "fromkeys", "most_common", "reduce"}
    unknown = set(called) - PRIMITIVES.keys() - SPELLINGS.keys() - NAMES.keys() - others
    assert unknown == set()


def test_constants_that_are_named_exist() -> None:
    named = re.findall(r"`([A-Z][A-Z0-9_]+)`", text_of(LANGUAGE))
    assert len(named) > 10
    assert set(named) <= CONSTANTS.keys() | {"NAME"}


def test_paths_in_contributing_exist() -> None:
    paths = re.findall(r"`((?:src|tests|docs)/[\w./]+)`", text_of(CONTRIBUTING))
    assert len(paths) > 10
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_the_package_map_is_complete() -> None:
    package = ROOT / "src" / "arcloom"
    packages = {path.parent.name for path in package.glob("*/__init__.py")}
    table = text_of(CONTRIBUTING).partition("## Map of the package")[2].partition("## Recipes")[0]
    assert packages - set(re.findall(r"`(\w+)`", table)) == set()


def test_make_has_the_targets_of_contributing() -> None:
    for target in re.findall(r"`make ([a-z-]+)`", text_of(CONTRIBUTING)):
        assert re.search(rf"^{target}:", text_of(ROOT / "Makefile"), re.MULTILINE)


def test_the_changelog_has_the_version() -> None:
    assert f"## [{arcloom.__version__}]" in text_of(ROOT / "CHANGELOG.md")
