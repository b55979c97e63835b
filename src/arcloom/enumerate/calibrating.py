"""Made-up tasks on which enumeration is timed: see ``engine.calibration``."""

from arcloom.engine.calibration import made_up_grid
from arcloom.enumerate.explorations import TaskExplorations
from arcloom.enumerate.explorer import Explorer
from arcloom.enumerate.leaves import problem_of
from arcloom.enumerate.operations import operations
from arcloom.tasks.task import Pair, Task

TASKS, PAIRS = 16, 4
"""Number of tasks, and of pairs of each; the last pair is to be solved."""

TRIES = 20_000
"""Number of expressions tried for each task: as many as a search tries first."""


def made_up_explorations() -> TaskExplorations:
    """Explorations of tasks whose outputs have nothing to do with their inputs, so that none ends early."""
    return TaskExplorations(Explorer(operations()), [problem_of(_task(number), TRIES) for number in range(TASKS)])


def _task(number: int) -> Task:
    grids = [made_up_grid(2 * (PAIRS * number + k)) for k in range(PAIRS)]
    answers = [made_up_grid(2 * (PAIRS * number + k) + 1) for k in range(PAIRS)]
    pairs = [Pair(grid, answer) for grid, answer in zip(grids, answers, strict=True)]
    return Task(f"made up {number}", tuple(pairs[:-1]), tuple(pairs[-1:]))
