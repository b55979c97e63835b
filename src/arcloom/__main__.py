"""``python -m arcloom``: the command, where its script is not on the path."""

from arcloom.cli import main

main()
