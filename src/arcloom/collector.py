"""Controlling Python's garbage collector, for speed."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

Raised = TypeVar("Raised", bound=BaseException)


@contextmanager
def paused() -> Iterator[None]:
    """A context in which the collector does not search for cycles. While many objects without cycles are created, the
    search would cost more than creating them."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def without_traceback(error: Raised) -> Raised:
    """An error without its traceback, for storing it: the frames of a traceback keep all their local variables alive,
    often including the error itself, until the collector finds the cycle."""
    error.__context__ = error.__cause__ = None
    return error.with_traceback(None)
