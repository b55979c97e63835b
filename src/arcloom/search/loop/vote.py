"""The vote: each program that solves all demonstrations votes for its outputs as answers to the test inputs."""

import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from arcloom.search.loop.candidate import Evaluated
from arcloom.search.loop.invariants import Invariants
from arcloom.store import Vote
from arcloom.tasks.task import Task

WEIGHTS = "weights.json"
"""The file with the learnt weights: see ``arcloom.search.fit_weights``."""

UNCONVINCED = 0.02
"""Weight of an unknown other answer, so that a single vote with a small weight gives a low confidence."""

FAMILIES_CONVINCING = 2
"""Minimum number of families of programs that must agree on an answer for the task to count as solved. Of development
tasks with one family, the answer was right for half or fewer."""

ROOTS_ENOUGH, PROGRAMS_ENOUGH, SHARE_ENOUGH = 3, 12, 0.75
"""A task is settled if at least this number of families, or of programs, agree and have this share of all votes."""


@dataclass(frozen=True)
class Weights:
    """Learnt weights: of votes by size and source of the program, and of answers by the invariants that they violate.

    The weight halves with every ``halves_every`` calls of the program. Unnamed sources and invariants have factor 1.
    """

    halves_every: float
    sources: Mapping[str, float]
    invariants: Mapping[str, float] = field(default_factory=dict)

    def of(self, size: int, source: str) -> float:
        """The weight of an unchanged program that solves all demonstrations while they are hidden."""
        return math.exp2(-size / self.halves_every) * self.sources.get(source, 1.0)

    def plausibility(self, violated: Iterable[str]) -> float:
        """The factor for an answer that violates these invariants."""
        return math.prod(self.invariants.get(name, 1.0) for name in violated)


@cache
def learnt_weights() -> Weights:
    """The weights that the search uses, from WEIGHTS."""
    return Weights(**json.loads(files(__package__).joinpath(WEIGHTS).read_text(encoding="utf-8")))


def weight(result: Evaluated) -> float:
    """The weight of a program's vote.

    It decreases with the size of the program, with the number of changes to it, and with the share of demonstrations
    that it solves only if they are in ``S``.
    """
    plain = learnt_weights().of(result.size, result.candidate.source)
    return plain * math.pow(0.97, result.candidate.lineage.depth) * (0.1 + 0.9 * result.held_out)


def vote_of(result: Evaluated, tests: int) -> Vote:
    """The vote of a program that solves all demonstrations. ``tests`` is the number of test inputs of the task."""
    candidate = result.candidate
    outputs = result.outputs[-tests:] if tests else ()
    unseen = result.held_out > 0
    return Vote(candidate.program.digest, candidate.source, candidate.lineage.root, weight(result), unseen, outputs)


Plausibility = Callable[[int, bytes], float]
"""Maps a test input and an output to the factor of that output, from 0 to 1."""


def _family(vote: Vote) -> str:
    """The family of a vote's program. Programs of one family are not independent: they share their first ancestor.

    All repairs are one family, because many programs get the same repair.
    """
    return vote.source if vote.source == "repair" else vote.root


@dataclass
class Support:
    """The votes for one output.

    ``squares`` has the sum of squared weights by family. ``families`` and ``programs`` count those that solve a hidden
    demonstration. ``plausibility`` is the factor of the output.
    """

    plausibility: float = 1.0
    squares: dict[str, float] = field(default_factory=dict)
    families: set[str] = field(default_factory=set)
    programs: int = 0

    def add(self, vote: Vote) -> None:
        """Count a vote."""
        family = _family(vote)
        self.squares[family] = self.squares.get(family, 0.0) + vote.weight**2
        if vote.unseen:
            self.families.add(family)
            self.programs += 1

    @property
    def weight(self) -> float:
        """The weight of the output: families add up, and each counts as the root of its sum of squared weights."""
        return self.plausibility * sum(map(math.sqrt, self.squares.values()))


class Ballot:
    """The votes on the test outputs of one task, weighted by the plausibility of each output."""

    def __init__(self, tests: int, plausibility: Plausibility = lambda test, output: 1.0) -> None:
        self._tests: list[dict[bytes, Support]] = [{} for _ in range(tests)]
        self._plausibility = plausibility

    @classmethod
    def of(cls, task: Task) -> "Ballot":
        """An empty ballot for a task. Outputs that violate its invariants are less plausible."""
        invariants, weights = Invariants(task), learnt_weights()
        return cls(len(task.test), lambda test, output: weights.plausibility(invariants.violated(test, output)))

    def add(self, vote: Vote) -> None:
        """Count the vote of a program that solves all demonstrations."""
        for test, output in enumerate(vote.outputs):
            if output is not None:
                self._support(test, output).add(vote)

    def _support(self, test: int, output: bytes) -> Support:
        votes = self._tests[test]
        if output not in votes:
            votes[output] = Support(self._plausibility(test, output))
        return votes[output]

    def guesses(self, test: int) -> list[bytes]:
        """The outputs with votes, the most likely first."""
        votes = self._tests[test]
        return sorted(votes, key=lambda output: -votes[output].weight)

    def confidence(self, test: int) -> float:
        """The confidence of the first guess, from 0 to 1."""
        weights = [support.weight for support in self._tests[test].values()]
        return max(weights) / (sum(weights) + UNCONVINCED) if weights else 0.0

    def share(self, test: int, output: bytes) -> float:
        """The share of an output in all votes, from 0 to 1."""
        votes = self._tests[test]
        whole = sum(support.weight for support in votes.values())
        return votes[output].weight / (whole + UNCONVINCED) if output in votes else 0.0

    @property
    def convincing(self) -> bool:
        """Whether programs of several families agree on the first guess for every test input."""
        return bool(self._tests) and all(len(_first(votes).families) >= FAMILIES_CONVINCING for votes in self._tests)

    @property
    def settled(self) -> bool:
        """Whether enough programs agree on every test output."""
        return bool(self._tests) and all(map(_settled, self._tests))


def _first(votes: dict[bytes, Support]) -> Support:
    """The votes for the most likely output; an empty support if there are no votes."""
    return max(votes.values(), key=lambda support: support.weight, default=Support())


def _settled(votes: dict[bytes, Support]) -> bool:
    if not votes:
        return False
    first = _first(votes)
    share = first.weight / sum(support.weight for support in votes.values())
    enough = len(first.families) >= ROOTS_ENOUGH or first.programs >= PROGRAMS_ENOUGH
    return enough and share >= SHARE_ENOUGH
