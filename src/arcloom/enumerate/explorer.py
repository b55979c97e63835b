"""Exploring tasks: expressions over operations, smallest first, on all samples of a task at once."""

import weakref
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from arcloom.dsl.signature import GRID, INDICES, INT, OBJECT, PAIR, Type, set_of, tuple_of
from arcloom.engine import explore, layers, offers
from arcloom.engine.columns import Cells, Reader, Store, Words
from arcloom.engine.devices.cpu import Cpu
from arcloom.engine.plan import Planner
from arcloom.engine.tables import Tables
from arcloom.engine.warm import ensure
from arcloom.program.build import substituted
from arcloom.program.graph import Graph
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
"""What sort a parameter of an operation has, by its name."""


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
        """What it is called."""
        return self.program.name


@dataclass(frozen=True)
class Given:
    """What a task starts from: a term, its value for each sample, what it costs to use it, and what it is called where
    uses are counted.
    """

    term: Term
    sort: str
    cost: int
    values: Sequence[Any]
    name: str = ""


@dataclass(frozen=True)
class Found:
    """A grid for each sample, and the expression that gives it. ``score`` is a thousand for each demonstration
    solved, ``used`` the names of all operations and givens that the expression consists of.
    """

    output: Term
    cost: int
    score: int
    grids: tuple[Cells, ...]
    used: tuple[str, ...]


@dataclass(frozen=True)
class Exploration:
    """What exploring a task gave: solutions of all demonstrations, and the best of the rest."""

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
        self._sorts = self._sort_table()
        self._limits: deque[weakref.ref[Words]] = deque(maxlen=UNDER_WAY)
        ensure(self.planner.kernels)

    def _stoppable(self, limits: Words) -> Words:
        """Remember the limits of an exploration as long as it lasts."""
        self._limits.append(weakref.ref(limits))
        return limits

    def stop(self) -> None:
        """Have all explorations that are under way, on other threads, end at once with what they have found."""
        for remembered in list(self._limits):
            limits = remembered()
            if limits is not None:
                limits[explore.TRIES] = 0

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
        pad = [0] * (explore.INPUTS - explore.PARAMS - len(inputs))
        head = [output.number, len(inputs), SORTS.index(sort), operation.cost, 0, 0]
        return [*head, *map(SORTS.index, params), *pad, *inputs, *pad, 0, 0]

    def _sort_table(self) -> Words:
        words: list[int] = []
        first = 0
        for sort in SORTS:
            words += (sort.kind, self.planner.store.type(sort.type), sort.least, sort.most, sort.entries, 0, first)
            first += sort.entries + offers.RESERVE
        return np.array(words, np.int64)

    def explore(
        self, givens: Sequence[Given], expected: Sequence[Any], *, device: Cpu, tries: int, price: int, enough: int
    ) -> Exploration:
        """Explore one task: ``expected`` are the answers to the first samples."""
        store = Store(2 * len(self.planner.store.words) + 64, 2 * len(self.planner.store.cells) + 64)
        words = [[store.value(value, _BY_NAME[given.sort].type) for value in given.values] for given in givens]
        answers = np.array([store.grid(grid) for grid in expected], np.int64)
        device.load(self.tables, [self.planner.store.contents(), store.contents()])
        count, rows = sum(sort.entries + offers.RESERVE for sort in SORTS), len(words[0])
        bank, progress = np.zeros((count, explore.ENTRY), np.int64), np.zeros(5, np.int64)
        sizes = (tries, price, enough, rows, self._explored, len(SORTS), len(givens), len(expected), SLOTS)
        table = self._operations.copy()
        device.explore(
            table.reshape(-1),
            np.empty(4 * len(self.graph.nodes) + 64, np.int64),
            self._sorts.copy(),
            bank.reshape(-1),
            np.zeros(count, np.int64),
            np.zeros(len(SORTS) * (price + 2), np.int64),
            np.zeros(SLOTS, np.int64),
            answers,
            progress,
            self._stoppable(np.array(sizes, np.int64)),
            np.zeros(3, np.int64),
            *_room_for_layers(expected),
            np.array([(SORTS.index(_BY_NAME[given.sort]), given.cost) for given in givens], np.int64),
            np.array(words, np.int64),
        )
        self.timed += table[:, explore.RUNS :]
        return self._read(bank[: progress[explore.COUNT]], givens, len(expected), rows, progress, device)

    def _read(
        self, bank: Any, givens: Sequence[Given], demonstrations: int, rows: int, progress: Any, device: Cpu
    ) -> Exploration:
        grids = np.flatnonzero(bank[:, explore.SORT] == 0)
        scores = bank[grids, explore.SCORE]
        order = grids[np.lexsort((grids, -scores))][:KEPT]
        terms: dict[int, Term] = {}
        found = [self._found(bank, int(entry), givens, rows, device, terms) for entry in order]
        full = 1000 * demonstrations
        return Exploration(
            tuple(entry for entry in found if entry.score == full),
            tuple(entry for entry in found if entry.score < full),
            int(progress[explore.TRIED]),
            int(progress[explore.EVALUATED]),
            len(bank),
        )

    def _found(
        self, bank: Any, entry: int, givens: Sequence[Given], rows: int, device: Cpu, terms: dict[int, Term]
    ) -> Found:
        reader = Reader(device.heap, device.cells)
        at = int(bank[entry, explore.PLACE])
        grids = tuple(reader.grid(int(device.columns[at + r])).copy() for r in range(rows))
        term = self._term(bank, entry, givens, terms)
        used = tuple(self._used(bank, entry, givens))
        return Found(term, int(bank[entry, explore.PRICE]), int(bank[entry, explore.SCORE]), grids, used)

    def _used(self, bank: Any, entry: int, givens: Sequence[Given]) -> Iterator[str]:
        """The names of what an expression consists of, as often as it occurs there."""
        made_by = int(bank[entry, explore.MADE_BY])
        if made_by < 0:
            yield givens[-1 - made_by].name
            return
        operation = self.operations[made_by]
        yield operation.name
        for n in range(len(operation.program.inputs)):
            yield from self._used(bank, int(bank[entry, explore.FROM + n]), givens)

    def _term(self, bank: Any, entry: int, givens: Sequence[Given], terms: dict[int, Term]) -> Term:
        """The expression of an entry; entries it has in common with others are the same terms."""
        if entry not in terms:
            made_by = int(bank[entry, explore.MADE_BY])
            if made_by < 0:
                terms[entry] = givens[-1 - made_by].term
            else:
                program = self.operations[made_by].program
                parts = [
                    self._term(bank, int(bank[entry, explore.FROM + n]), givens, terms)
                    for n in range(len(program.inputs))
                ]
                terms[entry] = substituted(program.output, dict(zip(program.inputs, parts, strict=True)))
        return terms[entry]


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


def _room_for_layers(expected: Sequence[Any]) -> list[Words]:
    """The arrays that putting answers together works with."""
    words = -(-sum(len(grid) * len(grid[0]) for grid in expected) // layers.WIDEST)
    room = offers.OFFER * offers.OFFERS + offers.DEEPEST
    sizes = (layers.LAYER * layers.LAYERS, layers.LAYERS * (words + 1), words, words)
    return [np.zeros(size, np.int64) for size in (*sizes, len(expected), len(expected), room, layers.LAYERS, 4)]


KEPT = 64
"""So many grids of a task are told about."""

SLOTS = 1 << 18
"""How many slots the table of hashes has: several times as many as there can be entries."""
