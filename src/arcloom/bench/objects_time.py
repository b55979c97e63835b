"""The time of the primitive ``objects`` over all inputs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from arcloom.bench.checkout import Checkout, StepProgress
from arcloom.bench.hot_spots import kernel_times
from arcloom.bench.verdicts import PeerComparison, compared
from arcloom.bench.workload import Workload
from arcloom.engine.batt import Batt
from arcloom.program.parse import parse_one
from arcloom.program.term import Program

HEADLINE = "TFT"
"""The most frequent flags: objects of one colour, not connected diagonally, without the background."""

OP = "objects"


@dataclass(frozen=True)
class ObjectsTime:
    """Nanoseconds per cell of our kernel on one thread and of the peer, with the same flags (T and F)."""

    flags: str
    ours: float
    peer: float
    comparison: PeerComparison

    @property
    def ratio(self) -> float:
        """The peer's time divided by ours."""
        return self.peer / self.ours


def objects(work: Workload, checkout: Checkout, *, repeats: int, progress: StepProgress) -> list[ObjectsTime]:
    """The times with all combinations of the three flags; empty if one side does not have the primitive."""
    settings = [*product((True, False), repeat=3)]
    if not checkout.has_objects or Batt.build([_program(settings[0])]).fallback:
        return []
    found = []
    for flags in settings:
        found.append(_timed(work, checkout, flags, repeats))
        progress(len(found), len(settings))
    return found


def _timed(work: Workload, checkout: Checkout, flags: Sequence[bool], repeats: int) -> ObjectsTime:
    grids = [sample["I"] for sample in work.samples]
    cells = sum(len(grid) * len(grid[0]) for grid in grids)
    answers = checkout.objects(grids, flags)
    program = _program(flags)
    results = Batt.build([program]).run(work.samples)
    named = Workload((program,), (), work.samples, work.labels, {})
    comparison = compared(OP, named, results, [(0, s) for s in range(len(grids))], answers)
    seconds = _kernel_seconds(work, flags, repeats)
    theirs = sum(answer.seconds for answer in answers)
    return ObjectsTime(_letters(flags), seconds / cells * 1e9, theirs / cells * 1e9, comparison)


def _kernel_seconds(work: Workload, flags: Sequence[bool], repeats: int) -> float:
    """The best time in the kernel.

    The program returns only the number of objects, because decoding them takes longer.
    """
    batt = Batt.build([_program(flags, "size")])
    best = math.inf
    for _ in range(repeats):
        with kernel_times() as kernels:
            batt.run(work.samples, threads=1)
        best = min(best, sum(time.seconds for name, time in kernels.items() if name.startswith(OP)))
    return best


def _program(flags: Sequence[bool], of: str = "identity") -> Program:
    name = f"{OP}_{_letters(flags)}"
    return parse_one(f"def {name}(I):\n    x = {OP}(I, {', '.join(_letters(flags))})\n    return {of}(x)\n")


def _letters(flags: Sequence[bool]) -> str:
    return "".join("T" if flag else "F" for flag in flags)
