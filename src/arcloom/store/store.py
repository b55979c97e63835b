"""The SQLite file with the results of searches."""

import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from arcloom.notices import say_once
from arcloom.program.refusal import printable
from arcloom.program.term import Program
from arcloom.store.records import Entry, Listed, ProgramText, StoredScore, TaskKey, readable
from arcloom.store.schema import (
    StoreError,
    check_exists,
    connect,
    connect_to_read,
    error_message,
    is_writable,
    read_only,
)

_ENTRY = "programs.digest, programs.name, programs.text, programs.size, programs.created"
_SCORE = "scores.score, scores.solved, scores.demos, scores.outputs"


def default_path() -> Path:
    """The default path of the library: in the user's data folder."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "arcloom" / "library.sqlite"


class Store:
    """The library: open it with ``Store.open``. One process can write at a time; others can read meanwhile.

    Every method that writes uses one transaction, so a killed process loses at most its last write.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.path = path
        self._connection = connection
        self._numbers: dict[TaskKey, int] = {}

    @classmethod
    def open(cls, path: str | Path | None = None, *, must_exist: bool = False) -> "Store":
        """Open the library in this file, by default the user's library. It is created if it does not exist.

        With ``must_exist`` it is not created, and it may be on a read-only disk.

        Raises StoreError if the file is not a library or was written by a newer arcloom.
        """
        where = default_path() if path is None else Path(path)
        if must_exist:
            check_exists(where)
        where.parent.mkdir(parents=True, exist_ok=True)
        return cls(connect_to_read(where) if must_exist and not is_writable(where) else connect(where), where)

    @classmethod
    def in_memory(cls) -> "Store":
        """An empty library that is not written to a file."""
        return cls(connect(Path(":memory:")), Path(":memory:"))

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """A context that is a transaction: it is rolled back if an error occurs."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            yield self._connection
            self._connection.execute("COMMIT")
        except BaseException as error:
            self._connection.rollback()
            self._numbers.clear()
            if isinstance(error, sqlite3.OperationalError):  # the disk is full, or the lock timed out
                raise StoreError(error_message(self.path, error)) from None
            raise

    @contextmanager
    def attached(self, path: Path, name: str) -> Iterator[None]:
        """A context in which the tables of another library can be read as ``name.table``."""
        try:
            self._connection.execute(f"ATTACH ? AS {name}", (read_only(path),))
        except sqlite3.OperationalError as error:
            raise StoreError(error_message(path, error)) from None
        try:
            yield
        finally:
            self._connection.execute(f"DETACH {name}")

    # Programs and scores

    def add(self, programs: Iterable[Program], scores: Iterable[StoredScore] = ()) -> list[Program]:
        """Add programs, and scores of these or other programs. Returns the programs that are new."""
        with self.transaction():
            new = [program for program in dict.fromkeys(programs) if program not in self]
            self.insert(map(ProgramText.of, new), scores)
        return new

    def insert(self, programs: Iterable[ProgramText], scores: Iterable[StoredScore]) -> None:
        """Insert new programs, and scores, within the current transaction."""
        now = time.time()
        texts = [(*program, now) for program in programs]
        self._connection.executemany("INSERT OR IGNORE INTO programs VALUES (?, ?, ?, ?, ?)", texts)
        rows = [(s.program, self.number(s.task), s.score, s.solved, s.demos, s.outputs) for s in scores]
        self._connection.executemany("INSERT OR REPLACE INTO scores VALUES (?, ?, ?, ?, ?, ?)", rows)

    def query(self, statement: str, values: Sequence[Any] = ()) -> Iterator[Any]:
        """The rows of a SELECT statement."""
        return iter(self._connection.execute(statement, values))

    def number(self, task: TaskKey) -> int:
        """The number of a task. A new task is added, within the current transaction."""
        found = self._numbers.get(task) or self.known_number(task)
        if found is None:
            found = self._connection.execute("INSERT INTO tasks (id, digest) VALUES (?, ?)", task).lastrowid
        assert found is not None
        self._numbers[task] = found
        return found

    def known_number(self, task: TaskKey) -> int | None:
        """The number of a task, or None if the store does not have it."""
        row = self._connection.execute("SELECT number FROM tasks WHERE id = ? AND digest = ?", task).fetchone()
        return None if row is None else int(row[0])

    def __len__(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM programs").fetchone()[0])

    def __contains__(self, program: Program) -> bool:
        query = "SELECT 1 FROM programs WHERE digest = ?"
        return self._connection.execute(query, (program.digest,)).fetchone() is not None

    def programs(self) -> Iterator[Entry]:
        """All programs, in the order of insertion."""
        yield from self._read_entries(f"SELECT {_ENTRY} FROM programs ORDER BY rowid")

    def texts(self, digests: Iterable[str]) -> dict[str, str]:
        """The source texts of programs by digest."""
        query = "SELECT digest, text FROM programs WHERE digest = ?"
        rows = [row for digest in digests for row in self.query(query, (digest,))]
        return {digest: readable(text) for digest, text in rows if isinstance(text, str)}

    def programs_for(self, task: TaskKey, limit: int = -1) -> list[Listed]:
        """The programs with a score on a task, best score first, then smallest first; at most ``limit`` of them."""
        number = self.known_number(task)
        query = f"""SELECT {_ENTRY}, {_SCORE} FROM scores JOIN programs ON digest = program
            WHERE task = ? ORDER BY score DESC, size, digest LIMIT ?"""
        return self._listed(self._connection.execute(query, (number, limit)), task)

    def listed(self) -> list[Listed]:
        """All programs with each of their scores, ordered by task, score and size; those without a score are last."""
        query = f"""SELECT {_ENTRY}, {_SCORE}, tasks.id, tasks.digest FROM programs
            LEFT JOIN scores ON scores.program = programs.digest LEFT JOIN tasks ON number = scores.task
            ORDER BY tasks.id IS NULL, tasks.id, tasks.digest, scores.score DESC, size, programs.digest"""
        return self._listed(self._connection.execute(query), None)

    def find(self, wanted: str) -> list[Entry]:
        """The programs whose digest begins with ``wanted``; if there is none, those with this name or with a score on
        the task with this id.

        Programs for a task are ordered by their scores, best first, then by size.
        """
        found = self._entries("", "digest >= ? AND digest < ?", (wanted, wanted + "g")) if wanted else []
        if found:
            return found
        scored = """LEFT JOIN (SELECT program, max(score) AS best FROM scores JOIN tasks ON number = task WHERE id = ?
            GROUP BY program) ON program = digest"""
        named = "name IN (?, ?) OR best IS NOT NULL"
        return self._entries(scored, named, (wanted, wanted, f"solve_{wanted}"), "best IS NULL, best DESC, ")

    def _entries(self, join: str, condition: str, values: tuple[str, ...], order: str = "") -> list[Entry]:
        query = f"SELECT {_ENTRY} FROM programs {join} WHERE {condition} ORDER BY {order}size, digest"
        return list(self._read_entries(query, values))

    def _read_entries(self, query: str, values: tuple[str, ...] = ()) -> Iterator[Entry]:
        """The programs that a query selects. Damaged rows are skipped with a message."""
        for row in self._connection.execute(query, values):
            entry = _entry(row)
            if entry is None:
                self._skip(row[0])
            else:
                yield entry

    def _listed(self, rows: Iterable[Sequence[Any]], task: TaskKey | None) -> list[Listed]:
        """Programs with scores from rows. Without ``task``, the last columns of each row are the task."""
        found = []
        for row in rows:
            entry = _entry(row[:5])
            scored = task or (None if row[9] is None else TaskKey(*row[9:]))
            if entry is None or (scored is not None and not _is_score(row[5:9], scored)):
                self._skip(row[0])
            else:
                found.append(Listed(entry, None if scored is None else StoredScore(entry.digest, scored, *row[5:9])))
        return found

    def _skip(self, digest: object) -> None:
        repair = f"'arcloom library check --repair --library {self.path}' removes it"
        say_once(f"{self.path}: the program {printable(str(digest))} is damaged and is skipped; {repair}")

    def scores_of(self, digest: str) -> list[StoredScore]:
        """The scores of a program, ordered by task."""
        query = f"""SELECT tasks.id, tasks.digest, {_SCORE} FROM scores JOIN tasks ON number = task
            WHERE program = ? ORDER BY tasks.id, tasks.digest"""
        return [StoredScore(digest, TaskKey(*row[:2]), *row[2:]) for row in self._connection.execute(query, (digest,))]

    def parents_of(self, digest: str) -> list[tuple[str, str]]:
        """The parents of a program, by digest, and how it was made from each."""
        query = "SELECT parent, how FROM lineage WHERE child = ? ORDER BY parent, how"
        return [(parent, how) for parent, how in self._connection.execute(query, (digest,))]


def _entry(row: Sequence[Any]) -> Entry | None:
    """The program in a row, or None if the row is damaged."""
    digest, name, text, size, created = row
    texts = all(isinstance(value, str) for value in (digest, name, text))
    if not texts or not isinstance(size, int) or not isinstance(created, int | float):
        return None
    return Entry(digest, name, readable(text), size, created)


def _is_score(row: Sequence[Any], task: TaskKey) -> bool:
    *numbers, outputs = row
    return all(isinstance(n, int) for n in numbers) and all(isinstance(text, str) for text in (outputs, *task))


__all__ = ["Store", "StoreError", "default_path"]
