"""Lookups: the colour of a feature value in the demonstrations is used for the other grids of the task."""

from typing import Any

import pytest

from arcloom import load, run
from arcloom.engine.batt import Batt
from arcloom.search.sources.lookups import lookups
from arcloom.tasks.task import Task

LOOKUPS = {lookup.name: lookup for lookup in lookups()}


def demonstrations(task: Task) -> tuple[tuple[Any, Any], ...]:
    return tuple((pair.input, pair.output) for pair in task.train)


LEARNT = {
    "as_shown_by_size_of_area": "6e82a1ae",
    "as_shown_by_square_of_area": "83302e8f",
    "as_shown_by_holes_of_area": "810b9b61",
    "as_shown_by_border_of_area": "00d62c1b",
    "as_shown_by_rank_of_figure": "08ed6ac7",
    "as_shown_by_surroundings_of_cell": "4258a5f9",
    "as_shown_by_cross_colors_of_cell": "23581191",
    "as_shown_by_halves": "94f9d214",
    "as_shown_by_thirds": "cf98881b",
    "as_shown_by_quarters": "a68b268e",
    "as_shown_by_product_in_any_colors": "007bbfb7",
    "as_shown_by_content_in_any_colors": "b94a9452",
    "answered_by_symmetries": "44f52bb0",
    "translated": "0d3d703e",
}


@pytest.mark.parametrize("name", LEARNT)
def test_lookups_apply_demonstrations_to_new_inputs(name: str) -> None:
    task = load("arcagi:training")[LEARNT[name]]
    grids = [{"I": pair.input, "S": demonstrations(task)} for pair in task.samples]
    results = run([LOOKUPS[name]], grids)
    assert [results.output(0, k) for k in range(len(grids))] == [pair.output for pair in task.samples]


def test_a_lookup_ignores_the_demonstration_of_its_own_input() -> None:
    grid, other = ((0, 1), (0, 0)), ((0, 0), (2, 2))
    lookup = LOOKUPS["as_shown_by_size_of_area"]
    alone = lookup.evaluate({"I": grid, "S": ((grid, ((0, 5), (0, 0))), (other, other))})
    assert alone == grid
    shown = lookup.evaluate({"I": grid, "S": ((grid, grid), (((1, 0), (0, 0)), ((5, 0), (0, 0))))})
    assert shown == ((0, 5), (0, 0))


def test_lookups_are_typed_and_different() -> None:
    assert not Batt.build(lookups()).untyped
    assert len({lookup.digest for lookup in lookups()}) == len(LOOKUPS) == len(lookups()) > 90
