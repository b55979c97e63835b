"""A lock on a store, so that only one search or merge at a time writes to it."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arcloom.store.schema import StoreError


@contextmanager
def locked(store: Path) -> Iterator[None]:
    """A context that holds the lock of a store. Raises StoreError, with the process id, if another process holds it.

    The operating system releases the lock when the process ends, also after a crash.
    """
    descriptor = os.open(_lock_file(store), os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(descriptor, 32).decode(errors="replace").strip() or "unknown"
            raise StoreError(
                f"{store} is in use by another arcloom (process {holder}); wait for it, or choose another place"
            ) from None
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(descriptor)


def is_locked(store: Path) -> bool:
    """Whether another process holds the lock of a store."""
    try:
        descriptor = os.open(_lock_file(store), os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def _lock_file(store: Path) -> Path:
    return store.with_name(f".{store.name}.lock")
