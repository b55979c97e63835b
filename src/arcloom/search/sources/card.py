"""Typed mutation as a source of candidates: mutants of the programs that a task keeps, and of the library."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from random import Random

from arcloom.program.build import INPUT, INPUTS, solver_name
from arcloom.program.keys import Keys
from arcloom.program.term import Program
from arcloom.search.loop.candidate import Candidate, Evaluated, Lineage
from arcloom.search.loop.source import Request, Source
from arcloom.search.loop.state import TRIED, TaskState
from arcloom.search.sources.analysis import ProgramAnalysis
from arcloom.search.sources.mutate import Change, Mutator, Pool

NOTHING = Program("nothing", INPUTS, INPUT)
"""The program that gives its input: what grows from it owes nothing to a library."""

LARGEST = 60
"""Maximum number of calls of a mutant."""

FRESH = 0.15
"""How often a program of the library is dealt anew instead of one that the task keeps."""

TRIES = 4
"""Maximum number of proposals per requested candidate; after that a task gets fewer candidates."""

ANATOMIES = 20_000


class Card(Source):
    """Mutants, of the programs that a task keeps and of the library, in all generations after some first ones.

    Programs with functions of their own are not mutated: mutations do not look into functions.
    """

    name = "mutation"

    def __init__(
        self, library: Sequence[Program], keys: Keys, *, seed: int = 0, after: int = 0, hide_own: bool = False
    ) -> None:
        programs = [NOTHING, *sorted(library, key=lambda program: program.name)]
        self._library = [anatomy for anatomy in map(ProgramAnalysis, programs) if anatomy.types]
        self._chances = list(accumulate(2.0 ** (-len(anatomy.calls) / 8) for anatomy in self._library))
        self._pool = Pool(self._library)
        self._keys = keys
        self._seed = seed
        self._hide_own = hide_own
        self._after = after
        self._anatomies: dict[int, ProgramAnalysis] = {}

    def is_due(self, generation: int) -> bool:
        """See ``Source``."""
        return generation >= self._after

    def propose(self, request: Request) -> Iterator[Candidate]:
        """See ``Source``."""
        for state in request.states:
            yield from self._deal(state, request.each, request.generation)

    def _deal(self, state: TaskState, each: int, generation: int) -> list[Candidate]:
        rng = Random(f"{self._seed} {generation} {state.task.id}")
        own, tried = solver_name(state.task.id), state.seen_by(TRIED)
        mutator = Mutator(state.facts, self._pool, rng, own if self._hide_own else None)
        kept = [result for result in state.archive.ranked() if not result.candidate.program.nesting]
        dealt: dict[int, Candidate] = {}
        for _ in range(TRIES * each):
            anatomy, lineage = self._parent(kept, rng, mutator.hidden)
            candidate = self._mutant(anatomy, lineage, state.task.id, mutator)
            if candidate is not None:
                key = self._keys(candidate.program)
                if key not in tried:
                    dealt.setdefault(key, candidate)
                    if len(dealt) == each:
                        break
        return list(dealt.values())

    def _parent(self, kept: list[Evaluated], rng: Random, hidden: str | None) -> tuple[ProgramAnalysis, Lineage]:
        if kept and rng.random() >= FRESH:
            chosen = kept[min(rng.randrange(len(kept)), rng.randrange(len(kept)))].candidate
            return self._anatomy(chosen.program), chosen.lineage
        while True:
            [anatomy] = rng.choices(self._library, cum_weights=self._chances)
            if anatomy.program.name != hidden:
                return anatomy, Lineage(anatomy.program.name)

    def _anatomy(self, program: Program) -> ProgramAnalysis:
        key = self._keys(program)
        if key not in self._anatomies:
            if len(self._anatomies) >= ANATOMIES:
                self._anatomies.clear()
            self._anatomies[key] = ProgramAnalysis(program)
        return self._anatomies[key]

    def _mutant(self, anatomy: ProgramAnalysis, lineage: Lineage, task: str, mutator: Mutator) -> Candidate | None:
        first = mutator.change if lineage.depth else mutator.adaptation
        tried = [first(anatomy), *(mutator.change(anatomy) for _ in range(_how_many_more(mutator.rng)))]
        changes = [made for made in tried if made is not None]
        if not changes:
            return None
        whole = Change()
        for _, change in changes:
            whole.update(change)
        program = Program(solver_name(task), INPUTS, whole.applied_to(anatomy.program))
        if program.output is anatomy.program.output or len(program) > LARGEST:
            return None
        return Candidate(task, program, lineage.then("+".join(name for name, _ in changes), anatomy.program))


def _how_many_more(rng: Random) -> int:
    """How many changes at once besides the first: none most often."""
    chance = rng.random()
    return 0 if chance < 0.65 else 1 if chance < 0.9 else 2
