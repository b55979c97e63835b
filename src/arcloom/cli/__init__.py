"""The command line."""

from arcloom.cli import bench  # noqa: F401  (adds its commands)
from arcloom.cli.app import DEFAULT_DEVICE, app

__all__ = ["DEFAULT_DEVICE", "app", "main"]


def main() -> None:
    """The command ``arcloom``."""
    app()
