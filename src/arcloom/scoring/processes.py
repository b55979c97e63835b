"""Scoring of batches in worker processes. If a program ends its process, only this program is lost."""

import gc
import signal
import sys
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from types import TracebackType
from typing import Any, Self, TypeVar

from arcloom.check import Verdict
from arcloom.child import end_with
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
    """Initialise a worker process. It ignores Ctrl-C, because the parent stops it."""
    global _scorer
    from arcloom.engine.work import limit_threads

    parent = parent_process()
    assert parent is not None
    end_with(parent.sentinel)

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
    """A pool of processes that score batches. It is a context manager."""

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
        """The results of batches, in order. Batches are submitted ahead to keep the processes busy.

        A batch without programs to run first returns the results of all batches before it.
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
        """The future results of a batch; None if the processes have ended."""
        try:
            with _without_main():  # the pool may start processes here
                return self._pool.submit(_score, given)
        except BrokenProcessPool:
            return None

    def score(self, given: list[Pairing]) -> list[Score]:
        """The results of one batch. If a process ends, halves of the batch are tried, down to single programs."""
        for _ in range(2):  # in the first try, another batch may have ended the processes
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
    """Processes started in this context do not import the user's main script.

    They do not need it, and a script without an ``if __name__ == "__main__"`` guard would start further processes.
    """
    main = sys.modules["__main__"]
    hidden: dict[str, Any] = {name: vars(main).pop(name) for name in ("__file__", "__spec__") if name in vars(main)}
    main.__spec__ = None
    try:
        yield
    finally:
        vars(main).update(hidden)
