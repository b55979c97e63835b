"""The command line."""

import time

_BEGAN = time.monotonic()

from arcloom.cli import (  # noqa: E402, F401  (they add their commands)
    bench,
    check,
    conform,
    devices,
    differs,
    dsl,
    judge,
    kaggle,
    library,
    profile,
    report,
    show,
    solve,
    studio,
    submission,
    trace,
)
from arcloom.cli.app import app  # noqa: E402

__all__ = ["app", "main"]


def main() -> None:
    """The command ``arcloom``."""
    solve.began = _BEGAN
    app()
