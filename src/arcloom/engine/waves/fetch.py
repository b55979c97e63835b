"""Bringing results to the host: once for all programs of a share, level by level where values are nested."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from arcloom.dsl.signature import Type
from arcloom.engine.columns import Cells, Reader, Words
from arcloom.engine.kernel import kind_of
from arcloom.engine.waves.device import Device
from arcloom.engine.waves.lane import Lane
from arcloom.engine.waves.room import Column
from arcloom.engine.words import FAILED, LOWEST, MASK, NONE

if TYPE_CHECKING:
    from arcloom.engine.batt import Batt

_NO_WORDS = np.empty(0, np.int64)
_NO_CELLS = np.empty(0, np.int8)


@dataclass(frozen=True)
class Block:
    """What programs gave for samples; all arrays are programs by samples.

    ``words`` are grids in ``cells``, or failures; ``values`` by program and row are what is no grid. ``equal`` is 1
    where a grid is what was expected; it is empty if nothing was. If outputs have ``stayed``, there are no cells.
    """

    programs: tuple[int, ...]
    samples: Words
    words: Words
    cells: Cells
    values: dict[tuple[int, int], Any]
    lines: Words
    reasons: Words
    equal: Words
    stayed: bool = False


def fetch_block(
    batt: "Batt",
    lane: Lane,
    programs: tuple[int, ...],
    samples: Words,
    expected: Column | None,
    limit: int,
    stay: bool = False,
) -> Block:
    """What a lane has for these programs and all its samples; outputs may ``stay`` where they are."""
    device, shape = lane.device, (len(programs), len(samples))
    outputs = _outputs(batt, lane, programs)
    grids = _grids(batt, lane, programs)
    entries = [_entries(batt, lane, p) for p in programs]
    found = device.blamed(outputs, entries, len(samples)).reshape(shape)
    equal = _NO_WORDS if expected is None else _equal(batt, device, grids, expected, limit).reshape(shape)
    if stay:
        return Block(programs, samples, found * 0, _NO_CELLS, {}, found // 64, found % 64, equal, True)
    words, cells = device.cells_of(grids)
    values = _other_values(batt, device, programs, outputs, words.reshape(shape), found)
    return Block(programs, samples, words.reshape(shape), cells, values, found // 64, found % 64, equal)


def _outputs(batt: "Batt", lane: Lane, programs: Sequence[int]) -> Column:
    root = batt.graph.root
    return lane.device.dense(lane.device.concat([lane.column(batt.traced[p].output, root) for p in programs]))


def _grids(batt: "Batt", lane: Lane, programs: Sequence[int]) -> Column:
    """The outputs that are grids; failures where they are not."""
    root = batt.graph.root
    count = lane.frames[root].count
    columns = []
    for p in programs:
        node = batt.grids.get(p, batt.traced[p].output)
        is_grid = node.type.kind == "grid"
        columns.append(lane.column(node, root) if is_grid else lane.device.constant(FAILED, count))
    return lane.device.dense(lane.device.concat(columns))


def _entries(batt: "Batt", lane: Lane, p: int) -> list[tuple[int, Column]]:
    """The lines of a program and the columns that tell whether they failed, in the order of evaluation."""
    known = [(line, node) for line, node in batt.traced[p].steps if node in lane.values]
    return [(line, lane.values[node]) for line, node in known]


def _equal(batt: "Batt", device: Device, grids: Column, expected: Column, limit: int) -> Words:
    """Where grids are what is expected of them, compared on the device."""
    launch = batt.planner.equality
    wanted = device.concat([expected] * (grids.count // expected.count))
    return device.host(device.launch(launch.kernel, limit, launch.types, [grids, wanted], grids.count))


def _other_values(
    batt: "Batt", device: Device, programs: Sequence[int], outputs: Column, grids: Words, failures: Words
) -> dict[tuple[int, int], Any]:
    """The outputs that are no grids, program by program: their types differ."""
    values: dict[tuple[int, int], Any] = {}
    count = grids.shape[1]
    other = (grids < LOWEST) & (failures == 0)
    for k in map(int, np.flatnonzero(other.any(axis=1))):
        rows = np.flatnonzero(other[k])
        column = device.take(outputs.rows(k * count, count), device.column(rows))
        fetched = fetch(device, column, batt.traced[programs[k]].output.type)
        values.update(((k, int(row)), value) for row, value in zip(rows, fetched, strict=True))
    return values


def fetch(device: Device, column: Column, type: Type) -> list[Any]:
    """The values of a column in which nothing failed."""
    kind = kind_of(type)
    if kind == "perhaps":
        return _perhaps(device, column, type)
    if kind == "grid":
        words, cells = device.cells_of(column)
    else:
        words, cells = device.host(column), _NO_CELLS
    if kind in ("tuple", "set", "box"):
        return _containers(device, column, words, type, kind)
    reader = Reader(_NO_WORDS, cells)
    return [reader.value(int(word), type) for word in words]


def _perhaps(device: Device, column: Column, type: Type) -> list[Any]:
    """Values that may be missing: those that are there are fetched by themselves."""
    words = device.host(column)
    rows = np.flatnonzero(words != NONE)
    reader = Reader(_NO_WORDS, _NO_CELLS)
    values = [reader.value(NONE, type) if word == NONE else None for word in words]
    for row, value in zip(rows, fetch(device, device.take(column, device.column(rows)), type.element), strict=True):
        values[row] = value
    return values


def _containers(device: Device, column: Column, words: Words, type: Type, kind: str) -> list[Any]:
    ends = np.cumsum(words & MASK)
    count = int(ends[-1]) if len(ends) else 0
    elements, _ = device.expand(column, device.scanned("lengths", column, 0), count)
    if kind == "box":
        parts = len(type.parts)
        places = [device.column(np.arange(k, count, parts)) for k in range(parts)]
        columns = [device.take(elements, rows) for rows in places]
        return list(zip(*(fetch(device, *part) for part in zip(columns, type.parts, strict=True)), strict=True))
    inner = fetch(device, elements, type.element) if count else []
    make = frozenset if kind == "set" else tuple
    return [make(inner[end - (word & MASK) : end]) for word, end in zip(words, ends, strict=True)]
