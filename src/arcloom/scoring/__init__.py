"""Scoring of untrusted programs on tasks: one result for each pair of a program and a task.

No program can cause an exception here, and no program text is executed as Python.
"""

from arcloom.scoring.result import Score, Scores, Settings
from arcloom.scoring.stream import BATCH, score

__all__ = ["BATCH", "Score", "Scores", "Settings", "score"]
