"""Rules that are applied repeatedly: they are learnt from outputs and written as a loop."""

from arcloom.search.loop.source import Request
from arcloom.search.loop.state import TaskState
from arcloom.search.sources.iteration import FIRST, Iteration
from arcloom.tasks.task import Grid, Pair, Task

SIDE = 7


def _grid(cells: dict[tuple[int, int], int]) -> Grid:
    return tuple(tuple(cells.get((row, column), 0) for column in range(SIDE)) for row in range(SIDE))


def _dashed(*starts: tuple[int, int]) -> Pair:
    """From each start, every second cell to the right is filled."""
    cells = {(row, k): 3 for row, column in starts for k in range(column, SIDE, 2)}
    return Pair(_grid(dict.fromkeys(starts, 3)), _grid(cells))


LINES = Task("lines", tuple(map(_dashed, [(0, 0), (2, 1), (5, 3), (6, 2)])), (_dashed((3, 0), (4, 1)),))


def test_a_dashed_line_is_learnt_as_a_rule_that_is_repeated() -> None:
    source = Iteration()
    assert source.is_due(FIRST)
    candidates = list(source.propose(Request([TaskState(LINES)], FIRST)))
    right = [c for c in candidates if all(c.program.evaluate({"I": p.input}) == p.output for p in LINES.samples)]
    assert right
    assert all("power" in str(c.program.output) for c in right)


def test_tasks_with_other_output_shapes_are_left_out() -> None:
    task = Task("crop", (Pair(((1, 2), (3, 4)), ((1, 2),)),))
    assert not task.keeps_shapes
    assert list(Iteration().propose(Request([TaskState(task)], FIRST))) == []
