"""The interpreter: runs lists of nodes over columns, and the frames that nodes open.

A frame is computed when a node needs a value of it, and its columns are freed at once. Columns of the root frame, whose
rows are samples, stay until the run of a tile ends. If memory does not suffice, ``state.full`` is set and all functions
return early.
"""

from arcloom.dsl.work import CALL
from arcloom.engine.machine.calls import launch, read_clock, read_shared
from arcloom.engine.machine.records import (
    ARGS,
    BODY,
    COUNT,
    ELEMENT,
    FIXED,
    FREE,
    LAUNCH,
    LIST,
    LOOP,
    ORDERS,
    OUT,
    REDUCE,
    SAME,
    SCALAR,
    SELECT,
    UNLIMITED,
    Machine,
    body,
    frame,
    level,
    node,
    opened,
    place,
    reloaded,
    state,
)
from arcloom.engine.words import BUDGET, LOWEST, area_of, container, length, row_function, start

BODY_WORDS = BODY.size


@row_function
def allocate(m: Machine, count: int) -> int:
    """Allocate a column and return its position. If there is no room, set ``state.full``; the position is invalid."""
    at = state.columns(m, 0) - count
    if at < state.top(m, 0):
        state.set_full(m, 0, 1)
        return state.columns(m, 0)
    state.set_columns(m, 0, at)
    return at


@row_function
def outer_row(m: Machine, inner: int, outer: int, row: int) -> int:
    """The row of an outer frame that a row of an inner frame belongs to."""
    while inner != outer:
        row = m.words[opened.parents(m, inner) + row]
        inner = frame.parent(m, inner)
    return row


@row_function
def lift(m: Machine, n: int, inner: int) -> int:
    """The position of a node's column, broadcast to the rows of ``inner``: the node's own frame or one within it."""
    outer, source = node.frame(m, n), place.at(m, n)
    if outer == inner or place.step(m, n) == 0:
        return source
    count = opened.rows(m, inner)
    at = allocate(m, count)
    if state.full(m, 0):
        return at
    if frame.parent(m, inner) == outer:
        parents = opened.parents(m, inner)
        for r in range(count):
            m.words[at + r] = m.words[source + m.words[parents + r]]
    else:
        for r in range(count):
            m.words[at + r] = m.words[source + outer_row(m, inner, outer, r)]
    return at


@row_function
def spread(m: Machine, n: int, inner: int) -> int:
    """As ``lift``, but a constant is broadcast to one word per row, too."""
    at = lift(m, n, inner)
    if place.step(m, n):
        return at
    count = opened.rows(m, inner)
    full = allocate(m, count)
    if not state.full(m, 0):
        for r in range(count):
            m.words[full + r] = m.words[at]
    return full


@row_function
def size_of(word: int, shape: int) -> int:
    """The number of elements or cells of a value; zero for a scalar or a failure."""
    if word < LOWEST or shape == SCALAR:
        return 0
    return length(word) if shape == LIST else area_of(word)


@row_function
def note_time(m: Machine, n: int, began: int) -> None:
    """Add the launch of a node's kernel to the kernel's times."""
    at = 3 * node.kernel(m, n)
    m.times[at] += 1
    m.times[at + 1] += m.words[m.state + ORDERS + COUNT]
    m.times[at + 2] += read_clock(state.clock(m, 0)) - began


@row_function
def launch_rows(m: Machine, n: int, out: int, count: int, ceiling: int) -> None:
    """Launch a node's kernel on ``count`` rows. Its arguments are in the orders.

    When the work exceeds the ceiling, that row and all later ones fail, and ``state.spent`` is above the ceiling.
    """
    began = read_clock(state.clock(m, 0)) if state.clock(m, 0) else 0
    m.words[m.state + ORDERS + COUNT], m.words[m.state + ORDERS + OUT] = count, out
    state.set_ceiling(m, 0, ceiling)
    launch(m.kernels[node.kernel(m, n)], m.words, m.cells, m.state, m.state + ORDERS)
    if state.clock(m, 0):
        note_time(reloaded(m), n, began)


@row_function
def end_of_sample(m: Machine, inner: int, first: int) -> int:
    """The end of the rows that belong to the sample of the row ``first``. The rows of a frame are ordered by sample."""
    sample, end, step, count = outer_row(m, inner, 0, first), first + 1, 1, opened.rows(m, inner)
    while end + step <= count and outer_row(m, inner, 0, end + step - 1) == sample:
        end += step
        step *= 2
    while step:
        if end + step <= count and outer_row(m, inner, 0, end + step - 1) == sample:
            end += step
        step //= 2
    return end


@row_function
def total_length(m: Machine, at: int, step: int, count: int) -> int:
    """The number of elements of all containers in a column."""
    total = 0
    for r in range(count):
        total += size_of(m.words[at + r * step], LIST)
    return total


