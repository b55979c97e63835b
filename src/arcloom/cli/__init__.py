"""The command line."""

import time

_BEGAN = time.monotonic()

from arcloom.cli import bench, devices, differs, kaggle, library, profile, solve  # noqa: E402, F401  (they add commands)
from arcloom.cli.app import app  # noqa: E402

__all__ = ["app", "main"]


def main() -> None:
    """The command ``arcloom``."""
    solve.began = _BEGAN
    app()
