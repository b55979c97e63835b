"""The host as a device for waves: the launchers of CUDA as plain loops over NumPy arrays.

It is what small waves run on beside a GPU, and stands in for one where there is none.
"""

import time

import numpy as np
from numba import config

from arcloom.engine.columns import Cells, Words
from arcloom.engine.devices.driver import Elements
from arcloom.engine.devices.evidence import Evidence
from arcloom.engine.kernel import Kernel
from arcloom.engine.wave_launchers import arrangement_launcher, kernel_launcher
from arcloom.engine.waves.device import Device
from arcloom.engine.waves.room import Room

WORDS = 1 << 26
CELLS = 1 << 28
"""The capacity of the heaps; only what is used takes memory."""


class Host(Device):
    """Heaps in the memory of this machine. Nothing is moved: reading is copying."""

    def __init__(self, words: int = WORDS, cells: int = CELLS, name: str = "host", room: Room | None = None) -> None:
        super().__init__(name, room or Room(words, cells), Evidence(name, "the host's clock"))
        self.heap = np.empty(words, np.int64)
        self.cells = np.empty(cells, np.int8)
        interpreted = config.DISABLE_JIT  # type: ignore[attr-defined]
        self._seen = (Elements(self.heap), Elements(self.cells)) if interpreted else (self.heap, self.cells)

    def arrange(self, name: str, count: int, *numbers: int) -> None:
        if count:
            self._timed(name, count, arrangement_launcher(name, "host"), numbers)

    def run_kernel(self, kernel: Kernel, step: str, count: int, *numbers: int) -> None:
        self._timed(kernel.name, count, kernel_launcher(kernel, step, "host"), numbers)

    def _timed(self, name: str, count: int, launcher: object, numbers: tuple[int, ...]) -> None:
        assert callable(launcher)
        start = time.perf_counter()
        launcher(*self._seen, count, *numbers)
        self.evidence.seconds_in_kernels += time.perf_counter() - start
        self.evidence.launched(name, count)

    def scan(self, start: int, count: int) -> None:
        numbers = self.heap[start : start + count + 1]
        numbers[1:] = np.cumsum(numbers[:count])
        numbers[0] = 0
        self.evidence.launched("scan", count)

    def write(self, start: int, words: Words) -> None:
        self.heap[start : start + len(words)] = words
        self.evidence.moved(there=words.nbytes)

    def write_cells(self, start: int, cells: Cells) -> None:
        self.cells[start : start + len(cells)] = cells
        self.evidence.moved(there=cells.nbytes)

    def read(self, start: int, count: int) -> Words:
        self.evidence.moved(back=8 * count)
        return self.heap[start : start + count].copy()

    def read_cells(self, start: int, count: int) -> Cells:
        self.evidence.moved(back=count)
        return self.cells[start : start + count].copy()