@row_function
def skip_rows(m: Machine, n: int, count: int) -> None:
    """Advance the arguments in the orders by ``count`` rows. Those of a reduction are a column of containers and a
    column of values, one for each element."""
    at = m.state + ORDERS + ARGS
    if node.kind(m, n) == REDUCE:
        m.words[at + 2] += total_length(m, m.words[at], m.words[at + 1], count)
        m.words[at] += count * m.words[at + 1]
        return
    for k in range(node.arity(m, n)):
        m.words[at + 2 * k] += count * m.words[at + 2 * k + 1]


@row_function
def counter_of(m: Machine, n: int, row: int) -> int:
    """The position of a node's work counter for the sample of a row."""
    return m.counters + node.counter(m, n) * opened.rows(m, 0) + outer_row(m, node.frame(m, n), 0, row)


@row_function
def ceiling_of(m: Machine, n: int, first: int) -> int:
    """The ceiling of the work of a launch of the rows from ``first`` on.

    No ceiling is needed in the root frame, where a sample has one row and the kernel compares its work with the limit,
    nor for calls of a fixed cost, because a frame never has more rows of a sample than such calls are in the limit.
    """
    if node.counter(m, n) >= 0:
        return state.limit(m, 0) - m.words[counter_of(m, n, first)]
    flags = m.links[node.given(m, n) + node.statics(m, n) - 1]
    return UNLIMITED if node.frame(m, n) == 0 or flags & (FREE | FIXED) else state.limit(m, 0)


@row_function
def start_kernel(m: Machine, n: int, top: int) -> None:
    """Launch a node's kernel. The columns of the node and of its arguments are in the orders; ``top`` is ``state.top``.

    All rows are launched together. If there are several samples, and the work of all exceeds the limit of one, the
    launch is repeated sample by sample. Nodes with a work counter are launched sample by sample at once.
    """
    given, statics = node.given(m, n), node.statics(m, n)
    for k in range(statics):
        m.words[m.state + ORDERS + ARGS + 2 * node.arity(m, n) + k] = m.links[given + k]
    first, apart, cells_top = 0, node.counter(m, n) >= 0, state.cells_top(m, 0)
    while first < opened.rows(m, node.frame(m, n)) and not state.full(m, 0):
        end = end_of_sample(m, node.frame(m, n), first) if apart else opened.rows(m, node.frame(m, n))
        launch_rows(m, n, place.at(m, n) + first, end - first, ceiling_of(m, n, first))
        m = reloaded(m)
        if not apart and state.spent(m, 0) > state.ceiling(m, 0) and opened.rows(m, 0) > 1:
            apart = True
            state.set_top(m, 0, top)
            state.set_cells_top(m, 0, cells_top)
            continue
        if node.counter(m, n) >= 0:
            m.words[counter_of(m, n, first)] += state.spent(m, 0)
        if end < opened.rows(m, node.frame(m, n)):
            skip_rows(m, n, end - first)
        first = end


@row_function
def prepare_kernel(m: Machine, n: int, inner: int) -> None:
    """Allocate a node's column, and write the columns of its arguments to the orders."""
    out, first = allocate(m, opened.rows(m, inner)), node.first(m, n)
    for k in range(node.arity(m, n)):
        arg = m.links[first + k]
        m.words[m.state + ORDERS + ARGS + 2 * k] = lift(m, arg, inner)
        m.words[m.state + ORDERS + ARGS + 2 * k + 1] = place.step(m, arg)
    place.set_at(m, n, out)
    place.set_step(m, n, 1)


@row_function
def fail_large(m: Machine, parent: int, at: int) -> None:
    """Fail the containers whose elements, one call each, exceed the limit of work of a sample."""
    total, sample = 0, -1
    for r in range(opened.rows(m, parent)):
        root = outer_row(m, parent, 0, r)
        if root != sample:
            total, sample = 0, root
        total += CALL * (1 + size_of(m.words[at + r], LIST))
        if total > state.limit(m, 0) and m.words[at + r] >= LOWEST:
            m.words[at + r] = BUDGET


