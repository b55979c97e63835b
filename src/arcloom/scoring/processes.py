"""Scoring batches in processes of their own. One that dies takes no more with it than the program that ended it."""

import gc
import signal
import sys
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context
from types import TracebackType
from typing import Any, Self, TypeVar

from arcloom.check import Verdict
from arcloom.scoring.batch import Pairing, Scorer
from arcloom.scoring.result import Score, Settings
from arcloom.tasks import Task

Batch = TypeVar("Batch")

COLLECTED = 16
"""Number of batches after which a worker process looks for cycles in memory. A batch leaves few of them."""

_scorer: Scorer | None = None
"""The scorer of a worker process."""

_batches = 0
"""The number of batches that a worker process has scored."""


def _begin(tasks: Sequence[Task], settings: Settings) -> None:
    """Prepare a process, which leaves it to its parent to stop it."""
    global _scorer
    from arcloom.engine.work import limit_threads

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_threads(1)
    _scorer = Scorer(tasks, settings)
    gc.collect()
    gc.freeze()
    gc.disable()


def _score(given: list[Pairing]) -> list[Score]:
    global _batches
    assert _scorer is not None
    results = _scorer(given)
    _batches += 1
    if _batches % COLLECTED == 0:
        gc.collect()
    return results


class Processes:
    """Processes that score batches: a context manager."""

    def __init__(self, tasks: Sequence[Task], settings: Settings, workers: int) -> None:
        self.tasks, self.settings, self.workers = tasks, settings, workers
        self._pool = self._started()

    def _started(self) -> ProcessPoolExecutor:
        given = (list(self.tasks), self.settings)
        return ProcessPoolExecutor(self.workers, get_context("spawn"), initializer=_begin, initargs=given)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    def map(
        self, batches: Iterator[Batch], given: Callable[[Batch], Collection[Pairing]]
    ) -> Iterator[tuple[Batch, list[Score]]]:
        """The results of batches in order, of which as many are under way as keep the processes busy.

        With a batch of which nothing has to run, nothing is kept waiting.
        """
        waiting: deque[tuple[Batch, list[Pairing], Future[list[Score]] | None]] = deque()
        for batch in batches:
            chosen = list(given(batch))
            if chosen:
                waiting.append((batch, chosen, self._submitted(chosen)))
            while waiting and (not chosen or len(waiting) > 2 * self.workers):
                first, pairs, future = waiting.popleft()
                yield first, self._result(pairs, future)
            if not chosen:
                yield batch, []
        for first, pairs, future in waiting:
            yield first, self._result(pairs, future)

    def _result(self, given: list[Pairing], future: Future[list[Score]] | None) -> list[Score]:
        try:
            return self.score(given) if future is None else future.result()
        except BrokenProcessPool:
            return self.score(given)

    def _submitted(self, given: list[Pairing]) -> Future[list[Score]] | None:
        """The results to come; None if the processes have ended."""
        try:
            with _without_main():  # for the pool starts processes as it needs them
                return self._pool.submit(_score, given)
        except BrokenProcessPool:
            return None

    def score(self, given: list[Pairing]) -> list[Score]:
        """The results of one batch. If a process ends, halves of it are tried, down to single programs."""
        for _ in range(2):  # the first time, something else may have ended the processes
            try:
                with _without_main():
                    return self._pool.submit(_score, given).result()
            except BrokenProcessPool:
                self._pool.shutdown(wait=True, cancel_futures=True)
                self._pool = self._started()
        if len(given) > 1:
            half = len(given) // 2
            return self.score(given[:half]) + self.score(given[half:])
        return [self._ended(*pair) for pair in given]

    def _ended(self, index: int, source: object, task: int) -> Score:
        reason = "it could not be run: the process that ran it ended"
        return Score(index, "", self.tasks[task].id, Verdict.FAILING, reason=reason)


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
