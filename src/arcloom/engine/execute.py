"""Running a schedule: each group of nodes in one launch over the rows of all its lanes."""

from collections.abc import Sequence

import numpy as np

from arcloom.engine.blame import own_reasons
from arcloom.engine.columns import Words
from arcloom.engine.devices.base import Device, HeapFull
from arcloom.engine.lane import Lane, Rows, beyond
from arcloom.engine.plan import Action, Launch, Planner, Schedule, needed
from arcloom.engine.words import BUDGET, FAILED, LOWEST, MASK, SIDE_BITS, SIDE_MASK
from arcloom.program.graph import Frame, Loop, Node

LARGE = 1 << 12
"""Inner columns with more rows than this are freed after their last use; for others it is not worth the search."""

COLUMNS = 1 << 25
"""How many words the columns of a batch may take: 256 MiB."""

CHECKED = 16
"""That is looked at after so many groups."""


class Executor:
    """Runs schedules on a device, with a limit on what a row may produce."""

    def __init__(self, device: Device, planner: Planner, limit: int) -> None:
        self.device = device
        self.planner = planner
        self.limit = limit
        self._bodies: dict[Node, tuple[Schedule, list[Node], list[Frame]]] = {}
        self._arrange = {
            "element": self._element,
            "enter": self._same,
            "select": self._select,
            "loop": self._loop,
            "same": self._same,
        }

    def run(self, schedule: Schedule, lanes: Sequence[Lane]) -> None:
        """Compute all nodes of a schedule. Inputs are in the lanes already. Raises HeapFull."""
        for number, (action, members) in enumerate(schedule.groups):
            self._run_group(action, members, lanes)
            self._free(schedule, number, lanes)

    def _free(self, schedule: Schedule, number: int, lanes: Sequence[Lane]) -> None:
        """Free the large columns that nothing after this group needs. Raises HeapFull where the others are too many."""
        for lane, node in schedule.last_reads.get(number, ()):
            if lanes[lane].frames[node.frame].count > LARGE:
                lanes[lane].drop(node)
        for lane, frame in schedule.last_frames.get(number, ()):
            rows = lanes[lane].frames.get(frame)
            if rows is not None and rows.count > LARGE:
                lanes[lane].close(frame)
        if number % CHECKED == 0 and sum(lane.words for lane in lanes) > COLUMNS:
            full = HeapFull()
            _, full.culprit = max((lane.largest() for lane in lanes), key=lambda found: found[0])
            raise full

    def _run_group(self, action: Action, members: list[tuple[int, Node]], lanes: Sequence[Lane]) -> None:
        if isinstance(action, Launch):
            self._launch(action, members, lanes)
        elif action not in ("input", "state"):
            arrange = self._arrange[action]
            for lane, node in members:
                arrange(lanes[lane], node)

    def _launch(self, action: Launch, members: list[tuple[int, Node]], lanes: Sequence[Lane]) -> None:
        kernel = action.kernel
        counts = [lanes[lane].open(node.frame).count for lane, node in members]
        if kernel.reduces:
            frames = [lanes[lane].open(node.data) for lane, node in members]
            inner = [lanes[lane].column(node.args[1], node.data) for lane, node in members]
            columns = [self.device.concat([rows.containers for rows in frames]), self.device.concat(inner)]  # type: ignore[misc]
        else:
            columns = [
                self.device.concat([lanes[lane].column(node.args[k], node.frame) for lane, node in members])
                for k in range(len(kernel.kinds))
            ]
        out = self.device.launch(kernel, self.limit, action.types, columns, sum(counts))
        start = 0
        for (lane, node), count in zip(members, counts, strict=True):
            lanes[lane].values[node] = out[start : start + count]
            lanes[lane].words += count
            start += count
        if self.device.produced > 0 and self.device.produced + len(out) > self.limit:
            self._check_inner_totals(members, lanes)

    def _check_inner_totals(self, members: list[tuple[int, Node]], lanes: Sequence[Lane]) -> None:
        """Fail the samples for which the rows of an inner frame have produced too much in all."""
        for lane, node in members:
            if node.frame.parent is None:
                continue
            column = lanes[lane].values[node]
            words = self.device.host(column)
            sizes = np.where(words >= LOWEST, _sizes(words, node), 0)
            if len(words) + int(sizes.sum()) <= self.limit:
                continue
            rows = np.flatnonzero(beyond(self.limit, lanes[lane].roots(node.frame), sizes + 1))
            self.device.put(column, rows, np.full(len(rows), BUDGET))

    # Operations that arrange rows

    def _element(self, lane: Lane, node: Node) -> None:
        elements = lane.open(node.frame).elements
        assert elements is not None
        lane.values[node] = elements

    def _select(self, lane: Lane, node: Node) -> None:
        _, *sides = node.args
        out = self.device.column(np.full(lane.frames[node.frame].count, FAILED))
        for frame, side in zip(node.data, sides, strict=True):
            rows = lane.open(frame)
            self.device.put(out, rows.parents, lane.column(side, frame))
        lane.values[node] = out

    def _same(self, lane: Lane, node: Node) -> None:
        """What a node has already, under another type or in another frame."""
        lane.values[node] = lane.column(node.args[0], node.frame)

    def _loop(self, lane: Lane, node: Node) -> None:
        """Turn after turn, on the rows that have turns left."""
        loop: Loop = node.data
        schedule, nodes, frames = self._body(node)
        times, state = (self.device.host(lane.column(arg, node.frame)) for arg in node.args)
        state = np.where(times < LOWEST, FAILED, state)
        active = np.flatnonzero(state >= LOWEST)
        turn = 0
        while len(active):
            lane.forget(nodes, frames)
            lane.frames[loop.frame] = Rows(len(active), self.device.column(active))
            lane.values[loop.state] = self.device.column(state[active])
            self.run(schedule, [lane])
            state[active] = self._after_turn(lane, loop, nodes)
            turn += 1
            active = active[(times[active] > turn) & (state[active] >= LOWEST)]
        lane.values[node] = self.device.column(state)

    def _after_turn(self, lane: Lane, loop: Loop, nodes: list[Node]) -> Words:
        """What a turn gave, with the reasons of rows that failed: the next turn would wipe them out."""
        state = self.device.host(lane.column(loop.result, loop.frame))
        if not np.any(state == FAILED):
            return state
        return np.where(state == FAILED, FAILED + own_reasons(nodes, lane, loop.frame), state)

    def _body(self, node: Node) -> tuple[Schedule, list[Node], list[Frame]]:
        if node not in self._bodies:
            loop: Loop = node.data
            nodes = sorted(needed([loop.result], below=loop.frame), key=lambda inner: inner.number)
            frames = list({inner.frame: None for inner in nodes})
            self._bodies[node] = Schedule(self.planner, [nodes], within=loop.frame), nodes, frames
        return self._bodies[node]


def _sizes(words: Words, node: Node) -> Words:
    """How many elements each word has: a grid's cells, a container's elements."""
    if node.type.kind == "grid":
        return ((words >> SIDE_BITS) & SIDE_MASK) * (words & SIDE_MASK)
    return words & MASK if node.type.kind in ("tuple", "set") else np.zeros_like(words)
