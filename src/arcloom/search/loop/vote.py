"""The vote: programs that solve all demonstrations say what each test output should be."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from arcloom.search.loop.candidate import Evaluated
from arcloom.store import Vote

WEIGHTS = "weights.json"
"""The file with the learnt weights: see ``arcloom.search.weigh``."""

UNCONVINCED = 0.02
"""The weight of what no program says: a lonely large program does not give much confidence."""

ROOTS_ENOUGH, PROGRAMS_ENOUGH, SHARE_ENOUGH = 3, 12, 0.75
"""A task is settled if at least this number of lines of descent, or of programs, agree and have this share of all
votes."""


@dataclass(frozen=True)
class Weights:
    """The weight of a vote by the size and the source of its program.

    A program with ``halves_every`` calls more has half the weight. A source that is not named has the factor 1.
    """

    halves_every: float
    sources: Mapping[str, float]

    def of(self, size: int, source: str) -> float:
        """The weight of a program that is not changed and does not need to see the answer."""
        return math.exp2(-size / self.halves_every) * self.sources.get(source, 1.0)


@cache
def learnt_weights() -> Weights:
    """The weights that are used."""
    return Weights(**json.loads(files(__package__).joinpath(WEIGHTS).read_text(encoding="utf-8")))


def weight(result: Evaluated) -> float:
    """How much a program's vote counts: small ones more, changed ones less, those that need to see the answer less."""
    plain = learnt_weights().of(result.size, result.candidate.source)
    return plain * math.pow(0.97, result.candidate.lineage.depth) * (0.1 + 0.9 * result.held_out)


def vote_of(result: Evaluated, tests: int) -> Vote:
    """The vote of a program that solves all demonstrations. ``tests`` is the number of test inputs of the task."""
    candidate = result.candidate
    outputs = result.outputs[-tests:] if tests else ()
    unseen = result.held_out > 0
    return Vote(candidate.program.digest, candidate.source, candidate.lineage.root, weight(result), unseen, outputs)


@dataclass
class Support:
    """The votes for one output: the greatest weight of each family of programs, and the families and the number of
    programs that solve a demonstration unseen.
    """

    best: dict[str, float] = field(default_factory=dict)
    lines: set[str] = field(default_factory=set)
    programs: int = 0

    def add(self, vote: Vote) -> None:
        """Count a vote."""
        self.best[vote.root] = max(self.best.get(vote.root, 0.0), vote.weight)
        if vote.unseen:
            self.lines.add(vote.root)
            self.programs += 1

    @property
    def weight(self) -> float:
        """Independent lines add up; more of the same line help a little."""
        return sum(self.best.values()) * (1 + 0.1 * math.log2(max(self.programs, 1)))


class Ballot:
    """The votes on the test outputs of one task."""

    def __init__(self, tests: int) -> None:
        self._tests: list[dict[bytes, Support]] = [{} for _ in range(tests)]

    def add(self, vote: Vote) -> None:
        """Count the vote of a program that solves all demonstrations."""
        for votes, output in zip(self._tests, vote.outputs, strict=True):
            if output is not None:
                votes.setdefault(output, Support()).add(vote)

    def guesses(self, test: int) -> list[bytes]:
        """The outputs that were voted for, the most likely first."""
        votes = self._tests[test]
        return sorted(votes, key=lambda output: -votes[output].weight)

    def confidence(self, test: int) -> float:
        """How sure the first guess is, from 0 to 1."""
        weights = [support.weight for support in self._tests[test].values()]
        return max(weights) / (sum(weights) + UNCONVINCED) if weights else 0.0

    def share(self, test: int, output: bytes) -> float:
        """The share of an output in the vote, from 0 to 1."""
        votes = self._tests[test]
        whole = sum(support.weight for support in votes.values())
        return votes[output].weight / (whole + UNCONVINCED) if output in votes else 0.0

    @property
    def settled(self) -> bool:
        """Whether enough programs agree on every test output."""
        return bool(self._tests) and all(map(_settled, self._tests))


def _settled(votes: dict[bytes, Support]) -> bool:
    if not votes:
        return False
    first = max(votes.values(), key=lambda support: support.weight)
    share = first.weight / sum(support.weight for support in votes.values())
    enough = len(first.lines) >= ROOTS_ENOUGH or first.programs >= PROGRAMS_ENOUGH
    return enough and share >= SHARE_ENOUGH
