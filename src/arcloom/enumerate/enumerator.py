"""Bottom-up enumeration: expressions over operations, cheapest first, on all samples of a task at once."""

import weakref
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from arcloom.dsl.signature import GRID, INDICES, INT, OBJECT, PAIR, Type, set_of, tuple_of
from arcloom.dsl.values import SIDE_MAX
from arcloom.engine.columns import Cells, ConstantStore, Reader, Words
from arcloom.engine.machine.layout import Record, Table
from arcloom.engine.memory import Memory
from arcloom.engine.plan import Planner
from arcloom.engine.tables import Tables
from arcloom.engine.warm import ensure
from arcloom.enumerate.compiled import covers, expressions, overlays
from arcloom.enumerate.compiled.bank import CLASS, ENTRY, EXPRESSION, LEAF, LIMITS, OPERATION, PROGRESS, Bank
from arcloom.program.build import substituted
from arcloom.program.graph import Graph, Node
from arcloom.program.parse import parse
from arcloom.program.term import Program, Term
from arcloom.program.trace import Tracer

SCALAR, CONTAINER, PICTURE = range(3)
"""Representations of values: a word, a container, or a grid."""


@dataclass(frozen=True, eq=False)
class ValueClass:
    """A class of values that enumeration treats alike.

    ``least`` and ``most`` limit a number, the size of a container, or the sides of a grid; other values are discarded.
    ``entries`` is the maximum number of values kept per task.
    """

    name: str
    type: Type
    kind: int
    least: int
    most: int
    entries: int


VALUE_CLASSES = (
    ValueClass("grid", GRID, PICTURE, 1, SIDE_MAX, 60_000),
    ValueClass("object", OBJECT, CONTAINER, 1, SIDE_MAX * SIDE_MAX, 4_000),
    ValueClass("objects", set_of(OBJECT), CONTAINER, 1, 200, 1_000),
    ValueClass("patch", INDICES, CONTAINER, 1, SIDE_MAX * SIDE_MAX, 6_000),
    ValueClass("patches", set_of(INDICES), CONTAINER, 1, 200, 200),
    ValueClass("colour", INT, SCALAR, 0, 9, 60),
    ValueClass("number", INT, SCALAR, -SIDE_MAX, SIDE_MAX * SIDE_MAX, 100),
    ValueClass("pair", PAIR, SCALAR, 0, 0, 200),
    ValueClass("grids", tuple_of(GRID), CONTAINER, 1, 100, 400),
)
"""All value classes. Outputs are of the first one."""

_BY_NAME = {value_class.name: value_class for value_class in VALUE_CLASSES}

PARAMETERS: Mapping[str, ValueClass] = {
    **dict.fromkeys(("g", "h"), _BY_NAME["grid"]),
    **dict.fromkeys(("x", "y"), _BY_NAME["object"]),
    "xs": _BY_NAME["objects"],
    **dict.fromkeys(("p", "q"), _BY_NAME["patch"]),
    "ps": _BY_NAME["patches"],
    **dict.fromkeys(("c", "d"), _BY_NAME["colour"]),
    "n": _BY_NAME["number"],
    **dict.fromkeys(("v", "w"), _BY_NAME["pair"]),
    "gs": _BY_NAME["grids"],
}
"""The value class of an operation's parameter, by the name of the parameter."""


@dataclass(frozen=True)
class Operation:
    """A program whose parameters are typed by their names: see PARAMETERS.

    ``value_class`` is the name of its result's class. ``cost`` is added to the price of an expression that uses it.
    """

    program: Program
    value_class: str
    cost: int

    @property
    def name(self) -> str:
        """The name of its program."""
        return self.program.name


@dataclass(frozen=True)
class Leaf:
    """A starting value of an enumeration: a term, its value for each sample, and its cost.

    ``name`` is the kind of leaf under which its uses are counted: see ``costs``.
    """

    term: Term
    value_class: str
    cost: int
    values: Sequence[Any]
    name: str = ""


@dataclass(frozen=True)
class Problem:
    """An enumeration to run for a task.

    ``expected`` are the outputs of the demonstrations, which are the first samples. The enumeration ends after
    ``tries`` expressions, above a ``price``, or with ``enough`` solutions. ``changes`` are added to the costs of the
    named operations. ``unused`` are the indices of operations that it does not use. ``pictures`` is the maximum number
    of grids with the shapes of the expected outputs that the result contains.
    """

    leaves: Sequence[Leaf]
    expected: Sequence[Any]
    tries: int
    price: int
    enough: int
    changes: Mapping[str, int] = field(default_factory=dict)
    unused: Sequence[int] = ()
    pictures: int = 0


