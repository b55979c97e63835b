"""Bottom-up exploration of one task, in compiled code: operations applied to all values found so far, smallest first.

A value is a column: what an expression gives for every sample of the task. Of expressions with the same column only
the first is kept. The values are entries of a bank; where an expression came from is an operation and the entries
that it was applied to.
"""

from typing import Any, NamedTuple

from arcloom.engine import machine
from arcloom.engine.compare import compare
from arcloom.engine.hashing import hash_value, mixed
from arcloom.engine.machine import CELLS_TOP, COLUMNS, FULL, LEVEL, TOP, VISIT, Machine, order_nodes, run_level
from arcloom.engine.words import LOWEST, SIDE_BITS, area_of, corner_of, height_of, length, row_function, width_of

BUDGET = 12_000
"""What an operation may produce for a sample: the few that need more keep all others waiting."""

OUTPUT, ARITY, RESULT, COST, LISTED, LISTED_END, PARAMS, INPUTS = 0, 1, 2, 3, 4, 5, 6, 9
"""An operation: its output's node, how many parameters it has, the sort of its result, its cost, where its nodes are
listed, and from PARAMS and INPUTS on, for each of three parameters, its sort and its node."""

RUNS, NANOSECONDS = 12, 13
"""How often an operation was run and how long that took, if there is a clock."""

OPERATION = 14
"""An operation takes so many words."""

SORT, PRICE, PLACE, MADE_BY, FROM, SCORE, HASH = 0, 1, 2, 3, 4, 7, 8
"""An entry of the bank: its sort, what its expression costs, where its column is, the operation that made it (below
zero for what was given), from FROM on the entries that was applied to, how much it gets right, and its hash."""

ENTRY = 9
"""An entry takes so many words."""

KIND, TYPE, LEAST, MOST, CAPACITY, MEMBERS, FIRST = range(7)
"""A sort of values: scalar (0), container (1) or grid (2), the description of its type, what a scalar may be or how
large a container or a side of a grid, how many entries of it there may be and are, and where they are listed."""

SORT_WORDS = 7
"""A sort takes so many words. The first sort is that of answers."""

COUNT, TRIED, EVALUATED, FOUND, LATEST = range(5)
"""The progress: entries, expressions tried, nodes evaluated (once for each sample), answers that are right, and the
entry that has what was tried last, which may be an earlier one; less than zero if there is none."""

TRIES, HIGHEST, ENOUGH, ROWS, OPERATIONS, SORTS, GIVENS, DEMONSTRATIONS, SLOTS = range(9)
"""The limits and sizes: expressions to try, the highest price, how many right answers are enough; how many samples,
operations to explore, sorts, givens and demonstrations there are, and how many slots the table of hashes has."""

EXTRA = 8
"""So many more operations stand behind those that are explored."""


class Exploring(NamedTuple):
    """What one exploration works with, beside the machine: pointers to arrays of words."""

    operations: Any
    lists: Any
    sorts: Any
    bank: Any
    members: Any
    starts: Any
    table: Any
    expected: Any
    progress: Any
    sizes: Any
    args: Any


@row_function
def list_operations(m: Machine, x: Exploring) -> None:
    """List the nodes of each operation in the order in which they run."""
    at = 0
    for k in range(x.sizes[OPERATIONS] + EXTRA):
        here = OPERATION * k
        m.state[VISIT] += 2
        end = order_nodes(m, 0, x.operations[here + OUTPUT], 0, m.state[VISIT])
        x.operations[here + LISTED] = at
        for n in range(end):
            if m.nodes[machine.NODE * m.work[n] + machine.KIND] != machine.INPUT:
                x.lists[at] = m.work[n]
                at += 1
        x.operations[here + LISTED_END] = at


@row_function
def fits(x: Exploring, sort: int, word: int) -> bool:
    """Whether a value is one that is worth having."""
    here = SORT_WORDS * sort
    kind, least, most = x.sorts[here + KIND], x.sorts[here + LEAST], x.sorts[here + MOST]
    if word < LOWEST:
        return False
    if kind == 0:
        return most == 0 or least <= word <= most
    if kind == 1:
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
def score_of(m: Machine, x: Exploring, place: int) -> int:
    """How much a column of grids gets right, in thousandths for each demonstration."""
    score = 0
    for r in range(x.sizes[DEMONSTRATIONS]):
        score += right_cells(m, m.columns[place + r], x.expected[r])
    return score


