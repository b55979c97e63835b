"""The interpreter: runs lists of nodes over columns, and the frames that nodes open.

A frame is computed when a node takes a value from it, and its columns are freed at once. Columns of the root frame,
whose rows are samples, stay until the run of a tile ends. Where memory does not suffice, ``state.full`` is set and
everything returns.
"""

from arcloom.dsl.work import CALL
from arcloom.engine.machine.calls import launch, read_clock, read_shared
from arcloom.engine.machine.records import (
    ARGS,
    BODY,
    COUNT,
    COUNTED,
    ELEMENT,
    FREE,
    LAUNCH,
    LIST,
    LOOP,
    ORDERS,
    OUT,
    PAIRWISE,
    REDUCE,
    SAME,
    SCALAR,
    SELECT,
    Machine,
    body,
    frame,
    level,
    node,
    opened,
    place,
    state,
)
from arcloom.engine.machine.weighing import measured
from arcloom.engine.words import BUDGET, LOWEST, area_of, container, length, row_function, start

BODY_WORDS = BODY.size


@row_function
def allocate(m: Machine, count: int) -> int:
    """The position of a new column. If there is no room, ``state.full`` is set, and the position is of no use."""
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
    """The position of a node's column with a row for each row of a frame, which is the node's own or within it."""
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
    """As ``lift``, with a word for each row even if the node is a constant."""
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
def cost_of(m: Machine, n: int, r: int, out: int, row: int) -> int:
    """The work of one row of the launch that is in the orders: see docs/language.md on budgets. Of a reduction, ``row``
    is where its values begin."""
    word, at, arity, limit = m.words[out + r], m.state + ORDERS + ARGS, node.arity(m, n), state.limit(m, 0)
    codes = at + 2 * arity + node.statics(m, n) - arity - 1
    flags = m.words[codes + arity]
    if word < LOWEST or flags & FREE:
        return 0
    total, product, counted = 0, 1, 0
    for k in range(1 if node.kind(m, n) == REDUCE else arity):
        code = m.words[codes + k]
        if code:
            size = measured(m.words, code, m.words[m.words[at + 2 * k] + r * m.words[at + 2 * k + 1]], limit)
            total, product, counted = total + size, min(product * size, 2 * limit), counted + 1
    if flags & PAIRWISE:
        total = min(product * product, 2 * limit) if counted == 1 else product
    if node.kind(m, n) == REDUCE:
        total *= CALL
    if node.kind(m, n) == REDUCE and m.words[codes + 1]:
        values = m.words[at + 2]
        for k in range(length(m.words[m.words[at] + r * m.words[at + 1]])):
            total += measured(m.words, m.words[codes + 1], m.words[values + row + k], limit)
    return CALL + total + (size_of(word, node.shape(m, n)) if flags & COUNTED else 0)


@row_function
def charge(m: Machine, n: int, inner: int, out: int) -> None:
    """Fail the rows with which a sample exceeds the limit of work at this node.

    Earlier rows of a sample are not concerned: a value that is computed from those alone does not depend on later rows.
    """
    total, sample, counter, row = 0, -1, node.counter(m, n), 0
    reduces = node.kind(m, n) == REDUCE
    for r in range(opened.rows(m, inner)):
        root = outer_row(m, inner, 0, r)
        if root != sample:
            total, sample = 0, root
            if counter >= 0:
                total = m.words[m.counters + counter * opened.rows(m, 0) + root]
        total += cost_of(m, n, r, out, row)
        if reduces:
            at = m.state + ORDERS + ARGS
            row += size_of(m.words[m.words[at] + r * m.words[at + 1]], LIST)
        if counter >= 0:
            m.words[m.counters + counter * opened.rows(m, 0) + root] = total
        if total > state.limit(m, 0) and m.words[out + r] >= LOWEST:
            m.words[out + r] = BUDGET


@row_function
def start_kernel(m: Machine, n: int, inner: int, out: int) -> None:
    """Launch a node's kernel. The columns of its arguments are in the orders already."""
    kernel, arity, count = node.kernel(m, n), node.arity(m, n), opened.rows(m, inner)
    given = node.given(m, n)
    for k in range(node.statics(m, n)):
        m.words[m.state + ORDERS + ARGS + 2 * arity + k] = m.links[given + k]
    timed = state.clock(m, 0) != 0
    began = read_clock(state.clock(m, 0)) if timed else 0
    m.words[m.state + ORDERS + COUNT], m.words[m.state + ORDERS + OUT] = count, out
    state.set_spent(m, 0, 0)
    launch(m.kernels[kernel], m.words, m.cells, m.state, m.state + ORDERS)
    if timed:
        m.times[3 * kernel] += 1
        m.times[3 * kernel + 1] += count
        m.times[3 * kernel + 2] += read_clock(state.clock(m, 0)) - began
    if node.counter(m, n) >= 0 or state.spent(m, 0) > state.limit(m, 0):
        charge(m, n, inner, out)


