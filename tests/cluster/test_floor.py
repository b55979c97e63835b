"""A minimum for the number of tasks that the search solves in a fixed number of generations, independent of time."""

import arcloom

FLOOR = 12
"""Minimum number of solved tasks. It was 13 when this was written: raise it when the search gets better."""


def test_tasks_solved_with_own_programs_hidden() -> None:
    tasks = arcloom.load("arcagi:training")[::20]
    found = arcloom.solve(tasks, generations=3, workers=1, hide_own=True)
    assert len(tasks) == 20
    assert len(found.score.solved) >= FLOOR, found.score.solved
