"""Python's garbage collector, paused where many objects are made that all stay."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

Raised = TypeVar("Raised", bound=BaseException)


@contextmanager
def paused() -> Iterator[None]:
    """Within this context the collector does not look for cycles: with many new objects that costs more than making
    them, and there are none."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def let_go(error: Raised) -> Raised:
    """An error that is kept, without the frames in which it came about: they hold all that was known there, and often
    the error itself, until the collector finds such cycles."""
    error.__context__ = error.__cause__ = None
    return error.with_traceback(None)
