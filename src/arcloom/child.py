"""Processes that end with the process that started them, even if that one is killed.

``python -m arcloom.child MODULE`` runs a module. The process ends as soon as the other end of its standard input is
closed, whatever it is doing, imports included: the operating system closes it when the other process ends.
"""

import os
import select
import sys
from runpy import run_module
from threading import Thread


def command(module: str) -> list[str]:
    """The command that runs a module of arcloom as a child process; its standard input must be a pipe."""
    return [sys.executable, "-m", "arcloom.child", module]


def end_with(pipe: int) -> None:
    """From now on, this process ends when the other end of a pipe is closed. Nothing is read from the pipe."""
    Thread(target=_wait, args=(pipe,), daemon=True).start()


def _wait(pipe: int) -> None:
    poll = select.poll()
    poll.register(pipe, 0)  # that it was closed is reported without asking for it
    poll.poll()
    os._exit(0)


if __name__ == "__main__":
    end_with(sys.stdin.fileno())
    run_module(sys.argv[1], run_name="__main__", alter_sys=True)
