"""Launchers for CUDA: the same row functions as on the CPU, a thread for each row.

Rows run at the same time, so each must know where to write before it runs. A kernel that takes room is launched in two
steps, with an exclusive scan between them:

- ``measure(heap, cells, limit, *types, *args, [positions], *needs, out)`` writes how much room each row needs, a column
  of needs for each heap that the kernel takes room in: see ``heaps_of``. A row that fails before it runs, because an
  argument failed or it would need too much, needs none, and has its failure in ``out``.
- ``fill(heap, cells, limit, *types, *args, [positions], *starts, out)`` runs the other rows, each with its own room.

A kernel that takes no room has a ``fill`` only. The ``positions`` of a reducing kernel say where each row's first
element is among the frame's values: an exclusive scan of the containers' lengths, those of failed rows being 0.

As on the CPU, launchers are modules in the cache folder, where Numba keeps the compiled code.
"""

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from numba import config, cuda, types

from arcloom.engine import pointer
from arcloom.engine.kernel import Kernel
from arcloom.engine.launchers import _CELLS, _COLUMN, _imported, _lookup, cache_folder, source_digest


def _itself(array: Any) -> Any:
    return array


base: Any = _itself if config.ENABLE_CUDASIM else pointer.base  # type: ignore[attr-defined]
"""Where an array's elements are, for row functions; the simulator has no addresses."""


@dataclass(frozen=True)
class CudaLauncher:
    """What a kernel is launched with. Both are configured as ``fill[blocks, threads](...)``; any numbers will do."""

    measure: Any | None
    fill: Any


@cache
def cuda_launcher(kernel: Kernel) -> CudaLauncher:
    """The launcher of a kernel; Numba compiles it when it first runs on a device."""
    module = _module(kernel.name, source(kernel))
    return CudaLauncher(getattr(module, "measure", None), module.fill)


@cache
def cuda_expander() -> Any:
    """The loop ``expand(heap, containers, positions, elements, parents)``: see ``Device.expand``."""
    return _module("expand", _EXPAND).expand


def heaps_of(kernel: Kernel) -> tuple[str, ...]:
    """The heaps that a kernel takes room in, in the order of its needs and starts: "heap" of words, "cells"."""
    return ("heap",) * bool(kernel.words or kernel.scratch) + ("cells",) * bool(kernel.cells)


def _module(name: str, text: str) -> Any:
    path = cache_folder() / f"cuda-{_digest()}" / f"{name}.py"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(f".{os.getpid()}.tmp")
        partial.write_text(text)
        partial.replace(path)
    return _imported(f"arcloom_cuda_{name}", path)


@cache
def _digest() -> str:
    """A digest of everything that compiled code depends on, here and on the CPU."""
    try:
        target = version("numba-cuda")
    except PackageNotFoundError:  # Numba's own target
        target = ""
    parts = (source_digest().encode(), target.encode(), Path(__file__).read_bytes())
    return hashlib.sha256(b"".join(parts)).hexdigest()[:16]


# Compiling without a device


def ptx(kernel: Kernel, cc: tuple[int, int]) -> str:
    """The code of a kernel's functions for a compute capability, each a PTX module. No device is needed."""
    launcher = cuda_launcher(kernel)
    functions = [function.py_func for function in (launcher.measure, launcher.fill) if function is not None]
    with _compiling_for(cc):
        return "\n".join(_ptx(function, _signature(kernel), cc) for function in functions)


def _ptx(function: Callable[..., None], signature: Any, cc: tuple[int, int]) -> str:
    options = {"device": False, "abi": "numba", "output": "ptx"}
    text, _ = cuda.compile(function, signature, cc=cc, **options)  # type: ignore[attr-defined]
    return str(text)


def _signature(kernel: Kernel) -> Any:
    """The types of the arguments: the same for both functions."""
    columns = len(kernel.kinds) + kernel.reduces + len(heaps_of(kernel)) + 1
    return types.void(_COLUMN, _CELLS, types.int64, *[types.int64] * len(kernel.types), *[_COLUMN] * columns)


@contextmanager
def _compiling_for(cc: tuple[int, int]) -> Iterator[None]:
    """Here the compiler, which asks the current device when it comes to row functions, gets this answer."""
    dispatcher: Any = import_module("numba.cuda.dispatcher")
    original = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=cc)
    try:
        yield
    finally:
        dispatcher.get_current_device = original


# The text of launchers


