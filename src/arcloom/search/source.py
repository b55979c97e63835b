"""Where candidates come from and where they go."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from arcloom.search.candidate import Candidate, Evaluated
from arcloom.search.state import TaskState


class Source(Protocol):
    """Proposes candidates, and is told what all of them were worth."""

    def ask(self, states: Sequence[TaskState], each: int, generation: int) -> list[Candidate]:
        """At most ``each`` candidates for each of the tasks. A source that has none left gives none."""

    def tell(self, results: Sequence[Evaluated]) -> None:
        """What the candidates of a generation, of any source, were worth."""


class Sink(Protocol):
    """Keeps what must not be lost."""

    def add_generation(self, generation: int, kept: Sequence[Evaluated]) -> None:
        """Keep all of this or, if the process dies meanwhile, none of it."""

    def candidates(self, tasks: Iterable[str]) -> list[Candidate]:
        """What earlier runs kept for these tasks."""


class Memory:
    """A sink that lasts as long as the process."""

    def __init__(self) -> None:
        self.generations: list[tuple[int, tuple[Evaluated, ...]]] = []

    def add_generation(self, generation: int, kept: Sequence[Evaluated]) -> None:
        """See ``Sink``."""
        self.generations.append((generation, tuple(kept)))

    def candidates(self, tasks: Iterable[str]) -> list[Candidate]:
        """See ``Sink``."""
        wanted = set(tasks)
        found = [result.candidate for _, kept in self.generations for result in kept]
        return [candidate for candidate in found if candidate.task in wanted]
