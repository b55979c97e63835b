"""A batt's graph as tables of numbers, from which the machine works."""

from array import array

from arcloom.engine import machine
from arcloom.engine.kernel import Kernel, kind_of
from arcloom.engine.plan import Launch, Planner
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


class Tables:
    """Nodes, links, frames and constants as the machine has them: see there."""

    def __init__(self, graph: Graph, planner: Planner) -> None:
        self.planner = planner
        self.kernels: dict[Kernel, int] = {}
        self.nodes = array("q")
        self.links = array("q")
        self.frames = array("q")
        self.constants = array("q")
        self.places = array("q")
        self._frames: dict[Frame, int] = {}
        self._frame(graph.root)
        for node in graph.nodes:
            self._add(node)

    def _frame(self, frame: Frame) -> int:
        number = self._frames.get(frame)
        if number is None:
            parent = 0 if frame.parent is None else self._frame(frame.parent)
            number = self._frames[frame] = len(self._frames)
            self.frames.extend((frame.depth, parent))
        return number

    def _add(self, node: Node) -> None:
        first, arity = len(self.links), len(node.args)
        kind = kernel = statics = data = shape = flat = 0
        if node.op == "constant":
            self.places.extend((len(self.constants), 0))
            self.constants.append(self.planner.word(node))
        else:
            self.places.extend((0, 1))
            self.links.extend([arg.number for arg in node.args])
            action = self.planner.actions.get(node)
            if isinstance(action, Launch):
                kind, kernel, data = self._launch(action, node)
                statics, shape = len(action.types), _SHAPES.get(node.type.kind, machine.SCALAR)
                flat = kind == machine.REDUCE and (node.op in _CHOOSING or kind_of(node.args[1].type) in _SCALARS)
            elif action is not None:
                kind = _KINDS[action]
                self._arrange(node)
        self.nodes.extend((kind, kernel, self._frame(node.frame), first, arity, statics, data, shape, flat))

    def _launch(self, action: Launch, node: Node) -> tuple[int, int, int]:
        self.links.extend(action.types)
        kernel = self.kernels.setdefault(action.kernel, len(self.kernels))
        if action.kernel.reduces:
            return machine.REDUCE, kernel, self._frame(node.data)
        return machine.LAUNCH, kernel, 0

    def _arrange(self, node: Node) -> None:
        """Write what stands behind the arguments of an operation that only arranges rows."""
        if node.op == "select":
            self.links.extend([self._frame(frame) for frame in node.data])
        elif node.op == "loop":
            loop = node.data
            self.links.extend((self._frame(loop.frame), loop.state.number, loop.result.number))