@dataclass(frozen=True)
class Picture:
    """An expression whose grids have the shapes of the expected outputs: its cost, and its grid for each sample.

    ``term`` makes the expression.
    """

    cost: int
    grids: tuple[Cells, ...]
    term: Callable[[], Term]


@dataclass(frozen=True)
class FoundExpression:
    """An expression and its grid for each sample.

    ``score`` is the sum over demonstrations of the thousandths of correct cells. ``used`` are the names of the
    operations and leaves in the expression.
    """

    output: Term
    cost: int
    score: int
    grids: tuple[Cells, ...]
    used: tuple[str, ...]


@dataclass(frozen=True)
class EnumerationResult:
    """The result of an enumeration: expressions that solve all demonstrations, and the best others.

    ``pictures`` are expressions with grids of the expected shapes, the cheapest first. ``tried`` counts expressions,
    ``evaluated`` nodes times samples, and ``entries`` the values in the bank.
    """

    solutions: tuple[FoundExpression, ...]
    nearest: tuple[FoundExpression, ...]
    pictures: tuple[Picture, ...]
    tried: int
    evaluated: int
    entries: int


class Enumerator:
    """Enumerates expressions over a set of operations, for any task. ``count`` is the number of these operations.

    While kernels are profiled, ``timed`` has the number of runs of each operation and the nanoseconds that they took.
    """

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.graph = Graph()
        self.planner = Planner()
        self.count = len(operations)
        self.operations = (*operations, *_layering())
        rows = [self._row(operation) for operation in self.operations]
        self.tables = Tables(self.graph, self.planner)
        self._operations = np.array(rows, np.int64)
        self.timed = np.zeros((len(rows), 2), np.int64)
        self.classes = self._class_table()
        self._limits: deque[weakref.ref[Words]] = deque(maxlen=UNDER_WAY)
        ensure(self.planner.kernels)

    @property
    def operation_table(self) -> Table:
        """A new table of operations. Nodes have their numbers in the graph."""
        return Table(OPERATION, self._operations.copy())

    def _operations_for(self, problem: Problem) -> Table:
        """The table of operations for a problem. Unused operations cost more than the maximum price."""
        table = self.operation_table
        changes = np.array([problem.changes.get(operation.name, 0) for operation in self.operations])
        table["cost"][:] = np.maximum(1, table["cost"] + changes)
        table["cost"][list(problem.unused)] = problem.price + 1
        return table

    def _stoppable(self, limits: Words) -> Words:
        """Register the limits of an enumeration, so that ``stop`` can change them while it runs."""
        self._limits.append(weakref.ref(limits))
        return limits

    def stop(self) -> None:
        """End all enumerations that are running on other threads. They return what they have found so far."""
        for remembered in list(self._limits):
            limits = remembered()
            if limits is not None:
                limits[LIMITS.offset("tries")] = 0

    def _row(self, operation: Operation) -> list[int]:
        """The OPERATION record of an operation, whose nodes are added to the graph."""
        tracer = Tracer(self.graph, {name: value_class.type for name, value_class in PARAMETERS.items()})
        value_class = _BY_NAME[operation.value_class]
        output = tracer.coerce(tracer.trace(operation.program).output, value_class.type)
        params = [PARAMETERS[name] for name in operation.program.inputs]
        inputs = [
            self.graph.node("input", (), param.type, data=name).number
            for name, param in zip(operation.program.inputs, params, strict=True)
        ]
        pad = [0] * (OPERATION.offset("inputs") - OPERATION.offset("params") - len(inputs))
        result = VALUE_CLASSES.index(value_class)
        head = [output.number, len(inputs), result, operation.cost, int(_has_loop(output)), 0, 0]
        return [*head, *map(VALUE_CLASSES.index, params), *pad, *inputs, *pad, 0, 0]

    def _class_table(self) -> Table:
        table, first = CLASS.table(len(VALUE_CLASSES)), 0
        for row, value_class in zip(table.rows, VALUE_CLASSES, strict=True):
            type = self.planner.store.type(value_class.type)
            row[:] = (value_class.kind, type, value_class.least, value_class.most, value_class.entries, 0, first)
            first += value_class.entries + covers.RESERVE
        return table

    def enumerate(self, problem: Problem, device: Memory) -> EnumerationResult:
        """Run an enumeration on the CPU."""
        return self.finish(problem, self.loaded(problem, device), device)

    def loaded(self, problem: Problem, device: Memory) -> Bank:
        """The arrays of an enumeration that has not begun. Their values are loaded into the memory."""
        store = ConstantStore(2 * len(self.planner.store.words) + 64, 2 * len(self.planner.store.cells) + 64)
        bank = self.bank(problem, store)
        device.load(self.tables, [self.planner.store.contents(), store.contents()])
        return bank

    def finish(self, problem: Problem, bank: Bank, device: Memory) -> EnumerationResult:
        """Run the enumeration unless the bank already has entries, find covers, and read the results.

        The memory holds the values of the bank.
        """
        device.enumerate(expressions.BUDGET, bank, overlays.Overlays(*_room_for_overlays(problem.expected)))
        self.timed += table_of(OPERATION, bank.operations).rows[:, -2:]
        return self._read(bank, problem, device)

    def bank(self, problem: Problem, store: ConstantStore) -> Bank:
        """The arrays of an enumeration that has not begun. Its leaves and expected outputs are added to the store."""
        leaves, price, tries = problem.leaves, problem.price, problem.tries
        columns = [[store.value(value, _BY_NAME[leaf.value_class].type) for value in leaf.values] for leaf in leaves]
        answers = np.array([store.grid(grid) for grid in problem.expected], np.int64)
        count = sum(value_class.entries + covers.RESERVE for value_class in VALUE_CLASSES)
        rows, room = len(columns[0]), min(tries, ROOM)
        classes, operations = len(VALUE_CLASSES), self.count
        limits = (
            tries, price, problem.enough, rows, operations, classes, len(leaves), len(answers), SLOTS, room
        )  # fmt: skip
        return Bank(
            operations=self._operations_for(problem).words,
            classes=self.classes.words.copy(),
            bank=ENTRY.table(count).words,
            members=np.zeros(count, np.int64),
            starts=np.zeros(len(VALUE_CLASSES) * (price + 2), np.int64),
            table=np.zeros(SLOTS, np.int64),
            expected=answers,
            progress=PROGRESS.table(1).words,
            limits=self._stoppable(np.array(limits, np.int64)),
            expressions=np.empty(EXPRESSION.size * (room + 1), np.int64),
            leaves=_leaf_table(leaves, columns, store).words,
        )

    def _read(self, bank: Bank, problem: Problem, device: Memory) -> EnumerationResult:
        progress = table_of(PROGRESS, bank.progress)
        count = int(progress["count"][0])
        entries = Table(ENTRY, table_of(ENTRY, bank.bank).rows[:count])
        grids = np.flatnonzero(entries["kind"] == 0)
        order = grids[np.lexsort((grids, -entries["score"][grids]))][:KEPT]
        terms: dict[int, Term] = {}
        found = [self._found(entries, int(number), problem.leaves, device, terms) for number in order]
        full = 1000 * len(problem.expected)
        return EnumerationResult(
            tuple(each for each in found if each.score == full),
            tuple(each for each in found if each.score < full),
            tuple(islice(self._pictures(entries, problem, device, terms), problem.pictures)),
            int(progress["tried"][0]),
            int(progress["evaluated"][0]),
            count,
        )

    def _pictures(self, bank: Table, problem: Problem, device: Memory, terms: dict[int, Term]) -> Iterator[Picture]:
        """The grids with the shapes of the expected outputs and at least one correct cell, the cheapest first."""
        shapes = [(len(grid), len(grid[0])) for grid in problem.expected]
        for number in np.flatnonzero((bank["kind"] == 0) & (bank["score"] > 0)).tolist():
            grids = self._grids(bank, number, problem.leaves, device)
            if [grid.shape for grid in grids[: len(shapes)]] == shapes:
                term = partial(self._term, bank, number, problem.leaves, terms)
                yield Picture(int(bank["price"][number]), grids, term)

    def _grids(self, bank: Table, number: int, leaves: Sequence[Leaf], device: Memory) -> tuple[Cells, ...]:
        """The grid of an entry for each sample."""
        reader, at = Reader(device.words, device.cells), int(bank["place"][number])
        return tuple(reader.grid(int(word)).copy() for word in device.words[at : at + len(leaves[0].values)])

    def _found(
        self, bank: Table, number: int, leaves: Sequence[Leaf], device: Memory, terms: dict[int, Term]
    ) -> FoundExpression:
        grids = self._grids(bank, number, leaves, device)
        term = self._term(bank, number, leaves, terms)
        used = tuple(self._used(bank, number, leaves))
        return FoundExpression(term, int(bank["price"][number]), int(bank["score"][number]), grids, used)

    def _used(self, bank: Table, number: int, leaves: Sequence[Leaf]) -> Iterator[str]:
        """The names of the operations and leaves in an expression, each as often as it occurs."""
        made_by = int(bank["made_by"][number])
        if made_by < 0:
            yield leaves[-1 - made_by].name
            return
        yield self.operations[made_by].name
        for part in self._parts(bank, number):
            yield from self._used(bank, part, leaves)

    def _parts(self, bank: Table, number: int) -> list[int]:
        """The entries that an entry's operation was applied to."""
        first = ENTRY.offset("args")
        arity = len(self.operations[int(bank["made_by"][number])].program.inputs)
        return [int(part) for part in bank.rows[number, first : first + arity]]

    def _term(self, bank: Table, number: int, leaves: Sequence[Leaf], terms: dict[int, Term]) -> Term:
        """The expression of an entry. Entries shared by several expressions become shared terms."""
        if number not in terms:
            made_by = int(bank["made_by"][number])
            if made_by < 0:
                terms[number] = leaves[-1 - made_by].term
            else:
                program = self.operations[made_by].program
                parts = [self._term(bank, part, leaves, terms) for part in self._parts(bank, number)]
                terms[number] = substituted(program.output, dict(zip(program.inputs, parts, strict=True)))
        return terms[number]


