"""The machine: runs the nodes of a graph over columns, in compiled code from a lane's inputs to its outputs.

A lane is some programs on some samples. Its columns lie one above the other in one array. What a frame needs is
computed when a node takes something from it, and its columns are given back at once; columns of the samples themselves
stay until the lane ends. Everything is numbers in arrays here: see ``Tables`` for where they come from.
"""

from typing import Any, NamedTuple

from arcloom.engine.calls import launch, read_clock
from arcloom.engine.launchers import ARGS, COUNT, OUT
from arcloom.engine.words import BUDGET, LOWEST, area_of, container, length, row_function, start


class Machine(NamedTuple):
    """What the machine works with: pointers to arrays of words, and one of cells."""

    nodes: Any
    links: Any
    frames: Any
    addresses: Any
    times: Any
    opened: Any
    places: Any
    seen: Any
    work: Any
    columns: Any
    heap: Any
    cells: Any
    state: Any
    orders: Any
    clock: Any


FRAME, FIRST, ARITY, DATA, KIND, KERNEL, GIVEN, STATICS, SHAPE, FLAT = range(10)
"""A node: its frame, where its arguments begin among the links and how many there are, what is peculiar to its kind.
Then what nodes may share: its kind, its kernel, where the words that the kernel is given for all rows begin among the
links and how many there are, what its values consist of, and whether what they hold was there before the frame that
they are taken from."""

NODE = 10
"""A node takes so many words."""

CONSTANT, INPUT, LAUNCH, REDUCE, ELEMENT, SAME, SELECT, LOOP, STATE = range(9)
"""Kinds of nodes. DATA is the frame that is reduced, or the place among the links of a choice's frames, or of a loop's
frame, state and result."""

SCALAR, LIST, GRID = range(3)
"""What values consist of."""

DEPTH, PARENT = range(2)
"""A frame: how deep it is, and the frame around it."""

ROWS, PARENTS, ELEMENTS, CONTAINERS, STEP = range(5)
"""An open frame: how many rows it has, and where columns begin: the row around each row, the elements, the containers
that they are from, and the step from one container to the next."""

OPENED = 8
"""An open frame takes so many words."""

TOP, CELLS_TOP, FULL, PRODUCED, LIMIT, CAPACITY, CELLS_CAPACITY, COLUMNS, ROOM, WORK, VISIT, CLOCK, KEPT = range(13)
"""The state. Kernels use: the tops of the heaps, whether there was no room, what the launch produced, the budget, the
sizes of the heaps. Then: the top of the columns, room for columns and for work, the number of the last visit, the
address of a clock (or zero), and how many cells of outputs are kept."""

OWNER, TURN, NEXT, END, MARK, HEAP_MARK, CELLS_MARK, INNER, WANTED, INTO, BELOW = range(11)
"""A level of the stack: the node that has opened a frame and its turn or side, the nodes that are still to run, the
tops of the columns and heaps before, the frame, the node whose value is wanted, the column for the result, and the
level below."""

LEVEL = 11
"""A level takes so many words; the nodes that run in it are listed behind them."""

MOST_ROWS = 1 << 20
"""No frame may have more rows in one lane: a column of them takes 8 MiB."""


@row_function
def allocate(m: Machine, count: int) -> int:
    """Where a new column begins. If there is no room the state says so, and it begins at the bottom."""
    at = m.state[COLUMNS]
    if at + count > m.state[ROOM]:
        m.state[FULL] = 1
        return 0
    m.state[COLUMNS] = at + count
    return at


@row_function
def outer_row(m: Machine, frame: int, outer: int, row: int) -> int:
    """The row of an outer frame that a row of a frame belongs to."""
    while frame != outer:
        row = m.columns[m.opened[OPENED * frame + PARENTS] + row]
        frame = m.frames[2 * frame + PARENT]
    return row


@row_function
def lift(m: Machine, node: int, frame: int) -> int:
    """Where a node's column begins, with a row for each row of a frame at or within its own."""
    outer, source = m.nodes[NODE * node + FRAME], m.places[2 * node]
    if outer == frame or m.places[2 * node + 1] == 0:
        return source
    count = m.opened[OPENED * frame + ROWS]
    at = allocate(m, count)
    if m.state[FULL]:
        return 0
    if m.frames[2 * frame + PARENT] == outer:
        parents = m.opened[OPENED * frame + PARENTS]
        for r in range(count):
            m.columns[at + r] = m.columns[source + m.columns[parents + r]]
    else:
        for r in range(count):
            m.columns[at + r] = m.columns[source + outer_row(m, frame, outer, r)]
    return at


