"""The state of the search for one task."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from arcloom.enumerate.task_constants import TaskConstants
from arcloom.program.parse import parse_one
from arcloom.program.term import Term
from arcloom.search.loop.archive import Archive
from arcloom.search.loop.candidate import Candidate, Evaluated, Lineage, stored_form
from arcloom.search.loop.vote import Ballot, vote_of
from arcloom.store import Member, TaskKey, TaskRecord, Vote
from arcloom.tasks.packed import pack
from arcloom.tasks.task import Task

TRIED = "tried"
"""The key in ``TaskState.seen`` of the programs that were evaluated on a task."""


class Seen:
    """The keys that a source has already processed. It also tracks the keys added since the last ``take_new``."""

    def __init__(self, keys: bytes = b"") -> None:
        self._keys = set(array("q", keys))
        self._new = array("q")

    def add(self, key: int) -> bool:
        """Add a key. Returns whether it is new."""
        if key in self._keys:
            return False
        self._keys.add(key)
        self._new.append(key)
        return True

    def take_new(self) -> bytes:
        """The keys added since the last call, as 64-bit words."""
        new, self._new = self._new.tobytes(), array("q")
        return new

    def __contains__(self, key: int) -> bool:
        return key in self._keys

    def __len__(self) -> int:
        return len(self._keys)


@dataclass
class TaskState:
    """The state of a task: its completed generations, its archive, and the votes on its answers.

    The test outputs of the task are removed. ``idle`` is the number of consecutive last generations without a
    candidate. The state depends only on the task, the settings of the search and the number of generations, not on
    other tasks.
    """

    task: Task
    generation: int = 0
    idle: int = 0
    archive: Archive = field(default_factory=Archive)
    derived_colours: dict[Term, list[int | None]] | None = None

    def __post_init__(self) -> None:
        self.task = self.task.without_answers()
        self.ballot = Ballot.of(self.task)
        self.votes: list[Vote] = []
        self.seen: dict[str, Seen] = {}
        self._stored_votes = 0

    @cached_property
    def key(self) -> TaskKey:
        """The key of the task in the store."""
        return TaskKey.of(self.task)

    @cached_property
    def constants(self) -> TaskConstants:
        """The constants that the demonstrations suggest."""
        return TaskConstants(self.task)

    @cached_property
    def targets(self) -> list[bytes]:
        """The packed outputs of the demonstrations."""
        return [packed for pair in self.task.train if (packed := pack(pair.output)) is not None]

    @property
    def solutions(self) -> int:
        """The number of programs that solve all demonstrations."""
        return len(self.votes)

    @property
    def convincing(self) -> bool:
        """Whether independent programs agree on the answers. Until then, sources search for further solutions."""
        return self.ballot.convincing

    @property
    def settled(self) -> bool:
        """Whether enough programs agree on the answers, so that the search for this task can end."""
        return self.ballot.settled

    def seen_by(self, source: str) -> Seen:
        """The keys that a source has already processed for this task."""
        return self.seen.setdefault(source, Seen())

    def has_shapes(self, result: Evaluated) -> bool:
        """Whether a program has outputs of the correct shapes for all demonstrations."""
        pairs = zip(result.outputs, self.targets, strict=False)
        return all(output is not None and output[:2] == target[:2] for output, target in pairs)

    def add(self, result: Evaluated) -> bool:
        """Count the vote of a candidate, if it is a solution, and add it to the archive. Returns whether it is kept."""
        if result.solved:
            self._count(vote_of(result, len(self.task.test)))
        return self.archive.add(result)

    def _count(self, vote: Vote) -> None:
        self.votes.append(vote)
        self.ballot.add(vote)

    def take_votes(self) -> Sequence[Vote]:
        """The votes added since the last call."""
        new = self.votes[self._stored_votes :]
        self._stored_votes = len(self.votes)
        return new

    @classmethod
    def restored(cls, task: Task, record: TaskRecord) -> "TaskState":
        """The state of a task from its stored record."""
        state = cls(task, record.generation)
        for vote in record.votes:
            state._count(vote)
        state._stored_votes = len(state.votes)
        state.seen = {source: Seen(keys) for source, keys in record.seen.items()}
        state.archive.restore((member.ordinal, _evaluated(task.id, member, record)) for member in record.members)
        return state


def _evaluated(task: str, member: Member, record: TaskRecord) -> Evaluated:
    text = record.texts[member.program]
    program = stored_form(task, parse_one(text, file=f"program {member.program}"))
    candidate = Candidate(task, program, Lineage(member.root, member.change, None, member.depth), member.source)
    return Evaluated(
        candidate, member.outputs, member.profile, member.score, member.solved, member.held_out, len(program)
    )


def member_of(ordinal: int, result: Evaluated) -> Member:
    """The stored form of an archive member."""
    candidate = result.candidate
    lineage = candidate.lineage
    return Member(
        ordinal,
        candidate.program.digest,
        candidate.source,
        lineage.root,
        lineage.change,
        lineage.depth,
        result.score,
        result.solved,
        result.held_out,
        result.profile,
        result.outputs,
    )
