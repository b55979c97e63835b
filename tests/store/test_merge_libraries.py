"""Merging libraries: the result has the contents of all, shards are joined to one run, and other runs stay separate."""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from old_library import MIRROR, TASK, TURN, make_version_1, make_version_2

from arcloom.program.parse import parse_one
from arcloom.store import (
    Attempt,
    Delta,
    Descent,
    Member,
    ProgramText,
    Run,
    Store,
    StoredScore,
    StoreError,
    TaskKey,
    TaskRecord,
    Vote,
    runs,
)
from arcloom.store.lock import locked
from arcloom.store.merge import Added, merge
from arcloom.store.schema import VERSION

OTHER, THIRD = TaskKey("bbbb", "2"), TaskKey("cccc", "3")
FLIP = parse_one("def flip(I):\n    return hmirror(I)\n")
TEXTS = [ProgramText.of(program) for program in (MIRROR, TURN)]
GRID = b"\1\1\5"


def delta(task: TaskKey, generation: int, score: int = 500) -> Delta:
    """A delta with rows for every table; ``score`` makes states different."""
    return Delta(
        task,
        generation,
        programs=TEXTS,
        scores=[StoredScore(TURN.digest, task, score, 0, 3, f"outputs {score}")],
        lineage=[Descent(TURN.digest, MIRROR.digest, "insert")],
        added=[Member(generation, TURN.digest, "card", "turn", "", 0, score, False, 0.5, (score,), (GRID, None))],
        votes=[Vote(MIRROR.digest, "library", "mirror", 0.5, True, (GRID,))],
        seen={"card": bytes([generation])},
        attempts=[Attempt(task, 0, rank, ((generation,),), 0.5) for rank in (1, 2)],
        counts={"card": 1},
    )


def settings(**changed: Any) -> dict[str, Any]:
    return {"data": "x", "shard": None, "generations": 2, **changed}


def library(path: Path, deltas: Sequence[Delta], seed: int = 1, **changed: Any) -> Path:
    """Add a run with these deltas to a library."""
    with Store.open(path) as store:
        run = runs.begin_run(store, "solve", versions={"arcloom": "1"}, seed=seed, settings=settings(**changed))
        runs.add_deltas(store, run, deltas)
        runs.end_run(store, run)
    return path


def states(path: Path) -> list[dict[TaskKey, TaskRecord | None]]:
    """The states of all tasks of each run, the latest run last."""
    with Store.open(path, must_exist=True) as store:
        return [
            {task: runs.task_record(store, run, task) for task in dict.fromkeys(s.task for s in runs.steps(store, run))}
            for run in runs.runs(store)
        ]


def known_runs(path: Path) -> list[Run]:
    with Store.open(path, must_exist=True) as store:
        return runs.runs(store)


def dump(path: Path) -> list[str]:
    with sqlite3.connect(path) as connection:
        return list(connection.iterdump())


