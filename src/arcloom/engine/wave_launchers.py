"""Launchers for waves: the row functions, a thread for each row on CUDA, and the same text as a plain loop on the host.

Everything is in two heaps. Columns are places in the heap of words, given as numbers: where a column starts, and its
step, which is 0 if all rows have the same word. Rows run at the same time, so each must know where to write before it
runs. A kernel that takes room is launched in two steps, with an exclusive scan between them:

- ``measure(heap, cells, count, limit, *types, *columns, [positions], *needs, out)`` writes how much room each row
  needs, a column of needs for each heap that the kernel takes room in: see ``heaps_of``. A row that fails before it
  runs, because an argument failed or it would need too much, needs none, and has its failure in ``out``.
- ``fill(heap, cells, count, limit, *types, *columns, [positions], *starts, *tops, out)`` runs the other rows, each with
  its own room: where its start says, from the heap's top on.

A kernel that takes no room has a ``fill`` only. The ``positions`` of a reducing kernel say where each row's first
element is among the frame's values: an exclusive scan of the containers' lengths, those of failed rows being 0.

Launchers are modules in the cache folder, where Numba keeps the compiled code.
"""

import hashlib
import os
import threading
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from numba import config, types
from numba.extending import intrinsic

from arcloom.engine import compare, pointer
from arcloom.engine.compile.digest import source_digest
from arcloom.engine.compile.folders import writable
from arcloom.engine.kernel import Kernel
from arcloom.engine.launchers import imported, lookup

SIMULATED = bool(config.ENABLE_CUDASIM)  # type: ignore[attr-defined]
"""Whether CUDA is Numba's simulator."""


def _itself(array: Any) -> Any:
    return array


base: Any = _itself if config.DISABLE_JIT or SIMULATED else pointer.base  # type: ignore[attr-defined]
"""Where an array's elements are, for row functions; the simulator has no addresses."""


@cache
def kernel_launcher(kernel: Kernel, step: str, target: str) -> Any:
    """The "measure" or "fill" of a kernel. On CUDA it is configured as ``fill[blocks, threads](...)``: any will do."""
    return getattr(_module(kernel.name, _source(kernel, target), target), step)


@cache
def arrangement_launcher(name: str, target: str) -> Any:
    """The loop ``run(heap, cells, count, *numbers)`` around an arrangement."""
    return _module(f"arrange_{name}", _arrangement_source(name, target), target).run


@cache
def scan_launchers() -> tuple[Any, Any]:
    """The two kernels of a scan on CUDA: of tiles by themselves, and of what comes before each."""
    module = _module("scan", _SCAN.format(threads=SCAN_THREADS, each=SCAN_EACH), "cuda")
    return module.scan_tiles, module.add_tiles


SCAN_THREADS, SCAN_EACH = (4, 2) if SIMULATED else (256, 8)
"""A block scans a tile: so many threads, each so many numbers. The simulator's tiles are small, so there are some."""

TILE = SCAN_THREADS * SCAN_EACH


def heaps_of(kernel: Kernel) -> tuple[str, ...]:
    """The heaps that a kernel takes room in, in the order of its needs and starts: "heap" of words, "cells"."""
    return ("heap",) * bool(kernel.words or kernel.scratch) + ("cells",) * bool(kernel.cells)


def steps_of(kernel: Kernel) -> tuple[str, ...]:
    """The launches that a kernel takes."""
    return ("measure", "fill") if heaps_of(kernel) else ("fill",)


def numbers_of(kernel: Kernel, step: str) -> int:
    """How many numbers a launch is given, the count of rows among them."""
    rooms = len(heaps_of(kernel)) * (1 if step == "measure" else 2)
    return 2 + len(kernel.types) + 2 * len(kernel.kinds) + kernel.reduces + rooms + 1


_importing = threading.Lock()


@cache
def _module(name: str, text: str, target: str) -> Any:
    path = target_folder(target) / f"{name}.py"
    if target == "cuda" and not SIMULATED:
        _keep_apart()
    with _importing:
        if not path.exists():
            partial = path.with_suffix(f".{os.getpid()}.tmp")
            partial.write_text(text)
            partial.replace(path)
        return imported(f"arcloom_{target}_{name}", path)


