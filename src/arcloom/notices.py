"""Messages to the user on standard error."""

import sys

_said: set[str] = set()


def say_once(text: str) -> None:
    """Print a message, unless this process has printed it before."""
    if text not in _said:
        _said.add(text)
        print(f"arcloom: {text}", file=sys.stderr)
