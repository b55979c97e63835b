"""Dealing: programs of a library as they are, and mutants of what a task keeps."""

from collections.abc import Sequence
from itertools import accumulate
from random import Random

from arcloom.program.term import Program
from arcloom.search.anatomy import Anatomy
from arcloom.search.candidate import INPUTS, SOLVER, Candidate, Evaluated, Lineage
from arcloom.search.facts import INPUT
from arcloom.search.keys import Keys
from arcloom.search.mutate import Change, Mutator, Pool
from arcloom.search.state import TaskState

NOTHING = Program("nothing", INPUTS, INPUT)
"""The program that gives its input: what grows from it owes nothing to a library."""

LARGEST = 60
"""A mutant has at most so many calls."""

FRESH = 0.15
"""How often a program of the library is dealt anew instead of one that the task keeps."""

TRIES = 4
"""So many proposals are made for each candidate that is asked for, before a task gets fewer."""

ANATOMIES = 20_000


class Deal:
    """Every program of a library on every task: first the task's own, then the smaller ones first."""

    def __init__(self, programs: Sequence[Program], *, hide_own: bool = False) -> None:
        self._programs = sorted(programs, key=lambda program: (len(program), program.name))
        self._by_name = {program.name: program for program in programs}
        self._hide_own = hide_own

    def ask(self, states: Sequence[TaskState], each: int, generation: int) -> list[Candidate]:
        """See ``Source``."""
        hand = self._programs[generation * each : (generation + 1) * each]
        return [
            Candidate(state.task.id, program, Lineage(program.name))
            for state in states
            for program in self._hand(state, hand, generation == 0)
        ]

    def _hand(self, state: TaskState, hand: list[Program], first: bool) -> list[Program]:
        name = SOLVER + state.task.id
        if self._hide_own:
            return [program for program in hand if program.name != name]
        return [self._by_name[name], *hand] if first and name in self._by_name else hand

    def tell(self, results: Sequence[Evaluated]) -> None:
        """See ``Source``."""


class Card:
    """Mutants, of what each task keeps and of the library, in all generations after some first ones."""

    def __init__(
        self, library: Sequence[Program], keys: Keys, *, seed: int = 0, after: int = 0, hide_own: bool = False
    ) -> None:
        programs = [NOTHING, *sorted(library, key=lambda program: program.name)]
        self._library = [anatomy for anatomy in map(Anatomy, programs) if anatomy.types]
        self._chances = list(accumulate(2.0 ** (-len(anatomy.calls) / 8) for anatomy in self._library))
        self._pool = Pool(self._library)
        self._keys = keys
        self._seed = seed
        self._hide_own = hide_own
        self._after = after
        self._anatomies: dict[int, Anatomy] = {}

    def ask(self, states: Sequence[TaskState], each: int, generation: int) -> list[Candidate]:
        """See ``Source``."""
        if generation < self._after:
            return []
        return [candidate for state in states for candidate in self._deal(state, each, generation)]

    def tell(self, results: Sequence[Evaluated]) -> None:
        """See ``Source``. What a task keeps is all that is learnt."""

    def _deal(self, state: TaskState, each: int, generation: int) -> list[Candidate]:
        rng = Random(f"{self._seed} {generation} {state.task.id}")
        own = SOLVER + state.task.id
        mutator = Mutator(state.facts, self._pool, rng, own if self._hide_own else None)
        kept = state.archive.ranked()
        dealt: dict[int, Candidate] = {}
        for _ in range(TRIES * each):
            anatomy, lineage = self._parent(kept, rng, mutator.hidden)
            candidate = self._mutant(anatomy, lineage, state.task.id, mutator)
            if candidate is not None:
                key = self._keys(candidate.program)
                if key not in state.tried:
                    dealt.setdefault(key, candidate)
                    if len(dealt) == each:
                        break
        return list(dealt.values())

    def _parent(self, kept: list[Evaluated], rng: Random, hidden: str | None) -> tuple[Anatomy, Lineage]:
        if kept and rng.random() >= FRESH:
            chosen = kept[min(rng.randrange(len(kept)), rng.randrange(len(kept)))].candidate
            return self._anatomy(chosen.program), chosen.lineage
        while True:
            [anatomy] = rng.choices(self._library, cum_weights=self._chances)
            if anatomy.program.name != hidden:
                return anatomy, Lineage(anatomy.program.name)

    def _anatomy(self, program: Program) -> Anatomy:
        key = self._keys(program)
        if key not in self._anatomies:
            if len(self._anatomies) >= ANATOMIES:
                self._anatomies.clear()
            self._anatomies[key] = Anatomy(program)
        return self._anatomies[key]

    def _mutant(self, anatomy: Anatomy, lineage: Lineage, task: str, mutator: Mutator) -> Candidate | None:
        first = mutator.change if lineage.depth else mutator.adaptation
        tried = [first(anatomy), *(mutator.change(anatomy) for _ in range(_how_many_more(mutator.rng)))]
        changes = [made for made in tried if made is not None]
        if not changes:
            return None
        whole = Change()
        for _, change in changes:
            whole.update(change)
        program = Program(SOLVER + task, INPUTS, whole.applied_to(anatomy.program))
        if program.output is anatomy.program.output or len(program) > LARGEST:
            return None
        return Candidate(task, program, lineage.then("+".join(name for name, _ in changes), anatomy.program))


def _how_many_more(rng: Random) -> int:
    """How many changes at once besides the first: none most often."""
    chance = rng.random()
    return 0 if chance < 0.65 else 1 if chance < 0.9 else 2
