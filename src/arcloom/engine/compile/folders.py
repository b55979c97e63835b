"""The folders of compiled code: their paths, permissions and locks."""

import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from arcloom.engine.compile.errors import CompileError

try:
    import fcntl
except ImportError:  # Windows has no fcntl: processes that start together compile the same kernels
    fcntl = None  # type: ignore[assignment]

CACHE_VARIABLE = "ARCLOOM_CACHE"
PACKED = Path(__file__).parent / "packed"
"""The folder of compiled code in a binary wheel."""


def cache_folder() -> Path:
    """The folder of compiled kernels: $ARCLOOM_CACHE, or a folder in the user's cache."""
    chosen = os.environ.get(CACHE_VARIABLE)
    return Path(chosen) if chosen else _user_cache()


def _user_cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "arcloom"


def cache_folders() -> list[Path]:
    """The folders to read from: the cache folder and, if it is read-only, folders for code that it lacks."""
    first = cache_folder()
    if _can_write(first):
        return [first]
    owner = os.getuid() if hasattr(os, "getuid") else "user"
    others = [_user_cache(), Path(tempfile.gettempdir()) / f"arcloom-{owner}"]
    return [first, *(other for other in others if other != first and _can_write(other) and _is_harmless(other))]


def _can_write(folder: Path) -> bool:
    """Whether files can be created in a folder, or the folder can be created."""
    there = next(part for part in (folder, *folder.absolute().parents) if part.exists())
    return there.is_dir() and os.access(there, os.W_OK | os.X_OK)


def _is_harmless(folder: Path) -> bool:
    try:
        return is_trusted(folder) or not folder.exists()
    except CompileError:
        return False


def is_trusted(folder: Path) -> bool:
    """Whether the folder exists. Raises CompileError if anyone but this user or root can write to it, because code from
    the folder is executed.
    """
    try:
        found = folder.lstat() if folder.parent == Path(tempfile.gettempdir()) else folder.stat()
    except OSError:
        return False
    if not stat.S_ISDIR(found.st_mode):
        raise CompileError(f"{folder} is not a folder: remove it, or set {CACHE_VARIABLE} to another folder")
    if not hasattr(os, "getuid"):
        return True
    if found.st_uid not in (0, os.getuid()):
        raise CompileError(
            f"{folder} belongs to another user, who could change the code in it: set {CACHE_VARIABLE} to another folder"
        )
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise CompileError(
            f"{folder} can be written to by other users, and the code in it is executed: "
            f"run chmod go-w {folder}, or set {CACHE_VARIABLE} to another folder"
        )
    return True


def trusted(name: str) -> list[Path]:
    """The existing, trusted folders of this name in the caches."""
    return [cache / name for cache in cache_folders() if is_trusted(cache) and is_trusted(cache / name)]


def writable(name: str) -> Path:
    """The folder of this name in the first cache that can be written to. New folders are private."""
    cache = next(filter(_can_write, cache_folders()), None)
    if cache is None:
        raise CompileError(
            f"compiled kernels cannot be kept in {cache_folder()}, which is read-only: set {CACHE_VARIABLE} to a folder"
        )
    cache.parent.mkdir(parents=True, exist_ok=True)
    for folder in (cache, cache / name):
        folder.mkdir(mode=0o700, exist_ok=True)
        is_trusted(folder)
    return cache / name


@contextmanager
def lock(folder: Path) -> Iterator[Callable[[], bool]]:
    """A context with a function that tries to lock a folder, and returns whether this process has the lock.

    The operating system releases the lock when the process ends, also after a crash.
    """
    with (folder / "lock").open("a") as file:
        yield partial(_locked, file.fileno())


def _locked(file: int) -> bool:
    if fcntl is None:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks: work may be done twice, but files are replaced atomically
        return True
    return True