@row_function
def open_elements(m: Machine, inner: int, source: int) -> None:
    """Open a frame with a row for each element of a node's containers."""
    parent = frame.parent(m, inner)
    outer = opened.rows(m, parent)
    at, step = lift(m, source, parent), place.step(m, source)
    if state.full(m, 0):
        return
    total = total_length(m, at, step, outer)
    if CALL * (total + outer) > state.limit(m, 0):
        copy = allocate(m, outer)
        if state.full(m, 0):
            return
        for r in range(outer):
            m.words[copy + r] = m.words[at + r * step]
        at, step = copy, 1
        fail_large(m, parent, at)
        total = total_length(m, at, step, outer)
    parents, elements = allocate(m, total), allocate(m, total)
    if state.full(m, 0):
        return
    opened.set_rows(m, inner, total)
    opened.set_parents(m, inner, parents)
    opened.set_elements(m, inner, elements)
    opened.set_containers(m, inner, at)
    opened.set_step(m, inner, step)
    row = 0
    for r in range(outer):
        word = m.words[at + r * step]
        if word >= LOWEST:
            first = start(word)
            for k in range(length(word)):
                m.words[elements + row] = m.words[first + k]
                m.words[parents + row] = r
                row += 1


@row_function
def open_side(m: Machine, inner: int, choice: int, side: int) -> None:
    """Open the frame of one side of a choice, with the rows of its parent that choose this side."""
    parent = frame.parent(m, inner)
    count = opened.rows(m, parent)
    at, step = lift(m, choice, parent), place.step(m, choice)
    parents = allocate(m, count)
    if state.full(m, 0):
        return
    chosen = 0
    for r in range(count):
        if m.words[at + r * step] == side:
            m.words[parents + chosen] = r
            chosen += 1
    opened.set_rows(m, inner, chosen)
    opened.set_parents(m, inner, parents)


@row_function
def charge_turn(m: Machine, n: int, outer: int, row: int) -> bool:
    """Count one turn of a loop as work, and return whether the sample of the row is within the limit."""
    root = outer_row(m, outer, 0, row)
    counter = m.counters + node.counter(m, n) * opened.rows(m, 0) + root
    m.words[counter] += CALL
    return m.words[counter] <= state.limit(m, 0)


@row_function
def open_turn(m: Machine, n: int, inner: int, into: int, turn: int) -> None:
    """Open a loop's frame, with the rows that have turns left and the values that they carry."""
    parent, times, carrier = frame.parent(m, inner), m.links[node.first(m, n)], node.data(m, n)
    count = opened.rows(m, parent)
    at, step = lift(m, times, parent), place.step(m, times)
    parents, carried = allocate(m, count), allocate(m, count)
    if state.full(m, 0):
        return
    active = 0
    for r in range(count):
        if m.words[into + r] >= LOWEST and m.words[at + r * step] > turn:
            if not charge_turn(m, n, parent, r):
                m.words[into + r] = BUDGET
                continue
            m.words[parents + active] = r
            m.words[carried + active] = m.words[into + r]
            active += 1
    opened.set_rows(m, inner, active)
    opened.set_parents(m, inner, parents)
    place.set_at(m, carrier, carried)
    place.set_step(m, carrier, 1)


@row_function
def put_back(m: Machine, inner: int, n: int, into: int) -> None:
    """Write the values of a node in an inner frame to the rows of the frame around it."""
    at, step = lift(m, n, inner), place.step(m, n)
    parents = opened.parents(m, inner)
    if state.full(m, 0):
        return
    for r in range(opened.rows(m, inner)):
        m.words[into + m.words[parents + r]] = m.words[at + r * step]


@row_function
def begin(m: Machine, depth: int, n: int, outer: int) -> None:
    """Begin a node that opens frames: push a level on the stack, and allocate and initialise the result."""
    count = opened.rows(m, outer)
    into = allocate(m, count)
    place.set_at(m, n, into)
    place.set_step(m, n, 1)
    level.set_owner(m, depth, n)
    level.set_turn(m, depth, -1)
    level.set_into(m, depth, into)
    level.set_mark(m, depth, state.columns(m, 0))
    level.set_heap_mark(m, depth, state.top(m, 0))
    level.set_cells_mark(m, depth, state.cells_top(m, 0))
    if node.kind(m, n) == REDUCE or state.full(m, 0):
        return
    first = m.links[node.first(m, n)]
    at, step = lift(m, first, outer), place.step(m, first)
    if node.kind(m, n) == SELECT:
        for r in range(count if not state.full(m, 0) else 0):
            m.words[into + r] = min(m.words[at + r * step], LOWEST - 1)
    else:
        carried = m.links[node.first(m, n) + 1]
        start_at, start_step = lift(m, carried, outer), place.step(m, carried)
        for r in range(count if not state.full(m, 0) else 0):
            times = m.words[at + r * step]
            m.words[into + r] = times if times < LOWEST else m.words[start_at + r * start_step]


@row_function
def has_body(m: Machine, n: int, turn: int) -> bool:
    """Whether a node has a body to run in this turn. True for a loop, which ends when no row has turns left."""
    kind = node.kind(m, n)
    if kind == REDUCE:
        return turn == 0
    return kind == LOOP or turn < node.arity(m, n) - 1


