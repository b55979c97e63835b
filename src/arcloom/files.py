"""Reading files of limited size, and writing files atomically."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MAX_FILE = 1 << 29
"""Maximum size of a file that is read into memory, 512 MB. Devices such as /dev/zero have no end."""

READ_AT_ONCE = 1 << 22
"""Number of bytes per read, for which Python allocates memory in advance."""


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
    """Yields a temporary path in the folder of ``path``. If the context ends without an exception, the new file
    replaces ``path`` atomically; otherwise it is removed.

    A device or a named pipe, such as /dev/null, must not be replaced by a file: then this yields ``path`` itself.
    """
    if path.exists() and not (path.is_file() or path.is_dir()):
        yield path
        return
    partial = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield partial
        partial.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        partial.unlink(missing_ok=True)


def write_atomically(path: Path, data: str | bytes) -> None:
    """Write a file, text as UTF-8. Readers see the previous file or the complete new one, even after a crash."""
    with replacing(path) as partial, partial.open("wb") as file:
        file.write(data.encode() if isinstance(data, str) else data)
        file.flush()
        if partial != path:
            os.fsync(file.fileno())
