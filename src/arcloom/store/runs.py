"""Runs of the search in the store: their sessions, and the states of tasks from which they can be resumed exactly."""

import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from arcloom.store.records import Attempt, Delta, Member, Outputs, Run, Session, Step, TaskKey, TaskRecord, Vote
from arcloom.store.store import Store, StoreError
from arcloom.tasks.packed import split_packed

T = TypeVar("T")
P = ParamSpec("P")


def _reading(read: Callable[P, T]) -> Callable[P, T]:
    """Decorator of functions that read a store, their first argument: damaged values raise StoreError."""

    @wraps(read)
    def checked(*args: P.args, **named: P.kwargs) -> T:
        try:
            return read(*args, **named)
        except (ValueError, TypeError, IndexError) as error:
            path = args[0].path  # type: ignore[attr-defined]
            advice = f"'arcloom library check --repair --library {path}' removes damaged data"
            raise StoreError(f"{path} has a damaged run ({error}); {advice}") from error

    return checked


_RUN = """SELECT id, command, seed, sessions.versions, sessions.settings, runs.started, sessions.ended FROM runs
    JOIN sessions ON run = id AND sessions.number = (SELECT max(number) FROM sessions WHERE run = id)"""
_MEMBER = "ordinal, program, source, root, change, depth, score, solved, held_out, profile, outputs"
_VOTE = "program, source, root, weight, unseen, outputs"


def begin_run(
    store: Store, command: str, *, versions: Mapping[str, str], seed: int | None = None, settings: Mapping[str, Any]
) -> Run:
    """Record the start of a run, with everything that its result depends on."""
    started = time.time()
    with store.transaction() as connection:
        values = (command, seed, json.dumps(dict(versions)), json.dumps(dict(settings)), started)
        query = "INSERT INTO runs (command, seed, versions, settings, started) VALUES (?, ?, ?, ?, ?)"
        number = connection.execute(query, values).lastrowid
        assert number is not None
        _begin_session(connection, number, versions, settings, started)
    return Run(number, command, seed, dict(versions), dict(settings), started)


def resume_run(store: Store, run: Run, *, versions: Mapping[str, str], settings: Mapping[str, Any]) -> Run:
    """Record the start of another session of a run."""
    with store.transaction() as connection:
        _begin_session(connection, run.id, versions, settings, time.time())
    return Run(run.id, run.command, run.seed, dict(versions), dict(settings), run.started)


def _begin_session(
    connection: sqlite3.Connection,
    run: int,
    versions: Mapping[str, str],
    settings: Mapping[str, Any],
    started: float,
) -> None:
    (number,) = connection.execute("SELECT count(*) FROM sessions WHERE run = ?", (run,)).fetchone()
    values = (run, number, json.dumps(dict(versions)), json.dumps(dict(settings)), started)
    connection.execute("INSERT INTO sessions (run, number, versions, settings, started) VALUES (?, ?, ?, ?, ?)", values)


def end_run(store: Store, run: Run) -> None:
    """Record the end of the current session of a run."""
    with store.transaction() as connection:
        _update_session(connection, run, "ended", time.time())


def _update_session(connection: sqlite3.Connection, run: Run, column: str, value: Any) -> None:
    """Change a column of the current session of a run."""
    latest = "(SELECT max(number) FROM sessions WHERE run = ?)"
    query = f"UPDATE sessions SET {column} = ? WHERE run = ? AND number = {latest}"
    connection.execute(query, (value, run.id, run.id))


@_reading
def runs(store: Store, command: str | None = None) -> list[Run]:
    """All runs, or those of one command, ordered by the start of their last sessions."""
    rows = store.query(f"{_RUN} WHERE ? IN (command, '') ORDER BY sessions.started, id", (command or "",))
    return [
        Run(id, command, seed, json.loads(versions), json.loads(settings), started, ended)
        for id, command, seed, versions, settings, started, ended in rows
    ]


@_reading
def sessions(store: Store, run: Run) -> list[Session]:
    """The sessions of a run, oldest first."""
    columns = "versions, settings, started, ended, statistics"
    rows = store.query(f"SELECT {columns} FROM sessions WHERE run = ? ORDER BY number", (run.id,))
    return [
        Session(json.loads(versions), json.loads(settings), started, ended, json.loads(statistics))
        for versions, settings, started, ended, statistics in rows
    ]


def has_answers(store: Store) -> bool:
    """Whether any run has attempts for a task."""
    return any(True for _ in store.query("SELECT 1 FROM attempts LIMIT 1"))


def add_deltas(store: Store, run: Run, deltas: Iterable[Delta], statistics: Mapping[str, Any] | None = None) -> None:
    """Store deltas, and the statistics of the current session up to them, in one transaction."""
    with store.transaction() as connection:
        if statistics is not None:
            _update_session(connection, run, "statistics", json.dumps(dict(statistics)))
        for delta in deltas:
            store.insert(delta.programs, delta.scores)
            connection.executemany("INSERT OR IGNORE INTO lineage VALUES (?, ?, ?)", delta.lineage)
            _add_state(connection, (run.id, store.number(delta.task)), delta)


