"""What drives a CUDA device: Numba's driver on a GPU, or its simulator, where all but the silicon is tried."""

import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib import import_module
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from arcloom.engine.devices.base import HeapFull

DRIVER_ERRORS = frozenset({"CudaDriverError", "CudaAPIError", "CUDAError"})
"""The classes of the driver's errors, in Numba and in NVIDIA's own package that newer ones call it with."""


class DeviceLost(Exception):
    """A device that does not answer as it should: what it was doing must be done elsewhere."""


class DriverFull(HeapFull):
    """The driver itself has no memory left: less work at a time may need less of it, or other programs have it all."""


@contextmanager
def guarded() -> Iterator[None]:
    """The driver's errors told apart: too little memory is DriverFull and may be helped, all others are DeviceLost."""
    try:
        yield
    except Exception as error:
        if DRIVER_ERRORS.isdisjoint(kind.__name__ for kind in type(error).__mro__):
            raise
        if "OUT_OF_MEMORY" in str(error):
            raise DriverFull from error
        raise DeviceLost(str(error)) from error


class Driver(Protocol):
    """Memory, launches and transfers on one device."""

    clock: str
    uuid: str | None
    threads: int
    blocks: int

    def active(self) -> AbstractContextManager[object]:
        """The device is the current thread's within this."""

    def free_bytes(self) -> int:
        """How much memory is free."""

    def array(self, count: int, dtype: type[np.generic]) -> Any:
        """Memory on the device. Raises HeapFull."""

    def launch(self, function: Any, blocks: int, threads: int, *arguments: Any, shared: int = 0) -> None:
        """Have a kernel run, with so many bytes that a block shares; it may still be running afterwards."""

    def write(self, array: Any, start: int, data: npt.NDArray[Any]) -> None:
        """Copy to the device."""

    def read(self, array: Any, start: int, count: int) -> npt.NDArray[Any]:
        """Copy from the device, when everything before is done."""

    def seconds(self) -> float:
        """How long the kernels took that ran since this was last asked; all are done."""


EVENTS = 256
"""After so many launches the times of kernels are collected, so that there are not too many events."""


class Silicon:
    """A GPU. Everything happens in one stream, in order, so room that is used again is written to after it was read.

    Times are between events around each launch: on a device that waits for work, what the host takes to hand over a
    launch is part of them, but never the compiler. ``cuda`` is Numba's module, or what stands in for it in a test.
    """

    clock = "CUDA events"
    threads = 128

    def __init__(self, ordinal: int, cuda: Any = None) -> None:
        from numba import config

        config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # type: ignore[attr-defined]  # small waves are as they are
        self._cuda: Any = cuda or import_module("numba.cuda")
        self._device = self._cuda.gpus[ordinal]
        with self.active():
            self._stream = self._cuda.stream()
            self.blocks = 32 * int(self._device.MULTIPROCESSOR_COUNT)
        self.uuid: str | None = str(self._device.uuid)
        self._idle: list[tuple[Any, Any]] = []
        self._timed: list[tuple[Any, Any]] = []
        self._seconds = 0.0
        self._loaded: set[Any] = set()
        self._sent: list[npt.NDArray[Any]] = []

    @contextmanager
    def active(self) -> Iterator[None]:
        with guarded(), self._device:
            yield

    def free_bytes(self) -> int:
        return int(self._cuda.current_context().get_memory_info().free)

    def array(self, count: int, dtype: type[np.generic]) -> Any:
        with guarded():
            return self._cuda.device_array(count, dtype)

    def launch(self, function: Any, blocks: int, threads: int, *arguments: Any, shared: int = 0) -> None:
        with guarded():
            self._load(function, arguments)
            configured = function[blocks, threads, self._stream, shared]
            before, after = self._idle.pop() if self._idle else (self._cuda.event(), self._cuda.event())
            before.record(self._stream)
            configured(*arguments)
            after.record(self._stream)
            self._timed.append((before, after))
            if len(self._timed) >= EVENTS:
                self._finish()

    def _load(self, function: Any, arguments: Sequence[Any]) -> None:
        """Compile a kernel and bring it to the device, before the clock runs."""
        if function not in self._loaded:
            function.compile(tuple(map(function.typeof_pyval, arguments))).bind()
            self._loaded.add(function)

    def write(self, array: Any, start: int, data: npt.NDArray[Any]) -> None:
        """The copy may be under way when this returns: what is copied must live, and not change, until it is done."""
        with guarded():
            self._sent.append(np.ascontiguousarray(data))
            array[start : start + len(data)].copy_to_device(self._sent[-1], stream=self._stream)

    def read(self, array: Any, start: int, count: int) -> npt.NDArray[Any]:
        with guarded():
            found: npt.NDArray[Any] = array[start : start + count].copy_to_host(stream=self._stream)
            self._finish()
            return found

    def _finish(self) -> None:
        """Wait until all is done, and note how long it took."""
        self._stream.synchronize()
        self._sent.clear()
        for before, after in self._timed:
            self._seconds += self._cuda.event_elapsed_time(before, after) / 1000
        self._idle += self._timed
        self._timed = []

    def seconds(self) -> float:
        with guarded():
            self._finish()
        seconds, self._seconds = self._seconds, 0.0
        return seconds


class Elements:
    """An array as row functions see it on a device: elements are ints, and there are none outside it."""

    __slots__ = ("_array", "shape")

    def __init__(self, array: npt.NDArray[Any]) -> None:
        self._array = array
        self.shape = array.shape

    def __getitem__(self, k: int) -> int:
        if k < 0:
            raise IndexError(f"there is no element {k}")
        return int(self._array[k])

    def __setitem__(self, k: int, element: int) -> None:
        if k < 0:
            raise IndexError(f"there is no element {k}")
        self._array[k] = element


_one_at_a_time = threading.Lock()
"""The simulator can run one kernel at a time in a process, whatever number of devices it stands for."""


@contextmanager
def _quick_threads() -> Iterator[None]:
    """Have Python's threads take turns often: the simulator's wait for each other all the time."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


class Simulator:
    """Numba's simulator: threads are Python's. Its times say nothing about a GPU."""

    clock = "simulator"
    uuid: str | None = None
    threads = 3
    blocks = 2

    def __init__(self, memory: int = 1 << 25) -> None:
        self._memory = memory
        self._seconds = 0.0

    def active(self) -> AbstractContextManager[object]:
        return nullcontext()

    def free_bytes(self) -> int:
        return self._memory

    def array(self, count: int, dtype: type[np.generic]) -> npt.NDArray[Any]:
        return np.zeros(count, dtype)

    def launch(self, function: Any, blocks: int, threads: int, *arguments: Any, shared: int = 0) -> None:
        given = [Elements(arg) if isinstance(arg, np.ndarray) else arg for arg in arguments]
        start = time.perf_counter()
        with _one_at_a_time, _quick_threads():
            function[blocks, threads, 0, shared](*given)
        self._seconds += time.perf_counter() - start

    def write(self, array: npt.NDArray[Any], start: int, data: npt.NDArray[Any]) -> None:
        array[start : start + len(data)] = data

    def read(self, array: npt.NDArray[Any], start: int, count: int) -> npt.NDArray[Any]:
        return array[start : start + count].copy()

    def seconds(self) -> float:
        seconds, self._seconds = self._seconds, 0.0
        return seconds