@row_function
def hash_column(m: Machine, x: Exploring, sort: int, place: int) -> int:
    """The hash of a column."""
    hash, type = sort, x.sorts[SORT_WORDS * sort + TYPE]
    for r in range(x.sizes[ROWS]):
        hash = mixed(hash, hash_value(m.heap, m.cells, type, m.columns[place + r]))
    return hash


@row_function
def is_same(m: Machine, x: Exploring, entry: int, sort: int, place: int) -> bool:
    """Whether an entry's column has the same values as another column of the same sort."""
    other, type = x.bank[ENTRY * entry + PLACE], x.sorts[SORT_WORDS * sort + TYPE]
    for r in range(x.sizes[ROWS]):
        if compare(m.heap, m.cells, type, m.columns[other + r], m.columns[place + r]) != 0:
            return False
    return True


@row_function
def slot_for(m: Machine, x: Exploring, sort: int, place: int, hash: int) -> int:
    """Where in the table a column belongs; less than zero if the bank has it."""
    mask = x.sizes[SLOTS] - 1
    slot = hash & mask
    while x.table[slot]:
        entry = x.table[slot] - 1
        alike = x.bank[ENTRY * entry + HASH] == hash and x.bank[ENTRY * entry + SORT] == sort
        if alike and is_same(m, x, entry, sort, place):
            x.progress[LATEST] = entry
            return -1
        slot = (slot + 1) & mask
    return slot


@row_function
def admit(m: Machine, x: Exploring, sort: int, price: int, place: int, made_by: int) -> bool:
    """Make a column an entry of the bank if it is new and there is room; whether it was."""
    x.progress[LATEST] = -1
    for r in range(x.sizes[ROWS]):
        if not fits(x, sort, m.columns[place + r]):
            return False
    kind = SORT_WORDS * sort
    members, entry = x.sorts[kind + MEMBERS], x.progress[COUNT]
    if members >= x.sorts[kind + CAPACITY]:
        return False
    hash = hash_column(m, x, sort, place)
    slot = slot_for(m, x, sort, place, hash)
    if slot < 0:
        return False
    x.table[slot] = entry + 1
    here = ENTRY * entry
    x.bank[here + SORT], x.bank[here + PRICE], x.bank[here + PLACE] = sort, price, place
    x.bank[here + MADE_BY], x.bank[here + HASH] = made_by, hash
    score = score_of(m, x, place) if sort == 0 else 0
    x.bank[here + SCORE] = score
    x.members[x.sorts[kind + FIRST] + members] = entry
    x.sorts[kind + MEMBERS] = members + 1
    x.progress[COUNT], x.progress[LATEST] = entry + 1, entry
    x.progress[FOUND] += int(score == 1000 * x.sizes[DEMONSTRATIONS])
    return True


@row_function
def run_operation(m: Machine, x: Exploring, k: int) -> None:
    """Run an operation on the entries that are in ``args``."""
    here = OPERATION * k
    for n in range(x.operations[here + ARITY]):
        node = x.operations[here + INPUTS + n]
        m.places[2 * node], m.places[2 * node + 1] = x.bank[ENTRY * x.args[n] + PLACE], 1
    first = x.operations[here + LISTED]
    count = x.operations[here + LISTED_END] - first
    for n in range(count):
        m.work[LEVEL + n] = x.lists[first + n]
    m.work[machine.NEXT], m.work[machine.END], m.work[machine.INNER] = LEVEL, LEVEL + count, 0
    began = machine.now(m) if m.state[machine.CLOCK] else 0
    run_level(m, 0)
    if m.state[machine.CLOCK]:
        x.operations[here + RUNS] += 1
        x.operations[here + NANOSECONDS] += machine.now(m) - began
    x.progress[TRIED] += 1
    x.progress[EVALUATED] += x.sizes[ROWS] * count


