"""A device and the host together: each wave runs where it costs less, what has been moved counted in.

Both have the same words in the same places, as far as they have been moved: a handle means the same on either side. So
moving is copying what has been written since the last move, and nothing has to be translated.
"""

from contextlib import AbstractContextManager

from arcloom.engine.columns import Cells, Words
from arcloom.engine.devices.costs import Choice, Costs
from arcloom.engine.devices.evidence import Evidence
from arcloom.engine.kernel import Kernel
from arcloom.engine.waves.device import Device
from arcloom.engine.waves.room import Column


class Hybrid(Device):
    """Two devices with one room: ``host`` must have been made with the room of ``device``."""

    def __init__(self, host: Device, device: Device, costs: Costs) -> None:
        assert host.room is device.room, "both sides must have the same places"
        super().__init__(f"hybrid({device.name})", device.room, Evidence(device.name, device.evidence.clock))
        self.sides = {"host": host, "device": device}
        self.choice = Choice(costs)
        self.moves = 0
        self._unmoved: set[int] = set()
        self._moved_to = (0, 0)
        self._era = -1

    @property
    def _here(self) -> Device:
        return self.sides[self.choice.side]

    def active(self) -> AbstractContextManager[object]:
        return self.sides["device"].active()

    @property
    def uuid(self) -> str | None:
        return self.sides["device"].uuid

    def begin(self) -> None:
        super().begin()
        for side in self.sides.values():
            side.begin()

    def reports(self) -> list[Evidence]:
        self.sides["device"].evidence.utilisation = self.evidence.utilisation
        return [evidence for side in self.sides.values() for evidence in side.reports()]

    def wave(self, rows: int) -> None:
        self._follow()
        before = self._here
        stretches = self._stretches()
        moved = 8 * sum(size for _, size in stretches) + self.room.cells_top - self._moved_to[1]
        self.choice.next(rows, rows * self.row_bytes, 2 * len(stretches), 2 * moved)
        if self._here is not before:
            self._move(before, self._here, stretches)

    def _follow(self) -> None:
        """After a reset nothing is left that could have to be moved."""
        if self._era != self.room.era:
            self._era = self.room.era
            self._unmoved.clear()
            self._moved_to = self.room.bottom

    def _stretches(self) -> list[tuple[int, int]]:
        """Words that only one side has: the columns that are still held, and the new part of the heap."""
        live = self.room.live
        self._unmoved &= live.keys()
        heap = (self._moved_to[0], self.room.top - self._moved_to[0])
        return [*((start, live[start]) for start in sorted(self._unmoved)), *([heap] if heap[1] else [])]

    def _move(self, source: Device, target: Device, stretches: list[tuple[int, int]]) -> None:
        for start, size in stretches:
            target.write(start, source.read(start, size))
        new_cells = self.room.cells_top - self._moved_to[1]
        if new_cells:
            target.write_cells(self._moved_to[1], source.read_cells(self._moved_to[1], new_cells))
        self._unmoved.clear()
        self._moved_to = self.room.top, self.room.cells_top
        self.moves += 1

    def new(self, count: int) -> Column:
        self._follow()
        made = super().new(count)
        self._unmoved.add(made.start)
        return made

    def put(self, column: Column, rows: Column, values: Column) -> None:
        super().put(column, rows, values)
        assert column.block is not None
        self._unmoved.add(column.block.start)

    def arrange(self, name: str, count: int, *numbers: int) -> None:
        self._here.arrange(name, count, *numbers)

    def scan(self, start: int, count: int) -> None:
        self._here.scan(start, count)

    def run_kernel(self, kernel: Kernel, step: str, count: int, *numbers: int) -> None:
        self._here.run_kernel(kernel, step, count, *numbers)

    def write(self, start: int, words: Words) -> None:
        """To one side where there will be columns; what is loaded goes to both."""
        for side in self._writing(start in self.room.live):
            side.write(start, words)

    def write_cells(self, start: int, cells: Cells) -> None:
        for side in self._writing(False):
            side.write_cells(start, cells)

    def _writing(self, column: bool) -> list[Device]:
        return [self._here] if column else list(self.sides.values())

    def read(self, start: int, count: int) -> Words:
        return self._here.read(start, count)

    def read_cells(self, start: int, count: int) -> Cells:
        return self._here.read_cells(start, count)
