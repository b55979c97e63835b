"""Bottom-up enumeration for one task: operations are applied to all values found so far, cheapest expressions first.

The price of an expression is the sum of the costs of its operations and leaves. All expressions of one price are known
before the first is evaluated, because their values are arguments only at higher prices. They depend on each other only
through the bank: of equal values the first is kept, a class may be full, and the enumeration may end. Therefore the
expressions of a price are listed, evaluated in any order, and admitted in the order of the list.
"""

from arcloom.engine.machine.arrange import (
    GroupTables,
    Plan,
    arrange_nodes,
    begin_group,
    group,
    list_givens,
    list_nodes,
    number_node,
)
from arcloom.engine.machine.calls import read_clock, read_shared
from arcloom.engine.machine.interpret import run_list
from arcloom.engine.machine.records import CONSTANT, Machine, node, opened, place, state
from arcloom.engine.words import row_function
from arcloom.enumerate.compiled.bank import (
    Bank,
    admit,
    all_fit,
    entry,
    expression,
    hash_column,
    leaf,
    limits,
    operation,
    progress,
    score_of,
    set_score,
    value_class,
)

BUDGET = 50_000
"""Maximum work of an operation for one sample. The few operations that need more would delay all others."""

EXTRA = 8
"""Number of operations after the enumerated ones in the table: those that draw overlays, see ``covers``."""


@row_function
def arrange_operations(g: GroupTables, p: Plan, x: Bank) -> None:
    """Arrange a group of nodes in which each operation has its own node list."""
    begin_group(g, p, 0)
    for k in range(limits.operations(x, 0) + EXTRA):
        first = list_nodes(g, p, operation.output(x, k))
        operation.set_first(x, k, first)
        operation.set_end(x, k, group.links(p, p.number))
        operation.set_output(x, k, number_node(g, p, operation.output(x, k)))
        for n in range(operation.arity(x, k)):
            operation.set_inputs(x, k, n, number_node(g, p, operation.inputs(x, k, n)))
    arrange_nodes(g, p)
    list_givens(g, p)
    for k in range(limits.operations(x, 0) + EXTRA):
        operation.set_counters(x, k, operation.counters(x, k) * group.counters(p, p.number))


@row_function
def give_constants(m: Machine, p: Plan, number: int, constants: int) -> None:
    """Set the columns of all constants of a group. ``constants`` is the position of the constants in the heap."""
    for k in range(group.givens(p, number), group.givens_end(p, number)):
        n = p.links[k]
        if node.kind(m, n) == CONSTANT:
            place.set_at(m, n, constants + node.data(m, n))
            place.set_step(m, n, 0)


@row_function
def clear_counters(m: Machine, x: Bank, k: int) -> None:
    """Reset the work counters of an operation's loops, because each expression has its own limit of work."""
    for at in range(m.counters, m.counters + operation.counters(x, k) * limits.rows(x, 0)):
        m.words[at] = 0


@row_function
def run_operation(m: Machine, x: Bank, number: int) -> None:
    """Run the operation of an expression on its argument entries."""
    k = expression.operation(x, number)
    for n in range(operation.arity(x, k)):
        place.set_at(m, operation.inputs(x, k, n), entry.place(x, expression.args(x, number, n)))
        place.set_step(m, operation.inputs(x, k, n), 1)
    clear_counters(m, x, k)
    timed = state.clock(m, 0) != 0
    began = read_clock(state.clock(m, 0)) if timed else 0
    run_list(m, operation.first(x, k), operation.end(x, k))
    if timed:
        operation.set_runs(x, k, operation.runs(x, k) + 1)
        operation.set_nanoseconds(x, k, operation.nanoseconds(x, k) + read_clock(state.clock(m, 0)) - began)


@row_function
def take_column(m: Machine, x: Bank, kind: int, output: int, heap: int, columns: int) -> int:
    """Move the output column of an expression directly below the columns that existed before it ran.

    Returns the new position; -1 if the output is one of the arguments or a value is out of the range of its class.
    ``heap`` and ``columns`` are the bounds of free memory before the run: a column outside of them is an argument.
    """
    source, rows = place.at(m, output), limits.rows(x, 0)
    if state.full(m, 0) or place.step(m, output) == 0 or source >= columns or source < heap:
        return -1
    if not all_fit(m, x, kind, source):
        return -1
    at = columns - rows
    for r in range(rows - 1, -1, -1):
        m.words[at + r] = m.words[source + r]
    return at


@row_function
def count_expression(x: Bank, k: int) -> None:
    """Count one tried expression with operation ``k``."""
    progress.set_latest(x, 0, -1)
    progress.set_tried(x, 0, progress.tried(x, 0) + 1)
    nodes = operation.end(x, k) - operation.first(x, k)
    progress.set_evaluated(x, 0, progress.evaluated(x, 0) + limits.rows(x, 0) * nodes)


@row_function
def admit_expression(x: Bank, number: int, hash: int, price: int) -> int:
    """Add an entry for the value of an expression, which has this hash. Returns the entry; -1 if it is not admitted."""
    k = expression.operation(x, number)
    made = admit(x, operation.result(x, k), hash, price, k)
    if made >= 0:
        for n in range(operation.arity(x, k)):
            entry.set_args(x, made, n, expression.args(x, number, n))
    return made


