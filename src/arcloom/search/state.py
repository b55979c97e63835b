"""What the search knows of one task."""

from dataclasses import dataclass, field
from functools import cached_property

from arcloom.program.term import Term
from arcloom.search.candidate import Evaluated
from arcloom.search.ensemble import Ballot
from arcloom.search.facts import Facts
from arcloom.search.packed import pack
from arcloom.search.select import Archive
from arcloom.tasks.task import Task


@dataclass
class TaskState:
    """A task without its answers, which programs were tried on it, and what is kept of them."""

    task: Task
    tried: set[int] = field(default_factory=set)
    archive: Archive = field(default_factory=Archive)
    solutions: int = 0
    found_colours: dict[Term, list[int | None]] | None = None

    def __post_init__(self) -> None:
        self.task = self.task.without_answers()
        self.ballot = Ballot(len(self.task.test))

    @cached_property
    def facts(self) -> Facts:
        """What the demonstrations say about constants."""
        return Facts(self.task)

    @cached_property
    def targets(self) -> list[bytes]:
        """The packed outputs of the demonstrations."""
        return [packed for pair in self.task.train if (packed := pack(pair.output)) is not None]

    @property
    def settled(self) -> bool:
        """Whether enough programs agree, so that others may have the time."""
        return self.ballot.settled

    def add(self, result: Evaluated) -> bool:
        """Count a candidate's vote; whether it is kept."""
        if result.solved:
            self.solutions += 1
            self.ballot.add(result)
        return self.archive.add(result)
