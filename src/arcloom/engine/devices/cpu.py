"""The CPU: the machine's memory, and the compiled code that runs lanes in it."""

import ctypes
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import cache
from typing import Any, ClassVar

import numpy as np

from arcloom.engine import explore, machine
from arcloom.engine.columns import Cells, Words
from arcloom.engine.compile.call import entrance
from arcloom.engine.compile.library import LIBRARY
from arcloom.engine.devices.profile import KernelProfile
from arcloom.engine.tables import Tables

WORDS = 1 << 26
CELLS = 1 << 28
COLUMNS = 1 << 26
KEPT = 1 << 26
"""The capacity of a worker's heaps, of its columns and of the outputs of one call: 512 MiB of words, 256 MiB of cells,
512 MiB and 64 MiB, of which only what is used takes memory."""


@cache
def _clock() -> int:
    """The address of the C library's clock; zero where there is none, and then kernels are not timed."""
    try:
        return ctypes.cast(ctypes.CDLL(None).clock_gettime, ctypes.c_void_p).value or 0
    except (OSError, AttributeError):
        return 0


def _keep_memory() -> None:
    """Have the C library keep freed memory: outputs come and go, and fresh pages cost more than to write to them."""
    trim_threshold, mmap_threshold, most = -1, -3, 1 << 30
    try:
        library = ctypes.CDLL(None)
        library.mallopt(mmap_threshold, most)
        library.mallopt(trim_threshold, most)
    except (OSError, AttributeError):  # another C library: only slower
        pass


_keep_memory()


class Cpu:
    """One worker's memory."""

    profile: ClassVar[KernelProfile | None] = None
    """Where all devices note what kernels take, while somebody wants to know."""

    def __init__(self) -> None:
        self.heap = np.empty(WORDS, np.int64)
        self.cells = np.empty(CELLS, np.int8)
        self.columns = np.empty(COLUMNS, np.int64)
        self.kept = np.empty(KEPT, np.int8)
        self._state = np.zeros(16, np.int64)
        self._orders = np.zeros(64, np.int64)
        self._time = np.zeros(2, np.int64)

    def load(self, tables: Tables, stores: Sequence[tuple[Words, Cells, int, int]]) -> None:
        """Get ready for a batt: its tables, and what stands at the bottom of the heaps."""
        for words, cells, words_at, cells_at in stores:
            self.heap[words_at : words_at + len(words)] = words
            self.cells[cells_at : cells_at + len(cells)] = cells
            self._bottom = words_at + len(words), cells_at + len(cells)
        self._columns_bottom = len(tables.constants)
        self.columns[: self._columns_bottom] = tables.constants
        self._kernels = list(tables.kernels)
        addresses = np.array([LIBRARY.address(kernel.name) for kernel in self._kernels], np.int64)
        self._times = np.zeros(3 * len(self._kernels), np.int64)
        self._state[machine.VISIT] = 0
        count, frames = len(tables.nodes), len(tables.frames)
        self._tables = (tables.nodes.reshape(-1), tables.links, tables.frames, addresses, self._times)
        self._own = (
            np.zeros(machine.OPENED * (frames // 2), np.int64),
            tables.places.copy(),
            np.zeros(count, np.int64),
            np.empty(2 * (count + len(tables.links)) + machine.LEVEL * frames + 64, np.int64),
        )

    def run(self, limit: int, *work: Any) -> tuple[int, int]:
        """Run lanes; how many could be run, and why not the others. See ``run_lanes`` for what it is given."""
        done = self._call(entrance("run_lanes"), limit, *work, self.kept)
        return done, int(self._state[machine.FULL])

    def explore(self, *work: Any) -> None:
        """Explore a task: see ``offers.explore`` for what it is given."""
        self._call(entrance("explore"), explore.BUDGET, *work)

    def _call(self, function: Any, limit: int, *work: Any) -> Any:
        state = self._state
        visit = state[machine.VISIT]
        state[:] = 0
        state[machine.VISIT] = visit
        state[machine.TOP], state[machine.CELLS_TOP] = self._bottom
        state[machine.COLUMNS], state[machine.LIMIT] = self._columns_bottom, limit
        state[machine.CAPACITY], state[machine.CELLS_CAPACITY] = len(self.heap), len(self.cells)
        state[machine.ROOM], state[machine.WORK] = len(self.columns), len(self._own[3])
        profile = self.profile
        state[machine.CLOCK] = 0 if profile is None else _clock()
        memory = (self.columns, self.heap, self.cells, state, self._orders, self._time)
        with nullcontext() if profile is None else profile.in_machine():
            result = function(*self._tables, *self._own, *memory, *work)
        if profile is not None:
            launched = zip(self._kernels, self._times.reshape(-1, 3).tolist(), strict=True)
            profile.note((kernel.name, calls, rows, ns / 1e9) for kernel, (calls, rows, ns) in launched if calls)
            self._times[:] = 0
        return result

    @property
    def kept_cells(self) -> Cells:
        """A copy of the cells that the last run kept."""
        return self.kept[: self._state[machine.KEPT]].copy()

    def column(self, node: int) -> Callable[[int], int]:
        """The words of a node of the root frame, by row, as the last lane left them."""
        at, step = (int(part) for part in self._own[1][2 * node : 2 * node + 2])
        return lambda row: int(self.columns[at + row * step])


_idle: list[Cpu] = []
"""Devices that nobody uses: their memory is used again."""


@contextmanager
def borrowed() -> Iterator[Cpu]:
    """A device of one's own, for a while."""
    device = _idle.pop() if _idle else Cpu()
    try:
        yield device
    finally:
        _idle.append(device)
