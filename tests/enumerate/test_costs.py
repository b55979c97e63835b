"""Costs that are learnt: what is used more costs less, and what takes long costs more."""

from arcloom import load
from arcloom.enumerate.costs import Uses, enumerate_tasks, fitted
from arcloom.enumerate.leaves import INPUT_LEAF, leaves
from arcloom.enumerate.operations import learnt_costs, operations

TASKS = ("67a3c6ac", "68b16354")


def test_what_is_used_more_costs_less() -> None:
    before, after = fitted({}, {}), fitted({"compress_grid": 20}, {})
    assert after["compress_grid"] < before["compress_grid"]
    assert after["hmirror_grid"] > before["hmirror_grid"]
    assert after["largest"] == before["largest"]  # of another value_class


def test_what_takes_long_costs_more() -> None:
    assert fitted({}, {"compress_grid": 1e6})["compress_grid"] > fitted({}, {})["compress_grid"]


def test_costs_are_whole_and_positive_for_all_that_expressions_consist_of() -> None:
    costs = fitted({INPUT_LEAF: 1e6}, {})
    names = {operation.name for operation in operations()} | {
        leaf.name for leaf in leaves(next(iter(load("arcagi:training"))))
    }
    assert names <= set(costs)
    assert min(costs.values()) >= 1


def test_uses_are_counted_in_right_programs() -> None:
    training, uses = load("arcagi:training"), Uses()
    solved = enumerate_tasks([training[id] for id in TASKS], learnt_costs(), 2_000, uses)
    assert solved == 2
    assert uses.by_task[TASKS[0]]["vmirror_grid"] > 0
    assert uses.total(TASKS)[INPUT_LEAF] >= 2
