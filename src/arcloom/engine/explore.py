"""Bottom-up exploration of one task, in compiled code: operations applied to all values found so far, smallest first.

A value is a column: what an expression gives for every sample of the task. Of expressions with the same column only
the first is kept. The values are kept as entries of a bank; where an expression came from is an operation and the
entries it was applied to.
"""

from typing import Any

from arcloom.engine import pointer
from arcloom.engine.compare import compare
from arcloom.engine.hashing import hash_value, mixed
from arcloom.engine.machine import (
    CELLS_TOP,
    COLUMNS,
    END,
    FULL,
    INNER,
    INPUT,
    LEVEL,
    NEXT,
    NODE,
    ROWS,
    TOP,
    VISIT,
    Machine,
    order_nodes,
    run_level,
)
from arcloom.engine.words import LOWEST, SIDE_BITS, area_of, corner_of, height_of, length, row_function, width_of

base: Any = pointer.base

NODE_KIND = 0
"""Where in a node its kind stands."""

OUTPUT, ARITY, RESULT, COST, LISTED, LISTED_END, PARAMS, INPUTS = 0, 1, 2, 3, 4, 5, 6, 10
"""An operation: its output's node, how many parameters it has, the sort of its result, its cost, where its nodes are
listed, and from PARAMS and INPUTS on, for each parameter, its sort and its node."""

OPERATION = 14
"""An operation takes so many words."""

SORT, PRICE, PLACE, MADE_BY, FROM, SCORE, HASH = 0, 1, 2, 3, 4, 8, 9
"""An entry of the bank: its sort, what its expression costs, where its column is, the operation that made it (or -1),
from FROM on the entries that was applied to, how much of the task it gets right, and its hash."""

ENTRY = 10
"""An entry takes so many words."""

KIND, TYPE, LEAST, MOST, MOST_ENTRIES = range(5)
"""A sort of values: scalar (0), container (1) or grid (2), the description of its type, what a scalar may be or how
large a container or grid's side may be, and how many entries of it there may be."""

COUNT, TRIED, EVALUATED, FOUND, WHY = range(5)
"""The progress: entries, expressions tried, nodes evaluated (one for each sample), entries that solve the task, and
whether it ended because there was no room."""


@row_function
def list_operations(m: Machine, operations: Any, lists: Any) -> None:
    """List the nodes of each operation in the order in which they run."""
    at = 0
    for k in range(operations.shape[0]):
        m.state[VISIT] += 2
        end = order_nodes(m, 0, operations[k, OUTPUT], 0, m.state[VISIT])
        operations[k, LISTED] = at
        for n in range(end):
            if m.nodes[NODE * m.work[n] + NODE_KIND] != INPUT:
                lists[at] = m.work[n]
                at += 1
        operations[k, LISTED_END] = at


@row_function
def fits(m: Machine, sorts: Any, sort: int, word: int) -> bool:
    """Whether a value is one that is worth having."""
    if word < LOWEST:
        return False
    least, most = sorts[sort, LEAST], sorts[sort, MOST]
    if sorts[sort, KIND] == 0:
        return sorts[sort, MOST] == 0 or least <= word <= most
    if sorts[sort, KIND] == 1:
        return least <= length(word) <= most
    return 0 < height_of(word) <= most and 0 < width_of(word) <= most


@row_function
def right_cells(m: Machine, word: int, wanted: int) -> int:
    """Thousandths of the cells of a grid that are as wanted; none if its shape is another."""
    if (word ^ wanted) & ((1 << (2 * SIDE_BITS)) - 1):
        return 0
    first, second, right = corner_of(word), corner_of(wanted), 0
    for k in range(area_of(word)):
        right += int(m.cells[first + k] == m.cells[second + k])
    return 1000 * right // area_of(word)


@row_function
def score_of(m: Machine, place: int, expected: Any) -> int:
    """How much a column of grids gets right, in thousandths for each demonstration."""
    score = 0
    for r in range(expected.shape[0]):
        score += right_cells(m, m.columns[place + r], expected[r])
    return score


