"""Fuzz libraries: commands read the undamaged part of a library and name the rest, and a repair removes all damage."""

import random
import shutil
import sqlite3
import tempfile
from collections import Counter
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

import arcloom
from arcloom.cli import app
from arcloom.search.setup import Setup
from arcloom.store.damage import KEYS, find_damage
from arcloom.store.schema import UNREADABLE
from arcloom.tasks.task import Dataset
from common import Fault, main

VALUES: tuple[Any, ...] = (
    None,
    "",
    "é\x1b[31m",
    "{",
    "[1, 2",
    b"",
    b"\xff\x00\x07",
    -1,
    10**18,
    1.5,
    "def x-y(I):\n    return I\n",
)
COMMANDS = (["list"], ["list", "--json"], ["show", "solve_a"], ["export"], ["check"])
SMALL = Setup(bundled=False, derived=False, operations=["hmirror_grid"])


@cache
def original() -> Path:
    """A library with programs, scores and a run."""
    folder = Path(tempfile.mkdtemp(prefix="arcloom-fuzz-"))
    dataset = arcloom.load("arcagi:training")
    tasks = Dataset("two", (dataset["68b16354"], dataset["67a3c6ac"]))
    arcloom.solve(tasks, generations=1, workers=1, out=folder, setup=SMALL, device="cpu")
    with closing(sqlite3.connect(folder / "library.sqlite")) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    return folder / "library.sqlite"


def case(chance: random.Random, counts: Counter[str]) -> None:
    """Damage a copy of the library, use it, repair it and use it again."""
    with tempfile.TemporaryDirectory(prefix="arcloom-fuzz-") as name:
        path = Path(name, "library.sqlite")
        shutil.copy(original(), path)
        for _ in range(chance.choice((1, 1, 2, 5))):
            (damage_bytes if chance.random() < 0.5 else damage_row)(path, chance)
        counts["libraries"] += 1
        for command in chance.sample(COMMANDS, 2):
            invoke(command, path, counts)
        code = invoke(["check", "--repair"], path, counts)
        if code == 0:
            counts["repaired or whole"] += 1
            if find_damage(path):
                raise Fault(f"damaged after a repair: {find_damage(path)}")


def damage_bytes(path: Path, chance: random.Random) -> None:
    """Overwrite some bytes, or cut the file."""
    data = bytearray(path.read_bytes())
    at = chance.randrange(len(data))
    if chance.random() < 0.1:
        del data[at:]
    else:
        length = chance.choice((1, 8, 100, 4096))
        data[at : at + length] = chance.randbytes(min(length, len(data) - at))
    path.write_bytes(data)


def damage_row(path: Path, chance: random.Random) -> None:
    """Change a value in all rows of a table, or in one."""
    table = chance.choice(list(KEYS))
    with closing(sqlite3.connect(path)) as connection, suppress(*UNREADABLE), connection:
        columns = [name for (name,) in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))]
        column, key = chance.choice(columns), KEYS[table][-1]
        which = "" if chance.random() < 0.2 else f"WHERE {key} = (SELECT max({key}) FROM {table})"
        connection.execute(f"UPDATE {table} SET {column} = ? {which}", (chance.choice(VALUES),))


def invoke(command: list[str], path: Path, counts: Counter[str]) -> int:
    """Run a command on the library and return its exit code. Raises Fault unless it is a documented one."""
    result = CliRunner().invoke(app, ["library", *command, "--library", str(path)])
    counts[f"exit code {result.exit_code}"] += 1
    unexpected = result.exception is not None and not isinstance(result.exception, SystemExit)
    if unexpected or result.exit_code not in (0, 1, 2):
        raise Fault(f"library {' '.join(command)}: {result.exception!r}\n{result.output}") from result.exception
    return result.exit_code


if __name__ == "__main__":
    main(case, __doc__)