@row_function
def try_expression(m: Machine, x: Bank, number: int, price: int) -> None:
    """Evaluate an expression and admit its value to the bank. All other memory that it used is freed."""
    k = expression.operation(x, number)
    heap, cells, columns = state.top(m, 0), state.cells_top(m, 0), state.columns(m, 0)
    kind = operation.result(x, k)
    run_operation(m, x, number)
    at = take_column(m, x, kind, operation.output(x, k), heap, columns)
    count_expression(x, k)
    made = -1
    if at >= 0:
        made = admit_expression(x, number, hash_column(m, x, kind, at), price)
    if made < 0:
        state.set_top(m, 0, heap)
        state.set_cells_top(m, 0, cells)
        state.set_columns(m, 0, columns)
        return
    state.set_columns(m, 0, at)
    entry.set_place(x, made, at)
    set_score(x, made, score_of(m, x, at) if kind == 0 else 0)


@row_function
def is_done(x: Bank) -> bool:
    """Whether all tries are used or enough solutions are found."""
    return progress.tried(x, 0) >= limits.tries(x, 0) or progress.found(x, 0) >= limits.enough(x, 0)


@row_function
def is_over(m: Machine, x: Bank) -> bool:
    """Whether the enumeration is done, was stopped, or has run out of memory."""
    if state.full(m, 0) or read_shared(m.stop, 0):
        return True
    return is_done(x)


@row_function
def begin_of(x: Bank, k: int, n: int, price: int) -> int:
    """The position of the first entry of a price that operation ``k`` can take as its n-th argument.

    Beyond the operation's arity, an argument has one entry, at price 0.
    """
    if n >= operation.arity(x, k):
        return int(price > 0)
    kind = operation.params(x, k, n)
    return value_class.first(x, kind) + x.starts[(limits.highest(x, 0) + 2) * kind + price]


@row_function
def list_prices(x: Bank, k: int, a: int, b: int, c: int, at: int) -> int:
    """List an operation on all argument entries of prices ``a``, ``b`` and ``c``. Returns the end of the list."""
    for i in range(begin_of(x, k, 0, a), begin_of(x, k, 0, a + 1)):
        for j in range(begin_of(x, k, 1, b), begin_of(x, k, 1, b + 1)):
            for n in range(begin_of(x, k, 2, c), begin_of(x, k, 2, c + 1)):
                if at >= limits.room(x, 0):
                    return at
                expression.set_operation(x, at, k)
                expression.set_args(x, at, 0, x.members[i])
                expression.set_args(x, at, 1, x.members[j])
                expression.set_args(x, at, 2, x.members[n])
                at += 1
    return at


@row_function
def list_operation(x: Bank, k: int, price: int, at: int) -> int:
    """List an operation on all argument entries that bring its expression to a price. Returns the end of the list."""
    arity, left = operation.arity(x, k), price - operation.cost(x, k)
    if left < arity:
        return at
    if arity == 1:
        return list_prices(x, k, left, 0, 0, at)
    if arity == 2:
        for a in range(1, left):
            at = list_prices(x, k, a, left - a, 0, at)
        return at
    for a in range(1, left - 1):
        for b in range(1, left - a):
            at = list_prices(x, k, a, b, left - a - b, at)
    return at


@row_function
def list_expressions(x: Bank, price: int) -> int:
    """List all expressions of a price and return their number.

    Once half of the tries are used, only operations that return a grid are listed.
    """
    at = 0
    for k in range(limits.operations(x, 0)):
        if operation.result(x, k) == 0 or 2 * (progress.tried(x, 0) + at) < limits.tries(x, 0):
            at = list_operation(x, k, price, at)
    return at


@row_function
def admit_leaves(m: Machine, x: Bank, price: int) -> None:
    """Admit the leaves of a price."""
    for k in range(limits.leaves(x, 0)):
        if leaf.price(x, k) == price:
            kind, at = leaf.kind(x, k), leaf.place(x, k)
            if all_fit(m, x, kind, at):
                made = admit(x, kind, hash_column(m, x, kind, at), price, -1 - k)
                if made >= 0:
                    entry.set_place(x, made, at)
                    set_score(x, made, score_of(m, x, at) if kind == 0 else 0)


@row_function
def close_price(x: Bank, price: int) -> None:
    """Record for each class the number of entries that cost at most this price."""
    for kind in range(limits.classes(x, 0)):
        x.starts[(limits.highest(x, 0) + 2) * kind + price + 1] = value_class.members(x, kind)


@row_function
def enumerate_all(m: Machine, x: Bank) -> None:
    """Try expressions, cheapest first, until the enumeration is over."""
    opened.set_rows(m, 0, limits.rows(x, 0))
    for price in range(1, limits.highest(x, 0) + 1):
        admit_leaves(m, x, price)
        count = list_expressions(x, price)
        for number in range(count):
            if is_over(m, x):
                return
            try_expression(m, x, number, price)
        if is_over(m, x):
            return
        close_price(x, price)
