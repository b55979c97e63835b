"""Running one kernel on columns of arguments and comparing every row with the reference.

In ``make nightly`` the PTX of the kernel runs, too: afterwards all memory must be as on the CPU.
"""

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from ptx.kernels import NIGHTLY
from ptx.launcher import ptx_launcher

from arcloom.dsl.declare import Primitive
from arcloom.dsl.meter import DEFAULT_BUDGET, Meter, metered
from arcloom.dsl.signature import Type, rule
from arcloom.dsl.values import Failure, Reason
from arcloom.engine.columns import Cells, Reader, Words
from arcloom.engine.compile.library import LIBRARY
from arcloom.engine.kernel import find_kernel, kind_of
from arcloom.engine.machine.records import STATE_RECORD
from arcloom.engine.plan import Planner, charges_of, described
from arcloom.engine.warm import ensure
from arcloom.engine.words import FAILED, LOWEST

ROOM = 1 << 22
Launcher = Callable[[Words, Cells, int, int], None]
"""A function that runs a kernel: it takes words, cells, and the positions of the state and of the orders."""

LAUNCHER = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)


def outcome(primitive: Primitive[..., Any], args: Sequence[Any], budget: int = DEFAULT_BUDGET) -> Any:
    """The outcome on the reference: a value, or the reason of its failure."""
    try:
        with metered(Meter(budget)):
            return primitive(*args)
    except Failure as failure:
        return failure.reason


def run_kernel(
    primitive: Primitive[..., Any], types: tuple[Type, ...], rows: Sequence[Sequence[Any]], budget: int = DEFAULT_BUDGET
) -> list[Any]:
    """The outcome of the kernel for each row of arguments of these types: a value, or the reason of a failure."""
    found = rule(primitive, types)
    kernel = find_kernel(primitive.name, found.wants)
    assert kernel is not None, f"no kernel for {primitive.name} on {', '.join(map(kind_of, found.wants))}"
    planner = Planner()
    store = planner.store
    given = [described(spec, found.wants, found.result) for spec in kernel.types]
    statics = planner.words([*given, *charges_of(primitive, found.wants, found.result)])
    arguments = zip(zip(*rows, strict=True), found.wants, strict=True)
    columns = [[store.value(arg, want) for arg in column] for column, want in arguments]
    words, cells = np.zeros(ROOM, np.int64), np.zeros(ROOM, np.int8)
    words[: len(store.words)] = store.words
    cells[: len(store.cells)] = np.frombuffer(bytes(store.cells), np.int8)
    ensure([kernel])
    rest = (columns, statics, budget, len(store.words))
    before = (words.copy(), cells.copy()) if NIGHTLY else None
    words = launched(on_cpu(LIBRARY.address(kernel.name)), words, cells, *rest)
    if before is not None:
        launched(ptx_launcher(kernel.name), before[0], before[1], *rest)
        assert np.array_equal(before[0], words) and np.array_equal(before[1], cells), "the PTX computes something else"
    out = words[-len(rows) :]
    reader = Reader(words, cells)
    return [Reason(int(word) - FAILED) if word < LOWEST else reader.value(int(word), found.result) for word in out]


def on_cpu(address: int) -> Launcher:
    """The compiled launcher at an address."""

    def launch(words: Words, cells: Cells, state: int, orders: int) -> None:
        LAUNCHER(address)(words.ctypes.data, cells.ctypes.data, state, orders)

    return launch


def launched(
    launcher: Launcher,
    words: Words,
    cells: Any,
    columns: Sequence[Sequence[int]],
    statics: Sequence[int],
    limit: int,
    top: int,
) -> Words:
    """Run a launcher, and return the words afterwards, with the column of results at the end."""
    rows = len(columns[0])
    at = len(words) - rows * (len(columns) + 1)
    for k, column in enumerate(columns):
        words[at + k * rows : at + (k + 1) * rows] = column
    places = [place for k in range(len(columns)) for place in (at + k * rows, 1)]
    orders = [rows, len(words) - rows, *places, *statics]
    state = STATE_RECORD.table(1)
    state["top"], state["columns"], state["limit"] = top + 128, at, limit
    state["cells_top"], state["cells_end"], state["ceiling"] = len(cells) // 2, len(cells), 1 << 50
    words[top : top + STATE_RECORD.size] = state.words
    words[top + STATE_RECORD.size : top + STATE_RECORD.size + len(orders)] = orders
    launcher(words, cells, top, top + STATE_RECORD.size)
    assert words[top + STATE_RECORD.offset("full")] == 0, "the memory of this check is too small"
    return words


def assert_kernel(
    primitive: Primitive[..., Any], types: tuple[Type, ...], rows: Sequence[Sequence[Any]], budget: int = DEFAULT_BUDGET
) -> None:
    """Assert that every row has the value of the reference, or fails for its reason."""
    for args, got in zip(rows, run_kernel(primitive, types, rows, budget), strict=True):
        expected = outcome(primitive, args, budget)
        assert got == expected and _kind(got) is _kind(expected), (
            f"{primitive.name}{tuple(args)}: kernel {got!r}, reference {expected!r}"
        )


def _kind(value: Any) -> type | None:
    """The type of a value, to distinguish values that compare equal: a Reason is an int, too."""
    return next((kind for kind in (Reason, tuple, frozenset) if isinstance(value, kind)), None)
