"""Devices that run programs, by name: one module each."""

from collections.abc import Sequence
from importlib import import_module
from itertools import chain
from typing import NamedTuple

from arcloom.engine.devices.base import Device, DeviceError, Statistics


class Kind(NamedTuple):
    """Whether a device needs compiled code, and whether it needs a GPU."""

    compiled: bool
    on_gpu: bool


DEVICES = {
    "auto": Kind(compiled=True, on_gpu=False),
    "reference": Kind(compiled=False, on_gpu=False),
    "cpu": Kind(compiled=True, on_gpu=False),
    "cuda": Kind(compiled=True, on_gpu=True),
}
"""The devices by name, which is also the name of their module. ``cuda:0,1`` is the device cuda with these GPUs."""

DEFAULT_DEVICE = "auto"

_open: dict[str, Device] = {}
_workers: dict[int, Sequence[Statistics]] = {}


def device_of(spec: str) -> Device:
    """The device of a specification such as "cpu" or "cuda:0". It is opened once. Raises DeviceError.

    Modules are imported here when they are needed: all but the reference import the compiler.
    """
    if spec not in _open:
        check_device(spec)
        name, _, which = spec.partition(":")
        _open[spec] = import_module(f"{__name__}.{name}").open_device(which)
    return _open[spec]


def kind_of(spec: str) -> Kind:
    """The kind of the device of a specification."""
    return DEVICES[spec.partition(":")[0]]


def check_device(spec: str, *, here: bool = True) -> None:
    """Raise DeviceError if the device does not exist or cannot be used. With ``here`` false, this machine need not have
    it. Nothing is compiled."""
    name, _, which = spec.partition(":")
    if name not in DEVICES:
        raise DeviceError(f"there is no device {spec!r}; devices are {', '.join(DEVICES)} and cuda:0,1,...")
    module = import_module(f"{__name__}.{name}")
    if here and hasattr(module, "check"):
        module.check(which)


def prepare_device(spec: str) -> None:
    """Compile the code that a device needs in addition to that of the CPU. Raises DeviceError or CompileError."""
    name, _, which = spec.partition(":")
    module = import_module(f"{__name__}.{name}")
    if hasattr(module, "prepare"):
        module.prepare(which)


def used_gpus() -> list[Statistics]:
    """The statistics of the GPUs that this process has used."""
    return [figures for device in _open.values() for figures in device.statistics.values() if figures.launches]


def add_worker(number: int, used: Sequence[Statistics]) -> None:
    """Record the statistics of the GPUs that a worker of a search has used until now."""
    _workers[number] = used


def statistics_lines() -> list[str]:
    """A line with the statistics of each GPU that this process and its workers have used."""
    total: dict[str, Statistics] = {}
    for figures in chain(used_gpus(), *_workers.values()):
        total.setdefault(figures.device, Statistics(figures.device)).add(figures)
    return [total[name].line for name in sorted(total)]
