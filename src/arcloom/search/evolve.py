"""The loop: ask the sources, run, score, keep, tell. It sees neither a device nor an answer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from arcloom.search.arena import Arena, Evaluation
from arcloom.search.candidate import Candidate, Evaluated
from arcloom.search.keys import Keys
from arcloom.search.source import Sink, Source, Turn
from arcloom.search.state import TaskState
from arcloom.stopwatch import Stopwatch

EACH = 32
"""How many candidates each source is asked for, for each task and generation."""

DEALING, EXPLORING = "dealing", "exploring"
"""What asking sources is called in a profile; a source that works long, and ends when there is no time left, says that
its ``stage`` is exploring."""

Review = Callable[[Sequence[Evaluated]], Sequence[Evaluated]]
"""What is done to results before they count: it may replace a program by a simpler one, or leave results out."""


class Stopped(Exception):
    """The user wants the loop to end: the generation in flight is dropped."""


@dataclass
class Evolution:
    """Candidates of all sources on all tasks, generation by generation.

    ``reviews`` are named stages between scoring and keeping, such as simplifying and validating; they see the results
    that would be kept.
    """

    states: Sequence[TaskState]
    sources: Sequence[Source]
    arena: Arena
    sink: Sink
    keys: Keys
    each: int = EACH
    reviews: Sequence[tuple[str, Review]] = ()
    stopwatch: Stopwatch = field(default_factory=Stopwatch)
    generation: int = 0
    candidates: int = 0
    untyped: int = 0
    _stop: bool = False

    def __post_init__(self) -> None:
        self._by_id = {state.task.id: state for state in self.states}

    @property
    def stopped(self) -> bool:
        """Whether it has been told to stop."""
        return self._stop

    def stop(self) -> None:
        """End at the next step. May be called at any time, also from a signal handler."""
        self._stop = True

    def step(self) -> int:
        """Run one generation, and say how many candidates it had. Raises Stopped, and then nothing has changed."""
        open_ = [state for state in self.states if state.task.train and not state.settled]
        with self.stopwatch.section(DEALING):
            asked = [candidate for source in self.sources for candidate in self._ask(source, open_)]
            fresh = self._untried(asked)
        self._check()
        evaluation = self.arena.evaluate(fresh)
        self._check()
        self._take(fresh, evaluation)
        return len(fresh)

    def _ask(self, source: Source, states: Sequence[TaskState]) -> list[Candidate]:
        self._check()
        with self.stopwatch.section(getattr(source, "stage", DEALING)):
            return source.ask(states, self.each, self.generation)

    def _check(self) -> None:
        if self._stop:
            raise Stopped

    def _untried(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Each program once for each task, and none that was tried before."""
        fresh: dict[tuple[str, int], Candidate] = {}
        for candidate in candidates:
            key = self.keys(candidate.program)
            if key not in self._by_id[candidate.task].tried:
                fresh.setdefault((candidate.task, key), candidate)
        return list(fresh.values())

    def _take(self, candidates: Sequence[Candidate], evaluation: Evaluation) -> None:
        with self.stopwatch.section("selecting"):
            for candidate in candidates:
                self._by_id[candidate.task].tried.add(self.keys(candidate.program))
            worthy = self._worthy(evaluation.results)
        for name, review in self.reviews:
            with self.stopwatch.section(name):
                worthy = list(review(worthy))
        with self.stopwatch.section("selecting"):
            kept = [result for result in worthy if self._by_id[result.candidate.task].add(result)]
        with self.stopwatch.section("storing"):
            self.sink.add_generation(self._turn(kept, len(candidates)))
        with self.stopwatch.section(DEALING):
            for source in self.sources:
                source.tell(evaluation.results)
        self.generation += 1
        self.candidates += len(candidates)
        self.untyped += evaluation.untyped

    def _turn(self, kept: Sequence[Evaluated], candidates: int) -> Turn:
        touched = dict.fromkeys(result.candidate.task for result in kept)
        return Turn(self.generation, kept, [self._by_id[id] for id in touched], candidates)

    def _worthy(self, results: Sequence[Evaluated]) -> list[Evaluated]:
        """Those that have a vote or would be kept."""
        return [r for r in results if r.solved or self._by_id[r.candidate.task].archive.would_keep(r)]

    @property
    def solved(self) -> int:
        """How many tasks have a program that solves all demonstrations."""
        return sum(state.solutions > 0 for state in self.states)

    @property
    def settled(self) -> int:
        """How many tasks have enough programs that agree."""
        return sum(state.settled for state in self.states)
