"""Launchers: the compiled loops that run a kernel's row function over columns, as text.

A launcher is a function of the words, the cells, the position of a slot's state and the position of its orders.
"""

from arcloom.engine.kernel import Kernel
from arcloom.engine.machine.records import ARGS, STATE_RECORD

TEMPORARY = 4096
"""The words or cells that a row may need beside its result while it runs, however small the limit of work is."""


def source(kernel: Kernel) -> str:
    """The text of a kernel's launcher."""
    args = [f"a{k}" for k in range(len(kernel.kinds))]
    types = [f"t{k}" for k in range(len(kernel.types))]
    orders = [f"    {arg}, s{k} = words[orders + {at}], words[orders + {at + 1}]\n" for k, arg, at in _args(kernel)]
    orders += [f"    {type} = words[orders + {ARGS + 2 * len(args) + k}]\n" for k, type in enumerate(types)]
    body = _reduce_body(kernel, types) if kernel.reduces else _map_body(kernel, types, args)
    offsets = {name: f"words[state + {STATE_RECORD.offset(name)}]" for name in STATE_RECORD.fields}
    header = _HEADER.format(module=kernel.module, lookup=lookup(kernel), **offsets)
    overdrawn = "" if _may_be_large(kernel) else _OVERDRAWN
    return header + "".join(orders) + _codes(kernel) + body + overdrawn + _END.format(**offsets)


def _args(kernel: Kernel) -> list[tuple[int, str, int]]:
    """The number, the name and the position among the orders of each argument."""
    return [(k, f"a{k}", ARGS + 2 * k) for k in range(len(kernel.kinds))]


def lookup(kernel: Kernel) -> str:
    """The expression that finds a kernel again."""
    return f'next(k for k in KERNELS["{kernel.op}"] if k.name == "{kernel.name}")'


_HEADER = """import importlib

from arcloom.engine.kernel import KERNELS
from arcloom.dsl.work import CALL, LARGEST
from arcloom.engine.machine.records import COUNTED, FREE
from arcloom.engine.machine.weighing import ELEMENTS, measured, measured_values
from arcloom.engine.words import BUDGET, LOWEST, area_of, corner_of, length, start

importlib.import_module("{module}")
kernel = {lookup}
row, room_words, room_cells = kernel.function, kernel.words or kernel.scratch, kernel.cells


def launch(words, cells, state, orders):
    top, cells_top, spent = {top}, {cells_top}, 0
    limit, end, cells_end = {limit}, {columns}, {cells_end}
    ceiling = {ceiling}
    count, out, full = words[orders], words[orders + 1], 0
"""

_END = """    {top}, {cells_top} = top, cells_top
    {spent} = 0 if free else spent
    if full:
        {full} = 1
"""


def _map_body(kernel: Kernel, types: list[str], args: list[str]) -> str:
    xs = [f"x{k}" for k in range(len(args))]
    read = ""
    for k, (x, arg) in enumerate(zip(xs, args, strict=True)):
        read += f"        {x} = words[{arg} + r * s{k}]\n"
        if not kernel.lazy:
            read += f"        if {x} < LOWEST:\n            words[out + r] = {x}\n            continue\n"
    return "    for r in range(count):\n" + read + _row(kernel, [*types, *xs])


def _reduce_body(kernel: Kernel, types: list[str]) -> str:
    check = "" if kernel.lazy else _STRICT
    call = [*types, "x0", "words", "first"]
    return (
        "    position = a1\n    for r in range(count):\n        x0 = words[a0 + r * s0]\n"
        "        if x0 < LOWEST:\n            words[out + r] = x0\n            continue\n"
        "        first = position\n        position += length(x0)\n" + check + _row(kernel, call)
    )


_STRICT = """        failure = LOWEST
        for k in range(first, position):
            if words[k] < LOWEST:
                failure = words[k]
                break
        if failure < LOWEST:
            words[out + r] = failure
            continue
"""


