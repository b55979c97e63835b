"""ARC tasks: what they are, and where they come from. To draw them see ``arcloom.tasks.draw``."""

from arcloom.tasks.load import load
from arcloom.tasks.task import DataError, Dataset, Pair, Task

__all__ = ["DataError", "Dataset", "Pair", "Task", "load"]
