"""Finding and repairing damage of a library: damaged rows, and files that SQLite can read only in part."""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from arcloom.program.parse import parse_one
from arcloom.store.lock import locked
from arcloom.store.records import readable
from arcloom.store.schema import UNREADABLE, connect, read_only
from arcloom.store.store import Store
from arcloom.tasks.packed import split_packed
from arcloom.tasks.parse import parse_grid

KEYS = {
    "programs": ("digest",),
    "tasks": ("number",),
    "scores": ("program", "task"),
    "lineage": ("child", "parent", "how"),
    "runs": ("id",),
    "sessions": ("run", "number"),
    "generations": ("run", "task", "number"),
    "members": ("run", "task", "ordinal"),
    "votes": ("run", "task", "place"),
    "seen": ("run", "task", "source", "generation"),
    "attempts": ("run", "task", "test", "rank"),
}
"""The primary keys of the tables. Referenced tables come before those that refer to them."""

STATE = ("generations", "members", "votes", "seen", "attempts")
"""The tables with the state of a task in a run. If a row is damaged, the whole state of the task is removed, because a
search cannot continue from a part of it."""


@dataclass(frozen=True)
class Damage:
    """A damaged row, by table and key, or a file in which SQLite finds errors (then the key is empty)."""

    table: str
    key: tuple[Any, ...]
    reason: str

    def __str__(self) -> str:
        where = f"{self.table} {', '.join(map(str, self.key))}" if self.key else self.table
        return f"{where}: {self.reason}"


def find_damage(path: Path) -> list[Damage]:
    """The damage of a library. Raises StoreError if the file is not a library."""
    with Store.open(path, must_exist=True) as store:
        try:
            [found] = store.query("SELECT * FROM pragma_integrity_check(1)")
            whole = found[0] == "ok"
            return [*_damaged_rows(store)] if whole else [Damage("file", (), found[0])]
        except UNREADABLE as error:
            return [Damage("file", (), str(error))]


def repair(path: Path) -> list[Damage]:
    """Remove damaged rows, and return them. The original file is kept beside it with the suffix .damaged."""
    with locked(path):
        found = find_damage(path)
        if not found:
            return []
        kept, made = path.with_name(f"{path.name}.damaged"), path.with_name(f".{path.name}.repaired")
        made.unlink(missing_ok=True)
        _copy_readable(path, made)
        with Store.open(made) as store:
            removed = _remove_damaged(store)
            _checkpoint(made)
        for end in ("-wal", "-shm"):
            path.with_name(path.name + end).unlink(missing_ok=True)
        path.replace(kept)
        made.replace(path)
        return [*(damage for damage in found if damage.table == "file"), *removed]


