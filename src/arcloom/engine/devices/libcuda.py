"""NVIDIA's driver, called with ctypes: the functions that the CUDA device needs.

The driver library is installed with the GPU. No Python package of NVIDIA is needed to use it.
"""

import ctypes
import ctypes.util
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class DriverError(Exception):
    """A call of the driver failed, or it reports that an earlier one failed."""

    def __init__(self, code: int, name: str, call: str) -> None:
        super().__init__(f"{name} in {call}")
        self.code = code


class DriverMissing(Exception):
    """There is no driver, or it finds no GPU."""


class OutOfMemory(DriverError):
    """The GPU has too little free memory."""


class KernelFault(DriverError):
    """The code on the GPU did something illegal, and would on any other GPU. The GPU must be closed."""


_MEMORY = 2
_FAULTS = {700, 701, 702, 714, 715, 716, 717, 718, 719}
"""Illegal addresses and instructions, misaligned addresses, the wrong kind of memory, launches that failed, that need
too many resources, or that took longer than a GPU with a display allows."""

_MISSING = {
    100: "no GPU was found",
    34: "the driver is a stub",
    35: "the driver is too old",
    803: "the driver is too old",
}


@dataclass(frozen=True)
class Description:
    """A GPU: name, compute capability, number of multiprocessors, and bytes of memory."""

    name: str
    capability: tuple[int, int]
    multiprocessors: int
    memory: int


class Driver(Protocol):
    """Access to GPUs. Pointers and functions are numbers. All methods but ``count`` and ``describe`` use the GPU that
    the current thread opened last."""

    def count(self) -> int:
        """The number of GPUs. Raises DriverMissing."""

    def describe(self, ordinal: int) -> Description:
        """The name, compute capability and memory of a GPU."""

    def open(self, ordinal: int) -> None:
        """Select a GPU for the current thread."""

    def close(self, ordinal: int) -> None:
        """Free all memory of this process on a GPU. This is possible after a fault, too. It can be opened again."""

    def free_bytes(self) -> int:
        """The free memory of the GPU."""

    def load(self, cubin: bytes, entries: Sequence[str]) -> list[int]:
        """Load machine code, and return the entry points with these names."""

    def assemble(self, ptx: bytes, registers: int) -> bytes:
        """Compile PTX to machine code for the GPU with at most this number of registers. This can take minutes."""

    def allocate(self, size: int) -> int:
        """Allocate bytes on the GPU, and return the pointer. Raises OutOfMemory."""

    def free(self, pointer: int) -> None:
        """Free memory."""

    def copy_in(self, pointer: int, array: Array) -> None:
        """Copy an array to the GPU."""

    def copy_out(self, array: Array, pointer: int) -> None:
        """Copy from the GPU to an array."""

    def launch(self, function: int, blocks: int, threads: int, given: npt.NDArray[np.int64]) -> None:
        """Launch an entry point with these words as arguments, without waiting for its end."""

    def synchronise(self) -> None:
        """Wait until all launches are done. Other threads of Python can run meanwhile."""


_NAME_BYTES = 256
_MULTIPROCESSORS, _MAJOR, _MINOR = 16, 75, 76
"""The driver's numbers of these device attributes."""

_BLOCKING = 4
"""The flag of contexts in which a thread that waits for the GPU sleeps. By default it would take a core's time."""

_MAX_REGISTERS, _PTX = 0, 1
"""The driver's numbers of an option of its assembler, and of a kind of input."""


