"""What waves cost on the host and on a device, measured once on a machine, and the choice between them."""

import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from arcloom.dsl.signature import GRID
from arcloom.engine.columns import Store
from arcloom.engine.compile.folders import cache_folder
from arcloom.engine.kernel import find_kernel
from arcloom.engine.waves.device import Device


@dataclass(frozen=True)
class Line:
    """Seconds that something takes: always, for each row (or transfer), and for each byte."""

    always: float
    row: float
    byte: float

    def seconds(self, rows: float, size: float) -> float:
        """For so many rows and bytes."""
        return self.always + self.row * rows + self.byte * size


@dataclass(frozen=True)
class Costs:
    """A wave on the host and on the device, and moving what one of them has to the other."""

    host: Line
    device: Line
    move: Line

    def faster(self, rows: float, size: float) -> str:
        """Where a wave runs in less time, "host" or "device", wherever its columns are."""
        return "host" if self.host.seconds(rows, size) <= self.device.seconds(rows, size) else "device"

    def crossover(self, row_bytes: float) -> float | None:
        """From how many rows of so many bytes on the device is faster; None if it never is."""
        gain = self.host.row - self.device.row + row_bytes * (self.host.byte - self.device.byte)
        more = self.device.always - self.host.always
        if more <= 0:
            return 0.0
        return more / gain if gain > 0 else None


class Choice:
    """Where the next wave runs.

    Moving is worth it when staying has already cost as much more as moving would: whatever comes next, that is at
    most twice what the best choice in hindsight would have cost.
    """

    def __init__(self, costs: Costs) -> None:
        self.costs = costs
        self.side = "host"
        self._regret = 0.0

    def next(self, rows: float, size: float, transfers: int, moved: float) -> str:
        """The side for a wave of so many rows and bytes; to move there takes so many transfers of so many bytes."""
        here, there = self.costs.host, self.costs.device
        if self.side == "device":
            here, there = there, here
        self._regret = max(0.0, self._regret + here.seconds(rows, size) - there.seconds(rows, size))
        if self._regret > self.costs.move.seconds(transfers, moved):
            self.side = "host" if self.side == "device" else "device"
            self._regret = 0.0
        return self.side


# Measuring

ROWS = (16, 128, 1024, 8192)
CELLS = (9, 70, 225, 900)
"""Waves that are measured: so many grids, of so many cells. People guess 70 cells and 120 grids as the crossover."""

KERNELS = ("hmirror", "palette", "height")
"""What is measured: a kernel that moves cells, one that looks at them, and one that takes no time."""

REPEATS = 3


@dataclass(frozen=True)
class Point:
    """A wave that was measured."""

    kernel: str
    rows: int
    cells: int
    seconds: float


def measure_waves(device: Device, rows: Sequence[int] = ROWS, cells: Sequence[int] = CELLS) -> list[Point]:
    """Run waves of different sizes; of several runs of the same wave the shortest counts."""
    points = []
    with device.active():
        for area in cells:
            for count in rows:
                points += _measured(device, count, area)
    return points


def _measured(device: Device, count: int, area: int) -> list[Point]:
    height = next(side for side in range(int(area**0.5), 0, -1) if area % side == 0)
    store = Store()
    grid = tuple(tuple((i + j) % 10 for j in range(area // height)) for i in range(height))
    word = store.grid(grid)
    points = []
    for op in KERNELS:
        kernel = find_kernel(op, (GRID,))
        assert kernel is not None and not kernel.types
        seconds = []
        for _ in range(REPEATS + 1):
            device.load([store], [])
            column = device.column(np.full(count, word))
            device.host(column.rows(0, 1))
            start = time.perf_counter()
            out = device.launch(kernel, 1 << 20, (), [column], count)
            device.host(out.rows(0, 1))
            seconds.append(time.perf_counter() - start)
        points.append(Point(op, count, area, min(seconds[1:])))  # the first compiles
    return points


def measure_moves(device: Device, sizes: Iterable[int] = (1, 1 << 10, 1 << 14, 1 << 18)) -> list[tuple[int, float]]:
    """Seconds for moving so many words to a device and back."""
    found = []
    with device.active():
        device.load([Store()], [])
        for size in sizes:
            device.room.reset()
            column = device.column(np.zeros(size, np.int64))
            seconds = []
            for _ in range(REPEATS):
                start = time.perf_counter()
                device.write(column.start, np.zeros(size, np.int64))
                device.read(column.start, size)
                seconds.append(time.perf_counter() - start)
            found.append((8 * size, min(seconds) / 2))
    return found


def fitted(samples: Sequence[tuple[float, float, float]]) -> Line:
    """The line through samples of rows, bytes and seconds that is nearest in proportion; nothing costs less than 0."""
    rows, sizes, seconds = np.array(samples, float).T
    factors = np.stack([np.ones_like(rows), rows, sizes], axis=1) / seconds[:, None]
    kept = [0, 1, 2]
    while True:
        found = np.zeros(3)
        found[kept], *_ = np.linalg.lstsq(factors[:, kept], np.ones(len(seconds)), rcond=None)
        if found.min() >= 0:
            return Line(*(float(number) for number in found))
        kept.remove(int(np.argmin(found)))


def calibrated(host: Device, device: Device) -> tuple[list[Point], list[Point], Costs]:
    """Measure both, and fit the model."""
    here, there = measure_waves(host), measure_waves(device)
    transfer = fitted([(0, size, seconds) for size, seconds in measure_moves(device)])
    return here, there, Costs(line_of(here), line_of(there), Line(0.0, transfer.always, transfer.byte))


def line_of(points: Sequence[Point]) -> Line:
    """The line that fits measured waves."""
    return fitted([(point.rows, point.rows * point.cells, point.seconds) for point in points])


# Keeping what was measured


def _file() -> Path:
    return cache_folder() / "costs.json"


def stored_costs(name: str, measure: Callable[[], Costs]) -> Costs:
    """The costs of a device, by its name: as they were measured before on this machine, or measured now."""
    known = _known()
    if name not in known:
        known[name] = measure()
        store_costs(name, known[name])
    return known[name]


def store_costs(name: str, costs: Costs) -> None:
    """Keep what was measured, beside the compiled kernels."""
    everything = {key: asdict(value) for key, value in (_known() | {name: costs}).items()}
    _file().parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    partial = _file().with_suffix(".tmp")
    partial.write_text(json.dumps(everything, indent=1))
    partial.replace(_file())


def _known() -> dict[str, Costs]:
    try:
        stored = json.loads(_file().read_text())
        return {
            name: Costs(*(Line(**costs[part]) for part in ("host", "device", "move"))) for name, costs in stored.items()
        }
    except (OSError, ValueError, KeyError, TypeError):  # nothing is kept, or by another version
        return {}
