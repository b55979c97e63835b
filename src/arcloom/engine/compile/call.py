"""Calling the interpreter's compiled functions from Python."""

import ctypes
from functools import cache
from typing import Any

from arcloom.engine.compile.library import LIBRARY
from arcloom.engine.entry_points import flattened


class EntryPoint:
    """A compiled function. It releases the GIL while it runs."""

    def __init__(self, name: str) -> None:
        self._function = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(LIBRARY.address(name))

    def __call__(self, *args: Any) -> int:
        """Call the function with named tuples of arrays and ints, or ints. The address of an array may replace it."""
        words = flattened(*args)
        return int(self._function((ctypes.c_int64 * len(words))(*words)))


@cache
def entry_point(name: str) -> EntryPoint:
    """The compiled function of this name. It must be in the cache: see ``warm.ensure``."""
    return EntryPoint(name)
