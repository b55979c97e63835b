"""Launchers: the compiled loops that run a kernel's row function over columns, as text."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

from arcloom.engine.compile.digest import source_digest as source_digest
from arcloom.engine.kernel import Kernel


def imported(name: str, path: Path) -> Any:
    """A generated module. Importing it compiles what it holds, or takes that from the cache."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # cached code looks its module up by name
    spec.loader.exec_module(module)
    return module


COUNT, OUT, ARGS = 0, 1, 2
"""A launch's orders: how many rows, where the results go, and from ARGS on, for each argument, where its column begins
and the step from one row to the next (none for a constant). What is the same for all rows follows."""


def source(kernel: Kernel) -> str:
    """The text of a kernel's launcher for the CPU."""
    args = [f"a{k}" for k in range(len(kernel.kinds))]
    types = [f"t{k}" for k in range(len(kernel.types))]
    orders = [f"    {arg}, s{k} = orders[{ARGS + 2 * k}], orders[{ARGS + 2 * k + 1}]\n" for k, arg in enumerate(args)]
    orders += [f"    {type} = orders[{ARGS + 2 * len(args) + k}]\n" for k, type in enumerate(types)]
    body = _reduce_body(kernel, types) if kernel.reduces else _map_body(kernel, types, args)
    return _HEADER.format(module=kernel.module, lookup=lookup(kernel)) + "".join(orders) + body


def lookup(kernel: Kernel) -> str:
    """The expression that finds a kernel again."""
    return f'next(k for k in KERNELS["{kernel.op}"] if k.name == "{kernel.name}")'


_HEADER = """import importlib

from arcloom.engine.kernel import KERNELS
from arcloom.engine.words import BUDGET, LOWEST, area_of, corner_of, length, start

importlib.import_module("{module}")
kernel = {lookup}
row, words, room = kernel.function, kernel.words or kernel.scratch, kernel.cells


def launch(h, c, columns, state, orders):
    top, cells_top, produced = state[0], state[1], state[3]
    limit, capacity, cells_capacity = state[4], state[5], state[6]
    out = orders[1]
"""


def _map_body(kernel: Kernel, types: list[str], args: list[str]) -> str:
    xs = [f"x{k}" for k in range(len(args))]
    read = ""
    for k, (x, arg) in enumerate(zip(xs, args, strict=True)):
        read += f"        {x} = columns[{arg} + r * s{k}]\n"
        if not kernel.lazy:
            read += f"        if {x} < LOWEST:\n            columns[out + r] = {x}\n            continue\n"
    return "    for r in range(orders[0]):\n" + read + _row(kernel, [*types, *xs]) + _END


def _reduce_body(kernel: Kernel, types: list[str]) -> str:
    check = "" if kernel.lazy else _STRICT
    call = [*types, "x0", "columns", "first"]
    return (
        "    position = a1\n    for r in range(orders[0]):\n        x0 = columns[a0 + r * s0]\n"
        "        if x0 < LOWEST:\n            columns[out + r] = x0\n            continue\n"
        "        first = position\n        position += length(x0)\n" + check + _row(kernel, call) + _END
    )


_STRICT = """        failure = LOWEST
        for k in range(first, position):
            if columns[k] < LOWEST:
                failure = columns[k]
                break
        if failure < LOWEST:
            columns[out + r] = failure
            continue
"""

_END = "    state[0], state[1], state[3] = top, cells_top, produced\n"


def _row(kernel: Kernel, call: list[str]) -> str:
    """The lines for one row: make sure of room, call the row function, take the room that it used."""
    sizes = ", ".join(["h", "c", *call])
    lines = []
    places = []
    if kernel.words or kernel.scratch:
        lines += _room("heap", f"words({sizes})", "top", "capacity")
        places.append("top")
    if kernel.cells:
        lines += _room("cells", f"room({sizes})", "cells_top", "cells_capacity")
        places.append("cells_top")
    lines.append(f"        word = row({', '.join(['h', 'c', *places, *call])})")
    lines += _taken(kernel)
    lines.append("        columns[out + r] = word")
    return "\n".join(lines) + "\n"


def _room(heap: str, size: str, top: str, capacity: str) -> list[str]:
    """The lines that make sure of room in a heap: a row may not need more than a few times its budget."""
    return [
        f"        need_{heap} = {size}",
        f"        if need_{heap} > 4 * limit + 4096:",
        "            columns[out + r] = BUDGET",
        "            continue",
        f"        if {top} + need_{heap} > {capacity}:",
        "            state[2] = 1",
        "            return",
    ]


def _taken(kernel: Kernel) -> list[str]:
    """The lines that move the tops of the heaps and count what was produced."""
    if not (kernel.words or kernel.cells):
        return []
    lines = ["        if word >= LOWEST:"]
    if kernel.words and kernel.closes:
        lines.append("            top = start(word) + length(word)")
    elif kernel.words and kernel.deep:
        lines.append("            top += need_heap")
    elif kernel.words:
        lines.append("            if start(word) == top:\n                top += length(word)")
    if kernel.cells and kernel.words:
        lines.append("            cells_top += need_cells")
    elif kernel.cells:
        lines.append("            if corner_of(word) == cells_top:\n                cells_top += area_of(word)")
    count = "length(word)" if kernel.words else "area_of(word)"
    lines.append(f"            produced += {count}")
    lines.append(f"            if {count} >= limit:\n                word = BUDGET")
    return lines
