"""Finding the CUDA devices of this machine, and saying what is missing where there is none."""

from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from arcloom.engine.devices.base import HeapFull
from arcloom.engine.devices.cuda import Cuda
from arcloom.engine.devices.driver import DeviceLost, guarded
from arcloom.engine.run import DeviceError
from arcloom.engine.wave_launchers import SIMULATED

NO_CUDA = "no CUDA device: CPU is used"


@dataclass(frozen=True)
class Gpu:
    """A CUDA device."""

    ordinal: int
    name: str
    capability: tuple[int, int]
    free_bytes: int
    total_bytes: int


@dataclass(frozen=True)
class Found:
    """What there is for CUDA. ``missing`` says what is not there, and what to do about it; None if all is."""

    package: str | None
    driver: str | None
    devices: list[Gpu] = field(default_factory=list)
    missing: str | None = None


@cache
def find_devices() -> Found:
    """Look for the package, the driver and devices, in this order: once, for looking takes memory on each GPU."""
    try:
        package = version("numba-cuda")
    except PackageNotFoundError:
        return Found(None, None, missing="numba-cuda is not installed: pip install 'arcloom[cuda]'")
    if SIMULATED:
        return Found(package, "simulator", missing="CUDA is Numba's simulator here (NUMBA_ENABLE_CUDASIM is set)")
    cuda: Any = import_module("numba.cuda")
    if not cuda.is_available():
        return Found(package, None, missing=_why_not(cuda))
    driver = ".".join(map(str, import_module("numba.cuda.cudadrv.driver").driver.get_version()))
    devices = [found for gpu in cuda.gpus if (found := _described(gpu)) is not None]
    missing = None if devices else "the NVIDIA driver finds no device that answers"
    return Found(package, driver, devices, missing)


def _why_not(cuda: Any) -> str:
    """Why CUDA cannot be used though its package is there."""
    error = cuda.cuda_error()
    if error is not None:
        return f"there is no working NVIDIA driver ({' '.join(str(error).split())}): install one, or use the CPU"
    return "NVIDIA's compiler is not installed: pip install 'arcloom[cuda]'"


def _described(gpu: Any) -> Gpu | None:
    """What a GPU is; None if it does not answer, or lets nobody in."""
    try:
        with guarded(), gpu:
            memory = import_module("numba.cuda").current_context().get_memory_info()
    except (DeviceLost, HeapFull):
        return None
    name = gpu.name.decode() if isinstance(gpu.name, bytes) else str(gpu.name)
    return Gpu(gpu.id, name, tuple(gpu.compute_capability), int(memory.free), int(memory.total))


def ordinals(spec: str) -> list[int] | None:
    """The devices that a specification such as ``cuda:0,2`` names; None if it leaves the choice open."""
    _, named_at, which = spec.partition(":")
    if not named_at:
        return None
    try:
        named = [int(part) for part in which.split(",")]
    except ValueError:
        raise DeviceError(f"{spec!r} names no devices: write cuda, cuda:0 or cuda:0,1,2,3") from None
    if len(set(named)) < len(named) or min(named) < 0:
        raise DeviceError(f"{spec!r} names a device twice, or one that cannot be")
    return named


def named_devices(spec: str) -> list[int]:
    """The numbers of the devices of a specification: ``cuda`` is the first, ``cuda:0,1`` are these.

    Raises DeviceError if one of them is not there.
    """
    named = ordinals(spec)
    found = find_devices()
    if found.missing is not None:
        raise DeviceError(f"--device {spec} cannot be used: {found.missing}")
    wanted = [found.devices[0].ordinal] if named is None else named
    there = [gpu.ordinal for gpu in found.devices]
    absent = [ordinal for ordinal in wanted if ordinal not in there]
    if absent:
        listed = ", ".join(map(str, there))
        raise DeviceError(f"there is no CUDA device {', '.join(map(str, absent))}; there are {listed}")
    return wanted


def open_devices(spec: str) -> list[Cuda]:
    """The devices of a specification, ready to use. Raises DeviceError."""
    return [_opened(ordinal) for ordinal in named_devices(spec)]


_open: dict[int, Cuda] = {}
"""Devices that have been used: their memory is used again."""


def _opened(ordinal: int) -> Cuda:
    try:
        if ordinal not in _open:
            _open[ordinal] = Cuda(ordinal)
    except (DeviceLost, HeapFull) as error:
        raise DeviceError(f"cuda:{ordinal} cannot be used: {error or 'it has no memory left'}") from error
    return _open[ordinal]
