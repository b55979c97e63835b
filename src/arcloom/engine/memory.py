"""Memory for the interpreter on the CPU, and the compiled code that runs tiles in it."""

import ctypes
import mmap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import cache
from typing import Any, ClassVar

import numpy as np

from arcloom.engine.arranged import ArrangedPlan
from arcloom.engine.columns import Cells, Contents, Words
from arcloom.engine.compile.call import entry_point
from arcloom.engine.compile.library import LIBRARY
from arcloom.engine.devices.kernel_times import KernelProfile
from arcloom.engine.machine.arrange import OUTPUT
from arcloom.engine.machine.records import LEVEL, NODE, OPENED, ORDER_WORDS, ORDERS, PLACE, STATE_RECORD, UNLIMITED
from arcloom.engine.machine.tiles import Slot, TileJob
from arcloom.engine.tables import Tables

WORDS = 1 << 27
CELLS = 1 << 28
KEPT = 1 << 26
"""Sizes of a worker's address space for words, for cells and for the outputs of one call: 1 GiB, 256 MiB and 64 MiB.
Only pages that are written to take memory."""

RETAINED = 1 << 26
"""Bytes of each region that stay in memory when it is released: 64 MiB. Most runs need less, and new pages are slower
than used ones."""

NONE: Words = np.empty(0, np.int64)


@cache
def _clock() -> int:
    """The address of the C library's clock; zero if there is none, so that kernels are not timed."""
    try:
        return ctypes.cast(ctypes.CDLL(None).clock_gettime, ctypes.c_void_p).value or 0
    except (OSError, AttributeError):
        return 0


def _keep_memory() -> None:
    """Have the C library keep freed memory: outputs are allocated often, and new pages are slower than used ones."""
    trim_threshold, mmap_threshold, most = -1, -3, 1 << 30
    with suppress(OSError, AttributeError):  # not glibc: only slower
        library = ctypes.CDLL(None)
        library.mallopt(mmap_threshold, most)
        library.mallopt(trim_threshold, most)


_keep_memory()


class _Region:
    """Address space that takes memory only where it is written to, and can be returned to the operating system."""

    def __init__(self, size: int) -> None:
        self.bytes = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)

    def release(self) -> None:
        """Return all memory but the first RETAINED bytes to the operating system. The contents are lost."""
        if hasattr(self.bytes, "madvise") and len(self.bytes) > RETAINED:
            self.bytes.madvise(mmap.MADV_DONTNEED, RETAINED)


