"""The command line."""

from arcloom.cli import (  # noqa: F401  (they add their commands)
    bench,
    devices,
    differs,
    kaggle,
    library,
    profile,
    solve,
    submission,
)
from arcloom.cli.app import DEFAULT_DEVICE, app

__all__ = ["DEFAULT_DEVICE", "app", "main"]


def main() -> None:
    """The command ``arcloom``."""
    app()
