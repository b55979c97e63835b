"""Enumeration as a source: programs that fit are proposed, with more tries each time, and only before the deadline."""

import pytest

from arcloom import load
from arcloom.enumerate.explorer import Operation
from arcloom.enumerate.givens import givens
from arcloom.enumerate.operations import operations
from arcloom.program.parse import parse
from arcloom.search.loop.candidate import Candidate
from arcloom.search.loop.source import Request
from arcloom.search.loop.state import TaskState
from arcloom.search.sources import enumeration
from arcloom.search.sources.enumeration import EVERY, FIRST, LEVELS, Enumeration, level_of
from arcloom.stopwatch import Deadline
from search.small import RIDDLE

EASY = {"67a3c6ac", "68b16354", "74dd1130"}
HARD = {"025d127b", "0e206a2e"}
NAMES = {"hmirror_grid", "vmirror_grid", "dmirror_grid"}
FEW = [operation for operation in operations() if operation.name in NAMES]
ENDLESS = """
def beside(g, h):
    return hconcat(g, h)


def recoloured(g, c, d):
    return replace(g, c, d)
"""


def states() -> list[TaskState]:
    training = load("arcagi:training")
    return [TaskState(training[id]) for id in sorted(EASY | HARD)]


def solved_by(candidates: list[Candidate]) -> set[str]:
    training = load("arcagi:training")
    return {
        c.task
        for c in candidates
        if all(c.program.evaluate({"I": p.input}) == p.output for p in training[c.task].samples)
    }


def test_programs_that_solve_are_proposed() -> None:
    candidates = list(Enumeration(FEW).propose(Request(states(), FIRST)))
    assert {candidate.task for candidate in candidates} == EASY | HARD
    assert solved_by(candidates) == EASY


def test_levels_follow_one_another_and_end() -> None:
    source = Enumeration(FEW)
    due = [generation for generation in range(100) if source.is_due(generation)]
    assert due == [FIRST + EVERY * level for level in range(LEVELS)]
    assert list(map(level_of, due)) == list(range(LEVELS))


def test_nothing_is_enumerated_after_the_deadline() -> None:
    assert list(Enumeration(FEW).propose(Request(states(), FIRST, deadline=Deadline(0)))) == []


def test_a_long_enumeration_ends_at_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enumeration, "TRIES", 1_000_000_000)
    source = Enumeration([Operation(program, "grid", 1) for program in parse(ENDLESS)])
    deadline = Deadline(0.3)
    found = list(source.propose(Request([TaskState(RIDDLE)], FIRST, deadline=deadline)))
    assert deadline.passed
    assert found, "programs found until then are proposed"


def test_the_colours_of_all_outputs_are_cheaper_than_others() -> None:
    costs = {given.term: given.cost for given in givens(load("arcagi:training")["0ca9ddb6"]) if given.sort == "colour"}
    assert len(set(costs.values())) == 2
