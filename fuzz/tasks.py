"""Fuzz task files: each is loaded, skipped, or refused with an error that names the file."""

import json
import random
import tempfile
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

from arcloom.search.loop import submission
from arcloom.search.loop.state import TaskState
from arcloom.tasks import DataError, load
from common import Fault, main

ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    10,
    1.5,
    "",
    "0",
    [],
    {},
    [[]],
    [[[]]],
    10**30,
    "é\ud800",
    {"train": []},
    float("nan"),
)
NAMES = ("a.json", "my-task.json", "a b.json", "x.y.json", "1.json", "é.json", "b_challenges.json", "b_solutions.json")


def task(chance: random.Random) -> dict[str, Any]:
    """A task with small random grids."""

    def grid() -> list[list[int]]:
        height, width = chance.randint(1, 31), chance.randint(1, 5)
        return [[chance.randrange(10) for _ in range(width)] for _ in range(height)]

    pairs = [{"input": grid(), "output": grid()} for _ in range(chance.randint(1, 4))]
    return {"train": pairs, "test": [{"input": grid()} for _ in range(chance.randint(0, 2))]}


def mutated(value: Any, chance: random.Random) -> Any:
    """The value with one part changed, removed or repeated."""
    if isinstance(value, dict | list) and value and chance.random() < 0.85:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = chance.choice(keys)
        copy: Any = dict(value) if isinstance(value, dict) else list(value)
        if chance.random() < 0.15:
            del copy[key]
        else:
            copy[key] = mutated(copy[key], chance)
        return copy
    return chance.choice((*ODD, [value, value]))


def broken(data: bytes, chance: random.Random) -> bytes:
    """The bytes with some changed, removed or repeated."""
    at = chance.randrange(len(data) + 1)
    cut = data[:at] + data[at + chance.randint(0, 5) :]
    return cut[:at] + chance.choice((b"", b"\xff", b"\0", b"[" * 5_000, b'"', b"1e999", cut[:at])) + cut[at:]


def case(chance: random.Random, counts: Counter[str]) -> None:
    """Write a folder of task files, and load it or one of them."""
    with tempfile.TemporaryDirectory(prefix="arcloom-fuzz-") as name:
        folder = Path(name)
        for file in chance.sample(NAMES, chance.randint(1, 3)):
            value: Any = task(chance) if chance.random() < 0.6 else {k: task(chance) for k in ("a", "b-c", "")}
            for _ in range(chance.choice((0, 1, 1, 2, 5))):
                value = mutated(value, chance)
            data = json.dumps(value).encode()
            (folder / file).write_bytes(broken(data, chance) if chance.random() < 0.3 else data)
        where = folder if chance.random() < 0.5 else next(iter(sorted(folder.iterdir())))
        check(where, chance.random() < 0.5, counts)


def check(path: Path, strict: bool, counts: Counter[str]) -> None:
    """Load a path. Raises Fault if an error does not name the file, or if loaded tasks cannot be answered."""
    counts["files"] += 1
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            dataset = load(path, strict=strict)
    except DataError as error:
        counts["refused"] += 1
        if str(path if path.is_dir() else path.parent) not in str(error):
            raise Fault(f"the error does not name the file: {error}") from error
        return
    counts["tasks"] += len(dataset)
    counts["skipped"] += len(dataset.skipped)
    json.dumps(submission.to_json(submission.answers(map(TaskState, dataset))))


if __name__ == "__main__":
    main(case, __doc__)
