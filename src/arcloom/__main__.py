"""The command ``arcloom``, also as ``python -m arcloom``."""

import time

from arcloom.interrupt import exit_on_interrupt


def main() -> None:
    """Import the command line and run it. The budget of a search counts from here."""
    began = time.monotonic()
    exit_on_interrupt()
    from arcloom import cli

    cli.main(began)


if __name__ == "__main__":
    main()
