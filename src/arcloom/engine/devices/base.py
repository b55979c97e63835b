"""The interface of devices, their statistics and their errors."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from arcloom.dsl.signature import Type
from arcloom.engine.results import Results, Sample
from arcloom.program.term import Program

if TYPE_CHECKING:
    from arcloom.engine.merged import MergedPrograms


KINDS_OF_WORK = BATT, ENUMERATION = "batt", "enumeration"
"""Kinds of work: running programs on samples, and enumerating programs for tasks. Devices are compared for each."""


class DeviceError(ValueError):
    """A device does not exist or cannot be used."""


class DeviceLost(Exception):
    """A GPU does not respond correctly. Another GPU can do its work."""


class DeviceFault(DeviceLost):
    """A GPU reports a fault of the code that it ran, such as an illegal address. The CPU does its work, because another
    GPU would fail, too."""


_worker: int | None = None


def be_worker(number: int) -> None:
    """Record that this process is the worker of a search with a number. Workers divide the GPUs of a device."""
    global _worker
    _worker = number


def worker_number() -> int | None:
    """The number of this worker of a search; None if this process is not one, or has all GPUs that it can see."""
    return _worker


@dataclass
class Programs:
    """Programs to run, and the types of their inputs."""

    programs: Sequence[Program]
    inputs: Mapping[str, Type]

    @cached_property
    def batt(self) -> "MergedPrograms":
        """The programs merged into one graph, with its tables and kernels."""
        # A late import: it imports the compiler, which takes time and which the reference does not need.
        from arcloom.engine.merged import MergedPrograms

        return MergedPrograms(self.programs, self.inputs)


@dataclass(frozen=True)
class Job:
    """The samples of a run and its options.

    Program p runs on the samples ``rows[p]``. ``budget`` is the limit of work. With ``typed_only``, programs without
    types are not tried on the reference. ``threads`` is the number of threads of the CPU, by default one per core.
    """

    samples: Sequence[Sample]
    rows: Sequence[Sequence[int]]
    budget: int
    typed_only: bool = False
    threads: int | None = None

    @property
    def runs(self) -> int:
        """The number of (program, sample) pairs."""
        return sum(map(len, self.rows))


@dataclass
class Statistics:
    """The work of a GPU since it was opened."""

    device: str
    batts: int = 0
    runs: int = 0
    launches: int = 0
    transfers: int = 0
    bytes_up: int = 0
    bytes_down: int = 0
    runs_in_larger_slots: int = 0
    runs_on_cpu: int = 0
    seconds: float = 0.0
    tasks_enumerated: int = 0

    def add(self, other: "Statistics") -> None:
        """Add the figures of the same GPU in another process."""
        for name, value in asdict(other).items():
            if name != "device":
                setattr(self, name, getattr(self, name) + value)

    def as_json(self) -> dict[str, Any]:
        """All fields, for JSON; seconds are rounded to microseconds."""
        return asdict(self) | {"seconds": round(self.seconds, 6)}

    @property
    def line(self) -> str:
        """All figures in one line."""
        return (
            f"{self.device}: {self.batts} batts, {self.tasks_enumerated} tasks enumerated, "
            f"{self.runs} runs in {self.seconds:.2f} s, {self.launches} launches, "
            f"{self.transfers} transfers ({self.bytes_up / 1e6:.1f} MB up, {self.bytes_down / 1e6:.1f} MB down), "
            f"{self.runs_in_larger_slots} runs in larger slots, {self.runs_on_cpu} on the CPU"
        )


T = TypeVar("T", covariant=True)


class Enumerations(Protocol[T]):
    """Enumerations for tasks. The result of a task is the same on every device and does not depend on other tasks."""

    def groups(self) -> list[list[int]]:
        """The numbers of all tasks, in groups that can be enumerated together on one GPU."""

    def on_cpu(self, task: int) -> T:
        """Run the enumeration of a task on the CPU."""

    def on_gpu(self, gpu: Any, tasks: Sequence[int]) -> Mapping[int, T]:
        """Run enumerations on a GPU. Tasks that do not fit into its memory have no result. Raises DeviceLost."""


def enumerated_on_cpu(work: Enumerations[T]) -> Iterator[Mapping[int, T]]:
    """Run enumerations one after the other on the CPU."""
    for task in chain.from_iterable(work.groups()):
        yield {task: work.on_cpu(task)}


class Device(Protocol):
    """The interface of a device."""

    name: str

    @property
    def statistics(self) -> Mapping[str, Statistics]:
        """The statistics of the GPUs that are used, by name."""

    def execute(self, programs: Programs, job: Job) -> Results:
        """Run programs on the samples of a job."""

    def enumerate(self, work: Enumerations[T]) -> Iterator[Mapping[int, T]]:
        """Run enumerations and yield results by task number. Closing the iterator skips those that have not begun."""
