"""Evidence: what a device did in a run. Everything in it was counted or measured there, nothing is estimated."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Evidence:
    """What one device did. ``clock`` says what its times are of: only "CUDA events" are a GPU's."""

    device: str
    clock: str
    kernels: int = 0
    rows: int = 0
    bytes_to_device: int = 0
    bytes_from_device: int = 0
    transfers: int = 0
    seconds_in_kernels: float = 0.0
    seconds_waiting: float = 0.0
    peak_bytes: int = 0
    utilisation: float | None = None
    """The share of samples in which the GPU was busy, in percent; None where nothing could be asked."""
    launches: Counter[str] = field(default_factory=Counter)
    """How often each kernel was launched."""

    def launched(self, name: str, rows: int) -> None:
        """Note a launch."""
        self.kernels += 1
        self.rows += rows
        self.launches[name] += 1

    def moved(self, *, there: int = 0, back: int = 0) -> None:
        """Note a transfer to the device or back."""
        self.transfers += 1
        self.bytes_to_device += there
        self.bytes_from_device += back

    def as_json(self) -> dict[str, Any]:
        """All figures; times are rounded to microseconds."""
        return {
            "device": self.device,
            "clock": self.clock,
            "kernels": self.kernels,
            "rows": self.rows,
            "bytes_to_device": self.bytes_to_device,
            "bytes_from_device": self.bytes_from_device,
            "transfers": self.transfers,
            "seconds_in_kernels": round(self.seconds_in_kernels, 6),
            "seconds_waiting": round(self.seconds_waiting, 6),
            "peak_bytes": self.peak_bytes,
            "utilisation": self.utilisation,
            "launches": dict(self.launches.most_common()),
        }

    def __str__(self) -> str:
        busy = "" if self.utilisation is None else f", {self.utilisation:.0f}% busy"
        return (
            f"{self.device}: {self.kernels:,} launches over {self.rows:,} rows,"
            f" {self.seconds_in_kernels:.3f} s in kernels and {self.seconds_waiting:.3f} s waiting ({self.clock}),"
            f" {self.bytes_to_device:,} bytes there and"
            f" {self.bytes_from_device:,} back in {self.transfers:,} transfers, peak {self.peak_bytes:,} bytes{busy}"
        )


PERIOD = 0.05
"""Seconds between two looks at how busy a GPU is."""


@contextmanager
def watched(evidence: Evidence, uuid: str | None) -> Iterator[None]:
    """While this lasts, ask NVIDIA's management library how busy the GPU is; without it, utilisation stays unknown."""
    handle = _handle(uuid)
    if handle is None:
        yield
        return
    done = threading.Event()
    seen: list[float] = []
    watcher = threading.Thread(target=_watch, args=(handle, seen, done), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
        if seen:
            evidence.utilisation = sum(seen) / len(seen)


def _handle(uuid: str | None) -> Any:
    """The management library's name for a GPU, or None where there is no GPU or no such library."""
    if uuid is None:
        return None
    try:
        import pynvml

        pynvml.nvmlInit()
        return pynvml.nvmlDeviceGetHandleByUUID(uuid.encode())
    except Exception:  # not installed, or no driver: figures are left out, the run goes on
        return None


def _watch(handle: Any, seen: list[float], done: threading.Event) -> None:
    import pynvml

    while not done.wait(PERIOD):
        try:
            seen.append(float(pynvml.nvmlDeviceGetUtilizationRates(handle).gpu))
        except pynvml.NVMLError:
            return