@row_function
def hash_column(m: Machine, type: int, sort: int, place: int, rows: int) -> int:
    """The hash of a column."""
    hash = sort
    for r in range(rows):
        hash = mixed(hash, hash_value(m.heap, m.cells, type, m.columns[place + r]))
    return hash


@row_function
def known(m: Machine, bank: Any, table: Any, type: int, sort: int, place: int, rows: int, hash: int) -> int:
    """Where in the table a column belongs; less than zero if the bank has it."""
    mask = table.shape[0] - 1
    slot = hash & mask
    while table[slot]:
        entry = table[slot] - 1
        if bank[entry, HASH] == hash and bank[entry, SORT] == sort:
            same = True
            for r in range(rows):
                a, b = m.columns[bank[entry, PLACE] + r], m.columns[place + r]
                if compare(m.heap, m.cells, type, a, b) != 0:
                    same = False
                    break
            if same:
                return -1
        slot = (slot + 1) & mask
    return slot


@row_function
def admit(
    m: Machine, sorts: Any, bank: Any, by_sort: Any, starts: Any, table: Any, expected: Any, progress: Any,
    sort: int, price: int, place: int, rows: int, made_by: int,
) -> bool:  # fmt: skip
    """Make a column an entry of the bank if it is new and there is room; whether it was."""
    for r in range(rows):
        if not fits(m, sorts, sort, m.columns[place + r]):
            return False
    members, entry = by_sort[sort, 0], progress[COUNT]
    if members >= sorts[sort, MOST_ENTRIES] or entry >= bank.shape[0]:
        return False
    hash = hash_column(m, sorts[sort, TYPE], sort, place, rows)
    slot = known(m, bank, table, sorts[sort, TYPE], sort, place, rows, hash)
    if slot < 0:
        return False
    table[slot] = entry + 1
    bank[entry, SORT], bank[entry, PRICE], bank[entry, PLACE] = sort, price, place
    bank[entry, MADE_BY], bank[entry, HASH] = made_by, hash
    bank[entry, SCORE] = score_of(m, place, expected) if sort == 0 else 0
    by_sort[sort, 1 + members] = entry
    by_sort[sort, 0] = members + 1
    progress[COUNT] = entry + 1
    if sort == 0 and bank[entry, SCORE] == 1000 * expected.shape[0]:
        progress[FOUND] += 1
    return True


@row_function
def attempt(
    m: Machine, operations: Any, lists: Any, sorts: Any, bank: Any, by_sort: Any, starts: Any, table: Any,
    expected: Any, progress: Any, rows: int, k: int, price: int, args: Any,
) -> None:  # fmt: skip
    """Apply an operation to entries of the bank, and admit what it gives. Everything else that it made is given back."""
    heap, cells, columns = m.state[TOP], m.state[CELLS_TOP], m.state[COLUMNS]
    arity = operations[k, ARITY]
    for n in range(arity):
        node = operations[k, INPUTS + n]
        m.places[2 * node], m.places[2 * node + 1] = bank[args[n], PLACE], 1
    count = operations[k, LISTED_END] - operations[k, LISTED]
    for n in range(count):
        m.work[LEVEL + n] = lists[operations[k, LISTED] + n]
    m.work[NEXT], m.work[END], m.work[INNER] = LEVEL, LEVEL + count, 0
    run_level(m, 0)
    progress[TRIED] += 1
    progress[EVALUATED] += rows * count
    admitted = False
    output = operations[k, OUTPUT]
    if not m.state[FULL] and m.places[2 * output + 1]:
        place = m.places[2 * output]
        if place >= columns:  # not one of the arguments again
            for r in range(rows):
                m.columns[columns + r] = m.columns[place + r]
            m.state[COLUMNS] = columns + rows
            result = operations[k, RESULT]
            admitted = admit(
                m, sorts, bank, by_sort, starts, table, expected, progress, result, price, columns, rows, k
            )
    if admitted:
        for n in range(arity):
            bank[progress[COUNT] - 1, FROM + n] = args[n]
    else:
        m.state[TOP], m.state[CELLS_TOP], m.state[COLUMNS] = heap, cells, columns


