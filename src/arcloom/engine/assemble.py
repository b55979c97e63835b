"""Compiling for CUDA without a device: every kernel to PTX, and to machine code where NVIDIA's assembler is installed.

Most of the time goes to what comes before NVIDIA's compiler, and that is the same for all compute capabilities: it is
done once. As a program, ``python -m arcloom.engine.assemble CC,... NAME ...`` compiles what is named for compute
capabilities such as 6.0,7.5 and prints a JSON object for each function and capability.
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


@dataclass(frozen=True)
class Intermediate:
    """A function as NVIDIA's compiler is given it: modules of its language, and options."""

    modules: list[str]
    options: dict[str, Any]

    def ptx(self, capability: Capability) -> str:
        """The code for a compute capability as a PTX module."""
        options = self.options | {"arch": f"compute_{capability[0]}{capability[1]}"}
        return _text(_nvvm().compile_ir(self.modules, **options))


def intermediate(name: str, capability: Capability) -> Intermediate:
    """What the compiler is given for a function, which is the same for all capabilities that it takes.

    Raises CompilerMissing, or the compiler's own error if it does not take this capability.
    """
    _require_compiler()
    make, signature = _functions()[name]
    from numba import cuda

    with _compiling_for(capability), _handed_over() as given:
        options: dict[str, Any] = {"device": False, "abi": "numba", "output": "ptx", "cc": capability}
        cuda.compile(make().py_func, signature, **options)  # type: ignore[attr-defined]
    ((modules, handed),) = given
    return Intermediate(list(dict.fromkeys(modules)), handed)


@contextmanager
def _handed_over() -> Iterator[list[tuple[list[str], dict[str, Any]]]]:
    """Here NVIDIA's compiler is not called: what it would be given is kept."""
    nvvm = _nvvm()
    original, given = nvvm.compile_ir, list[tuple[list[str], dict[str, Any]]]()

    def keep(modules: Any, **options: Any) -> bytes:
        given.append(([modules] if isinstance(modules, str) else list(modules), options))
        return b""

    nvvm.compile_ir = keep
    try:
        yield given
    finally:
        nvvm.compile_ir = original


def _nvvm() -> Any:
    return import_module("numba.cuda.cudadrv.nvvm")


def _text(code: bytes) -> str:
    return code.decode().strip("\0").strip()


@cache
def _functions() -> dict[str, tuple[Callable[..., Any], Any]]:
    return functions()


def _require_compiler() -> None:
    if find_spec("numba_cuda") is None:
        raise CompilerMissing("numba-cuda is not installed: pip install 'arcloom[cuda]'")
    if not _nvvm().is_available():
        raise CompilerMissing("NVIDIA's compiler (NVVM) is not installed: pip install 'arcloom[cuda]'")


def capabilities_taken(wanted: Sequence[Capability] = CAPABILITIES) -> list[Capability]:
    """Those of the compute capabilities that the compiler takes, the lowest first. Raises CompilerMissing."""
    refused: type[Exception] = import_module("numba.cuda.cudadrv.error").CCSupportError
    taken = []
    for capability in sorted(wanted):
        try:
            intermediate("arrange.fill", capability)
        except refused:
            continue
        taken.append(capability)
    if not taken:
        raise CompilerMissing(f"the compiler takes none of {', '.join(map(_written, wanted))}")
    return taken


def _written(capability: Capability) -> str:
    return ".".join(map(str, capability))


def _parsed(text: str) -> Capability:
    major, minor = map(int, text.split("."))
    return major, minor


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


def assemble(name: str, capabilities: Sequence[Capability]) -> Iterator[Assembled]:
    """Compile one function for each capability, and assemble it if that is possible here."""
    try:
        given = intermediate(name, capabilities[0])
    except CompilerMissing:
        raise
    except Exception as error:  # whatever the compiler has to say about a kernel is a finding
        yield from (_failed(name, capability, error) for capability in capabilities)
        return
    for capability in capabilities:
        try:
            yield _assembled(name, capability, given.ptx(capability))
        except Exception as error:  # so is this
            yield _failed(name, capability, error)


def _failed(name: str, capability: Capability, error: Exception) -> Assembled:
    return Assembled(name, _written(capability), 0, error=f"{type(error).__name__}: {error}")


def _assembled(name: str, capability: Capability, text: str) -> Assembled:
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
    capabilities: Sequence[Capability],
    names: Iterable[str] | None = None,
    told: Callable[[int, int], None] | None = None,
    *,
    cached: bool = False,
) -> dict[str, list[Assembled]]:
    """Compile functions (by default all) on all cores, in processes of their own: by capability, such as "7.5".

    With ``cached``, what was found for the same sources and compilers before is taken as it is. Raises CompilerMissing.
    """
    _require_compiler()
    wanted = list(_functions() if names is None else names)
    written = list(map(_written, capabilities))
    file = target_folder("cuda") / f"assembled-{_tools()}.jsonl"
    known = _read(file) if cached else {}
    cold = [name for name in wanted if any((name, capability) not in known for capability in written)]
    known |= _by_key(_assembled_on_all_cores(written, cold, told))
    _write(file, _read(file) | known)
    return {capability: [known[name, capability] for name in wanted] for capability in written}


def _tools() -> str:
    """What findings depend on, besides the sources, which name the folder: compilers, and how they are written down."""
    installed = {found.name: found.version for found in distributions()}
    compiler = next((installed[name] for name in ("nvidia-nvvm", "nvidia-cuda-nvcc-cu12") if name in installed), "own")
    form = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:8]
    return f"{compiler}-{'ptx' if assembler() is None else 'ptxas'}-{form}"


def _read(file: Path) -> dict[tuple[str, str], Assembled]:
    lines = file.read_text().splitlines() if file.exists() else []
    return _by_key(Assembled(**json.loads(line)) for line in lines)


def _by_key(found: Iterable[Assembled]) -> dict[tuple[str, str], Assembled]:
    return {(one.name, one.capability): one for one in found}


def _write(file: Path, found: dict[tuple[str, str], Assembled]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_suffix(f".{os.getpid()}.tmp")
    partial.write_text("".join(json.dumps(asdict(one)) + "\n" for one in found.values()))
    partial.replace(file)


def _assembled_on_all_cores(
    capabilities: list[str], names: list[str], told: Callable[[int, int], None] | None
) -> list[Assembled]:
    count = max(1, min(os.cpu_count() or 1, len(names)))
    ends = [len(names) * k // count for k in range(count + 1)]
    parts = [names[first:last] for first, last in pairwise(ends) if first < last]  # neighbours share functions
    found: list[Assembled] = []

    def collect(part: list[str]) -> None:
        for one in _assembled_elsewhere(capabilities, part):
            found.append(one)
            if told is not None:
                told(len(found), len(names) * len(capabilities))

    with ThreadPoolExecutor(count) as threads:
        list(threads.map(collect, parts))
    died = {(name, capability) for name in names for capability in capabilities} - _by_key(found).keys()
    return found + [Assembled(*key, bytes=0, error="the compiler died") for key in sorted(died)]


def _assembled_elsewhere(capabilities: list[str], names: list[str]) -> Iterator[Assembled]:
    """Compile in a process of its own: one compiler thread can run at a time in a process."""
    command = [sys.executable, "-m", "arcloom.engine.assemble", ",".join(capabilities), *names]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            yield Assembled(**json.loads(line))


def main(arguments: list[str]) -> None:
    """Compile for some capabilities what is named after them."""
    capabilities = list(map(_parsed, arguments[0].split(",")))
    for name in arguments[1:]:
        for one in assemble(name, capabilities):
            print(json.dumps(asdict(one)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
