"""Golden programs: programs written for this project, samples to run them on, and their recorded outcomes.

The programs are in ``programs/``, by theme. Their outcomes on the reference are recorded in ``outcomes.json``, so a
change of the language makes a test fail. After an intended change, ``python -m tests.golden.regenerate`` records them
again.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

from arcloom.conform import encode
from arcloom.program.evaluate import ProgramFailure, evaluate
from arcloom.program.parse import parse_file
from arcloom.program.term import Program
from arcloom.tasks import load

FOLDER = Path(__file__).parent
OUTCOMES = FOLDER / "outcomes.json"

Sample = dict[str, Any]
"""The inputs of a program by name."""

_TASKS = {"6150a2bd": 0, "7b7f7511": 0, "67385a82": 1, "a740d043": 0, "d511f180": 1, "08ed6ac7": 0}
"""Task ids of ARC-AGI-1, each with the index of the demonstration that is used."""

_MADE = {
    "one cell": ((3,),),
    "three rows": ((0, 1), (2, 0), (1, 1)),
    "one colour": ((2, 2), (2, 2)),
    "no rows": (),
    "no columns": ((), ()),
}


@cache
def programs() -> tuple[Program, ...]:
    """All programs, ordered by file and position."""
    return tuple(program for file in sorted(FOLDER.glob("programs/*.py")) for program in parse_file(file))


@cache
def samples() -> dict[str, Sample]:
    """The samples by name: those of tasks have demonstrations, those of _MADE have none."""
    tasks = load("arcagi:training")
    real = {id: _demonstration(tasks[id].train, k) for id, k in _TASKS.items()}
    return real | {name: {"I": grid, "S": (), "C": grid[::-1]} for name, grid in _MADE.items()}


def _demonstration(pairs: Any, k: int) -> Sample:
    return {"I": pairs[k].input, "S": tuple((pair.input, pair.output) for pair in pairs), "C": pairs[k].output}


def outcome(program: Program, sample: Sample) -> Any:
    """The outcome on the reference as JSON: a value, or the line and reason of the failure."""
    try:
        return encode(evaluate(program, sample))
    except ProgramFailure as failure:
        return {"line": failure.line, "fails": failure.reason.name}


def outcomes(program: Program) -> dict[str, Any]:
    """The outcomes on the reference for each sample."""
    return {name: outcome(program, sample) for name, sample in samples().items()}


@cache
def recorded() -> dict[str, dict[str, Any]]:
    """The stored outcomes on the reference, by program and sample."""
    found: dict[str, dict[str, Any]] = json.loads(OUTCOMES.read_text(encoding="utf-8"))
    return found
