"""The entry point of the command ``arcloom`` and of ``python -m arcloom``."""

import atexit
import io
import os
import sys
import time
from contextlib import suppress

from arcloom.interrupt import exit_on_interrupt


def main() -> None:
    """Import the command line and run it. The budget of a search counts from this call."""
    began = time.monotonic()
    exit_on_interrupt()
    _replace_closed_streams()
    _write_anything()
    from arcloom import cli

    try:
        cli.main(began)
    except SystemExit as ended:
        _end(ended.code)
    except OSError as error:  # commands handle such errors, but not those of writing help texts
        with suppress(OSError):
            print(f"arcloom: {error.strerror or error}", file=sys.stderr)
        _end(2)


def _end(code: object) -> None:
    """End the process at once. Python would free all objects one by one, which takes a second after a search."""
    atexit._run_exitfuncs()
    number = code if isinstance(code, int) else int(code is not None)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            number = number or 2
    os._exit(number)


def _replace_closed_streams() -> None:
    """Open the null device for standard streams that were closed when the process began, as with ``>&-``."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: PTH123, SIM115
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115


def _write_anything() -> None:
    """Have the standard streams write a question mark for what their encoding lacks: many terminals use no UTF-8."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


if __name__ == "__main__":
    main()
