"""The graph of a batt as tables of words, from which ``machine.arrange`` writes plans."""

from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np

from arcloom.engine.columns import Words
from arcloom.engine.kernel import Kernel, kind_of
from arcloom.engine.machine import records
from arcloom.engine.machine.arrange import GRAPH_FRAME, GRAPH_NODE
from arcloom.engine.machine.layout import Table
from arcloom.engine.plan import HOST, NUMBERED, MissingKernel, Planner
from arcloom.program.graph import Frame, Graph, Node

_KINDS = {
    "constant": records.CONSTANT,
    "input": records.INPUT,
    "element": records.ELEMENT,
    "enter": records.SAME,
    "same": records.SAME,
    "select": records.SELECT,
    "loop": records.LOOP,
    "state": records.STATE,
}
_CHOOSING = frozenset({"keep", "pick", "order", "rank", "argmax", "argmin"})
"""Reductions whose result consists of elements of their container."""

_SCALARS = frozenset({"int", "pair", "cell", "place"})
_SHAPES = {"tuple": records.LIST, "set": records.LIST, "grid": records.GRID}

_MISSING = (records.INPUT, *[0] * (records.PLANNED - 1))
"""The words of nodes without a kernel. Programs that need such a node do not run."""


class Tables:
    """The records of the nodes and frames of a graph, their links and constants, and numbers of the kernels used."""

    def __init__(self, graph: Graph, planner: Planner) -> None:
        self.kernels: dict[Kernel, int] = {}
        self._planner = planner
        self._plans: dict[Any, int] = {}
        self._plan_words: list[int] = [*_MISSING]
        links = [arg.number for node in graph.nodes for arg in node.args]
        self._behind: list[int] = []
        """Links that come after all arguments."""
        self._arguments = len(links)
        self.nodes = self._nodes(graph.nodes)
        kinds = self.nodes["kind"]
        constants = np.flatnonzero(kinds == records.CONSTANT)
        inputs = np.flatnonzero(kinds == records.INPUT).tolist()
        self.inputs = [n for n in inputs if graph.nodes[n].op == "input"]  # others are nodes without a kernel
        self.nodes["data"][constants] = np.arange(len(constants))
        self.nodes["data"][self.inputs] = np.arange(len(self.inputs))
        self.constants = _words([planner.word(graph.nodes[n]) for n in constants.tolist()])
        self.links = _words(links + self._behind)
        self.frames = _frames(graph.frames)

    def _nodes(self, nodes: Sequence[Node]) -> Table:
        """The records of nodes, written column by column, because this takes time for every batt."""
        plans = self._plans
        chosen = [plans.get(node.rule or node.op) or self._plan(node) for node in nodes]
        table = GRAPH_NODE.table(len(nodes))
        table.rows[:, -records.PLANNED :] = _words(self._plan_words).reshape(-1, records.PLANNED)[chosen]
        table["frame"] = [node.frame.number for node in nodes]
        table["arity"] = [len(node.args) for node in nodes]
        table["first"] = np.cumsum(table["arity"]) - table["arity"]
        kinds, data = table["kind"], table["data"]
        for n in np.flatnonzero(kinds == records.REDUCE).tolist():
            data[n] = nodes[n].data.number
        for n in np.flatnonzero((kinds == records.SELECT) | (kinds == records.LOOP)).tolist():
            data[n] = self._put_behind(_inner(nodes[n]))
        return table

    def _put_behind(self, words: Sequence[int]) -> int:
        """Add words to the links, and return their position."""
        at = self._arguments + len(self._behind)
        self._behind += words
        return at

    def _plan(self, node: Node) -> int:
        """The number of the words that a node shares with others of the same operation and types; 0 if it has no
        kernel."""
        key: Any = node.rule
        if key is None:
            op = node.op
            own = node.data if op in NUMBERED else None
            key = op if op in HOST else (op, node.type, own, *[arg.type for arg in node.args])
        found = self._plans.get(key)
        if found is None:
            try:
                words = self._planned(node)
            except MissingKernel as error:
                self._planner.gaps[node] = error
                return 0
            found = self._plans[key] = len(self._plan_words) // records.PLANNED
            self._plan_words += words
        return found

    def _planned(self, node: Node) -> tuple[int, ...]:
        """The fields of a node's record from ``kind`` on."""
        operation, kernel, given_statics = self._planner.action(node)
        if kernel is None:
            return _KINDS[operation], *[0] * (records.PLANNED - 1)
        number = self.kernels.setdefault(kernel, len(self.kernels))
        statics = self._planner.words(given_statics)
        given, shape = self._put_behind(statics), _SHAPES.get(node.type.kind, records.SCALAR)
        if not kernel.reduces:
            return records.LAUNCH, number, given, len(statics), shape, 0
        flat = node.op in _CHOOSING or kind_of(node.args[1].type) in _SCALARS
        return records.REDUCE, number, given, len(statics), shape, int(flat)


def _frames(frames: Sequence[Frame]) -> Table:
    table = GRAPH_FRAME.table(len(frames))
    looped: dict[Frame | None, bool] = {None: False}
    for frame in frames:  # a parent comes before its children
        looped[frame] = frame.kind == "loop" or looped[frame.parent]
    table["parent"] = [frame.parent.number if frame.parent else 0 for frame in frames]
    table["depth"] = [frame.depth for frame in frames]
    table["looped"] = [looped[frame] for frame in frames]
    return table


def _inner(node: Node) -> list[int]:
    """The numbers of a choice's frames, or of a loop's frame, state and result."""
    if node.op == "select":
        return [frame.number for frame in node.data]
    return [node.data.frame.number, node.data.state.number, node.data.result.number]


def _words(numbers: list[int]) -> Words:
    return np.frombuffer(array("q", numbers), np.int64)
