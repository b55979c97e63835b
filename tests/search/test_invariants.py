"""Invariants of the demonstrations."""

from arcloom.search.loop.invariants import NAMES, Invariants
from arcloom.search.loop.vote import learnt_weights
from arcloom.tasks.packed import pack
from arcloom.tasks.task import Grid, Pair, Task

RECOLOURING = Task(
    "recolouring",
    (Pair(((1, 0), (0, 0)), ((2, 0), (0, 0))), Pair(((0, 0, 1),), ((0, 0, 2),))),
    (Pair(((0, 1, 0), (0, 0, 1), (0, 0, 0))),),
)


def violated(task: Task, answer: Grid) -> tuple[str, ...]:
    packed = pack(answer)
    assert packed is not None
    return Invariants(task).violated(0, packed)


def test_the_right_answer_violates_nothing() -> None:
    assert violated(RECOLOURING, ((0, 2, 0), (0, 0, 2), (0, 0, 0))) == ()


def test_an_answer_of_another_shape_or_without_changes_is_noticed() -> None:
    assert "ratio" in violated(RECOLOURING, ((0, 2, 0), (0, 0, 2)))
    assert "changes" in violated(RECOLOURING, RECOLOURING.test[0].input)


def test_colours_and_transitions_of_no_demonstration_are_noticed() -> None:
    found = violated(RECOLOURING, ((3, 2, 0), (0, 0, 2), (0, 0, 0)))
    assert {"transitions", "result colours", "known colours", "palette"} <= {*found}
    assert violated(RECOLOURING, ((2, 2, 0), (0, 0, 2), (0, 0, 0))) == ("count", "transitions", "changed colours")


def test_symmetry_that_all_outputs_have_is_expected() -> None:
    pairs = tuple(Pair(((n, 0),), ((n, 0, n),)) for n in (1, 2))
    task = Task("mirror", pairs, (Pair(((3, 0),)),))
    assert violated(task, ((3, 0, 3),)) == ()
    assert "left and right" in violated(task, ((3, 0, 0),))


def test_learnt_factors_belong_to_invariants() -> None:
    factors = learnt_weights().invariants
    assert {*factors} <= {*NAMES}
    assert all(0 < factor <= 1 for factor in factors.values())
