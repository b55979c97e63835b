"""Workers on a Ray cluster: the submission is that of one machine, nodes can leave and join, and errors are reported.

The cluster is a real one with several nodes. It listens on the loopback interface only.
"""

import json
import socket
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from arcloom.cli import app
from arcloom.cluster import on_ray
from arcloom.cluster.messages import Unit
from arcloom.cluster.on_ray import RayPool
from arcloom.cluster.pool import ClusterError, Joined, PoolEvent
from arcloom.cluster.solve import solve
from arcloom.engine.compile.digest import source_digest
from arcloom.search.setup import Setup
from arcloom.store import installed_versions
from arcloom.tasks.task import Dataset
from search.small import MIRROR, PAINT, RIDDLE

SMALL = Setup(
    bundled=False,
    derived=False,
    operations=["vmirror_grid", "hmirror_grid"],
    library=["def solve_elsewhere(I):\n    return replace(I, ONE, TWO)\n"],
)
TASKS = Dataset("small", (MIRROR, PAINT, RIDDLE))
NODE = {"node_ip_address": "127.0.0.1", "num_cpus": 1, "object_store_memory": 80 << 20}
QUIET = "ignore::pytest.PytestUnraisableExceptionWarning"  # Ray leaves files open
CLOSED = "http://127.0.0.1:9"

LOOPBACK = {
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # the address of a node is that of the loopback interface
    "RAY_USAGE_STATS_ENABLED": "0",
    # The head of a cluster sends requests to cloud providers and to Ray, even if statistics are disabled.
    "http_proxy": CLOSED,
    "https_proxy": CLOSED,
    "no_proxy": "127.0.0.1,localhost",
}


@pytest.fixture(scope="module")
def ray() -> Iterator[None]:
    """The Ray module, restricted to the loopback interface."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in LOOPBACK.items():
            patch.setenv(name, value)
        pytest.importorskip("ray", reason="Ray is not installed: pip install 'arcloom[ray]'")
        yield


@pytest.fixture(scope="module")
def cluster(ray: None) -> Iterator[Any]:
    utilities: Any = import_module("ray.cluster_utils")
    made = utilities.Cluster(initialize_head=True, head_node_args={**NODE, "include_dashboard": False})
    made.add_node(**NODE)
    made.add_node(**NODE)
    yield made
    made.shutdown()


def awaited(pool: RayPool, done: Callable[[list[PoolEvent]], bool]) -> list[PoolEvent]:
    """Wait for events of a pool until they satisfy a condition, and return them."""
    events: list[PoolEvent] = []
    end = time.monotonic() + 60
    while not done(events):
        assert time.monotonic() < end, events
        events += pool.wait(1.0)
    return events


@pytest.mark.filterwarnings(QUIET)
def test_a_node_is_killed_and_the_submission_is_that_of_one_machine(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed: list[str] = []

    class Killing(RayPool):
        """Kills a node when a worker on it begins its first unit."""

        def send(self, worker: int, unit: Unit) -> None:
            super().send(worker, unit)
            node = next((n for n in cluster.worker_nodes if n.node_id == self.nodes[worker]), None)
            if node is not None and not killed:
                killed.append(node.node_id)
                cluster.remove_node(node, allow_graceful=False)

    monkeypatch.setattr(on_ray, "RayPool", Killing)
    there = solve(TASKS, generations=8, cluster=cluster.address, out=tmp_path / "there", setup=SMALL)
    here = solve(TASKS, generations=8, workers=1, out=tmp_path / "here", setup=SMALL)
    assert killed and not there.problems
    assert there.workers == 3
    assert "mirror" in here.score.solved
    files = [(tmp_path / name / "submission.json").read_bytes() for name in ("there", "here")]
    assert files[0] == files[1]


def not_answered(address: str) -> None:
    raise ConnectionRefusedError("refused")


@pytest.mark.filterwarnings(QUIET)
def test_nodes_that_join_get_workers_and_a_lost_head_is_noticed(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_ray, "CHECK_EVERY", 0.5)
    nodes = len(cluster.list_all_nodes())
    pool = RayPool(cluster.address, nodes + 1, SMALL)
    awaited(pool, lambda events: len(events) == nodes)
    cluster.add_node(**NODE | {"num_cpus": 2})
    assert awaited(pool, bool) == [Joined(nodes)]
    assert len(pool.nodes) == nodes + 1
    monkeypatch.setattr(on_ray, "_knock", not_answered)
    with pytest.raises(ClusterError, match=f"{cluster.address} is lost .*use --resume"):
        awaited(pool, lambda events: False)
    import_module("ray").shutdown()


@pytest.mark.filterwarnings(QUIET)
def test_other_versions_are_refused(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def other(kernels: str) -> dict[str, str]:
        return installed_versions(kernels) | {"arcloom": "9.8.7", "kernels": "abc"}

    own = installed_versions(source_digest())
    monkeypatch.setattr(on_ray, "installed_versions", other)
    with pytest.raises(ClusterError) as refused:
        RayPool(cluster.address, None, SMALL)
    assert f"has arcloom {own['arcloom']}, kernels {own['kernels']}, and this machine has arcloom 9.8.7" in str(
        refused.value
    )


def test_ray_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ClusterError, match=r"pip install 'arcloom\[ray\]'"):
        RayPool("auto", None, SMALL)


@pytest.mark.parametrize("address", ["10.0.0.1", "ray://10.0.0.1:10001", "host:port"])
def test_an_address_has_a_host_and_a_port(ray: None, address: str) -> None:
    with pytest.raises(ClusterError, match="write auto or host:port"):
        RayPool(address, None, SMALL)


def test_nothing_listens_at_the_address(ray: None, tmp_path: Path) -> None:
    task = {"train": [{"input": [[1]], "output": [[2]]}], "test": [{"input": [[3]]}]}
    (tmp_path / "task.json").write_text(json.dumps(task), encoding="utf-8")
    options = ["--data", str(tmp_path / "task.json"), "--cluster", "127.0.0.1:1", "--out", str(tmp_path)]
    found = CliRunner().invoke(app, ["solve", "--device", "reference", *options])
    assert (found.exit_code, found.stdout) == (2, "")
    assert "the Ray cluster at 127.0.0.1:1 cannot be reached" in " ".join(found.stderr.split())
    assert "Traceback" not in found.stderr


def test_something_else_listens_at_the_address(ray: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_ray, "PATIENCE", 2.0)
    with socket.create_server(("127.0.0.1", 0)) as server, pytest.raises(ClusterError, match="no answer for 2 s"):
        RayPool(f"127.0.0.1:{server.getsockname()[1]}", None, SMALL)


def test_no_cluster_is_running(ray: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_ray, "_PROBE", "import sys; sys.exit('Could not find any running Ray instance')")
    with pytest.raises(ClusterError, match=r"\(Could not find any .*\); start one with `ray start --head`"):
        RayPool("auto", None, SMALL)
