"""The other side of the benchmark: an arc-dsl checkout, run as it is and timed. Nothing of arcloom is imported here.

Started as ``python -I peer.py FOLDER``. Requests come on standard input and answers go to standard output, one
marshalled value each. Answers are ("progress", done), ("result", ...) or ("error", text).
"""

import importlib
import inspect
import marshal
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from types import FrameType, ModuleType
from typing import Any

Outcome = tuple[str, Any]
"""("value", marshalled bytes), ("error", text), ("limit", ""), or ("strange", text) for a value that is no plain
data."""

STEP = 50
"""Number of runs after which progress is reported."""

LONGEST = 200
"""Longer error texts are cut."""


class OverLimit(BaseException):
    """A run that took too long."""


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise OverLimit


def timed(function: Callable[..., Any], args: Sequence[Any], limit: float) -> tuple[float, Outcome]:
    """The seconds that a call took, at most the limit, and what came of it."""
    try:
        signal.setitimer(signal.ITIMER_REAL, limit)
        start = time.perf_counter()
        try:
            value, error = function(*args), None
        except Exception as raised:
            value, error = None, raised
        seconds = time.perf_counter() - start
        signal.setitimer(signal.ITIMER_REAL, 0)
    except OverLimit:
        return limit, ("limit", "")
    if seconds >= limit:
        return limit, ("limit", "")
    return seconds, _plain(value) if error is None else ("error", f"{type(error).__name__}: {error}"[:LONGEST])


def _plain(value: Any) -> Outcome:
    try:
        return "value", marshal.dumps(value)
    except ValueError:
        return "strange", repr(value)[:LONGEST]


def reads(function: Callable[..., Any]) -> list[str]:
    """The inputs that a solver takes; one that names none of ours takes the grid."""
    names = list(inspect.signature(function).parameters)
    return names if set(names) <= {"I", "S", "C"} else ["I"]


class Peer:
    """The checkout's modules, and where to send answers."""

    def __init__(self, dsl: ModuleType, solvers: ModuleType, send: Callable[[Any], None]) -> None:
        self.dsl = dsl
        self.solvers = solvers
        self.send = send

    def offer(self) -> tuple[list[str], bool]:
        """The functions that there are to run, and whether there is one for objects."""
        return [name for name, value in vars(self.solvers).items() if callable(value)], hasattr(self.dsl, "objects")

    def solve(
        self, samples: Sequence[Mapping[str, Any]], runs: Sequence[tuple[str, int]], limit: float
    ) -> list[tuple[float, Outcome]]:
        """Each run is a solver's name and the position of a sample."""
        functions = {name: getattr(self.solvers, name) for name, _ in runs}
        parameters = {name: reads(function) for name, function in functions.items()}
        found = []
        for done, (name, s) in enumerate(runs):
            found.append(timed(functions[name], [samples[s][key] for key in parameters[name]], limit))
            if done % STEP == 0:
                self.send(("progress", done))
        return found

    def objects(self, grids: Sequence[Any], flags: Sequence[bool], limit: float) -> list[tuple[float, Outcome]]:
        """The objects of each grid."""
        return [timed(self.dsl.objects, [grid, *flags], limit) for grid in grids]


def main(folder: str) -> None:
    """Serve requests until there are no more."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the peer prints is no answer

    def send(answer: Any) -> None:
        marshal.dump(answer, answers)
        answers.flush()

    signal.signal(signal.SIGALRM, _stop)
    sys.path.insert(0, folder)
    try:
        peer = Peer(importlib.import_module("dsl"), importlib.import_module("solvers"), send)
    except Exception as error:
        send(("error", f"{type(error).__name__}: {error}"))
        return
    send(("result", peer.offer()))
    while True:
        try:
            method, args = marshal.load(sys.stdin.buffer)
        except EOFError:
            return
        send(("result", getattr(peer, method)(*args)))


if __name__ == "__main__":
    main(sys.argv[1])
