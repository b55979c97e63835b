"""Workers as actors of a Ray cluster. Ray is an optional dependency, which is imported only here."""

import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from arcloom.cluster.messages import Assignment, Reply, Unit
from arcloom.cluster.pool import STARTS, ClusterError, Joined, Lost, PoolEvent, Refused, Replied
from arcloom.cluster.worker import assigned
from arcloom.engine.compile.digest import source_digest
from arcloom.engine.devices import kind_of
from arcloom.engine.warm import ensure
from arcloom.search.setup import Setup
from arcloom.store import installed_versions

AUTO = "auto"

CHECK_EVERY = 3.0
"""Seconds between two checks of the list of nodes."""

PATIENCE = 30.0
"""Time limit for a cluster to accept a connection, in seconds. Ray itself would try for many minutes."""

KNOCK = 3.0
"""Time limit for a TCP connection to an address, in seconds."""

KNOCKS = 3
"""Number of consecutive failed checks after which the head of the cluster counts as lost."""

_PROBE = """
import sys, ray
try:
    ray.init(address=sys.argv[1], log_to_driver=False)
except BaseException as error:
    sys.exit(" ".join(str(error).split()))
"""


class Actor:
    """A worker in a process of a Ray cluster."""

    def __init__(self, assignment: Assignment) -> None:
        self._worker = assigned(assignment)

    def ready(self) -> None:
        """Return when the worker is built."""

    def run(self, unit: Unit) -> Reply:
        """See ``Worker``."""
        return self._worker.run(unit)


def prepare(versions: Mapping[str, str], device: str) -> dict[str, str]:
    """Compile the kernels on a node if its versions are ``versions``. Returns the versions of the node."""
    own = installed_versions(source_digest())
    if own == versions and device != "reference":
        ensure()
    return own


@dataclass
class _Node:
    """A node of the cluster. Its workers start when it is ready."""

    id: str
    address: str
    room: int
    ready: bool = False


@dataclass
class _Placed:
    """A worker on a node. ``call`` is the call that it runs, None if it is idle."""

    actor: Any
    node: str
    call: Any
    ready: bool = False


