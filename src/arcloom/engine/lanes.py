"""Running lanes: the machine's work from the samples' inputs to outputs that are kept."""

from typing import Any

from arcloom.engine import pointer
from arcloom.engine.machine import (
    CELLS_TOP,
    COLUMNS,
    END,
    FULL,
    INNER,
    KEPT,
    LEVEL,
    NEXT,
    ROWS,
    TOP,
    VISIT,
    Machine,
    order_nodes,
    run_level,
)
from arcloom.engine.words import FAILED, LOWEST, SIDE_BITS, area_of, corner_of, row_function

base: Any = pointer.base

PROGRAMS, MEMBERS, SAMPLES, SIZE = range(4)
"""A lane: where its programs begin and how many there are, where its samples begin and how many there are."""

OUTPUT, GRIDDED, PICTURE, STEPS, STEPS_END = range(5)
"""A program: the node of its output, the node of that as a grid (or the same again), whether that is a grid at all,
and where its steps are, each a line and a node that makes it fail."""

OTHER = FAILED + 63
"""Stands for an output that is a value but not a grid."""

NO_ROOM, NO_ROOM_TO_KEEP = 1, 2
"""What FULL says."""


@row_function
def begin_lane(m: Machine, inputs: Any, input_nodes: Any, samples: Any, first: int, count: int) -> None:
    """Open the root frame on the samples, with their inputs."""
    m.opened[ROWS] = count
    for k in range(input_nodes.shape[0]):
        at = m.state[COLUMNS]
        m.places[2 * input_nodes[k]], m.places[2 * input_nodes[k] + 1] = at, 1
        m.state[COLUMNS] = at + count
        for r in range(count):
            m.columns[at + r] = inputs[k, samples[first + r]]


@row_function
def list_nodes(m: Machine, programs: Any, members: Any, first: int, count: int) -> int:
    """Make the bottom level of the stack: all nodes that these programs need of the root frame. Gives the visit to
    them."""
    m.state[VISIT] += 2
    at, visit = LEVEL, m.state[VISIT]
    for k in range(count):
        program = members[first + k]
        at = order_nodes(m, 0, programs[program, OUTPUT], at, visit)
        at = order_nodes(m, 0, programs[program, GRIDDED], at, visit)
    m.work[NEXT], m.work[END], m.work[INNER] = LEVEL, at, 0
    return visit


@row_function
def blame(m: Machine, steps: Any, first: int, last: int, visit: int, row: int) -> tuple[int, int]:
    """The line that failed for a sample, and its word."""
    for k in range(first, last):
        node = steps[k, 1]
        if m.seen[node] == visit + 1:
            word = m.columns[m.places[2 * node] + row * m.places[2 * node + 1]]
            if word < LOWEST:
                return steps[k, 0], word
    return 0, FAILED


@row_function
def same_cells(m: Machine, a: int, b: int) -> bool:
    """Whether two grids are equal."""
    if (a ^ b) & ((1 << (2 * SIDE_BITS)) - 1):
        return False
    first, second = corner_of(a), corner_of(b)
    for k in range(area_of(a)):  # noqa: SIM110  (row functions have no generators)
        if m.cells[first + k] != m.cells[second + k]:
            return False
    return True


@row_function
def keep_grid(m: Machine, word: int, kept: Any) -> int:
    """Copy a grid to where outputs are kept; its word there."""
    at, source, area = m.state[KEPT], corner_of(word), area_of(word)
    if at + area > kept.shape[0]:
        m.state[FULL] = NO_ROOM_TO_KEEP
        return FAILED
    for k in range(area):
        kept[at + k] = m.cells[source + k]
    m.state[KEPT] = at + area
    return (at << (2 * SIDE_BITS)) | (word & ((1 << (2 * SIDE_BITS)) - 1))


@row_function
def keep_outputs(
    m: Machine, programs: Any, program: int, steps: Any, samples: Any, first: int, count: int, visit: int,
    expected: Any, words: Any, lines: Any, equal: Any, kept: Any, at: int,
) -> None:  # fmt: skip
    """Keep a program's outputs and failures for all samples of a lane, from row ``at`` on."""
    output, gridded = programs[program, OUTPUT], programs[program, GRIDDED]
    first_step, last_step = programs[program, STEPS], programs[program, STEPS_END]
    for r in range(count):
        word = m.columns[m.places[2 * output] + r * m.places[2 * output + 1]]
        picture = m.columns[m.places[2 * gridded] + r * m.places[2 * gridded + 1]]
        lines[at + r], equal[at + r] = 0, 0
        if word < LOWEST:
            lines[at + r], words[at + r] = blame(m, steps, first_step, last_step, visit, r)
        elif programs[program, PICTURE] and picture >= LOWEST:
            words[at + r] = keep_grid(m, picture, kept)
            wanted = expected[samples[first + r]]
            equal[at + r] = wanted >= LOWEST and same_cells(m, picture, wanted)
        else:
            words[at + r] = OTHER


@row_function
def run_lanes(
    nodes: Any, links: Any, frames: Any, addresses: Any, times: Any, opened: Any, places: Any, seen: Any, work: Any,
    columns: Any, heap: Any, cells: Any, state: Any, orders: Any, clock: Any,
    inputs: Any, input_nodes: Any, programs: Any, steps: Any, members: Any, samples: Any, expected: Any,
    lanes: Any, words: Any, lines: Any, equal: Any, kept: Any,
) -> int:  # fmt: skip
    """Run lane after lane, each with empty heaps; how many could be run. If it is not all, FULL says why."""
    m = Machine(
        base(nodes), base(links), base(frames), base(addresses), base(times), base(opened), base(places), base(seen),
        base(work), base(columns), base(heap), base(cells), base(state), base(orders), base(clock),
    )  # fmt: skip
    bottom, cells_bottom, columns_bottom = state[TOP], state[CELLS_TOP], state[COLUMNS]
    at = 0
    for lane in range(lanes.shape[0]):
        state[TOP], state[CELLS_TOP], state[COLUMNS], state[FULL] = bottom, cells_bottom, columns_bottom, 0
        first, count = lanes[lane, SAMPLES], lanes[lane, SIZE]
        begin_lane(m, inputs, input_nodes, samples, first, count)
        visit = list_nodes(m, programs, members, lanes[lane, PROGRAMS], lanes[lane, MEMBERS])
        run_level(m, 0)
        for k in range(lanes[lane, MEMBERS] if not state[FULL] else 0):
            program = members[lanes[lane, PROGRAMS] + k]
            keep_outputs(
                m, programs, program, steps, samples, first, count, visit, expected, words, lines, equal, kept, at
            )
            at += count
        if state[FULL]:
            return lane
    return lanes.shape[0]