def _has_loop(output: Node) -> bool:
    """Whether a node, or a node that it depends on, is a loop."""
    waiting, seen = [output], {output}
    while waiting:
        node = waiting.pop()
        if node.op == "loop":
            return True
        waiting += [arg for arg in node.args if arg not in seen]
        seen.update(node.args)
    return False


def _leaf_table(leaves: Sequence[Leaf], columns: Sequence[Sequence[int]], store: ConstantStore) -> Table:
    """The LEAF records. The columns of the leaves are added to the store."""
    table = LEAF.table(len(leaves))
    for row, leaf, column in zip(table.rows, leaves, columns, strict=True):
        row[:] = VALUE_CLASSES.index(_BY_NAME[leaf.value_class]), leaf.cost, store.words_at + len(store.words)
        store.words += column
    return table


def table_of(record: Record, words: Any) -> Table:
    """The records in an array. ``words`` is untyped, because compiled code declares the array as a pointer."""
    return record.view(words)


UNDER_WAY = 256
"""Maximum number of enumerations that run at the same time."""


def _layering() -> list[Operation]:
    """The operations that draw overlays on a grid, in the order of the constants in ``covers``."""
    value_classes = {"changed": "object", "places": "patch", "merged": "object", "merged_places": "patch"}
    return [Operation(program, value_classes.get(program.name, "grid"), 1) for program in parse(_LAYERING)]