class RayPool:
    """Workers on the nodes of a Ray cluster, by default one per CPU; see ``WorkerPool``.

    Workers are started on a new node after it has compiled the kernels. Workers of lost nodes are started on other
    nodes, if these have free CPUs.
    """

    def __init__(
        self, address: str, workers: int | None, setup: Setup, *, kernels: bool = False, events: bool = False
    ) -> None:
        """Connect to the cluster and prepare all nodes. Raises ClusterError if the cluster cannot be used.

        ``address`` is host:port, or "auto" for the cluster that this machine belongs to. ``workers`` limits the number
        of workers.
        """
        self._ray, self._connected = _connect(address)
        self._limit = workers
        self._device = setup.device
        self._gpus = int(kind_of(setup.device).on_gpu)
        self._versions = installed_versions(source_digest())
        self._nodes: dict[str, _Node] = {}
        self._preparing: dict[Any, _Node] = {}
        self._placed: dict[int, _Placed] = {}
        self._next = self._failed_starts = self._missed = 0
        self._closed = False
        self._head = self._ray.get_runtime_context().gcs_address
        try:
            self._assignment = self._ray.put(Assignment(setup, kernels, events))
            self._begin(address)
        except BaseException:
            self.close()
            raise

    def _begin(self, address: str) -> None:
        """Prepare all nodes, and start workers on them."""
        self._check_nodes()
        if not self._nodes:
            wanted = "a CPU and a GPU" if self._gpus else "a CPU"
            raise ClusterError(f"the Ray cluster at {address} has no node with {wanted}; add one with `ray start`")
        while self._preparing:
            for refused in self._prepared(_ready(self._ray, list(self._preparing), CHECK_EVERY)):
                raise ClusterError(refused.reason)
            self._check_nodes()
        self._fill()

    @property
    def nodes(self) -> dict[int, str]:
        """The ids of the workers' nodes, by the numbers of the workers."""
        return {number: placed.node for number, placed in self._placed.items()}

    @property
    def size(self) -> int:
        """See ``WorkerPool``."""
        return max(len(self._placed), 1)

    def send(self, worker: int, unit: Unit) -> None:
        """See ``WorkerPool``."""
        placed = self._placed[worker]
        placed.call = placed.actor.run.remote(unit)

    def wait(self, seconds: float) -> list[PoolEvent]:
        """See ``WorkerPool``. Raises ClusterError if workers repeatedly end before they are ready."""
        events = self._check_nodes() if time.monotonic() >= self._next_check else []
        numbers = {placed.call: number for number, placed in self._placed.items() if placed.call is not None}
        done = _ready(self._ray, [*numbers, *self._preparing], 0.0 if events else max(seconds, 0.0))
        events += [self._event(numbers[call]) for call in done if call in numbers]
        events += self._prepared([call for call in done if call in self._preparing])
        self._fill()
        return events

    def _event(self, number: int) -> PoolEvent:
        placed = self._placed[number]
        call, placed.call = placed.call, None
        try:
            reply = self._ray.get(call)
        except self._ray.exceptions.RayError as error:
            return self._lost(number, _reason(error))
        if not placed.ready:
            placed.ready = True
            self._failed_starts = 0
            return Joined(number)
        return Replied(number, reply)

    def _lost(self, number: int, reason: str) -> Lost:
        placed = self._placed[number]
        self._end(number)
        if placed.node not in self._alive():
            self._nodes.pop(placed.node, None)
            return Lost(number, "its node left the cluster", blamed=False)
        if not placed.ready:
            self._failed_starts += 1
            if self._failed_starts >= STARTS:
                raise ClusterError(f"the workers cannot be started; the last one: {reason}")
        return Lost(number, reason)

    def _alive(self) -> dict[str, _Node]:
        """The nodes that have room for workers."""
        nodes = (node for node in self._ray.nodes() if node["Alive"])
        found = (_Node(node["NodeID"], node["NodeManagerAddress"], self._room(node["Resources"])) for node in nodes)
        return {node.id: node for node in found if node.room}

    def _room(self, resources: Mapping[str, float]) -> int:
        """The number of workers that a node with these resources can have."""
        cpus = int(resources.get("CPU", 0))
        return min(cpus, int(resources.get("GPU", 0))) if self._gpus else cpus

    def _check_nodes(self) -> list[PoolEvent]:
        """Prepare new nodes and remove lost ones. Returns an event for each lost worker."""
        self._next_check = time.monotonic() + CHECK_EVERY
        if not self._head_answers():
            return []
        alive = self._alive()
        for node in alive.keys() - self._nodes.keys():
            self._nodes[node] = alive[node]
            self._preparing[self._on(node, prepare, num_cpus=0).remote(self._versions, self._device)] = alive[node]
        for node in self._nodes.keys() - alive.keys():
            del self._nodes[node]
        lost = [number for number, placed in self._placed.items() if placed.node not in alive]
        for number in lost:
            self._end(number)
        return [Lost(number, "its node left the cluster", blamed=False) for number in lost]

    def _head_answers(self) -> bool:
        """Whether the head can be reached. Raises ClusterError if it is lost, because Ray would end this process."""
        try:
            _knock(self._head)
        except OSError as error:
            self._missed += 1
            if self._missed < KNOCKS:
                return False
            self._closed = True  # without the head, Ray cannot even disconnect
            lost = f"the head of the Ray cluster at {self._head} is lost ({error})"
            raise ClusterError(f"{lost}; start the cluster again and use --resume") from None
        self._missed = 0
        return True

    def _prepared(self, calls: Sequence[Any]) -> list[Refused]:
        """Handle nodes whose preparation is complete. Returns the nodes that cannot be used."""
        nodes = [(self._preparing.pop(call), call) for call in calls]
        refused = [(node, self._problem(node, call)) for node, call in nodes if node.id in self._nodes]
        return [Refused(problem) for node, problem in refused if problem and node.id in self._alive()]

    def _problem(self, node: _Node, call: Any) -> str | None:
        """The reason why a node cannot have workers, None if it can."""
        try:
            versions = self._ray.get(call)
        except self._ray.exceptions.RayError as error:
            return f"node {node.address} cannot run arcloom: {_reason(error)}"
        node.ready = versions == self._versions
        return None if node.ready else _mismatch(node.address, versions, self._versions)

    def _fill(self) -> None:
        """Start workers where there is room for them."""
        while self._limit is None or len(self._placed) < self._limit:
            node = max((node for node in self._nodes.values() if node.ready), key=self._free, default=None)
            if node is None or self._free(node) < 1:
                return
            self._start(node.id)

    def _free(self, node: _Node) -> int:
        return node.room - sum(placed.node == node.id for placed in self._placed.values())

    def _start(self, node: str) -> None:
        actor = self._on(node, Actor, num_cpus=1, num_gpus=self._gpus).remote(self._assignment)
        self._placed[self._next] = _Placed(actor, node, actor.ready.remote())
        self._next += 1

    def _on(self, node: str, target: Any, **resources: float) -> Any:
        """A remote function or class that Ray runs only on this node."""
        strategies = import_module("ray.util.scheduling_strategies")
        strategy = strategies.NodeAffinitySchedulingStrategy(node, soft=False)
        return self._ray.remote(target).options(scheduling_strategy=strategy, **resources)

    def retire(self, worker: int) -> None:
        """See ``WorkerPool``."""
        self._end(worker)
        self._fill()

    def _end(self, number: int) -> None:
        with suppress(Exception):  # the worker may be gone already
            self._ray.kill(self._placed[number].actor)
        del self._placed[number]

    def close(self) -> None:
        """See ``WorkerPool``. The cluster keeps running."""
        if self._closed:
            return
        self._closed = True
        for number in list(self._placed):
            self._end(number)
        for call in self._preparing:
            with suppress(Exception):
                self._ray.cancel(call, force=True)
        if self._connected:
            self._ray.shutdown()


