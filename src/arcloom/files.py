"""Reading files of a limited size, and writing files so that no reader finds half of one."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MAX_FILE = 1 << 29
"""Maximum size of a file that is read as a whole, 512 MB: devices such as /dev/zero have no end."""

READ_AT_ONCE = 1 << 22
"""Bytes that are read at once; Python reserves memory for all of them before it reads."""


def read_whole(path: str | Path) -> bytes:
    """The contents of a file. Raises OSError if it cannot be read, or is larger than MAX_FILE."""
    data = bytearray()
    with Path(path).open("rb") as file:
        while part := file.read(READ_AT_ONCE):
            data += part
            if len(data) > MAX_FILE:
                raise OSError(errno.EFBIG, f"larger than {MAX_FILE >> 20} MB", str(path))
    return bytes(data)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path beside ``path`` to write to. If the context ends without an error, the new file replaces the old one
    in one step; otherwise it is removed.
    """
    partial = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield partial
        partial.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        partial.unlink(missing_ok=True)


def write_atomically(path: Path, data: str | bytes) -> None:
    """Write a file, in UTF-8 if it is text. Readers find the previous file or the whole new one, also after a crash."""
    with replacing(path) as partial, partial.open("wb") as file:
        file.write(data.encode() if isinstance(data, str) else data)
        file.flush()
        os.fsync(file.fileno())
