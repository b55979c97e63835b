"""Reports on compilation. This module imports no compiler, so a caller can ask for reports before one is needed."""

from collections.abc import Callable

Report = Callable[[int, int], None]
"""Called with the number of kernels compiled so far and the number of kernels to compile."""

_receiver: Report | None = None


def report_to(receiver: Report | None) -> None:
    """Call this function while kernels are compiled; None ends the reports."""
    global _receiver
    _receiver = receiver


def report(done: int, total: int) -> None:
    """Tell the receiver, if there is one, how far compilation is."""
    if _receiver is not None:
        _receiver(done, total)