@row_function
def run_kernel(m: Machine, n: int, inner: int) -> None:
    """Compute a node from its arguments, row by row."""
    out = allocate(m, opened.rows(m, inner))
    mark = state.columns(m, 0)
    first = node.first(m, n)
    for k in range(node.arity(m, n)):
        arg = m.links[first + k]
        m.words[m.state + ORDERS + ARGS + 2 * k] = lift(m, arg, inner)
        m.words[m.state + ORDERS + ARGS + 2 * k + 1] = place.step(m, arg)
    place.set_at(m, n, out)
    place.set_step(m, n, 1)
    if not state.full(m, 0):
        start_kernel(m, n, inner, out)
    state.set_columns(m, 0, mark)


@row_function
def fail_large(m: Machine, parent: int, at: int) -> None:
    """Fail the containers with which a sample has more elements than the limit of work."""
    total, sample = 0, -1
    for r in range(opened.rows(m, parent)):
        root = outer_row(m, parent, 0, r)
        if root != sample:
            total, sample = 0, root
        total += CALL * (1 + size_of(m.words[at + r], LIST))
        if total > state.limit(m, 0) and m.words[at + r] >= LOWEST:
            m.words[at + r] = BUDGET


@row_function
def total_length(m: Machine, at: int, step: int, count: int) -> int:
    """The number of elements of all containers in a column."""
    total = 0
    for r in range(count):
        total += size_of(m.words[at + r * step], LIST)
    return total


@row_function
def open_elements(m: Machine, inner: int, source: int) -> None:
    """Open a frame on the elements of a node's containers, a row for each element."""
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
    """Open a frame on the rows of its parent for which a choice falls on this side."""
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
    """Count one turn of a loop for a row of the loop's frame; whether its sample is within the limit."""
    root = outer_row(m, outer, 0, row)
    counter = m.counters + node.counter(m, n) * opened.rows(m, 0) + root
    m.words[counter] += CALL
    return m.words[counter] <= state.limit(m, 0)


@row_function
def open_turn(m: Machine, n: int, inner: int, into: int, turn: int) -> None:
    """Open a loop's frame on the rows that have turns left, with the values that they carry."""
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
    """Begin to compute a node that takes values from a frame of its own: a new level of the stack."""
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
    """Whether a node has a body to run in this turn; of a loop, whether it may have one."""
    kind = node.kind(m, n)
    if kind == REDUCE:
        return turn == 0
    return kind == LOOP or turn < node.arity(m, n) - 1


@row_function
def enter(m: Machine, depth: int) -> bool:
    """Open the next frame of a level; whether there is one."""
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
    """Take the wanted value from the frame of a level."""
    n, inner, wanted = level.owner(m, depth), level.frame(m, depth), level.wanted(m, depth)
    into = level.into(m, depth)
    if node.kind(m, n) != REDUCE:
        put_back(m, inner, wanted, into)
        return
    m.words[m.state + ORDERS + ARGS], m.words[m.state + ORDERS + ARGS + 1] = (
        opened.containers(m, inner),
        opened.step(m, inner),
    )
    m.words[m.state + ORDERS + ARGS + 2], m.words[m.state + ORDERS + ARGS + 3] = spread(m, wanted, inner), 1
    if not state.full(m, 0):
        made = state.top(m, 0)
        start_kernel(m, n, node.frame(m, n), into)
        if node.flat(m, n) and not state.full(m, 0):
            free_heap(m, depth, made)


@row_function
def free_heap(m: Machine, depth: int, made: int) -> None:
    """Free the heaps down to where a level began, except for the containers from ``made`` on, which are moved down."""
    to, n = level.heap_mark(m, depth), level.owner(m, depth)
    count = state.top(m, 0) - made
    state.set_top(m, 0, to + count)
    state.set_cells_top(m, 0, level.cells_mark(m, depth))
    if node.shape(m, n) != LIST or made == to:
        return
    for k in range(count):
        m.words[to + k] = m.words[made + k]
    into = level.into(m, depth)
    for r in range(opened.rows(m, node.frame(m, n))):
        word = m.words[into + r]
        if word >= LOWEST and start(word) >= made:
            m.words[into + r] = container(start(word) - made + to, length(word))


@row_function
def step(m: Machine, n: int, inner: int) -> bool:
    """Compute a node if it needs no frame of its own; whether it does need one."""
    kind = node.kind(m, n)
    if kind == LAUNCH:
        run_kernel(m, n, inner)
    elif kind == ELEMENT:
        place.set_at(m, n, opened.elements(m, inner))
        place.set_step(m, n, 1)
    elif kind == SAME:
        arg = m.links[node.first(m, n)]
        place.set_at(m, n, lift(m, arg, inner))
        place.set_step(m, n, place.step(m, arg))
    return kind in (REDUCE, SELECT, LOOP)


@row_function
def run_list(m: Machine, first: int, end: int) -> None:
    """Run a list of nodes of the root frame, and all frames that they open."""
    depth = 0
    level.set_next(m, 0, first)
    level.set_end(m, 0, end)
    level.set_frame(m, 0, 0)
    while not state.full(m, 0) and not read_shared(m.stop, 0):
        following = level.next(m, depth)
        if following < level.end(m, depth):
            level.set_next(m, depth, following + 1)
            n, inner = m.links[following], level.frame(m, depth)
            if not step(m, n, inner):
                continue
            depth += 1
            begin(m, depth, n, inner)
        elif depth == 0:
            return
        else:
            leave(m, depth)
        if not state.full(m, 0) and not enter(m, depth):
            state.set_columns(m, 0, level.mark(m, depth))
            depth -= 1
