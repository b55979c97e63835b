"""Dividing a run among workers: lanes of programs and samples, some at a time on a worker's own device."""

import os
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from arcloom.dsl.signature import ROWS
from arcloom.dsl.values import Failure, Reason, fail
from arcloom.engine import lanes
from arcloom.engine.columns import Reader, Store, Words
from arcloom.engine.devices.cpu import Cpu, borrowed
from arcloom.engine.outputs import Chunk, Outputs, Rows, Stretch
from arcloom.engine.shares import Share, halves, shares_of
from arcloom.engine.words import BITS, MASK
from arcloom.program.evaluate import last_line

if TYPE_CHECKING:
    from arcloom.engine.batt import Batt

SAMPLES = 16
"""A lane has so many samples at most: its columns then fit a processor's cache."""

RUNS = 512
"""So many program runs make a call, if there are more lanes."""

CALLS = 4
"""Each worker has so many calls to make, so that all are busy to the end."""


def in_lanes(rows: Sequence[Sequence[int]], programs: Sequence[int]) -> list[Share]:
    """The work in lanes: programs with the same samples share one, long ones are cut."""
    return [piece for share in shares_of(rows, programs) for piece in _cut(share)]


def _cut(share: Share) -> list[Share]:
    if len(share.samples) <= SAMPLES:
        return [share]
    pieces = -(-len(share.samples) // SAMPLES)
    return [Share(share.programs, piece) for piece in np.array_split(share.samples, pieces)]


def in_calls(shares: Sequence[Share], alone: set[int], runs: int = RUNS) -> Iterator[list[Share]]:
    """Lanes that run in one call, of about so many runs. Those with programs whose outputs must be read before the next
    lane are calls by themselves, and come last."""
    call: list[Share] = []
    singles: list[Share] = []
    count = 0
    for share in shares:
        if not alone.isdisjoint(share.programs):
            singles.append(share)
            continue
        call.append(share)
        count += share.rows
        if count >= runs:
            yield call
            call, count = [], 0
    if call:
        yield call
    for share in singles:
        yield [share]


@dataclass(frozen=True)
class Job:
    """What all workers of a run share."""

    batt: "Batt"
    store: Store
    inputs: Words
    budget: int
    outputs: Outputs
    expected: Words


class Worker:
    """A device, and what it needs to run lanes of one batt."""

    def __init__(self, job: Job, device: Cpu) -> None:
        self.job = job
        self.device = device
        stores = (job.batt.planner.store, job.store)
        device.load(job.batt.tables, [store.contents() for store in stores])

    def run(self, call: list[Share]) -> None:
        """Run lanes. One for which there is no room is divided."""
        waiting = deque([call])
        while waiting:
            shares = waiting.popleft()
            done, why = self._run(shares)
            rest = shares[done:]
            if rest and (why == lanes.NO_ROOM or not done):
                rest[:1] = self._divided(rest[0])
            waiting.extendleft(in_calls(rest, self.job.batt.alone))

    def _run(self, call: list[Share]) -> tuple[int, int]:
        job, batt = self.job, self.job.batt
        members = np.array([p for share in call for p in share.programs], np.int64)
        samples = np.concatenate([share.samples for share in call])
        table = np.empty((len(call), 4), np.int64)
        table[:, lanes.MEMBERS] = [len(share.programs) for share in call]
        table[:, lanes.SIZE] = [len(share.samples) for share in call]
        table[:, lanes.PROGRAMS] = np.cumsum(table[:, lanes.MEMBERS]) - table[:, lanes.MEMBERS]
        table[:, lanes.SAMPLES] = np.cumsum(table[:, lanes.SIZE]) - table[:, lanes.SIZE]
        rows = int(table[:, lanes.MEMBERS] @ table[:, lanes.SIZE])
        words, lines, equal = np.empty(rows, np.int64), np.empty(rows, np.int64), np.empty(rows, np.bool_)
        done, why = self.device.run(
            job.budget, job.inputs, batt.input_numbers, batt.programs_table, batt.steps_table,
            members, samples, job.expected, table, words, lines, equal,
        )  # fmt: skip
        chunk = Chunk(words, lines, equal, self.device.kept_cells)
        at = 0
        stretches, alone = job.outputs.stretches, batt.alone
        for programs, chosen in call[:done]:
            for p in programs:
                if p in alone:
                    self._read_others(chunk, p, at, chosen)
                stretches[p].append(Stretch(chunk, at, chosen))
                at += len(chosen)
        return done, why

    def _read_others(self, chunk: Chunk, p: int, at: int, samples: Words) -> None:
        """Read those outputs of a program that are not grids. They share parts, so that an output can be much larger
        than the memory that it takes here. One with more elements than the budget allows fails."""
        output = self.job.batt.traced[p].output
        others = np.flatnonzero(chunk.words[at : at + len(samples)] == lanes.OTHER)
        column = self.device.column(output.number)
        for k in others.tolist():
            try:
                chunk.values[at + k] = self._value(column(k), output.type)
            except Failure as failure:
                line = last_line(self.job.batt.programs[p])
                self.job.outputs.set_failure(p, int(samples[k]), line, failure.reason)

    def _value(self, word: int, type: Any) -> Any:
        if type is ROWS:
            return self._rows(word)
        return Reader(self.device.heap, self.device.cells, self.job.budget).value(word, type)

    def _rows(self, word: int) -> Rows:
        at = word >> BITS
        handles = self.device.heap[at : at + (word & MASK)]
        lengths = handles & MASK
        if lengths.sum() > self.job.budget:
            fail(Reason.BUDGET)
        return Rows(lengths, self.device.heap[_positions(handles >> BITS, lengths)])

    def _divided(self, share: Share) -> list[Share]:
        """A lane in two halves. If it is one program on one sample, that fails: it needs more than the whole device."""
        if share.rows > 1:
            return [half for (half,) in halves((share,))]
        (p,), sample = share.programs, int(share.samples[0])
        self.job.outputs.set_failure(p, sample, self.job.batt.traced[p].steps[-1][0], Reason.BUDGET)
        return []


def _positions(starts: Words, sizes: Words) -> Words:
    """The positions of all stretches that begin at ``starts`` and have these sizes, one stretch after the other."""
    ends = np.cumsum(sizes)
    return np.repeat(starts - (ends - sizes), sizes) + np.arange(ends[-1] if len(ends) else 0)


_most_threads: int | None = None


def limit_threads(count: int | None) -> None:
    """Set the number of threads that a run uses unless it says otherwise; None stands for one per core.

    A process that shares the machine with others like it uses one.
    """
    global _most_threads
    _most_threads = count


def work(job: Job, shares: Sequence[Share], threads: int | None) -> None:
    """Run all lanes, on several threads where there is enough to do."""
    workers = threads or _most_threads or os.cpu_count() or 1
    runs = sum([share.rows for share in shares]) // (CALLS * workers)
    waiting = deque(in_calls(shares, job.batt.alone, min(runs, RUNS)))
    errors: list[BaseException] = []

    def labour() -> None:
        try:
            with borrowed() as device:
                worker = Worker(job, device)
                while waiting and not errors:
                    try:
                        call = waiting.popleft()
                    except IndexError:
                        break
                    worker.run(call)
        except BaseException as error:
            errors.append(error)

    count = min(workers, len(waiting))
    helpers = [threading.Thread(target=labour, daemon=True) for _ in range(count - 1)]
    for helper in helpers:
        helper.start()
    labour()
    for helper in helpers:
        helper.join()
    if errors:
        raise errors[0]
