"""Enumeration as a source: it ends when the time does."""

import pytest

from arcloom.engine.explorer import Operation
from arcloom.program.parse import parse
from arcloom.search import explored
from arcloom.search.sources.enumeration import Explored
from arcloom.search.loop.state import TaskState
from search.small import RIDDLE

OPERATIONS = """
def beside(g, h):
    return hconcat(g, h)


def recoloured(g, c, d):
    return replace(g, c, d)
"""


def test_exploring_ends_when_the_time_does(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []

    def goes_on() -> bool:
        asked.append(len(asked) < 3)  # there is time when the task is begun, and soon there is none
        return asked[-1]

    monkeypatch.setattr(explored, "TRIES", 1_000_000_000)
    monkeypatch.setattr(explored, "PRICE", 60)
    operations = [Operation(program, "grid", 1) for program in parse(OPERATIONS)]
    source = Explored(operations, goes_on=goes_on)
    assert source.ask([TaskState(RIDDLE)], 32, 0), "what was found until then is proposed"
    assert asked[0] and not asked[-1]
    assert source.ask([TaskState(RIDDLE)], 32, 1) == []