class CudaDriver:
    """The driver of this machine. ``library`` is its library, or a fake one in tests."""

    def __init__(self, library: Any = None) -> None:
        self._library = library or _library()
        self._contexts: dict[int, int] = {}
        self._call("cuInit", 0)

    def _call(self, name: str, *arguments: Any) -> None:
        code = getattr(self._library, name)(*arguments)
        if code:
            raise self._error(code, name)

    def _error(self, code: int, call: str) -> Exception:
        if code in _MISSING:
            return DriverMissing(_MISSING[code])
        text = ctypes.c_char_p()
        self._library.cuGetErrorName(code, ctypes.byref(text))
        kind = OutOfMemory if code == _MEMORY else KernelFault if code in _FAULTS else DriverError
        return kind(code, (text.value or b"unknown error").decode(), call)

    def _number(self, kind: Callable[[], Any], name: str, *arguments: Any) -> int:
        """The value that a call writes to its first argument."""
        found = kind()
        self._call(name, ctypes.byref(found), *arguments)
        return int(found.value or 0)

    def count(self) -> int:
        return self._number(ctypes.c_int, "cuDeviceGetCount")

    def describe(self, ordinal: int) -> Description:
        device = self._device(ordinal)
        name = ctypes.create_string_buffer(_NAME_BYTES)
        self._call("cuDeviceGetName", name, _NAME_BYTES, device)
        values = [self._number(ctypes.c_int, "cuDeviceGetAttribute", k, device) for k in (_MAJOR, _MINOR)]
        processors = self._number(ctypes.c_int, "cuDeviceGetAttribute", _MULTIPROCESSORS, device)
        memory = self._number(ctypes.c_size_t, "cuDeviceTotalMem_v2", device)
        return Description(name.value.decode(), (values[0], values[1]), processors, memory)

    def _device(self, ordinal: int) -> int:
        return self._number(ctypes.c_int, "cuDeviceGet", ordinal)

    def open(self, ordinal: int) -> None:
        if ordinal not in self._contexts:
            device = self._device(ordinal)
            with suppress(DriverError):  # another library of this process may use the GPU with other flags
                self._call("cuDevicePrimaryCtxSetFlags_v2", device, _BLOCKING)
            self._contexts[ordinal] = self._number(ctypes.c_void_p, "cuDevicePrimaryCtxRetain", device)
        self._call("cuCtxSetCurrent", ctypes.c_void_p(self._contexts[ordinal]))

    def close(self, ordinal: int) -> None:
        self._contexts.pop(ordinal, None)
        self._call("cuDevicePrimaryCtxReset_v2", self._device(ordinal))

    def free_bytes(self) -> int:
        total = ctypes.c_size_t()
        return self._number(ctypes.c_size_t, "cuMemGetInfo_v2", ctypes.byref(total))

    def load(self, cubin: bytes, entries: Sequence[str]) -> list[int]:
        module = ctypes.c_void_p(self._number(ctypes.c_void_p, "cuModuleLoadData", cubin))
        return [self._number(ctypes.c_void_p, "cuModuleGetFunction", module, entry.encode()) for entry in entries]

    def assemble(self, ptx: bytes, registers: int) -> bytes:
        options, values = (ctypes.c_int * 1)(_MAX_REGISTERS), (ctypes.c_void_p * 1)(registers)
        linker, cubin, size, text = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_size_t(), ptx + b"\0"
        self._call("cuLinkCreate_v2", 1, options, values, ctypes.byref(linker))
        try:
            given = (text, ctypes.c_size_t(len(text)), b"arcloom", 0, None, None)
            self._call("cuLinkAddData_v2", linker, _PTX, *given)
            self._call("cuLinkComplete", linker, ctypes.byref(cubin), ctypes.byref(size))
            return ctypes.string_at(cubin.value or 0, size.value)
        finally:
            self._call("cuLinkDestroy", linker)

    def allocate(self, size: int) -> int:
        return self._number(ctypes.c_uint64, "cuMemAlloc_v2", ctypes.c_size_t(size))

    def free(self, pointer: int) -> None:
        self._call("cuMemFree_v2", ctypes.c_uint64(pointer))

    def copy_in(self, pointer: int, array: Array) -> None:
        self._call("cuMemcpyHtoD_v2", ctypes.c_uint64(pointer), _address(array), ctypes.c_size_t(array.nbytes))

    def copy_out(self, array: Array, pointer: int) -> None:
        self._call("cuMemcpyDtoH_v2", _address(array), ctypes.c_uint64(pointer), ctypes.c_size_t(array.nbytes))

    def launch(self, function: int, blocks: int, threads: int, given: npt.NDArray[np.int64]) -> None:
        arguments = (ctypes.c_void_p * 1)(_address(given))  # the driver copies the words before it returns
        self._call(
            "cuLaunchKernel", ctypes.c_void_p(function), blocks, 1, 1, threads, 1, 1, 0, None, arguments, None
        )  # fmt: skip

    def synchronise(self) -> None:
        self._call("cuCtxSynchronize")


def _address(array: Array) -> ctypes.c_void_p:
    if not array.flags.c_contiguous:
        raise TypeError("only contiguous arrays can be copied to or from a GPU")
    return ctypes.c_void_p(array.__array_interface__["data"][0])


_NAMES = ("libcuda.so.1", "libcuda.so", "nvcuda.dll")


@cache
def _library() -> Any:
    """The driver's library. Raises DriverMissing."""
    for name in _NAMES:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise DriverMissing("NVIDIA's driver is not installed")
