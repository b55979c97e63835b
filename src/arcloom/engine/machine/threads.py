"""Running tiles in many threads: the entry point of GPUs.

A run is a program on one sample. Each thread takes runs from a queue and computes them in its own slot. Runs are sorted
by program, so that neighbouring threads, which a GPU executes in lockstep, interpret the same nodes most of the time.
Tests execute the same code on the CPU, one thread after the other.
"""

from typing import NamedTuple

from arcloom.engine.machine.arrange import GroupTables, Plan, arrange, group, working
from arcloom.engine.machine.calls import atomic_add, read_shared, thread_number
from arcloom.engine.machine.records import FRAME, NODE, Machine, state
from arcloom.engine.machine.tiles import Slot, TileJob, run_tile, tile
from arcloom.engine.pointer import CellPointer, WordPointer
from arcloom.engine.words import row_function

WAITING = -1
"""The status of a run that was not computed yet. Later it is zero, or a value of ``state.full``: see ``tiles``."""

NODE_WORDS, FRAME_WORDS = NODE.size, FRAME.size


class Threads(NamedTuple):
    """Memory and work of all threads of a launch.

    Thread t has the ``slot_words`` words from ``first_slot`` + t * ``slot_words`` on, and cells likewise. ``queue``
    has the position of the next run in ``order``. Runs whose ``status`` is ``waiting`` are computed, at most ``most``
    by each thread; ``retried`` counts those that were tried in smaller slots before. ``first_thread`` is added to the
    number of a thread.
    """

    words: WordPointer
    cells: CellPointer
    kernels: WordPointer
    order: WordPointer
    queue: WordPointer
    status: WordPointer
    retried: WordPointer
    stop: WordPointer
    first_slot: int
    slot_words: int
    first_cells: int
    slot_cells: int
    limit: int
    runs: int
    waiting: int
    most: int
    first_thread: int


@row_function
def without_plan(s: Slot) -> Machine:
    """The interpreter's tuple for access to a slot's state only."""
    at = s.state
    return Machine(
        s.words, s.words, s.words, s.kernels, s.words, s.cells, s.times, 0, 0, at, at, at, at, at, s.stop
    )  # fmt: skip


@row_function
def begin_slot(t: Threads, number: int) -> Slot:
    """The slot of a thread, with its state initialised."""
    at, cells = t.first_slot + t.slot_words * number, t.first_cells + t.slot_cells * number
    s = Slot(t.words, t.cells, t.kernels, t.kernels, at, t.stop)
    m = without_plan(s)
    state.set_end(m, 0, at + t.slot_words)
    state.set_cells_bottom(m, 0, cells)
    state.set_cells_end(m, 0, cells + t.slot_cells)
    state.set_limit(m, 0, t.limit)
    state.set_clock(m, 0, 0)
    return s


@row_function
def next_run(t: Threads) -> int:
    """The next waiting run of the queue; negative if there is none."""
    while not read_shared(t.stop, 0):
        at = atomic_add(t.queue, 0, 1)
        if at >= t.runs:
            return -1
        if t.status[t.order[at]] == t.waiting:
            return t.order[at]
    return -1


@row_function
def end_run(t: Threads, number: int, status: int) -> None:
    """Record the status of a run."""
    t.status[number] = status
    if t.waiting != WAITING:
        atomic_add(t.retried, 0, 1)


@row_function
def run_threads(p: Plan, t: Threads, job: TileJob) -> int:
    """Run tiles in one thread of a launch, and return their number."""
    s = begin_slot(t, t.first_thread + thread_number())
    done = 0
    while done < t.most:
        number = next_run(t)
        if number < 0:
            return done
        end_run(t, number, run_tile(p, s, job, number, tile.group(job, number)))
        done += 1
    return done


@row_function
def arrange_groups(g: GroupTables, p: Plan, members: WordPointer, first: int, end: int) -> int:
    """Arrange the members from ``first`` to ``end``, each as a group with the member's number, in one plan.

    Returns the first member for which the plan has no room, or ``end``.
    """
    nodes, frames, links = p.first_node, p.first_frame, working.links_used(g, 0)
    for k in range(first, end):
        nodes_left, frames_left = working.nodes_room(g, 0) - nodes, working.frames_room(g, 0) - frames
        if nodes_left < working.most_nodes(g, 0) or frames_left < working.most_frames(g, 0):
            return k
        here = Plan(p.nodes, p.links, p.frames, p.groups, nodes, frames, k)
        arrange(g, here, links, members, k, 1)
        if group.full(here, k):
            return k
        nodes += NODE_WORDS * group.nodes(here, k)
        frames += FRAME_WORDS * group.frames(here, k)
        links = group.links(here, k)
        working.set_nodes_used(g, 0, nodes)
        working.set_frames_used(g, 0, frames)
        working.set_links_used(g, 0, links)
    return end
