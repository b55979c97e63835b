"""Enumeration as a source: it proposes solutions, tries more expressions at each level, and stops at the deadline."""

from dataclasses import replace

import pytest

from arcloom import load
from arcloom.engine.memory import borrowed
from arcloom.enumerate import leaves as enumeration_leaves
from arcloom.enumerate.enumerator import Enumerator, Operation
from arcloom.enumerate.leaves import leaves, problem_of
from arcloom.enumerate.operations import learnt_costs, operations
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
    monkeypatch.setattr(enumeration_leaves, "PRICE", 400)
    source = Enumeration([Operation(program, "grid", 1) for program in parse(ENDLESS)])
    deadline = Deadline(0.3)
    found = list(source.propose(Request([TaskState(RIDDLE)], FIRST, deadline=deadline)))
    assert deadline.passed
    assert found, "programs found until then are proposed"


def test_the_colours_of_all_outputs_are_cheaper_than_others() -> None:
    costs = {
        leaf.term: leaf.cost
        for leaf in leaves(load("arcagi:training")["0ca9ddb6"], learnt_costs())
        if leaf.value_class == "colour"
    }
    assert len(set(costs.values())) == 2


def test_later_levels_use_samples_of_the_operations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enumeration, "TRIES", 20)
    monkeypatch.setattr(enumeration, "SAMPLED", 60)
    source, task = Enumeration(FEW), load("arcagi:training")["67a3c6ac"]
    everything, sampled = (list(source._problems(task, level)) for level in (1, 3))
    assert [(problem.tries, problem.unused) for problem in everything] == [(60, ())]
    assert sum(problem.tries for problem in sampled) == 20 * 3**3
    assert len({tuple(problem.unused) for problem in sampled}) > 1
    assert sampled == list(source._problems(task, 3)), "samples depend on the task and the level only"


def test_unused_operations_are_not_applied() -> None:
    task = load("arcagi:training")["67a3c6ac"]
    enumerator = Enumerator(FEW)
    unused = [k for k, operation in enumerate(FEW) if operation.name == "vmirror_grid"]
    with borrowed() as memory:
        found = enumerator.enumerate(replace(problem_of(task, 100), unused=unused), memory)
    assert found.entries > 1
    assert not any("vmirror_grid" in each.used for each in (*found.solutions, *found.nearest))
