"""Evaluation of candidates: all candidates of some tasks run in one batt, each on the samples of its own task."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from arcloom.dsl.meter import SEARCH_BUDGET
from arcloom.engine.devices import kind_of
from arcloom.engine.results import Results
from arcloom.engine.run import run
from arcloom.program.term import Program, Term
from arcloom.search.loop.candidate import Candidate, Evaluated
from arcloom.search.loop.differs import Comparison, Judge, Profile
from arcloom.stopwatch import Stopwatch
from arcloom.tasks.packed import is_of_arc, pack
from arcloom.tasks.samples import held_out_samples, samples_of
from arcloom.tasks.task import SIDE_MAX, Task

FINALISTS = 12
"""Number of candidates per task that are scored on all demonstrations; the others are scored on the first one only."""

MEASURED = {"trace": "tracing", "merge": "merging", "encode": "encoding samples", "compile": "loading kernels"}
"""The parts of a run whose seconds the engine reports, and their names in a profile."""


@dataclass(frozen=True)
class Evaluation:
    """The scored candidates, and the number of untyped candidates by task."""

    results: list[Evaluated]
    untyped: Counter[str]


@dataclass(frozen=True)
class TaskRows:
    """The rows of a task's samples among the samples of all tasks.

    ``hidden`` are the demonstrations again, each left out of its own ``S``. ``side`` is the maximum side of an output:
    30, or that of the task's largest grid if it is larger.
    """

    demonstrations: range
    tests: range
    hidden: range
    side: int

    @property
    def samples(self) -> range:
        """The rows of demonstrations and tests."""
        return range(self.demonstrations.start, self.tests.stop)


class Arena:
    """The samples of some tasks, and the judge that scores the outputs of candidates."""

    def __init__(
        self,
        tasks: Sequence[Task],
        judge: Judge,
        *,
        device: str = "cpu",
        budget: int = SEARCH_BUDGET,
        finalists: int = FINALISTS,
        stopwatch: Stopwatch | None = None,
    ) -> None:
        self.judge = judge
        self.device = device
        self.budget = budget
        self.finalists = finalists
        self.stopwatch = stopwatch or Stopwatch()
        self.samples: list[dict[str, Any]] = []
        self.targets: dict[int, bytes | None] = {}
        self._answers: dict[int, Any] = {}
        self._names: list[tuple[str, int]] = []
        self.places = {task.id: self._placed(task) for task in tasks}
        self._columns = _columned(self.samples, device)

    def _placed(self, task: Task) -> TaskRows:
        start = len(self.samples)
        self.samples += samples_of(task)
        tests, hidden = start + len(task.train), start + len(task.samples)
        if len(task.train) > 1:
            self.samples += held_out_samples(task)
        self._names += [(task.id, row) for row in range(len(self.samples) - start)]
        place = TaskRows(
            range(start, tests), range(tests, hidden), range(hidden, len(self.samples)), max(SIDE_MAX, task.max_side)
        )
        for rows in (place.demonstrations, place.hidden):
            self._answers.update((row, pair.output) for row, pair in zip(rows, task.train, strict=False))
            self.targets.update((row, pack(self._answers[row])) for row in rows)
        return place

    def evaluate(self, candidates: Sequence[Candidate]) -> Evaluation:
        """Run and score candidates, without using test outputs.

        Untyped candidates are not run. All others are scored on the first demonstration. For each task, the results
        have the best of these, scored on all demonstrations, and every candidate that solves all of them.
        """
        self.judge.forget_old()
        with self.stopwatch.section("running"):
            batch = _CandidateBatch.of(candidates, self.places)
            results = self.run(batch.programs, batch.rows)
            for part, name in MEASURED.items():
                if part in results.seconds:
                    self.stopwatch.move(name, results.seconds[part])
        with self.stopwatch.section("reading outputs"):
            ran = [self._ran(results, batch, *each) for each in batch if results.rows[each[1]]]
        with self.stopwatch.section("scoring"):
            finalists = self._finalists(ran)
            self._score((row, each.outputs[row]) for each in finalists for row in each.judged)
            evaluated = [self._evaluated(each) for each in finalists]
        untyped = Counter(c.task for c in candidates) - Counter(each.candidate.task for each in ran)
        return Evaluation(evaluated, untyped)

    def run(self, programs: Sequence[Program], rows: Sequence[Sequence[int]]) -> Results:
        """Run each program on the samples at its rows."""
        return run(programs, self._columns, device=self.device, rows=rows, budget=self.budget, typed_only=True)

    def _ran(self, results: Results, batch: "_CandidateBatch", candidate: Candidate, p: int, rows: list[int]) -> "_Ran":
        place = self.places[candidate.task]
        outputs = {row: _output(results, p, row, place.side) for row in rows}
        judged = place.hidden if batch.hides[p] and place.hidden else place.demonstrations
        right = all(outputs[row] == self.targets[row] for row in place.demonstrations)
        return _Ran(candidate, outputs, judged, right)

    def _finalists(self, ran: "Sequence[_Ran]") -> "list[_Ran]":
        self._score((each.judged[0], each.outputs[each.judged[0]]) for each in ran)
        by_task: dict[str, list[_Ran]] = {}
        for each in ran:
            by_task.setdefault(each.candidate.task, []).append(each)
        return [each for rivals in by_task.values() for each in self._best(rivals)]

    def _best(self, rivals: "list[_Ran]") -> "list[_Ran]":
        if len(rivals) <= self.finalists:
            return rivals
        ranked = sorted(rivals, key=self._first_impression, reverse=True)
        return ranked[: self.finalists] + [each for each in ranked[self.finalists :] if each.right]

    def _first_impression(self, ran: "_Ran") -> int:
        row = ran.judged[0]
        return sum(self._profile(row, ran.outputs[row]))

    def _score(self, wanted: Iterable[tuple[int, bytes | None]]) -> None:
        """Score the outputs that the judge has not scored before."""
        new: dict[tuple[int, bytes], None] = {}
        for row, output in wanted:
            if output is not None and (self._names[row], output) not in self.judge.known:
                if output == self.targets[row]:
                    self.judge.known[self._names[row], output] = self.judge.perfect
                else:
                    new[row, output] = None
        profiles = self.judge.profiles([self._comparison(row, output) for row, output in new])
        for (row, output), profile in zip(new, profiles, strict=True):
            self.judge.known[self._names[row], output] = profile

    def _comparison(self, row: int, output: bytes) -> Comparison:
        sample = self.samples[row]
        return Comparison(sample["I"], sample["S"], output, self._answers[row])

    def _evaluated(self, ran: "_Ran") -> Evaluated:
        profiles = [self._profile(row, ran.outputs[row]) for row in ran.judged]
        profile = tuple([sum(column) // len(profiles) for column in zip(*profiles, strict=True)])
        held_out = sum(ran.outputs[row] == self.targets[row] for row in ran.judged) / len(ran.judged)
        outputs = tuple([ran.outputs[row] for row in self.places[ran.candidate.task].samples])
        score = sum(profile) // max(len(profile), 1)
        solved = ran.right and (held_out > 0 or ran.candidate.is_own)
        return Evaluated(ran.candidate, outputs, profile, score, solved, held_out, len(ran.candidate.program))

    def _profile(self, row: int, output: bytes | None) -> Profile:
        return self.judge.none if output is None else self.judge.known[self._names[row], output]


@dataclass(frozen=True, slots=True)
class _Ran:
    """A candidate's outputs by row, the rows that it is scored on, and whether it solves all demonstrations."""

    candidate: Candidate
    outputs: dict[int, bytes | None]
    judged: range
    right: bool


