"""Scoring programs that nobody has looked at: programs and tasks in, one result for each pair of them out.

Nothing that a program contains or does raises an exception here, and no text is executed.
"""

import hashlib
import sys
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import chain, islice
from multiprocessing import get_context
from typing import Any

from arcloom.check import Case, Verdict, finding_of, is_grid, samples_of
from arcloom.dsl.declare import DEFAULT_BUDGET
from arcloom.engine.results import Results
from arcloom.engine.run import run
from arcloom.program.refusal import ParseError
from arcloom.program.term import Program
from arcloom.program.texts import as_solver, solver_in
from arcloom.tasks import Dataset, Task

Source = str | Program
Tasks = Dataset | Task | Iterable[Task]

BATCH = 512
"""Number of programs and tasks that run together."""

REMEMBERED = 20_000
"""Number of results that are kept for programs that come again."""

SOLVED_SHARE, NEAR_SHARE = 0.8, 0.2
"""Shares of a reward: of the samples that are solved, and of how near the outputs are."""

BEST = 1000


@dataclass(frozen=True)
class Score:
    """What a program is worth on a task.

    ``demonstrations`` and ``tests`` count the samples whose output is known. ``near`` is the mean over these of the
    differs' scores, from 0 to 1000; a sample without an output has 0. Unless the verdict is "right", ``reason`` says
    why, ``sample`` where, and ``line`` in which line of the text, if known.
    """

    index: int
    program: str
    task: str
    verdict: Verdict
    solved_demonstrations: int = 0
    demonstrations: int = 0
    solved_tests: int = 0
    tests: int = 0
    near: float = 0.0
    sample: str | None = None
    line: int | None = None
    reason: str = ""
    outputs: tuple[Any, ...] | None = None

    @property
    def reward(self) -> float:
        """A number from 0 to 1: 0.8 times the share of samples that are solved, plus 0.2 times ``near`` / 1000.

        It is 1 just where the verdict is "right", and 0 for a text that is no program or has no types.
        """
        if self.verdict is Verdict.RIGHT:
            return 1.0
        total = self.demonstrations + self.tests
        solved = self.solved_demonstrations + self.solved_tests
        return SOLVED_SHARE * solved / total + NEAR_SHARE * self.near / BEST if total else 0.0


class Scores(Iterator[Score]):
    """The results of ``score``, which are computed as they are asked for."""

    def __init__(self, results: Iterator[Score]) -> None:
        self._results = results

    def __next__(self) -> Score:
        return next(self._results)

    def to_pandas(self) -> Any:
        """The results that are left as a table, with a column for each field and one for the reward."""
        try:
            pandas = import_module("pandas")
        except ImportError:
            raise ImportError("to_pandas needs pandas: pip install pandas") from None
        rows = [{**vars(result), "verdict": str(result.verdict), "reward": result.reward} for result in self]
        return pandas.DataFrame(rows)


@dataclass(frozen=True)
class Settings:
    """How programs run."""

    device: str = "cpu"
    budget: int = DEFAULT_BUDGET
    outputs: bool = False


@dataclass(frozen=True)
class Pairing:
    """A program to be scored on a task. ``index`` is the position of the program among those that were given."""

    index: int
    source: Source
    task: Task


def score(
    programs: Source | Iterable[Source] | Iterable[Iterable[Source]],
    tasks: Tasks,
    *,
    device: str = "cpu",
    workers: int = 0,
    outputs: bool = False,
    budget: int = DEFAULT_BUDGET,
) -> Scores:
    """Score programs on tasks, one result for each pair, in order: all tasks for the first program, and so on.

    ``programs`` are texts or Programs: one list for all tasks, or a list of lists, one for each task in its order.
    They may come from an iterator without end: results follow after at most ``BATCH`` pairs. With ``outputs``, a result
    has the outputs for all samples, None where there is none. ``workers`` is the number of processes; with 0,
    everything runs in this one. Results do not depend on it.
    """
    settings = Settings(device, budget, outputs)
    return Scores(_scored(_pairings(programs, _task_list(tasks)), settings, workers))


def _task_list(tasks: Tasks) -> list[Task]:
    return [tasks] if isinstance(tasks, Task) else list(tasks)


