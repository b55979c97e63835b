"""The interpreter's functions that are called from Python, as text to compile."""

from collections.abc import Callable
from inspect import signature
from typing import Any

import numba
import numpy as np

from arcloom.engine import lanes, offers

ENTRANCES: dict[str, Callable[..., int]] = {"run_lanes": lanes.run_lanes, "explore": offers.explore}

_WORDS, _CELLS, _FLAGS = np.dtype(np.int64), np.dtype(np.int8), np.dtype(np.bool_)
_TYPES = {"cells": _CELLS, "kept": _CELLS, "equal": _FLAGS}
"""The parameters that are not arrays of words."""

_MAKERS = {_WORDS: "words_at", _CELLS: "cells_at", _FLAGS: "flags_at"}

_TABLES = ("inputs", "programs", "steps", "lanes", "givens", "given_words")
"""The parameters that are arrays with two dimensions."""

SIGNATURE = (numba.types.CPointer(numba.int64),)  # type: ignore[no-untyped-call]
"""An entrance is given its arguments in one array of words: for each the address of its elements, then its shape."""


def parameters(name: str) -> list[tuple[str, np.dtype[Any], int]]:
    """The parameters of an entrance, which are arrays: name, type of the elements, and number of dimensions."""
    function = getattr(ENTRANCES[name], "py_func", ENTRANCES[name])
    return [(param, _TYPES.get(param, _WORDS), 1 + (param in _TABLES)) for param in signature(function).parameters]


def source(name: str) -> str:
    """The text of a function that calls an entrance with the arrays whose addresses and shapes it is given."""
    lines, at = [], 0
    for param, dtype, dimensions in parameters(name):
        shape = ", ".join(f"given[{at + 1 + k}]" for k in range(dimensions))
        lines.append(f"    {param} = {_MAKERS[dtype]}(given[{at}], ({shape},))\n")
        at += 1 + dimensions
    params = ", ".join(param for param, _, _ in parameters(name))
    return _TEXT.format(module=ENTRANCES[name].__module__, name=name, arrays="".join(lines), params=params)


_TEXT = """from {module} import {name}
from arcloom.engine.pointer import cells_at, flags_at, words_at


def launch(given):
{arrays}    return {name}({params})
"""