@pytest.fixture
def into(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "merged.sqlite"


@pytest.fixture
def shards(tmp_path: Path) -> list[Path]:
    """Two shards: one with two tasks, and one with a task whose number is that of another task in the first."""
    first = library(tmp_path / "1", [delta(TASK, 1), delta(OTHER, 1), delta(TASK, 2)], shard="1/2")
    return [first, library(tmp_path / "2", [delta(THIRD, 1), delta(THIRD, 2)], shard="2/2")]


# Programs, scores and ancestry


def test_programs_scores_and_lineage_are_united(tmp_path: Path, into: Path) -> None:
    with Store.open(tmp_path / "a") as a, Store.open(tmp_path / "b") as b:
        a.add(
            [MIRROR, TURN],
            [StoredScore(TURN.digest, TASK, 5, 1, 3, "a"), StoredScore(TURN.digest, OTHER, 8, 1, 3, "a")],
        )
        b.add(
            [TURN, FLIP], [StoredScore(TURN.digest, OTHER, 9, 2, 3, "b"), StoredScore(TURN.digest, TASK, 4, 0, 3, "b")]
        )
        b.add([], [StoredScore(FLIP.digest, THIRD, 1, 0, 2, "b")])
    merge([tmp_path / "a", tmp_path / "b"], into)
    with Store.open(into) as store:
        assert [entry.program for entry in store.programs()] == [MIRROR, TURN, FLIP]
        best = [StoredScore(TURN.digest, TASK, 5, 1, 3, "a"), StoredScore(TURN.digest, OTHER, 9, 2, 3, "b")]
        assert store.scores_of(TURN.digest) == best
        assert store.scores_of(FLIP.digest) == [StoredScore(FLIP.digest, THIRD, 1, 0, 2, "b")]


def test_a_library_is_extended(shards: list[Path], into: Path) -> None:
    into.parent.mkdir()
    with Store.open(into) as store:
        store.add([FLIP], [StoredScore(FLIP.digest, THIRD, 1, 0, 2)])
    assert [one.new for one in merge(shards, into)] == [2, 0]
    with Store.open(into) as store:
        assert [entry.program for entry in store.programs()] == [FLIP, MIRROR, TURN]
        assert [score.task for score in store.scores_of(TURN.digest)] == [TASK, OTHER, THIRD]
        assert store.parents_of(TURN.digest) == [(MIRROR.digest, "insert")]


def test_a_library_of_version_1_is_merged_and_not_changed(tmp_path: Path, into: Path, shards: list[Path]) -> None:
    make_version_1(tmp_path / "old")
    before = (tmp_path / "old").read_bytes()
    assert merge([tmp_path / "old"], into) == [Added(tmp_path / "old", 2, 2, runs=0, joined=0, apart=0)]
    assert (tmp_path / "old").read_bytes() == before
    with Store.open(into) as store:
        assert store.scores_of(TURN.digest) == [StoredScore(TURN.digest, TASK, 9, 0, 3, "outputs of turn")]
        assert store.parents_of(MIRROR.digest) == [(TURN.digest, "insert")]
    make_version_1(tmp_path / "target")
    merge(shards, tmp_path / "target")
    assert len(known_runs(tmp_path / "target")) == 1


def test_a_library_of_version_2_is_merged_with_its_runs_and_not_changed(into: Path, shards: list[Path]) -> None:
    before = states(shards[0])
    make_version_2(shards[0])
    content = shards[0].read_bytes()
    merge(shards[:1], into)
    assert states(into) == before
    assert shards[0].read_bytes() == content
    assert merge(shards[:1], into)[0].joined == 1
    merge(shards[1:], into)
    assert len(known_runs(into)) == 1


# Runs


def test_shards_become_one_run(tmp_path: Path, shards: list[Path], into: Path) -> None:
    deltas = [delta(TASK, 1), delta(OTHER, 1), delta(THIRD, 1), delta(TASK, 2), delta(THIRD, 2)]
    whole = library(tmp_path / "whole", deltas)
    added = merge(shards, into)
    assert added == [Added(shards[0], 2, 2, 1, joined=0, apart=0), Added(shards[1], 2, 0, 1, joined=1, apart=0)]
    assert states(into) == states(whole)
    with Store.open(into) as merged, Store.open(whole) as store:
        [run], [expected] = runs.runs(merged), runs.runs(store)
        assert (run.command, run.seed, run.ended is None) == ("solve", 1, False)
        assert runs.attempts(merged, run) == runs.attempts(store, expected)
        assert runs.votes(merged, run) == runs.votes(store, expected)
        assert list(merged.query("SELECT settings FROM runs")) == list(store.query("SELECT settings FROM runs"))
        assert list(merged.query("PRAGMA foreign_key_check")) == []


def test_a_merged_run_has_all_sessions_by_time(shards: list[Path], into: Path) -> None:
    [first], [second] = map(known_runs, shards)
    with Store.open(shards[0]) as store:
        runs.resume_run(store, first, versions={"arcloom": "0"}, settings=settings(shard="1/2"))
    merge(shards[::-1], into)
    with Store.open(into) as store:
        rows = list(store.query("SELECT number, versions, settings, started FROM sessions ORDER BY number"))
        [run] = runs.runs(store)
    assert [(number, versions) for number, versions, *_ in rows] == [
        (0, '{"arcloom": "1"}'),
        (1, '{"arcloom": "1"}'),
        (2, '{"arcloom": "0"}'),
    ]
    assert [row[3] for row in rows[:2]] == [first.started, second.started]
    assert (run.started, run.versions, run.ended) == (first.started, {"arcloom": "0"}, None)


def test_a_merged_run_can_be_continued(shards: list[Path], into: Path) -> None:
    merge(shards, into)
    with Store.open(into) as store:
        run = runs.resume_run(store, runs.runs(store)[-1], versions={}, settings=settings())
        runs.add_deltas(store, run, [delta(OTHER, 2)])
        record = runs.task_record(store, run, OTHER)
    assert record is not None
    assert (record.generation, record.seen, len(record.members), len(record.votes)) == (2, {"card": b"\1\2"}, 2, 2)


def test_merging_again_changes_nothing(shards: list[Path], into: Path) -> None:
    library(shards[0], [delta(TASK, 1, score=7)], shard="1/2")  # a second run with another state
    merge(shards, into)
    before = dump(into)
    assert [(one.new, one.runs, one.joined) for one in merge(shards, into)] == [(0, 2, 2), (0, 1, 1)]
    assert dump(into) == before


@pytest.mark.parametrize("changed", [{"seed": 2}, {"data": "y"}, {"generations": 3}])
def test_runs_with_different_settings_stay_separate(tmp_path: Path, into: Path, changed: dict[str, Any]) -> None:
    one = library(tmp_path / "one", [delta(TASK, 1)])
    two = library(tmp_path / "two", [delta(OTHER, 1)], **changed)
    assert [(a.joined, a.apart) for a in merge([one, two], into)] == [(0, 0), (0, 0)]
    assert states(into) == [*states(one), *states(two)]


CHANGES: dict[str, Delta] = {
    "members": replace(delta(TASK, 1), added=[]),
    "votes": replace(delta(TASK, 1), votes=[]),
    "seen": replace(delta(TASK, 1), seen={"card": b"y"}),
    "attempts": replace(delta(TASK, 1), attempts=[Attempt(TASK, 0, 1, ((9,),), 0.5)]),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
def test_different_states_of_the_same_task_stay_separate(tmp_path: Path, into: Path, change: Delta) -> None:
    one = library(tmp_path / "one", [delta(TASK, 1), delta(OTHER, 1)])
    two = library(tmp_path / "two", [change, delta(THIRD, 1)])
    assert [(a.joined, a.apart) for a in merge([one, two], into)] == [(0, 0), (0, 1)]
    assert states(into) == [*states(one), *states(two)]
    with Store.open(into) as store, Store.open(two) as source:
        [_, run], [expected] = runs.runs(store), runs.runs(source)
        assert runs.attempts(store, run) == runs.attempts(source, expected)


def test_a_task_that_has_one_more_generation_stays_separate(tmp_path: Path, into: Path) -> None:
    one = library(tmp_path / "one", [delta(TASK, 1)])
    two = library(tmp_path / "two", [delta(TASK, 1), Delta(TASK, 2)])
    assert [a.apart for a in merge([one, two], into)] == [0, 1]


def test_equal_states_of_the_same_task_are_united(tmp_path: Path, into: Path) -> None:
    one = library(tmp_path / "one", [delta(TASK, 1), delta(OTHER, 1)])
    two = library(tmp_path / "two", [delta(THIRD, 1), delta(TASK, 1)])
    assert [a.joined for a in merge([one, two], into)] == [0, 1]
    [merged] = states(into)
    assert merged.keys() == {TASK, OTHER, THIRD}
    assert merged[TASK] == states(one)[0][TASK]


def test_the_newest_runs_of_shards_are_joined(tmp_path: Path, into: Path) -> None:
    """If a shard was solved twice, its second run is joined with the other shard, and is the one to resume."""
    one = library(tmp_path / "one", [delta(TASK, 1)], shard="1/2")
    two = library(tmp_path / "two", [delta(OTHER, 1, score=1)], shard="2/2")
    library(two, [delta(OTHER, 1, score=2)], shard="2/2")
    assert [(a.joined, a.apart) for a in merge([one, two], into)] == [(0, 0), (1, 0)]
    earlier, latest = states(into)
    assert latest == {**states(one)[0], **states(two)[1]}
    assert earlier == states(two)[0]


def test_runs_of_one_library_stay_separate(tmp_path: Path, into: Path) -> None:
    one = library(tmp_path / "one", [delta(TASK, 1)])
    library(one, [delta(OTHER, 1)])
    merge([one], into)
    assert states(into) == states(one)
    assert [run.id for run in known_runs(into)] == [1, 2]


def test_merging_a_library_in_use_reads_it_without_changing_it(tmp_path: Path, into: Path) -> None:
    with Store.open(tmp_path / "live") as store:
        run = runs.begin_run(store, "solve", versions={}, settings=settings())
        runs.add_deltas(store, run, [delta(TASK, 1)])
        with store.transaction():  # an uncommitted change is not read, and the lock of the writer is no obstacle
            store.insert([ProgramText.of(FLIP)], [])
            merge([tmp_path / "live"], into)
        assert FLIP in store
    with Store.open(into) as merged:
        assert [entry.program for entry in merged.programs()] == [MIRROR, TURN]
    assert states(into) == states(tmp_path / "live")


def test_changes_that_a_killed_writer_left_in_the_log_are_merged(tmp_path: Path, into: Path) -> None:
    with Store.open(tmp_path / "live") as store:
        runs.add_deltas(store, runs.begin_run(store, "solve", versions={}, settings={}), [delta(TASK, 1)])
        for suffix in ("", "-wal"):
            (tmp_path / f"killed{suffix}").write_bytes((tmp_path / f"live{suffix}").read_bytes())
    merge([tmp_path / "killed"], into)
    assert [list(run) for run in states(into)] == [[TASK]]


# Errors


def test_the_target_must_not_be_an_input(tmp_path: Path, shards: list[Path]) -> None:
    (tmp_path / "link").symlink_to(shards[0])
    for into in (shards[1], tmp_path / "link", tmp_path / "deep" / ".." / "1"):
        (tmp_path / "deep").mkdir(exist_ok=True)
        before = [path.read_bytes() for path in shards]
        with pytest.raises(StoreError, match="is one of the libraries to merge; choose another file for --into"):
            merge(shards, into)
        assert [path.read_bytes() for path in shards] == before


def unusable(tmp_path: Path, kind: str) -> Path:
    path = tmp_path / kind
    if kind == "newer":
        Store.open(path).close()
        with sqlite3.connect(path) as connection:
            connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    elif kind == "foreign":
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE t (x)")
    elif kind == "folder":
        path.mkdir()
    elif kind != "missing":
        path.write_text("words " * 1000 if kind == "text" else "", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("missing", "there is no library .*missing"),
        ("empty", r"empty is not a library \(it has no tables\)"),
        ("text", r"text is not a library \(no SQLite file\)"),
        ("folder", "folder cannot be used as a library"),
        ("foreign", "foreign is an SQLite file of another program"),
        ("newer", f"newer was written by a newer arcloom: its tables have version {VERSION + 1}"),
    ],
)
def test_an_unusable_file_is_refused(tmp_path: Path, shards: list[Path], into: Path, kind: str, message: str) -> None:
    path = unusable(tmp_path, kind)
    with pytest.raises(StoreError, match=message):
        merge([*shards, path], into)
    assert not into.exists(), "nothing is written before all files are checked"
    assert path.exists() == (kind != "missing")


def test_a_damaged_library_adds_nothing(tmp_path: Path, shards: list[Path], into: Path) -> None:
    with sqlite3.connect(shards[1]) as connection:
        connection.execute("DROP TABLE votes")
    with pytest.raises(StoreError, match=r"2 cannot be merged into .*no such table: other\.votes.*nothing of it"):
        merge(shards, into)
    assert states(into) == states(shards[0])


def test_a_target_in_use_is_refused(shards: list[Path], into: Path) -> None:
    into.parent.mkdir()
    with locked(into), pytest.raises(StoreError, match=r"merged\.sqlite is in use by .*process"):
        merge(shards, into)
