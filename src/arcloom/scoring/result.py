"""Results and settings of scoring."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from arcloom.check import Verdict
from arcloom.dsl.declare import DEFAULT_BUDGET

SOLVED_SHARE, NEAR_SHARE = 0.8, 0.2
"""Shares of the reward: that of solved samples, and that of nearness."""

BEST = 1000


@dataclass(frozen=True)
class Settings:
    """The settings of scoring. Without ``near``, differs do not run, and a wrong output counts 0 in ``Score.near``."""

    device: str = "cpu"
    budget: int = DEFAULT_BUDGET
    outputs: bool = False
    near: bool = True


@dataclass(frozen=True)
class Score:
    """The score of a program on a task.

    ``demonstrations`` and ``tests`` are the numbers of samples whose expected output is known. ``near`` is the mean
    score of their outputs by the differs, from 0 to 1000; a sample without an output counts 0. Unless the verdict is
    "right", ``reason`` is the reason, and ``sample`` and ``line`` are the sample and the line of the text, if known.
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
        """A number from 0 to 1: 0.8 times the share of solved samples, plus 0.2 times ``near`` / 1000.

        It is 1 if and only if the verdict is "right", and 0 for a text that cannot be parsed or typed.
        """
        if self.verdict is Verdict.RIGHT:
            return 1.0
        total = self.demonstrations + self.tests
        solved = self.solved_demonstrations + self.solved_tests
        return SOLVED_SHARE * solved / total + NEAR_SHARE * self.near / BEST if total else 0.0

    def __reduce__(self) -> tuple[Any, ...]:
        return Score, tuple(vars(self).values())


class Scores(Iterator[Score]):
    """An iterator over the results of ``score``, which are computed on demand."""

    def __init__(self, results: Iterator[Score]) -> None:
        self._results = results

    def __next__(self) -> Score:
        return next(self._results)

    def to_pandas(self) -> Any:
        """The remaining results as a pandas DataFrame, with a column for each field and one for the reward."""
        try:
            pandas = import_module("pandas")
        except ImportError:
            raise ImportError("to_pandas needs pandas: pip install pandas") from None
        rows = [{**vars(result), "verdict": str(result.verdict), "reward": result.reward} for result in self]
        return pandas.DataFrame(rows)
