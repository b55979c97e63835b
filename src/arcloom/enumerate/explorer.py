"""Exploring tasks: expressions over operations, smallest first, on all samples of a task at once."""

import weakref
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from arcloom.dsl.signature import GRID, INDICES, INT, OBJECT, PAIR, Type, set_of, tuple_of
from arcloom.engine.columns import Cells, ConstantStore, Reader, Words
from arcloom.engine.machine.layout import Record, Table
from arcloom.engine.memory import Memory
from arcloom.engine.plan import Planner
from arcloom.engine.tables import Tables
from arcloom.engine.warm import ensure
from arcloom.enumerate.compiled import attempts, covers, overlays
from arcloom.enumerate.compiled.bank import ATTEMPT, CLASS, ENTRY, GIVEN, LIMITS, OPERATION, PROGRESS, Bank
from arcloom.program.build import substituted
from arcloom.program.graph import Graph, Node
from arcloom.program.parse import parse
from arcloom.program.term import Program, Term
from arcloom.program.trace import Tracer

SCALAR, CONTAINER, PICTURE = range(3)
SIDE = 30
"""No grid of a task is larger."""


@dataclass(frozen=True, eq=False)
class Sort:
    """A sort of values: a type, what of it is worth having, and how many values of it are kept for a task."""

    name: str
    type: Type
    kind: int
    least: int
    most: int
    entries: int


SORTS = (
    Sort("grid", GRID, PICTURE, 1, SIDE, 60_000),
    Sort("object", OBJECT, CONTAINER, 1, SIDE * SIDE, 4_000),
    Sort("objects", set_of(OBJECT), CONTAINER, 1, 200, 1_000),
    Sort("patch", INDICES, CONTAINER, 1, SIDE * SIDE, 6_000),
    Sort("patches", set_of(INDICES), CONTAINER, 1, 200, 200),
    Sort("colour", INT, SCALAR, 0, 9, 60),
    Sort("number", INT, SCALAR, -SIDE, SIDE * SIDE, 100),
    Sort("pair", PAIR, SCALAR, 0, 0, 200),
    Sort("grids", tuple_of(GRID), CONTAINER, 1, 100, 400),
)
"""The first one is that of answers."""

_BY_NAME = {sort.name: sort for sort in SORTS}

