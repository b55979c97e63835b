"""Our own programs, samples to run them on, and what the reference gave for them.

The programs stand in ``programs/``, by theme; what they gave stands in ``outcomes.json``, so that a change of meaning
anywhere shows. Where it is meant, ``python -m tests.golden.regenerate`` writes the file anew.
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
"""Tasks of ARC-AGI-1, and which of their demonstrations is taken."""

_MADE = {
    "one cell": ((3,),),
    "three rows": ((0, 1), (2, 0), (1, 1)),
    "one colour": ((2, 2), (2, 2)),
    "no rows": (),
    "no columns": ((), ()),
}


@cache
def programs() -> tuple[Program, ...]:
    """All programs, by file and in its order."""
    return tuple(program for file in sorted(FOLDER.glob("programs/*.py")) for program in parse_file(file))


@cache
def samples() -> dict[str, Sample]:
    """The samples by their names: real ones with their task's demonstrations, and made ones without."""
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
