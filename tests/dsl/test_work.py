"""The cost of calls: which arguments count, and the weights of values."""

from typing import Any

import pytest

from arcloom.dsl.declare import PRIMITIVES
from arcloom.dsl.meter import Meter, metered
from arcloom.dsl.values import Failure, Reason
from arcloom.dsl.work import CALL, COMPARING, CONSTANT, PAIRWISE, RANKING, Cost, Size, weight

GRID = ((1, 2, 3), (4, 5, 6))
CELLS = frozenset({(1, (0, 0)), (2, (0, 1))})


def cost(name: str, *args: Any) -> int:
    with metered(Meter()) as meter:
        PRIMITIVES[name](*args)
        return meter.spent


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("rot90", Cost((Size.COUNT,), Size.COUNT)),
        ("fill", Cost((Size.COUNT, Size.NONE, Size.COUNT), Size.COUNT)),
        ("add", Cost((Size.NONE, Size.NONE), Size.NONE)),
        ("astuple", Cost((Size.NONE, Size.NONE), Size.NONE)),
        ("toij", Cost((Size.NONE,), Size.NONE)),
        ("repeat", Cost((Size.NONE, Size.NONE), Size.COUNT)),
        ("get_nth", Cost((Size.NONE, Size.NONE), Size.NONE)),
        ("equality", Cost((Size.WEIGHT, Size.WEIGHT), Size.NONE)),
        ("contained", Cost((Size.WEIGHT, Size.SCANNED), Size.NONE)),
        ("insert", Cost((Size.WEIGHT, Size.COUNT), Size.COUNT)),
        ("colorfilter", Cost((Size.WEIGHT, Size.NONE), Size.COUNT)),
        ("manhattan", Cost((Size.COUNT, Size.COUNT), Size.NONE, pairwise=True)),
    ],
)
def test_cost_rules(name: str, expected: Cost) -> None:
    assert PRIMITIVES[name].cost == expected


def test_sets_of_names_contain_only_primitives() -> None:
    assert set(PRIMITIVES) >= COMPARING | CONSTANT | PAIRWISE | RANKING


@pytest.mark.parametrize(
    ("name", "args", "expected"),
    [
        ("rot90", (GRID,), CALL + 6 + 6),
        ("height", (CELLS,), CALL + 2),
        ("add", ((1, 2), 3), CALL),
        ("repeat", (GRID, 5), CALL + 5),
        ("first", (GRID,), CALL),
        ("underfill", (GRID, 3, CELLS), CALL + 6 + 2 + 6),
        ("merge", ((CELLS, CELLS),), CALL + 12 + 4),
        ("contained", (CELLS, frozenset({CELLS})), CALL + 6),
        ("contained", (CELLS, (CELLS, CELLS)), CALL + 6 + 12),
        ("occurrences", (GRID, CELLS), CALL + 6 * 2 + 1),
        ("hperiod", (CELLS,), CALL + 2 * 2),
        ("apply", (PRIMITIVES["increment"], (1, 2, 3)), 4 * CALL),
        ("apply", (PRIMITIVES["increment"], frozenset({1, 2, 3})), 4 * CALL + 3),
        ("order", ((3, 1, 2), PRIMITIVES["identity"]), 4 * CALL + 3),
    ],
)
def test_costs(name: str, args: tuple[Any, ...], expected: int) -> None:
    assert cost(name, *args) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (5, 1),
        (None, 1),
        ((), 1),
        ((1, 2), 2),
        ((5, (1, 2)), 3),
        (GRID, 6),
        (((), ()), 2),
        (CELLS, 6),
        (frozenset({(0, 1), (2, 3), (4, 5)}), 6),
        ((CELLS, CELLS, frozenset()), 13),
        ((5, frozenset(range(9))), 10),
        ((GRID, GRID), 12),
    ],
)
def test_weights(value: Any, expected: int) -> None:
    assert weight(value, 1000) == expected


def test_a_weight_above_the_limit_is_not_computed() -> None:
    value: Any = (1,) * 1000
    for _ in range(20):
        value = (value,) * 1000
    assert weight(value, 10_000) > 10_000


def test_a_call_that_costs_too_much_does_not_run() -> None:
    ones = (1,) * 1000
    for name, args in {
        "merge": (((ones,) * 1000),),
        "product": (tuple(range(1000)), tuple(range(1000))),
        "interval": (0, 100_000, 1),
        "canvas": (0, (1000, 1000)),
        "equality": ((ones,) * 1000, (ones,) * 1000),
    }.items():
        with metered(Meter(10_000)), pytest.raises(Failure) as caught:
            PRIMITIVES[name](*args)
        assert caught.value.reason is Reason.BUDGET