@row_function
def attempt(m: Machine, x: Exploring, k: int, price: int) -> None:
    """Apply an operation to entries of the bank, and admit what it gives. What else it made is given back."""
    here = OPERATION * k
    heap, cells, columns = m.state[TOP], m.state[CELLS_TOP], m.state[COLUMNS]
    x.progress[LATEST] = -1
    run_operation(m, x, k)
    output = x.operations[here + OUTPUT]
    place = m.places[2 * output]
    if not m.state[FULL] and m.places[2 * output + 1] and place >= columns:  # or it is one of its arguments again
        for r in range(x.sizes[ROWS]):
            m.columns[columns + r] = m.columns[place + r]
        m.state[COLUMNS] = columns + x.sizes[ROWS]
        entry = x.progress[COUNT]
        if admit(m, x, x.operations[here + RESULT], price, columns, k):
            for n in range(x.operations[here + ARITY]):
                x.bank[ENTRY * entry + FROM + n] = x.args[n]
            return
    m.state[TOP], m.state[CELLS_TOP], m.state[COLUMNS] = heap, cells, columns


@row_function
def is_over(m: Machine, x: Exploring) -> bool:
    """Whether there is no room, no time, or enough found."""
    progress, sizes = x.progress, x.sizes
    return m.state[FULL] != 0 or progress[TRIED] >= sizes[TRIES] or progress[FOUND] >= sizes[ENOUGH]


@row_function
def begin_of(x: Exploring, k: int, n: int, price: int) -> int:
    """Where the entries of a price begin that an operation takes as its n-th argument; just one for what it lacks."""
    if n >= x.operations[OPERATION * k + ARITY]:
        return int(price > 0)
    sort = x.operations[OPERATION * k + PARAMS + n]
    return x.sorts[SORT_WORDS * sort + FIRST] + x.starts[(x.sizes[HIGHEST] + 2) * sort + price]


@row_function
def combine(m: Machine, x: Exploring, k: int, price: int, a: int, b: int, c: int) -> None:
    """Apply an operation to all entries of these prices."""
    for i in range(begin_of(x, k, 0, a), begin_of(x, k, 0, a + 1)):
        for j in range(begin_of(x, k, 1, b), begin_of(x, k, 1, b + 1)):
            for n in range(begin_of(x, k, 2, c), begin_of(x, k, 2, c + 1)):
                x.args[0], x.args[1], x.args[2] = x.members[i], x.members[j], x.members[n]
                attempt(m, x, k, price)
                if is_over(m, x):
                    return


@row_function
def apply_all(m: Machine, x: Exploring, k: int, price: int) -> None:
    """Apply an operation to all entries that together cost what it leaves of the price."""
    arity = x.operations[OPERATION * k + ARITY]
    left = price - x.operations[OPERATION * k + COST]
    if left < arity:
        return
    if arity == 1:
        combine(m, x, k, price, left, 0, 0)
    elif arity == 2:
        for a in range(1, left):
            combine(m, x, k, price, a, left - a, 0)
    else:
        for a in range(1, left - 1):
            for b in range(1, left - a):
                combine(m, x, k, price, a, b, left - a - b)


@row_function
def explore_price(m: Machine, x: Exploring, price: int) -> None:
    """Try all expressions of a price; only answers, when half of the tries have been used."""
    for k in range(x.sizes[OPERATIONS]):
        if x.operations[OPERATION * k + RESULT] == 0 or 2 * x.progress[TRIED] < x.sizes[TRIES]:
            apply_all(m, x, k, price)
        if is_over(m, x):
            return


@row_function
def admit_givens(m: Machine, x: Exploring, givens: Any, given_words: Any, price: int) -> None:
    """Admit what is given at a price."""
    for k in range(x.sizes[GIVENS]):
        if givens[k, 1] == price:
            at = m.state[COLUMNS]
            for r in range(x.sizes[ROWS]):
                m.columns[at + r] = given_words[k, r]
            m.state[COLUMNS] = at + x.sizes[ROWS]
            admit(m, x, givens[k, 0], price, at, -1 - k)


@row_function
def enumerate_all(m: Machine, x: Exploring, givens: Any, given_words: Any) -> None:
    """Try expressions, the cheapest first. ``givens`` are the sorts and prices of what they start from, with a column
    of words for each.
    """
    m.opened[machine.ROWS] = x.sizes[ROWS]
    list_operations(m, x)
    for price in range(1, x.sizes[HIGHEST] + 1):
        admit_givens(m, x, givens, given_words, price)
        explore_price(m, x, price)
        if is_over(m, x):
            return
        for sort in range(x.sizes[SORTS]):
            x.starts[(x.sizes[HIGHEST] + 2) * sort + price + 1] = x.sorts[SORT_WORDS * sort + MEMBERS]
