"""Compiling for CUDA without a device: every kernel to PTX, and to machine code where NVIDIA's assembler is installed.

As a program, ``python -m arcloom.engine.assemble CC NAME ...`` compiles what is named for a compute capability such as
7.5 and prints a JSON object for each.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import distributions
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from numba import types

from arcloom.engine import kernels  # noqa: F401  (declares the kernels)
from arcloom.engine.warm import all_kernels
from arcloom.engine.wave_launchers import (
    arrangement_launcher,
    kernel_launcher,
    numbers_of,
    scan_launchers,
    steps_of,
    target_folder,
)
from arcloom.engine.waves.arrange import ARRANGEMENTS

Capability = tuple[int, int]

CAPABILITIES: tuple[Capability, ...] = ((6, 0), (7, 5), (8, 9))
"""A P100, a T4 and an L4. NVIDIA's compilers of CUDA 12 take all of them, those of CUDA 13 begin at 7.5."""

LACKING = {
    "allocation": r"\bmalloc\b|\bNRT_|cudaMalloc",
    "exceptions": r"__assertfail|\btrap;|__cuda_.*raise|printf",
    "functions that are not there": r"\.extern\s+\.func",
}
"""What must not be in the code of a kernel: CUDA has no such thing, or none that is of use in a row function."""

_HEAP = types.Array(types.int64, 1, "C")
_CELLS = types.Array(types.int8, 1, "C")


@dataclass
class Assembled:
    """A function for CUDA, compiled. Registers and the rest are None where there is no assembler, or one that is
    ``unsuited`` to this PTX.
    """

    name: str
    capability: str
    bytes: int
    lacking: list[str] = field(default_factory=list)
    registers: int | None = None
    stack: int | None = None
    spills: int | None = None
    error: str | None = None
    unsuited: bool = False

    @property
    def good(self) -> bool:
        """Whether the function compiles and uses nothing that CUDA lacks."""
        return self.error is None and not self.lacking


class CompilerMissing(RuntimeError):
    """What is needed to compile for CUDA and is not installed."""


def functions() -> dict[str, tuple[Callable[..., Any], Any]]:
    """Everything that is launched on a device, by name, with the types of its arguments."""
    found: dict[str, tuple[Callable[..., Any], Any]] = {}
    for kernel in all_kernels():
        for step in steps_of(kernel):
            found[f"{kernel.name}.{step}"] = (_later(kernel_launcher, kernel, step, "cuda"), numbers_of(kernel, step))
    for name, function in ARRANGEMENTS.items():
        code = getattr(function, "py_func", function).__code__
        found[f"arrange.{name}"] = (_later(arrangement_launcher, name, "cuda"), code.co_argcount - 2)
    found["scan.tiles"] = (lambda: scan_launchers()[0], -3)
    found["scan.add"] = (lambda: scan_launchers()[1], -4)
    return {name: (make, _signature(numbers)) for name, (make, numbers) in found.items()}


def _later(make: Callable[..., Any], *args: Any) -> Callable[[], Any]:
    return lambda: make(*args)


def _signature(numbers: int) -> Any:
    """The types of a launch: heaps, then numbers; a negative number of them if there are no cells."""
    cells = [_CELLS] if numbers > 0 else []
    return types.void(_HEAP, *cells, *[types.int64] * abs(numbers))


def ptx(name: str, capability: Capability) -> str:
    """The code of a function as a PTX module. No device is needed. Raises CompilerMissing."""
    _require_compiler()
    make, signature = _functions()[name]
    from numba import cuda

    with _compiling_for(capability):
        options: dict[str, Any] = {"device": False, "abi": "numba", "output": "ptx", "cc": capability}
        text, _ = cuda.compile(make().py_func, signature, **options)  # type: ignore[attr-defined]
    return str(text)


@cache
def _functions() -> dict[str, tuple[Callable[..., Any], Any]]:
    return functions()


def _require_compiler() -> None:
    if find_spec("numba_cuda") is None:
        raise CompilerMissing("numba-cuda is not installed: pip install 'arcloom[cuda]'")
    nvvm: Any = import_module("numba.cuda.cudadrv.nvvm")
    if not nvvm.is_available():
        raise CompilerMissing("NVIDIA's compiler (NVVM) is not installed: pip install 'arcloom[cuda]'")


def lowest_capability(wanted: Sequence[Capability] = CAPABILITIES) -> Capability:
    """The lowest of the compute capabilities that the compiler takes. Raises CompilerMissing."""
    refused: type[Exception] = import_module("numba.cuda.cudadrv.error").CCSupportError
    for capability in sorted(wanted):
        try:
            ptx("arrange.fill", capability)
        except refused:
            continue
        return capability
    raise CompilerMissing(f"the compiler takes none of {', '.join(map(_written, wanted))}")


def _written(capability: Capability) -> str:
    return ".".join(map(str, capability))


@contextmanager
def _compiling_for(capability: Capability) -> Iterator[None]:
    """Here the compiler, which asks the current device when it comes to row functions, gets this answer."""
    dispatcher: Any = import_module("numba.cuda.dispatcher")
    original = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=capability)
    try:
        yield
    finally:
        dispatcher.get_current_device = original


