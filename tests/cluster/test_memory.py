"""The memory of a search: parsing of amounts, the share of each worker, and workers that use too much."""

import time

import pytest
from typer.testing import CliRunner

from arcloom.cli import app
from arcloom.cluster import worker
from arcloom.cluster.memory_limits import MemoryLimitError, bytes_of, installed, most_processes, resident, worker_limit
from arcloom.cluster.messages import Adopted, Unit
from arcloom.cluster.pool import ClusterError
from arcloom.cluster.processes import ProcessPool
from arcloom.cluster.solve import Options, SettingsError
from cluster.small import real_tasks, setup

GB = 1 << 30


def test_amounts() -> None:
    assert [bytes_of(text) for text in ("8GB", "1.5 g", "500MB", "2GiB")] == [8 * GB, 3 * GB // 2, 500 << 20, 2 * GB]
    for text in ("", "8", "GB", "-1GB", "8 KB", "1e3GB"):
        with pytest.raises(MemoryLimitError, match="no amount of memory"):
            bytes_of(text)


def test_workers_share_the_memory() -> None:
    assert worker_limit(9 * GB, 4) == (9 * GB - GB // 2) // 4
    assert worker_limit(900 * GB, 4) == 3 * GB
    assert worker_limit(None, 10_000) > 0, "without a limit of the user, a search always begins"
    with pytest.raises(MemoryLimitError, match=r"4 workers need at least 3.50 GB, and --memory is 2.00 GB"):
        worker_limit(2 * GB, 4)


def test_too_many_processes_are_refused() -> None:
    many = most_processes() + 1
    with pytest.raises(SettingsError, match=f"--workers is {many}, but this machine allows at most {many - 1}"):
        Options(workers=many, generations=1).check()
    result = CliRunner().invoke(app, ["judge", "--workers", str(many)])
    assert result.exit_code == 2 and "this machine allows at most" in result.output


def test_memory_is_measured() -> None:
    assert 10 << 20 < resident() < installed()


def test_a_worker_that_uses_far_too_much_is_ended() -> None:
    pool = ProcessPool(1, setup(), memory=1)
    try:
        end = time.monotonic() + 60
        with pytest.raises(ClusterError, match=r"it used .* GB of memory, more than --memory allows"):
            while time.monotonic() < end:
                pool.wait(0.2)
    finally:
        pool.close()


def test_a_worker_gives_memory_back_after_each_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    released: list[None] = []
    monkeypatch.setattr(worker, "release_memory", lambda: released.append(None))
    (task, *_) = real_tasks()
    worker.Worker(setup()).run(Unit((task.id,), adopted=(Adopted(task),)))
    assert len(released) == 1
