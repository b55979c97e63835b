"""Simulated GPUs: their memory is on the host, and their entry points are the same sources compiled for the CPU."""

import ctypes
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from arcloom.engine.compile.call import entry_point
from arcloom.engine.compile.library import LIBRARY
from arcloom.engine.devices.cuda import Cuda
from arcloom.engine.devices.gpu import Gpu
from arcloom.engine.devices.libcuda import Description, DriverError, OutOfMemory
from arcloom.engine.entry_points import FOR_GPU, ON_GPU
from arcloom.engine.kernel import Kernel
from arcloom.engine.machine.arrange import Plan
from arcloom.engine.machine.threads import Threads
from arcloom.engine.warm import all_kernels, ensure

POISON = -0x5A5A5A5A5A5A5A5B
"""The word with which new memory is filled, so that code that depends on old contents fails."""

POISONED = 1 << 22
"""The number of words at both ends of an allocation that are filled: tables and outputs are at the bottom, and slots at
the top. Filling the rest, which only uploads write to, would take seconds."""


ALIGN = 256
"""The alignment of allocations, as on a GPU."""


class FakeDriver:
    """A driver that counts calls. ``errors`` has errors to raise, by the name of the call.

    The threads of a launch execute one after the other, one run at a time. ``shuffle`` permutes the queue.
    """

    def __init__(self, gpus: int = 1, memory: int = 1 << 32, multiprocessors: int = 1, shuffle: int | None = None):
        self.calls: Counter[str] = Counter()
        self.errors: dict[str, list[DriverError]] = {}
        self.boasted = 0
        """Bytes that the driver calls free although they are not."""
        self._gpus, self._memory, self._multiprocessors = gpus, memory, multiprocessors
        self._shuffle = None if shuffle is None else np.random.default_rng(shuffle)
        self._allocated: dict[int, tuple[Any, int]] = {}
        """The array and the size in bytes of each allocation."""

    def _count(self, name: str) -> None:
        self.calls[name] += 1
        if self.errors.get(name):
            raise self.errors[name].pop(0)

    def count(self) -> int:
        return self._gpus

    def describe(self, ordinal: int) -> Description:
        return Description(f"fake {ordinal}", (7, 5), self._multiprocessors, self._memory)

    def open(self, ordinal: int) -> None:
        self._count("open")

    def close(self, ordinal: int) -> None:
        self._count("close")
        if self._gpus == 1:
            self._allocated.clear()

    def free_bytes(self) -> int:
        return self._memory - self.used_bytes() + self.boasted

    def used_bytes(self) -> int:
        """The memory that is allocated."""
        return sum(size for _, size in self._allocated.values())

    def load(self, cubin: bytes, entries: Sequence[str]) -> list[int]:
        self._count("load")
        assert list(entries) == [f"arcloom_{name}" for name in ON_GPU]
        return list(range(len(entries)))

    def assemble(self, ptx: bytes, registers: int) -> bytes:
        self._count("assemble")
        return b"assembled " + ptx

    def allocate(self, size: int) -> int:
        self._count("allocate")
        if size > self._memory - self.used_bytes():
            raise OutOfMemory(2, "CUDA_ERROR_OUT_OF_MEMORY", "cuMemAlloc_v2")
        array = np.empty((size + ALIGN) // 8 + 1, np.int64)
        array[:POISONED] = array[-POISONED:] = POISON
        pointer = -(-int(array.ctypes.data) // ALIGN) * ALIGN
        self._allocated[pointer] = (array, size)
        return pointer

    def free(self, pointer: int) -> None:
        self._count("free")
        del self._allocated[pointer]

    def _check(self, pointer: int, size: int) -> None:
        """Assert that memory is allocated."""
        assert any(at <= pointer and pointer + size <= at + room for at, (_, room) in self._allocated.items())

    def copy_in(self, pointer: int, array: Any) -> None:
        self._count("copy_in")
        self._check(pointer, array.nbytes)
        ctypes.memmove(pointer, array.ctypes.data, array.nbytes)

    def copy_out(self, array: Any, pointer: int) -> None:
        self._count("copy_out")
        self._check(pointer, array.nbytes)
        ctypes.memmove(array.ctypes.data, pointer, array.nbytes)

    def launch(self, function: int, blocks: int, threads: int, given: Any) -> None:
        """Run the threads of a launch in turn, each with one run at a time."""
        self._count("launch")
        first, work = len(Plan._fields), self._work(given)
        plan, rest = Plan(*given[:first].tolist()), given[first + len(Threads._fields) :].tolist()
        for thread in self._turns(work, blocks * threads):
            entry_point(ON_GPU[function])(plan, work._replace(most=1, first_thread=thread), *rest)

    def _work(self, given: Any) -> Threads:
        """The work of a launch. Its queue is shuffled if this driver does so."""
        first = len(Plan._fields)
        work = Threads(*given[first : first + len(Threads._fields)].tolist())
        if self._shuffle is not None and work.runs:
            self._shuffle.shuffle(words_at(work.order, work.runs))
        return work

    def _turns(self, work: Threads, threads: int) -> Iterator[int]:
        """The threads in the order in which they run: all in turn, until the queue is empty."""
        while words_at(work.queue, 1)[0] < work.runs:
            yield from range(threads)

    def synchronise(self) -> None:
        self._count("synchronise")


def words_at(address: Any, count: int) -> Any:
    """The words at an address of a fake GPU."""
    return np.ctypeslib.as_array((ctypes.c_int64 * count).from_address(address))


def address(kernel: Kernel) -> int:
    """The address of a kernel on the CPU, used instead of its number on a GPU."""
    return LIBRARY.address(kernel.name)


def fake_cuda(driver: FakeDriver, gpus: int = 1, told: list[str] | None = None) -> Cuda:
    """The CUDA device with fake GPUs."""
    ensure(all_kernels(), entry_points=(*FOR_GPU, *ON_GPU))
    opened = [Gpu(driver, ordinal, lambda capability: b"", address) for ordinal in range(gpus)]
    return Cuda(opened, (told if told is not None else []).append)
