"""Learnt costs: frequently used operations cost less, and slow ones more."""

from collections import Counter

from arcloom import load
from arcloom.enumerate.costs import Uses, enumerate_tasks, fitted, fitted_effects
from arcloom.enumerate.leaves import INPUT_LEAF, cost_model, learnt_model, leaves
from arcloom.enumerate.operations import learnt_costs, learnt_effects, operations
from arcloom.enumerate.traits import NAMES

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
        leaf.name for leaf in leaves(next(iter(load("arcagi:training"))), learnt_costs())
    }
    assert names <= set(costs)
    assert min(costs.values()) >= 1


def test_uses_are_counted_in_right_programs() -> None:
    training, uses = load("arcagi:training"), Uses()
    solved = enumerate_tasks([training[id] for id in TASKS], learnt_model(), 2_000, uses)
    assert solved == 2
    assert uses.by_task[TASKS[0]]["vmirror_grid"] > 0
    assert uses.total(TASKS)[INPUT_LEAF] >= 2


def test_a_trait_makes_operations_cheaper_that_tasks_with_it_use() -> None:
    training = load("arcagi:training")
    mirrored, cropped = training["67a3c6ac"], training["be94b721"]
    uses = {mirrored.id: Counter({"vmirror_grid": 20.0}), cropped.id: Counter({"compress_grid": 20.0})}
    model = cost_model(learnt_costs(), fitted_effects(uses, [mirrored, cropped]))
    mirroring, cropping = model.of(mirrored), model.of(cropped)
    assert mirroring["vmirror_grid"] < learnt_costs()["vmirror_grid"] < cropping["vmirror_grid"]
    assert cropping["compress_grid"] < learnt_costs()["compress_grid"] < mirroring["compress_grid"]
    assert mirroring["largest"] == learnt_costs()["largest"], "of another value class"


def test_without_effects_costs_are_the_same_for_all_tasks() -> None:
    model = cost_model(learnt_costs(), {})
    assert all(model.of(task) == learnt_costs() for task in list(load("arcagi:training"))[:5])


def test_effects_name_traits_and_operations() -> None:
    assert set(learnt_effects()) == set(NAMES)
    assert {name for names in learnt_effects().values() for name in names} <= set(learnt_costs())
