"""The peer of the benchmark: runs and times an unchanged arc-dsl checkout. It imports nothing of arcloom.

It is started as ``python -I peer.py FOLDER``, reads requests from standard input and writes answers to standard output,
each a marshalled value. Answers are ("progress", done), ("result", ...) or ("error", text).
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

RawOutcome = tuple[str, Any]
"""("value", marshalled bytes), ("error", text), ("limit", ""), or ("strange", text) for a value that cannot be
marshalled."""

STEP = 50
"""Number of runs between two reports of progress."""

LONGEST = 200
"""Maximum number of characters of an error text."""


class OverLimit(BaseException):
    """Raised when a run reaches its time limit."""


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise OverLimit


def timed(function: Callable[..., Any], args: Sequence[Any], limit: float) -> tuple[float, RawOutcome]:
    """The seconds of a call, at most the limit, and its outcome."""
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


def _plain(value: Any) -> RawOutcome:
    try:
        return "value", marshal.dumps(value)
    except ValueError:
        return "strange", repr(value)[:LONGEST]


def reads(function: Callable[..., Any]) -> list[str]:
    """The inputs that a solver takes. A solver with other parameter names takes the grid."""
    names = list(inspect.signature(function).parameters)
    return names if set(names) <= {"I", "S", "C"} else ["I"]


class Peer:
    """The modules of the checkout, and the function that sends answers."""

    def __init__(self, dsl: ModuleType, solvers: ModuleType, send: Callable[[Any], None]) -> None:
        self.dsl = dsl
        self.solvers = solvers
        self.send = send

    def offer(self) -> tuple[list[str], bool]:
        """The names of the solvers, and whether the checkout has the primitive ``objects``."""
        return [name for name, value in vars(self.solvers).items() if callable(value)], hasattr(self.dsl, "objects")

    def solve(
        self, samples: Sequence[Mapping[str, Any]], runs: Sequence[tuple[str, int]], limit: float
    ) -> list[tuple[float, RawOutcome]]:
        """The seconds and outcomes of runs. A run is a solver's name and the position of a sample."""
        functions = {name: getattr(self.solvers, name) for name, _ in runs}
        parameters = {name: reads(function) for name, function in functions.items()}
        found = []
        for done, (name, s) in enumerate(runs):
            found.append(timed(functions[name], [samples[s][key] for key in parameters[name]], limit))
            if done % STEP == 0:
                self.send(("progress", done))
        return found

    def objects(self, grids: Sequence[Any], flags: Sequence[bool], limit: float) -> list[tuple[float, RawOutcome]]:
        """The objects of each grid."""
        return [timed(self.dsl.objects, [grid, *flags], limit) for grid in grids]


def main(folder: str) -> None:
    """Answer requests until standard input ends."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output of the checkout must not get between the answers

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
