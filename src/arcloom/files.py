"""Writing files so that no reader finds half of one."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path beside ``path`` to write to. If the context ends without an error, the new file replaces the old one
    in one step; otherwise it is removed.
    """
    partial = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def write_atomically(path: Path, data: str | bytes) -> None:
    """Write a file, in UTF-8 if it is text. Readers find the previous file or the whole new one, also after a crash."""
    with replacing(path) as partial, partial.open("wb") as file:
        file.write(data.encode() if isinstance(data, str) else data)
        file.flush()
        os.fsync(file.fileno())
