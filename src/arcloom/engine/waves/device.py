"""What a device does for waves: it keeps words and cells, arranges columns and launches kernels, all in its own memory.

The operations are made of a few that each device has its own way to do: run an arrangement or a kernel over rows, scan,
write and read. Only ``load``, ``column``, ``host`` and ``cells_of`` move data; ``total`` reads a single word.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext

import numpy as np

from arcloom.engine.columns import Cells, Store, Words
from arcloom.engine.devices.base import HeapFull
from arcloom.engine.devices.evidence import Evidence
from arcloom.engine.kernel import Kernel
from arcloom.engine.wave_launchers import heaps_of
from arcloom.engine.waves.room import Column, Room, adjacent


class Device(ABC):
    """One place to run on, with a memory of its own. One thread uses it at a time."""

    def __init__(self, name: str, room: Room, evidence: Evidence) -> None:
        self.name = name
        self.room = room
        self.evidence = evidence
        self.row_bytes = 0.0
        """What an input takes, on average: it tells how heavy rows are."""
        self.needed = 0
        """How much room the last launch needed."""
        self.lost: str | None = None
        """Why it cannot be used any more in this process; None if it can."""
        self._constants: dict[int, int] = {}

    # What each device has its own way to do

    @abstractmethod
    def arrange(self, name: str, count: int, *numbers: int) -> None:
        """Run an arrangement for so many rows."""

    @abstractmethod
    def scan(self, start: int, count: int) -> None:
        """Replace so many numbers by the sums of those before each; the sum of all comes behind them."""

    @abstractmethod
    def run_kernel(self, kernel: Kernel, step: str, count: int, *numbers: int) -> None:
        """Run the "measure" or "fill" of a kernel for so many rows."""

    @abstractmethod
    def write(self, start: int, words: Words) -> None:
        """Move words here."""

    @abstractmethod
    def write_cells(self, start: int, cells: Cells) -> None:
        """Move cells here."""

    @abstractmethod
    def read(self, start: int, count: int) -> Words:
        """Words, moved to the host."""

    @abstractmethod
    def read_cells(self, start: int, count: int) -> Cells:
        """Cells, moved to the host."""

    def active(self) -> AbstractContextManager[object]:
        """Everything is done within this, in the thread that uses the device."""
        return nullcontext()

    def wave(self, rows: int) -> None:  # noqa: B027  (most devices have no choice to make)
        """Told before a group of so many rows runs."""

    @property
    def uuid(self) -> str | None:
        """The name that NVIDIA's management library has for it; None if it is no GPU."""
        return None

    def begin(self) -> None:
        """A run begins: what was done before does not count."""
        self.evidence = Evidence(self.evidence.device, self.evidence.clock)
        self.room.peak = [0, 0]

    def reports(self) -> list[Evidence]:
        """What it did since the run began."""
        self.evidence.peak_bytes = self.room.peak_bytes
        return [self.evidence]

    # What follows from it

    def load(self, stores: Sequence[Store], constants: Iterable[int]) -> None:
        """Put the contents of stores where they belong, and behind them the words of constants."""
        known = sorted(set(constants))
        top = max(store.words_at + len(store.words) for store in stores)
        cells_top = max(store.cells_at + len(store.cells) for store in stores)
        if top + len(known) > self.room.words or cells_top > self.room.cells:
            raise HeapFull
        for store in stores:
            self.write(store.words_at, np.array(store.words, np.int64))
            self.write_cells(store.cells_at, np.frombuffer(bytes(store.cells), np.int8))
        self._constants = {word: top + k for k, word in enumerate(known)}
        self.write(top, np.array(known, np.int64))
        self.room.settle(top + len(known), cells_top)

    def constant(self, word: int, count: int) -> Column:
        """A column that has the same word everywhere."""
        at = self._constants.get(word)
        if at is not None:
            return Column(at, count, 0)
        made = self.new(1)
        self.arrange("fill", 1, made.start, word)
        return Column(made.start, count, 0, made.block)

    def new(self, count: int) -> Column:
        """A column with no words yet. Raises HeapFull."""
        block = self.room.block(count)
        return Column(block.start, count, 1, block)

    def column(self, words: Words) -> Column:
        """A column with these words, from the host."""
        made = self.new(len(words))
        self.write(made.start, words)
        return made

    def host(self, column: Column) -> Words:
        """The column, moved to the host."""
        if not column.count:
            return np.empty(0, np.int64)
        if column.step:
            return self.read(column.start, column.count)
        return np.repeat(self.read(column.start, 1), column.count)

    def concat(self, columns: Sequence[Column]) -> Column:
        """The rows of all columns, one after the other."""
        pieces = adjacent(columns)
        if len(pieces) == 1:
            return pieces[0]
        counts = [piece.count for piece in pieces]
        made = self.new(sum(counts))
        if pieces:
            firsts = np.cumsum(counts) - counts
            entries = [(int(first), piece.start, piece.step) for first, piece in zip(firsts, pieces, strict=True)]
            table = self.column(np.array(entries, np.int64).reshape(-1))
            self.arrange("gather", made.count, table.start, len(pieces), made.start)
        return made

    def dense(self, column: Column) -> Column:
        """The column with a word for each row."""
        return column if column.step else self._made("copy", column)

    def _made(self, name: str, column: Column, *numbers: int) -> Column:
        """What an arrangement makes of each word of a column."""
        made = self.new(column.count)
        self.arrange(name, column.count, column.start, column.step, *numbers, made.start)
        return made

    def take(self, column: Column, rows: Column) -> Column:
        """These rows of a column."""
        if not column.step:
            return Column(column.start, rows.count, 0, column.block)
        made = self.new(rows.count)
        self.arrange("take", rows.count, column.start, column.step, rows.start, made.start)
        return made

    def put(self, column: Column, rows: Column, values: Column) -> None:
        """Write to these rows of a column."""
        self.arrange("put", rows.count, values.start, values.step, rows.start, column.start)

    def undecided(self, condition: Column) -> Column:
        """What a choice gives before it is made."""
        return self._made("undecided", condition)

    def scanned(self, name: str, column: Column, *numbers: int) -> Column:
        """The scan of what an arrangement makes of each word: one more number than there are rows."""
        made = self.new(column.count + 1)
        self.arrange(name, column.count, column.start, column.step, *numbers, made.start)
        self.scan(made.start, column.count)
        return made

    def total(self, positions: Column) -> int:
        """The sum of what was scanned."""
        return int(self.read(positions.start + positions.count - 1, 1)[0])

    def _counted(self, positions: Column) -> Column:
        """The numbers of the rows that have a one, from the scan of ones and zeros."""
        made = self.new(self.total(positions))
        if made.count:
            self.arrange("compact", positions.count - 1, positions.start, made.start)
        return made

    def rows_with(self, column: Column, word: int) -> Column:
        """The rows in which a column has this word."""
        return self._counted(self.scanned("matches", column, word))

    def expand(self, containers: Column, positions: Column, count: int) -> tuple[Column, Column]:
        """The ``count`` elements of all containers, and for each the row that its container is in."""
        elements, parents = self.new(count), self.new(count)
        places = (positions.start, containers.count, elements.start, parents.start)
        self.arrange("expand", count, containers.start, containers.step, *places)
        return elements, parents

    def within(self, limit: int, column: Column, positions: Column, roots: Column | None) -> Column:
        """The column, failed where a sample has more in all than the limit; ``positions`` are the scan of sizes."""
        known = -1 if roots is None else roots.start
        return self._made("beyond", column, positions.start, known, limit)

    # Loops

    def loop_state(self, times: Column, state: Column) -> Column:
        """What a loop begins with, in a column that can be written to."""
        made = self.new(state.count)
        self.arrange("begin", state.count, times.start, times.step, state.start, state.step, made.start)
        return made

    def first_turn(self, state: Column) -> Column:
        """The rows that a loop begins with."""
        return self._counted(self.scanned("valid", state))

    def next_turn(self, rows: Column, times: Column, turn: int, state: Column) -> Column:
        """Those of a loop's rows that go on after so many turns."""
        flags = self.new(rows.count + 1)
        self.arrange("going", rows.count, rows.start, times.start, times.step, turn, state.start, flags.start)
        self.scan(flags.start, rows.count)
        return self.take(rows, self._counted(flags))

    # Kernels

    def launch(self, kernel: Kernel, limit: int, types: Sequence[int], columns: Sequence[Column], count: int) -> Column:
        """The kernel's results for ``count`` rows. Raises HeapFull."""
        self.needed = 0
        out = self.new(count)
        if not count:
            return out
        positions = self.scanned("lengths", columns[0], 0) if kernel.reduces else None
        numbers = _numbers(kernel, limit, types, columns, positions)
        rooms = [self.new(count + 1) for _ in heaps_of(kernel)]
        starts = [room.start for room in rooms]
        tops = [*self._measured(kernel, count, numbers, rooms, out)] if rooms else []
        self.run_kernel(kernel, "fill", count, *numbers, *starts, *tops, out.start)
        return out

    def _measured(
        self, kernel: Kernel, count: int, numbers: Sequence[int], rooms: Sequence[Column], out: Column
    ) -> list[int]:
        """Find out how much room a kernel's rows need, and take it: where it begins in each heap of the kernel."""
        self.run_kernel(kernel, "measure", count, *numbers, *(room.start for room in rooms), out.start)
        totals = {"heap": 0, "cells": 0}
        for heap, room in zip(heaps_of(kernel), rooms, strict=True):
            self.scan(room.start, count)
            totals[heap] = self.total(room)
        self.needed = max(totals.values())
        top, cells_top = self.room.take(totals["heap"], totals["cells"])
        at = {"heap": top, "cells": cells_top}
        return [at[heap] for heap in heaps_of(kernel)]

    # Results

    def cells_of(self, grids: Column) -> tuple[Words, Cells]:
        """Grids moved to the host: words that tell where each is in the cells that come with them."""
        if not grids.count:
            return np.empty(0, np.int64), np.empty(0, np.int8)
        grids = self.dense(grids)
        positions = self.scanned("areas", grids, 0)
        moved = self.new(grids.count)
        self.arrange("moved_grids", grids.count, grids.start, positions.start, moved.start)
        count = self.total(positions)
        at = self.room.cells_top
        if at + count > self.room.cells:
            raise HeapFull
        if count:
            self.arrange("copy_cells", count, grids.start, positions.start, grids.count, at)
        return self.host(moved), self.read_cells(at, count)

    def blamed(self, outputs: Column, entries: Sequence[Sequence[tuple[int, Column]]], samples: int) -> Words:
        """The lines and reasons of failures, for programs by samples: see the arrangement ``blame``."""
        ends = np.cumsum([0, *map(len, entries)])
        listed = [(line, column.start, column.step) for program in entries for line, column in program]
        table = self.column(np.concatenate([ends, np.array(listed, np.int64).reshape(-1)]))
        made = self.new(outputs.count)
        places = (table.start, table.start + len(ends), samples, outputs.start, made.start)
        self.arrange("blame", outputs.count, *places)
        return self.host(made)


def _numbers(
    kernel: Kernel, limit: int, types: Sequence[int], columns: Sequence[Column], positions: Column | None
) -> list[int]:
    """What both steps of a kernel are given: see ``wave_launchers``."""
    places = [number for column in columns for number in (column.start, column.step)]
    return [limit, *types, *places, *([] if positions is None else [positions.start])]
