"""The interface between the coordinator and the workers, and an implementation in the calling process."""

from dataclasses import dataclass
from typing import Protocol

from arcloom.cluster.messages import Reply, Unit
from arcloom.cluster.worker import Worker

STARTS = 3
"""Number of consecutive workers that end before they are ready, after which a pool raises ClusterError."""


class ClusterError(RuntimeError):
    """Workers cannot be started or reached; the message says why, and what to do."""


@dataclass(frozen=True)
class Joined:
    """A worker is ready for its first unit."""

    worker: int


@dataclass(frozen=True)
class Replied:
    """A worker has completed a unit."""

    worker: int
    reply: Reply


@dataclass(frozen=True)
class Lost:
    """A worker has ended, and the state of its tasks is lost. If ``blamed``, the tasks that it ran may be the cause."""

    worker: int
    reason: str
    blamed: bool = True


@dataclass(frozen=True)
class Refused:
    """A machine that has joined the cluster during a search cannot be used."""

    reason: str


PoolEvent = Joined | Replied | Lost | Refused


class WorkerPool(Protocol):
    """A set of workers. Each has a number that is never reused. A lost worker is replaced by a new one."""

    @property
    def size(self) -> int:
        """The number of workers, including those that are starting; at least 1."""

    def send(self, worker: int, unit: Unit) -> None:
        """Send a unit to an idle worker."""

    def wait(self, seconds: float) -> list[PoolEvent]:
        """The events since the last call. If there are none, wait for the first one, at most ``seconds``."""

    def retire(self, worker: int) -> None:
        """End an idle worker and replace it by a new one."""

    def close(self) -> None:
        """End all workers at once, including busy ones."""


class InlinePool:
    """One worker in the calling process: for tests and for debugging."""

    size = 1

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._events: list[PoolEvent] = [Joined(0)]

    def send(self, worker: int, unit: Unit) -> None:
        """See ``WorkerPool``."""
        self._events.append(Replied(worker, self._worker.run(unit)))

    def wait(self, seconds: float) -> list[PoolEvent]:
        """See ``WorkerPool``."""
        events, self._events = self._events, []
        return events

    def retire(self, worker: int) -> None:
        """See ``WorkerPool``. The calling process cannot be replaced."""

    def close(self) -> None:
        """See ``WorkerPool``."""
