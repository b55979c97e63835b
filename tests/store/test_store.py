"""The store: reading and writing programs and scores, old versions, and errors for files that are not libraries."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from old_library import MIRROR, TASK, TURN, make_version_1

from arcloom.library import bundled
from arcloom.program.parse import parse_one
from arcloom.program.term import Program
from arcloom.store import (
    Delta,
    ProgramText,
    Store,
    StoredScore,
    StoreError,
    TaskKey,
    default_path,
    installed_versions,
    runs,
)
from arcloom.store.schema import VERSION
from arcloom.tasks import Pair, Task

OTHER = TaskKey("bbbb", "2")
BOTH = parse_one("def solve_cccc(I):\n    x = rot90(I)\n    return vmirror(x)\n")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "deep" / "library.sqlite")


def score(program: Program, task: TaskKey, points: int, solved: int = 0) -> StoredScore:
    return StoredScore(program.digest, task, points, solved, 3, f"outputs of {program.name}")


def test_stored_programs_are_read_back_equal(store: Store) -> None:
    ours = list(dict.fromkeys(bundled()))
    assert store.add(ours) == ours
    assert [entry.program for entry in store.programs()] == ours
    assert [(e.digest, e.name, e.size) for e in store.programs()] == [(p.digest, p.name, len(p)) for p in ours]
    assert ours[0] in store
    assert MIRROR not in store


def test_known_programs_are_not_added_again(store: Store) -> None:
    renamed = parse_one("def other(S, I):\n    a = vmirror_t(I)\n    return a")
    assert store.add([MIRROR]) == [MIRROR]
    assert store.add([renamed, TURN, TURN]) == [TURN]
    assert len(store) == 2


def test_programs_of_a_task_are_ranked_by_score_and_size(store: Store) -> None:
    scores = [score(MIRROR, TASK, 500), score(BOTH, TASK, 1000, 3), score(TURN, TASK, 1000, 3), score(TURN, OTHER, 7)]
    store.add([MIRROR, TURN, BOTH], scores)
    assert [listed.entry.name for listed in store.programs_for(TASK)] == ["turn", "solve_cccc", "mirror"]
    assert [listed.score for listed in store.programs_for(TASK, 1)] == [score(TURN, TASK, 1000, 3)]
    assert store.programs_for(TaskKey("aaaa", "other demonstrations")) == []
    assert store.scores_of(TURN.digest) == [score(TURN, TASK, 1000, 3), score(TURN, OTHER, 7)]
    assert [s.is_solution for s in store.scores_of(TURN.digest)] == [True, False]


def test_a_later_score_replaces_the_earlier(store: Store) -> None:
    store.add([TURN], [score(TURN, TASK, 5)])
    store.add([], [score(TURN, TASK, 9)])
    assert store.scores_of(TURN.digest) == [score(TURN, TASK, 9)]


def test_everything_is_listed_by_task(store: Store) -> None:
    store.add([MIRROR, TURN, BOTH], [score(TURN, OTHER, 1), score(MIRROR, TASK, 2), score(MIRROR, OTHER, 2)])
    listed = [(x.score and x.score.task.id, x.entry.name) for x in store.listed()]
    assert listed == [("aaaa", "mirror"), ("bbbb", "mirror"), ("bbbb", "turn"), (None, "solve_cccc")]


def test_programs_are_found_by_digest_name_and_task(store: Store) -> None:
    store.add([MIRROR, TURN, BOTH], [score(TURN, TASK, 1)])
    for wanted, name in ((MIRROR.digest[:6], "mirror"), ("turn", "turn"), ("cccc", "solve_cccc"), ("aaaa", "turn")):
        assert [entry.name for entry in store.find(wanted)] == [name]
    assert store.find("nothing") == store.find("") == []


def test_readers_see_whole_transactions_while_another_writes(store: Store) -> None:
    with Store.open(store.path) as reader:
        with store.transaction():
            store.insert([ProgramText.of(MIRROR)], [])
            assert len(reader) == 0
        assert len(reader) == 1


def test_a_failed_transaction_leaves_nothing(store: Store) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        store.add([MIRROR], [StoredScore("no such program", TASK, 1, 0, 3)])
    assert len(store) == 0
    assert store.known_number(TASK) is None
    store.add([MIRROR], [score(MIRROR, TASK, 1)])
    assert store.scores_of(MIRROR.digest) == [score(MIRROR, TASK, 1)]


def test_installed_versions_include_all_dependencies() -> None:
    assert installed_versions("abc")["kernels"] == "abc"
    assert set(installed_versions("")) == {"arcloom", "numpy", "numba", "python", "kernels"}


def test_task_keys_depend_on_the_demonstrations() -> None:
    task = Task("x", (Pair(((1,),), ((2,),)),), (Pair(((3,),), ((4,),)),))
    assert TaskKey.of(task) == TaskKey.of(task.without_answers())
    assert TaskKey.of(task) != TaskKey.of(Task("x", (Pair(((1,),), ((5,),)),), task.test))


# Files of an older version


def test_a_file_of_version_1_keeps_programs_scores_and_ancestry(tmp_path: Path) -> None:
    make_version_1(tmp_path / "old")
    for _ in range(2):  # the second time, the file has the current version
        with Store.open(tmp_path / "old") as store:
            assert [entry.program for entry in store.programs()] == [TURN, MIRROR]
            assert store.scores_of(TURN.digest) == [score(TURN, TASK, 9)]
            assert store.parents_of(MIRROR.digest) == [(TURN.digest, "insert")]
            assert runs.runs(store) == []
            assert list(store.query("PRAGMA foreign_key_check")) == []


def test_new_runs_can_be_added_to_a_file_of_version_1(tmp_path: Path) -> None:
    make_version_1(tmp_path / "old")
    with Store.open(tmp_path / "old") as store:
        run = runs.begin_run(store, "solve", versions={}, settings={})
        runs.add_deltas(store, run, [Delta(TASK, 1)])
        assert run.id == 2
        assert runs.runs(store) == [run]
        assert [step.task for step in runs.steps(store, run)] == [TASK]


# Files that cannot be used


def test_a_file_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    Store.open(tmp_path / "new").close()
    connection = sqlite3.connect(tmp_path / "new")
    connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    with pytest.raises(StoreError, match=f"newer arcloom: its tables have version {VERSION + 1}.*update"):
        Store.open(tmp_path / "new")


def test_a_file_of_another_program_is_refused(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "foreign")
    connection.execute("CREATE TABLE t (x)")
    connection.close()
    with pytest.raises(StoreError, match="foreign is an SQLite file of another program"):
        Store.open(tmp_path / "foreign")


def test_a_file_that_is_not_a_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("words " * 1000, encoding="utf-8")
    with pytest.raises(StoreError, match="text is not a library"):
        Store.open(tmp_path / "text")


def test_a_missing_file_that_must_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"no library .*missing yet; 'arcloom library import'"):
        Store.open(tmp_path / "missing", must_exist=True)
    assert not (tmp_path / "missing").exists()


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be used as a library"):
        Store.open(tmp_path)


def test_the_default_path_is_in_the_users_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_path() == tmp_path / "arcloom" / "library.sqlite"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_path() == tmp_path / ".local" / "share" / "arcloom" / "library.sqlite"


def test_two_processes_can_create_the_same_file(tmp_path: Path) -> None:
    code = "import sys; from arcloom.store import Store; Store.open(sys.argv[1]).close()"
    command = [sys.executable, "-c", code, str(tmp_path / "both")]
    processes = [subprocess.Popen(command) for _ in range(3)]
    assert [process.wait() for process in processes] == [0, 0, 0]