@row_function
def spread(m: Machine, node: int, frame: int) -> int:
    """As ``lift``, and with a word for each row even if the node is a constant."""
    at = lift(m, node, frame)
    if m.places[2 * node + 1]:
        return at
    count = m.opened[OPENED * frame + ROWS]
    full = allocate(m, count)
    if not m.state[FULL]:
        for r in range(count):
            m.columns[full + r] = m.columns[at]
    return full


@row_function
def size_of(word: int, shape: int) -> int:
    """How many elements or cells a value has."""
    if word < LOWEST or shape == SCALAR:
        return 0
    return length(word) if shape == LIST else area_of(word)


@row_function
def fail_beyond(m: Machine, frame: int, at: int, shape: int, each: int) -> None:
    """Fail the rows of a frame with which a sample has more elements in all than the budget, counting ``each`` for a
    row.

    Rows before them are not concerned: whoever looks no further than those never learns of the others.
    """
    total, sample = 0, -1
    for r in range(m.opened[OPENED * frame + ROWS]):
        root = outer_row(m, frame, 0, r)
        if root != sample:
            total, sample = 0, root
        total += size_of(m.columns[at + r], shape) + each
        if total > m.state[LIMIT]:
            m.columns[at + r] = BUDGET


@row_function
def now(m: Machine) -> int:
    """Nanoseconds, from some moment on."""
    return read_clock(m.state[CLOCK], m.clock, 0)


@row_function
def start_kernel(m: Machine, node: int, frame: int, out: int) -> None:
    """Launch a node's kernel; its arguments are in the orders already."""
    here = NODE * node
    kernel, arity, count = m.nodes[here + KERNEL], m.nodes[here + ARITY], m.opened[OPENED * frame + ROWS]
    m.orders[COUNT], m.orders[OUT] = count, out
    given = m.nodes[here + GIVEN]
    for k in range(m.nodes[here + STATICS]):
        m.orders[ARGS + 2 * arity + k] = m.links[given + k]
    m.state[PRODUCED] = 0
    began = now(m) if m.state[CLOCK] else 0
    launch(m.addresses, kernel, m.heap, m.cells, m.columns, m.state, m.orders)
    if m.state[CLOCK]:
        m.times[3 * kernel] += 1
        m.times[3 * kernel + 1] += count
        m.times[3 * kernel + 2] += now(m) - began
    if frame and m.state[PRODUCED] > 0 and m.state[PRODUCED] + count > m.state[LIMIT]:
        fail_beyond(m, frame, out, m.nodes[here + SHAPE], 1)


@row_function
def run_kernel(m: Machine, node: int, frame: int) -> None:
    """Compute a node from its arguments, row by row."""
    here = NODE * node
    out = allocate(m, m.opened[OPENED * frame + ROWS])
    mark = m.state[COLUMNS]
    for k in range(m.nodes[here + ARITY]):
        arg = m.links[m.nodes[here + FIRST] + k]
        m.orders[ARGS + 2 * k] = lift(m, arg, frame)
        m.orders[ARGS + 2 * k + 1] = m.places[2 * arg + 1]
    m.places[2 * node], m.places[2 * node + 1] = out, 1
    if not m.state[FULL]:
        start_kernel(m, node, frame, out)
    m.state[COLUMNS] = mark


@row_function
def order_nodes(m: Machine, frame: int, target: int, at: int, visit: int) -> int:
    """Write to ``at`` the nodes of a frame that the target needs, each after what it needs itself; where they end.

    Frames within the frame are looked through. Nodes that an earlier call with the same visit has found are not found
    again.
    """
    depth = m.frames[2 * frame + DEPTH]
    bottom = m.state[WORK] - 1
    stack = bottom
    m.work[stack] = target
    while stack <= bottom:
        node = m.work[stack]
        here = NODE * node
        known = m.seen[node]
        if known == visit:
            m.seen[node] = visit + 1
            if m.nodes[here + FRAME] == frame:
                m.work[at] = node
                at += 1
        if known >= visit or m.nodes[here + KIND] == CONSTANT or m.frames[2 * m.nodes[here + FRAME] + DEPTH] < depth:
            stack += 1
            continue
        m.seen[node] = visit
        first, last = m.nodes[here + FIRST], m.nodes[here + FIRST] + m.nodes[here + ARITY]
        if m.nodes[here + KIND] == LOOP:
            stack -= 1
            m.work[stack] = m.links[m.nodes[here + DATA] + 2]
        for k in range(last - 1, first - 1, -1):
            if m.seen[m.links[k]] < visit:
                stack -= 1
                m.work[stack] = m.links[k]
    return at


