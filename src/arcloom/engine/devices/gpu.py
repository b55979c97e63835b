"""Running a batt on one GPU: one upload of its tables, one launch per slot size, and one download of its outputs.

Every program is a group by itself, and every (program, sample) pair a run. A GPU thread takes runs from a queue and
computes each in its slot. Runs for which the slots are too small are repeated in larger slots by the next launches, and
finally on the CPU. Samples stay on the GPU until a run needs others.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from arcloom.engine.arranged import ArrangedPlan
from arcloom.engine.columns import Cells, Words
from arcloom.engine.compile.cuda import entry_name
from arcloom.engine.devices.base import DeviceFault, DeviceLost, Statistics
from arcloom.engine.devices.libcuda import Driver, DriverError, DriverMissing, KernelFault, OutOfMemory
from arcloom.engine.entry_points import ON_GPU, flattened
from arcloom.engine.kernel import Kernel
from arcloom.engine.machine.arrange import Plan
from arcloom.engine.machine.layout import Table
from arcloom.engine.machine.records import UNLIMITED
from arcloom.engine.machine.threads import WAITING, Threads
from arcloom.engine.machine.tiles import NO_ROOM, OTHER, TILE, TileJob
from arcloom.engine.outputs import Chunk, Outputs, Segment
from arcloom.engine.samples import Samples, input_columns
from arcloom.engine.warm import all_kernels
from arcloom.engine.words import SIDE_BITS, SIDE_MASK

if TYPE_CHECKING:
    from arcloom.engine.merged import MergedPrograms

TABLES = 1 << 24
"""Words at the bottom of a GPU's memory for the tables and outputs of a batt: 128 MiB."""

BANKS = 3 << 24
"""Words above them for samples, or for the banks of tasks: 384 MiB."""

SLOT_WORDS, SLOT_CELLS = 6 << 10, 16 << 10
"""Words and cells of the smallest slot: 64 KiB, in which 95 of 100 runs of the bundled programs fit."""

GROWTH = 16
"""Factor from one slot size to the next. The number of slots is divided by it."""

SIZES = 3
"""Number of slot sizes, each with one launch."""

BLOCK = 128
"""Threads per block. With 128 registers per thread, a multiprocessor holds four blocks."""

RESIDENT = 512
"""Threads per multiprocessor."""

KEPT = 1 << 28
"""Maximum number of cells of the outputs of a batt."""

SHARE = 0.8
"""Fraction of a GPU's free memory that is used."""


class GpuRun(NamedTuple):
    """Programs of a batt, and the samples that each of them runs on."""

    programs: list[int]
    rows: list[Words]

    @property
    def runs(self) -> int:
        """The number of (program, sample) pairs."""
        return sum(map(len, self.rows))


class TooLarge(Exception):
    """The tables of a batt do not fit the memory of a GPU. Those of fewer programs may."""


class TooManySamples(Exception):
    """The samples of a batt do not fit the memory of a GPU."""


class Rest(NamedTuple):
    """A run that the CPU must compute: a program and a sample."""

    program: int
    sample: int


class Image:
    """Arrays that are concatenated and uploaded together, to the position ``base`` of the GPU's words."""

    def __init__(self, base: int) -> None:
        self._base = base
        self._parts: list[Words] = []
        self.size = 0

    def add(self, words: Words) -> Any:
        """Add an array, and return the pointer to it on the GPU."""
        at = self._base + 8 * self.size
        self._parts.append(words)
        self.size += len(words)
        return at

    def assembled(self) -> Words:
        """The concatenated arrays."""
        return np.concatenate(self._parts)


