"""Files of machine code: several functions in one object file, with a checksum.

The functions of a file that is truncated, changed, or in the wrong folder count as missing.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arcloom.files import write_atomically

SUFFIX = ".kernels"
_CHECKSUM = hashlib.sha256().digest_size


@dataclass(frozen=True, eq=False)
class ObjectFile:
    """The names of functions, and the object file that contains them."""

    names: tuple[str, ...]
    code: bytes


def write(folder: Path, names: Sequence[str], code: bytes) -> Path:
    """Write a file of functions to a folder, whose name identifies the sources and the processor."""
    header = json.dumps({"for": folder.name, "names": list(names)}).encode()
    data = header + b"\n" + code
    path = folder / f"{hashlib.sha256(header).hexdigest()[:16]}{SUFFIX}"
    write_atomically(path, data + hashlib.sha256(data).digest())
    return path


def read(path: Path) -> ObjectFile | None:
    """The functions of a file; None if the file is damaged or belongs to another folder."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    body, checksum = data[:-_CHECKSUM], data[-_CHECKSUM:]
    if hashlib.sha256(body).digest() != checksum:
        return None
    header, _, code = body.partition(b"\n")
    told = json.loads(header)
    return ObjectFile(tuple(told["names"]), code) if told["for"] == path.parent.name else None