def _add_state(connection: sqlite3.Connection, key: tuple[int, int], delta: Delta) -> None:
    delete = "DELETE FROM members WHERE run = ? AND task = ? AND ordinal = ?"
    connection.executemany(delete, [(*key, ordinal) for ordinal in delta.removed])
    _insert(connection, "members", [(*key, *_member_row(member)) for member in delta.added])
    (voted,) = connection.execute("SELECT count(*) FROM votes WHERE run = ? AND task = ?", key).fetchone()
    cast = [(*key, voted + n, *_vote_row(vote), delta.generation) for n, vote in enumerate(delta.votes)]
    _insert(connection, "votes", cast)
    rows = [(*key, source, delta.generation, keys) for source, keys in delta.seen.items() if keys]
    _insert(connection, "seen", rows)
    statistics = (json.dumps(dict(delta.counts)), json.dumps(dict(delta.seconds)), time.time())
    _insert(connection, "generations", [(*key, delta.generation, *statistics)])
    if delta.attempts:
        connection.execute("DELETE FROM attempts WHERE run = ? AND task = ?", key)
        _insert(connection, "attempts", [(*key, *_attempt_row(attempt)) for attempt in delta.attempts])


def _insert(connection: sqlite3.Connection, table: str, rows: Sequence[tuple[Any, ...]]) -> None:
    if rows:
        marks = ", ".join("?" * len(rows[0]))
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)


def _member_row(member: Member) -> tuple[Any, ...]:
    *plain, profile, outputs = member
    return *plain, json.dumps(profile), _joined(outputs)


def _vote_row(vote: Vote) -> tuple[Any, ...]:
    *plain, outputs = vote
    return *plain, _joined(outputs)


def _attempt_row(attempt: Attempt) -> tuple[Any, ...]:
    return attempt.test, attempt.rank, json.dumps(attempt.grid), attempt.confidence


def _joined(outputs: Outputs) -> bytes:
    """The concatenation of packed grids. A missing grid has height and width 0."""
    return b"".join(output or b"\0\0" for output in outputs)


def _split(outputs: bytes) -> Outputs:
    return tuple(grid if grid[0] else None for grid in split_packed(outputs))


@_reading
def task_record(store: Store, run: Run, task: TaskKey) -> TaskRecord | None:
    """The state of a task of a run, or None if the task has none."""
    number = store.known_number(task)
    rows = _select(store, "max(number)", "generations", run, number)
    if rows[0][0] is None:
        return None
    members = [_member(row) for row in _select(store, _MEMBER, "members", run, number, "ordinal")]
    votes = [_vote(row) for row in _select(store, _VOTE, "votes", run, number, "place")]
    seen: dict[str, bytes] = {}
    for source, keys in _select(store, "source, keys", "seen", run, number, "generation"):
        seen[source] = seen.get(source, b"") + keys
    texts = store.texts({member.program for member in members})
    return TaskRecord(rows[0][0], members, votes, seen, texts)


def _select(store: Store, what: str, table: str, run: Run, task: int | None, order: str = "") -> list[Any]:
    by = f" ORDER BY {order}" if order else ""
    return list(store.query(f"SELECT {what} FROM {table} WHERE run = ? AND task = ?{by}", (run.id, task)))


def _member(row: Sequence[Any]) -> Member:
    ordinal, program, source, root, change, depth, score, solved, held_out, profile, outputs = row
    scores = tuple(json.loads(profile))
    return Member(ordinal, program, source, root, change, depth, score, bool(solved), held_out, scores, _split(outputs))


def _vote(row: Sequence[Any]) -> Vote:
    program, source, root, weight, unseen, outputs = row
    return Vote(program, source, root, weight, bool(unseen), _split(outputs))


@_reading
def attempts(store: Store, run: Run) -> dict[TaskKey, list[Attempt]]:
    """The attempts of a run so far, by task."""
    query = """SELECT tasks.id, tasks.digest, test, rank, grid, confidence FROM attempts
        JOIN tasks ON number = task WHERE run = ? ORDER BY task, test, rank"""
    return _by_task(store, query, run, lambda key, row: Attempt(key, row[0], row[1], _grid(row[2]), row[3]))


def _grid(text: str) -> tuple[tuple[int, ...], ...]:
    return tuple(map(tuple, json.loads(text)))


@_reading
def votes(store: Store, run: Run) -> dict[TaskKey, list[Vote]]:
    """The votes of a run, by task."""
    query = f"""SELECT tasks.id, tasks.digest, {_VOTE} FROM votes
        JOIN tasks ON number = task WHERE run = ? ORDER BY task, place"""
    return _by_task(store, query, run, lambda key, row: _vote(row))


def solution_times(store: Store, run: Run) -> dict[TaskKey, float]:
    """For each solved task, the time of storing the first program that solves all demonstrations."""
    query = """SELECT tasks.id, tasks.digest, min(stored) FROM votes
        JOIN generations AS g ON g.run = votes.run AND g.task = votes.task AND g.number = max(votes.generation, 1)
        JOIN tasks ON tasks.number = votes.task WHERE votes.run = ? GROUP BY votes.task"""
    return {TaskKey(id, digest): stored for id, digest, stored in store.query(query, (run.id,))}


@_reading
def steps(store: Store, run: Run) -> list[Step]:
    """The statistics of all generations of a run, in the order of storing."""
    query = """SELECT tasks.id, tasks.digest, generations.number, stored, counts, seconds FROM generations
        JOIN tasks ON tasks.number = task WHERE run = ? ORDER BY stored, task, generations.number"""
    return [
        Step(TaskKey(id, digest), number, stored, json.loads(counts), json.loads(seconds))
        for id, digest, number, stored, counts, seconds in store.query(query, (run.id,))
    ]


def _by_task(store: Store, query: str, run: Run, read: Callable[[TaskKey, Any], T]) -> dict[TaskKey, list[T]]:
    found: dict[TaskKey, list[T]] = {}
    for id, digest, *row in store.query(query, (run.id,)):
        key = TaskKey(id, digest)
        found.setdefault(key, []).append(read(key, row))
    return found
