"""The tables of the store, their migrations, and opening files."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

VERSION = 3
"""Version of the tables. Version 1 had no state of tasks; its programs, scores and ancestry are still read. Version 2
had neither the statistics of sessions nor the generations of votes."""

STATEFUL = 2
"""The first version with the state of tasks."""

APPLICATION = 0x61724C6D
"""SQLite's application id of libraries."""

WAITING = 30.0
"""Maximum seconds to wait for another writer."""

_TABLES = """
CREATE TABLE programs (
    digest TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    size INTEGER NOT NULL,
    created REAL NOT NULL
);
CREATE INDEX programs_by_name ON programs (name);
CREATE TABLE tasks (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    digest TEXT NOT NULL,
    UNIQUE (id, digest)
);
CREATE TABLE scores (
    program TEXT NOT NULL REFERENCES programs (digest),
    task INTEGER NOT NULL REFERENCES tasks (number),
    score INTEGER NOT NULL CHECK (score BETWEEN 0 AND 1000),
    solved INTEGER NOT NULL,
    demos INTEGER NOT NULL,
    outputs TEXT NOT NULL,
    PRIMARY KEY (program, task)
) WITHOUT ROWID;
CREATE INDEX scores_by_task ON scores (task, score);
CREATE TABLE lineage (
    child TEXT NOT NULL REFERENCES programs (digest),
    parent TEXT NOT NULL REFERENCES programs (digest),
    how TEXT NOT NULL,
    PRIMARY KEY (child, parent, how)
) WITHOUT ROWID;
CREATE TABLE runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    command TEXT NOT NULL,
    seed INTEGER,
    versions TEXT NOT NULL,
    settings TEXT NOT NULL,
    started REAL NOT NULL,
    ended REAL
);
"""

_STATE_TABLES = """
CREATE TABLE sessions (
    run INTEGER NOT NULL REFERENCES runs (id),
    number INTEGER NOT NULL,
    versions TEXT NOT NULL,
    settings TEXT NOT NULL,
    started REAL NOT NULL,
    ended REAL,
    statistics TEXT NOT NULL DEFAULT '{}',
    PRIMARY KEY (run, number)
) WITHOUT ROWID;
CREATE TABLE generations (
    run INTEGER NOT NULL REFERENCES runs (id),
    task INTEGER NOT NULL REFERENCES tasks (number),
    number INTEGER NOT NULL,
    counts TEXT NOT NULL,
    seconds TEXT NOT NULL,
    stored REAL NOT NULL,
    PRIMARY KEY (run, task, number)
) WITHOUT ROWID;
CREATE TABLE members (
    run INTEGER NOT NULL REFERENCES runs (id),
    task INTEGER NOT NULL REFERENCES tasks (number),
    ordinal INTEGER NOT NULL,
    program TEXT NOT NULL REFERENCES programs (digest),
    source TEXT NOT NULL,
    root TEXT NOT NULL,
    change TEXT NOT NULL,
    depth INTEGER NOT NULL,
    score INTEGER NOT NULL,
    solved INTEGER NOT NULL,
    held_out REAL NOT NULL,
    profile TEXT NOT NULL,
    outputs BLOB NOT NULL,
    PRIMARY KEY (run, task, ordinal)
) WITHOUT ROWID;
CREATE TABLE votes (
    run INTEGER NOT NULL REFERENCES runs (id),
    task INTEGER NOT NULL REFERENCES tasks (number),
    place INTEGER NOT NULL,
    program TEXT NOT NULL REFERENCES programs (digest),
    source TEXT NOT NULL,
    root TEXT NOT NULL,
    weight REAL NOT NULL,
    unseen INTEGER NOT NULL,
    outputs BLOB NOT NULL,
    generation INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (run, task, place)
) WITHOUT ROWID;
CREATE TABLE seen (
    run INTEGER NOT NULL REFERENCES runs (id),
    task INTEGER NOT NULL REFERENCES tasks (number),
    source TEXT NOT NULL,
    generation INTEGER NOT NULL,
    keys BLOB NOT NULL,
    PRIMARY KEY (run, task, source, generation)
) WITHOUT ROWID;
CREATE TABLE attempts (
    run INTEGER NOT NULL REFERENCES runs (id),
    task INTEGER NOT NULL REFERENCES tasks (number),
    test INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    grid TEXT NOT NULL,
    confidence REAL NOT NULL,
    PRIMARY KEY (run, task, test, rank)
) WITHOUT ROWID;
"""


UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""Exceptions that reading a damaged file raises. Python cannot decode a message of SQLite that quotes damaged names."""


class StoreError(Exception):
    """A library file cannot be used. The message has the file, the reason and advice."""


def connect(path: Path) -> sqlite3.Connection:
    """A connection to the file, which is created if it does not exist. Raises StoreError if it is not a library."""
    try:
        connection = sqlite3.connect(path, timeout=WAITING, isolation_level=None, uri=True)  # URIs for ATTACH
        try:
            _prepare(connection, path)
        except BaseException:
            connection.close()
            raise
    except UNREADABLE as error:
        raise StoreError(error_message(path, error)) from None
    return connection


def is_writable(path: Path) -> bool:
    """Whether this process may write a file and SQLite's files beside it.

    For the superuser this is false only on a read-only file system.
    """
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A read-only connection to a file of the current version. Raises StoreError if it cannot be used.

    The file is opened as immutable: no other process writes to a place that cannot be written.
    """
    known = file_version(path, "immutable=1")
    if known < VERSION:
        raise StoreError(f"{path} has tables of version {known} and cannot be converted in place; copy it first")
    return sqlite3.connect(read_only(path, "immutable=1"), timeout=WAITING, isolation_level=None, uri=True)


def check_exists(path: Path) -> None:
    """Raise StoreError if the file does not exist."""
    if not path.exists():
        raise StoreError(f"there is no library {path} yet; 'arcloom library import' or 'arcloom solve' makes one")


def read_only(path: Path, *settings: str) -> str:
    """The URI with which SQLite opens a file for reading only."""
    return f"{path.absolute().as_uri()}?{'&'.join(('mode=ro', *settings))}"


def file_version(path: Path, *settings: str) -> int:
    """The version of the tables in a file, which is opened read-only. Raises StoreError if it cannot be used."""
    check_exists(path)
    try:
        with closing(sqlite3.connect(read_only(path, *settings), timeout=WAITING, uri=True)) as connection:
            known = _version(connection)
            if known is None:
                raise StoreError(f"{path} is not a library (it has no tables); choose another file")
            _check(known, connection, path)
            return known
    except UNREADABLE as error:
        raise StoreError(error_message(path, error)) from None


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    known = _version(connection)
    if known is None:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("BEGIN IMMEDIATE")
        known = _version(connection)  # again, because another process may have created the tables
        if known is None:
            known = _create(connection)
        connection.execute("COMMIT")
    _check(known, connection, path)
    if known < VERSION:
        _migrate(connection)
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")


def _version(connection: sqlite3.Connection) -> int | None:
    """The version of the tables, or None if the file has no tables."""
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return int(connection.execute("PRAGMA user_version").fetchone()[0]) if tables else None


def _create(connection: sqlite3.Connection) -> int:
    _execute(connection, _TABLES + _STATE_TABLES)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    return VERSION


def _execute(connection: sqlite3.Connection, statements: str) -> None:
    """Execute statements within the current transaction, which ``executescript`` would commit."""
    for statement in filter(str.strip, statements.split(";")):
        connection.execute(statement)


_FROM_VERSION = {
    1: "DROP TABLE generations; DROP TABLE kept; DROP TABLE attempts;" + _STATE_TABLES,
    2: """
ALTER TABLE sessions ADD COLUMN statistics TEXT NOT NULL DEFAULT '{}';
ALTER TABLE votes ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
UPDATE votes SET generation = coalesce((SELECT min(number) FROM generations AS g WHERE g.run = votes.run
    AND g.task = votes.task AND g.stored >= (SELECT created FROM programs WHERE digest = program)), 0);
""",
}
"""The migrations to the next version. A run cannot be resumed exactly from the state tables of version 1, so they are
replaced. A vote of version 2 gets the generation that was stored with its program."""


def _migrate(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    known = _version(connection)  # again, because another process may have migrated the tables
    if known in _FROM_VERSION:
        _execute(connection, _FROM_VERSION[known])
        connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def _check(known: int, connection: sqlite3.Connection, path: Path) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION:
        raise StoreError(f"{path} is an SQLite file of another program; choose another file")
    if known > VERSION:
        reads = f"its tables have version {known}, and this arcloom knows up to {VERSION}"
        raise StoreError(f"{path} was written by a newer arcloom: {reads}; update arcloom or choose another file")


def error_message(path: Path, error: sqlite3.DatabaseError | UnicodeDecodeError) -> str:
    """The message for a file that cannot be opened: the reason and advice."""
    match getattr(error, "sqlite_errorname", ""):
        case "SQLITE_NOTADB":
            return f"{path} is not a library (no SQLite file); choose another file"
        case "SQLITE_BUSY":
            return f"{path} has been locked by another process for {WAITING:.0f} s; try again when that is done"
        case "SQLITE_FULL":
            return f"{path} cannot grow: the disk is full"
        case "SQLITE_READONLY":
            return f"{path} cannot be written; choose another file, or change who may write it"
        case _:
            return f"{path} cannot be used as a library ({error})"
