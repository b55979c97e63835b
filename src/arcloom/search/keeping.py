"""Keeping what a search finds in a store, and going on from there."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from arcloom.program.term import Program
from arcloom.search.arena import Arena
from arcloom.search.candidate import Candidate, Evaluated, Lineage
from arcloom.search.simplified import simplified
from arcloom.search.source import Turn
from arcloom.search.state import TaskState
from arcloom.search.validate import Validator
from arcloom.store import Descent, Generation, Resumed, Run, Score, Store, TaskKey
from arcloom.tasks.task import Dataset


class Kept:
    """A sink: each generation is one transaction of a store."""

    def __init__(self, store: Store, run: Run) -> None:
        self._store = store
        self._run = run
        self._keys: dict[str, TaskKey] = {}

    def add_generation(self, turn: Turn) -> None:
        """See ``Sink``."""
        self._store.add_generation(
            self._run,
            Generation(
                turn.generation,
                programs=[program for result in turn.kept for program in _programs(result.candidate)],
                scores=[self._score(result, state) for result, state in _with_states(turn)],
                lineage=[descent for result in turn.kept for descent in _descent(result.candidate)],
                kept={self._key(state): _digests(state) for state in turn.states},
                counts={"candidates": turn.candidates, "kept": len(turn.kept)},
            ),
        )

    def _key(self, state: TaskState) -> TaskKey:
        id = state.task.id
        if id not in self._keys:
            self._keys[id] = TaskKey.of(state.task)
        return self._keys[id]

    def _score(self, result: Evaluated, state: TaskState) -> Score:
        right = sum(output == target for output, target in zip(result.outputs, state.targets, strict=False))
        outputs = hashlib.sha256(b"".join(output or b"\0" for output in result.outputs)).hexdigest()[:32]
        program = result.candidate.program.digest
        return Score(program, self._key(state), result.score, right, len(state.task.train), outputs)


def _with_states(turn: Turn) -> list[tuple[Evaluated, TaskState]]:
    states = {state.task.id: state for state in turn.states}
    return [(result, states[result.candidate.task]) for result in turn.kept]


def _programs(candidate: Candidate) -> list[Program]:
    parent = candidate.lineage.parent
    return [candidate.program] if parent is None else [parent, candidate.program]


def _descent(candidate: Candidate) -> list[Descent]:
    parent = candidate.lineage.parent
    return [] if parent is None else [Descent(candidate.program.digest, parent.digest, candidate.lineage.change)]


def _digests(state: TaskState) -> list[str]:
    return [result.candidate.program.digest for result in state.archive.ranked()]


def known(resumed: Resumed, dataset: Dataset) -> list[Candidate]:
    """The candidates that a run kept for tasks that are still the same. Programs of one name count as one line."""
    found = []
    for task in dataset:
        for entry in resumed.kept.get(TaskKey.of(task), ()):
            found.append(Candidate(task.id, entry.program, Lineage(entry.name, "resumed")))
    return found


@dataclass
class Reviews:
    """Makes solutions simpler, and drops those that the reference does not agree on."""

    arena: Arena
    validator: Validator

    def simplify(self, results: Sequence[Evaluated]) -> list[Evaluated]:
        """The results with their solutions in the simplest form that gives the same on all samples of the task."""
        solutions = [result for result in results if result.solved]
        rows = [self._rows(result) for result in solutions]
        simple = simplified([result.candidate.program for result in solutions], self.arena.samples, rows)
        changed = {id(old): _with(old, program) for old, program in zip(solutions, simple.programs, strict=True)}
        return [changed.get(id(result), result) for result in results]

    def _rows(self, result: Evaluated) -> list[int]:
        """The samples of the task; one without a demonstration in ``S`` is another sample only to who reads that."""
        place = self.arena.places[result.candidate.task]
        return [*place.samples, *(place.hidden if "S" in result.candidate.program.reads else ())]

    def validate(self, results: Sequence[Evaluated]) -> list[Evaluated]:
        """The results without solutions for which engine and reference disagree."""
        solutions = [result for result in results if result.solved]
        if not solutions:
            return list(results)
        programs = [result.candidate.program for result in solutions]
        ran = self.arena.run(programs, [self._rows(result) for result in solutions])
        agreed = set(self.validator.validate(ran, self.arena.samples, budget=self.arena.budget).agreed)
        dropped = {id(result) for p, result in enumerate(solutions) if p not in agreed}
        return [result for result in results if id(result) not in dropped]


def _with(result: Evaluated, program: Program) -> Evaluated:
    if program is result.candidate.program:
        return result
    renamed = Program(result.candidate.program.name, program.inputs, program.output)
    candidate = replace(result.candidate, program=renamed)
    return replace(result, candidate=candidate, size=len(renamed))
