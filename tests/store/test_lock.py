"""The lock of a store: held by one process at a time, and free when that process has ended."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arcloom.store import StoreError
from arcloom.store.lock import locked

HOLD = """
import sys
from pathlib import Path
from arcloom.store.lock import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "library.sqlite"


@pytest.fixture
def holder(path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that holds the lock until its standard input is closed."""
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_a_second_process_is_refused(path: Path, holder: subprocess.Popen[str]) -> None:
    with pytest.raises(StoreError, match=rf"library\.sqlite is in use by .*\(process {holder.pid}\)"), locked(path):
        pass


def test_the_lock_is_free_after_sigkill(path: Path, holder: subprocess.Popen[str]) -> None:
    holder.kill()
    holder.wait()
    with locked(path):
        pass


def test_the_lock_is_free_after_an_error(path: Path) -> None:
    with pytest.raises(KeyError), locked(path):
        raise KeyError
    with locked(path), pytest.raises(StoreError, match="in use"), locked(path):
        pass


def test_different_stores_have_different_locks(path: Path) -> None:
    with locked(path), locked(path.with_name("other.sqlite")):
        pass
