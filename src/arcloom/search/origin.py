"""The origin of a solution in words that users know: the source that proposed the program."""

import re
from collections.abc import Iterable, Sequence

from arcloom.library import bundled
from arcloom.program.build import solver_name
from arcloom.store import Vote

BUNDLED, LIBRARY, GUESS = "bundled", "library", "guess"
"""The origins that are no sources: a program that comes with arcloom, one of the user's own programs, and an answer
without a program that fits all demonstrations."""

_DEFINITION = re.compile(r"^def\s+(\w+)", re.MULTILINE)


class Origins:
    """Names the origins of programs: the source, and for programs of the library whether they come with arcloom."""

    def __init__(self, given: Iterable[str] = ()) -> None:
        """``given`` are the texts of the user's own programs."""
        self._given = {name for text in given for name in _DEFINITION.findall(text)}
        self._bundled: set[str] | None = None

    def of(self, vote: Vote) -> str:
        """The origin of the program of a vote."""
        if vote.source != LIBRARY:
            return vote.source
        return BUNDLED if vote.root in self._names() - self._given else LIBRARY

    def source(self, name: str) -> str:
        """The name of a source: "bundled" for the library if it has no programs of the user."""
        return BUNDLED if name == LIBRARY and not self._given else name

    def first(self, votes: Sequence[Vote]) -> str | None:
        """The origin of the program with the most weight; None if there are no votes."""
        return self.of(max(votes, key=lambda vote: vote.weight)) if votes else None

    def is_own(self, vote: Vote, task: str) -> bool:
        """Whether the program was written for this very task and comes with arcloom."""
        return self.of(vote) == BUNDLED and vote.root == solver_name(task)

    def _names(self) -> set[str]:
        if self._bundled is None:
            self._bundled = {program.name for program in bundled()}
        return self._bundled
