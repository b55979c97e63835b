"""Running a batt on devices for waves: the work is split among them, and what one cannot do the others do.

A piece of work counts only when it is done: its blocks are kept then, all at once. So nothing is lost when a
device is, and nothing is there twice.
"""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from arcloom.dsl.signature import GRID
from arcloom.engine.columns import Words
from arcloom.engine.devices.base import HeapFull
from arcloom.engine.devices.driver import DeviceLost, DriverFull
from arcloom.engine.devices.evidence import Evidence, watched
from arcloom.engine.outputs import Chunk, Outputs, Stretch
from arcloom.engine.samples import Samples
from arcloom.engine.shares import Piece, Share, cut, halves, shares_of, split
from arcloom.engine.waves.device import Device
from arcloom.engine.waves.execute import Executor
from arcloom.engine.waves.fetch import Block, fetch_block
from arcloom.engine.waves.lane import Lane
from arcloom.engine.waves.schedule import Schedule
from arcloom.engine.words import FAILED
from arcloom.program.evaluate import ProgramFailure, evaluate
from arcloom.program.graph import Node

if TYPE_CHECKING:
    from arcloom.engine.batt import Batt

AT_ONCE = 1 << 18
"""So many rows of programs and samples are tried at once; what does not fit is tried in halves."""


class FleetError(RuntimeError):
    """Work that no device is left to do."""


@dataclass
class Voyage:
    """What a fleet did: evidence for each device, and notes on what did not go as planned."""

    evidence: list[Evidence] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Job:
    """A batt, the samples it runs on, and the budget. ``expected`` names the entry of the samples that is right.

    Outputs may ``stay`` on devices: then only failures and what is equal come back.
    """

    batt: "Batt"
    samples: Samples
    budget: int
    expected: str | None = None
    stay: bool = False

    def encode(self) -> None:
        """Have all words that will be asked for in the samples' store, above those of the batt."""
        self.constants()
        store = self.batt.planner.store
        self.samples.stay_above(len(store.words), len(store.cells))
        self.inputs()
        self.wanted()

    @property
    def row_bytes(self) -> float:
        """What a sample takes, on average."""
        store = self.samples.store
        return (len(store.cells) + 8 * len(store.words)) / max(1, len(self.samples))

    def inputs(self) -> dict[Node, Words]:
        """The words of the batt's inputs."""
        return {node: self.samples.column(node.data, node.type) for node in self.batt.input_nodes}

    def constants(self) -> list[int]:
        """The words of the batt's constants, and the failure that stands where there is no grid."""
        planner = self.batt.planner
        return [*(planner.word(node) for node in self.batt.graph.nodes if node.op == "constant"), FAILED]

    def wanted(self) -> Words | None:
        """The words of what is expected, if anything is."""
        return None if self.expected is None else self.samples.column(self.expected, GRID)


def run_on(devices: Sequence[Device], job: Job, rows: Sequence[Sequence[int]], outputs: Outputs) -> Voyage:
    """Run program p of the job's batt on the samples ``rows[p]``, for all p, and add what came out to the outputs."""
    job.encode()
    work = shares_of(rows, list(job.batt.traced))
    ready = [device for device in devices if _answers(device, device.begin)]
    notes = [f"{device.name} is not used: {device.lost}" for device in devices if device not in ready]
    ships = [Ship(device, job) for device in ready]
    fleet = Fleet(ships, notes)
    pieces = [piece for part in split(work, max(1, len(ready))) for piece in cut(part, AT_ONCE)]
    with ExitStack() as watching:
        for device in ready:
            watching.enter_context(watched(device.evidence, device.uuid))
        blocks = fleet.run(pieces)
    add_to(outputs, blocks)
    reports: list[Evidence] = []
    for device in ready:
        _answers(device, lambda device=device: reports.extend(device.reports()))  # type: ignore[misc]
    large = [
        f"runs too large for {ship.name}, done by the reference: {ship.too_large}" for ship in ships if ship.too_large
    ]
    return Voyage(reports, fleet.notes + large)


def _answers(device: Device, call: Callable[[], object]) -> bool:
    """Whether a device is still there, and stays so while it is called. One that was lost is not asked again."""
    if device.lost is None:
        try:
            with device.active():
                call()
        except DeviceLost as lost:
            device.lost = str(lost)
    return device.lost is None


