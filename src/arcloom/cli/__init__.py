"""The command line."""

from arcloom.cli import (  # noqa: F401  (these modules register commands)
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
from arcloom.cli.app import app

__all__ = ["app", "main"]


def main(began: float | None = None) -> None:
    """Run the command in ``sys.argv``. ``began`` is the value of ``time.monotonic`` at the start of the process."""
    solve.began = began
    app()
