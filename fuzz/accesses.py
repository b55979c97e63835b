"""Fuzz memory accesses: the interpreter and the kernels run as plain Python, on memory that checks every access.

A read is a fault if the word was never written, or was freed since; a write, if a kernel writes outside the room that
it asked for. The programs and the comparison with the reference are those of ``fuzz/typed.py``.
"""

import os

os.environ["NUMBA_DISABLE_JIT"] = "1"  # row functions stay Python functions; Numba reads this when it is imported

import random
from collections import Counter
from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from arcloom.engine import pointer
from arcloom.engine.machine import calls
from common import Fault, main

LARGEST = 49
"""Maximum number of cells of the grids on which programs run."""

BUDGET = 20_000
"""Maximum work of a call. Calls that need more take too long in Python."""

POINTERS: dict[int, "CheckedPointer"] = {}
"""The pointers of the present call by their addresses."""

Array = np.ndarray[Any, np.dtype[Any]]


class CheckedPointer:
    """An array as compiled code sees it. ``written`` has a byte for each element: whether it may be read."""

    def __init__(self, array: Array, *, written: bool = True) -> None:
        self.array = array
        self.written = bytearray(bytes([written]) * len(array))
        self.room: range | None = None
        POINTERS[id(self)] = self

    def __getitem__(self, at: int) -> int:
        if not 0 <= at < len(self.written):
            raise Fault(f"reads position {at} of {len(self.written)}")
        if not self.written[at]:
            raise Fault(f"reads position {at}, which is not written or was freed")
        return int(self.array[at])

    def __setitem__(self, at: int, word: int) -> None:
        if not 0 <= at < len(self.written):
            raise Fault(f"writes position {at} of {len(self.written)}")
        if self.room is not None and at not in self.room:
            raise Fault(f"writes position {at}, outside its room: {self.room}")
        self.array[at] = word
        self.written[at] = True

    def free(self, first: int, end: int) -> None:
        """Mark elements as not readable."""
        if first < end:
            self.written[first:end] = bytes(end - first)


class SlotWords(CheckedPointer):
    """The words of a slot. When the state's tops of heap and columns change, what is between them is freed."""

    def __init__(self, array: Array, state: int, cells: CheckedPointer) -> None:
        super().__init__(array)
        self.cells = cells
        self.top, self.columns, self.cells_top = (
            state + STATE_RECORD.offset(name) for name in ("top", "columns", "cells_top")
        )
        self.free(state, len(array))
        for name in ("end", "limit", "cells_bottom", "cells_end", "full", "clock"):  # Python writes these
            self.written[state + STATE_RECORD.offset(name)] = True

    def __setitem__(self, at: int, word: int) -> None:
        super().__setitem__(at, word)
        if at in (self.top, self.columns) and self.written[self.top] and self.written[self.columns]:
            self.free(self[self.top], self[self.columns])
        if at == self.cells_top:
            self.cells.free(word, len(self.cells.written))


def launch(kernel: int, words: SlotWords, cells: CheckedPointer, state: int, orders: int) -> None:
    """Run the launcher with this number."""
    LAUNCHERS[kernel](words, cells, state, orders)


def atomic_add(words: Any, at: int, amount: int) -> int:
    """See ``machine.calls``."""
    before = int(words[at])
    words[at] = before + amount
    return before


def replace(module: Any, **attributes: Any) -> None:
    """Replace attributes of a module."""
    vars(module).update(attributes)


replace(
    calls,
    launch=launch,
    atomic_add=atomic_add,
    read_shared=lambda words, at: words[at],
    trailing_zeros=lambda word: (word & -word).bit_length() - 1,
    read_clock=lambda address: 0,
    thread_number=lambda: 0,
)
replace(pointer, words_at=POINTERS.__getitem__, address_at=id)

# These modules import the functions above.
from arcloom.engine import launchers, memory, run, work  # noqa: E402
from arcloom.engine.devices import cpu  # noqa: E402
from arcloom.engine.kernel import Kernel  # noqa: E402
from arcloom.engine.machine.records import STATE_RECORD  # noqa: E402
from arcloom.engine.machine.tiles import run_tiles  # noqa: E402
from arcloom.engine.warm import all_kernels  # noqa: E402


def launcher(kernel: Kernel) -> Callable[..., None]:
    """A kernel's launcher as a Python function, in which the row function may write only to the room it asked for."""
    namespace: dict[str, Any] = {"__name__": kernel.name}
    exec(compile(launchers.source(kernel), f"<launcher of {kernel.name}>", "exec"), namespace)
    namespace["row"] = limited(kernel, namespace["row"])
    return namespace["launch"]  # type: ignore[no-any-return]


def limited(kernel: Kernel, row: Callable[..., int]) -> Callable[..., int]:
    """A row function that is checked for writes outside its room."""
    sizes = kernel.words or kernel.scratch, kernel.cells
    places = sum(size is not None for size in sizes)

    def run(words: SlotWords, cells: CheckedPointer, *args: Any) -> int:
        given = list(args)
        heaps = words, cells
        for heap, size in zip(heaps, sizes, strict=True):
            heap.room = range(0)
            if size is not None:
                at = given.pop(0)
                heap.room = range(at, at + size(words, cells, *args[places:]))
                heap.free(heap.room.start, heap.room.stop)
        result = row(words, cells, *args)
        words.room = cells.room = None
        return result

    return run


NAMES = [kernel.name for kernel in all_kernels()]
LAUNCHERS = [launcher(kernel) for kernel in all_kernels()]


class Numbers:
    """Takes the place of the library of compiled code: the address of a kernel is its number."""

    @staticmethod
    def address(name: str) -> int:
        return NAMES.index(name)


def entry_point(name: str) -> Callable[..., int]:
    """``run_tiles`` as a Python function of arrays."""
    assert name == "run_tiles"

    def call(graph: Any, plan: Any, slot: Any, job: Any, first: int, end: int) -> int:
        POINTERS.clear()
        cells = CheckedPointer(slot.cells)
        words = SlotWords(slot.words, slot.state, cells)
        return run_tiles(
            checked(graph, new={"scratch"}),
            checked(plan, new={"nodes", "links"}),
            checked(slot._replace(words=words, cells=cells)),
            checked(job, new={"outputs", "lines", "kept"}),
            first,
            end,
        )

    return call


def checked(given: Any, new: Collection[str] = ()) -> Any:
    """A named tuple with its arrays as checked pointers. Those in ``new`` have not been written to."""
    arrays = {name: each.reshape(-1) for name, each in given._asdict().items() if isinstance(each, np.ndarray)}
    return given._replace(**{name: CheckedPointer(each, written=name not in new) for name, each in arrays.items()})


replace(memory, WORDS=1 << 19, CELLS=1 << 19, KEPT=1 << 19, LIBRARY=Numbers, entry_point=entry_point)
replace(cpu, ensure=lambda *_, **__: 0)
replace(work, RUNS=1)  # one tile per call, so that each begins with memory that is not written
replace(run, isolated=lambda execute, programs, rows: execute(programs, rows))  # which would catch faults
work.limit_threads(1)

import typed  # noqa: E402


def case(chance: random.Random, counts: Counter[str]) -> None:
    """As ``typed.case``, with checked memory and small grids, because Python is slow."""
    seed = chance.randrange(1 << 30)
    samples = [sample for sample in typed.compared.samples(seed) if np.size(sample["I"]) <= LARGEST]
    typed.compare(typed.programs(seed, chance), samples, counts, BUDGET)


if __name__ == "__main__":
    main(case, __doc__)
