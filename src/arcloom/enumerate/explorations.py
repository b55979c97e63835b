"""Tasks to explore, on whatever device: see ``engine.devices.base.Explorations``."""

from collections.abc import Mapping, Sequence

from arcloom.engine.devices.gpu import Gpu
from arcloom.engine.memory import borrowed
from arcloom.enumerate.explorer import Exploration, Explorer, Problem
from arcloom.enumerate.on_gpu import GpuExploration

TRIALS = 1 << 18
"""Maximum number of trials of one launch, as long as it has more than one task."""

TOGETHER = 64
"""Maximum number of tasks that are explored together on a GPU."""


class TaskExplorations:
    """Problems for an explorer."""

    def __init__(self, explorer: Explorer, problems: Sequence[Problem]) -> None:
        self._explorer = explorer
        self._problems = problems

    def groups(self) -> list[list[int]]:
        """The numbers of all problems, in groups that a GPU has memory for."""
        count = max(1, min(TOGETHER, TRIALS // max((each.tries for each in self._problems), default=1)))
        numbers = list(range(len(self._problems)))
        return [numbers[k : k + count] for k in range(0, len(numbers), count)]

    def on_cpu(self, task: int) -> Exploration:
        """Explore a problem on the CPU."""
        with borrowed() as memory:
            return self._explorer.explore(self._problems[task], memory)

    def on_gpu(self, gpu: Gpu, tasks: Sequence[int]) -> Mapping[int, Exploration]:
        """Explore problems on a GPU; those without a result are left to the CPU."""
        with borrowed() as memory:
            found = GpuExploration(gpu, self._explorer, [self._problems[task] for task in tasks], memory).run()
        return {tasks[k]: each for k, each in found.items()}