def _codes(kernel: Kernel) -> str:
    """The lines that read how arguments count as work, and the flags: see ``records``."""
    at = ARGS + 2 * len(kernel.kinds) + len(kernel.types)
    lines = [f"    k{k} = words[orders + {at + k}]\n" for k in (*kernel.sized, *((1,) if kernel.reduces else ()))]
    return "".join(lines) + f"    flags = words[orders + {at + len(kernel.kinds)}]\n    free = flags & FREE\n"


def _size(kernel: Kernel, k: int) -> str:
    """The expression for the size of an argument that counts as work."""
    if kernel.kinds[k] == "grid":
        return f"(area_of(x{k}) if k{k} else 0)"
    return f"(measured(words, k{k}, x{k}, limit) if k{k} > ELEMENTS else length(x{k}) if k{k} else 0)"


def _cost(kernel: Kernel) -> list[str]:
    """The lines that count the work of a row before its result is known: see docs/language.md on budgets."""
    sizes = [_size(kernel, k) for k in kernel.sized]
    lines = [f"        cost = CALL{''.join(f' + {size}' for size in sizes)}"]
    if kernel.pairwise:
        first, *rest = sizes
        lines = [f"        cost = CALL + min(limit, {first}) * {rest[0] if rest else first}"]
    if kernel.reduces:
        lines = [f"        cost = CALL * (1 + {sizes[0]})"]
        lines += [
            "        if k1:",
            "            cost += measured_values(words, k1, first, position, limit)",
        ]
    if sizes:
        lines += [
            "        if cost > limit and not free:",
            "            words[out + r] = BUDGET",
            "            continue",
        ]
    return lines


def _row(kernel: Kernel, call: list[str]) -> str:
    """The lines for one row: make sure of room, call the row function, take the room that it used."""
    sizes = ", ".join(["words", "cells", *call])
    lines = _cost(kernel)
    places = []
    if kernel.words or kernel.scratch:
        lines += _room("heap", f"room_words({sizes})", "top", "end")
        places.append("top")
    if kernel.cells:
        lines += _room("cells", f"room_cells({sizes})", "cells_top", "cells_end")
        places.append("cells_top")
    lines.append(f"        word = row({', '.join(['words', 'cells', *places, *call])})")
    lines += _taken(kernel)
    lines += ["        spent += cost if word >= LOWEST else 0", "        words[out + r] = word"]
    if _may_be_large(kernel):
        lines += _ENOUGH
    return "\n".join(lines) + "\n"


def _may_be_large(kernel: Kernel) -> bool:
    """Whether the cost of a row can be much larger than that of a call."""
    return bool(kernel.sized or kernel.words or kernel.cells)


_ENOUGH = [
    "        if spent > ceiling and not free:",
    "            for rest in range(r, count):",
    "                words[out + rest] = BUDGET",
    "            break",
]
"""The lines that end a launch when its work exceeds the ceiling: the row and those behind it fail."""

_OVERDRAWN = """    if spent > ceiling and not free:
        for r in range(count):
            if words[out + r] >= LOWEST:
                ceiling -= CALL
                if ceiling < 0:
                    words[out + r] = BUDGET
"""
"""The lines that do the same behind the loop over rows, which is quicker so, where all rows cost the same."""


def _room(heap: str, size: str, top: str, end: str) -> list[str]:
    """The lines that make sure of room in a heap: a row may not need more than a few times the largest value."""
    return [
        f"        need_{heap} = {size}",
        f"        if need_{heap} > 4 * min(limit, LARGEST) + {TEMPORARY}:",
        "            words[out + r] = BUDGET",
        "            continue",
        f"        if {top} + need_{heap} > {end}:",
        "            full = 1",
        "            break",
    ]


def _taken(kernel: Kernel) -> list[str]:
    """The lines that move the tops of the heaps and count the size of the result as work."""
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
    size = "length(word)" if kernel.words else "area_of(word)"
    lines.append(f"            if flags & COUNTED:\n                cost += {size}")
    lines.append(
        f"            if {size} > LARGEST or (cost > limit and not flags & FREE):\n                word = BUDGET"
    )
    return lines