def source(kernel: Kernel) -> str:
    """The text of a kernel's launcher for CUDA."""
    header = _HEADER.format(module=kernel.module, lookup=_lookup(kernel))
    checked = [*_arguments(kernel), *_checks(kernel)]
    if not heaps_of(kernel):
        return header + _function(kernel, "fill", [], [*checked, *_run(kernel)])
    needs = [f"{heap}_needs" for heap in heaps_of(kernel)]
    starts = [f"{heap}_starts" for heap in heaps_of(kernel)]
    measure = [*(f"{need}[r] = 0" for need in needs), *checked, *_sizes(kernel)]
    fill = ["if out[r] < LOWEST:", "    continue", *_arguments(kernel), *_run(kernel)]
    return header + _function(kernel, "measure", needs, measure) + _function(kernel, "fill", starts, fill)


_HEADER = '''"""Generated: a launcher. Safe to delete."""

import importlib

from numba import cuda

from arcloom.engine.cuda_launchers import base
from arcloom.engine.kernel import KERNELS
from arcloom.engine.words import BUDGET, FAILED, LOWEST, area_of, length

importlib.import_module("{module}")
kernel = {lookup}
row, words, room = kernel.function, kernel.words or kernel.scratch, kernel.cells
'''

_FUNCTION = """

@cuda.jit(cache=True)
def {name}({params}):
    h, c = base(heap), base(cells)
    for r in range(cuda.grid(1), out.shape[0], cuda.gridsize(1)):
        {body}
"""

_EXPAND = '''"""Generated: a loop over containers. Safe to delete."""

from numba import cuda

from arcloom.engine.words import LOWEST, length, start


@cuda.jit(cache=True)
def expand(heap, containers, positions, elements, parents):
    for row in range(cuda.grid(1), containers.shape[0], cuda.gridsize(1)):
        word = containers[row]
        if word >= LOWEST:
            for k in range(length(word)):
                elements[positions[row] + k] = heap[start(word) + k]
                parents[positions[row] + k] = row
'''


def _function(kernel: Kernel, name: str, rooms: list[str], body: list[str]) -> str:
    args = [f"a{k}" for k in range(len(kernel.kinds))] + ["positions"] * kernel.reduces
    params = ["heap", "cells", "limit", *_types(kernel), *args, *rooms, "out"]
    return _FUNCTION.format(name=name, params=", ".join(params), body="\n        ".join(body))


def _types(kernel: Kernel) -> list[str]:
    return [f"t{k}" for k in range(len(kernel.types))]


def _call(kernel: Kernel, *places: str) -> str:
    """What the row function and its sizes are called with."""
    args = ["x0", "a1", "first"] if kernel.reduces else [f"x{k}" for k in range(len(kernel.kinds))]
    return ", ".join(["h", "c", *places, *_types(kernel), *args])


def _arguments(kernel: Kernel) -> list[str]:
    """The lines that read a row's arguments."""
    if kernel.reduces:
        return ["x0 = a0[r]", "first = positions[r]"]
    return [f"x{k} = a{k}[r]" for k in range(len(kernel.kinds))]


def _checks(kernel: Kernel) -> list[str]:
    """The lines that leave a row whose arguments failed."""
    if kernel.reduces:
        given = ["if x0 < LOWEST:", "    out[r] = x0", "    continue"]
        return given if kernel.lazy else [*given, *_STRICT, *_FAILED.format("failed").splitlines()]
    failed = " or ".join(f"x{k} < LOWEST" for k in range(len(kernel.kinds)))
    return [] if kernel.lazy or not failed else _FAILED.format(failed).splitlines()


_FAILED = """if {}:
    out[r] = FAILED
    continue"""

_STRICT = [
    "failed = False",
    "for k in range(first, first + length(x0)):",
    "    if a1[k] < LOWEST:",
    "        failed = True",
    "        break",
]


def _sizes(kernel: Kernel) -> list[str]:
    """The lines that write how much room a row needs, unless that is too much."""
    size = {"heap": "words", "cells": "room"}
    lines = [f"need_{heap} = {size[heap]}({_call(kernel)})" for heap in heaps_of(kernel)]
    too_much = " or ".join(f"need_{heap} > 4 * limit + 4096" for heap in heaps_of(kernel))
    lines += [f"if {too_much}:", "    out[r] = BUDGET", "    continue"]
    return [*lines, *(f"{heap}_needs[r] = need_{heap}" for heap in heaps_of(kernel)), "out[r] = 0"]


def _run(kernel: Kernel) -> list[str]:
    """The lines that run the row function; a result that is too large fails."""
    starts = [f"{heap}_starts[r]" for heap in heaps_of(kernel)]
    lines = [f"word = row({_call(kernel, *starts)})"]
    if kernel.words or kernel.cells:
        count = "length(word)" if kernel.words else "area_of(word)"
        lines += [f"if word >= LOWEST and {count} >= limit:", "    word = BUDGET"]
    return [*lines, "out[r] = word"]
