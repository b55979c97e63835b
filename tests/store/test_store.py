"""The store: what is put in comes out again, and files that are no libraries are refused with a reason."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from arcloom.library import bundled
from arcloom.program.parse import parse, parse_one
from arcloom.program.term import Program
from arcloom.store import (
    Attempt,
    Descent,
    Generation,
    Score,
    Store,
    StoreError,
    TaskKey,
    default_path,
    installed_versions,
)
from arcloom.store.schema import VERSION
from arcloom.tasks import Pair, Task

TASK, OTHER = TaskKey("aaaa", "1"), TaskKey("bbbb", "2")
MIRROR, TURN, BOTH = parse(
    "def mirror(I):\n    return vmirror(I)\n\n"
    "def turn(I):\n    return rot90(I)\n\n"
    "def solve_cccc(I):\n    x = rot90(I)\n    return vmirror(x)\n"
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "deep" / "library.sqlite")


def score(program: Program, task: TaskKey, points: int, solved: int = 0) -> Score:
    return Score(program.digest, task, points, solved, 3, f"outputs of {program.name}")


def test_programs_come_back_equal(store: Store) -> None:
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


def test_a_generation_is_what_a_run_goes_on_with(store: Store) -> None:
    run = store.begin_run("solve", versions=installed_versions("k"), seed=4, settings={"budget": 2})
    first = Generation(1, [MIRROR, TURN], [score(TURN, TASK, 1)], [], {TASK: [MIRROR.digest], OTHER: [TURN.digest]})
    grid = ((1, 2), (3, 4))
    second = Generation(
        2,
        programs=[BOTH],
        lineage=[Descent(BOTH.digest, TURN.digest, "insert"), Descent(BOTH.digest, TURN.digest, "insert")],
        kept={TASK: [BOTH.digest, MIRROR.digest]},
        attempts=[Attempt(TASK, 0, 1, grid, 0.75), Attempt(TASK, 0, 2, ((0,),), 0.25)],
        counts={"candidates": 9},
        timings={"run": 0.5},
        state=[1, {"x": "y"}],
    )
    store.add_generation(run, first)
    store.add_generation(run, second)
    stopped = store.resume(run)
    assert stopped is not None
    assert (stopped.generation, stopped.state, stopped.attempts) == (2, [1, {"x": "y"}], tuple(second.attempts))
    kept = {task: [entry.program for entry in entries] for task, entries in stopped.kept.items()}
    assert kept == {TASK: [BOTH, MIRROR], OTHER: [TURN]}
    assert store.parents_of(BOTH.digest) == [(TURN.digest, "insert")]
    told = [(g.number, dict(g.counts), dict(g.timings)) for g in store.generations(run)]
    assert told == [(1, {}, {}), (2, {"candidates": 9}, {"run": 0.5})]


def test_attempts_of_a_later_generation_replace_those_of_the_same_task(store: Store) -> None:
    run = store.begin_run("solve", versions={}, settings={})
    before = [Attempt(TASK, 0, 1, ((1,),), 1.0), Attempt(TASK, 0, 2, ((2,),), 0.5), Attempt(OTHER, 0, 1, ((3,),), 0.5)]
    store.add_generation(run, Generation(1, attempts=before))
    store.add_generation(run, Generation(2, attempts=[Attempt(TASK, 0, 1, ((4,),), 0.9)]))
    stopped = store.resume(run)
    assert stopped is not None
    assert [(a.task, a.rank, a.grid) for a in stopped.attempts] == [(TASK, 1, ((4,),)), (OTHER, 1, ((3,),))]


def test_runs_are_remembered(store: Store) -> None:
    assert store.latest_run() is None
    one = store.begin_run("solve", versions={"arcloom": "1"}, seed=7, settings={"data": "x"})
    two = store.begin_run("enumerate", versions={}, settings={})
    assert store.latest_run() == two
    assert store.latest_run("solve") == one
    assert store.latest_run("other") is None
    assert store.resume(one) is None
    store.end_run(one)
    assert [(run.id, run.ended is None) for run in store.runs()] == [(one.id, False), (two.id, True)]


def test_a_generation_that_refers_to_nothing_is_refused_as_a_whole(store: Store) -> None:
    run = store.begin_run("solve", versions={}, settings={})
    with pytest.raises(sqlite3.IntegrityError):
        store.add_generation(run, Generation(1, [MIRROR], kept={TASK: ["no such program"]}))
    assert len(store) == 0
    assert store.resume(run) is None
    store.add_generation(run, Generation(1, [MIRROR], kept={TASK: [MIRROR.digest]}))
    assert len(store) == 1


def test_readers_see_whole_generations_while_another_writes(store: Store) -> None:
    run = store.begin_run("solve", versions={}, settings={})
    with Store.open(store.path) as reader:
        with store._transaction():
            store._insert_programs([MIRROR])
            assert len(reader) == 0
        assert len(reader) == 1
        store.add_generation(run, Generation(1, [TURN]))
        assert len(reader) == 2


def test_versions_name_what_a_run_depends_on() -> None:
    assert installed_versions("abc")["kernels"] == "abc"
    assert set(installed_versions("")) == {"arcloom", "numpy", "numba", "python", "kernels"}


def test_tasks_are_told_apart_by_their_demonstrations() -> None:
    task = Task("x", (Pair(((1,),), ((2,),)),), (Pair(((3,),), ((4,),)),))
    assert TaskKey.of(task) == TaskKey.of(task.without_answers())
    assert TaskKey.of(task) != TaskKey.of(Task("x", (Pair(((1,),), ((5,),)),), task.test))


# Files that cannot be used


def test_a_file_of_a_newer_version(tmp_path: Path) -> None:
    Store.open(tmp_path / "new").close()
    connection = sqlite3.connect(tmp_path / "new")
    connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    with pytest.raises(StoreError, match=f"newer arcloom: its tables have version {VERSION + 1}.*update"):
        Store.open(tmp_path / "new")


def test_a_file_of_another_program(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "foreign")
    connection.execute("CREATE TABLE t (x)")
    connection.close()
    with pytest.raises(StoreError, match="foreign is an SQLite file of another program"):
        Store.open(tmp_path / "foreign")


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("words " * 1000, encoding="utf-8")
    with pytest.raises(StoreError, match="text is not a library"):
        Store.open(tmp_path / "text")


def test_a_file_that_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"no library .*missing yet; 'arcloom library import'"):
        Store.open(tmp_path / "missing", must_exist=True)
    assert not (tmp_path / "missing").exists()


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be used as a library"):
        Store.open(tmp_path)


def test_the_default_is_in_the_users_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_path() == tmp_path / "arcloom" / "library.sqlite"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_path() == tmp_path / ".local" / "share" / "arcloom" / "library.sqlite"


def test_two_processes_can_make_the_same_file(tmp_path: Path) -> None:
    code = "import sys; from arcloom.store import Store; Store.open(sys.argv[1]).close()"
    command = [sys.executable, "-c", code, str(tmp_path / "both")]
    processes = [subprocess.Popen(command) for _ in range(3)]
    assert [process.wait() for process in processes] == [0, 0, 0]