class Memory:
    """One worker's memory, and the compiled code that runs tiles in it."""

    profile: ClassVar[KernelProfile | None] = None
    """Receives the times of kernels, for all workers, while it is set."""

    def __init__(self) -> None:
        self._regions = [_Region(size) for size in (8 * WORDS, CELLS, KEPT)]
        words, cells, kept = (region.bytes for region in self._regions)
        self.words = np.frombuffer(words, np.int64)
        self.cells = np.frombuffer(cells, np.int8)
        self.kept = np.frombuffer(kept, np.int8)
        self._kept_top = np.zeros(1, np.int64)
        self.stop = np.zeros(1, np.int64)

    def load(self, tables: Tables, stores: Sequence[Contents], programs: Words = NONE, steps: Words = NONE) -> None:
        """Load a batt: its tables, its programs and their steps, and the contents of the bottoms of the heaps."""
        for words, cells, words_at, cells_at in stores:
            self.words[words_at : words_at + len(words)] = words
            self.cells[cells_at : cells_at + len(cells)] = cells
            self._constants, self._cells_bottom = words_at + len(words), cells_at + len(cells)
        self._state_at = self._constants + len(tables.constants)
        self.words[self._constants : self._state_at] = tables.constants
        self._kernels = list(tables.kernels)
        self._times = np.zeros(3 * len(self._kernels) + 1, np.int64)
        addresses = np.array([LIBRARY.address(kernel.name) for kernel in self._kernels], np.int64)
        self.slot = Slot(self.words, self.cells, addresses, self._times, self._state_at, self.stop)
        self._state = STATE_RECORD.view(self.words[self._state_at : self._state_at + STATE_RECORD.size])
        self._arrange_in(tables, programs, steps)

    def _arrange_in(self, tables: Tables, programs: Words, steps: Words, links: int = 0) -> None:
        """Allocate the arrays of plans, with room for this number of links."""
        arrays = ArrangedPlan(tables, programs, steps, links=links)
        self._graph, self._plan, self.group = arrays.graph, arrays.plan, arrays.groups
        self.plan_nodes, self.plan_links = arrays.nodes, arrays.links
        self._arranged_from = tables, programs, steps

    def run(self, limit: int, job: TileJob, tiles: int) -> tuple[int, int]:
        """Run tiles; returns the number of tiles that were run, and ``state.full`` if that is not all of them."""
        self._kept_top[0] = 0
        job = job._replace(constants=self._constants, kept=self.kept, kept_top=self._kept_top, kept_end=KEPT)
        done = self._call("run_tiles", limit, self._graph, self._plan, self.slot, job, 0, tiles)
        while done < 0:  # there was no room for the links of a group's plan
            self._arrange_in(*self._arranged_from, links=4 * len(self.plan_links))
            first = -1 - done
            done = self._call("run_tiles", limit, self._graph, self._plan, self.slot, job, first, tiles)
        return done, int(self._state["full"][0])

    def enumerate(self, limit: int, bank: Any, overlays: Any) -> None:
        """Enumerate expressions for a task: see ``arcloom.enumerate.compiled``."""
        self._call("enumerate_task", limit, self._graph, self._plan, self.slot, bank, overlays, self._constants)

    def _call(self, name: str, limit: int, *args: Any) -> int:
        state, profile = self._state, self.profile
        state["end"], state["limit"] = len(self.words), min(limit, UNLIMITED)
        state["cells_bottom"], state["cells_end"] = self._cells_bottom, len(self.cells)
        state["full"], self.stop[0] = 0, 0
        state["clock"] = 0 if profile is None else _clock()
        with nullcontext() if profile is None else profile.in_machine():
            result = entry_point(name)(*args)
        if profile is not None:
            launched = zip(self._kernels, self._times[:-1].reshape(-1, 3).tolist(), strict=True)
            profile.note((kernel.name, calls, rows, ns / 1e9) for kernel, (calls, rows, ns) in launched if calls)
            self._times[:] = 0
        return result

    def release(self) -> None:
        """Return the memory of large runs to the operating system. ``load`` must be called before the next run."""
        for region in self._regions:
            region.release()

    @property
    def kept_cells(self) -> Cells:
        """A copy of the cells of the outputs of the last run."""
        return self.kept[: self._kept_top[0]].copy()

    @property
    def _places(self) -> int:
        """The position of the PLACE records: see ``machine.tiles.machine_for``."""
        return self._state_at + ORDERS + ORDER_WORDS + OPENED.size * int(self.group["frames"][0])

    @property
    def last_node(self) -> int | None:
        """The node of the batt's root frame at which the last tile stopped; None if it did not run any."""
        levels = self._places + PLACE.size * int(self.group["nodes"][0])
        following = int(self.words[levels + LEVEL.offset("next")])
        if following == int(self.group["first"][0]):
            return None
        return int(self.plan_nodes[NODE.size * int(self.plan_links[following - 1]) + NODE.offset("origin")])

    def column(self, member: int) -> Callable[[int], int]:
        """A function that returns the word of a program's output by row, for the last tile that ran."""
        at = int(self.group["outputs"][0]) + OUTPUT.size * member
        place = self._places + PLACE.size * int(self.plan_links[at + OUTPUT.offset("node")])
        at, step = int(self.words[place]), int(self.words[place + 1])
        return lambda row: int(self.words[at + row * step])


_idle: list[Memory] = []
"""Memory objects that no thread uses at present."""


@contextmanager
def borrowed() -> Iterator[Memory]:
    """A context with memory for the exclusive use of this thread."""
    try:
        memory = _idle.pop()
    except IndexError:
        memory = Memory()
    try:
        yield memory
    finally:
        _idle.append(memory)


def release_memory() -> None:
    """Return unused memory of large runs, and memory that was freed, to the operating system.

    A process that runs for hours should call it now and then. Otherwise every thread keeps the memory of its largest
    run.
    """
    taken: list[Memory] = []
    with suppress(IndexError):
        while True:  # one by one, because other threads may take some, too
            taken.append(_idle.pop())
    for memory in taken:
        memory.release()
    _idle.extend(taken)
    with suppress(OSError, AttributeError):  # not glibc
        ctypes.CDLL(None).malloc_trim(0)
