"""Stored runs, written without a search, that the tests of reports share."""

import json
from pathlib import Path
from typing import Any

from arcloom.program.parse import parse
from arcloom.program.term import Program
from arcloom.store import Attempt, Delta, Descent, Member, ProgramText, Run, Store, TaskKey, Vote, runs
from arcloom.tasks import Dataset, load
from arcloom.tasks.packed import pack
from arcloom.tasks.task import Grid, Task

EVIL = "<img src=x onerror=alert(1)>"
MIRROR, TURN = parse(
    "def solve_a(I):\n    return vmirror(I)\n\ndef solve_b(I):\n    O = rot90(vmirror(I))\n    return O\n"
)
ONE, TWO = ((1, 2), (3, 4)), ((2, 1), (4, 3))
STATISTICS = {
    "command": "arcloom solve --data tasks.json --budget 60s",
    "seconds": 50.0,
    "workers": 2,
    "peak_memory": 1 << 29,
    "settled": 1,
    "problems": [],
    "sections": {"enumeration": [3, 1.5, 1.0], "running": [4, 2.5, 2.0]},
    "kernels": {"vmirror_grid": [5, 100, 0.25]},
}


def tasks(folder: Path) -> str:
    """A file of tasks: one solved, one wrong, one open, one with an unknown answer, and one not searched."""
    known = {"train": [{"input": ONE, "output": TWO}], "test": [{"input": TWO, "output": ONE}]}
    unknown = {"train": [{"input": ONE, "output": TWO}, {"input": TWO, "output": ONE}], "test": [{"input": ONE}]}
    content = {"mirror": known, "turned": {**known, "test": [{"input": TWO, "output": TWO}]}, "open": known}
    path = folder / "tasks.json"
    path.write_text(json.dumps({**content, EVIL: unknown, "later": known}), encoding="utf-8")
    return str(path)


def packed(grid: Grid) -> bytes:
    found = pack(grid)
    assert found is not None
    return found


def delta(task: Task, program: Program, attempt: Grid, *, solved: bool, generation: int = 1) -> Delta:
    """A generation that found a program, with an attempt for the only test of the task."""
    key = TaskKey.of(task)
    vote = Vote(program.digest, "enumeration", "solve_a", 0.5, True, (packed(attempt),))
    outputs = (*(packed(attempt) for _ in task.train), packed(attempt))
    member = Member(0, program.digest, "variants", "solve_a", "recolour", 1, 700, solved, 0.5, (700,), outputs)
    return Delta(
        key,
        generation,
        programs=[ProgramText.of(MIRROR), ProgramText.of(TURN)],
        lineage=[Descent(TURN.digest, MIRROR.digest, "turn"), Descent(MIRROR.digest, TURN.digest, "delete")],
        added=[member],
        votes=[vote] if solved else [],
        attempts=[Attempt(key, 0, 1, attempt, 0.75 * solved), Attempt(key, 0, 2, ((0,),), 0.75 * solved)],
        counts={"enumeration": 3, "variants": 2, "untyped": 1},
        seconds={"enumeration": 0.5},
    )


def deltas(dataset: Dataset) -> list[Delta]:
    return [
        delta(dataset["mirror"], MIRROR, ONE, solved=True),
        delta(dataset["turned"], MIRROR, ONE, solved=True),
        delta(dataset["open"], TURN, TWO, solved=False),
        delta(dataset[EVIL], TURN, TWO, solved=True),
    ]


def stored(folder: Path, **settings: Any) -> Path:
    """A folder with a run that has ended."""
    data = tasks(folder)
    with Store.open(folder / "library.sqlite") as store:
        run = begun(store, data, **settings)
        runs.add_deltas(store, run, deltas(load(data)), STATISTICS)
        runs.end_run(store, run)
    return folder


def begun(store: Store, data: str, **settings: Any) -> Run:
    return runs.begin_run(store, "solve", versions={"arcloom": "1"}, seed=3, settings={"data": data, **settings})
