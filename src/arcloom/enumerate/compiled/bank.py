"""The bank of a task: values found so far, each once, with the expression that gives it.

A value is a column: the words that an expression gives for every sample of the task. Columns with the same 64-bit hash
count as the same value, of which only the first is kept. The records here are shared by the host, which admits values,
and by the device that computes them.
"""

from typing import NamedTuple

from arcloom.engine.machine.layout import record
from arcloom.engine.machine.records import Machine
from arcloom.engine.pointer import WordPointer
from arcloom.engine.words import LOWEST, SIDE_BITS, area_of, corner_of, height_of, length, row_function, width_of
from arcloom.enumerate.compiled.hashing import hash_value, mixed

OPERATION = record(
    "operation", "output arity result cost counters first end params:3 inputs:3 runs nanoseconds", array="operations"
)
"""An operation: the node of its output, the number of its parameters, the class of its result, its cost, the number
of work counters to clear before it runs (zero if it has no loop), the list of its nodes, the class and the node of each
parameter; how often it was run, and how long that took if there is a clock."""

ENTRY = record("entry", "kind price place made_by args:3 score hash", array="bank")
"""An entry of the bank: its value class, the price of its expression, where its column is, the operation that made
it (or -1 - k for the k-th given value) and the entries that it was applied to, its score, and its hash."""

CLASS = record("value_class", "shape type least most capacity members first", array="classes")
"""A class of values: scalar (0), container (1) or grid (2); the description of its type; the range of a scalar, of a
container's size or of a grid's sides; the maximum and the present number of entries, and where they are listed."""

PROGRESS = record("progress", "count tried evaluated found latest", array="progress")
"""The progress: the numbers of entries, of expressions tried, of nodes evaluated (once for each sample) and of right
answers; and the entry that has the value that was tried last, or less than zero."""

LIMITS = record(
    "limits", "tries highest enough rows operations classes givens demonstrations slots room", array="limits"
)
"""The maximum number of expressions to try, the highest price, and the number of right answers that are enough; the
numbers of samples, of operations to enumerate, of classes, of given values, of demonstrations, of slots of the hash
table, and of attempts for which there is room."""

ATTEMPT = record("attempt", "operation args:3", array="attempts")
"""An expression to try: an operation, and the entries that it is applied to."""

GIVEN = record("given", "kind price place", array="givens")
"""A value that a task starts from: its class, its price, and where its column is."""


class Bank(NamedTuple):
    """The bank of a task and everything that decides what is tried: pointers to arrays of words.

    ``lists`` has the nodes of operations, ``members`` the entries of each class, ``starts`` for each class and price
    the number of its entries that are cheaper, and ``table`` is a hash table of entries.
    """

    operations: WordPointer
    classes: WordPointer
    bank: WordPointer
    members: WordPointer
    starts: WordPointer
    table: WordPointer
    expected: WordPointer
    progress: WordPointer
    limits: WordPointer
    attempts: WordPointer
    givens: WordPointer


operation, entry, value_class, progress, limits, attempt, given = (
    each.access for each in (OPERATION, ENTRY, CLASS, PROGRESS, LIMITS, ATTEMPT, GIVEN)
)


@row_function
def fits(x: Bank, kind: int, word: int) -> bool:
    """Whether a value is within the range of its class."""
    shape, least, most = value_class.shape(x, kind), value_class.least(x, kind), value_class.most(x, kind)
    if word < LOWEST:
        return False
    if shape == 0:
        return most == 0 or least <= word <= most
    if shape == 1:
        return least <= length(word) <= most
    return 0 < height_of(word) <= most and 0 < width_of(word) <= most


@row_function
def all_fit(m: Machine, x: Bank, kind: int, place: int) -> bool:
    """Whether all values of a column are within the range of their class."""
    for r in range(limits.rows(x, 0)):  # noqa: SIM110  (row functions have no generators)
        if not fits(x, kind, m.words[place + r]):
            return False
    return True


@row_function
def right_cells(m: Machine, word: int, wanted: int) -> int:
    """Thousandths of the cells of a grid that are as wanted; zero if its shape differs."""
    if (word ^ wanted) & ((1 << (2 * SIDE_BITS)) - 1):
        return 0
    first, second, right = corner_of(word), corner_of(wanted), 0
    for k in range(area_of(word)):
        right += int(m.cells[first + k] == m.cells[second + k])
    return 1000 * right // area_of(word)


@row_function
def score_of(m: Machine, x: Bank, place: int) -> int:
    """The sum over all demonstrations of the thousandths of cells that a column of grids has right."""
    score = 0
    for r in range(limits.demonstrations(x, 0)):
        score += right_cells(m, m.words[place + r], x.expected[r])
    return score


@row_function
def hash_column(m: Machine, x: Bank, kind: int, place: int) -> int:
    """The hash of a column of a class."""
    hash, type = kind, value_class.type(x, kind)
    for r in range(limits.rows(x, 0)):
        hash = mixed(hash, hash_value(m.words, m.cells, type, m.words[place + r]))
    return hash


@row_function
def slot_for(x: Bank, hash: int) -> int:
    """The slot of the hash table for a hash; less than zero if the bank has the value already."""
    mask = limits.slots(x, 0) - 1
    slot = hash & mask
    while x.table[slot]:
        known = x.table[slot] - 1
        if entry.hash(x, known) == hash:
            progress.set_latest(x, 0, known)
            return -1
        slot = (slot + 1) & mask
    return slot


@row_function
def admit(x: Bank, kind: int, hash: int, price: int, made_by: int) -> int:
    """The new entry of a value with this hash; less than zero if it is not new or there is no room for it."""
    progress.set_latest(x, 0, -1)
    members = value_class.members(x, kind)
    if members >= value_class.capacity(x, kind):
        return -1
    slot = slot_for(x, hash)
    if slot < 0:
        return -1
    number = progress.count(x, 0)
    x.table[slot] = number + 1
    entry.set_kind(x, number, kind)
    entry.set_price(x, number, price)
    entry.set_made_by(x, number, made_by)
    entry.set_hash(x, number, hash)
    x.members[value_class.first(x, kind) + members] = number
    value_class.set_members(x, kind, members + 1)
    progress.set_count(x, 0, number + 1)
    progress.set_latest(x, 0, number)
    return number


@row_function
def set_score(x: Bank, number: int, score: int) -> None:
    """Set the score of a new entry; one that is right in all demonstrations counts as found."""
    entry.set_score(x, number, score)
    progress.set_found(x, 0, progress.found(x, 0) + int(score == 1000 * limits.demonstrations(x, 0)))