@cache
def assembler() -> Path | None:
    """NVIDIA's assembler ptxas, if it is installed: that of its package, which goes with the compiler, or another."""
    spec = find_spec("nvidia")
    places = [Path(place) for place in (spec.submodule_search_locations or ()) if spec] if spec else []
    candidates = (binary for place in places for binary in place.glob("*/bin/ptxas"))
    elsewhere = shutil.which("ptxas")
    found = next((binary for binary in candidates if os.access(binary, os.X_OK)), None)
    return found or (Path(elsewhere) if elsewhere else None)


UNSUITED = ("Unsupported .version", "is not defined for option 'gpu-name'")
"""What an assembler says to PTX or to a capability that it is too old or too new for."""


def lacking(text: str) -> list[str]:
    """What a PTX module uses that CUDA lacks."""
    return [what for what, pattern in LACKING.items() if re.search(pattern, text)]


def assemble(name: str, capability: Capability) -> Assembled:
    """Compile one function, and assemble it if that is possible here."""
    try:
        text = ptx(name, capability)
    except CompilerMissing:
        raise
    except Exception as error:  # whatever the compiler has to say about a kernel is a finding
        return Assembled(name, _written(capability), 0, error=f"{type(error).__name__}: {error}")
    found = Assembled(name, _written(capability), len(text), lacking(text))
    binary = assembler()
    if binary is not None:
        _measure(found, text, binary, f"sm_{capability[0]}{capability[1]}")
    return found


def _measure(found: Assembled, text: str, binary: Path, target: str) -> None:
    """Note what the assembler says about a function."""
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(text)
        file.flush()
        command = [str(binary), "--verbose", "--gpu-name", target, "--output-file", os.devnull, file.name]
        ran = subprocess.run(command, capture_output=True, text=True)
    if ran.returncode:
        found.unsuited = any(words in ran.stderr for words in UNSUITED)
        found.error = None if found.unsuited else ran.stderr.strip()
        return
    said = ran.stderr
    found.registers = max(map(int, re.findall(r"Used (\d+) registers", said)), default=0)
    found.stack = max(map(int, re.findall(r"(\d+) bytes stack frame", said)), default=0)
    found.spills = sum(map(int, re.findall(r"(\d+) bytes spill", said)))


def assemble_all(
    capability: Capability,
    names: Iterable[str] | None = None,
    told: Callable[[int, int], None] | None = None,
    *,
    cached: bool = False,
) -> list[Assembled]:
    """Compile functions (by default all) on all cores, in processes of their own. Raises CompilerMissing.

    With ``cached``, what was found for the same sources and compilers before is taken as it is.
    """
    _require_compiler()
    wanted = list(_functions() if names is None else names)
    file = target_folder("cuda") / f"assembled-{_written(capability)}-{_tools()}.jsonl"
    known = _read(file) if cached else {}
    cold = [name for name in wanted if name not in known]
    for one in _assembled_on_all_cores(capability, cold, told):
        known[one.name] = one
    _write(file, _read(file) | known)
    return [known[name] for name in wanted]


def _tools() -> str:
    """What findings depend on, besides the sources, which name the folder: compilers, and how they are written down."""
    installed = {found.name: found.version for found in distributions()}
    compiler = next((installed[name] for name in ("nvidia-nvvm", "nvidia-cuda-nvcc-cu12") if name in installed), "own")
    form = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:8]
    return f"{compiler}-{'ptx' if assembler() is None else 'ptxas'}-{form}"


def _read(file: Path) -> dict[str, Assembled]:
    lines = file.read_text().splitlines() if file.exists() else []
    return {one.name: one for one in (Assembled(**json.loads(line)) for line in lines)}


def _write(file: Path, found: dict[str, Assembled]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_suffix(f".{os.getpid()}.tmp")
    partial.write_text("".join(json.dumps(asdict(one)) + "\n" for one in found.values()))
    partial.replace(file)


def _assembled_on_all_cores(
    capability: Capability, names: list[str], told: Callable[[int, int], None] | None
) -> list[Assembled]:
    count = max(1, min(os.cpu_count() or 1, len(names)))
    ends = [len(names) * k // count for k in range(count + 1)]
    parts = [names[first:last] for first, last in pairwise(ends) if first < last]  # neighbours share functions
    found: list[Assembled] = []

    def collect(part: list[str]) -> None:
        for one in _assembled_elsewhere(capability, part):
            found.append(one)
            if told is not None:
                told(len(found), len(names))

    with ThreadPoolExecutor(count) as threads:
        list(threads.map(collect, parts))
    died = sorted(set(names) - {one.name for one in found})
    return found + [Assembled(name, _written(capability), 0, error="the compiler died") for name in died]


def _assembled_elsewhere(capability: Capability, names: list[str]) -> Iterator[Assembled]:
    """Compile in a process of its own: one compiler thread can run at a time in a process."""
    command = [sys.executable, "-m", "arcloom.engine.assemble", _written(capability), *names]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            yield Assembled(**json.loads(line))


def main(arguments: list[str]) -> None:
    """Compile for a capability what is named after it."""
    major, minor = map(int, arguments[0].split("."))
    for name in arguments[1:]:
        print(json.dumps(asdict(assemble(name, (major, minor)))), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
