"""Running shares on several threads, as tiles. Each thread has its own memory."""

import os
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from arcloom.dsl.signature import ROWS
from arcloom.dsl.values import Failure, Reason, fail
from arcloom.engine.columns import ConstantStore, Reader, Words
from arcloom.engine.machine import tiles
from arcloom.engine.memory import Memory, borrowed
from arcloom.engine.outputs import Chunk, Outputs, Rows, Segment
from arcloom.engine.plan import needed
from arcloom.engine.results import MAX_OUTPUT
from arcloom.engine.shares import Share, halves, shares_of, single_runs
from arcloom.engine.words import BITS, MASK
from arcloom.program.evaluate import last_line

if TYPE_CHECKING:
    from arcloom.engine.merged import MergedPrograms

SAMPLES = 16
"""Maximum number of samples of a tile, so that its columns fit a processor's cache."""

RUNS = 512
"""Number of program runs per call of compiled code, if there are enough."""

CALLS = 4
"""Minimum number of calls per thread, so that no thread is idle at the end."""


def in_tiles(rows: Sequence[Sequence[int]], programs: Sequence[int]) -> list[Share]:
    """The shares of a run, each with at most SAMPLES samples."""
    return [piece for share in shares_of(rows, programs) for piece in _cut(share)]


def _cut(share: Share) -> list[Share]:
    if len(share.samples) <= SAMPLES:
        return [share]
    pieces = -(-len(share.samples) // SAMPLES)
    return [Share(share.programs, piece) for piece in np.array_split(share.samples, pieces)]


def in_calls(shares: Sequence[Share], alone: set[int], runs: int = RUNS) -> Iterator[list[Share]]:
    """Group shares into calls of about ``runs`` runs. The output of a program in ``alone`` must be read before the next
    tile runs, so a share with such a program is a call by itself; these come last."""
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
class Work:
    """The data that the threads of a run have in common.

    ``large`` are programs for which memory did not suffice together with others or on several samples.
    """

    batt: "MergedPrograms"
    store: ConstantStore
    inputs: Words
    budget: int
    outputs: Outputs
    large: set[int] = field(default_factory=set)


class ThreadRunner:
    """Runs the tiles of a thread, in memory that is loaded with a batt."""

    def __init__(self, work: Work, memory: Memory) -> None:
        self.work = work
        self.memory = memory
        batt = work.batt
        stores = [store.contents() for store in (batt.planner.store, work.store)]
        memory.load(batt.tables, stores, batt.programs_table, batt.steps_table)

    def run(self, call: list[Share]) -> None:
        """Run shares as tiles. A share for which memory does not suffice is divided."""
        waiting = deque(self._calls(call))
        while waiting:
            shares = waiting.popleft()
            done, why, again = self._run(shares)
            rest = shares[done:]
            if rest and (why == tiles.NO_ROOM or not done):
                rest[:1] = self._divided(rest[0], why)
            waiting.extendleft(self._calls(rest))
            waiting.extend([share] for share in again)

    def _calls(self, shares: Sequence[Share]) -> list[list[Share]]:
        """The calls of shares, in which large programs run on one sample at a time."""
        parts = [part for share in shares for part in self._without_large(share)]
        return list(in_calls(parts, self.work.batt.alone))

    def _without_large(self, share: Share) -> list[Share]:
        large = self.work.large.intersection(share.programs)
        if not large or share.rows == 1:
            return [share]
        others = tuple([p for p in share.programs if p not in large])
        return [*([Share(others, share.samples)] if others else []), *single_runs(sorted(large), share.samples)]

    def _run(self, call: list[Share]) -> tuple[int, int, list[Share]]:
        """Run tiles in one call: how many could be run, why not all, and those that are to be run by themselves."""
        table = tiles.TILE.table(len(call))
        table["members_count"] = [len(share.programs) for share in call]
        table["samples_count"] = [len(share.samples) for share in call]
        table["group"] = _numbered([share.programs for share in call])
        for name, sizes in (
            ("members", table["members_count"]),
            ("samples", table["samples_count"]),
            ("out", table["members_count"] * table["samples_count"]),
        ):
            table[name] = np.cumsum(sizes) - sizes
        rows = sum([share.rows for share in call])
        words, lines = np.empty(rows, np.int64), np.empty(rows, np.int64)
        members = np.array([p for share in call for p in share.programs], np.int64)
        samples = np.concatenate([share.samples for share in call])
        inputs = self.work.inputs
        empty = np.empty(0, np.int8)
        job = tiles.TileJob(
            table.words, members, samples, inputs, 0, words, lines, empty, members, inputs.shape[1], 0
        )  # fmt: skip
        done, why = self.memory.run(self.work.budget, job, len(call))
        return done, why, self._keep(call[:done], Chunk(words, lines, self.memory.kept_cells))

    def _keep(self, call: list[Share], chunk: Chunk) -> list[Share]:
        """Keep the outputs of tiles. Outputs that are not grids can be read only if there is a single tile: programs
        that have such outputs are returned otherwise."""
        at = 0
        again = []
        segments, batt = self.work.outputs.segments, self.work.batt
        for programs, chosen in call:
            for member, p in enumerate(programs):
                end = at + len(chosen)
                others = tiles.OTHER in chunk.words[at:end] if p in batt.grids or p in batt.alone else False
                if others and len(call) > 1:
                    again.append(Share((p,), chosen))
                else:
                    if others:
                        self._read_others(chunk, p, member, at, chosen)
                    segments[p].append(Segment(chunk, at, chosen))
                at = end
        return again

    def _read_others(self, chunk: Chunk, p: int, member: int, at: int, samples: Words) -> None:
        """Decode the outputs of a program that are not grids. One with more than MAX_OUTPUT elements fails: because its
        parts may be shared, it can be much larger than its memory in the heap."""
        output = self.work.batt.traced[p].output
        others = np.flatnonzero(chunk.words[at : at + len(samples)] == tiles.OTHER)
        column = self.memory.column(member)
        for k in others.tolist():
            try:
                chunk.values[at + k] = self._value(column(k), output.type)
            except Failure as failure:
                line = last_line(self.work.batt.programs[p])
                self.work.outputs.set_failure(p, int(samples[k]), line, failure.reason)

    def _value(self, word: int, type: Any) -> Any:
        if type is ROWS:
            return self._rows(word)
        return Reader(self.memory.words, self.memory.cells, MAX_OUTPUT).value(word, type)

    def _rows(self, word: int) -> Rows:
        at = word >> BITS
        handles = self.memory.words[at : at + (word & MASK)]
        lengths = handles & MASK
        if lengths.sum() > MAX_OUTPUT:
            fail(Reason.BUDGET)
        return Rows(lengths, self.memory.words[_positions(handles >> BITS, lengths)])

    def _divided(self, share: Share, why: int) -> list[Share]:
        """Divide a share for which memory did not suffice: separate the programs that need the node at which it
        stopped, or divide it in halves. A single run fails."""
        if share.rows > 1:
            large = self._needing(self.memory.last_node, share.programs) if why == tiles.NO_ROOM else []
            self.work.large.update(large)
            return [share] if large else halves(share)
        (p,), sample = share.programs, int(share.samples[0])
        self.work.outputs.set_failure(p, sample, self.work.batt.traced[p].steps[-1][0], Reason.BUDGET)
        return []

    def _needing(self, node: int | None, programs: Sequence[int]) -> list[int]:
        """The programs that need the node of the batt with this number."""
        outputs = self.work.batt.outputs
        return [p for p in programs if any(each.number == node for each in needed(outputs(p)))]


def _numbered(groups: Sequence[tuple[int, ...]]) -> list[int]:
    """A number for each group of programs; equal neighbours have the same number."""
    number, numbers = 0, []
    for k, group in enumerate(groups):
        number += int(k > 0 and group is not groups[k - 1])
        numbers.append(number)
    return numbers


def _positions(starts: Words, sizes: Words) -> Words:
    """The concatenation of the ranges that begin at ``starts`` and have these sizes."""
    ends = np.cumsum(sizes)
    return np.repeat(starts - (ends - sizes), sizes) + np.arange(ends[-1] if len(ends) else 0)


_most_threads: int | None = None


def limit_threads(count: int | None) -> None:
    """Set the default number of threads of a run; None stands for one per core.

    Worker processes, of which there is one per core, use one thread.
    """
    global _most_threads
    _most_threads = count


def run_work(work: Work, shares: Sequence[Share], threads: int | None) -> None:
    """Run all shares, on several threads if there are enough."""
    workers = threads or _most_threads or os.cpu_count() or 1
    runs = sum([share.rows for share in shares]) // (CALLS * workers)
    waiting = deque(in_calls(shares, work.batt.alone, min(runs, RUNS)))
    errors: list[BaseException] = []

    def work_off() -> None:
        try:
            with borrowed() as memory:
                runner = ThreadRunner(work, memory)
                while waiting and not errors:
                    try:
                        call = waiting.popleft()
                    except IndexError:
                        break
                    runner.run(call)
        except BaseException as error:
            errors.append(error)

    count = min(workers, len(waiting))
    others = [threading.Thread(target=work_off, daemon=True) for _ in range(count - 1)]
    for other in others:
        other.start()
    work_off()
    for other in others:
        other.join()
    if errors:
        raise errors[0]
