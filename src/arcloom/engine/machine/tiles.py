"""Running tiles: reads the inputs of samples, runs a group of programs, and writes the outputs."""

from typing import NamedTuple

from arcloom.engine.machine.arrange import OUTPUT, GroupTables, Plan, arrange, group, output
from arcloom.engine.machine.calls import atomic_add, read_shared
from arcloom.engine.machine.interpret import run_list
from arcloom.engine.machine.layout import record
from arcloom.engine.machine.records import (
    CONSTANT,
    LEVEL,
    OPENED,
    ORDER_WORDS,
    ORDERS,
    PLACE,
    Machine,
    node,
    opened,
    place,
    reloaded,
    saved,
    state,
)
from arcloom.engine.pointer import CellPointer, WordPointer
from arcloom.engine.words import FAILED, LOWEST, SIDE_BITS, area_of, corner_of, row_function

TILE = record("tile", "group members members_count samples samples_count out", array="tiles")
"""A tile: its group, the ranges of its programs in ``members`` and of its samples in ``samples``, and the row of its
first output. Rows of outputs are ordered by program, then by sample."""

OTHER = FAILED + 63
"""The output word of a value that is not a grid."""

NO_ROOM, NO_ROOM_FOR_OUTPUTS = 1, 2
"""Values of ``state.full``: the slot has too little room, or the array of outputs has."""

OPENED_WORDS, PLACE_WORDS, LEVEL_WORDS, OUTPUT_WORDS = OPENED.size, PLACE.size, LEVEL.size, OUTPUT.size


class Slot(NamedTuple):
    """The memory in which a tile runs: words and cells, with constants and samples at fixed positions; the addresses of
    kernels (on GPUs their numbers) and their times; the position of the slot's state; and the stop flag."""

    words: WordPointer
    cells: CellPointer
    kernels: WordPointer
    times: WordPointer
    state: int
    stop: WordPointer


class TileJob(NamedTuple):
    """Tiles, their inputs and their outputs.

    ``members`` are numbers of programs, ``samples`` numbers of samples. ``inputs`` has a row for each input, with a
    word for each sample. The word of an output goes to ``outputs`` and the line of a failure to ``lines``. The cells of
    grids go to ``kept``, of which ``kept_top`` words are used.
    """

    tiles: WordPointer
    members: WordPointer
    samples: WordPointer
    inputs: WordPointer
    constants: int
    outputs: WordPointer
    lines: WordPointer
    kept: CellPointer
    kept_top: WordPointer
    sample_count: int
    kept_end: int


tile = TILE.access


@row_function
def machine_for(p: Plan, s: Slot, number: int) -> Machine:
    """The interpreter's tuple for a group: its plan, and its mutable records at the bottom of a slot."""
    frames, nodes = group.frames(p, number), group.nodes(p, number)
    opened_at = s.state + ORDERS + ORDER_WORDS
    places = opened_at + OPENED_WORDS * frames
    levels = places + PLACE_WORDS * nodes
    counters = levels + LEVEL_WORDS * group.depth(p, number)
    first_node, first_frame = group.first_node(p, number), group.first_frame(p, number)
    m = Machine(
        p.nodes, p.links, p.frames, s.kernels, s.words, s.cells, s.times,
        first_node, first_frame, s.state, opened_at, places, counters, levels, s.stop,
    )  # fmt: skip
    return saved(m)


@row_function
def reset(m: Machine, counters: int, rows: int) -> None:
    """Free the memory of a slot, and clear the work counters."""
    top = m.counters + counters * rows
    state.set_full(m, 0, 0)
    state.set_top(m, 0, top)
    state.set_columns(m, 0, state.end(m, 0))
    state.set_cells_top(m, 0, state.cells_bottom(m, 0))
    if top + rows > state.end(m, 0):
        state.set_full(m, 0, NO_ROOM)
        return
    for k in range(m.counters, top):
        m.words[k] = 0
    opened.set_rows(m, 0, rows)


