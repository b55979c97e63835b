"""From tasks to a submission, within a budget."""

import gc
import re
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from arcloom.library import bundled
from arcloom.program.term import Program
from arcloom.search import differs, submission
from arcloom.search.arena import LOADING_KERNELS, Arena
from arcloom.search.candidate import Candidate, Evaluated
from arcloom.search.card import Card, Deal
from arcloom.search.evolve import EACH, EXPLORING, Evolution, Review, Stopped
from arcloom.search.keys import Keys
from arcloom.search.merge import Merge
from arcloom.search.repair import Repair
from arcloom.search.source import Memory, Sink, Source
from arcloom.search.state import TaskState
from arcloom.stopwatch import Stopwatch
from arcloom.tasks.task import Dataset

SUBMISSION = "submission.json"
WRITE_EVERY = 15.0
"""Seconds between two submissions that are written while the search goes on."""

COLLECT_ALL = 100
"""Every so many generations Python looks for garbage among everything, and else among what is new."""

LIKE, SLACK = 3, 1.2
"""A generation is expected to take as long as the longest of so many before it, and a fifth more."""

IDLE = 3
"""After so many generations without a candidate, there is nothing left to try."""

_UNITS = {"s": 1, "m": 60, "h": 3600}
_BUDGET = re.compile(r"(?:\d+(?:\.\d+)?[smh])+")


class BudgetError(ValueError):
    """A text that is no length of time."""


def seconds_of(text: str) -> float:
    """The seconds of a budget such as "90s", "10m", "2h" or "1h30m"."""
    compact = text.strip().lower()
    if not _BUDGET.fullmatch(compact):
        raise BudgetError(f"{text!r} is no budget; write a number with s, m or h, such as 90s, 10m or 1h30m")
    parts = re.findall(r"([\d.]+)([smh])", compact)
    seconds = sum(float(number) * _UNITS[unit] for number, unit in parts)
    if seconds <= 0:
        raise BudgetError(f"{text!r} leaves no time; write a number above 0 with s, m or h, such as 90s")
    return seconds


@dataclass(frozen=True)
class Settings:
    """How to search. Bounded by ``generations`` and not by ``seconds``, equal settings give equal submissions.

    ``hide_own`` hides from each task the library's program of that name, to measure what a search finds by itself.
    """

    seconds: float | None = 120.0
    generations: int | None = None
    seed: int = 0
    device: str = "cpu"
    each: int = EACH
    hide_own: bool = False


@dataclass(frozen=True)
class Progress:
    """How far a search is. ``best`` is the mean of the tasks' best scores, from 0 to 1000."""

    left: float | None
    generation: int
    candidates: int
    untyped: int
    seconds: float
    tasks: int
    solved: int
    settled: int
    best: int

    @property
    def per_second(self) -> float:
        """Candidates per second so far."""
        return self.candidates / self.seconds if self.seconds > 0 else 0.0


@dataclass(frozen=True)
class Outcome:
    """What a search came to."""

    progress: Progress
    answers: submission.Answers
    stopped: bool


