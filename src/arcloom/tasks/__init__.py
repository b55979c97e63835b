"""ARC tasks, and loading them from datasets. ``arcloom.tasks.draw`` draws them."""

from arcloom.tasks.load import load
from arcloom.tasks.task import DataError, Dataset, Pair, Task

__all__ = ["DataError", "Dataset", "Pair", "Task", "load"]