@row_function
def enter(m: Machine, depth: int) -> bool:
    """Open the next frame of a level, and return whether there is one."""
    n, turn = level.owner(m, depth), level.turn(m, depth) + 1
    level.set_turn(m, depth, turn)
    state.set_columns(m, 0, level.mark(m, depth))
    if not has_body(m, n, turn):
        return False
    kind, first = node.kind(m, n), m.links[node.first(m, n)]
    here = node.body(m, n) + (BODY_WORDS * turn if kind == SELECT else 0)
    inner = body.frame(m, here)
    if kind == REDUCE:
        open_elements(m, inner, first)
    elif kind == SELECT:
        open_side(m, inner, first, turn)
    else:
        open_turn(m, n, inner, level.into(m, depth), turn)
        if opened.rows(m, inner) == 0:
            return False
    level.set_frame(m, depth, inner)
    level.set_wanted(m, depth, body.wanted(m, here))
    level.set_next(m, depth, body.first(m, here))
    level.set_end(m, depth, body.end(m, here))
    return True


@row_function
def leave(m: Machine, depth: int) -> None:
    """Copy the wanted value from the frame of a level to the result; for a reduction, to the orders of a launch."""
    n, inner, wanted = level.owner(m, depth), level.frame(m, depth), level.wanted(m, depth)
    if node.kind(m, n) != REDUCE:
        put_back(m, inner, wanted, level.into(m, depth))
        return
    at = m.state + ORDERS + ARGS
    m.words[at], m.words[at + 1] = opened.containers(m, inner), opened.step(m, inner)
    m.words[at + 2], m.words[at + 3] = spread(m, wanted, inner), 1


@row_function
def free_heap(m: Machine, depth: int, made: int) -> None:
    """Free the heaps down to the begin of a level, except for the containers from ``made`` on, which are moved down."""
    to, n = level.heap_mark(m, depth), level.owner(m, depth)
    count = state.top(m, 0) - made
    moves = node.shape(m, n) == LIST and made != to
    for k in range(count if moves else 0):
        m.words[to + k] = m.words[made + k]
    state.set_top(m, 0, to + count)
    state.set_cells_top(m, 0, level.cells_mark(m, depth))
    if not moves:
        return
    into = level.into(m, depth)
    for r in range(opened.rows(m, node.frame(m, n))):
        word = m.words[into + r]
        if word >= LOWEST and start(word) >= made:
            m.words[into + r] = container(start(word) - made + to, length(word))


@row_function
def step(m: Machine, n: int, inner: int) -> None:
    """Prepare a launch, or set the column of a node that needs no launch. Other nodes are not changed."""
    kind = node.kind(m, n)
    if kind == LAUNCH:
        prepare_kernel(m, n, inner)
    elif kind == ELEMENT:
        place.set_at(m, n, opened.elements(m, inner))
        place.set_step(m, n, 1)
    elif kind == SAME:
        arg = m.links[node.first(m, n)]
        place.set_at(m, n, lift(m, arg, inner))
        place.set_step(m, n, place.step(m, arg))


@row_function
def finish_kernel(m: Machine, n: int, depth: int, made: int) -> None:
    """Free the memory that a launch needed beside its result. ``made`` was the top of the heap before the launch."""
    if node.kind(m, n) == LAUNCH:
        state.set_columns(m, 0, place.at(m, n))
    elif node.flat(m, n) and not state.full(m, 0):
        free_heap(m, depth, made)


@row_function
def run_list(m: Machine, first: int, end: int) -> None:
    """Run a list of nodes of the root frame, and all frames that they open."""
    depth = 0
    level.set_next(m, 0, first)
    level.set_end(m, 0, end)
    level.set_frame(m, 0, 0)
    while not state.full(m, 0) and not read_shared(m.stop, 0):
        m = reloaded(m)
        following, inner = level.next(m, depth), level.frame(m, depth)
        leaves = following == level.end(m, depth)
        if leaves and depth == 0:
            return
        n = level.owner(m, depth) if leaves else m.links[following]
        kind, made = node.kind(m, n), state.top(m, 0)
        opens = kind in (REDUCE, SELECT, LOOP)
        if leaves:
            leave(m, depth)
        else:
            level.set_next(m, depth, following + 1)
            step(m, n, inner)
        if opens and not leaves:
            depth += 1
            begin(m, depth, n, inner)
        elif (kind in (LAUNCH, REDUCE)) and not state.full(m, 0):  # one call site, so that it is inlined on GPUs
            start_kernel(m, n, made)
            m = reloaded(m)
            finish_kernel(m, n, depth, made)
        if opens and not state.full(m, 0) and not enter(m, depth):
            state.set_columns(m, 0, level.mark(m, depth))
            depth -= 1
