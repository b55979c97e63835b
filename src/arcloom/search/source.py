"""Where candidates come from and where they go."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from arcloom.search.candidate import Candidate, Evaluated
from arcloom.search.state import TaskState


class Source(Protocol):
    """Proposes candidates, and is told what all of them were worth."""

    def ask(self, states: Sequence[TaskState], each: int, generation: int) -> list[Candidate]:
        """At most ``each`` candidates for each of the tasks. A source that has none left gives none."""

    def tell(self, results: Sequence[Evaluated]) -> None:
        """What the candidates of a generation, of any source, were worth."""


@dataclass(frozen=True)
class Turn:
    """What one generation brought: the results that are kept from now on, and the states of their tasks."""

    generation: int
    kept: Sequence[Evaluated]
    states: Sequence[TaskState]
    candidates: int


class Sink(Protocol):
    """Keeps what must not be lost."""

    def add_generation(self, turn: Turn) -> None:
        """Keep all of this or, if the process dies meanwhile, none of it."""


class Memory:
    """A sink that lasts as long as the process."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []

    def add_generation(self, turn: Turn) -> None:
        """See ``Sink``."""
        self.turns.append(turn)
