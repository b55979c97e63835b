"""Scoring of a stream of programs in batches, in this process or in others. Equal programs are scored once."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, islice
from typing import Any, TypeVar

from arcloom.dsl.declare import DEFAULT_BUDGET
from arcloom.program.term import Program
from arcloom.scoring.batch import NotText, Pairing, ProgramSource, Scorer
from arcloom.scoring.processes import Processes
from arcloom.scoring.result import Score, Scores, Settings
from arcloom.tasks import Dataset, Task

Entry = TypeVar("Entry")
Tasks = Dataset | Task | Iterable[Task]

BATCH, LARGEST = 512, 4096
"""Initial and maximum number of pairs in a batch. A large batch takes less time per pair, because common parts are
computed once; a small batch returns its first results sooner."""

REMEMBERED = 20_000
"""Maximum number of results in the cache for repeated programs."""


def score(
    programs: ProgramSource | Iterable[ProgramSource] | Iterable[Iterable[ProgramSource]],
    tasks: Tasks,
    *,
    device: str = "cpu",
    workers: int = 0,
    outputs: bool = False,
    budget: int = DEFAULT_BUDGET,
    near: bool = True,
) -> Scores:
    """Score programs on tasks, with one result for each pair, in order: all tasks for the first program, and so on.

    ``programs`` are texts or Programs: one list for all tasks, or a list of lists, one for each task in order. It may
    be an infinite iterator: the first results follow after ``BATCH`` pairs, later ones after at most ``LARGEST``. With
    ``outputs``, a result has the outputs for all samples, None where the program fails. Without ``near``, differs do
    not run: scoring is faster, and only solved samples count for the reward. ``workers`` is the number of processes;
    with 0, programs run in this process. Results do not depend on it.
    """
    chosen = _task_list(tasks)
    return score_pairs(_pairs(programs, chosen), chosen, Settings(device, budget, outputs, near), workers)


def score_pairs(pairs: Iterable[Pairing], tasks: Sequence[Task], settings: Settings, workers: int = 0) -> Scores:
    """Score pairs of a program and a task, in order. See ``score`` for the other parameters."""
    found = score_entries(_batches(pairs), lambda pair: pair, tasks, settings, workers)
    return Scores(result for _, result in found if result is not None)


def _batches(pairs: Iterable[Pairing]) -> Iterator[list[Pairing]]:
    """The pairs in batches whose size doubles from BATCH to LARGEST."""
    given, size = iter(pairs), BATCH
    while batch := list(islice(given, size)):
        yield batch
        size = min(2 * size, LARGEST)


def _task_list(tasks: Tasks) -> list[Task]:
    return [tasks] if isinstance(tasks, Task) else list(tasks)


def _pairs(programs: Any, tasks: list[Task]) -> Iterator[Pairing]:
    given = iter([programs] if isinstance(programs, str | Program) else programs)
    beginning = list(islice(given, 1))
    whole = chain(beginning, given)
    if not any(_is_list(first) for first in beginning):
        for index, source in enumerate(whole):
            yield from ((index, _checked(source), t) for t in range(len(tasks)))
        return
    index = 0
    for t, (sources, _) in enumerate(zip(whole, tasks, strict=True)):
        for source in sources if _is_list(sources) else [sources]:
            yield index, _checked(source), t
            index += 1


def _checked(source: Any) -> ProgramSource | NotText:
    return source if isinstance(source, str | Program) else NotText(type(source).__name__)


def _is_list(value: Any) -> bool:
    """Whether this is a list of programs, or an iterator of them."""
    return isinstance(value, Iterable) and not isinstance(value, str | bytes)


# Batches


Key = tuple[bytes, int]


def _key(source: Any, task: int) -> Key:
    """A key that is equal for programs and tasks with equal results."""
    if isinstance(source, str):
        text = source
    else:
        text = repr((source.digest, source.name, source.lines) if isinstance(source, Program) else source)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest(), task


class _Batch:
    """Programs that are scored together: ``fresh`` are those that must run, and ``found`` has the known results."""

    def __init__(self, given: list[Pairing], known: Mapping[Key, Score]) -> None:
        self.keys = [_key(source, task) for _, source, task in given]
        self.found = {key: known[key] for key in self.keys if key in known}
        self.given = given
        self.fresh: dict[Key, Pairing] = {}
        for key, pair in zip(self.keys, given, strict=True):
            if key not in self.found:
                self.fresh.setdefault(key, pair)

    def results(self, scored: list[Score]) -> Iterator[tuple[Key, Score]]:
        """The keys and results of all programs, given the results of the fresh ones."""
        self.found.update(zip(self.fresh, scored, strict=True))
        for key, (index, _, _) in zip(self.keys, self.given, strict=True):
            result = self.found[key]
            yield key, result if result.index == index else replace(result, index=index)


def score_entries(
    batches: Iterator[list[Entry]],
    given: Callable[[Entry], Pairing | None],
    tasks: Sequence[Task],
    settings: Settings,
    workers: int = 0,
) -> Iterator[tuple[Entry, Score | None]]:
    """All entries in order, each with the result of its program; None for entries without a program.

    Programs that are repeated soon are scored once. An empty batch is a flush: the results of all batches before it are
    returned before the next batch is taken.
    """
    known: OrderedDict[Key, Score] = OrderedDict()

    def prepared(entries: list[Entry]) -> tuple[list[tuple[Entry, Pairing | None]], _Batch]:
        pairs = [(entry, given(entry)) for entry in entries]
        return pairs, _Batch([pair for _, pair in pairs if pair is not None], known)

    with _mapper(tasks, settings, workers) as mapped:
        for (pairs, batch), scored in mapped(map(prepared, batches), lambda prepared: prepared[1].fresh.values()):
            results = batch.results(scored)
            for entry, pair in pairs:
                if pair is None:
                    yield entry, None
                    continue
                key, result = next(results)
                if not settings.outputs:  # outputs may be large
                    known[key] = result
                    known.move_to_end(key)
                yield entry, result
            while len(known) > REMEMBERED:
                known.popitem(last=False)


Mapper = Callable[[Iterator[Any], Callable[[Any], Collection[Pairing]]], Iterator[tuple[Any, list[Score]]]]


@contextmanager
def _mapper(tasks: Sequence[Task], settings: Settings, workers: int) -> Iterator[Mapper]:
    """Yields a function that scores batches in order, in this process or in others."""
    if workers > 0:
        with Processes(tasks, settings, workers) as processes:
            yield processes.map
        return
    scorer = Scorer(tasks, settings)
    yield lambda batches, fresh: ((batch, scorer(fresh(batch))) for batch in batches)
