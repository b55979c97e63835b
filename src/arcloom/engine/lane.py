"""A lane: the columns of one set of samples while a batt runs over them."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from arcloom.engine.columns import Words
from arcloom.engine.devices.base import Device, HeapFull
from arcloom.engine.plan import Planner
from arcloom.engine.words import BUDGET, LOWEST, MASK
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


PER_ROW = 3
"""Words that a row of a frame takes for itself."""


def beyond(limit: int, roots: Words, sizes: Words) -> npt.NDArray[np.bool_]:
    """The rows with which a sample has more in all than the limit, counting its rows in their order.

    Rows before them are not concerned: whoever looks no further than those never learns of the others.
    """
    first = np.flatnonzero(np.diff(roots, prepend=-1))
    if np.add.reduceat(sizes, first).max() <= limit:
        return np.zeros(len(roots), bool)
    totals = np.cumsum(sizes)
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
        self._failed: dict[Node, tuple[Words, Words]] = {}
        """The failed rows of columns that have been freed."""
        self.most: dict[Frame, int] = {}
        """How many rows each inner frame had."""
        self.words = 0
        """How many words the columns of inner frames take, about."""

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
            self.words += len(found)
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
                try:
                    elements, parents = self.device.expand(containers)
                except HeapFull as full:
                    full.culprit = frame
                    raise
                rows = Rows(len(parents), parents, elements, containers)
            self.frames[frame] = rows
            self.words += PER_ROW * rows.count
            self.most[frame] = rows.count
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
        """Free an inner column that nothing reads any more. What rows failed stays: it helps to find out why."""
        column = self.values.pop(node, None)
        if column is None:
            return
        self.words -= len(column)
        words = self.device.host(column)
        if words.min() < LOWEST:
            rows = np.flatnonzero(words < LOWEST)
            self._failed[node] = rows, words[rows]

    def traces(self, node: Node) -> Words | None:
        """The words of a node as far as they tell of failures; None where it was not computed."""
        if node in self.values:
            return self.device.host(self.values[node])
        if node not in self._failed:
            return None
        rows, words = self._failed[node]
        dense = np.zeros(self.frames[node.frame].count, np.int64)
        dense[rows] = words
        return dense

    def close(self, frame: Frame) -> None:
        """Free the rows of a frame that is done with, unless a column that is kept needs them."""
        for node in [node for node, inner in self._lifted if inner is frame]:
            self.words -= len(self._lifted.pop((node, frame)))
        if frame not in {node.frame for node in self._failed}:
            self.words -= PER_ROW * self.frames.pop(frame).count

    def largest(self) -> tuple[int, Frame | None]:
        """The rows of the frame that has the most, and the frame."""
        inner = ((rows.count, frame) for frame, rows in self.frames.items() if frame.parent is not None)
        return max(inner, default=(0, None), key=lambda found: found[0])

    def forget(self, nodes: list[Node], frames: list[Frame]) -> None:
        """Drop what a loop's body left, before its next turn."""
        for node in nodes:
            self.values.pop(node, None)
            self._failed.pop(node, None)
        for frame in frames:
            self.frames.pop(frame, None)
        inner = set(frames)
        for key in [key for key in self._lifted if key[1] in inner]:
            del self._lifted[key]