def _pairings(programs: Any, tasks: list[Task]) -> Iterator[Pairing]:
    given = iter([programs] if isinstance(programs, str | Program) else programs)
    beginning = list(islice(given, 1))
    whole = chain(beginning, given)
    if not any(_is_list(first) for first in beginning):
        for index, source in enumerate(whole):
            yield from (Pairing(index, source, task) for task in tasks)
        return
    index = 0
    for sources, task in zip(whole, tasks, strict=True):
        for source in sources if _is_list(sources) else [sources]:
            yield Pairing(index, source, task)
            index += 1


def _is_list(value: Any) -> bool:
    """Whether this is a list of programs, or an iterator of them."""
    return isinstance(value, Iterable) and not isinstance(value, str | bytes)


# Batches


Key = tuple[bytes, int]


def _key(pairing: Pairing) -> Key:
    """What is equal for pairings with equal results."""
    source = pairing.source
    text = repr((source.digest, source.name, source.lines)) if isinstance(source, Program) else repr(source)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass")).digest(), id(pairing.task)


def _scored(pairings: Iterator[Pairing], settings: Settings, workers: int) -> Iterator[Score]:
    """The results of all pairings. Those that come again soon are scored once."""
    known: OrderedDict[Key, Score] = OrderedDict()
    with _mapper(workers) as mapped:
        batches = iter(lambda: list(islice(pairings, BATCH)), [])
        for batch, results in mapped(lambda batch: (_distinct(batch), settings), batches):
            found = dict(zip(map(_key, _distinct(batch)), results, strict=True))
            for pairing in batch:
                key = _key(pairing)
                result = known.get(key) or found[key]
                if not settings.outputs:  # which may be large
                    known[key] = result
                    known.move_to_end(key)
                yield replace(result, index=pairing.index)
            while len(known) > REMEMBERED:
                known.popitem(last=False)


def _distinct(batch: list[Pairing]) -> list[Pairing]:
    return list({_key(pairing): pairing for pairing in reversed(batch)}.values())[::-1]


Batch = list[Pairing]
Prepare = Callable[[Batch], tuple[Batch, Settings]]
Mapper = Callable[[Prepare, Iterator[Batch]], Iterator[tuple[Batch, list[Score]]]]


@contextmanager
def _mapper(workers: int) -> Iterator[Mapper]:
    """Scores batches in order: in this process, or in others."""
    if workers <= 0:
        yield lambda prepare, batches: ((batch, score_batch(*prepare(batch))) for batch in batches)
        return
    pool = ProcessPoolExecutor(workers, get_context("spawn"))
    try:
        yield lambda prepare, batches: _in_processes(pool, workers, prepare, batches)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _in_processes(
    pool: ProcessPoolExecutor, workers: int, prepare: Prepare, batches: Iterator[Batch]
) -> Iterator[tuple[Batch, list[Score]]]:
    """The results of batches, of which as many are under way as keep the processes busy."""
    waiting: deque[tuple[Batch, Future[list[Score]]]] = deque()
    for batch in batches:
        with _without_main():  # for the pool starts processes as it needs them
            waiting.append((batch, pool.submit(score_batch, *prepare(batch))))
        if len(waiting) > 2 * workers:
            first, future = waiting.popleft()
            yield first, future.result()
    while waiting:
        first, future = waiting.popleft()
        yield first, future.result()


@contextmanager
def _without_main() -> Iterator[None]:
    """Processes that are started within do not import the user's script again.

    They need nothing of it, and a script that does not test ``__name__`` would start processes in each of them.
    """
    main = sys.modules["__main__"]
    hidden: dict[str, Any] = {name: vars(main).pop(name) for name in ("__file__", "__spec__") if name in vars(main)}
    main.__spec__ = None
    try:
        yield
    finally:
        vars(main).update(hidden)


# One batch


def score_batch(pairings: Batch, settings: Settings) -> list[Score]:
    """The results of some pairings, which run together."""
    read = [_read(pairing) for pairing in pairings]
    cases = [(program, pairing.task) for program, pairing in zip(read, pairings, strict=True) if _is_program(program)]
    scored = iter(_run(cases, settings))  # type: ignore[arg-type]
    return [
        _unparsable(pairing, program) if isinstance(program, ParseError) else replace(next(scored), index=pairing.index)
        for program, pairing in zip(read, pairings, strict=True)
    ]


