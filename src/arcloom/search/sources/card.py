"""The card: a source of candidates that mutates programs of the archive and of the library."""

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
"""The identity program. Its mutants do not derive from a library program."""

LARGEST = 60
"""Maximum number of calls of a mutant."""

FRESH = 0.15
"""Probability that the parent is a program of the library instead of the archive."""

TRIES = 4
"""Maximum number of proposals per requested candidate; after that a task gets fewer candidates."""

CACHED_ANALYSES = 20_000
"""Number of analyses of archive members after which the cache is cleared."""


class Card(Source):
    """Proposes mutants of programs of the archive and of the library, from generation ``after`` on.

    Programs that define functions are not mutated, because mutations do not change the bodies of functions.
    """

    name = "mutation"

    def __init__(
        self, library: Sequence[Program], keys: Keys, *, seed: int = 0, after: int = 0, hide_own: bool = False
    ) -> None:
        programs = [NOTHING, *sorted(library, key=lambda program: program.name)]
        self._library = [analysis for analysis in map(ProgramAnalysis, programs) if analysis.types]
        self._chances = list(accumulate(2.0 ** (-len(analysis.calls) / 8) for analysis in self._library))
        self._pool = Pool(self._library)
        self._keys = keys
        self._seed = seed
        self._hide_own = hide_own
        self._after = after
        self._analyses: dict[int, ProgramAnalysis] = {}

    def is_due(self, generation: int) -> bool:
        """See ``Source``."""
        return generation >= self._after

    def propose(self, request: Request) -> Iterator[Candidate]:
        """See ``Source``."""
        for state in request.states:
            yield from self._mutants(state, request.each, request.generation)

    def _mutants(self, state: TaskState, each: int, generation: int) -> list[Candidate]:
        rng = Random(f"{self._seed} {generation} {state.task.id}")
        own, tried = solver_name(state.task.id), state.seen_by(TRIED)
        mutator = Mutator(state.constants, self._pool, rng, own if self._hide_own else None)
        kept = [result for result in state.archive.ranked() if not result.candidate.program.nesting]
        found: dict[int, Candidate] = {}
        for _ in range(TRIES * each):
            analysis, lineage = self._parent(kept, rng, mutator.hidden)
            candidate = self._mutant(analysis, lineage, state.task.id, mutator)
            if candidate is not None:
                key = self._keys(candidate.program)
                if key not in tried:
                    found.setdefault(key, candidate)
                    if len(found) == each:
                        break
        return list(found.values())

    def _parent(self, kept: list[Evaluated], rng: Random, hidden: str | None) -> tuple[ProgramAnalysis, Lineage]:
        if kept and rng.random() >= FRESH:
            chosen = kept[min(rng.randrange(len(kept)), rng.randrange(len(kept)))].candidate
            return self._analysis(chosen.program), chosen.lineage
        while True:
            [analysis] = rng.choices(self._library, cum_weights=self._chances)
            if analysis.program.name != hidden:
                return analysis, Lineage(analysis.program.name)

    def _analysis(self, program: Program) -> ProgramAnalysis:
        key = self._keys(program)
        if key not in self._analyses:
            if len(self._analyses) >= CACHED_ANALYSES:
                self._analyses.clear()
            self._analyses[key] = ProgramAnalysis(program)
        return self._analyses[key]

    def _mutant(self, analysis: ProgramAnalysis, lineage: Lineage, task: str, mutator: Mutator) -> Candidate | None:
        first = mutator.change if lineage.depth else mutator.adaptation
        tried = [first(analysis), *(mutator.change(analysis) for _ in range(_further_changes(mutator.rng)))]
        changes = [made for made in tried if made is not None]
        if not changes:
            return None
        whole = Change()
        for _, change in changes:
            whole.update(change)
        program = Program(solver_name(task), INPUTS, whole.applied_to(analysis.program))
        if program.output is analysis.program.output or len(program) > LARGEST:
            return None
        return Candidate(task, program, lineage.then("+".join(name for name, _ in changes), analysis.program))


def _further_changes(rng: Random) -> int:
    """A random number of changes after the first: 0, 1 or 2, mostly 0."""
    chance = rng.random()
    return 0 if chance < 0.65 else 1 if chance < 0.9 else 2
