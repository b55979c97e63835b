"""Results and settings of scoring."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from arcloom.check import Verdict
from arcloom.dsl.declare import DEFAULT_BUDGET

SOLVED_SHARE, NEAR_SHARE = 0.8, 0.2
"""Shares of a reward: of the samples that are solved, and of how near the outputs are."""

BEST = 1000


@dataclass(frozen=True)
class Settings:
    """How programs are scored. Without ``near``, the differs do not run, and ``Score.near`` counts solved samples."""

    device: str = "cpu"
    budget: int = DEFAULT_BUDGET
    outputs: bool = False
    near: bool = True


@dataclass(frozen=True)
class Score:
    """The score of a program on a task.

    ``demonstrations`` and ``tests`` count the samples whose output is known. ``near`` is the mean over these of the
    differs' scores, from 0 to 1000; a sample without an output has 0. Unless the verdict is "right", ``reason`` says
    why, ``sample`` where, and ``line`` in which line of the text, if known.
    """

    index: int
    program: str
    task: str
    verdict: Verdict
    solved_demonstrations: int = 0
    demonstrations: int = 0
    solved_tests: int = 0
    tests: int = 0
    near: float = 0.0
    sample: str | None = None
    line: int | None = None
    reason: str = ""
    outputs: tuple[Any, ...] | None = None

    @property
    def reward(self) -> float:
        """A number from 0 to 1: 0.8 times the share of samples that are solved, plus 0.2 times ``near`` / 1000.

        It is 1 just where the verdict is "right", and 0 for a text that is no program or has no types.
        """
        if self.verdict is Verdict.RIGHT:
            return 1.0
        total = self.demonstrations + self.tests
        solved = self.solved_demonstrations + self.solved_tests
        return SOLVED_SHARE * solved / total + NEAR_SHARE * self.near / BEST if total else 0.0

    def __reduce__(self) -> tuple[Any, ...]:
        return Score, tuple(vars(self).values())


class Scores(Iterator[Score]):
    """The results of ``score``, which are computed as they are asked for."""

    def __init__(self, results: Iterator[Score]) -> None:
        self._results = results

    def __next__(self) -> Score:
        return next(self._results)

    def to_pandas(self) -> Any:
        """The results that are left as a table, with a column for each field and one for the reward."""
        try:
            pandas = import_module("pandas")
        except ImportError:
            raise ImportError("to_pandas needs pandas: pip install pandas") from None
        rows = [{**vars(result), "verdict": str(result.verdict), "reward": result.reward} for result in self]
        return pandas.DataFrame(rows)