def _is_program(value: Program | ParseError) -> bool:
    return isinstance(value, Program)


def _read(pairing: Pairing) -> Program | ParseError:
    source = pairing.source
    if isinstance(source, Program):
        return as_solver(source)
    if not isinstance(source, str):
        return ParseError(f"a program is text, not {type(source).__name__}", file="<text>", line=1, column=1, text="")
    return solver_in(source, pairing.task.id)


def _unparsable(pairing: Pairing, error: ParseError) -> Score:
    known = _known(pairing.task)
    return Score(
        pairing.index, "", pairing.task.id, Verdict.UNPARSABLE, 0, len(known[0]), 0, len(known[1]),
        line=error.line, reason=error.message,
    )  # fmt: skip


def _known(task: Task) -> tuple[list[int], list[int]]:
    """The positions of samples whose output is known: of demonstrations and of tests."""
    positions = [k for k, pair in enumerate(task.samples) if pair.output is not None]
    return [k for k in positions if k < len(task.train)], [k for k in positions if k >= len(task.train)]


def _run(cases: list[Case], settings: Settings) -> list[Score]:
    """The results of programs on their tasks. If running them together is not possible, each runs by itself."""
    if not cases:
        return []
    try:
        return _run_together(cases, settings)
    except Exception as error:
        if len(cases) == 1:
            [(program, task)] = cases
            return [Score(0, program.name, task.id, Verdict.FAILING, reason=f"it could not be run: {error}")]
    return [result for case in cases for result in _run([case], settings)]


def _run_together(cases: list[Case], settings: Settings) -> list[Score]:
    samples, rows = samples_of(cases)
    programs = [program for program, _ in cases]
    results = run(programs, samples, device=settings.device, rows=rows, budget=settings.budget)
    near = _nearness(results, cases, rows)
    return [_score(results, p, task, rows[p], near[p], outputs=settings.outputs) for p, (_, task) in enumerate(cases)]


def _score(results: Results, p: int, task: Task, rows: range, near: list[float], *, outputs: bool) -> Score:
    finding = finding_of(results, p, task, rows)
    known = _known(task)
    solved = [sum(near[k] == BEST and _solves(results, p, task, rows, k) for k in part) for part in known]
    count = len(known[0]) + len(known[1])
    return Score(
        0, finding.program, task.id, finding.verdict, solved[0], len(known[0]), solved[1], len(known[1]),
        near=round(sum(near) / count, 3) if count else 0.0,
        sample=finding.sample,
        line=finding.line,
        reason=finding.message,
        outputs=tuple(results.output(p, row) for row in rows) if outputs else None,
    )  # fmt: skip


def _solves(results: Results, p: int, task: Task, rows: range, k: int) -> bool:
    return bool(results.output(p, rows[k]) == task.samples[k].output)


def _nearness(results: Results, cases: list[Case], rows: list[range]) -> list[list[float]]:
    """The mean score that the differs give each output of each program; 0 where there is no grid."""
    from arcloom.search.loop.differs import (  # here, because reading the differs takes its time
        Comparison,
        Judge,
        bundled,
    )
    from arcloom.tasks.packed import is_of_arc, pack
    from arcloom.tasks.task import SIDE_MAX

    judge = Judge(bundled())
    comparisons: dict[tuple[int, int], Comparison] = {}
    near = [[0.0] * len(part) for part in rows]
    for p, (_, task) in enumerate(cases):
        shown = tuple((pair.input, pair.output) for pair in task.train)
        for k, pair in enumerate(task.samples):
            output = results.output(p, rows[p][k]) if pair.output is not None else None
            if output is None:
                continue
            if output == pair.output:
                near[p][k] = BEST
                continue
            packed = pack(output) if is_grid(output) else None
            if packed is not None and is_of_arc(packed, max(SIDE_MAX, task.max_side)):
                comparisons[p, k] = Comparison(pair.input, shown, packed, pair.output)
    for (p, k), profile in zip(comparisons, judge.profiles(list(comparisons.values())), strict=True):
        near[p][k] = sum(profile) / len(profile)
    return near
