"""Running a schedule: each group of nodes in one launch over the rows of all its lanes."""

from collections.abc import Sequence

from arcloom.engine.kernel import kind_of
from arcloom.engine.plan import Action, Launch, Planner, needed
from arcloom.engine.waves.device import Device
from arcloom.engine.waves.lane import Lane, Rows
from arcloom.engine.waves.room import Column
from arcloom.engine.waves.schedule import Schedule
from arcloom.program.graph import Frame, Loop, Node

Member = tuple[int, Node]

_SIZES = {"grid": "areas", "tuple": "lengths", "set": "lengths"}
"""How the sizes of values of a kind are found; others have none."""


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
            for lane, node in schedule.last_reads.get(number, ()):
                lanes[lane].forget([node], [])
            for lane, frame in schedule.last_frames.get(number, ()):
                lanes[lane].forget([], [frame])

    def _run_group(self, action: Action, members: list[Member], lanes: Sequence[Lane]) -> None:
        if isinstance(action, Launch):
            self._launch(action, members, lanes)
        elif action not in ("input", "state"):
            arrange = self._arrange[action]
            for lane, node in members:
                arrange(lanes[lane], node)

    def _launch(self, action: Launch, members: list[Member], lanes: Sequence[Lane]) -> None:
        counts = [lanes[lane].open(node.frame).count for lane, node in members]
        self.device.wave(sum(counts))
        columns = self._arguments(action, members, lanes)
        out = self.device.launch(action.kernel, self.limit, action.types, columns, sum(counts))
        start = 0
        for (lane, node), count in zip(members, counts, strict=True):
            lanes[lane].values[node] = out.rows(start, count)
            start += count
        if self.device.needed and self.device.needed + out.count > self.limit:
            self._check_inner_totals(members, lanes)

    def _arguments(self, action: Launch, members: list[Member], lanes: Sequence[Lane]) -> list[Column]:
        """The columns of a launch: those of all members, one after the other."""
        device = self.device
        if not action.kernel.reduces:
            return [
                device.concat([lanes[lane].column(node.args[k], node.frame) for lane, node in members])
                for k in range(len(action.kernel.kinds))
            ]
        containers = [lanes[lane].open(node.data).containers for lane, node in members]
        values = [lanes[lane].column(node.args[1], node.data) for lane, node in members]
        return [device.concat(containers), device.dense(device.concat(values))]  # type: ignore[arg-type]

    def _check_inner_totals(self, members: list[Member], lanes: Sequence[Lane]) -> None:
        """Fail the samples for which the rows of an inner frame have produced too much in all."""
        for lane, node in members:
            sizes = _SIZES.get(kind_of(node.type))
            column = lanes[lane].values[node]
            if node.frame.parent is None or sizes is None or not column.count:
                continue
            positions = self.device.scanned(sizes, column, 1)
            if self.device.total(positions) > self.limit:
                roots = lanes[lane].roots(node.frame)
                lanes[lane].values[node] = self.device.within(self.limit, column, positions, roots)

    # Operations that arrange rows

    def _element(self, lane: Lane, node: Node) -> None:
        elements = lane.open(node.frame).elements
        assert elements is not None
        lane.values[node] = elements

    def _select(self, lane: Lane, node: Node) -> None:
        condition, *sides = node.args
        out = self.device.undecided(lane.column(condition, node.frame))
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
        times, given = (lane.column(arg, node.frame) for arg in node.args)
        state = self.device.loop_state(times, given)
        rows = self.device.first_turn(state)
        turn = 0
        while rows.count:
            lane.forget(nodes, frames)
            lane.frames[loop.frame] = Rows(rows.count, rows)
            lane.values[loop.state] = self.device.take(state, rows)
            self.run(schedule, [lane])
            self.device.put(state, rows, lane.column(loop.result, loop.frame))
            turn += 1
            rows = self.device.next_turn(rows, times, turn, state)
        lane.forget(nodes, frames)
        lane.values[node] = state

    def _body(self, node: Node) -> tuple[Schedule, list[Node], list[Frame]]:
        if node not in self._bodies:
            loop: Loop = node.data
            nodes = sorted(needed([loop.result], below=loop.frame), key=lambda inner: inner.number)
            frames = list({loop.frame: None} | {inner.frame: None for inner in nodes})
            self._bodies[node] = Schedule(self.planner, [[loop.result]], within=loop.frame), nodes, frames
        return self._bodies[node]
