"""What the store keeps, in the words of the search."""

import hashlib
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from arcloom.program.parse import parse_one
from arcloom.program.term import Program
from arcloom.tasks.task import Grid, Task


class TaskKey(NamedTuple):
    """A task as scores refer to it: tasks with one id and other demonstrations are different tasks."""

    id: str
    digest: str

    @classmethod
    def of(cls, task: Task) -> "TaskKey":
        """The key of a task. Its test pairs have no part in it."""
        shown = repr([(pair.input, pair.output) for pair in task.train])
        return cls(task.id, hashlib.sha256(shown.encode()).hexdigest()[:32])


@dataclass(frozen=True)
class Score:
    """What a program is worth on a task: from 0 to 1000, and how many of the demonstrations it solves.

    ``program`` is its digest. ``outputs`` is a hash of all that it gives for the task, predictions included, so that
    programs which do the same can be told without running them.
    """

    program: str
    task: TaskKey
    score: int
    solved: int
    demos: int
    outputs: str = ""

    @property
    def is_solution(self) -> bool:
        """Whether it solves all demonstrations."""
        return self.solved == self.demos > 0


class Descent(NamedTuple):
    """That one program, by its digest, was made from another, and how: by which mutation, or "simplified"."""

    child: str
    parent: str
    how: str


@dataclass(frozen=True)
class Attempt:
    """An answer to one test input of a task: ``rank`` 1 is the first attempt, and ``confidence`` its share of votes."""

    task: TaskKey
    test: int
    rank: int
    grid: Grid
    confidence: float


@dataclass(frozen=True)
class Generation:
    """All that one turn of the search found; it is stored as a whole or not at all.

    ``programs`` must hold every program that is new in ``scores``, ``lineage`` or ``kept``. ``kept`` says for some
    tasks which programs, by digest, the search goes on with; ``attempts`` replace those of the same tasks. ``state`` is
    whatever else the search needs to go on, and ``counts`` and ``timings`` are for people; all three are kept as JSON.
    """

    number: int
    programs: Sequence[Program] = ()
    scores: Sequence[Score] = ()
    lineage: Sequence[Descent] = ()
    kept: Mapping[TaskKey, Sequence[str]] = field(default_factory=dict)
    attempts: Sequence[Attempt] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    timings: Mapping[str, float] = field(default_factory=dict)
    state: Any = None


@dataclass(frozen=True)
class Run:
    """One run of a command. ``ended`` is None while it is under way, and for ever if it was killed."""

    id: int
    command: str
    seed: int | None
    versions: Mapping[str, str]
    settings: Mapping[str, Any]
    started: float
    ended: float | None = None


@dataclass(frozen=True)
class Resumed:
    """Where a run stopped: its last whole generation, and what the search had then."""

    run: Run
    generation: int
    state: Any
    kept: Mapping[TaskKey, tuple["Entry", ...]]
    attempts: tuple[Attempt, ...]


@dataclass(frozen=True)
class Entry:
    """A program of the store. Its text is parsed when somebody asks for the program."""

    digest: str
    name: str
    text: str
    size: int
    created: float

    @cached_property
    def program(self) -> Program:
        """The program itself."""
        return parse_one(self.text, file=f"program {self.digest}")


@dataclass(frozen=True)
class Listed:
    """A program with its score on one task, if it has one."""

    entry: Entry
    score: Score | None


def installed_versions(kernels: str) -> dict[str, str]:
    """What a run depends on: ``kernels`` is the digest of the engine's sources."""
    packages = {name: _version(name) for name in ("arcloom", "numpy", "numba")}
    return {**packages, "python": platform.python_version(), "kernels": kernels}


def _version(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version  # here, because it imports the email package

    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
