"""Calling the interpreter's compiled functions from Python."""

import ctypes
from functools import cache
from typing import Any

from arcloom.engine.compile.library import LIBRARY
from arcloom.engine.entrances import parameters


class Entrance:
    """A compiled function, called with arrays. Other threads can run in the meantime."""

    def __init__(self, name: str) -> None:
        self._parameters = parameters(name)
        self._function = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(LIBRARY.address(name))

    def __call__(self, *arrays: Any) -> int:
        """Call it. Raises TypeError if an array is not of the type that the code was compiled for."""
        words: list[int] = []
        for array, (name, dtype, dimensions) in zip(arrays, self._parameters, strict=True):
            if array.dtype != dtype or array.ndim != dimensions or not array.flags.c_contiguous:
                raise TypeError(f"{name} must be a contiguous array of {dtype} with {dimensions} dimensions")
            words += (array.__array_interface__["data"][0], *array.shape)
        return int(self._function((ctypes.c_int64 * len(words))(*words)))


@cache
def entrance(name: str) -> Entrance:
    """A function of the interpreter. It must have been compiled: see ``warm.ensure``."""
    return Entrance(name)