@dataclass
class Search:
    """A search over a set of tasks, ready to run. It is given the answers of no task.

    ``variants`` are programs that are dealt along with the library (see ``generalise``). ``extra`` are further sources.
    ``reviews`` are stages between scoring and keeping (see ``Evolution``). To go on with an earlier run, ``known`` are
    the candidates that it kept and ``start`` is the generation to begin with. ``spent`` are seconds of the budget that
    were gone before. One generation is run in any case, so that what is known counts.
    """

    dataset: Dataset
    settings: Settings = field(default_factory=Settings)
    library: Sequence[Program] = field(default_factory=bundled)
    variants: Sequence[Program] = ()
    differs: Sequence[Program] = field(default_factory=differs.bundled)
    extra: Sequence[Source] = ()
    reviews: Sequence[tuple[str, Review]] = ()
    known: Sequence[Candidate] = ()
    start: int = 0
    sink: Sink = field(default_factory=Memory)
    stopwatch: Stopwatch = field(default_factory=Stopwatch)
    spent: float = 0.0
    out: Path | None = None
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        self._began = self.clock() - self.spent
        with self.stopwatch.section("loading"):
            self.states = [TaskState(task) for task in self.dataset]
            self.evolution = self._evolution()
            self.evolution.generation = self.start
        self._written = self.clock()
        self._writing = 0.0
        self._needed: deque[float] = deque((0.0,), maxlen=LIKE)

    def _evolution(self) -> Evolution:
        settings, keys = self.settings, Keys()
        judge = differs.Judge(self.differs, settings.device)
        tasks = [state.task for state in self.states]
        arena = Arena(tasks, judge, device=settings.device, stopwatch=self.stopwatch)
        decks = [Deal(programs, hide_own=settings.hide_own) for programs in (self.library, self.variants)]
        first = -(-max(len(self.library), len(self.variants)) // settings.each)
        card = Card(self.library, keys, seed=settings.seed, after=first, hide_own=settings.hide_own)
        sources: list[Source] = [Again(self.known), *decks, Repair(), Merge(), *self.extra, card]
        return Evolution(self.states, sources, arena, self.sink, keys, settings.each, self.reviews, self.stopwatch)

    def stop(self) -> None:
        """End soon, from wherever this is called: the generation in flight is dropped, all before it counts."""
        self.evolution.stop()

    def run(self, watch: Callable[[Progress], object] = lambda progress: None) -> Outcome:
        """Search until the budget is spent or the user stops it; the submission is written in any case."""
        with _collecting_seldom() as collect:
            try:
                self._generations(watch, collect)
            except (Stopped, KeyboardInterrupt):
                self.stop()
            except Exception:  # such as a disk that is full: what was found until then is still worth a submission
                with suppress(OSError):
                    self._write()
                raise
        return Outcome(self.progress(), self._write(), self.evolution.stopped)

    def _generations(self, watch: Callable[[Progress], object], collect: Callable[[int], object]) -> None:
        if self.out is not None and not (self.out / SUBMISSION).exists():
            self._write()  # whatever happens, there is one from now on
        idle, first = 0, True
        while idle < IDLE and (first or self._has_more()):
            start, elsewhere, first = self.clock(), self._elsewhere(), False
            idle = 0 if self.evolution.step() else idle + 1
            with self.stopwatch.section("collecting garbage"):
                collect(2 if self.evolution.generation % COLLECT_ALL == 0 else 0)
            with self.stopwatch.section("showing"):
                watch(self.progress())
            self._needed.append(self.clock() - start - (self._elsewhere() - elsewhere))
            if self.out is not None and self.clock() - self._written > WRITE_EVERY:
                self._write()

    def _elsewhere(self) -> float:
        """Seconds that say nothing about the next generation: of what ends with the time, and of what is done once."""
        return self.stopwatch.spent(EXPLORING) + self.stopwatch.spent(LOADING_KERNELS)

    def _has_more(self) -> bool:
        """Whether there is something left to do, and may be done."""
        limit = self.settings.generations
        allowed = limit is None or self.evolution.generation < limit
        return allowed and self.goes_on() and self.evolution.settled < len(self.states)

    def goes_on(self) -> bool:
        """Whether nobody has stopped the search, and the budget leaves time for all of a generation that must be done
        once it has begun, if it is like the last ones, and for the answers. Exploring ends when this is over.
        """
        left = self._left()
        return not self.evolution.stopped and (left is None or left > SLACK * max(self._needed) + self._writing)

    def _left(self) -> float | None:
        seconds = self.settings.seconds
        return None if seconds is None else seconds - (self.clock() - self._began)

    def _write(self) -> submission.Answers:
        start = self.clock()
        with self.stopwatch.section("answering"):
            answers = submission.answers(self.states)
            if self.out is not None:
                submission.write(answers, self.out / SUBMISSION)
        self._written = self.clock()
        self._writing = self._written - start
        return answers

    def progress(self) -> Progress:
        """How far it is."""
        evolution, tasks = self.evolution, len(self.states)
        best = sum(state.archive.best.score for state in self.states if state.archive.best) // max(tasks, 1)
        return Progress(
            left=self._left(),
            generation=evolution.generation,
            candidates=evolution.candidates,
            untyped=evolution.untyped,
            seconds=self.clock() - self._began,
            tasks=tasks,
            solved=evolution.solved,
            settled=evolution.settled,
            best=best,
        )


@contextmanager
def _collecting_seldom() -> Iterator[Callable[[int], object]]:
    """Python would look for cycles in millions of terms again and again: here it does so only when it is told to."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield gc.collect
    finally:
        if enabled:
            gc.enable()


class Again:
    """What an earlier run kept, all of it in the first generation."""

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        self._candidates = list(candidates)

    def ask(self, states: Sequence[TaskState], each: int, generation: int) -> list[Candidate]:
        """See ``Source``."""
        open_ = {state.task.id for state in states}
        dealt, self._candidates = self._candidates, []
        return [candidate for candidate in dealt if candidate.task in open_]

    def tell(self, results: Sequence[Evaluated]) -> None:
        """See ``Source``."""