_LAYERING = """
def onto(g, h):
    return paint(g, sfilter(asobject(h), compose(positive, first)))


def painted(g, x):
    return paint(g, x)


def filled(g, c, p):
    return fill(g, c, p)


def changed(g, h):
    return difference(asobject(g), asobject(h))


def places(g, c):
    return ofcolor(g, c)


def filled_object(g, c, x):
    return fill(g, c, x)


def merged(xs):
    return merge(xs)


def merged_places(ps):
    return merge(ps)
"""


def _room_for_overlays(expected: Sequence[Any]) -> list[Words]:
    """The arrays of ``Overlays``, with room for a task with these outputs."""
    words = -(-sum(len(grid) * len(grid[0]) for grid in expected) // overlays.WIDEST)
    room = overlays.COVER.size * (covers.MOST_COVERS + 1)
    sizes = (overlays.OVERLAY.size * overlays.MOST, overlays.MOST * (words + 1), words, words)
    return [np.zeros(size, np.int64) for size in (*sizes, len(expected), len(expected), room, overlays.MOST, 4)]


KEPT = 64
"""Maximum number of grids returned per task."""

ROOM = 1 << 20
"""Maximum number of expressions of one price."""

SLOTS = 1 << 18
"""Number of slots in the hash table of entries: several times the maximum number of entries."""
