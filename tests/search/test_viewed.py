"""Views: programs found for a transformed task become programs for the original task."""

import pytest

from arcloom import load
from arcloom.program.parse import parse_one
from arcloom.program.term import Program
from arcloom.search.loop.source import Request
from arcloom.search.loop.state import TaskState
from arcloom.search.sources.unchanged import Unchanged
from arcloom.search.sources.viewed import BACKGROUND, CONSTRUCTED, RANKED, TRANSPOSED, TaskView, Viewed
from arcloom.tasks.task import Pair, Task

VIEWS = (BACKGROUND, RANKED, TRANSPOSED)
ONE_COLOUR = Task("plain", (Pair(((3, 3),), ((3, 3),)),), (Pair(((3, 3),)),))


def _answers(program: Program, task: Task) -> list[object]:
    return [program.evaluate({"I": pair.input}) for pair in task.samples]


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: str(view.name))
def test_a_program_for_the_transformed_task_solves_the_task(view: TaskView) -> None:
    changed = 0
    for task in list(load("arcagi:training"))[::20]:
        viewed = view.of(task)
        if viewed is None:
            continue
        changed += 1
        same = Program("same", ("I",), view.output(view.given))
        back = Program("back", ("I",), view.output(parse_one("def f(I):\n    return I\n").output))
        assert _answers(back, task) == [pair.input for pair in task.samples], "decoding reverses encoding"
        assert all(pair.output is not None for pair in viewed.samples)
        assert same.reads == {"I"}
    assert changed >= 2


def test_a_view_that_changes_nothing_is_not_used() -> None:
    black = Task("black", (Pair(((0, 0, 1), (0, 0, 0)), ((0, 0, 1), (0, 0, 0))),))
    assert BACKGROUND.of(black) is None


def test_a_task_that_cannot_be_transformed_is_left_out() -> None:
    assert RANKED.of(ONE_COLOUR) is None, "there is no second colour"


def test_test_outputs_stay_unknown() -> None:
    viewed = TRANSPOSED.of(load("arcagi:training")["3c9b0459"].without_answers())
    assert viewed is not None
    assert [pair.output for pair in viewed.test] == [None]


def test_programs_found_in_a_view_solve_the_original_task() -> None:
    """Moving the rows of the transposed task solves a task whose columns move."""
    task = Task("columns", (Pair(((1, 2), (3, 4)), ((2, 1), (4, 3))),), (Pair(((5, 6), (7, 8))),))
    flip = parse_one("def solve_rows(I):\n    return hmirror(I)\n")
    source = Viewed("transposed view", [TRANSPOSED], [Unchanged("library", [flip])], first=3)
    assert [source.is_due(generation) for generation in (2, 3, 4)] == [False, True, False]
    [candidate] = source.propose(Request([TaskState(task)], 3))
    assert candidate.task == task.id
    assert candidate.lineage.root == "solve_rows (transposed)"
    assert _answers(candidate.program, task) == [((2, 1), (4, 3)), ((6, 5), (8, 7))]


ROW = ((1, 2),)
CONSTRUCTIONS = {
    "mirrored both ways": ((1, 2, 2, 1), (1, 2, 2, 1)),
    "repeated both ways": ((1, 2, 1, 2), (1, 2, 1, 2)),
    "mirrored across": ((1, 2, 2, 1),),
    "mirrored down": ((1, 2), (1, 2)),
    "repeated across": ((1, 2, 1, 2),),
    "repeated down": ((1, 2), (1, 2)),
    "enlarged by 2": ((1, 1, 2, 2),) * 2,
    "enlarged by 3": ((1, 1, 1, 2, 2, 2),) * 3,
    "enlarged by 4": ((1, 1, 1, 1, 2, 2, 2, 2),) * 4,
}


@pytest.mark.parametrize("view", CONSTRUCTED, ids=lambda view: str(view.name))
def test_constructions_of_outputs_are_inverted(view: TaskView) -> None:
    task = Task("constructed", (Pair(ROW, CONSTRUCTIONS[view.name]),), (Pair(((3, 4),)),))
    viewed = view.of(task)
    assert viewed is not None
    assert viewed.train == (Pair(ROW, ROW),)
    program = Program("same", ("I",), view.output(parse_one("def f(I):\n    return I\n").output))
    assert program.evaluate({"I": ROW}) == CONSTRUCTIONS[view.name]


def test_outputs_that_are_constructed_otherwise_are_left_out() -> None:
    task = Task("other", (Pair(ROW, ((1, 2, 3, 4, 5),)),), (Pair(ROW),))
    assert not any(view.of(task) for view in CONSTRUCTED)