@row_function
def give(m: Machine, job: TileJob, n: int, first: int, rows: int) -> None:
    """Set the column of a constant or of an input, for ``rows`` samples from the position ``first`` on."""
    if node.kind(m, n) == CONSTANT:
        place.set_at(m, n, job.constants + node.data(m, n))
        place.set_step(m, n, 0)
        return
    at = state.columns(m, 0) - rows
    if at < state.top(m, 0):
        state.set_full(m, 0, NO_ROOM)
        return
    state.set_columns(m, 0, at)
    place.set_at(m, n, at)
    place.set_step(m, n, 1)
    for r in range(rows):
        m.words[at + r] = job.inputs[node.data(m, n) * job.sample_count + job.samples[first + r]]


@row_function
def blame(m: Machine, out: int, row: int) -> tuple[int, int]:
    """The line of the program to blame for the failure in a row, and the word of the failure."""
    for k in range(output.steps(m, out), output.steps_end(m, out), 2):
        n = m.links[k + 1]
        word = m.words[place.at(m, n) + row * place.step(m, n)]
        if word < LOWEST:
            return m.links[k], word
    return 0, FAILED


@row_function
def keep_grid(m: Machine, job: TileJob, word: int) -> int:
    """Copy a grid to the outputs, and return the copy's word."""
    source, area = corner_of(word), area_of(word)
    at = atomic_add(job.kept_top, 0, area)
    if at + area > job.kept_end:
        state.set_full(m, 0, NO_ROOM_FOR_OUTPUTS)
        return FAILED
    for k in range(area):
        job.kept[at + k] = m.cells[source + k]
    return (at << (2 * SIDE_BITS)) | (word & ((1 << (2 * SIDE_BITS)) - 1))


@row_function
def keep_outputs(m: Machine, job: TileJob, out: int, rows: int, at: int) -> None:
    """Write a program's outputs and failures for all samples of a tile, from the row ``at`` on."""
    n, gridded = output.node(m, out), output.gridded(m, out)
    for r in range(rows):
        word = m.words[place.at(m, n) + r * place.step(m, n)]
        picture = m.words[place.at(m, gridded) + r * place.step(m, gridded)]
        job.lines[at + r] = 0
        if word < LOWEST:
            job.lines[at + r], job.outputs[at + r] = blame(m, out, r)
        elif output.is_grid(m, out) and picture >= LOWEST:
            job.outputs[at + r] = keep_grid(m, job, picture)
        else:
            job.outputs[at + r] = OTHER


@row_function
def run_tile(p: Plan, s: Slot, job: TileJob, number: int, which: int) -> int:
    """Run a tile of an arranged group, and return ``state.full``: zero unless memory did not suffice."""
    rows = tile.samples_count(job, number)
    m = machine_for(p, s, which)
    reset(m, group.counters(p, which), rows)
    for k in range(group.givens(p, which), group.givens_end(p, which)):
        if not state.full(m, 0):
            give(m, job, p.links[k], tile.samples(job, number), rows)
    run_list(m, group.first(p, which), group.end(p, which))
    m = reloaded(m)
    at = tile.out(job, number)
    for k in range(tile.members_count(job, number)):
        if not state.full(m, 0) and not read_shared(m.stop, 0):
            keep_outputs(m, job, group.outputs(p, which) + OUTPUT_WORDS * k, rows, at + k * rows)
    return state.full(m, 0)


@row_function
def run_tiles(g: GroupTables, p: Plan, s: Slot, job: TileJob, first: int, end: int) -> int:
    """Run tiles one after the other, on the CPU, and return the number of the first that could not be run, or ``end``.

    Each group is arranged before its first tile; its plan replaces the one before. If the plan has no room for a group,
    the result is -1 minus the number of the tile.
    """
    arranged = -1
    for number in range(first, end):
        if tile.group(job, number) != arranged:
            arranged = tile.group(job, number)
            arrange(g, p, 0, job.members, tile.members(job, number), tile.members_count(job, number))
            if group.full(p, p.number):
                return -1 - number
        if run_tile(p, s, job, number, p.number):
            return number
    return end
