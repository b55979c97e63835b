"""One SQLite file with everything that searches found."""

import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from arcloom.program.print import to_text
from arcloom.program.term import Program
from arcloom.store.records import Attempt, Entry, Generation, Listed, Resumed, Run, Score, TaskKey
from arcloom.store.schema import StoreError, connect, told

_ENTRY = "programs.digest, programs.name, programs.text, programs.size, programs.created"
_SCORE = "scores.score, scores.solved, scores.demos, scores.outputs"
_RUN = "id, command, seed, versions, settings, started, ended"

REMEMBERED = 200_000
"""Of so many programs a store knows that it has written them, and need not make their text again."""


def default_path() -> Path:
    """Where the library is unless the user says otherwise: in the user's data folder."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "arcloom" / "library.sqlite"


class Store:
    """The library: open it with ``Store.open``. One process writes at a time, others can read meanwhile.

    Every method that adds something does so in one transaction: a process that is killed loses at most what it was
    just adding.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.path = path
        self._connection = connection
        self._numbers: dict[TaskKey, int] = {}
        self._written: set[str] = set()

    @classmethod
    def open(cls, path: str | Path | None = None, *, must_exist: bool = False) -> "Store":
        """The library in this file, or in the user's own. It is made if it is not there, unless it must be.

        Raises StoreError for a file that is no library or that a newer arcloom wrote.
        """
        where = default_path() if path is None else Path(path)
        if must_exist and not where.exists():
            raise StoreError(f"there is no library {where} yet; 'arcloom library import' or 'arcloom solve' makes one")
        where.parent.mkdir(parents=True, exist_ok=True)
        return cls(connect(where), where)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """All that is written within is written at once, or not at all."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            yield self._connection
            self._connection.execute("COMMIT")
        except BaseException as error:
            self._connection.rollback()
            self._numbers.clear()
            self._written.clear()
            if isinstance(error, sqlite3.OperationalError):  # the disk is full, or another process writes on and on
                raise StoreError(told(self.path, error)) from None
            raise

    # Programs and scores

    def add(self, programs: Iterable[Program], scores: Iterable[Score] = ()) -> list[Program]:
        """Keep programs, and scores of these or of others. Gives the programs that were not there before."""
        with self._transaction():
            new = [program for program in dict.fromkeys(programs) if program not in self]
            self._insert_programs(new)
            self._insert_scores(scores)
        return new

    def _insert_programs(self, programs: Iterable[Program]) -> None:
        now = time.time()
        new = {p.digest: p for p in programs if p.digest not in self._written}
        rows = [(digest, p.name, to_text(p), len(p), now) for digest, p in new.items()]
        self._connection.executemany("INSERT OR IGNORE INTO programs VALUES (?, ?, ?, ?, ?)", rows)
        if len(self._written) > REMEMBERED:
            self._written.clear()
        self._written.update(new)

    def _insert_scores(self, scores: Iterable[Score]) -> None:
        rows = ((s.program, self._number(s.task), s.score, s.solved, s.demos, s.outputs) for s in scores)
        self._connection.executemany("INSERT OR REPLACE INTO scores VALUES (?, ?, ?, ?, ?, ?)", list(rows))

    def _number(self, task: TaskKey) -> int:
        """The number of a task, which it gets when it is first met."""
        found = self._numbers.get(task) or self._known_number(task)
        if found is None:
            found = self._connection.execute("INSERT INTO tasks (id, digest) VALUES (?, ?)", task).lastrowid
        assert found is not None
        self._numbers[task] = found
        return found

    def _known_number(self, task: TaskKey) -> int | None:
        row = self._connection.execute("SELECT number FROM tasks WHERE id = ? AND digest = ?", task).fetchone()
        return None if row is None else int(row[0])

    def __len__(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM programs").fetchone()[0])

    def __contains__(self, program: Program) -> bool:
        query = "SELECT 1 FROM programs WHERE digest = ?"
        return self._connection.execute(query, (program.digest,)).fetchone() is not None

    def programs(self) -> Iterator[Entry]:
        """All programs, in the order in which they were added."""
        for row in self._connection.execute(f"SELECT {_ENTRY} FROM programs ORDER BY rowid"):
            yield Entry(*row)

    def programs_for(self, task: TaskKey, limit: int = -1) -> list[Listed]:
        """The programs that were scored on a task, best first and of these the smallest, at most so many."""
        number = self._known_number(task)
        query = f"""SELECT {_ENTRY}, {_SCORE} FROM scores JOIN programs ON digest = program
            WHERE task = ? ORDER BY score DESC, size, digest LIMIT ?"""
        return [_listed(row, task) for row in self._connection.execute(query, (number, limit))]

    def listed(self) -> list[Listed]:
        """Every program with each of its scores, by task, score and size; programs without a score come last."""
        query = f"""SELECT {_ENTRY}, {_SCORE}, tasks.id, tasks.digest FROM programs
            LEFT JOIN scores ON scores.program = programs.digest LEFT JOIN tasks ON number = scores.task
            ORDER BY tasks.id IS NULL, tasks.id, tasks.digest, scores.score DESC, size, programs.digest"""
        rows = self._connection.execute(query)
        return [_listed(row, None if row[9] is None else TaskKey(*row[9:])) for row in rows]

    def find(self, wanted: str) -> list[Entry]:
        """The programs whose digest begins so, or else those with this name or scored on the task with this id."""
        digits = "digest >= ? AND digest < ?"
        found = self._entries(digits, (wanted, wanted + "g")) if wanted else []
        scored = "digest IN (SELECT program FROM scores JOIN tasks ON number = task WHERE id = ?)"
        return found or self._entries(f"name IN (?, ?) OR {scored}", (wanted, f"solve_{wanted}", wanted))

    def _entries(self, condition: str, values: tuple[str, ...]) -> list[Entry]:
        query = f"SELECT {_ENTRY} FROM programs WHERE {condition} ORDER BY size, digest"
        return [Entry(*row) for row in self._connection.execute(query, values)]

    def scores_of(self, digest: str) -> list[Score]:
        """What a program is worth, task by task."""
        query = f"""SELECT tasks.id, tasks.digest, {_SCORE} FROM scores JOIN tasks ON number = task
            WHERE program = ? ORDER BY tasks.id, tasks.digest"""
        return [Score(digest, TaskKey(*row[:2]), *row[2:]) for row in self._connection.execute(query, (digest,))]

    def parents_of(self, digest: str) -> list[tuple[str, str]]:
        """The programs that one was made from, by digest, and how."""
        query = "SELECT parent, how FROM lineage WHERE child = ? ORDER BY parent, how"
        return [(parent, how) for parent, how in self._connection.execute(query, (digest,))]

    # Runs

    def begin_run(
        self, command: str, *, versions: Mapping[str, str], seed: int | None = None, settings: Mapping[str, Any]
    ) -> Run:
        """Note that a run begins: what it is, and all that its outcome depends on."""
        started = time.time()
        values = (command, seed, json.dumps(dict(versions)), json.dumps(dict(settings)), started)
        with self._transaction() as connection:
            query = "INSERT INTO runs (command, seed, versions, settings, started) VALUES (?, ?, ?, ?, ?)"
            number = connection.execute(query, values).lastrowid
        assert number is not None
        return Run(number, command, seed, dict(versions), dict(settings), started)

    def end_run(self, run: Run) -> None:
        """Note that a run came to its end; a run that was resumed has a new one."""
        with self._transaction() as connection:
            connection.execute("UPDATE runs SET ended = ? WHERE id = ?", (time.time(), run.id))

    def runs(self) -> list[Run]:
        """All runs, the latest last."""
        return [_run(row) for row in self._connection.execute(f"SELECT {_RUN} FROM runs ORDER BY id")]

    def latest_run(self, command: str | None = None) -> Run | None:
        """The run that was begun last, of a command or of all; None if there is none."""
        query = f"SELECT {_RUN} FROM runs WHERE ? IN (command, '') ORDER BY id DESC LIMIT 1"
        row = self._connection.execute(query, (command or "",)).fetchone()
        return None if row is None else _run(row)

    def add_generation(self, run: Run, generation: Generation) -> None:
        """Keep all that one generation found. A generation with the same number is replaced."""
        with self._transaction() as connection:
            self._insert_programs(generation.programs)
            self._insert_scores(generation.scores)
            connection.executemany("INSERT OR IGNORE INTO lineage VALUES (?, ?, ?)", generation.lineage)
            self._replace_kept(run, generation.kept)
            self._replace_attempts(run, generation.attempts)
            told = (generation.counts, generation.timings, generation.state)
            values = (run.id, generation.number, *map(_json, told), time.time())
            connection.execute("INSERT OR REPLACE INTO generations VALUES (?, ?, ?, ?, ?, ?)", values)

    def _replace_kept(self, run: Run, kept: Mapping[TaskKey, Sequence[str]]) -> None:
        numbered = {self._number(task): digests for task, digests in kept.items()}
        rows = [(run.id, task, place, d) for task, digests in numbered.items() for place, d in enumerate(digests)]
        self._replace("kept", run, numbered, rows)

    def _replace_attempts(self, run: Run, attempts: Sequence[Attempt]) -> None:
        rows = [(run.id, self._number(a.task), a.test, a.rank, json.dumps(a.grid), a.confidence) for a in attempts]
        self._replace("attempts", run, {row[1] for row in rows}, rows)

    def _replace(self, table: str, run: Run, tasks: Iterable[int], rows: Sequence[tuple[Any, ...]]) -> None:
        """Put rows of a run in place of those that it has for these tasks."""
        forget = f"DELETE FROM {table} WHERE run = ? AND task = ?"
        self._connection.executemany(forget, [(run.id, task) for task in tasks])
        if rows:
            marks = ", ".join("?" * len(rows[0]))
            self._connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)

    def generations(self, run: Run) -> list[Generation]:
        """The generations of a run in order, with their counts, timings and state only."""
        query = "SELECT number, counts, timings, state FROM generations WHERE run = ? ORDER BY number"
        rows = self._connection.execute(query, (run.id,))
        return [
            Generation(number, counts=json.loads(counts), timings=json.loads(timings), state=json.loads(state))
            for number, counts, timings, state in rows
        ]

    def resume(self, run: Run) -> Resumed | None:
        """Where a run stopped, or None if it stored no generation."""
        query = "SELECT number, state FROM generations WHERE run = ? ORDER BY number DESC LIMIT 1"
        row = self._connection.execute(query, (run.id,)).fetchone()
        if row is None:
            return None
        return Resumed(run, row[0], json.loads(row[1]), self._kept(run), self._attempts(run))

    def _kept(self, run: Run) -> dict[TaskKey, tuple[Entry, ...]]:
        query = f"""SELECT tasks.id, tasks.digest, {_ENTRY} FROM kept
            JOIN tasks ON number = kept.task JOIN programs ON programs.digest = kept.program
            WHERE run = ? ORDER BY kept.task, place"""
        found: dict[TaskKey, tuple[Entry, ...]] = {}
        for id, digest, *entry in self._connection.execute(query, (run.id,)):
            found[TaskKey(id, digest)] = (*found.get(TaskKey(id, digest), ()), Entry(*entry))
        return found

    def _attempts(self, run: Run) -> tuple[Attempt, ...]:
        query = """SELECT tasks.id, tasks.digest, test, rank, grid, confidence FROM attempts
            JOIN tasks ON number = task WHERE run = ? ORDER BY task, test, rank"""
        rows = self._connection.execute(query, (run.id,))
        return tuple(
            Attempt(TaskKey(id, digest), test, rank, tuple(map(tuple, json.loads(grid))), confidence)
            for id, digest, test, rank, grid, confidence in rows
        )


def _json(value: Any) -> str:
    return json.dumps(dict(value) if isinstance(value, Mapping) else value)


def _listed(row: Sequence[Any], task: TaskKey | None) -> Listed:
    entry = Entry(*row[:5])
    return Listed(entry, None if task is None else Score(entry.digest, task, *row[5:9]))


def _run(row: Sequence[Any]) -> Run:
    id, command, seed, versions, settings, started, ended = row
    return Run(id, command, seed, json.loads(versions), json.loads(settings), started, ended)


__all__ = ["Store", "StoreError", "default_path"]