@row_function
def apply_all(
    m: Machine, operations: Any, lists: Any, sorts: Any, bank: Any, by_sort: Any, starts: Any, table: Any,
    expected: Any, progress: Any, limits: Any, rows: int, k: int, price: int, args: Any,
) -> None:  # fmt: skip
    """Apply an operation to all entries that together cost what is left of the price. Odometer over prices and
    entries."""
    arity = operations[k, ARITY]
    left = price - operations[k, COST]
    if left < arity:
        return
    # prices[n] is what argument n costs; the last one costs what is left
    p0 = 1
    while p0 <= (left if arity == 1 else left - (arity - 1)):
        if arity == 1:
            p0 = left
        first0, last0 = starts[operations[k, PARAMS], p0], starts[operations[k, PARAMS], p0 + 1]
        p1 = 1
        while True:
            if arity == 1:
                p1 = 0
            elif arity == 2:
                p1 = left - p0
            first1, last1 = 0, 1
            if arity > 1:
                first1, last1 = starts[operations[k, PARAMS + 1], p1], starts[operations[k, PARAMS + 1], p1 + 1]
            p2 = left - p0 - p1
            first2, last2 = 0, 1
            if arity > 2:
                first2, last2 = starts[operations[k, PARAMS + 2], p2], starts[operations[k, PARAMS + 2], p2 + 1]
            for a in range(first0, last0):
                args[0] = by_sort[operations[k, PARAMS], 1 + a]
                for b in range(first1, last1):
                    if arity > 1:
                        args[1] = by_sort[operations[k, PARAMS + 1], 1 + b]
                    for c in range(first2, last2):
                        if arity > 2:
                            args[2] = by_sort[operations[k, PARAMS + 2], 1 + c]
                        attempt(
                            m, operations, lists, sorts, bank, by_sort, starts, table, expected, progress,
                            rows, k, price, args,
                        )  # fmt: skip
                        if m.state[FULL] or progress[TRIED] >= limits[0] or progress[FOUND] >= limits[2]:
                            return
            if arity < 3 or p1 >= left - p0 - 1:
                break
            p1 += 1
        if arity == 1:
            break
        p0 += 1


@row_function
def explore(
    nodes: Any, links: Any, frames: Any, addresses: Any, times: Any, opened: Any, places: Any, seen: Any, work: Any,
    columns: Any, heap: Any, cells: Any, state: Any, orders: Any, clock: Any,
    operations: Any, lists: Any, sorts: Any, bank: Any, by_sort: Any, starts: Any, table: Any,
    givens: Any, given_words: Any, expected: Any, progress: Any, limits: Any, args: Any,
) -> None:  # fmt: skip
    """Explore a task. ``givens`` are the sorts and prices of what it starts from, with a column of words for each.

    ``limits`` are how many expressions to try, the highest price, and how many solutions are enough.
    """
    m = Machine(
        base(nodes), base(links), base(frames), base(addresses), base(times), base(opened), base(places), base(seen),
        base(work), base(columns), base(heap), base(cells), base(state), base(orders), base(clock),
    )  # fmt: skip
    rows = given_words.shape[1]
    m.opened[ROWS] = rows
    list_operations(m, operations, lists)
    for price in range(1, limits[1] + 1):
        for sort in range(sorts.shape[0]):
            starts[sort, price] = by_sort[sort, 0]
        for k in range(givens.shape[0]):
            if givens[k, 1] == price:
                at = state[COLUMNS]
                for r in range(rows):
                    columns[at + r] = given_words[k, r]
                state[COLUMNS] = at + rows
                admit(m, sorts, bank, by_sort, starts, table, expected, progress, givens[k, 0], price, at, rows, -1 - k)
        for k in range(operations.shape[0]):
            apply_all(
                m, operations, lists, sorts, bank, by_sort, starts, table, expected, progress, limits, rows, k, price,
                args,
            )  # fmt: skip
            if state[FULL] or progress[TRIED] >= limits[0] or progress[FOUND] >= limits[2]:
                progress[WHY] = state[FULL]
                return
        for sort in range(sorts.shape[0]):
            starts[sort, price + 1] = by_sort[sort, 0]