@row_function
def open_elements(m: Machine, frame: int, source: int) -> None:
    """Open a frame on the elements of a node's containers: a row for each element."""
    parent = m.frames[2 * frame + PARENT]
    outer = m.opened[OPENED * parent + ROWS]
    at, step = lift(m, source, parent), m.places[2 * source + 1]
    total = 0
    for r in range(outer):
        total += size_of(m.columns[at + r * step], LIST)
    if total > m.state[LIMIT]:
        copy = allocate(m, outer)
        if m.state[FULL]:
            return
        for r in range(outer):
            m.columns[copy + r] = m.columns[at + r * step]
        at, step = copy, 1
        fail_beyond(m, parent, at, LIST, 0)
        total = 0
        for r in range(outer):
            total += size_of(m.columns[at + r], LIST)
    if total > MOST_ROWS:
        m.state[FULL] = 1
        return
    parents, elements = allocate(m, total), allocate(m, total)
    if m.state[FULL]:
        return
    here = OPENED * frame
    m.opened[here + ROWS], m.opened[here + PARENTS], m.opened[here + ELEMENTS] = total, parents, elements
    m.opened[here + CONTAINERS], m.opened[here + STEP] = at, step
    row = 0
    for r in range(outer):
        word = m.columns[at + r * step]
        if word >= LOWEST:
            first = start(word)
            for k in range(length(word)):
                m.columns[elements + row] = m.heap[first + k]
                m.columns[parents + row] = r
                row += 1


@row_function
def open_side(m: Machine, frame: int, choice: int, side: int) -> None:
    """Open a frame on those rows of the frame around it for which a choice falls on this side."""
    parent = m.frames[2 * frame + PARENT]
    count = m.opened[OPENED * parent + ROWS]
    at, step = lift(m, choice, parent), m.places[2 * choice + 1]
    parents = allocate(m, count)
    if m.state[FULL]:
        return
    chosen = 0
    for r in range(count):
        if m.columns[at + r * step] == side:
            m.columns[parents + chosen] = r
            chosen += 1
    m.opened[OPENED * frame + ROWS], m.opened[OPENED * frame + PARENTS] = chosen, parents


@row_function
def open_turn(m: Machine, frame: int, times: int, state: int, into: int, turn: int) -> None:
    """Open a loop's frame on the rows that have turns left, with what they have become so far."""
    parent = m.frames[2 * frame + PARENT]
    count = m.opened[OPENED * parent + ROWS]
    at, step = lift(m, times, parent), m.places[2 * times + 1]
    parents, carried = allocate(m, count), allocate(m, count)
    if m.state[FULL]:
        return
    active = 0
    for r in range(count):
        if m.columns[into + r] >= LOWEST and m.columns[at + r * step] > turn:
            m.columns[parents + active] = r
            m.columns[carried + active] = m.columns[into + r]
            active += 1
    m.opened[OPENED * frame + ROWS], m.opened[OPENED * frame + PARENTS] = active, parents
    m.places[2 * state], m.places[2 * state + 1] = carried, 1


@row_function
def put_back(m: Machine, frame: int, node: int, into: int) -> None:
    """Write what a node is in an inner frame to the rows around it."""
    at, step = lift(m, node, frame), m.places[2 * node + 1]
    parents = m.opened[OPENED * frame + PARENTS]
    if m.state[FULL]:
        return
    for r in range(m.opened[OPENED * frame + ROWS]):
        m.columns[into + m.columns[parents + r]] = m.columns[at + r * step]


@row_function
def begin(m: Machine, stack: int, node: int, frame: int) -> None:
    """Begin to compute a node that takes something from a frame within its own: a new level of the stack."""
    here = NODE * node
    count = m.opened[OPENED * frame + ROWS]
    into = allocate(m, count)
    m.places[2 * node], m.places[2 * node + 1] = into, 1
    m.work[stack + OWNER], m.work[stack + TURN] = node, -1
    m.work[stack + INTO], m.work[stack + MARK] = into, m.state[COLUMNS]
    m.work[stack + HEAP_MARK], m.work[stack + CELLS_MARK] = m.state[TOP], m.state[CELLS_TOP]
    if m.nodes[here + KIND] == REDUCE or m.state[FULL]:
        return
    first = m.links[m.nodes[here + FIRST]]
    at, step = lift(m, first, frame), m.places[2 * first + 1]
    if m.nodes[here + KIND] == SELECT:
        for r in range(count):
            m.columns[into + r] = min(m.columns[at + r * step], LOWEST - 1)
    else:
        carried = m.links[m.nodes[here + FIRST] + 1]
        start_at, start_step = lift(m, carried, frame), m.places[2 * carried + 1]
        for r in range(count if not m.state[FULL] else 0):
            times = m.columns[at + r * step]
            m.columns[into + r] = times if times < LOWEST else m.columns[start_at + r * start_step]