def _ready(ray: Any, calls: list[Any], seconds: float) -> list[Any]:
    """The completed calls. If there are none, wait for the first one, at most ``seconds``."""
    if not calls:
        time.sleep(seconds)
        return []
    done, _ = ray.wait(calls, timeout=seconds)
    return list(ray.wait(calls, num_returns=len(calls), timeout=0)[0]) if done else []


def _reason(error: Exception) -> str:
    """The last line of an error of Ray that is not empty. The lines above are stack traces of other processes."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__


def _mismatch(address: str, theirs: Mapping[str, str], ours: Mapping[str, str]) -> str:
    names = [name for name in ours if theirs.get(name) != ours[name]]
    there = ", ".join(f"{name} {theirs.get(name)}" for name in names)
    here = ", ".join(f"{name} {ours[name]}" for name in names)
    return f"node {address} has {there}, and this machine has {here}; install the same versions on all machines"


def imported_ray() -> Any:
    """Ray, if it is installed. Raises ClusterError otherwise."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        return import_module("ray")
    except ImportError:
        raise ClusterError("a cluster needs Ray, which is not installed: pip install 'arcloom[ray]'") from None


def _connect(address: str) -> tuple[Any, bool]:
    """The Ray module, connected to a cluster, and whether this call made the connection."""
    ray = imported_ray()
    if ray.is_initialized():
        return ray, False
    _check_port(address)
    _check_cluster(address)
    with _same_handler(signal.SIGTERM):
        try:
            ray.init(address=address, log_to_driver=False, logging_level=logging.CRITICAL)
        except Exception as error:
            raise _unreachable(address, " ".join(str(error).split())) from None
    _silence()
    return ray, True


def _silence() -> None:
    """Do not print messages of the nodes. Ray prints them even with ``log_to_driver=False``."""
    worker: Any = import_module("ray._private.worker")
    if hasattr(worker, "print_to_stdstream"):
        worker.print_to_stdstream = lambda *args, **options: None


def _unreachable(address: str, reason: str) -> ClusterError:
    if address == AUTO:
        what = "start one with `ray start --head`, or give the address of one as host:port"
        return ClusterError(f"no Ray cluster can be reached from this machine ({reason}); {what}")
    what = "check the address and that `ray status` works there"
    return ClusterError(f"the Ray cluster at {address} cannot be reached ({reason}); {what}")


def _check_port(address: str) -> None:
    """Raise ClusterError if an address is not host:port, or nothing listens there."""
    if address == AUTO:
        return
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit() or "/" in host:
        raise ClusterError(
            f"{address!r} is no address of a Ray cluster; write auto or host:port, such as 10.0.0.1:6379"
        )
    try:
        _knock(address)
    except (OSError, OverflowError) as error:
        raise _unreachable(address, str(error)) from None


def _knock(address: str) -> None:
    """Raise OSError if nothing listens at an address."""
    host, _, port = address.rpartition(":")
    socket.create_connection((host.strip("[]"), int(port)), KNOCK).close()


def _check_cluster(address: str) -> None:
    """Raise ClusterError if a cluster does not accept connections.

    A separate process tries to connect, because Ray's connection attempt cannot be interrupted and writes to the
    terminal.
    """
    command = [sys.executable, "-c", _PROBE, address]
    try:
        tried = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        raise _unreachable(address, f"no answer for {PATIENCE:.0f} s") from None
    if tried.returncode:
        raise _unreachable(address, (tried.stderr.strip().splitlines() or ["it refuses connections"])[-1])


@contextmanager
def _same_handler(number: signal.Signals) -> Iterator[None]:
    """Keep the handler of a signal, which Ray replaces when it connects."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(number)
    try:
        yield
    finally:
        signal.signal(number, before)