class Ship:
    """A device with a job. Pieces that are too large for it run in halves."""

    def __init__(self, device: Device, job: Job) -> None:
        self.device = device
        self.job = job
        self.name = device.name
        self._executor = Executor(device, job.batt.planner, job.budget)
        self.too_large = 0
        """Runs that the reference had to do."""
        self._loaded = False
        self._schedules: dict[tuple[tuple[int, ...], ...], Schedule] = {}

    def run(self, piece: Piece) -> list[Block]:
        """The blocks of a piece of work. Raises DeviceLost."""
        try:
            with self.device.active():
                return self._run(piece)
        except DeviceLost as lost:
            self.device.lost = str(lost)
            raise

    def _run(self, piece: Piece) -> list[Block]:
        try:
            self._load()
            self.device.room.reset()
            return self._run_at_once(piece)
        except HeapFull as full:
            reason = full
        parts = halves(piece)
        if len(parts) < 2:
            if isinstance(reason, DriverFull):
                raise DeviceLost("it has no memory left, even for a single run") from reason
            self.too_large += 1
            return [_elsewhere(piece, self.job)]
        return [block for part in parts for block in self._run(part)]

    def _load(self) -> None:
        """Put the batt's and the samples' own words on the device, once."""
        if not self._loaded:
            batt, samples = self.job.batt, self.job.samples
            self.device.row_bytes = self.job.row_bytes
            self.device.load([batt.planner.store, samples.store], self.job.constants())
            self._loaded = True

    def _run_at_once(self, piece: Piece) -> list[Block]:
        lanes = [self._lane(share) for share in piece]
        self._executor.run(self._schedule(piece), lanes)
        return [self._block(share, lane) for share, lane in zip(piece, lanes, strict=True)]

    def _lane(self, share: Share) -> Lane:
        batt = self.job.batt
        lane = Lane(self.device, batt.planner, batt.graph.root, len(share.samples), self.job.budget)
        for node, words in self.job.inputs().items():
            lane.values[node] = self.device.column(words[share.samples])
        return lane

    def _schedule(self, piece: Piece) -> Schedule:
        key = tuple(share.programs for share in piece)
        if key not in self._schedules:
            batt = self.job.batt
            lanes = [[node for p in programs for node in batt.outputs(p)] for programs in key]
            self._schedules[key] = Schedule(batt.planner, lanes)
        return self._schedules[key]

    def _block(self, share: Share, lane: Lane) -> Block:
        words = self.job.wanted()
        wanted = None if words is None else self.device.column(words[share.samples])
        job = self.job
        return fetch_block(job.batt, lane, share.programs, share.samples, wanted, job.budget, job.stay)


def _elsewhere(piece: Piece, job: Job) -> Block:
    """One program on one sample that needs more than all of a device: the reference does it, so nothing is lost."""
    (share,) = piece
    (p,), (s,) = share.programs, map(int, share.samples)
    sample, one = job.samples[s], np.ones((1, 1), np.int64)
    words, nothing = one * FAILED, np.empty(0, np.int8)
    try:
        value = evaluate(job.batt.programs[p], sample, budget=job.budget)
    except ProgramFailure as failure:
        return Block(
            share.programs, share.samples, words, nothing, {}, one * failure.line, one * failure.reason.value, one * 0
        )
    equal = job.expected is not None and value == sample[job.expected]
    return Block(share.programs, share.samples, words, nothing, {(0, 0): value}, one * 0, one * 0, one * equal)


class Fleet:
    """Ships that share work, a thread each. A ship that is lost leaves its piece to the others."""

    def __init__(self, ships: Sequence[Ship], notes: Sequence[str] = ()) -> None:
        self.ships = ships
        self.notes = list(notes)
        self.lost: set[str] = set()

    def run(self, pieces: Sequence[Piece]) -> list[Block]:
        """All blocks of all pieces, in the order of the pieces. Raises FleetError if all ships are lost."""
        waiting = deque(enumerate(pieces))
        done: dict[int, list[Block]] = {}
        errors: list[BaseException] = []
        changed = threading.Condition()
        busy = 0

        def take() -> tuple[int, Piece] | None:
            """The next piece; none when all are done. A piece at work may come back, so one has to wait for it."""
            nonlocal busy
            with changed:
                changed.wait_for(lambda: waiting or not busy or errors)
                if errors or not waiting:
                    return None
                busy += 1
                return waiting.popleft()

        def finish(number: int, piece: Piece, blocks: list[Block] | None) -> None:
            nonlocal busy
            with changed:
                busy -= 1
                if blocks is None:
                    waiting.appendleft((number, piece))
                else:
                    done[number] = blocks
                changed.notify_all()

        def sail(ship: Ship) -> None:
            while (taken := take()) is not None:
                blocks = None
                try:
                    blocks = ship.run(taken[1])
                except DeviceLost as lost:
                    self.lost.add(ship.name)
                    self.notes.append(f"{ship.name} was lost ({lost}): its work goes to the others")
                    return
                except BaseException as error:
                    errors.append(error)
                    return
                finally:
                    finish(*taken, blocks)

        self._each(sail)
        if errors:
            raise errors[0]
        if waiting:
            raise FleetError(f"no device is left to run on: {'; '.join(self.notes)}")
        return [block for number in range(len(pieces)) for block in done[number]]

    def _each(self, sail: Callable[[Ship], None]) -> None:
        """In a thread for each ship; the first has this one."""
        threads = [threading.Thread(target=sail, args=(ship,), daemon=True) for ship in self.ships[1:]]
        for thread in threads:
            thread.start()
        if self.ships:
            sail(self.ships[0])
        for thread in threads:
            thread.join()


def add_to(outputs: Outputs, blocks: Sequence[Block]) -> None:
    """Add what came out to the outputs of a run."""
    for block in blocks:
        listed: list[dict[int, Any]] = [{} for _ in block.programs]
        for (k, row), value in block.values.items():
            listed[k][row] = value
        words = np.where(block.reasons > 0, FAILED + block.reasons, block.words)
        equal = block.equal == 1 if len(block.equal) else np.zeros(block.words.shape, bool)
        for k, (p, values) in enumerate(zip(block.programs, listed, strict=True)):
            chunk = Chunk(words[k], block.lines[k], equal[k], block.cells, values, block.stayed)
            outputs.stretches[p].append(Stretch(chunk, 0, block.samples))