class Gpu:
    """One GPU: its memory, the samples in it, and its statistics."""

    def __init__(
        self,
        driver: Driver,
        ordinal: int,
        load: Callable[[tuple[int, int]], bytes],
        number: Callable[[Kernel], int] | None = None,
    ) -> None:
        """``load`` returns the machine code for a compute capability, ``number`` the number of a kernel in it."""
        self.name = f"cuda:{ordinal}"
        self.ordinal = ordinal
        self.number = number or _number
        self.statistics = Statistics(self.name)
        self._driver = driver
        self._samples: Any = None
        self.words: Any
        self.cells: Any
        self.kept: Any
        self._samples_size = (0, 0)
        with _faults():
            self.description = driver.describe(ordinal)
            driver.open(ordinal)
            try:
                entries = driver.load(load(self.description.capability), list(map(entry_name, ON_GPU)))
                self._entries = dict(zip(ON_GPU, entries, strict=True))
                self._allocate()
            except BaseException:
                self.close()  # the memory that it takes may suffice for another process
                raise

    def close(self) -> None:
        """Free the memory of this process on the GPU, which cannot be used any more. Errors are ignored."""
        with suppress(DriverError, DriverMissing):
            self._driver.close(self.ordinal)

    def _allocate(self) -> None:
        """Allocate memory for tables, samples, outputs, and as many slots as fit."""
        slots = RESIDENT * self.description.multiprocessors
        free = int(SHARE * self._driver.free_bytes())
        fixed = 8 * (TABLES + BANKS) + 2 * KEPT
        slots = max(BLOCK, min(slots, (free - fixed) // (8 * SLOT_WORDS + SLOT_CELLS)) // BLOCK * BLOCK)
        self.first_slot, self.first_cells = TABLES + BANKS, KEPT
        while not self._has_memory(slots):
            slots = max(BLOCK, slots // 2 // BLOCK * BLOCK)
        self.slots = slots

    def _has_memory(self, slots: int) -> bool:
        """Take memory for a number of slots, and return whether there is enough. Raises DeviceLost if there is too
        little for BLOCK slots, the smallest number."""
        sizes = 8 * (self.first_slot + slots * SLOT_WORDS), self.first_cells + slots * SLOT_CELLS, KEPT
        taken: list[int] = []
        try:
            for size in sizes:
                taken.append(self._driver.allocate(size))
        except OutOfMemory as error:
            for pointer in taken:
                self._driver.free(pointer)
            if slots <= BLOCK:
                has, needs = (size / (1 << 30) for size in (self._driver.free_bytes(), sum(sizes)))
                raise DeviceLost(f"{has:.1f} GB of its memory are free, but {needs:.1f} GB are needed") from error
            return False
        self.words, self.cells, self.kept = taken
        return True

    def numbers(self, kernels: Iterable[Kernel]) -> Words:
        """The numbers of kernels in the machine code."""
        return np.array(list(map(self.number, kernels)), np.int64)

    def run(self, batt: "MergedPrograms", work: GpuRun, samples: Samples, budget: int, outputs: Outputs) -> list[Rest]:
        """Run programs, and return the runs that the CPU must compute. Raises DeviceLost, DeviceFault, TooLarge or
        TooManySamples."""
        with self.used():
            rest = self._run(batt, work, samples, budget, outputs)
        figures = self.statistics
        figures.batts += 1
        figures.runs += work.runs
        figures.runs_on_cpu += len(rest)
        return rest

    @contextmanager
    def used(self) -> Iterator[None]:
        """A context in which this thread uses the GPU. Raises DeviceLost or DeviceFault."""
        began = time.perf_counter()
        with _faults():
            self._driver.open(self.ordinal)
            yield
        self.statistics.seconds += time.perf_counter() - began

    def free_samples(self) -> None:
        """Free the memory of samples for other use."""
        self._samples = None

    def _run(self, batt: "MergedPrograms", work: GpuRun, samples: Samples, budget: int, outputs: Outputs) -> list[Rest]:
        words, cells, _, _ = batt.planner.store.contents()
        inputs = input_columns(batt.input_nodes, samples)
        self._hold(samples)
        image = Image(self.words)
        image.add(words)
        layout = Layout(self, image, batt, work, inputs, budget)
        if image.size > samples.store.words_at:
            raise TooLarge
        self.upload(self.words, image.assembled())
        self.upload(self.cells, cells)
        self.launch("run_threads", layout.given)
        found = np.empty(layout.output_words, np.int64)
        self.download(found, layout.outputs)
        kept = np.empty(min(int(found[-1]), KEPT), np.int8)
        self.download(kept, self.kept)
        return self._keep(work, found, kept, outputs)

    def launch(self, entry_point: str, given: Sequence[Words]) -> None:
        """Launch an entry point for all slot sizes, one after the other. Later launches repeat the runs that had too
        little room. ``given`` are the arguments of each launch."""
        for size, arguments in enumerate(given):
            threads = self.slots // GROWTH**size
            block = min(BLOCK, threads)
            if threads:
                self._driver.launch(self._entries[entry_point], threads // block, block, arguments)
                self.statistics.launches += 1
        self._driver.synchronise()

    def _keep(self, work: GpuRun, found: Words, kept: Cells, outputs: Outputs) -> list[Rest]:
        """Store downloaded outputs in ``outputs``, and return the runs that have none."""
        runs = work.runs
        words, lines, status = found[:runs], found[runs : 2 * runs], found[2 * runs : 3 * runs]
        self.statistics.runs_in_larger_slots += int(found[3 * runs])
        chunk = Chunk(words, lines, kept)
        absent = (status != 0) | (words == OTHER)
        rest, at = [], 0
        for p, chosen in zip(work.programs, work.rows, strict=True):
            outputs.segments[p].append(Segment(chunk, at, chosen))
            rest += [Rest(p, int(chosen[k])) for k in np.flatnonzero(absent[at : at + len(chosen)]).tolist()]
            at += len(chosen)
        return rest

    def _hold(self, samples: Samples) -> None:
        """Upload samples unless they are on the GPU."""
        words, cells, words_at, cells_at = samples.store.contents()
        size = (len(words), len(cells))
        if self._samples is samples.store and size == self._samples_size:
            return
        if words_at + len(words) > self.first_slot or cells_at + len(cells) > self.first_cells:
            raise TooManySamples
        self.upload(self.words + 8 * words_at, words)
        self.upload(self.cells + cells_at, cells)
        self._samples, self._samples_size = samples.store, size

    def upload(self, address: int, array: Words | Cells) -> None:
        """Copy an array to the GPU."""
        if not len(array):
            return
        self._driver.copy_in(address, array)
        self.statistics.transfers += 1
        self.statistics.bytes_up += array.nbytes

    def download(self, array: Words | Cells, address: int) -> None:
        """Copy to an array from the GPU."""
        if not len(array):
            return
        self._driver.copy_out(array, address)
        self.statistics.transfers += 1
        self.statistics.bytes_down += array.nbytes


class Layout:
    """The tables of a batt on a GPU: the arguments of each launch, and the addresses of the outputs."""

    def __init__(
        self, gpu: Gpu, image: Image, batt: "MergedPrograms", work: GpuRun, inputs: Words, budget: int
    ) -> None:
        runs = work.runs
        self.outputs = image.add(np.zeros(2 * runs, np.int64))
        status = image.add(np.full(runs, WAITING))
        retried, kept_top = image.add(np.zeros(1, np.int64)), image.add(np.zeros(1, np.int64))
        self.output_words = 3 * runs + 2
        plan = self._plan(image, batt, work)
        constants = image.size
        image.add(batt.tables.constants)
        job = TileJob(
            tiles=image.add(tiles_of(work).words),
            members=image.add(np.array(work.programs, np.int64)),
            samples=image.add(np.concatenate(work.rows)),
            inputs=image.add(inputs.reshape(-1)),
            constants=constants,
            outputs=self.outputs,
            lines=self.outputs + 8 * runs,
            kept=gpu.kept,
            kept_top=kept_top,
            sample_count=inputs.shape[1],
            kept_end=KEPT,
        )
        kernels, order = gpu.numbers(batt.tables.kernels), order_of(work, inputs)
        threads = threads_of(gpu, image, kernels, order, status, retried, budget)
        self.given = [words_of(plan, each, job) for each in threads]

    def _plan(self, image: Image, batt: "MergedPrograms", work: GpuRun) -> Plan:
        """The plan in which each program is a group by itself."""
        members = np.array(work.programs, np.int64)
        arranged = ArrangedPlan(batt.tables, batt.programs_table, batt.steps_table, groups=len(members), times=4)
        arranged.arrange_each(members)
        nodes, links, frames = map(image.add, arranged.used)
        return Plan(nodes, links, frames, image.add(arranged.groups.words), 0, 0, 0)


def threads_of(
    gpu: Gpu, image: Image, kernels: Words, order: Words, status: Any, retried: Any, limit: int
) -> list[Threads]:
    """The ``Threads`` of each launch: it has a slot size and its own queue. Each launch but the first repeats the runs
    that had too little room."""
    threads = Threads(
        words=gpu.words,
        cells=gpu.cells,
        kernels=image.add(kernels),
        order=image.add(order),
        queue=status,
        status=status,
        retried=retried,
        stop=image.add(np.zeros(1, np.int64)),
        first_slot=gpu.first_slot,
        slot_words=SLOT_WORDS,
        first_cells=gpu.first_cells,
        slot_cells=SLOT_CELLS,
        limit=min(limit, UNLIMITED),
        runs=len(order),
        waiting=WAITING,
        most=len(order),
        first_thread=0,
    )
    return [
        threads._replace(
            queue=image.add(np.zeros(1, np.int64)),
            slot_words=SLOT_WORDS * GROWTH**size,
            slot_cells=SLOT_CELLS * GROWTH**size,
            waiting=NO_ROOM if size else WAITING,
        )
        for size in range(SIZES)
    ]


def words_of(*tuples: Any) -> Words:
    """The arguments of a launch as words."""
    return np.array(flattened(*tuples), np.int64)


def tiles_of(work: GpuRun) -> Table:
    """A tile for each run, by program and then by sample."""
    table, number = TILE.table(work.runs), np.arange(work.runs)
    table["group"] = table["members"] = np.repeat(np.arange(len(work.programs)), list(map(len, work.rows)))
    table["members_count"] = table["samples_count"] = 1
    table["samples"] = table["out"] = number
    return table


def order_of(work: GpuRun, inputs: Words) -> Words:
    """The order in which runs are taken from the queue: by program, then by the area of the first input."""
    samples, programs = np.concatenate(work.rows), np.repeat(np.arange(len(work.rows)), list(map(len, work.rows)))
    grids = inputs[0, samples] if len(inputs) else samples
    areas = ((grids >> SIDE_BITS) & SIDE_MASK) * (grids & SIDE_MASK)
    return np.lexsort((areas, programs))


NUMBERS = {kernel.name: number for number, kernel in enumerate(all_kernels())}
"""The numbers of kernels in machine code for GPUs."""


def _number(kernel: Kernel) -> int:
    return NUMBERS[kernel.name]


@contextmanager
def _faults() -> Iterator[None]:
    """A context that turns errors of the driver into DeviceLost, or DeviceFault if the code caused them."""
    try:
        yield
    except KernelFault as error:
        raise DeviceFault(str(error)) from error
    except (DriverError, DriverMissing) as error:
        raise DeviceLost(str(error)) from error
