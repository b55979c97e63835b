"""Differs: their scores, their allowed forms, and how they are run."""

from typing import Any

import pytest

import arcloom
from arcloom.program.evaluate import evaluate
from arcloom.search.loop.differs import BEST, Comparison, DifferError, Judge, bundled, differs_of
from arcloom.tasks.packed import pack
from arcloom.tasks.task import Grid

TARGET: Grid = ((1, 1, 0), (0, 2, 2))


def compared(candidate: Grid, target: Grid = TARGET, given: Grid = ((0, 0, 0), (0, 2, 2))) -> Comparison:
    packed = pack(candidate)
    assert packed is not None
    return Comparison(given, ((given, target),), packed, target)


def scores(candidate: Grid) -> dict[str, int]:
    judge = Judge(bundled())
    [profile] = judge.profiles([compared(candidate)])
    return {program.name.removeprefix("differ_"): score for program, score in zip(judge.programs, profile, strict=True)}


def test_the_target_itself_is_best_by_every_differ() -> None:
    for task in list(arcloom.load("arcagi:training"))[:40]:
        comparisons = [compared(pair.output or (), pair.output or (), pair.input) for pair in task.train]
        assert set(Judge(bundled()).profiles(comparisons)) == {(BEST,) * len(bundled())}


@pytest.mark.parametrize(
    ("differ", "candidate", "score"),
    [
        ("cells", ((1, 1, 0), (0, 2, 3)), 833),
        ("cells", ((1, 1), (0, 2)), 666),
        ("changes", ((0, 0, 0), (0, 2, 2)), 333),
        ("changes", ((1, 0, 0), (0, 2, 2)), 666),
        ("changes", ((1, 1, 0), (3, 2, 2)), 750),
        ("shape", ((0, 0, 0),), 500),
        ("shape", ((0,), (0,), (0,)), 0),
        ("palette", ((0, 1, 1), (0, 1, 1)), 666),
        ("palette", ((5, 5, 5), (5, 5, 5)), 0),
        ("objects", ((0, 1, 1), (2, 2, 0)), 1000),
        ("objects", ((0, 1, 1), (3, 3, 0)), 500),
    ],
)
def test_scores_of_the_bundled_differs(differ: str, candidate: Grid, score: int) -> None:
    assert scores(candidate)[differ] == score


def test_differs_agree_with_the_reference() -> None:
    candidates: list[Grid] = [((1, 1, 0), (0, 2, 3)), ((4,),), ((0, 0), (0, 0), (2, 2))]
    judge = Judge(bundled())
    for candidate, profile in zip(candidates, judge.profiles([compared(c) for c in candidates]), strict=True):
        sample: dict[str, Any] = {"I": ((0, 0, 0), (0, 2, 2)), "C": candidate, "O": TARGET}
        assert [evaluate(program, sample) for program in judge.programs] == list(profile)


def test_a_differ_that_does_not_read_the_target_is_a_measure_of_both() -> None:
    [colours] = differs_of("def differ_n(S, I, C):\n    return astuple(multiply(100, numcolors(C)), I)\n", "mine")
    judge = Judge([colours])
    assert judge.profiles([compared(((1, 1),)), compared(((0, 1, 2, 3),)), compared(((0, 1, 2),))]) == [
        (800,),
        (900,),
        (1000,),
    ]


def test_a_differ_that_fails_or_exceeds_the_range_is_clipped() -> None:
    values = ("multiply(height(O), 5000)", "invert(height(O))", "uppermost(combine(ofcolor(C, 8), ofcolor(O, 8)))")
    text = "".join(f"def differ_{k}(C, O):\n    return {value}\n" for k, value in enumerate(values))
    assert Judge(differs_of(text, "mine")).profiles([compared(((1,),))]) == [(BEST, 0, 0)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "def score_a(C, O):\n    return ONE\n",
            "mine.py: score_a is no differ: the name of a differ must begin with differ_",
        ),
        ("def differ_a(C, O):\n    return C\n", "differ_a returns grid, but a score must be an int from 0 to 1000"),
        ("def differ_a(C, O):\n    return first(ONE)\n", "mine.py: differ_a, line 2: first"),
        ("def differ_a(X, O):\n    return height(X)\n", "there is no input X here"),
    ],
)
def test_programs_that_are_no_differs_are_refused(text: str, message: str) -> None:
    with pytest.raises(DifferError, match=message):
        differs_of(text, "mine.py")
