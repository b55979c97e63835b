"""A batt's graph as tables of numbers, from which the machine works."""

from array import array
from typing import Any

import numpy as np

from arcloom.engine import machine
from arcloom.engine.columns import Words
from arcloom.engine.kernel import Kernel, kind_of
from arcloom.engine.plan import NUMBERED, Launch, MissingKernel, Planner
from arcloom.program.graph import Frame, Graph, Node

_KINDS = {
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

_Plan = tuple[int, int, tuple[int, ...], int, int]
"""What nodes with the same operation and types share: kind, kernel, statics, shape and whether they are flat."""

_NOTHING = (0,) * machine.NODE


class Tables:
    """Nodes, links, frames and constants as the machine has them: see there."""

    def __init__(self, graph: Graph, planner: Planner) -> None:
        self.kernels: dict[Kernel, int] = {}
        self._planner = planner
        self._plans: dict[Any, _Plan] = {}
        self._frames: dict[Frame, int] = {}
        self._frame_words: list[int] = []
        self._number(graph.root)
        self._write(graph)
        self.frames = array("q", self._frame_words)

    def _number(self, frame: Frame) -> int:
        """The number of a frame."""
        number = self._frames.get(frame)
        if number is None:
            parent = 0 if frame.parent is None else self._number(frame.parent)
            number = self._frames[frame] = len(self._frames)
            self._frame_words += (frame.depth, parent)
        return number

    def _write(self, graph: Graph) -> None:
        nodes: list[int] = []
        links: list[int] = []
        constants: list[int] = []
        plans, frames = self._plans, self._frames
        for node in graph.nodes:  # a loop for all of it: this is done for every node of every batt
            op, args, frame = node.op, node.args, node.frame
            if op == "constant":
                constants.append(self._planner.word(node))
                nodes += _NOTHING
                continue
            key = node.rule or (op, node.type, node.data if op in NUMBERED else None, *[arg.type for arg in args])
            kind, kernel, statics, shape, flat = plans.get(key) or self._plan(node, key)
            number = frames[frame] if frame in frames else self._number(frame)
            data = self._number(node.data) if kind == machine.REDUCE else 0
            nodes += (kind, kernel, number, len(links), len(args), len(statics), data, shape, flat)
            links += [arg.number for arg in args]
            links += statics
            if kind == machine.SELECT or kind == machine.LOOP:
                links += self._behind(node)
        self.nodes, self.links, self.constants = array("q", nodes), array("q", links), array("q", constants)

    @property
    def places(self) -> Words:
        """Where the columns of nodes begin, and the step from row to row: constants have a word for all rows."""
        constant = np.frombuffer(self.nodes, np.int64)[machine.KIND :: machine.NODE] == machine.CONSTANT
        return np.column_stack([(np.cumsum(constant) - 1) * constant, ~constant]).reshape(-1)

    def _plan(self, node: Node, key: Any) -> _Plan:
        try:
            action = self._planner.action(node)
        except MissingKernel as error:
            self._planner.gaps[node] = error
            return machine.INPUT, 0, (), 0, 0
        if not isinstance(action, Launch):
            plan: _Plan = (_KINDS[action], 0, (), 0, 0)
        else:
            kernel = self.kernels.setdefault(action.kernel, len(self.kernels))
            reduces = action.kernel.reduces
            flat = reduces and (node.op in _CHOOSING or kind_of(node.args[1].type) in _SCALARS)
            kind = machine.REDUCE if reduces else machine.LAUNCH
            plan = kind, kernel, action.types, _SHAPES.get(node.type.kind, machine.SCALAR), int(flat)
        self._plans[key] = plan
        return plan

    def _behind(self, node: Node) -> list[int]:
        """What stands behind the arguments of a choice or a loop."""
        if node.op == "select":
            return [self._number(frame) for frame in node.data]
        return [self._number(node.data.frame), node.data.state.number, node.data.result.number]
