"""The compiled functions of this process, loaded on first use from the cache or from the wheel."""

import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from llvmlite import binding as llvm

from arcloom.engine.compile import objects
from arcloom.engine.compile.folders import PACKED, trusted
from arcloom.engine.compile.objects import SUFFIX, ObjectFile
from arcloom.engine.compile.target import PREFIX, host, portable_here


class Library:
    """Compiled functions by name."""

    def __init__(self) -> None:
        self._read: set[Path] = set()
        self._found: dict[str, ObjectFile] = {}
        self._engines: dict[ObjectFile, Any] = {}
        self._addresses: dict[str, int] = {}
        self._lock = threading.RLock()

    def missing(self, names: Iterable[str]) -> list[str]:
        """The functions that are not compiled. Folders are read only if some are not known yet."""
        with self._lock:
            absent = [name for name in names if name not in self._found]
            if absent:
                self._look()
            return [name for name in absent if name not in self._found]

    def _look(self) -> None:
        """Read all files that are new since the last call. Code for this exact processor is preferred."""
        for folder in folders():
            for path in sorted(set(folder.glob(f"*{SUFFIX}")) - self._read):
                found = objects.read(path)
                if found is not None:  # otherwise it is damaged and will be replaced
                    self._read.add(path)
                    self._found = dict.fromkeys(found.names, found) | self._found

    def address(self, name: str) -> int:
        """The address of a compiled function."""
        known = self._addresses.get(name)
        return self._load(name) if known is None else known

    def _load(self, name: str) -> int:
        with self._lock:
            found = self._found[name]
            if found not in self._engines:
                self._engines[found] = _loaded(found)
            address = self._addresses[name] = int(self._engines[found].get_function_address(PREFIX + name))
            return address


def folders() -> Iterator[Path]:
    """The folders that may have compiled code for this processor, in order of preference."""
    yield from trusted(host().folder)
    yield from (PACKED / target.folder for target in portable_here())


def _loaded(found: ObjectFile) -> Any:
    """LLVM's JIT linker with the object file loaded."""
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), host().machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(found.code))
    engine.finalize_object()
    return engine


LIBRARY = Library()
