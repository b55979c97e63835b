"""Simulated GPUs: their memory is on the host, and their entry points are the same sources compiled for the CPU."""

import ctypes
from collections import Counter
from collections.abc import Sequence
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
        self._arrays: dict[int, Any] = {}

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

    def free_bytes(self) -> int:
        return self._memory - self.used_bytes() + self.boasted

    def used_bytes(self) -> int:
        """The memory that is allocated."""
        return sum(int(array.nbytes) for array in self._arrays.values())

    def load(self, cubin: bytes, entries: Sequence[str]) -> list[int]:
        self._count("load")
        assert list(entries) == [f"arcloom_{name}" for name in ON_GPU]
        return list(range(len(entries)))

    def allocate(self, size: int) -> int:
        self._count("allocate")
        if size > self._memory - self.used_bytes():
            raise OutOfMemory(2, "CUDA_ERROR_OUT_OF_MEMORY", "cuMemAlloc_v2")
        array = np.empty(-(-size // 8), np.int64)
        if size < 1 << 28:
            array[:] = POISON
        self._arrays[array.ctypes.data] = array
        return int(array.ctypes.data)

    def free(self, pointer: int) -> None:
        self._count("free")
        del self._arrays[pointer]

    def copy_in(self, pointer: int, array: Any) -> None:
        self._count("copy_in")
        ctypes.memmove(pointer, array.ctypes.data, array.nbytes)

    def copy_out(self, array: Any, pointer: int) -> None:
        self._count("copy_out")
        ctypes.memmove(array.ctypes.data, pointer, array.nbytes)

    def launch(self, function: int, blocks: int, threads: int, given: Any) -> None:
        self._count("launch")
        name, first = ON_GPU[function], len(Plan._fields)
        plan, work = Plan(*given[:first].tolist()), Threads(*given[first : first + len(Threads._fields)].tolist())
        rest = given[first + len(Threads._fields) :].tolist()
        if self._shuffle is not None and work.runs:
            order = np.ctypeslib.as_array((ctypes.c_int64 * work.runs).from_address(work.order))  # type: ignore[arg-type]
            self._shuffle.shuffle(order)
        left = True
        while left:
            left = False
            for thread in range(blocks * threads):
                left |= entry_point(name)(plan, work._replace(most=1, first_thread=thread), *rest) > 0

    def synchronise(self) -> None:
        self._count("synchronise")


def address(kernel: Kernel) -> int:
    """The address of a kernel on the CPU, used instead of its number on a GPU."""
    return LIBRARY.address(kernel.name)


def fake_cuda(driver: FakeDriver, gpus: int = 1, told: list[str] | None = None) -> Cuda:
    """The CUDA device with fake GPUs."""
    ensure(all_kernels(), entry_points=(*FOR_GPU, *ON_GPU))
    opened = [Gpu(driver, ordinal, lambda capability: b"", address) for ordinal in range(gpus)]
    return Cuda(opened, (told if told is not None else []).append)
