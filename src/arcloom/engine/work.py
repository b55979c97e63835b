"""Dividing a run among workers: batches of programs and samples, each run on a worker's own device."""

import os
import threading
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from arcloom.dsl.signature import ROWS
from arcloom.dsl.values import Reason
from arcloom.engine.blame import blame
from arcloom.engine.columns import Cells, Reader, Store, Words
from arcloom.engine.devices.base import HeapFull
from arcloom.engine.devices.cpu import FRAME_ROWS, Cpu
from arcloom.engine.execute import Executor
from arcloom.engine.lane import Lane
from arcloom.engine.outputs import Outputs, Part, Rows
from arcloom.engine.plan import Schedule, needed
from arcloom.engine.words import BITS, FAILED, LOWEST, MASK, SIDE_BITS, SIDE_MASK
from arcloom.program.graph import Frame

if TYPE_CHECKING:
    from arcloom.engine.batt import Batt

SAMPLES = 128
"""So many samples run at a time when all programs run on all of them."""

TRIAL = 16
"""So many samples show what programs need."""


@dataclass(frozen=True)
class Share:
    """Programs that run on the same samples."""

    programs: tuple[int, ...]
    samples: Words


Batch = tuple[Share, ...]
"""Shares that run together, each in a lane of its own."""


def in_batches(rows: Sequence[Sequence[int]], programs: Sequence[int]) -> list[Batch]:
    """The work in pieces: programs with the same samples share lanes, long lanes are cut."""
    by_rows: dict[tuple[int, ...] | int, list[int]] = defaultdict(list)
    keys: dict[int, tuple[int, ...]] = {}
    for p in programs:
        key = keys.setdefault(id(rows[p]), tuple(rows[p]))
        by_rows[key].append(p)
    shares = [Share(tuple(members), np.array(key, np.int64)) for key, members in by_rows.items() if key]
    return _together([piece for share in shares for piece in _cut_with_trial(share)])


