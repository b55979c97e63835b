"""Runs one kernel on a column of arguments and compares every row with the reference."""

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

from arcloom.dsl.declare import DEFAULT_BUDGET, Meter, Primitive, metered
from arcloom.dsl.signature import Type, rule
from arcloom.dsl.values import Failure, Reason
from arcloom.engine.columns import Reader, Store
from arcloom.engine.compile.library import LIBRARY
from arcloom.engine.kernel import find_kernel, kind_of
from arcloom.engine.plan import described
from arcloom.engine.warm import ensure
from arcloom.engine.words import FAILED, LOWEST

ROOM = 1 << 22
LAUNCHER = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 5)


def outcome(primitive: Primitive[..., Any], args: Sequence[Any], budget: int = DEFAULT_BUDGET) -> Any:
    """What the reference gives: a value, or the reason of its failure."""
    try:
        with metered(Meter(budget)):
            return primitive(*args)
    except Failure as failure:
        return failure.reason


def run_kernel(
    primitive: Primitive[..., Any], types: tuple[Type, ...], rows: Sequence[Sequence[Any]], budget: int = DEFAULT_BUDGET
) -> list[Any]:
    """What the kernel gives for each row of arguments of these types: a value, or the failure word's reason."""
    found = rule(primitive, types)
    kernel = find_kernel(primitive.name, found.wants)
    assert kernel is not None, f"no kernel for {primitive.name} on {', '.join(map(kind_of, found.wants))}"
    store = Store()
    statics = [store.type(described(spec, found.wants, found.result)) for spec in kernel.types]
    arguments = zip(zip(*rows, strict=True), found.wants, strict=True)
    columns = [[store.value(arg, want) for arg in column] for column, want in arguments]
    heap = np.zeros(ROOM, np.int64)
    cells = np.zeros(ROOM, np.int8)
    heap[: len(store.words)] = store.words
    cells[: len(store.cells)] = np.frombuffer(bytes(store.cells), np.int8)
    state = np.array([len(store.words), len(store.cells), 0, 0, budget, ROOM, ROOM])
    memory = np.concatenate([*[np.array(c, np.int64) for c in columns], np.zeros(len(rows), np.int64)])
    places = [place for k in range(len(columns)) for place in (k * len(rows), 1)]
    orders = np.array([len(rows), len(columns) * len(rows), *places, *statics])
    arrays = (heap, cells, memory, state, orders)
    ensure([kernel])
    LAUNCHER(LIBRARY.address(kernel.name))(*[array.ctypes.data for array in arrays])
    assert state[2] == 0, "the heap of this check is too small"
    out = memory[len(columns) * len(rows) :]
    reader = Reader(heap, cells)
    return [Reason(int(word) - FAILED) if word < LOWEST else reader.value(int(word), found.result) for word in out]


def assert_kernel(
    primitive: Primitive[..., Any], types: tuple[Type, ...], rows: Sequence[Sequence[Any]], budget: int = DEFAULT_BUDGET
) -> None:
    """Every row of the kernel is the reference's value or fails for the reference's reason."""
    for args, got in zip(rows, run_kernel(primitive, types, rows, budget), strict=True):
        expected = outcome(primitive, args, budget)
        assert got == expected and _sort(got) is _sort(expected), (
            f"{primitive.name}{tuple(args)}: kernel {got!r}, reference {expected!r}"
        )


def _sort(value: Any) -> type | None:
    """Tells apart what compares equal but is not: a reason is an int, too."""
    return next((kind for kind in (Reason, tuple, frozenset) if isinstance(value, kind)), None)
