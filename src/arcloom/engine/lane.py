"""A lane: the columns of one set of samples while a batt runs over them."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from arcloom.engine.columns import Words
from arcloom.engine.devices.base import Device
from arcloom.engine.plan import Planner
from arcloom.engine.words import BUDGET, FAILED, LOWEST, MASK
from arcloom.program.graph import Frame, Node


@dataclass
class Rows:
    """The rows of a frame: how many, and which row of the frame around it each belongs to.

    The rows of a container's elements have the elements, too, and the containers they are from.
    """

    count: int
    parents: Words
    elements: Words | None = None
    containers: Words | None = None
    roots: Words | None = None


def beyond(limit: int, roots: Words, sizes: Words) -> npt.NDArray[np.bool_]:
    """The rows with which a sample has more in all than the limit, counting its rows in their order.

    Rows before them are not concerned: whoever looks no further than those never learns of the others.
    """
    totals = np.cumsum(sizes)
    first = np.flatnonzero(np.diff(roots, prepend=-1))
    before = np.repeat(totals[first] - sizes[first], np.diff(np.append(first, len(roots))))
    return totals - before > limit


class Lane:
    """The values of nodes for some samples, and the rows of the frames they live in."""

    def __init__(self, device: Device, planner: Planner, root: Frame, count: int, limit: int) -> None:
        self.device = device
        self.limit = limit
        self.planner = planner
        self.values: dict[Node, Words] = {}
        self.frames: dict[Frame, Rows] = {root: Rows(count, np.empty(0, np.int64))}
        self._lifted: dict[tuple[Node, Frame], Words] = {}

    def column(self, node: Node, frame: Frame) -> Words:
        """A node's words, one for each row of a frame at or within the node's own."""
        if node.op == "constant":
            return self.device.full(self.open(frame).count, self.planner.word(node))
        if node.frame is frame:
            return self.values[node]
        found = self._lifted.get((node, frame))
        if found is None:
            assert frame.parent is not None
            found = self.device.take(self.column(node, frame.parent), self.open(frame).parents)
            self._lifted[node, frame] = found
        return found

    def open(self, frame: Frame) -> Rows:
        """The rows of a frame, found out when they are first needed."""
        rows = self.frames.get(frame)
        if rows is None:
            assert frame.parent is not None and frame.source is not None
            source = self.column(frame.source, frame.parent)
            if frame.kind == "choice":
                parents = self.device.rows_with(source, frame.outcome)
                rows = Rows(len(parents), parents)
            else:
                containers = self._within_limit(frame.parent, source)
                elements, parents = self.device.expand(containers)
                rows = Rows(len(parents), parents, elements, containers)
            self.frames[frame] = rows
        return rows

    def _within_limit(self, frame: Frame, source: Words) -> Words:
        """The containers, failed for those samples for which they have more elements in all than a line may visit."""
        words = self.device.host(source)
        sizes = np.where(words >= LOWEST, words & MASK, 0)
        if int(sizes.sum()) <= self.limit:
            return source
        roots = np.arange(len(words)) if frame.parent is None else self.roots(frame)
        over = beyond(self.limit, roots, sizes)
        return self.device.column(np.where(over, BUDGET, words)) if over.any() else source

    def roots(self, frame: Frame) -> Words:
        """For each row of a frame, the sample that it belongs to."""
        rows = self.open(frame)
        if rows.roots is None:
            rows.roots = self.ancestors(frame, None)
        return rows.roots

    def ancestors(self, frame: Frame, top: Frame | None) -> Words:
        """For each row of a frame, the row of an outer frame that it belongs to; without one, of the root."""
        rows = self.device.host(self.frames[frame].parents)
        outer = frame.parent
        assert outer is not None
        while outer is not top and outer.parent is not None:
            rows = self.device.host(self.frames[outer].parents)[rows]
            outer = outer.parent
        return rows

    def drop(self, node: Node) -> None:
        """Free an inner column that nothing reads any more, unless it says why a row failed."""
        column = self.values.get(node)
        if column is not None and not np.any((column > FAILED) & (column < LOWEST)):
            del self.values[node]

    def drop_lifted(self, frame: Frame) -> None:
        """Free what outer columns look like in a frame."""
        for key in [key for key in self._lifted if key[1] is frame]:
            del self._lifted[key]

    def forget(self, nodes: list[Node], frames: list[Frame]) -> None:
        """Drop what a loop's body left, before its next turn."""
        for node in nodes:
            self.values.pop(node, None)
        for frame in frames:
            self.frames.pop(frame, None)
        inner = set(frames)
        for key in [key for key in self._lifted if key[1] in inner]:
            del self._lifted[key]
