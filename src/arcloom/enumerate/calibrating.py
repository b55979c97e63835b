"""Made-up tasks on which enumeration is timed: see ``engine.calibration``."""

from arcloom.engine.calibration import made_up_grid
from arcloom.enumerate.enumerations import TaskEnumerations
from arcloom.enumerate.enumerator import Enumerator
from arcloom.enumerate.leaves import problem_of
from arcloom.enumerate.operations import operations
from arcloom.tasks.task import Pair, Task

TASKS, PAIRS = 16, 4
"""Number of tasks, and number of pairs per task. The last pair is the test."""

TRIES = 20_000
"""Number of expressions tried per task: the same as in the first enumeration of a search."""


def made_up_enumerations() -> TaskEnumerations:
    """Enumerations for random tasks. They have no solution, so that every enumeration uses all its tries."""
    return TaskEnumerations(Enumerator(operations()), [problem_of(_task(number), TRIES) for number in range(TASKS)])


def _task(number: int) -> Task:
    grids = [made_up_grid(2 * (PAIRS * number + k)) for k in range(PAIRS)]
    answers = [made_up_grid(2 * (PAIRS * number + k) + 1) for k in range(PAIRS)]
    pairs = [Pair(grid, answer) for grid, answer in zip(grids, answers, strict=True)]
    return Task(f"made up {number}", tuple(pairs[:-1]), tuple(pairs[-1:]))