def _cut(share: Share, limit: int) -> list[Share]:
    pieces = -(-len(share.samples) // limit)
    return [Share(share.programs, piece) for piece in np.array_split(share.samples, pieces)]


def _cut_with_trial(share: Share) -> list[Share]:
    """Pieces of a share: if there are several, a small one first, which shows what the programs need."""
    if len(share.samples) <= SAMPLES:
        return [share]
    trial, rest = share.samples[:TRIAL], share.samples[TRIAL:]
    return [Share(share.programs, trial), *_cut(Share(share.programs, rest), SAMPLES)]


def _together(shares: list[Share]) -> list[Batch]:
    """Small shares are put together until they make a launch worth its while."""
    batches: list[Batch] = []
    current: list[Share] = []
    weight = 0
    for share in shares:
        load = len(share.samples) * len(share.programs)
        if current and weight + load > TOGETHER:
            batches.append(tuple(current))
            current, weight = [], 0
        current.append(share)
        weight += load
    return [*batches, tuple(current)] if current else batches


TOGETHER = 4096
"""So many program runs in small shares make a batch."""


def _positions(starts: Words, sizes: Words) -> Words:
    """The positions of all stretches that begin at ``starts`` and have these sizes, one stretch after the other."""
    ends = np.cumsum(sizes)
    return np.repeat(starts - (ends - sizes), sizes) + np.arange(ends[-1] if len(ends) else 0)


class Worker:
    """A device, and what it needs to run batches of one batt. ``limits`` says how many samples heavy programs take."""

    def __init__(
        self,
        batt: "Batt",
        store: Store,
        columns: dict[str, Words],
        budget: int,
        device: Cpu,
        limits: dict[int, int],
        expected: Words | None,
    ) -> None:
        self.batt = batt
        self.columns = columns
        self.device = device
        for part in (batt.planner.store, store):
            cells: Cells = np.frombuffer(bytes(part.cells), np.int8)
            device.load(np.array(part.words, np.int64), cells, part.words_at, part.cells_at)
        self.executor = Executor(device, batt.planner, budget)
        self.limits = limits
        self.expected = expected
        self._schedules: dict[tuple[tuple[int, ...], ...], Schedule] = {}

    def run(self, batch: Batch, outputs: Outputs) -> None:
        """Run a batch. Programs for which the device has no room then run on fewer samples at a time."""
        for piece in self._fitting(batch):
            try:
                self.device.reset()
                self._run(piece, outputs)
            except HeapFull as full:
                for part in self._smaller(piece, full, outputs):
                    self.run(part, outputs)

    def _fitting(self, batch: Batch) -> list[Batch]:
        """The batch, with programs that are known to be heavy apart and on no more samples than they can take."""
        pieces: list[Batch] = []
        rest: list[Share] = []
        for share in batch:
            by_limit: dict[int, list[int]] = defaultdict(list)
            for p in share.programs:
                by_limit[min(self.limits.get(p, len(share.samples)), len(share.samples))].append(p)
            for limit, programs in by_limit.items():
                if limit == len(share.samples):
                    rest.append(Share(tuple(programs), share.samples))
                else:
                    pieces += [(piece,) for piece in _cut(Share(tuple(programs), share.samples), limit)]
        return [*pieces, tuple(rest)] if rest else pieces

    def _smaller(self, batch: Batch, full: HeapFull, outputs: Outputs) -> list[Batch]:
        """The parts of a batch that did not fit: what needs the culprit, and the rest."""
        heavy = {p for share in batch for p in share.programs if self._needs(p, full)}
        if len(batch) > 1:
            light = tuple(share for share in batch if not heavy & set(share.programs))
            loaded = [(share,) for share in batch if heavy & set(share.programs)]
            return [light, *loaded] if light else [batch[: len(batch) // 2], batch[len(batch) // 2 :]]
        (share,) = batch
        if heavy < set(share.programs):
            groups = [tuple(p for p in share.programs if (p in heavy) is side) for side in (False, True)]
            return [(Share(programs, share.samples),) for programs in groups]
        if len(share.samples) > 1:
            self.limits.update(dict.fromkeys(heavy, max(1, len(share.samples) // (2 if full.culprit is None else 4))))
            return [batch]
        if len(share.programs) > 1:
            return [(Share((p,), share.samples),) for p in share.programs]
        self._too_large(share, outputs)
        return []

    def _needs(self, p: int, full: HeapFull) -> bool:
        return full.culprit is None or full.culprit in self._frames(p)

    def _frames(self, p: int) -> set[Frame]:
        """The frames that a program's nodes live in."""
        return {node.frame for node in needed(self.batt.outputs(p), bodies=True)}

    def _run(self, batch: Batch, outputs: Outputs) -> None:
        lanes = [self._lane(share) for share in batch]
        self.executor.run(self._schedule(batch), lanes)
        for share, lane in zip(batch, lanes, strict=True):
            for p in share.programs:
                outputs.parts[p].append(self._part(p, share, lane))
        if len(batch) == 1:
            self._learn(batch[0], lanes[0])

    def _learn(self, share: Share, lane: Lane) -> None:
        """Note the programs that will need fewer samples at a time, from how many rows their frames had for these."""
        rates = {frame: count / len(share.samples) for frame, count in lane.most.items()}
        heavy = {frame: rate for frame, rate in rates.items() if rate * SAMPLES > FRAME_ROWS / 2}
        for p in share.programs if heavy else ():
            inner = self._frames(p)
            worst = max((rate for frame, rate in heavy.items() if frame in inner), default=0)
            if worst:
                self.limits[p] = min(self.limits.get(p, SAMPLES), max(1, int(FRAME_ROWS / 2 / worst)))

    def _lane(self, share: Share) -> Lane:
        lane = Lane(self.device, self.batt.planner, self.batt.graph.root, len(share.samples), self.executor.limit)
        for node in self.batt.input_nodes:
            lane.values[node] = self.device.column(self.columns[node.data][share.samples])
        return lane

    def _schedule(self, batch: Batch) -> Schedule:
        key = tuple(share.programs for share in batch)
        found = self._schedules.get(key)
        if found is None:
            lanes = [[node for p in programs for node in self.batt.outputs(p)] for programs in key]
            found = self._schedules[key] = Schedule(self.batt.planner, lanes)
        return found

    def _part(self, p: int, share: Share, lane: Lane) -> Part:
        traced = self.batt.traced[p]
        root = self.batt.graph.root
        words = self.device.host(lane.column(traced.output, root))
        grids = self.device.host(lane.column(self.batt.grids.get(p, traced.output), root))
        failed = words < LOWEST
        lines, reasons = blame(traced, lane) if failed.any() else (words[:0], words[:0])
        if traced.output.type.kind == "grid" or p in self.batt.grids:
            kept, cells = self._kept_grids(grids)
            other = np.flatnonzero(~failed & (grids < LOWEST))
        else:
            kept, cells = np.where(failed, FAILED, 0), np.empty(0, np.int8)
            other = np.flatnonzero(~failed)
        values = self._values(words, other, traced.output.type)
        return Part(share.samples, kept, cells, values, lines, reasons, self._equal(grids, share))

    def _equal(self, grids: Words, share: Share) -> Words:
        """Where a column of grids is what is expected of it, compared on the device."""
        if self.expected is None:
            return grids[:0]
        wanted = self.device.column(self.expected[share.samples])
        launch = self.batt.planner.equality
        return self.device.host(
            self.device.launch(launch.kernel, self.executor.limit, launch.types, [grids, wanted], len(grids))
        )

    def _kept_grids(self, words: Words) -> tuple[Words, Cells]:
        """The grids copied out of the heap, which will be used again."""
        heights, widths = (words >> SIDE_BITS) & SIDE_MASK, words & SIDE_MASK
        ok = words >= LOWEST
        sizes = np.where(ok, heights * widths, 0)
        starts = np.where(ok, words >> (2 * SIDE_BITS), 0)
        kept = ((np.cumsum(sizes) - sizes) << (2 * SIDE_BITS)) | (words & ((1 << (2 * SIDE_BITS)) - 1))
        return np.where(ok, kept, FAILED), self.device.cells[_positions(starts, sizes)]

    def _values(self, words: Words, rows: Words, type: Any) -> dict[int, Any]:
        if type is ROWS:
            return {int(k): self._kept_rows(int(words[k])) for k in rows}
        reader = Reader(self.device.heap, self.device.cells)
        return {int(k): reader.value(int(words[k]), type) for k in rows}

    def _kept_rows(self, word: int) -> Rows:
        at = word >> BITS
        handles = self.device.heap[at : at + (word & MASK)]
        lengths = handles & MASK
        return Rows(lengths, self.device.heap[_positions(handles >> BITS, lengths)])

    def _too_large(self, share: Share, outputs: Outputs) -> None:
        """One program on one sample needs more than the whole device: the row fails."""
        (p,), sample = share.programs, int(share.samples[0])
        outputs.set_failure(p, sample, self.batt.traced[p].steps[-1].line, Reason.BUDGET)


_idle: list[Cpu] = []
"""Devices of earlier runs: their memory is used again."""


def work(
    batt: "Batt",
    batches: list[Batch],
    store: Store,
    columns: dict[str, Words],
    budget: int,
    outputs: Outputs,
    threads: int | None,
    expected: Words | None,
) -> None:
    """Run all batches, on several threads where there is enough to do."""
    waiting = deque(batches)
    limits: dict[int, int] = {}
    errors: list[BaseException] = []

    def labour() -> None:
        device = _idle.pop() if _idle else Cpu()
        try:
            worker = Worker(batt, store, columns, budget, device, limits, expected)
            while waiting and not errors:
                try:
                    batch = waiting.popleft()
                except IndexError:
                    break
                worker.run(batch, outputs)
        except BaseException as error:
            errors.append(error)
        finally:
            _idle.append(device)

    count = min(threads or os.cpu_count() or 1, len(batches))
    helpers = [threading.Thread(target=labour, daemon=True) for _ in range(count - 1)]
    for helper in helpers:
        helper.start()
    labour()
    for helper in helpers:
        helper.join()
    if errors:
        raise errors[0]
