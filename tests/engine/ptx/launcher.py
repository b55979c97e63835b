"""Executing the PTX of a single kernel."""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from arcloom.engine.warm import all_kernels
from ptx.kernels import ptx_module
from ptx.simulator import Launch, Simulator


@cache
def ptx_launcher(kernel: str) -> Callable[[Any, Any, int, int], None]:
    """A kernel's launcher: it takes words, cells, and the positions of the state and of the orders."""
    module = ptx_module(tuple(each.name for each in all_kernels()))
    (name,) = (each for each in module.functions if re.fullmatch(rf"{kernel}_\d+", each))
    simulator = Simulator(module, [name])

    def launch(words: Any, cells: Any, state: int, orders: int) -> None:
        given = [int(words.ctypes.data), int(cells.ctypes.data), state, orders]
        memory = [(at, at + array.nbytes, 0) for at, array in zip(given, (words, cells), strict=False)]
        Launch(simulator, name, (1, 1), memory, 1).run(0, *(np.array([each]) for each in given))

    return launch
