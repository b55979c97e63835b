"""A CUDA device: the row functions of the CPU, a thread for each row, in memory that stays on the device."""

import time
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import numpy.typing as npt

from arcloom.engine.columns import Cells, Words
from arcloom.engine.devices.base import HeapFull
from arcloom.engine.devices.driver import DeviceLost, Driver, Silicon, Simulator
from arcloom.engine.devices.evidence import Evidence
from arcloom.engine.kernel import Kernel
from arcloom.engine.wave_launchers import (
    SCAN_THREADS,
    SIMULATED,
    TILE,
    arrangement_launcher,
    kernel_launcher,
    scan_launchers,
)
from arcloom.engine.waves.device import Device
from arcloom.engine.waves.room import Room

SHARE = 0.8
"""Of the memory that is free, so much is taken; the rest is for code, stacks and other programs."""

CELLS_SHARE = 0.25
"""Of that, so much is for cells, the rest for words."""

MOST_CELLS = (1 << 31) - 1
"""A grid's word has 31 bits for where its cells begin."""

LEAST = 1 << 20
"""A device on which not even so many bytes can be had is of no use."""


class Cuda(Device):
    """One GPU, or Numba's simulator of one. Memory is taken once, for all runs: see ``close``."""

    def __init__(self, ordinal: int = 0, driver: Driver | None = None) -> None:
        self.ordinal = ordinal
        self.driver = driver or (Simulator() if SIMULATED else Silicon(ordinal))
        with self.driver.active():
            words, cells = self._allocate(int(SHARE * self.driver.free_bytes()))
        super().__init__(f"cuda:{ordinal}", Room(words, cells), Evidence(f"cuda:{ordinal}", self.driver.clock))

    def _allocate(self, size: int) -> tuple[int, int]:
        """Take memory, less if there is not so much in one piece: how many words and cells. Raises DeviceLost."""
        while size >= LEAST:
            cells = min(MOST_CELLS, int(CELLS_SHARE * size))
            words = (size - cells) // 8
            try:
                self._heap, self._cells = self.driver.array(words, np.int64), self.driver.array(cells, np.int8)
            except HeapFull:
                size //= 2
            else:
                return words, cells
        raise DeviceLost(f"less than {LEAST:,} bytes of its memory can be had")

    def active(self) -> AbstractContextManager[object]:
        return self.driver.active()

    def close(self) -> None:
        """Give the memory back."""
        with self.driver.active():
            del self._heap, self._cells

    def arrange(self, name: str, count: int, *numbers: int) -> None:
        if count:
            self._launch(name, arrangement_launcher(name, "cuda"), count, numbers)

    def run_kernel(self, kernel: Kernel, step: str, count: int, *numbers: int) -> None:
        self._launch(kernel.name, kernel_launcher(kernel, step, "cuda"), count, numbers)

    def _launch(self, name: str, function: object, count: int, numbers: tuple[int, ...]) -> None:
        """A thread for each row, as far as there are threads: then each takes several rows."""
        threads = self.driver.threads
        blocks = min(-(-count // threads), self.driver.blocks)
        self.driver.launch(function, blocks, threads, self._heap, self._cells, count, *numbers)
        self.evidence.launched(name, count)

    def scan(self, start: int, count: int) -> None:
        if not count:
            self.arrange("fill", 1, start, 0)
            return
        tiles = -(-count // TILE)
        if tiles == 1:
            self._scan_tiles(start, count, start + count)
            return
        totals = self.new(tiles + 1)
        self._scan_tiles(start, count, totals.start)
        self.scan(totals.start, tiles)
        _, add_tiles = scan_launchers()
        blocks = min(-(-(count + 1) // SCAN_THREADS), self.driver.blocks)
        self.driver.launch(add_tiles, blocks, SCAN_THREADS, self._heap, start, count, totals.start, tiles)
        self.evidence.launched("add_tiles", count)

    def _scan_tiles(self, start: int, count: int, totals: int) -> None:
        scan_tiles, _ = scan_launchers()
        blocks = min(-(-count // TILE), self.driver.blocks)
        self.driver.launch(scan_tiles, blocks, SCAN_THREADS, self._heap, start, count, totals, shared=8 * SCAN_THREADS)
        self.evidence.launched("scan_tiles", count)

    def write(self, start: int, words: Words) -> None:
        if len(words):
            self.driver.write(self._heap, start, words)
            self.evidence.moved(there=words.nbytes)

    def write_cells(self, start: int, cells: Cells) -> None:
        if len(cells):
            self.driver.write(self._cells, start, cells)
            self.evidence.moved(there=cells.nbytes)

    def read(self, start: int, count: int) -> Words:
        return self._read(self._heap, start, count)

    def read_cells(self, start: int, count: int) -> Cells:
        return self._read(self._cells, start, count)

    def _read(self, array: Any, start: int, count: int) -> npt.NDArray[Any]:
        if not count:
            return np.empty(0, array.dtype)
        begun = time.perf_counter()
        found = self.driver.read(array, start, count)
        self.evidence.seconds_waiting += time.perf_counter() - begun
        self.evidence.moved(back=found.nbytes)
        return found

    @property
    def uuid(self) -> str | None:
        return self.driver.uuid

    def begin(self) -> None:
        with self.driver.active():
            self.driver.seconds()
        super().begin()

    def reports(self) -> list[Evidence]:
        with self.driver.active():
            self.evidence.seconds_in_kernels += self.driver.seconds()
        return super().reports()
