"""The command line."""

from arcloom.cli import bench, devices, differs, kaggle, library, profile, solve  # noqa: F401  (they add their commands)
from arcloom.cli.app import app

__all__ = ["app", "main"]


def main() -> None:
    """The command ``arcloom``."""
    app()