def _checkpoint(path: Path) -> None:
    """Write the write-ahead log into the database file."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


# Rows


def _damaged_rows(store: Store) -> Iterator[Damage]:
    for table, key in KEYS.items():
        columns = [name for (name,) in store.query("SELECT name FROM pragma_table_info(?)", (table,))]
        for values in store.query(f"SELECT * FROM {table}"):
            row = dict(zip(columns, values, strict=True))
            try:
                _check(table, row)
            except Exception as error:  # damaged values can raise any exception
                yield Damage(table, tuple(row.get(name) for name in key), f"{error}" or type(error).__name__)
    for table, reference in (("scores", "program"), ("lineage", "child"), ("members", "program"), ("votes", "program")):
        keys = ", ".join(KEYS[table])
        query = f"SELECT {keys} FROM {table} WHERE {reference} NOT IN (SELECT digest FROM programs)"
        yield from (Damage(table, tuple(values), "its program is missing") for values in store.query(query))


def _remove_damaged(store: Store) -> list[Damage]:
    """Remove damaged rows until there are none: removing a row makes rows that refer to it damaged."""
    removed: list[Damage] = []
    for _ in KEYS:  # an upper bound of the length of a chain of references
        found = [*_damaged_rows(store)]
        removed += found
        with store.transaction() as connection:
            for damage in found:
                _remove(connection, damage)
    return removed


def _remove(connection: sqlite3.Connection, damage: Damage) -> None:
    """Remove a damaged row and the rows that refer to it."""
    if damage.table in STATE:
        for table in STATE:
            connection.execute(f"DELETE FROM {table} WHERE run IS ? AND task IS ?", damage.key[:2])
        return
    connection.execute("PRAGMA defer_foreign_keys = ON")
    for table, column in _REFERRING.get(damage.table, ()):
        for keys in connection.execute(
            f"SELECT {', '.join(KEYS[table])} FROM {table} WHERE {column} IS ?", damage.key[:1]
        ).fetchall():
            _remove(connection, Damage(table, tuple(keys), ""))
    condition = " AND ".join(f"{name} IS ?" for name in KEYS[damage.table])
    connection.execute(f"DELETE FROM {damage.table} WHERE {condition}", damage.key)


_REFERRING: Mapping[str, tuple[tuple[str, str], ...]] = {
    "programs": (
        ("scores", "program"),
        ("lineage", "child"),
        ("lineage", "parent"),
        ("members", "program"),
        ("votes", "program"),
    ),
    "tasks": (("scores", "task"), *((table, "task") for table in STATE)),
    "runs": (("sessions", "run"), *((table, "run") for table in STATE)),
}


class Columns(NamedTuple):
    """The columns of a table that must be texts, numbers and JSON objects."""

    texts: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()


COLUMNS = {
    "programs": Columns(("digest", "name", "text"), ("size", "created")),
    "tasks": Columns(("id", "digest")),
    "scores": Columns(("program", "outputs"), ("score", "solved", "demos")),
    "lineage": Columns(("child", "parent", "how")),
    "runs": Columns(("command",), ("started",), ("versions", "settings")),
    "sessions": Columns((), ("started",), ("versions", "settings", "statistics")),
    "generations": Columns((), ("stored",), ("counts", "seconds")),
    "members": Columns(("program", "source", "root", "change"), ("depth", "score", "solved", "held_out")),
    "votes": Columns(("program", "source", "root"), ("weight", "unseen", "generation")),
    "seen": Columns(("source",)),
    "attempts": Columns((), ("confidence",)),
}


def _check(table: str, row: Mapping[str, Any]) -> None:
    """Raise an error if a row is damaged."""
    for name in COLUMNS[table].texts:
        if not isinstance(row[name], str):
            raise ValueError(f"{name} is not a text")
    for name in COLUMNS[table].numbers:
        if not isinstance(row[name], int | float):
            raise ValueError(f"{name} is not a number")
    for name in COLUMNS[table].objects:
        if not isinstance(json.loads(row[name]), dict):
            raise ValueError(f"{name} is not an object")
    match table:
        case "programs":
            parse_one(readable(row["text"]))
        case "members":
            tuple(map(int, json.loads(row["profile"])))
            _check_packed(row["outputs"])
        case "votes":
            _check_packed(row["outputs"])
        case "attempts":
            parse_grid(json.loads(row["grid"]), "grid")
            if row["rank"] not in (1, 2):
                raise ValueError("rank is neither 1 nor 2")
        case "seen" if not isinstance(row["keys"], bytes) or len(row["keys"]) % 8:
            raise ValueError("keys are not 64-bit words")


def _check_packed(outputs: Any) -> None:
    if not isinstance(outputs, bytes) or any(len(g) != 2 + g[0] * g[1] for g in split_packed(outputs)):
        raise ValueError("outputs are not packed grids")


# Files that SQLite can read only in part


def _copy_readable(path: Path, made: Path) -> None:
    """Copy all readable rows to a new library."""
    Store.open(path).close()  # migrates the tables to the current version
    with closing(connect(made)) as target, closing(sqlite3.connect(read_only(path), uri=True)) as source:
        target.execute("PRAGMA foreign_keys = OFF")
        target.execute("BEGIN IMMEDIATE")
        for table, key in KEYS.items():
            for row in _readable_rows(source, table, key):
                marks = ", ".join("?" * len(row))
                with suppress(sqlite3.IntegrityError):
                    target.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", row)
        target.execute("COMMIT")


def _readable_rows(source: sqlite3.Connection, table: str, key: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
    """The rows before the first unreadable one and after the last one: the table is read from both ends."""
    for order in ("ASC", "DESC"):
        by = ", ".join(f"{name} {order}" for name in key)
        try:
            yield from source.execute(f"SELECT * FROM {table} ORDER BY {by}")
            return
        except UNREADABLE:
            continue
