"""Merging libraries: combines the programs, scores and runs of several files in one file."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from arcloom.store.lock import locked
from arcloom.store.schema import STATEFUL, StoreError, file_version
from arcloom.store.store import Store

_TASKS = """(SELECT theirs.number AS theirs, ours.number AS ours
    FROM other.tasks AS theirs JOIN main.tasks AS ours USING (id, digest))"""

_COPY = (
    "INSERT OR IGNORE INTO main.programs SELECT * FROM other.programs ORDER BY rowid",
    "INSERT OR IGNORE INTO main.tasks (id, digest) SELECT id, digest FROM other.tasks ORDER BY number",
    f"""INSERT INTO main.scores SELECT program, ours, score, solved, demos, outputs
        FROM other.scores JOIN {_TASKS} ON theirs = task WHERE true
        ON CONFLICT (program, task) DO UPDATE SET (score, solved, demos, outputs) =
        (excluded.score, excluded.solved, excluded.demos, excluded.outputs) WHERE excluded.score > scores.score""",
    "INSERT OR IGNORE INTO main.lineage SELECT * FROM other.lineage",
)

_STATE = ("members", "votes", "seen", "attempts", "generations")
"""The tables with the state of tasks, in the order of copying. Generations come last, because they mark a task of a run
as having a state."""


@dataclass(frozen=True)
class Added:
    """The contribution of one file to a merged library.

    ``programs`` is the number of its programs, and ``new`` the number of new ones. Of its ``runs``, ``joined`` were
    joined with a run of the library, and ``apart`` were not, because the states of common tasks differ.
    """

    path: Path
    programs: int
    new: int
    runs: int
    joined: int
    apart: int


class _Run(NamedTuple):
    id: int
    command: str
    seed: int | None
    settings: dict[str, Any]

    @property
    def key(self) -> tuple[Any, ...]:
        """A key that is equal for the shards of one run."""
        return self.command, self.seed, {**self.settings, "shard": None}


class _Match(NamedTuple):
    """A run to add, the run that it joins, if any, and whether differing states of common tasks prevented a join."""

    theirs: _Run
    ours: _Run | None
    apart: bool


def merge(paths: Sequence[Path], into: Path) -> list[Added]:
    """Add the contents of libraries to another one, which is created if it does not exist.

    Of two scores of a program on a task the higher one is kept. Runs with the same command, seed and settings except
    the shard become one run, unless they have different states of the same task. Each file is added in one transaction,
    and adding a file again changes nothing. Raises StoreError for a file that cannot be used; all files are checked
    before anything is written.
    """
    versions = [file_version(path) for path in paths]
    if into.exists() and any(into.samefile(path) for path in paths):
        raise StoreError(f"{into} is one of the libraries to merge; choose another file for --into")
    into.parent.mkdir(parents=True, exist_ok=True)
    with locked(into), Store.open(into) as store:
        return [_add(store, path, version) for path, version in zip(paths, versions, strict=True)]


def _add(store: Store, path: Path, version: int) -> Added:
    with store.attached(path, "other"), store.transaction() as connection:
        try:
            before = len(store)
            for statement in _COPY:
                connection.execute(statement)
            matches = _add_runs(connection) if version >= STATEFUL else []
            (programs,) = connection.execute("SELECT count(*) FROM other.programs").fetchone()
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{path} cannot be merged into {store.path} ({error}); nothing of it was added") from None
        joined = sum(match.ours is not None for match in matches)
        apart = sum(match.apart for match in matches)
        return Added(path, programs, len(store) - before, len(matches), joined, apart)


def _add_runs(connection: sqlite3.Connection) -> list[_Match]:
    matches = _matches(connection)
    for match in matches:
        _add_run(connection, match.theirs, match.ours)
    return matches


def _matches(connection: sqlite3.Connection) -> list[_Match]:
    """The runs to add, oldest first, each with the run that it joins.

    Newer runs are matched first, with the newest candidates, because the newest run is the one that is resumed. Runs of
    the same file are never joined.
    """
    free = _runs(connection, "main")
    found = []
    for theirs in _runs(connection, "other"):
        alike = [ours for ours in free if ours.key == theirs.key]
        joined = next((ours for ours in alike if _agree(connection, theirs, ours)), None)
        if joined is not None:
            free.remove(joined)
        found.append(_Match(theirs, joined, bool(alike) and joined is None))
    return found[::-1]


def _runs(connection: sqlite3.Connection, schema: str) -> list[_Run]:
    """The runs of a library, newest first, without those of version 1, which have no sessions."""
    rows = connection.execute(f"""SELECT id, command, seed, runs.settings FROM {schema}.runs
        JOIN {schema}.sessions ON run = id GROUP BY id ORDER BY max(sessions.started) DESC, id DESC""")
    return [_Run(id, command, seed, json.loads(settings)) for id, command, seed, settings in rows.fetchall()]


def _agree(connection: sqlite3.Connection, theirs: _Run, ours: _Run) -> bool:
    """Whether two runs have equal states of all common tasks."""
    runs = {"theirs": theirs.id, "ours": ours.id}
    return not any(connection.execute(_difference(connection, table), runs).fetchone()[0] for table in _STATE)


def _difference(connection: sqlite3.Connection, table: str) -> str:
    """A query that returns whether a table differs between two runs for common tasks. Times are ignored."""
    columns = "number" if table == "generations" else _columns(connection, table)
    common = f"""(SELECT task FROM main.generations WHERE run = :ours INTERSECT
        SELECT ours FROM other.generations JOIN {_TASKS} ON theirs = task WHERE run = :theirs)"""
    left = f"SELECT task, {columns} FROM main.{table} WHERE run = :ours AND task IN {common}"
    right = f"""SELECT ours, {columns} FROM other.{table} JOIN {_TASKS} ON theirs = task
        WHERE run = :theirs AND ours IN {common}"""
    return f"SELECT EXISTS ({left} EXCEPT {right}) OR EXISTS ({right} EXCEPT {left})"


def _columns(connection: sqlite3.Connection, table: str) -> str:
    """The columns of a state table that both libraries have, except the run and the task."""
    ours = _column_names(connection, table, "main")
    theirs = _column_names(connection, table, "other") or ours  # reading a missing table reports it
    return ", ".join(name for name in ours if name in theirs and name not in ("run", "task"))


def _column_names(connection: sqlite3.Connection, table: str, schema: str) -> list[str]:
    rows = connection.execute("SELECT name FROM pragma_table_info(?, ?)", (table, schema)).fetchall()
    return [name for (name,) in rows]


def _add_run(connection: sqlite3.Connection, theirs: _Run, ours: _Run | None) -> None:
    run = _new_run(connection, theirs) if ours is None else ours.id
    if ours is not None:
        _extend_run(connection, theirs, ours)
    _copy_sessions(connection, theirs.id, run)
    for table in _STATE:
        columns = _columns(connection, table)
        query = f"""INSERT INTO main.{table} (run, task, {columns}) SELECT :ours, ours, {columns}
            FROM other.{table} JOIN {_TASKS} ON theirs = task WHERE run = :theirs
            AND ours NOT IN (SELECT task FROM main.generations WHERE run = :ours)"""
        connection.execute(query, {"theirs": theirs.id, "ours": run})


def _new_run(connection: sqlite3.Connection, theirs: _Run) -> int:
    columns = "command, seed, versions, settings, started, ended"
    query = f"INSERT INTO main.runs ({columns}) SELECT {columns} FROM other.runs WHERE id = ?"
    number = connection.execute(query, (theirs.id,)).lastrowid
    assert number is not None
    return number


def _extend_run(connection: sqlite3.Connection, theirs: _Run, ours: _Run) -> None:
    """Update a run after a join: its start is the earliest one, and its shard is kept only if both have the same."""
    settings = ours.settings if ours.settings.get("shard") == theirs.settings.get("shard") else ours.key[2]
    query = """UPDATE main.runs SET settings = :settings,
        started = min(started, (SELECT started FROM other.runs WHERE id = :theirs)) WHERE id = :ours"""
    connection.execute(query, {"settings": json.dumps(settings), "theirs": theirs.id, "ours": ours.id})


def _copy_sessions(connection: sqlite3.Connection, theirs: int, ours: int) -> None:
    """Add the missing sessions of a run, and number all of them by time."""
    columns = "started, versions, settings, ended"
    statistics = "statistics" if "statistics" in _columns(connection, "sessions") else "'{}'"
    union = f"""SELECT {columns}, statistics FROM main.sessions WHERE run = ? UNION
        SELECT {columns}, {statistics} FROM other.sessions WHERE run = ? ORDER BY started, versions, settings, ended"""
    rows = connection.execute(union, (ours, theirs)).fetchall()
    found = {tuple(key): (ended, known) for *key, ended, known in rows}
    connection.execute("DELETE FROM main.sessions WHERE run = ?", (ours,))
    query = f"INSERT INTO main.sessions (run, number, {columns}, statistics) VALUES (?, ?, ?, ?, ?, ?, ?)"
    connection.executemany(query, [(ours, n, *key, *rest) for n, (key, rest) in enumerate(found.items())])
