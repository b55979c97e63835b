"""The parts that all fuzzers share: the command line, the clock, and the printed counts.

Every case has its own random generator, seeded by the seed of the run and the number of the case, so that a fault can
be reproduced with ``--seed`` and ``--case``.
"""

import argparse
import random
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

Case = Callable[[random.Random, Counter[str]], None]
"""One case: it counts events, and raises an exception if it finds a fault."""

ROOT = Path(__file__).parents[1]

LONGEST = 120
"""Time limit of a case in seconds."""

COMPILING = 900
"""Time limit in seconds of a case that may have to compile kernels, such as the first one."""


class Fault(AssertionError):
    """A behaviour that users must not see, such as a wrong result or a traceback."""


class Overdue(BaseException):
    """A case takes too long. This is no Exception, because arcloom counts those as failures of programs."""


def run(
    case: Case, *, seed: int, seconds: float, only: int | None = None, longest: int = LONGEST
) -> tuple[Counter[str], list[str]]:
    """Run cases for some seconds, at least one. Returns the counts, and a description of each fault."""
    counts: Counter[str] = Counter()
    faults: list[str] = []
    end = time.monotonic() + seconds
    number = 0 if only is None else only
    while True:
        counts["cases"] += 1
        try:
            with _limited(longest if counts["cases"] > 1 else COMPILING):
                case(random.Random(f"{seed}/{number}"), counts)
        except (Exception, Overdue):
            counts["faults"] += 1
            faults.append(f"--seed {seed} --case {number}\n{traceback.format_exc()}")
        number += 1
        if only is not None or time.monotonic() >= end:
            return counts, faults


@contextmanager
def _limited(seconds: int) -> Iterator[None]:
    """Raise Overdue in this context after some seconds."""

    def ring(*_: object) -> None:
        raise Overdue(f"the case did not end within {seconds} seconds")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def main(case: Case, about: str, longest: int = LONGEST) -> None:
    """Run the command line of a fuzzer. A case may take ``longest`` seconds. The exit code is 1 if there are faults."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--minutes", type=float, default=1.0, help="duration (default: 1)")
    parser.add_argument("--seed", type=int, default=0, help="seed of all random choices (default: 0)")
    parser.add_argument("--case", type=int, help="run only this case, to reproduce a fault")
    given = parser.parse_args()
    counts, faults = run(case, seed=given.seed, seconds=60 * given.minutes, only=given.case, longest=longest)
    for fault in faults:
        print(f"FAULT: {fault}")
    print(", ".join(f"{count:,} {name}" for name, count in counts.items()))
    sys.exit(1 if faults else 0)