@intrinsic
def _not_inlined(typing_context: Any) -> Any:
    """Have the function that this is called in be called, wherever it is used, instead of copied to there."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.function.attributes.add("noinline")
        return context.get_dummy_value()

    return types.void(), code


@cache
def _keep_apart() -> None:
    """Compile the comparison of nested values as a function of its own on CUDA.

    NVIDIA's compiler would copy it to each of its many callers: kernels would be four times as large, in their code and
    in the time they take to compile. A numba-cuda that has another place for its version of a function does just that.
    """
    cuda: Any = import_module("numba.cuda")
    inner = cuda.jit(device=True)(compare.compare.py_func)  # type: ignore[attr-defined]

    def compare_apart(heap: Any, cells: Any, type: int, a: int, b: int) -> int:
        _not_inlined()  # type: ignore[call-arg]
        return inner(heap, cells, type, a, b)

    compare.compare._CUDATypingContext__dispatcher = cuda.jit(device=True)(compare_apart)  # type: ignore[attr-defined]


def target_folder(target: str) -> Path:
    """Where the launchers for a target are kept."""
    return writable(f"{target}-{_digest()}")


@cache
def _digest() -> str:
    """A digest of everything that compiled code depends on, here and on the CPU."""
    try:
        target = version("numba-cuda")
    except PackageNotFoundError:  # Numba's own target
        target = ""
    here = Path(__file__)
    sources = (here, here.parent / "waves" / "arrange.py")
    parts = (source_digest().encode(), target.encode(), *(source.read_bytes() for source in sources))
    return hashlib.sha256(b"".join(parts)).hexdigest()[:16]


# The text of launchers

_DECORATED = {
    "cuda": ("from numba import cuda", "@cuda.jit(cache=True)"),
    "host": ("import numba", '@numba.njit(nogil=True, cache=True, error_model="numpy", _nrt=False)'),
}

_CUDA_LOOP = """step = cuda.gridsize(1)
    r = cuda.grid(1) - step
    while r + step < count:
        r += step"""
"""Numba's range with a step begins with a division of 64 bits, which is slow on a GPU."""

_LOOP = {"cuda": _CUDA_LOOP, "host": "for r in range(count):"}

_HEADER = '''"""Generated: a launcher. Safe to delete."""

import importlib

{imports}

from arcloom.engine.kernel import KERNELS
from arcloom.engine.wave_launchers import base
from arcloom.engine.words import BUDGET, LOWEST, area_of, length

importlib.import_module("{module}")
kernel = {lookup}
row, words, room = kernel.function, kernel.words or kernel.scratch, kernel.cells
'''

_FUNCTION = """

{decorator}
def {name}({params}):
    h, c = base(heap), base(cells)
    {loop}
        {body}
"""

_ARRANGEMENT = '''"""Generated: a loop over rows. Safe to delete."""

{imports}

from arcloom.engine.wave_launchers import base
from arcloom.engine.waves.arrange import ARRANGEMENTS

row = ARRANGEMENTS["{name}"]
'''

_SCAN = '''"""Generated: a scan. Safe to delete."""

from numba import cuda, int64

THREADS, EACH = {threads}, {each}


@cuda.jit(cache=True)
def scan_tiles(heap, start, count, totals):
    """Scan each tile by itself; its sum goes to ``totals``. The launch brings shared memory, a number a thread."""
    sums = cuda.shared.array(0, int64)
    t = cuda.threadIdx.x
    tiles = (count + THREADS * EACH - 1) // (THREADS * EACH)
    for tile in range(cuda.blockIdx.x, tiles, cuda.gridDim.x):
        first = (int64(tile) * THREADS + t) * EACH
        last = min(first + EACH, count)
        own = int64(0)
        for k in range(first, last):
            own += heap[start + k]
        sums[t] = own
        cuda.syncthreads()
        reach = 1
        while reach < THREADS:
            before = sums[t - reach] if t >= reach else int64(0)
            cuda.syncthreads()
            sums[t] += before
            cuda.syncthreads()
            reach *= 2
        before = sums[t] - own
        for k in range(first, last):
            number = heap[start + k]
            heap[start + k] = before
            before += number
        if t == THREADS - 1:
            heap[totals + tile] = sums[t]
        cuda.syncthreads()


@cuda.jit(cache=True)
def add_tiles(heap, start, count, totals, tiles):
    """Add to each tile the sum of those before it; ``totals`` have been scanned."""
    for k in range(cuda.grid(1), count + 1, cuda.gridsize(1)):
        if k < count:
            heap[start + k] += heap[totals + k // (THREADS * EACH)]
        else:
            heap[start + count] = heap[totals + tiles]
'''


