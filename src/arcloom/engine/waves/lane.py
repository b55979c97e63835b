"""A lane: the columns of one set of samples while a batt runs over them."""

from collections.abc import Iterable
from dataclasses import dataclass

from arcloom.engine.plan import Planner
from arcloom.engine.waves.device import Device
from arcloom.engine.waves.room import Column
from arcloom.program.graph import Frame, Node


@dataclass
class Rows:
    """The rows of a frame: how many, and which row of the frame around it each belongs to.

    The rows of a container's elements have the elements, too, and the containers they are from.
    """

    count: int
    parents: Column
    elements: Column | None = None
    containers: Column | None = None
    roots: Column | None = None


class Lane:
    """The values of nodes for some samples, and the rows of the frames they live in."""

    def __init__(self, device: Device, planner: Planner, root: Frame, count: int, limit: int) -> None:
        self.device = device
        self.limit = limit
        self.planner = planner
        self.values: dict[Node, Column] = {}
        self.frames: dict[Frame, Rows] = {root: Rows(count, Column(0, 0))}
        self._lifted: dict[Frame, dict[Node, Column]] = {}

    def column(self, node: Node, frame: Frame) -> Column:
        """A node's words, one for each row of a frame at or within the node's own."""
        if node.op == "constant":
            return self.device.constant(self.planner.word(node), self.open(frame).count)
        if node.frame is frame:
            return self.values[node]
        lifted = self._lifted.setdefault(frame, {})
        if node not in lifted:
            assert frame.parent is not None
            lifted[node] = self.device.take(self.column(node, frame.parent), self.open(frame).parents)
        return lifted[node]

    def open(self, frame: Frame) -> Rows:
        """The rows of a frame, found out when they are first needed. Raises HeapFull."""
        rows = self.frames.get(frame)
        if rows is None:
            assert frame.parent is not None and frame.source is not None
            source = self.column(frame.source, frame.parent)
            rows = self._chosen(source, frame.outcome) if frame.kind == "choice" else self._elements(frame, source)
            self.frames[frame] = rows
        return rows

    def _chosen(self, source: Column, outcome: int) -> Rows:
        parents = self.device.rows_with(source, outcome)
        return Rows(parents.count, parents)

    def _elements(self, frame: Frame, containers: Column) -> Rows:
        """The elements of containers, which fail for samples with more of them in all than a line may visit."""
        assert frame.parent is not None
        positions = self.device.scanned("lengths", containers, 0)
        count = self.device.total(positions)
        if count > self.limit:
            roots = None if frame.parent.parent is None else self.roots(frame.parent)
            containers = self.device.within(self.limit, containers, positions, roots)
            positions = self.device.scanned("lengths", containers, 0)
            count = self.device.total(positions)
        elements, parents = self.device.expand(containers, positions, count)
        return Rows(count, parents, elements, containers)

    def roots(self, frame: Frame) -> Column:
        """For each row of an inner frame, the sample that it belongs to."""
        rows = self.open(frame)
        if rows.roots is None:
            outer = frame.parent
            assert outer is not None
            rows.roots = rows.parents if outer.parent is None else self.device.take(self.roots(outer), rows.parents)
        return rows.roots

    def forget(self, nodes: Iterable[Node], frames: Iterable[Frame]) -> None:
        """Let go of columns and of the rows of frames: nobody needs them any more."""
        for node in nodes:
            self.values.pop(node, None)
        for frame in frames:
            self.frames.pop(frame, None)
            self._lifted.pop(frame, None)
