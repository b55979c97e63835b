"""Enumerations for several tasks, on any device: implements ``engine.devices.base.Enumerations``."""

from collections.abc import Mapping, Sequence

from arcloom.engine.devices.gpu import Gpu
from arcloom.engine.memory import borrowed
from arcloom.enumerate.enumerator import EnumerationResult, Enumerator, Problem
from arcloom.enumerate.on_gpu import GpuEnumeration

TRIALS = 1 << 18
"""Maximum number of trials in one launch. A launch for a single task may have more."""

TOGETHER = 64
"""Maximum number of tasks enumerated together on a GPU."""


class TaskEnumerations:
    """Problems, and the enumerator that solves them."""

    def __init__(self, enumerator: Enumerator, problems: Sequence[Problem]) -> None:
        self._enumerator = enumerator
        self._problems = problems

    def groups(self) -> list[list[int]]:
        """The indices of all problems, in groups that fit into the memory of a GPU."""
        count = max(1, min(TOGETHER, TRIALS // max((each.tries for each in self._problems), default=1)))
        numbers = list(range(len(self._problems)))
        return [numbers[k : k + count] for k in range(0, len(numbers), count)]

    def on_cpu(self, task: int) -> EnumerationResult:
        """The result of one problem, computed on the CPU."""
        with borrowed() as memory:
            return self._enumerator.enumerate(self._problems[task], memory)

    def on_gpu(self, gpu: Gpu, tasks: Sequence[int]) -> Mapping[int, EnumerationResult]:
        """The results of problems by index, computed on a GPU. Problems that do not fit into its memory have none."""
        with borrowed() as memory:
            found = GpuEnumeration(gpu, self._enumerator, [self._problems[task] for task in tasks], memory).run()
        return {tasks[k]: each for k, each in found.items()}
