"""The records of the interpreter, and the tuple through which row functions access them.

A *plan* is read-only: nodes, links and frames, numbered for one group of programs. A *slot* is the memory of one thread
of the CPU or GPU: a region of ``words`` and a region of ``cells``. The words have the mutable records at the bottom,
the heap of values above them, and columns that grow down from the top.
"""

from typing import NamedTuple

from arcloom.engine.machine.layout import record
from arcloom.engine.pointer import CellPointer, WordPointer, address_at, words_at
from arcloom.engine.words import row_function


class Machine(NamedTuple):
    """A plan and a slot: pointers (on CUDA: arrays) and positions.

    ``first_node`` and ``first_frame`` are the positions of the group's first records in the plan. The other positions
    are in ``words``. The run ends as soon as the word ``stop`` is not zero.
    """

    nodes: WordPointer
    links: WordPointer
    frames: WordPointer
    kernels: WordPointer
    words: WordPointer
    cells: CellPointer
    times: WordPointer
    first_node: int
    first_frame: int
    state: int
    opened: int
    places: int
    counters: int
    levels: int
    stop: WordPointer


CONSTANT, INPUT, LAUNCH, REDUCE, ELEMENT, SAME, SELECT, LOOP, STATE = range(9)
"""Kinds of nodes. LAUNCH runs a kernel over the rows of its frame. REDUCE, SELECT (a choice) and LOOP open frames.
ELEMENT, SAME (an alias) and STATE (of a loop) refer to columns that exist already."""

SCALAR, LIST, GRID = range(3)
"""Shapes of values. The size of a list is its number of elements, the size of a grid its number of cells."""

NODE_FIELDS = "origin frame first arity data body counter kind kernel given statics shape flat"
NODE = record("node", NODE_FIELDS, array="nodes", base="m.first_node")
"""A node. ``origin`` is its number in the batt's graph. The links from ``first`` on are its ``arity`` arguments.
``data`` is the number of a constant or input, or the node of a loop's state. ``body`` is the position of its bodies in
the links. ``counter`` is the number of its work counter, negative if it has none. Nodes with the same operation and
types share the other fields: the ``kind``; the ``kernel``; the position (``given``) and number (``statics``) of words
that the kernel gets for all rows, the last of which say how arguments and the result count as work; the ``shape`` of
its values; and whether a reduction's result contains no memory that was allocated in its frame (``flat``)."""

PLANNED = NODE.size - NODE.offset("kind")
"""The number of fields that nodes with the same operation and types share."""

BODY = record("body", "frame wanted first end", array="links", by_position=True)
"""The nodes that a node runs in a frame that it opens: the frame, the node whose value is wanted, and the range of
links that lists the nodes to run."""

FRAME = record("frame", "parent", array="frames", base="m.first_frame")
"""A frame of the plan: its parent. The first frame is the root, whose rows are samples."""

OPENED = record("opened", "rows parents elements containers step", array="words", base="m.opened")
"""An open frame: its number of rows, the columns of parent rows, elements and containers, and the step from one
container to the next."""

PLACE = record("place", "at step", array="words", base="m.places")
"""The column of a node: its position and the step from row to row, which is zero for a constant."""

LEVEL = record(
    "level", "owner turn next end mark heap_mark cells_mark frame wanted into", array="words", base="m.levels"
)
"""A level of the interpreter's stack: the node that opened a frame and its turn, the range of links with the nodes
still to run, the tops of columns and heaps when the level began, the frame, the node whose value is wanted, and the
column of the result."""

STATE_FIELDS = "top columns end cells_top cells_bottom cells_end full spent limit ceiling clock"
MACHINE_FIELDS = "nodes links frames kernels times first_node first_frame opened places counters levels stop"
STATE_RECORD = record("state", f"{STATE_FIELDS} {MACHINE_FIELDS}", array="words", base="m.state")
"""The state of a slot: the ``top`` of the heap, the lowest word of the ``columns`` and the ``end`` of the slot; top,
bottom and end of its cells; ``full``, not zero if memory did not suffice; the work that the last launch ``spent``, the
``limit`` of work of a sample, and the ``ceiling`` of the work of a launch; the address of a ``clock``, or zero; and the
fields of the Machine, with pointers as addresses."""

ORDERS = STATE_RECORD.size
"""The position of a launch's orders, behind the state."""

ORDER_WORDS = 64
"""The number of words of a launch's orders."""

FREE, COUNTED, FIXED = 1, 2, 4
"""Bits of the last static word of a launch: a call costs nothing, the size of the result counts, all calls cost the
same. The words before it say for each argument how it counts: see ``weighing``."""

UNLIMITED = 1 << 62
"""The ceiling of a launch whose work is not limited."""

COUNT, OUT, ARGS = 0, 1, 2
"""Positions in a launch's orders: the number of rows, the column of the results, and from ARGS on the column of each
argument and its step from row to row, which is zero for a constant. The static words, equal for all rows, follow."""

node, body, frame, opened, place, level, state = (
    each.access for each in (NODE, BODY, FRAME, OPENED, PLACE, LEVEL, STATE_RECORD)
)


@row_function
def saved(m: Machine) -> Machine:
    """Write a machine to the state of its slot, and return it."""
    state.set_nodes(m, 0, address_at(m.nodes))
    state.set_links(m, 0, address_at(m.links))
    state.set_frames(m, 0, address_at(m.frames))
    state.set_kernels(m, 0, address_at(m.kernels))
    state.set_times(m, 0, address_at(m.times))
    state.set_first_node(m, 0, m.first_node)
    state.set_first_frame(m, 0, m.first_frame)
    state.set_opened(m, 0, m.opened)
    state.set_places(m, 0, m.places)
    state.set_counters(m, 0, m.counters)
    state.set_levels(m, 0, m.levels)
    state.set_stop(m, 0, address_at(m.stop))
    return m


@row_function
def reloaded(m: Machine) -> Machine:
    """A saved machine, read from the state of its slot. After a call it takes the place of the one before, so that a
    GPU thread does not keep all fields on its stack during the call."""
    return Machine(
        words_at(state.nodes(m, 0)),
        words_at(state.links(m, 0)),
        words_at(state.frames(m, 0)),
        words_at(state.kernels(m, 0)),
        m.words,
        m.cells,
        words_at(state.times(m, 0)),
        state.first_node(m, 0),
        state.first_frame(m, 0),
        m.state,
        state.opened(m, 0),
        state.places(m, 0),
        state.counters(m, 0),
        state.levels(m, 0),
        words_at(state.stop(m, 0)),
    )
