"""Libraries of older versions, for tests of migration and merging."""

import sqlite3
from contextlib import closing
from pathlib import Path

from arcloom.program.parse import parse
from arcloom.store import ProgramText, TaskKey
from arcloom.store.schema import APPLICATION

TASK = TaskKey("aaaa", "1")
MIRROR, TURN = parse("def mirror(I):\n    return vmirror(I)\n\ndef turn(I):\n    return rot90(I)\n")

VERSION_1 = """
CREATE TABLE programs (digest TEXT PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL, size INTEGER NOT NULL,
    created REAL NOT NULL);
CREATE INDEX programs_by_name ON programs (name);
CREATE TABLE tasks (number INTEGER PRIMARY KEY, id TEXT NOT NULL, digest TEXT NOT NULL, UNIQUE (id, digest));
CREATE TABLE scores (program TEXT NOT NULL REFERENCES programs (digest),
    task INTEGER NOT NULL REFERENCES tasks (number), score INTEGER NOT NULL CHECK (score BETWEEN 0 AND 1000),
    solved INTEGER NOT NULL, demos INTEGER NOT NULL, outputs TEXT NOT NULL, PRIMARY KEY (program, task)) WITHOUT ROWID;
CREATE INDEX scores_by_task ON scores (task, score);
CREATE TABLE lineage (child TEXT NOT NULL REFERENCES programs (digest),
    parent TEXT NOT NULL REFERENCES programs (digest), how TEXT NOT NULL, PRIMARY KEY (child, parent, how))
    WITHOUT ROWID;
CREATE TABLE runs (id INTEGER PRIMARY KEY AUTOINCREMENT, command TEXT NOT NULL, seed INTEGER, versions TEXT NOT NULL,
    settings TEXT NOT NULL, started REAL NOT NULL, ended REAL);
CREATE TABLE generations (run INTEGER NOT NULL REFERENCES runs (id), number INTEGER NOT NULL, counts TEXT NOT NULL,
    timings TEXT NOT NULL, state TEXT NOT NULL, stored REAL NOT NULL, PRIMARY KEY (run, number)) WITHOUT ROWID;
CREATE TABLE kept (run INTEGER NOT NULL REFERENCES runs (id), task INTEGER NOT NULL REFERENCES tasks (number),
    place INTEGER NOT NULL, program TEXT NOT NULL REFERENCES programs (digest), PRIMARY KEY (run, task, place))
    WITHOUT ROWID;
CREATE TABLE attempts (run INTEGER NOT NULL REFERENCES runs (id), task INTEGER NOT NULL REFERENCES tasks (number),
    test INTEGER NOT NULL, rank INTEGER NOT NULL, grid TEXT NOT NULL, confidence REAL NOT NULL,
    PRIMARY KEY (run, task, test, rank)) WITHOUT ROWID;
INSERT INTO tasks VALUES (1, 'aaaa', '1');
INSERT INTO runs VALUES (1, 'solve', 0, '{}', '{}', 1.0, NULL);
INSERT INTO generations VALUES (1, 1, '{}', '{}', 'null', 1.0);
INSERT INTO attempts VALUES (1, 1, 0, 1, '[[1]]', 0.5);
"""


def make_version_1(path: Path) -> None:
    """Create a file of version 1 with TURN and MIRROR, one made from the other, a score on TASK, and a run."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(f"{VERSION_1} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = 1;")
        rows = [(*ProgramText.of(program), 1.0) for program in (TURN, MIRROR)]
        connection.executemany("INSERT INTO programs VALUES (?, ?, ?, ?, ?)", rows)
        connection.execute("INSERT INTO scores VALUES (?, 1, 9, 0, 3, 'outputs of turn')", (TURN.digest,))
        connection.execute("INSERT INTO kept VALUES (1, 1, 0, ?)", (TURN.digest,))
        connection.execute("INSERT INTO lineage VALUES (?, ?, 'insert')", (MIRROR.digest, TURN.digest))
        connection.commit()


def make_version_2(path: Path) -> None:
    """Turn a library of the current version into one of version 2."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "ALTER TABLE sessions DROP COLUMN statistics; ALTER TABLE votes DROP COLUMN generation;"
        )
        connection.execute("PRAGMA user_version = 2")