def _source(kernel: Kernel, target: str) -> str:
    """The text of a kernel's launchers."""
    imports, _ = _DECORATED[target]
    header = _HEADER.format(module=kernel.module, lookup=lookup(kernel), imports=imports)
    checked = [*_arguments(kernel), *_checks(kernel)]
    if not heaps_of(kernel):
        return header + _function(kernel, "fill", [], [*checked, *_run(kernel)], target)
    needs = [f"{heap}_needs" for heap in heaps_of(kernel)]
    rooms = [f"{heap}_{what}" for what in ("starts", "top") for heap in heaps_of(kernel)]
    measure = [*(f"h[{need} + r] = 0" for need in needs), *checked, *_sizes(kernel)]
    fill = ["if h[out + r] < LOWEST:", "    continue", *_arguments(kernel), *_run(kernel)]
    return (
        header + _function(kernel, "measure", needs, measure, target) + _function(kernel, "fill", rooms, fill, target)
    )


def _arrangement_source(name: str, target: str) -> str:
    from arcloom.engine.waves.arrange import ARRANGEMENTS

    imports, decorator = _DECORATED[target]
    function = ARRANGEMENTS[name]
    code = getattr(function, "py_func", function).__code__
    numbers = list(code.co_varnames[3 : code.co_argcount])
    body = f"row(r, h, c, {', '.join(f'{number}_' for number in numbers)})"
    params = ", ".join(["heap", "cells", "count", *(f"{number}_" for number in numbers)])
    loop = _FUNCTION.format(decorator=decorator, name="run", params=params, loop=_LOOP[target], body=body)
    return _ARRANGEMENT.format(imports=imports, name=name) + loop


def _function(kernel: Kernel, name: str, rooms: list[str], body: list[str], target: str) -> str:
    columns = [part for k in range(len(kernel.kinds)) for part in (f"a{k}", f"s{k}")]
    given = [*_types(kernel), *columns, *["positions"] * kernel.reduces]
    params = ["heap", "cells", "count", "limit", *given, *rooms, "out"]
    _, decorator = _DECORATED[target]
    text = "\n        ".join(body)
    return _FUNCTION.format(decorator=decorator, name=name, params=", ".join(params), loop=_LOOP[target], body=text)


def _types(kernel: Kernel) -> list[str]:
    return [f"t{k}" for k in range(len(kernel.types))]


def _call(kernel: Kernel, *places: str) -> str:
    """What the row function and its sizes are called with."""
    args = ["x0", "h", "first"] if kernel.reduces else [f"x{k}" for k in range(len(kernel.kinds))]
    return ", ".join(["h", "c", *places, *_types(kernel), *args])


def _arguments(kernel: Kernel) -> list[str]:
    """The lines that read a row's arguments."""
    if kernel.reduces:
        return ["x0 = h[a0 + s0 * r]", "first = a1 + h[positions + r]"]
    return [f"x{k} = h[a{k} + s{k} * r]" for k in range(len(kernel.kinds))]


def _checks(kernel: Kernel) -> list[str]:
    """The lines that leave a row whose arguments failed: it has failed for the reason of the first."""
    if kernel.reduces:
        given = ["if x0 < LOWEST:", "    h[out + r] = x0", "    continue"]
        return given if kernel.lazy else [*given, *_STRICT]
    if kernel.lazy or not kernel.kinds:
        return []
    xs = [f"x{k}" for k in range(len(kernel.kinds))]
    first = "".join(f"{x} if {x} < LOWEST else " for x in xs[:-1]) + xs[-1]
    return [f"if {' or '.join(f'{x} < LOWEST' for x in xs)}:", f"    h[out + r] = {first}", "    continue"]


_STRICT = [
    "failed = 0",
    "for k in range(first, first + length(x0)):",
    "    if h[k] < LOWEST:",
    "        failed = h[k]",
    "        break",
    "if failed < LOWEST:",
    "    h[out + r] = failed",
    "    continue",
]


def _sizes(kernel: Kernel) -> list[str]:
    """The lines that write how much room a row needs, unless that is too much."""
    size = {"heap": "words", "cells": "room"}
    lines = [f"need_{heap} = {size[heap]}({_call(kernel)})" for heap in heaps_of(kernel)]
    too_much = " or ".join(f"need_{heap} > 4 * limit + 4096" for heap in heaps_of(kernel))
    lines += [f"if {too_much}:", "    h[out + r] = BUDGET", "    continue"]
    return [*lines, *(f"h[{heap}_needs + r] = need_{heap}" for heap in heaps_of(kernel)), "h[out + r] = 0"]


def _run(kernel: Kernel) -> list[str]:
    """The lines that run the row function; a result that is too large fails."""
    starts = [f"{heap}_top + h[{heap}_starts + r]" for heap in heaps_of(kernel)]
    lines = [f"word = row({_call(kernel, *starts)})"]
    if kernel.words or kernel.cells:
        count = "length(word)" if kernel.words else "area_of(word)"
        lines += [f"if word >= LOWEST and {count} >= limit:", "    word = BUDGET"]
    return [*lines, "h[out + r] = word"]
