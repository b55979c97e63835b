"""Enumeration as a source: every task has its turn, those without a solution first, and answers are right."""

from arcloom import load
from arcloom.search.loop.candidate import Candidate
from arcloom.search.sources.enumeration import Explored, givens
from arcloom.enumerate.operations import operations
from arcloom.search.loop.state import TaskState

EASY = {"67a3c6ac", "68b16354", "74dd1130"}
HARD = {"025d127b", "0e206a2e"}
NAMES = {"hmirror_grid", "vmirror_grid", "dmirror_grid"}
FEW = [operation for operation in operations() if operation.name in NAMES]


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
    source = Explored(FEW)
    candidates = source.ask(states(), 32, 0)
    source.close()
    assert {candidate.task for candidate in candidates} == EASY | HARD
    assert solved_by(candidates) == EASY


def test_tasks_take_turns() -> None:
    source, all_tasks = Explored(FEW, tasks=2), states()
    first, second = ({candidate.task for candidate in source.ask(all_tasks, 32, k)} for k in range(2))
    source.close()
    assert len(first) == len(second) == 2
    assert not first & second


def test_tasks_with_a_solution_wait() -> None:
    source, all_tasks = Explored(FEW, tasks=2), states()
    for state in all_tasks:
        state.solutions = int(state.task.id in EASY)
    assert {candidate.task for candidate in source.ask(all_tasks, 32, 0)} == HARD
    source.close()


def test_nothing_is_explored_when_there_is_no_time() -> None:
    source = Explored(FEW, goes_on=lambda: False)
    assert source.ask(states(), 32, 0) == []
    source.close()


def test_the_colours_of_all_outputs_are_cheaper_than_others() -> None:
    costs = {given.term: given.cost for given in givens(load("arcagi:training")["0ca9ddb6"]) if given.sort == "colour"}
    assert len(set(costs.values())) == 2
