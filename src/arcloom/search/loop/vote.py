"""The vote: programs that solve all demonstrations say what each test output should be."""

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
"""The file with the learnt weights: see ``arcloom.search.weigh``."""

UNCONVINCED = 0.02
"""The weight of what no program says: a lonely large program does not give much confidence."""

LINES_CONVINCING = 2
"""Minimum number of independent lines of descent behind an answer for a task to count as solved. Of development tasks
with fewer, half of the answers or less were right."""

ROOTS_ENOUGH, PROGRAMS_ENOUGH, SHARE_ENOUGH = 3, 12, 0.75
"""A task is settled if at least this number of lines of descent, or of programs, agree and have this share of all
votes."""


@dataclass(frozen=True)
class Weights:
    """The weight of a vote by the size and the source of its program, and the factors of violated invariants.

    A program with ``halves_every`` calls more has half the weight. A source or invariant that is not named has the
    factor 1.
    """

    halves_every: float
    sources: Mapping[str, float]
    invariants: Mapping[str, float] = field(default_factory=dict)

    def of(self, size: int, source: str) -> float:
        """The weight of a program that is not changed and does not need to see the answer."""
        return math.exp2(-size / self.halves_every) * self.sources.get(source, 1.0)

    def plausibility(self, violated: Iterable[str]) -> float:
        """The factor of an answer that violates these invariants."""
        return math.prod(self.invariants.get(name, 1.0) for name in violated)


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


Plausibility = Callable[[int, bytes], float]
"""The factor of an output for a test input, from 0 to 1."""


def _family(vote: Vote) -> str:
    """Programs of one family are not independent. Repairs are one family: many programs get the same repair."""
    return vote.source if vote.source == "repair" else vote.root


@dataclass
class Support:
    """The votes for one output: the sum of the squared weights of each family of programs, and the families and the
    number of programs that solve a demonstration unseen. ``plausibility`` is the factor of the output.
    """

    plausibility: float = 1.0
    squares: dict[str, float] = field(default_factory=dict)
    lines: set[str] = field(default_factory=set)
    programs: int = 0

    def add(self, vote: Vote) -> None:
        """Count a vote."""
        family = _family(vote)
        self.squares[family] = self.squares.get(family, 0.0) + vote.weight**2
        if vote.unseen:
            self.lines.add(family)
            self.programs += 1

    @property
    def weight(self) -> float:
        """Independent families add up; programs of the same family count as the root of the sum of their squares."""
        return self.plausibility * sum(map(math.sqrt, self.squares.values()))


class Ballot:
    """The votes on the test outputs of one task, weighted by the plausibility of each output."""

    def __init__(self, tests: int, plausibility: Plausibility = lambda test, output: 1.0) -> None:
        self._tests: list[dict[bytes, Support]] = [{} for _ in range(tests)]
        self._plausibility = plausibility

    @classmethod
    def of(cls, task: Task) -> "Ballot":
        """An empty ballot for a task, whose invariants make outputs plausible."""
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
    def convincing(self) -> bool:
        """Whether independent programs agree on the first guess for every test input."""
        return bool(self._tests) and all(len(_first(votes).lines) >= LINES_CONVINCING for votes in self._tests)

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
    enough = len(first.lines) >= ROOTS_ENOUGH or first.programs >= PROGRAMS_ENOUGH
    return enough and share >= SHARE_ENOUGH
