"""The interface of all devices, their statistics, and the errors of a device."""

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


BATT, ENUMERATION = "batt", "enumeration"
"""Kinds of work: running programs on samples, and enumerating programs for tasks. Devices are compared for each."""


class DeviceError(ValueError):
    """A device that does not exist or cannot be used here."""


class DeviceLost(Exception):
    """A GPU does not answer as it should. Its work can be done by another one."""


class DeviceFault(DeviceLost):
    """A GPU reports a fault of the code that it ran, such as an illegal address. Its work is not given to another GPU,
    which would fail, too."""


@dataclass
class Programs:
    """Programs to run, and the types of their inputs."""

    programs: Sequence[Program]
    inputs: Mapping[str, Type]

    @cached_property
    def batt(self) -> "MergedPrograms":
        """The programs merged into one graph, with its tables and kernels."""
        # Imported here because importing the compiler takes time, and the reference does not need it.
        from arcloom.engine.merged import MergedPrograms

        return MergedPrograms(self.programs, self.inputs)


@dataclass(frozen=True)
class Job:
    """Samples, the samples ``rows[p]`` that program p runs on, and how.

    ``budget`` is the limit of work. With ``typed_only``, programs without types are not tried on the reference.
    ``threads`` is the number of threads of the CPU, by default one per core.
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
    """The work of a GPU since it was opened. Everything is counted or measured there."""

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

    def as_json(self) -> dict[str, Any]:
        """All figures; seconds are rounded to microseconds."""
        return asdict(self) | {"seconds": round(self.seconds, 6)}

    @property
    def line(self) -> str:
        """All figures in a line."""
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
    """Runs programs."""

    name: str

    @property
    def statistics(self) -> Mapping[str, Statistics]:
        """The statistics of the GPUs that are used, by name."""

    def execute(self, programs: Programs, job: Job) -> Results:
        """Run programs on the samples of a job."""

    def enumerate(self, work: Enumerations[T]) -> Iterator[Mapping[int, T]]:
        """Run enumerations and yield results by task number. Closing the iterator skips those that have not begun."""
