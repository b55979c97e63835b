"""The CPU: columns are NumPy arrays, launchers are compiled loops that release the GIL."""

import ctypes
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from arcloom.engine.columns import Cells, Words
from arcloom.engine.devices.base import HeapFull
from arcloom.engine.kernel import Kernel
from arcloom.engine.launchers import Launcher, expander, launcher
from arcloom.engine.words import LOWEST, MASK

WORDS = 1 << 26
CELLS = 1 << 28
"""The capacity of a device's heaps: 512 MiB of words and 256 MiB of cells, of which only what is used takes memory."""

FRAME_ROWS = 1 << 20
"""No frame may have more rows in one batch: a column of them takes 8 MiB."""


@dataclass
class KernelTime:
    """What the launches of one kernel took."""

    calls: int = 0
    rows: int = 0
    seconds: float = 0.0


def _keep_memory() -> None:
    """Have the C library keep freed memory: columns come and go, and fresh pages cost more than work in them."""
    trim_threshold, mmap_threshold, most = -1, -3, 1 << 30
    try:
        library = ctypes.CDLL(None)
        library.mallopt(mmap_threshold, most)
        library.mallopt(trim_threshold, most)
    except (OSError, AttributeError):  # another C library: only slower
        pass


_keep_memory()


class Cpu:
    """One worker's heaps and columns."""

    profile: ClassVar[dict[str, KernelTime] | None] = None
    """Where all devices note what kernels take, while somebody wants to know. It is for one thread."""

    def __init__(self, words: int = WORDS, cells: int = CELLS) -> None:
        self.heap = np.empty(words, np.int64)
        self.cells = np.empty(cells, np.int8)
        self._bottom = (0, 0)
        self._state = np.zeros(4, np.int64)
        self._full: dict[int, Words] = {}

    def load(self, words: Words, cells: Cells, words_at: int = 0, cells_at: int = 0) -> None:
        self.heap[words_at : words_at + len(words)] = words
        self.cells[cells_at : cells_at + len(cells)] = cells
        self._bottom = (words_at + len(words), cells_at + len(cells))
        self.reset()

    def reset(self) -> None:
        self._state[:2] = self._bottom
        self._full.clear()

    @property
    def used(self) -> float:
        """The share of the fuller heap that is in use."""
        return float(max(self._state[0] / len(self.heap), self._state[1] / len(self.cells)))

    def column(self, words: Words) -> Words:
        return words

    def full(self, count: int, word: int) -> Words:
        found = self._full.get(word)
        if found is None or len(found) < count:
            found = self._full[word] = np.full(count, word, np.int64)
        return found[:count]

    def concat(self, columns: Sequence[Words]) -> Words:
        return columns[0] if len(columns) == 1 else np.concatenate(columns)

    def take(self, column: Words, rows: Words) -> Words:
        return column[rows]

    def put(self, column: Words, rows: Words, values: Words) -> None:
        column[rows] = values

    def rows_with(self, column: Words, word: int) -> Words:
        return np.flatnonzero(column == word)

    def expand(self, containers: Words) -> tuple[Words, Words]:
        count = int((containers & MASK)[containers >= LOWEST].sum())
        if count > FRAME_ROWS:
            raise HeapFull
        elements, parents = np.empty(count, np.int64), np.empty(count, np.int64)
        self._noted("expand", count, expander())(self.heap, containers, elements, parents)
        return elements, parents

    def launch(self, kernel: Kernel, limit: int, types: Sequence[int], columns: Sequence[Words], count: int) -> Words:
        out = np.empty(count, np.int64)
        self._state[2:] = 0
        launch = self._noted(kernel.name, count, launcher(kernel))
        launch(self.heap, self.cells, self._state, limit, *types, *columns, out)
        if self._state[2]:
            raise HeapFull
        return out

    def _noted(self, name: str, rows: int, launch: Launcher) -> Launcher:
        """The launcher, noting what it takes if there is a profile."""
        if self.profile is None:
            return launch
        noted = self.profile.setdefault(name, KernelTime())

        def timed(*args: Any) -> None:
            start = time.perf_counter()
            launch(*args)
            noted.seconds += time.perf_counter() - start
            noted.calls += 1
            noted.rows += rows

        return timed

    @property
    def produced(self) -> int:
        return int(self._state[3])

    def host(self, column: Words) -> Words:
        return column
