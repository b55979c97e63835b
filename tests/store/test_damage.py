"""Damaged libraries: readable rows are read, damaged ones are reported, and a repair removes them."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from arcloom import notices
from arcloom.cli import app
from arcloom.cluster.solve import program_texts, solve
from arcloom.program.parse import parse
from arcloom.store import Store, StoreError
from arcloom.store.damage import find_damage, repair
from arcloom.store.records import readable
from cluster.small import real_tasks, setup
from schemas import documented

PROGRAMS = parse(
    "def a(I):\n    return rot90(I)\n\ndef b(I):\n    return rot180(I)\n\ndef c(I):\n    return vmirror(I)\n"
)


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(notices, "_said", set())
    path = tmp_path / "library.sqlite"
    with Store.open(path) as store:
        store.add(PROGRAMS)
    return path


def execute(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement, values)


def arc(*args: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["library", *args])
    return result.exit_code, result.stdout, result.stderr


DAMAGES = {
    "text = 'def b(I):\n    return nonsense(I)\n'": "nonsense",
    "text = x'00ff'": "text is not a text",
    "size = 'many'": "size is not a number",
    "name = x'ff'": "name is not a text",
}


@pytest.mark.parametrize("change", DAMAGES)
def test_only_the_damaged_program_is_lost(change: str, library: Path) -> None:
    execute(library, f"UPDATE programs SET {change} WHERE name = 'b'")
    assert len(program_texts(library)) == 2
    code, listed, told = arc("list", "--library", str(library))
    assert code == 0 and " a " in listed and " c " in listed
    assert arc("export", "--library", str(library))[1].count("def ") == 2
    code, found, _ = arc("check", "--library", str(library))
    assert code == 1 and DAMAGES[change] in found
    [damage] = documented("library check", arc("check", "--json", "--library", str(library))[1])["damaged"]
    assert damage["table"] == "programs" and DAMAGES[change] in damage["reason"]
    assert arc("check", "--repair", "--library", str(library))[0] == 0
    assert find_damage(library) == []
    with Store.open(library) as store:
        assert [entry.name for entry in store.programs()] == ["a", "c"]
    assert library.with_name("library.sqlite.damaged").exists()
    assert told.count("\n") <= 1


def test_a_program_whose_name_is_not_an_identifier_is_read(library: Path) -> None:
    text = "def solve_my-task 1.x(I):\n    return rot90(I)\n"
    execute(library, "UPDATE programs SET name = 'solve_my-task 1.x', text = ? WHERE name = 'a'", text)
    with Store.open(library) as store:
        entry = next(iter(store.programs()))
        assert entry.program == PROGRAMS[0] and entry.program.name == "solve_my_task_1_x"
    assert find_damage(library) == []
    assert len(program_texts(library)) == 3
    assert readable("def 1(I):\n    return I\n") == "def _1(I):\n    return I\n"


def test_only_the_rows_of_damaged_pages_are_lost(library: Path) -> None:
    with Store.open(library) as store:
        store.add(parse("".join(f"def p{k}(I):\n    return shift(asindices(I), ({k}, {k}))\n\n" for k in range(300))))
    with closing(sqlite3.connect(library)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    data = bytearray(library.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 4096] = b"\xa5" * 4096
    library.write_bytes(data)
    assert [damage.table for damage in find_damage(library)] == ["file"]
    assert repair(library)
    assert find_damage(library) == []
    with Store.open(library) as store:
        assert 50 < len(store) <= 303


def test_a_damaged_state_of_a_task_is_named_and_removed(tmp_path: Path) -> None:
    solve(real_tasks(), generations=1, workers=1, out=tmp_path, setup=setup())
    path = tmp_path / "library.sqlite"
    execute(path, "UPDATE attempts SET grid = '[[1, 2' WHERE task = (SELECT min(task) FROM attempts)")
    with pytest.raises(StoreError, match=r"has a damaged run .*library check --repair"):
        solve(real_tasks(), generations=2, workers=1, out=tmp_path, resume=True, setup=setup())
    assert repair(path)
    found = solve(real_tasks(), generations=2, workers=1, out=tmp_path, resume=True, setup=setup())
    shutil.rmtree(tmp_path)
    whole = solve(real_tasks(), generations=2, workers=1, out=tmp_path, setup=setup())
    assert found.answers == whole.answers


def test_a_read_only_library_can_be_read(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(sqlite3.connect(library)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    monkeypatch.setattr("arcloom.store.store.is_writable", lambda path: False)
    code, listed, _ = arc("list", "--json", "--library", str(library))
    assert code == 0 and json.loads(listed)["programs"] == 3
    with Store.open(library, must_exist=True) as store, pytest.raises(StoreError, match="cannot be written"):
        store.add(parse("def d(I):\n    return hmirror(I)\n"))


def test_a_damaged_name_of_a_table_is_reported_in_one_line(library: Path) -> None:
    with closing(sqlite3.connect(library)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    data = library.read_bytes()
    library.write_bytes(data.replace(b"CREATE TABLE votes", b"CREATE TABLE vote\xd1"))
    for command in ("list", "check"):
        code, _, told = arc(command, "--library", str(library))
        assert code == 2 and told.startswith("arcloom: ") and told.count("\n") == 1


def test_rows_that_refer_to_removed_rows_are_removed(library: Path) -> None:
    for name in "ab":
        execute(library, f"INSERT INTO lineage SELECT digest, digest, 'copied' FROM programs WHERE name = '{name}'")
    execute(library, "UPDATE programs SET digest = NULL WHERE name = 'b'")
    assert repair(library)
    assert find_damage(library) == []
    with Store.open(library) as store:
        assert len(store) == 2 and len(list(store.query("SELECT * FROM lineage"))) == 1
