"""The base class of sources of candidates, and the request that they answer."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from arcloom.search.loop.candidate import Candidate, Evaluated
from arcloom.search.loop.state import TaskState
from arcloom.stopwatch import Deadline

EACH = 32
"""Default number of candidates that a source is asked for, per task and generation."""


@dataclass(frozen=True)
class Request:
    """A request for candidates: the tasks, which are all in the same generation, and the number of candidates for each.

    A source that takes long stops at the deadline and returns what it has found.
    """

    states: Sequence[TaskState]
    generation: int
    each: int = EACH
    deadline: Deadline = field(default_factory=Deadline)


class Source(ABC):
    """Proposes candidates. A source keeps its memory of a task in ``TaskState.seen`` and has no other state per task.

    Therefore candidates depend only on the state of the task, and a task can move from one process to another.
    """

    name: ClassVar[str]
    """Shown in profiles and reports, and stored with each program that the source has proposed."""

    expressions: int = 0
    """Number of expressions that the source has evaluated since the last call of ``take_expressions``."""

    def take_expressions(self) -> int:
        """The number of expressions evaluated since the last call; 0 for sources that do not count them."""
        taken, self.expressions = self.expressions, 0
        return taken

    def is_due(self, generation: int) -> bool:
        """Whether the source is asked in this generation of a task."""
        return True

    @abstractmethod
    def propose(self, request: Request) -> Iterable[Candidate]:
        """Candidates for the tasks of a request; none if there is nothing left to propose."""

    def follow_up(self, results: Sequence[Evaluated], states: Mapping[str, TaskState]) -> Iterable[Candidate]:
        """Further candidates for the same generation, made from the results of the proposed ones."""
        return ()