@row_function
def go_in(m: Machine, stack: int) -> bool:
    """Open the next frame that a level needs, and list what is to run there; whether there is one."""
    node, turn = m.work[stack + OWNER], m.work[stack + TURN] + 1
    here = NODE * node
    kind, first, data = m.nodes[here + KIND], m.nodes[here + FIRST], m.nodes[here + DATA]
    m.work[stack + TURN] = turn
    m.state[COLUMNS] = m.work[stack + MARK]
    if kind == REDUCE:
        if turn:
            return False
        frame, wanted = data, m.links[first + 1]
        open_elements(m, frame, m.links[first])
    elif kind == SELECT:
        if turn == m.nodes[here + ARITY] - 1:
            return False
        frame, wanted = m.links[data + turn], m.links[first + 1 + turn]
        open_side(m, frame, m.links[first], turn)
    else:
        frame, wanted = m.links[data], m.links[data + 2]
        open_turn(m, frame, m.links[first], m.links[data + 1], m.work[stack + INTO], turn)
        if m.opened[OPENED * frame + ROWS] == 0:
            return False
    m.work[stack + INNER], m.work[stack + WANTED] = frame, wanted
    at = stack + LEVEL
    m.state[VISIT] += 2
    m.work[stack + NEXT] = at
    m.work[stack + END] = order_nodes(m, frame, wanted, at, m.state[VISIT])
    return True


@row_function
def come_back(m: Machine, stack: int) -> None:
    """Take what is wanted from the frame that a level has opened."""
    node, frame, wanted, into = m.work[stack], m.work[stack + INNER], m.work[stack + WANTED], m.work[stack + INTO]
    here = NODE * node
    if m.nodes[here + KIND] != REDUCE:
        put_back(m, frame, wanted, into)
        return
    m.orders[ARGS], m.orders[ARGS + 1] = m.opened[OPENED * frame + CONTAINERS], m.opened[OPENED * frame + STEP]
    m.orders[ARGS + 2], m.orders[ARGS + 3] = spread(m, wanted, frame), 1
    if not m.state[FULL]:
        made = m.state[TOP]
        start_kernel(m, node, m.nodes[here + FRAME], into)
        if m.nodes[here + FLAT]:
            give_back(m, stack, made)


@row_function
def give_back(m: Machine, stack: int, made: int) -> None:
    """Give back what the heaps got since a level began, but for the containers from ``made`` on: they move down."""
    to, node = m.work[stack + HEAP_MARK], m.work[stack + OWNER]
    count = m.state[TOP] - made
    m.state[TOP], m.state[CELLS_TOP] = to + count, m.work[stack + CELLS_MARK]
    if m.nodes[NODE * node + SHAPE] != LIST or made == to:
        return
    for k in range(count):
        m.heap[to + k] = m.heap[made + k]
    into = m.work[stack + INTO]
    for r in range(m.opened[OPENED * m.nodes[NODE * node + FRAME] + ROWS]):
        word = m.columns[into + r]
        if word >= LOWEST and start(word) >= made:
            m.columns[into + r] = container(start(word) - made + to, length(word))


@row_function
def step(m: Machine, node: int, frame: int) -> bool:
    """Compute a node if it needs no other frame; whether it does."""
    here = NODE * node
    kind = m.nodes[here + KIND]
    if kind == LAUNCH:
        run_kernel(m, node, frame)
    elif kind == ELEMENT:
        m.places[2 * node], m.places[2 * node + 1] = m.opened[OPENED * frame + ELEMENTS], 1
    elif kind == SAME:
        arg = m.links[m.nodes[here + FIRST]]
        m.places[2 * node], m.places[2 * node + 1] = lift(m, arg, frame), m.places[2 * arg + 1]
    return kind in (REDUCE, SELECT, LOOP)


@row_function
def run_level(m: Machine, bottom: int) -> None:
    """Run the nodes of a level, and all levels that they open. The state says if there was no room."""
    stack = bottom
    while not m.state[FULL]:
        following = m.work[stack + NEXT]
        if following < m.work[stack + END]:
            m.work[stack + NEXT] = following + 1
            node, frame = m.work[following], m.work[stack + INNER]
            if not step(m, node, frame):
                continue
            above = m.work[stack + END]
            m.work[above + BELOW] = stack
            begin(m, above, node, frame)
            stack = above
        elif stack == bottom:
            return
        else:
            come_back(m, stack)
        if not m.state[FULL] and not go_in(m, stack):
            m.state[COLUMNS] = m.work[stack + MARK]
            stack = m.work[stack + BELOW]
