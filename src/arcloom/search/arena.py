"""Running a generation: all candidates of all tasks in one batt, each on the samples of its own task."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from arcloom.dsl.declare import DEFAULT_BUDGET
from arcloom.engine.results import Results
from arcloom.engine.run import run
from arcloom.program.term import Program, Term
from arcloom.search.candidate import Candidate, Evaluated
from arcloom.search.differs import Comparison, Judge
from arcloom.search.packed import pack
from arcloom.stopwatch import Stopwatch
from arcloom.tasks.task import Task

REMEMBERED = 500_000
"""So many scores are remembered, so that an output that comes again need not be scored again."""

Profile = tuple[int, ...]


@dataclass(frozen=True)
class Place:
    """Where a task's samples are among all: demonstrations, tests, and demonstrations that are not shown in ``S``."""

    demonstrations: range
    tests: range
    hidden: range

    @property
    def samples(self) -> range:
        """Demonstrations and tests."""
        return range(self.demonstrations.start, self.tests.stop)


class Arena:
    """The samples of all tasks, encoded once, and the judge of what comes out."""

    def __init__(
        self,
        tasks: Sequence[Task],
        judge: Judge,
        *,
        device: str = "cpu",
        budget: int = DEFAULT_BUDGET,
        stopwatch: Stopwatch | None = None,
    ) -> None:
        self.judge = judge
        self.device = device
        self.budget = budget
        self.stopwatch = stopwatch or Stopwatch()
        self.samples: list[dict[str, Any]] = []
        self.targets: dict[int, bytes | None] = {}
        self.places = {task.id: self._placed(task) for task in tasks}
        self._columns = _columned(self.samples, device)
        self._profiles: dict[tuple[int, bytes], Profile] = {}

    def _placed(self, task: Task) -> Place:
        shown = tuple((pair.input, pair.output) for pair in task.train)
        start = len(self.samples)
        self.samples += [{"I": pair.input, "S": shown, "C": pair.input} for pair in task.samples]
        tests, hidden = start + len(task.train), start + len(task.samples)
        if len(shown) > 1:
            for k, pair in enumerate(task.train):
                self.samples.append({"I": pair.input, "S": shown[:k] + shown[k + 1 :], "C": pair.input})
        place = Place(range(start, tests), range(tests, hidden), range(hidden, len(self.samples)))
        for rows in (place.demonstrations, place.hidden):
            self.targets.update((row, pack(pair.output)) for row, pair in zip(rows, task.train, strict=False))
        return place

    def evaluate(self, candidates: Sequence[Candidate]) -> list[Evaluated]:
        """What the candidates are worth; those that have no types are left out. Nothing depends on test outputs."""
        with self.stopwatch.section("running"):
            batch = _Batch.of(candidates, self.places)
            results = run(batch.programs, self._columns, device=self.device, rows=batch.rows, budget=self.budget)
            self.stopwatch.move("tracing and merging", results.seconds["trace"])
        with self.stopwatch.section("reading outputs"):
            ran = [_Ran(candidate, p, _outputs(results, p, rows)) for candidate, p, rows in batch if rows_of(results, p)]
        with self.stopwatch.section("scoring"):
            self._score(ran)
            return [self._evaluated(each, batch.hides[each.program]) for each in ran]

    def _score(self, ran: "Sequence[_Ran]") -> None:
        """Find the profiles of all outputs that are new."""
        if len(self._profiles) > REMEMBERED:
            self._profiles.clear()
        new: dict[tuple[int, bytes], None] = {}
        for each in ran:
            for row, output in each.outputs.items():
                if output is not None and row in self.targets and (row, output) not in self._profiles:
                    if output == self.targets[row]:
                        self._profiles[row, output] = self.judge.perfect
                    else:
                        new[row, output] = None
        profiles = self.judge.profiles([self._comparison(row, output) for row, output in new])
        self._profiles.update(zip(new, profiles, strict=True))

    def _comparison(self, row: int, output: bytes) -> Comparison:
        sample = self.samples[row]
        return Comparison(sample["I"], sample["S"], output, self._target(row))

    def _target(self, row: int) -> Any:
        from arcloom.search.packed import unpack

        target = self.targets[row]
        assert target is not None
        return unpack(target)

    def _evaluated(self, ran: "_Ran", hides: bool) -> Evaluated:
        place = self.places[ran.candidate.task]
        judged = place.hidden if hides and place.hidden else place.demonstrations
        profiles = [self._profile(row, ran.outputs[row]) for row in judged]
        profile = tuple(sum(column) // len(profiles) for column in zip(*profiles, strict=True))
        held_out = sum(ran.outputs[row] == self.targets[row] for row in judged) / len(judged)
        solved = held_out > 0 and all(ran.outputs[row] == self.targets[row] for row in place.demonstrations)
        outputs = tuple([ran.outputs[row] for row in place.samples])
        score = sum(profile) // max(len(profile), 1)
        return Evaluated(ran.candidate, outputs, profile, score, solved, held_out, len(ran.candidate.program))

    def _profile(self, row: int, output: bytes | None) -> Profile:
        return self.judge.none if output is None else self._profiles[row, output]


@dataclass(frozen=True)
class _Ran:
    candidate: Candidate
    program: int
    outputs: dict[int, bytes | None]


@dataclass(frozen=True)
class _Batch:
    """Candidates by program: one that is tried on many tasks is one program of the batt."""

    candidates: Sequence[Candidate]
    numbers: list[int]
    programs: list[Program]
    hides: list[bool]
    rows: list[list[int]]
    own: list[list[int]]

    @classmethod
    def of(cls, candidates: Sequence[Candidate], places: dict[str, Place]) -> "_Batch":
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


def rows_of(results: Results, p: int) -> Sequence[int]:
    """The rows that a program ran on: none if it has no types."""
    return results.rows[p]


def _columned(samples: list[dict[str, Any]], device: str) -> Sequence[dict[str, Any]]:
    if device == "reference":
        return samples
    from arcloom.engine.samples import Samples  # here, because importing the compiler takes its time

    return Samples(samples)  # type: ignore[return-value]


def _outputs(results: Results, p: int, rows: list[int]) -> dict[int, bytes | None]:
    return {row: _output(results, p, row) for row in rows}


def _output(results: Results, p: int, row: int) -> bytes | None:
    """The packed grid, or None where the program failed or gives something else."""
    try:
        grid = results.grid(p, row)
    except (TypeError, ValueError, OverflowError):
        return None
    return None if grid is None else pack(grid)
