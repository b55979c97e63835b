"""A digest of everything that compiled code depends on. Code that has another digest is never loaded."""

import hashlib
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import llvmlite
import numba

PACKAGE = Path(__file__).parents[2]
ROOTS = (
    "engine/kernels/*.py",
    "engine/machine/*.py",
    "engine/compile/units.py",
    "enumerate/compiled/*.py",
    "induce/compiled/*.py",
)
"""The modules that are compiled, or that control compilation. The digest includes all modules that they import."""

_IMPORT = re.compile(r"^\s*(?:from\s+(arcloom[\w.]*)\s+import\s+(\([^)]*\)|.*)|import\s+(arcloom[\w.]*))", re.MULTILINE)


def imported_files(text: str, package: Path = PACKAGE) -> Iterator[Path]:
    """The files of the package that a module's import statements name."""
    for module, names, plain in _IMPORT.findall(re.sub("#.*", "", text)):
        found = _file(module or plain, package)
        if found is not None:
            yield found
        for name in re.findall(r"\w+", names):
            submodule = _file(f"{module}.{name}", package)
            if submodule is not None:
                yield submodule


def _file(module: str, package: Path) -> Path | None:
    path = package.joinpath(*module.split(".")[1:])
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


def sources(package: Path = PACKAGE) -> dict[str, bytes]:
    """The contents of the compiled modules and of all modules that they import, by path within the package."""
    found: dict[Path, bytes] = {}
    waiting = [file for root in ROOTS for file in package.glob(root)]
    while waiting:
        file = waiting.pop()
        if file not in found:
            found[file] = file.read_bytes()
            waiting += imported_files(found[file].decode(), package)
    return {file.relative_to(package).as_posix(): found[file] for file in sorted(found)}


@cache
def versions() -> dict[str, str]:
    """The versions of the compilers. Compiled code calls neither NumPy nor Python."""
    python = f"{sys.implementation.name} {sys.version_info.major}.{sys.version_info.minor}"
    return {"Numba": numba.__version__, "llvmlite": llvmlite.__version__, "Python": python}


@cache
def source_digest() -> str:
    """A digest of the sources and versions."""
    parts = [part for item in sources().items() for part in item]
    return digest_of([*parts, *versions().values()])


def digest_of(parts: Iterable[str | bytes]) -> str:
    """A short digest of texts, which also depends on the boundaries between them."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()[:16]
