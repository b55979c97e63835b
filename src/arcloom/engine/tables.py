"""A batt's graph as tables of numbers, from which the machine works."""

from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np

from arcloom.engine import machine
from arcloom.engine.columns import Words
from arcloom.engine.kernel import Kernel, kind_of
from arcloom.engine.plan import HOST, NUMBERED, Launch, MissingKernel, Planner
from arcloom.program.graph import Graph, Node

_KINDS = {
    "constant": machine.CONSTANT,
    "input": machine.INPUT,
    "element": machine.ELEMENT,
    "enter": machine.SAME,
    "same": machine.SAME,
    "select": machine.SELECT,
    "loop": machine.LOOP,
    "state": machine.STATE,
}
_CHOOSING = frozenset({"keep", "pick", "order", "rank", "argmax", "argmin"})
"""Operations that give elements of the container that they look at."""

_SCALARS = frozenset({"int", "pair", "cell", "place"})
_SHAPES = {"tuple": machine.LIST, "set": machine.LIST, "grid": machine.GRID}

PLAN = machine.NODE - machine.KIND
"""So many words of a node say how it runs; nodes with the same operation and types share them."""

MISSING = (machine.INPUT, *[0] * (PLAN - 1))
"""The plan of nodes that no kernel can compute: programs that need them do not run."""


class Tables:
    """Nodes, links, frames and constants as the machine has them: see there."""

    def __init__(self, graph: Graph, planner: Planner) -> None:
        self.kernels: dict[Kernel, int] = {}
        self._planner = planner
        self._plans: dict[Any, int] = {}
        self._plan_words: list[int] = [*MISSING]
        links = [arg.number for node in graph.nodes for arg in node.args]
        self._behind: list[int] = []
        """What stands among the links behind all arguments."""
        self._arguments = len(links)
        self.nodes = self._nodes(graph.nodes)
        kinds = self.nodes[:, machine.KIND]
        inputs = np.flatnonzero(kinds == machine.INPUT).tolist()
        self.inputs = [n for n in inputs if graph.nodes[n].op == "input"]  # and no kernel is missing
        constant = kinds == machine.CONSTANT
        self.places = np.column_stack([(np.cumsum(constant) - 1) * constant, ~constant]).reshape(-1)
        """Where the columns of nodes begin, and the step from row to row: constants have a word for all rows."""
        self.constants = _words([planner.word(graph.nodes[n]) for n in np.flatnonzero(constant).tolist()])
        self.links = _words(links + self._behind)
        self.frames = _words([word for f in graph.frames for word in (f.depth, f.parent.number if f.parent else 0)])

    def _nodes(self, nodes: Sequence[Node]) -> Words:
        """The words of nodes, written column by column: this is done for every batt."""
        plans = self._plans
        chosen = [plans.get(node.rule or node.op) or self._plan(node) for node in nodes]
        table = np.zeros((len(nodes), machine.NODE), np.int64)
        table[:, machine.KIND :] = _words(self._plan_words).reshape(-1, PLAN)[chosen]
        table[:, machine.FRAME] = [node.frame.number for node in nodes]
        table[:, machine.ARITY] = [len(node.args) for node in nodes]
        table[:, machine.FIRST] = np.cumsum(table[:, machine.ARITY]) - table[:, machine.ARITY]
        kinds = table[:, machine.KIND]
        for n in np.flatnonzero(kinds == machine.REDUCE).tolist():
            table[n, machine.DATA] = nodes[n].data.number
        for n in np.flatnonzero((kinds == machine.SELECT) | (kinds == machine.LOOP)).tolist():
            table[n, machine.DATA] = self._put_behind(_inner(nodes[n]))
        return table

    def _put_behind(self, words: Sequence[int]) -> int:
        """Put words among the links; where they begin."""
        at = self._arguments + len(self._behind)
        self._behind += words
        return at

    def _plan(self, node: Node) -> int:
        """The number of the plan by which a node runs."""
        key: Any = node.rule or node.op
        if node.op not in HOST and not node.rule:
            key = (node.op, node.type, node.data if node.op in NUMBERED else None, *[arg.type for arg in node.args])
        found = self._plans.get(key)
        if found is None:
            try:
                words = self._planned(node)
            except MissingKernel as error:
                self._planner.gaps[node] = error
                return 0
            found = self._plans[key] = len(self._plan_words) // PLAN
            self._plan_words += words
        return found

    def _planned(self, node: Node) -> tuple[int, ...]:
        action = self._planner.action(node)
        if not isinstance(action, Launch):
            return _KINDS[action], 0, 0, 0, 0, 0
        kernel = self.kernels.setdefault(action.kernel, len(self.kernels))
        given, shape = self._put_behind(action.types), _SHAPES.get(node.type.kind, machine.SCALAR)
        if not action.kernel.reduces:
            return machine.LAUNCH, kernel, given, len(action.types), shape, 0
        flat = node.op in _CHOOSING or kind_of(node.args[1].type) in _SCALARS
        return machine.REDUCE, kernel, given, len(action.types), shape, int(flat)


def _inner(node: Node) -> list[int]:
    """The frames of a choice, or a loop's frame, state and result."""
    if node.op == "select":
        return [frame.number for frame in node.data]
    return [node.data.frame.number, node.data.state.number, node.data.result.number]


def _words(numbers: list[int]) -> Words:
    return np.frombuffer(array("q", numbers), np.int64)
