"""The records of the store as Python objects."""

import hashlib
import keyword
import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from arcloom.program.parse import parse_one
from arcloom.program.print import to_text
from arcloom.program.term import Program
from arcloom.tasks.task import Grid, Task


class TaskKey(NamedTuple):
    """The identity of a task: its id and a digest of its demonstrations."""

    id: str
    digest: str

    @classmethod
    def of(cls, task: Task) -> "TaskKey":
        """The key of a task. It does not depend on test pairs."""
        shown = repr([(pair.input, pair.output) for pair in task.train])
        return cls(task.id, hashlib.sha256(shown.encode()).hexdigest()[:32])


@dataclass(frozen=True)
class StoredScore:
    """The score of a program on a task, from 0 to 1000, and the number of demonstrations that it solves.

    ``program`` is the program's digest. ``outputs`` is a hash of its outputs for all pairs of the task, so that
    programs with equal outputs can be found without running them.
    """

    program: str
    task: TaskKey
    score: int
    solved: int
    demos: int
    outputs: str = ""

    @property
    def is_solution(self) -> bool:
        """Whether the program solves all demonstrations."""
        return self.solved == self.demos > 0


class Descent(NamedTuple):
    """A program and one of its parents, by digest, and how it was made: the mutation, or "simplified"."""

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


class ProgramText(NamedTuple):
    """A program in the store: its digest, name, source text and number of calls."""

    digest: str
    name: str
    text: str
    size: int

    @classmethod
    def of(cls, program: Program) -> "ProgramText":
        """The stored form of a program."""
        return cls(program.digest, program.name, to_text(program), len(program))


Outputs = tuple[bytes | None, ...]
"""Packed grids (see ``arcloom.tasks.packed``), one per sample; None if the program has no output for a sample."""


class Member(NamedTuple):
    """A program in the archive of a task.

    ``ordinal`` numbers all members that the task ever had. ``source`` is the source that proposed the program;
    ``root``, ``change`` and ``depth`` describe its ancestry. The other fields are those of ``Evaluated`` in the search
    loop.
    """

    ordinal: int
    program: str
    source: str
    root: str
    change: str
    depth: int
    score: int
    solved: bool
    held_out: float
    profile: tuple[int, ...]
    outputs: Outputs


class Vote(NamedTuple):
    """The vote of a program, by its digest, for the test outputs of a task.

    ``root`` is the family of the program, ``unseen`` whether the program solves a demonstration that was held out, and
    ``outputs`` are the grids for the test inputs.
    """

    program: str
    source: str
    root: str
    weight: float
    unseen: bool
    outputs: Outputs


@dataclass(frozen=True)
class Delta:
    """The changes that one generation made to the state of a task. A delta is stored as a whole or not at all.

    ``generation`` is the number of completed generations. ``programs`` has all programs that the other fields refer to
    and that may be new to the store. ``added`` and ``removed`` (ordinals) change the archive, ``votes`` are new, and
    ``seen`` has new keys of programs that sources have proposed, by source. ``attempts``, if there are any, replace the
    earlier ones. ``counts`` and ``seconds`` are statistics by source.
    """

    task: TaskKey
    generation: int
    programs: Sequence[ProgramText] = ()
    scores: Sequence[StoredScore] = ()
    lineage: Sequence[Descent] = ()
    added: Sequence[Member] = ()
    removed: Sequence[int] = ()
    votes: Sequence[Vote] = ()
    seen: Mapping[str, bytes] = field(default_factory=dict)
    attempts: Sequence[Attempt] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class TaskRecord:
    """The stored state of a task: the sum of its deltas. ``texts`` are the programs of the members by digest."""

    generation: int
    members: Sequence[Member]
    votes: Sequence[Vote]
    seen: Mapping[str, bytes]
    texts: Mapping[str, str]


class Step(NamedTuple):
    """Statistics of one generation of a task: the time of storing it, and counts and seconds by source."""

    task: TaskKey
    generation: int
    stored: float
    counts: Mapping[str, int]
    seconds: Mapping[str, float]


@dataclass(frozen=True)
class Run:
    """A run of a command. A run that was resumed has several sessions.

    ``started`` is the start of the first session. ``ended`` is None while a session is running or if it was killed.
    """

    id: int
    command: str
    seed: int | None
    versions: Mapping[str, str]
    settings: Mapping[str, Any]
    started: float
    ended: float | None = None


@dataclass(frozen=True)
class Session:
    """One session of a run: the first one, or one that resumed it.

    ``ended`` is None while a session is running or if it was killed. ``statistics`` are those of the search up to the
    last stored delta.
    """

    versions: Mapping[str, str]
    settings: Mapping[str, Any]
    started: float
    ended: float | None
    statistics: Mapping[str, Any]


_DEFINITION = re.compile(r"def ([^(\n]*)\(")


def readable(text: str) -> str:
    """The text of a program, with its name converted to an identifier.

    Earlier versions named programs after task ids such as "my-task", so that their texts could not be parsed.
    """
    match = _DEFINITION.match(text)
    if match is None or (match[1].isidentifier() and not keyword.iskeyword(match[1])):
        return text
    name = re.sub(r"\W|^(?=\d)", "_", match[1])
    return f"def {name or '_'}({text[match.end() :]}"


@dataclass(frozen=True)
class Entry:
    """A program of the store. Its text is parsed on first use of ``program``."""

    digest: str
    name: str
    text: str
    size: int
    created: float

    @cached_property
    def program(self) -> Program:
        """The parsed program. Raises ParseError if its text is damaged."""
        return parse_one(self.text, file=f"program {self.digest}")


@dataclass(frozen=True)
class Listed:
    """A program with its score on one task, if it has one."""

    entry: Entry
    score: StoredScore | None


def installed_versions(kernels: str) -> dict[str, str]:
    """The versions of software that a run depends on. ``kernels`` is the digest of the engine's sources."""
    packages = {name: _version(name) for name in ("arcloom", "numpy", "numba")}
    return {**packages, "python": platform.python_version(), "kernels": kernels}


def _version(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version  # imported here, because it imports the email package

    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