@dataclass(frozen=True)
class _CandidateBatch:
    """Candidates grouped by program: a program that is tried on many tasks is in the batt once.

    Candidate ``k`` is program ``numbers[k]`` and has the rows ``own[k]``.
    """

    candidates: Sequence[Candidate]
    numbers: list[int]
    programs: list[Program]
    hides: list[bool]
    rows: list[list[int]]
    own: list[list[int]]

    @classmethod
    def of(cls, candidates: Sequence[Candidate], places: dict[str, TaskRows]) -> "_CandidateBatch":
        known: dict[Term, int] = {}
        batch = cls(candidates, [], [], [], [], [])
        for candidate in candidates:
            p = known.setdefault(candidate.program.output, len(batch.programs))
            if p == len(batch.programs):
                batch.programs.append(candidate.program)
                batch.hides.append("S" in candidate.program.reads)
                batch.rows.append([])
            place = places[candidate.task]
            own = [*place.samples, *(place.hidden if batch.hides[p] else ())]
            batch.rows[p] += own
            batch.numbers.append(p)
            batch.own.append(own)
        return batch

    def __iter__(self) -> Iterator[tuple[Candidate, int, list[int]]]:
        return zip(self.candidates, self.numbers, self.own, strict=True)


def _columned(samples: list[dict[str, Any]], device: str) -> Sequence[dict[str, Any]]:
    if not kind_of(device).compiled:
        return samples
    from arcloom.engine.samples import Samples  # imported here because importing the compiler takes time

    return Samples(samples)  # type: ignore[return-value]


def _output(results: Results, p: int, row: int, side: int) -> bytes | None:
    """The packed output grid; None if the program failed, or its output is not a grid of colours or is too large."""
    try:
        packed = results.packed(p, row)
    except (TypeError, ValueError, OverflowError):
        return None
    return packed if packed is not None and is_of_arc(packed, side) else None