PARAMETERS: Mapping[str, Sort] = {
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
"""The sort of a parameter of an operation, by its name."""


@dataclass(frozen=True)
class Operation:
    """A program of typed parameters: see PARAMETERS. ``sort`` is that of its result, and ``cost`` what it adds to the
    price of an expression.
    """

    program: Program
    sort: str
    cost: int

    @property
    def name(self) -> str:
        """The name of the program."""
        return self.program.name


@dataclass(frozen=True)
class Leaf:
    """A starting value of a task: a term, its value for each sample, the cost of using it, and its name where
    uses are counted.
    """

    term: Term
    sort: str
    cost: int
    values: Sequence[Any]
    name: str = ""


@dataclass(frozen=True)
class Problem:
    """A task to explore: what it starts from, the answers to the first samples, the maximum number of expressions to
    try, their maximum price, the number of solutions that are enough, and the numbers of operations that are not used.
    """

    leaves: Sequence[Leaf]
    expected: Sequence[Any]
    tries: int
    price: int
    enough: int
    unused: Sequence[int] = ()


@dataclass(frozen=True)
class Found:
    """A grid for each sample, and the expression that gives it. ``score`` is a thousand for each demonstration
    solved, ``used`` the names of all operations and leaves that the expression consists of.
    """

    output: Term
    cost: int
    score: int
    grids: tuple[Cells, ...]
    used: tuple[str, ...]


@dataclass(frozen=True)
class Exploration:
    """The result of exploring a task: solutions of all demonstrations, and the best other programs."""

    solutions: tuple[Found, ...]
    nearest: tuple[Found, ...]
    tried: int
    evaluated: int
    entries: int


class Explorer:
    """Operations made ready to explore any task with.

    While devices note what kernels take, ``timed`` counts the runs of each operation and the nanoseconds they took.
    """

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.graph = Graph()
        self.planner = Planner()
        self._explored = len(operations)
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
        """A new table of operations, in which nodes have their numbers in the graph."""
        return Table(OPERATION, self._operations.copy())

    def _operations_for(self, problem: Problem) -> Table:
        """The table of operations, in which those that are not used cost more than any expression may."""
        table = self.operation_table
        table["cost"][list(problem.unused)] = problem.price + 1
        return table

    def _stoppable(self, limits: Words) -> Words:
        """Remember the limits of an exploration as long as it lasts."""
        self._limits.append(weakref.ref(limits))
        return limits

    def stop(self) -> None:
        """Have all explorations that are under way, on other threads, end at once with what they have found."""
        for remembered in list(self._limits):
            limits = remembered()
            if limits is not None:
                limits[LIMITS.offset("tries")] = 0

    def _row(self, operation: Operation) -> list[int]:
        """The operation as the machine has it."""
        tracer = Tracer(self.graph, {name: sort.type for name, sort in PARAMETERS.items()})
        sort = _BY_NAME[operation.sort]
        output = tracer.coerce(tracer.trace(operation.program).output, sort.type)
        params = [PARAMETERS[name] for name in operation.program.inputs]
        inputs = [
            self.graph.node("input", (), param.type, data=name).number
            for name, param in zip(operation.program.inputs, params, strict=True)
        ]
        pad = [0] * (OPERATION.offset("inputs") - OPERATION.offset("params") - len(inputs))
        head = [output.number, len(inputs), SORTS.index(sort), operation.cost, int(_has_loop(output)), 0, 0]
        return [*head, *map(SORTS.index, params), *pad, *inputs, *pad, 0, 0]

    def _class_table(self) -> Table:
        table, first = CLASS.table(len(SORTS)), 0
        for row, sort in zip(table.rows, SORTS, strict=True):
            type = self.planner.store.type(sort.type)
            row[:] = (sort.kind, type, sort.least, sort.most, sort.entries, 0, first)
            first += sort.entries + covers.RESERVE
        return table

    def explore(self, problem: Problem, device: Memory) -> Exploration:
        """Explore one task on the CPU."""
        store = ConstantStore(2 * len(self.planner.store.words) + 64, 2 * len(self.planner.store.cells) + 64)
        bank = self.bank(problem, store)
        device.load(self.tables, [self.planner.store.contents(), store.contents()])
        return self.finish(problem, bank, device)

    def finish(self, problem: Problem, bank: Bank, device: Memory) -> Exploration:
        """Enumerate expressions unless the bank has entries already, put answers together, and read what was found. The
        values of the bank are in the memory."""
        device.explore(attempts.BUDGET, bank, overlays.Overlays(*_room_for_overlays(problem.expected)))
        self.timed += table_of(OPERATION, bank.operations).rows[:, -2:]
        return self._read(bank, problem.leaves, len(problem.expected), device)

    def bank(self, problem: Problem, store: ConstantStore) -> Bank:
        """The arrays of an enumeration that has not begun. Its leaves and answers are put into the store."""
        leaves, price, tries = problem.leaves, problem.price, problem.tries
        columns = [[store.value(value, _BY_NAME[leaf.sort].type) for value in leaf.values] for leaf in leaves]
        answers = np.array([store.grid(grid) for grid in problem.expected], np.int64)
        count = sum(sort.entries + covers.RESERVE for sort in SORTS)
        rows, room = len(columns[0]), min(tries, ROOM)
        limits = (
            tries, price, problem.enough, rows, self._explored, len(SORTS), len(leaves), len(answers), SLOTS, room
        )  # fmt: skip
        return Bank(
            operations=self._operations_for(problem).words,
            classes=self.classes.words.copy(),
            bank=ENTRY.table(count).words,
            members=np.zeros(count, np.int64),
            starts=np.zeros(len(SORTS) * (price + 2), np.int64),
            table=np.zeros(SLOTS, np.int64),
            expected=answers,
            progress=PROGRESS.table(1).words,
            limits=self._stoppable(np.array(limits, np.int64)),
            attempts=np.empty(ATTEMPT.size * (room + 1), np.int64),
            givens=_leaf_table(leaves, columns, store).words,
        )

    def _read(self, bank: Bank, leaves: Sequence[Leaf], demonstrations: int, device: Memory) -> Exploration:
        progress, limits = table_of(PROGRESS, bank.progress), table_of(LIMITS, bank.limits)
        count, rows = int(progress["count"][0]), int(limits["rows"][0])
        entries = Table(ENTRY, table_of(ENTRY, bank.bank).rows[:count])
        grids = np.flatnonzero(entries["kind"] == 0)
        order = grids[np.lexsort((grids, -entries["score"][grids]))][:KEPT]
        terms: dict[int, Term] = {}
        found = [self._found(entries, int(number), leaves, rows, device, terms) for number in order]
        full = 1000 * demonstrations
        return Exploration(
            tuple(each for each in found if each.score == full),
            tuple(each for each in found if each.score < full),
            int(progress["tried"][0]),
            int(progress["evaluated"][0]),
            count,
        )

    def _found(
        self, bank: Table, number: int, leaves: Sequence[Leaf], rows: int, device: Memory, terms: dict[int, Term]
    ) -> Found:
        reader = Reader(device.words, device.cells)
        at = int(bank["place"][number])
        grids = tuple(reader.grid(int(device.words[at + r])).copy() for r in range(rows))
        term = self._term(bank, number, leaves, terms)
        used = tuple(self._used(bank, number, leaves))
        return Found(term, int(bank["price"][number]), int(bank["score"][number]), grids, used)

    def _used(self, bank: Table, number: int, leaves: Sequence[Leaf]) -> Iterator[str]:
        """The names of the operations and given values in an expression, each as often as it occurs."""
        made_by = int(bank["made_by"][number])
        if made_by < 0:
            yield leaves[-1 - made_by].name
            return
        yield self.operations[made_by].name
        for part in self._parts(bank, number):
            yield from self._used(bank, part, leaves)

    def _parts(self, bank: Table, number: int) -> list[int]:
        """The entries that an entry was made of."""
        first = ENTRY.offset("args")
        arity = len(self.operations[int(bank["made_by"][number])].program.inputs)
        return [int(part) for part in bank.rows[number, first : first + arity]]

    def _term(self, bank: Table, number: int, leaves: Sequence[Leaf], terms: dict[int, Term]) -> Term:
        """The expression of an entry; entries it has in common with others are the same terms."""
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
    """Whether a node or one that it needs is a loop."""
    waiting, seen = [output], {output}
    while waiting:
        node = waiting.pop()
        if node.op == "loop":
            return True
        waiting += [arg for arg in node.args if arg not in seen]
        seen.update(node.args)
    return False


def _leaf_table(leaves: Sequence[Leaf], columns: Sequence[Sequence[int]], store: ConstantStore) -> Table:
    """The records of given values, whose columns are put into the store."""
    table = GIVEN.table(len(leaves))
    for row, leaf, column in zip(table.rows, leaves, columns, strict=True):
        row[:] = SORTS.index(_BY_NAME[leaf.sort]), leaf.cost, store.words_at + len(store.words)
        store.words += column
    return table


def table_of(record: Record, words: Any) -> Table:
    """The records in an array that compiled code knows as a pointer."""
    return record.view(words)


UNDER_WAY = 256
"""No more explorations than this are under way at once."""


def _layering() -> list[Operation]:
    """The operations that lay something over a grid, in the order that ``offers`` knows them by."""
    sorts = {"changed": "object", "places": "patch", "merged": "object", "merged_places": "patch"}
    return [Operation(program, sorts.get(program.name, "grid"), 1) for program in parse(_LAYERING)]


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
    """The arrays that putting answers together works with."""
    words = -(-sum(len(grid) * len(grid[0]) for grid in expected) // overlays.WIDEST)
    offers = overlays.OFFER.size * (covers.OFFERS + 1)
    sizes = (overlays.OVERLAY.size * overlays.MOST, overlays.MOST * (words + 1), words, words)
    return [np.zeros(size, np.int64) for size in (*sizes, len(expected), len(expected), offers, overlays.MOST, 4)]


KEPT = 64
"""Maximum number of grids returned per task."""

ROOM = 1 << 20
"""Maximum number of attempts of one price."""

SLOTS = 1 << 18
"""How many slots the table of hashes has: several times as many as there can be entries."""
