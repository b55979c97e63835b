"""One generation of a search: the sources propose candidates, which are run, scored, reviewed and kept."""

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from arcloom.program.keys import Keys
from arcloom.search.loop import submission
from arcloom.search.loop.arena import Arena, Evaluation
from arcloom.search.loop.candidate import Candidate, Evaluated, as_stored
from arcloom.search.loop.differs import Judge
from arcloom.search.loop.source import EACH, Request, Source
from arcloom.search.loop.state import TRIED, TaskState, member_of
from arcloom.stopwatch import Deadline, Stopwatch
from arcloom.store import Delta, Descent, ProgramText, StoredScore

Review = Callable[[Arena, Sequence[Evaluated]], Sequence[Evaluated]]
"""A stage between scoring and keeping. It may replace programs by simpler ones, or drop results."""


@dataclass
class Evolution:
    """Runs generations of tasks with all sources. It does not use test outputs.

    ``reviews`` are named stages that process the results before they are kept.
    """

    sources: Sequence[Source]
    judge: Judge
    keys: Keys
    reviews: Sequence[tuple[str, Review]] = ()
    each: int = EACH
    device: str = "cpu"
    stopwatch: Stopwatch = field(default_factory=Stopwatch)

    def step(self, states: Sequence[TaskState], deadline: Deadline | None = None) -> list[Delta]:
        """Run the next generation of some tasks. Returns the changes of each task.

        All tasks must have completed the same number of generations.
        """
        turn = _Turn(self, states, deadline or Deadline())
        turn.evaluate(turn.proposed())
        turn.evaluate(turn.followed_up())
        turn.keep()
        return turn.deltas()


class _Turn:
    """One generation of some tasks."""

    def __init__(self, evolution: Evolution, states: Sequence[TaskState], deadline: Deadline) -> None:
        self.evolution = evolution
        self.states = {state.task.id: state for state in states}
        [self.generation] = {state.generation for state in states}
        self.deadline = deadline
        self.arena = Arena(
            [state.task for state in states],
            evolution.judge,
            device=evolution.device,
            stopwatch=evolution.stopwatch,
        )
        self.results: list[Evaluated] = []
        self.counts: dict[str, Counter[str]] = {id: Counter() for id in self.states}
        self.seconds: Counter[str] = Counter()
        self.programs: dict[str, dict[str, ProgramText]] = {id: {} for id in self.states}
        self.kept: list[Evaluated] = []

    @contextmanager
    def _section(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        with self.evolution.stopwatch.section(name):
            yield
        self.seconds[name] += time.perf_counter() - start  # type: ignore[assignment]

    def proposed(self) -> Iterator[Candidate]:
        """The candidates of all sources that are due."""
        request = Request(list(self.states.values()), self.generation, self.evolution.each, self.deadline)
        for source in self.evolution.sources:
            if source.is_due(self.generation):
                with self._section(source.name):
                    found = list(source.propose(request))
                yield from self._of(source, found)

    def followed_up(self) -> Iterator[Candidate]:
        """The candidates that sources make from the results of the proposed ones."""
        for source in self.evolution.sources:
            with self._section(source.name):
                found = list(source.follow_up(self.results, self.states))
            yield from self._of(source, found)

    def _of(self, source: Source, candidates: Sequence[Candidate]) -> Iterator[Candidate]:
        return (replace(candidate, source=source.name) for candidate in candidates)

    def evaluate(self, candidates: Iterable[Candidate]) -> None:
        """Evaluate the candidates that were not tried before."""
        fresh = [candidate for candidate in candidates if self._is_new(candidate)]
        if not fresh:
            return
        evaluation: Evaluation = self.arena.evaluate(fresh)
        self.results += evaluation.results
        for candidate in fresh:
            self.counts[candidate.task][candidate.source] += 1
        for task, untyped in evaluation.untyped.items():
            self.counts[task]["untyped"] += untyped

    def _is_new(self, candidate: Candidate) -> bool:
        return self.states[candidate.task].seen_by(TRIED).add(self.evolution.keys(candidate.program))

    def keep(self) -> None:
        """Review the results that would be kept, and keep them."""
        worthy = [r for r in self.results if r.solved or self.states[r.candidate.task].archive.would_keep(r)]
        for name, review in self.evolution.reviews:
            with self._section(name):
                worthy = list(review(self.arena, worthy))
        with self._section("keeping"):
            for result in worthy:
                self._keep(result)

    def _keep(self, result: Evaluated) -> None:
        state = self.states[result.candidate.task]
        if not result.solved and not state.archive.would_keep(result):
            return
        stored = as_stored(result)
        state.add(stored)
        self.kept.append(stored)
        parent = stored.candidate.lineage.parent
        for program in (stored.candidate.program, *([] if parent is None else [parent])):
            self.programs[state.task.id][program.digest] = ProgramText.of(program)

    def deltas(self) -> list[Delta]:
        """Complete the generation and return the changes of each task."""
        with self._section("keeping"):
            return [self._delta(state) for state in self.states.values()]

    def _delta(self, state: TaskState) -> Delta:
        id = state.task.id
        kept = [result for result in self.kept if result.candidate.task == id]
        state.generation += 1
        candidates = sum(n for name, n in self.counts[id].items() if name != "untyped")
        state.idle = 0 if candidates else state.idle + 1
        added, removed = state.archive.take_changes()
        share = 1 / len(self.states)
        return Delta(
            state.key,
            state.generation,
            programs=list(self.programs[id].values()),
            scores=[_score(result, state) for result in kept],
            lineage=[descent for result in kept for descent in _descent(result.candidate)],
            added=[member_of(ordinal, result) for ordinal, result in added.items()],
            removed=removed,
            votes=state.take_votes(),
            seen={source: new for source, seen in state.seen.items() if (new := seen.take_new())},
            attempts=submission.attempts(state) if kept or state.generation == 1 else (),
            counts=self.counts[id],
            seconds={name: seconds * share for name, seconds in self.seconds.items()},
        )


def _descent(candidate: Candidate) -> list[Descent]:
    parent = candidate.lineage.parent
    return [] if parent is None else [Descent(candidate.program.digest, parent.digest, candidate.lineage.change)]


def _score(result: Evaluated, state: TaskState) -> StoredScore:
    right = sum(output == target for output, target in zip(result.outputs, state.targets, strict=False))
    if "S" in result.candidate.program.reads and len(state.task.train) > 1:
        right = min(right, round(result.held_out * len(state.task.train)))  # only those solved while hidden
    outputs = hashlib.sha256(b"".join(output or b"\0" for output in result.outputs)).hexdigest()[:32]
    return StoredScore(result.candidate.program.digest, state.key, result.score, right, len(state.task.train), outputs)
