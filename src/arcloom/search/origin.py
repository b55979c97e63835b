"""The origin of a solution, as shown to users: the source that proposed the program."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from arcloom.library import bundled
from arcloom.program.build import solver_name
from arcloom.store import Member, Vote

BUNDLED, LIBRARY, GUESS = "bundled", "library", "guess"
"""Origins that are not names of sources: a program bundled with arcloom, a program of the user, and an answer for which
no program solves all demonstrations."""

_DEFINITION = re.compile(r"^def\s+(\w+)", re.MULTILINE)


class Origins:
    """Determines the origins of programs: the source; for library programs, whether they are bundled or the user's."""

    def __init__(self, given: Iterable[str] = ()) -> None:
        """``given`` are the texts of the user's own programs."""
        names = {name for text in given for name in _DEFINITION.findall(text)}
        self._has_given = bool(names)
        self._replaced = names & _bundled_names() if names else set()

    @classmethod
    def of_settings(cls, settings: Iterable[Mapping[str, Any]]) -> "Origins":
        """The origins for a run, from the stored settings of its sessions."""
        made = cls()
        stored = [found for one in settings if isinstance(found := one.get("replaced"), list)]
        made._has_given, made._replaced = bool(stored), {str(name) for names in stored for name in names}
        return made

    @property
    def replaced(self) -> list[str] | None:
        """The names that both bundled programs and programs of the user have; None if the user gave no programs."""
        return sorted(self._replaced) if self._has_given else None

    def of(self, vote: Vote | Member) -> str:
        """The origin of the program of a vote or of an archive member."""
        if vote.source != LIBRARY:
            return vote.source
        return BUNDLED if vote.root in _bundled_names() - self._replaced else LIBRARY

    def source(self, name: str) -> str:
        """The name of a source as shown to users: "bundled" for the library if it has no programs of the user."""
        return BUNDLED if name == LIBRARY and not self._has_given else name

    def first(self, votes: Sequence[Vote]) -> str | None:
        """The origin of the program with the most weight; None if there are no votes."""
        return self.of(max(votes, key=lambda vote: vote.weight)) if votes else None

    def is_own(self, vote: Vote, task: str) -> bool:
        """Whether the program is the bundled one that was written for this task."""
        return self.of(vote) == BUNDLED and vote.root == solver_name(task)


@cache
def _bundled_names() -> frozenset[str]:
    return frozenset(program.name for program in bundled())
