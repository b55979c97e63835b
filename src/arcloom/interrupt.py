"""Handling of Ctrl-C while a command is imported and after it is done: the process ends at once.

Python's own handler raises KeyboardInterrupt at any place, for example during an import, and prints a traceback.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130
"""The exit code of a command that was stopped with Ctrl-C: 128 + SIGINT, as in shells."""


def exit_on_interrupt() -> None:
    """From now on, Ctrl-C ends the process without a message."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # shells make background jobs ignore it
        signal.signal(signal.SIGINT, _exit)


def _exit(number: int, frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)


@contextmanager
def interruptible() -> Iterator[None]:
    """In this context, Ctrl-C raises KeyboardInterrupt."""
    if signal.getsignal(signal.SIGINT) is not _exit:
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, _exit)
