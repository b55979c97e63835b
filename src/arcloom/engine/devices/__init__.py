"""Devices that run programs, by name: one module each."""

from importlib import import_module
from typing import NamedTuple

from arcloom.engine.devices.base import Device, DeviceError


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


def statistics_lines() -> list[str]:
    """A line with the statistics of each GPU that was used."""
    return [figures.line for device in _open.values() for figures in device.statistics.values() if figures.launches]
