"""The bank of a task: the values found so far, each once, with the expression that computes it.

A value is a column: the result words of an expression for every sample of the task. Columns with the same 64-bit hash
count as equal, and only the first is kept. The host, which admits values, and the device, which computes them, share
these records.
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
"""An operation: the node of its output, its number of parameters, the value class of its result, its cost, the number
of work counters to reset before it runs (0 without a loop), its node list, the value class and the node of each
parameter; and, while kernels are profiled, the number of runs and their nanoseconds."""

ENTRY = record("entry", "kind price place made_by args:3 score hash", array="bank")
"""An entry of the bank: its value class (``kind``), the price of its expression, the position of its column, the
operation that computed it (-1 - k for the k-th leaf) and the argument entries, its score, and its hash."""

CLASS = record("value_class", "shape type least most capacity members first", array="classes")
"""A value class: scalar (0), container (1) or grid (2); the description of its type; the allowed range of a scalar, of
a container's size or of a grid's sides; the maximum and the current number of entries, and the position of their
list."""

PROGRESS = record("progress", "count tried evaluated found latest", array="progress")
"""The progress of an enumeration: the numbers of entries, of expressions tried, of nodes evaluated (per sample) and of
solutions; and the entry that holds the value tried last, -1 if none does."""

LIMITS = record(
    "limits", "tries highest enough rows operations classes leaves demonstrations slots room", array="limits"
)
"""The limits of an enumeration: the maximum number of expressions, the highest price, and the number of solutions that
are enough; the numbers of samples, enumerated operations, classes, leaves, demonstrations and slots of the hash table;
and the maximum length of the list of expressions."""

EXPRESSION = record("expression", "operation args:3", array="expressions")
"""An expression to try: an operation, and its argument entries."""

LEAF = record("leaf", "kind price place", array="leaves")
"""A leaf: its value class, its cost, and the position of its column."""


class Bank(NamedTuple):
    """The bank of a task and the tables of its enumeration, as pointers to arrays of words.

    ``members`` lists the entries of each class, ``starts`` has the number of cheaper entries for each class and price,
    and ``table`` is a hash table of entries.
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
    expressions: WordPointer
    leaves: WordPointer


operation, entry, value_class, progress, limits, expression, leaf = (
    each.access for each in (OPERATION, ENTRY, CLASS, PROGRESS, LIMITS, EXPRESSION, LEAF)
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
    """The share of correct cells of a grid, in thousandths; 0 if its shape is wrong."""
    if (word ^ wanted) & ((1 << (2 * SIDE_BITS)) - 1):
        return 0
    first, second, right = corner_of(word), corner_of(wanted), 0
    for k in range(area_of(word)):
        right += int(m.cells[first + k] == m.cells[second + k])
    return 1000 * right // area_of(word)


@row_function
def score_of(m: Machine, x: Bank, place: int) -> int:
    """The score of a column of grids: the sum over demonstrations of the thousandths of correct cells."""
    score = 0
    for r in range(limits.demonstrations(x, 0)):
        score += right_cells(m, m.words[place + r], x.expected[r])
    return score


@row_function
def hash_column(m: Machine, x: Bank, kind: int, place: int) -> int:
    """The hash of a column whose values are of class ``kind``."""
    hash, type = kind, value_class.type(x, kind)
    for r in range(limits.rows(x, 0)):
        hash = mixed(hash, hash_value(m.words, m.cells, type, m.words[place + r]))
    return hash


@row_function
def slot_for(x: Bank, hash: int) -> int:
    """A free slot of the hash table for a hash; -1 if the bank already has the value."""
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
    """Add an entry for a value with this hash. Returns the entry; -1 if the value is not new or its class is full."""
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
    """Set the score of a new entry. An entry that is right in all demonstrations counts as a solution."""
    entry.set_score(x, number, score)
    progress.set_found(x, 0, progress.found(x, 0) + int(score == 1000 * limits.demonstrations(x, 0)))
