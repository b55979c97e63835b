"""Scoring programs that nobody has looked at: programs and tasks in, one result for each pair of them out.

Nothing that a program contains or does raises an exception here, and no text is executed.
"""

from arcloom.scoring.result import Score, Scores, Settings
from arcloom.scoring.stream import BATCH, score

__all__ = ["BATCH", "Score", "Scores", "Settings", "score"]
