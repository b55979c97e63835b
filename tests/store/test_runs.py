"""Runs in the store: a task's state is the sum of its deltas, and a run may have several sessions."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from old_library import MIRROR, TASK, TURN, make_version_2

from arcloom.store import Attempt, Delta, Descent, Member, ProgramText, Run, Store, StoredScore, TaskKey, Vote, runs

OTHER = TaskKey("bbbb", "2")
TEXTS = [ProgramText.of(MIRROR), ProgramText.of(TURN)]
GRID = b"\1\2\3\4"

FIRST = Delta(
    TASK,
    1,
    programs=TEXTS,
    scores=[StoredScore(TURN.digest, TASK, 700, 1, 3, "hash")],
    lineage=[Descent(TURN.digest, MIRROR.digest, "insert")] * 2,
    added=[
        Member(0, MIRROR.digest, "library", "mirror", "", 0, 500, False, 0.0, (500, 0), (None, GRID)),
        Member(1, TURN.digest, "card", "mirror", "insert", 1, 700, True, 0.75, (900, 500), (GRID, GRID)),
    ],
    votes=[Vote(TURN.digest, "card", "mirror", 0.125, True, (GRID,))],
    seen={"card": b"abc", "library": b""},
    attempts=[Attempt(TASK, 0, 1, ((1, 2), (3, 4)), 0.75), Attempt(TASK, 0, 2, ((0,),), 0.75)],
    counts={"card": 9},
    seconds={"card": 0.5},
)
SECOND = Delta(
    TASK,
    2,
    added=[Member(2, MIRROR.digest, "card", "turn", "", 2, 600, False, 1 / 3, (), ())],
    removed=[0],
    votes=[Vote(MIRROR.digest, "card", "turn", 0.1, False, (None,)), FIRST.votes[0]],
    seen={"card": b"de", "induction": b"x"},
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "library.sqlite")


@pytest.fixture
def run(store: Store) -> Run:
    return runs.begin_run(store, "solve", versions={"arcloom": "1"}, seed=4, settings={"data": "x"})


def test_a_task_without_deltas_has_no_record(store: Store, run: Run) -> None:
    assert runs.task_record(store, run, TASK) is None
    runs.add_deltas(store, run, [FIRST])
    assert runs.task_record(store, run, OTHER) is None


def test_the_state_of_a_task_is_the_sum_of_its_deltas(store: Store, run: Run) -> None:
    runs.add_deltas(store, run, [FIRST])
    runs.add_deltas(store, run, [SECOND, Delta(OTHER, 1)])
    record = runs.task_record(store, run, TASK)
    assert record is not None
    assert record.generation == 2
    assert record.members == [FIRST.added[1], SECOND.added[0]]
    assert record.votes == [FIRST.votes[0], *SECOND.votes]
    assert record.seen == {"card": b"abcde", "induction": b"x"}
    assert record.texts == {text.digest: text.text for text in TEXTS}
    assert runs.votes(store, run) == {TASK: record.votes}
    other = runs.task_record(store, run, OTHER)
    assert other is not None
    assert (other.generation, other.members, other.votes, other.seen) == (1, [], [], {})


def test_programs_scores_and_ancestry_are_stored_with_a_delta(store: Store, run: Run) -> None:
    runs.add_deltas(store, run, [FIRST])
    assert [entry.program for entry in store.programs()] == [MIRROR, TURN]
    assert store.scores_of(TURN.digest) == list(FIRST.scores)
    assert store.parents_of(TURN.digest) == [(MIRROR.digest, "insert")]


def test_attempts_are_replaced_if_there_are_new_ones(store: Store, run: Run) -> None:
    runs.add_deltas(store, run, [FIRST])
    runs.add_deltas(store, run, [SECOND])
    assert runs.attempts(store, run) == {TASK: list(FIRST.attempts)}
    later = [Attempt(TASK, 0, 1, ((4,),), 0.9)]
    other = [Attempt(OTHER, 1, 2, ((5,),), 0.0)]
    runs.add_deltas(store, run, [Delta(TASK, 3, attempts=later), Delta(OTHER, 1, attempts=other)])
    assert runs.attempts(store, run) == {TASK: later, OTHER: other}


def test_steps_are_statistics_in_the_order_of_storing(store: Store, run: Run) -> None:
    runs.add_deltas(store, run, [FIRST])
    runs.add_deltas(store, run, [Delta(OTHER, 1)])
    runs.add_deltas(store, run, [SECOND])
    steps = runs.steps(store, run)
    assert [(step.task, step.generation) for step in steps] == [(TASK, 1), (OTHER, 1), (TASK, 2)]
    assert (steps[0].counts, steps[0].seconds) == (FIRST.counts, FIRST.seconds)
    assert steps[0].stored <= steps[1].stored <= steps[2].stored


def test_runs_do_not_share_states(store: Store, run: Run) -> None:
    runs.add_deltas(store, run, [FIRST])
    other = runs.begin_run(store, "solve", versions={}, settings={})
    assert runs.task_record(store, other, TASK) is None
    assert runs.attempts(store, other) == {}
    assert runs.votes(store, other) == {}
    assert runs.steps(store, other) == []


@pytest.mark.parametrize(
    "wrong",
    [
        replace(FIRST, programs=[]),
        replace(SECOND, programs=TEXTS, added=[*SECOND.added, *SECOND.added]),
        replace(SECOND, programs=TEXTS, votes=[Vote("no such program", "", "", 0.0, False, ())]),
    ],
)
def test_deltas_are_stored_together_or_not_at_all(store: Store, run: Run, wrong: Delta) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        runs.add_deltas(store, run, [Delta(OTHER, 1), wrong])
    assert len(store) == 0
    assert runs.task_record(store, run, OTHER) is None
    runs.add_deltas(store, run, [FIRST])
    assert len(store) == 2


def test_the_same_generation_cannot_be_stored_twice(store: Store, run: Run) -> None:
    runs.add_deltas(store, run, [FIRST])
    with pytest.raises(sqlite3.IntegrityError):
        runs.add_deltas(store, run, [Delta(TASK, 1)])


def test_runs_are_listed_with_the_latest_last(store: Store, run: Run) -> None:
    other = runs.begin_run(store, "bench", versions={}, settings={})
    assert runs.runs(store) == [run, other]
    assert runs.runs(store, "solve") == [run]
    assert runs.runs(store, "other") == []


def test_a_resumed_run_has_several_sessions(store: Store, run: Run) -> None:
    runs.end_run(store, run)
    [ended] = runs.runs(store)
    assert ended.ended is not None
    assert ended.ended >= ended.started == run.started
    again = runs.resume_run(store, run, versions={"arcloom": "2"}, settings={"data": "x", "each": 7})
    assert runs.runs(store) == [again]
    assert (again.id, again.seed, again.started, again.ended) == (run.id, 4, run.started, None)
    assert (again.versions, again.settings) == ({"arcloom": "2"}, {"data": "x", "each": 7})
    rows = store.query("SELECT number, versions, ended IS NULL FROM sessions ORDER BY number")
    assert list(rows) == [(0, '{"arcloom": "1"}', 0), (1, '{"arcloom": "2"}', 1)]


def test_a_resumed_run_is_the_latest(store: Store, run: Run) -> None:
    runs.begin_run(store, "solve", versions={}, settings={})
    runs.resume_run(store, run, versions={}, settings={})
    assert [known.id for known in runs.runs(store)] == [2, 1]


def test_statistics_belong_to_the_session_and_come_with_the_deltas(store: Store, run: Run) -> None:
    runs.add_deltas(store, run, [FIRST], {"workers": 1})
    runs.end_run(store, run)
    again = runs.resume_run(store, run, versions={"arcloom": "2"}, settings={"data": "x"})
    runs.add_deltas(store, again, [SECOND], {"workers": 7})
    first, second = runs.sessions(store, run)
    assert (first.statistics, second.statistics) == ({"workers": 1}, {"workers": 7})
    assert first.ended is not None
    assert (second.ended, second.versions) == (None, {"arcloom": "2"})
    broken = replace(FIRST, generation=3, added=[SECOND.added[0]])
    with pytest.raises(sqlite3.IntegrityError):
        runs.add_deltas(store, again, [broken], {"workers": 9})
    assert runs.sessions(store, run)[1].statistics == {"workers": 7}


def test_solution_times_are_the_times_of_the_first_solutions(store: Store, run: Run) -> None:
    runs.add_deltas(store, run, [replace(FIRST, votes=())])
    assert runs.solution_times(store, run) == {}
    runs.add_deltas(store, run, [SECOND])
    assert runs.solution_times(store, run) == {TASK: runs.steps(store, run)[1].stored}


def test_a_library_of_version_2_gets_the_generations_of_its_votes(tmp_path: Path, store: Store, run: Run) -> None:
    runs.add_deltas(store, run, [FIRST], {"workers": 1})
    runs.add_deltas(store, run, [replace(SECOND, votes=[SECOND.votes[1]])])
    times = runs.solution_times(store, run)
    before = runs.task_record(store, run, TASK)
    store.close()
    make_version_2(tmp_path / "library.sqlite")
    with Store.open(tmp_path / "library.sqlite") as migrated:
        assert runs.task_record(migrated, run, TASK) == before
        assert runs.solution_times(migrated, run) == times
        assert [session.statistics for session in runs.sessions(migrated, run)] == [{}]
        runs.add_deltas(migrated, run, [Delta(TASK, 3, votes=[FIRST.votes[0]])], {"workers": 2})
