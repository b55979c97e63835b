"""Learnt costs: frequently used operations cost less, and slow ones more."""

from arcloom import load
from arcloom.enumerate.costs import Uses, enumerate_tasks, fitted
from arcloom.enumerate.leaves import INPUT_LEAF, leaves
from arcloom.enumerate.operations import learnt_costs, operations

TASKS = ("67a3c6ac", "68b16354")


def test_frequently_used_operations_cost_less() -> None:
    before, after = fitted({}, {}), fitted({"compress_grid": 20}, {})
    assert after["compress_grid"] < before["compress_grid"]
    assert after["hmirror_grid"] > before["hmirror_grid"]
    assert after["largest"] == before["largest"]  # of another value class


def test_slow_operations_cost_more() -> None:
    assert fitted({}, {"compress_grid": 1e6})["compress_grid"] > fitted({}, {})["compress_grid"]


def test_costs_of_all_operations_and_leaves_are_positive_integers() -> None:
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
