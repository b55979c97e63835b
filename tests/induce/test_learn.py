"""The compiled search for rules finds the same rules as the search in plain Python, in the same order."""

import numpy as np
import pytest
from learn_reference import Reference

from arcloom.induce import learn as learning
from arcloom.induce.cells import CellItems
from arcloom.induce.learn import Tally, learn


def random_cells(seed: int) -> CellItems:
    """Cells with random features, some of them similar, whose outcome depends on two or three features, with some
    noise."""
    rng = np.random.default_rng(seed)
    features, demonstrations = int(rng.integers(2, 15)), int(rng.integers(1, 5))
    sizes = rng.integers(3, 30, demonstrations + 1)
    sample = np.repeat(np.arange(demonstrations + 1), sizes)
    values = rng.integers(-1, rng.integers(1, 5, (features, 1)), (features, len(sample))).astype(np.int8)
    copied = rng.integers(0, features, 2)
    values[copied[0]] = np.where(rng.random(len(sample)) < 0.9, values[copied[0]], values[copied[1]])
    values[0] = np.abs(values[0])
    shown = int(sizes[:-1].sum())
    ruling = rng.integers(0, features, int(rng.integers(1, 4)))
    changes = (values[ruling, :shown] > 0).all(axis=0) ^ (rng.random(shown) < rng.choice([0, 0, 0.05]))
    made = np.where(rng.random() < 0.5, np.int8(7), np.abs(values[ruling[-1], :shown]))
    targets = np.where(changes, made, values[0, :shown]).astype(np.int8)
    return CellItems(values, sample, targets, rng.integers(0, 4, features), rng.random(features) < 0.4)


@pytest.mark.parametrize("work", [800, 40])
@pytest.mark.parametrize("seed", range(40))
def test_compiled_search_finds_the_same_rules_in_the_same_order(
    seed: int, work: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learning, "WORK", work)
    cells = random_cells(seed)
    expected = Reference(cells, work).rules() if cells.changed.any() else {}
    found = learn(cells)
    told = [(features, np.array(outcomes, np.int64)) for features, outcomes in expected]
    assert [(rule.features, rule.predicted) for rule in found] == list(
        dict.fromkeys((features, cells.become(outcomes).tobytes()) for features, outcomes in told)
    )
    assert {(rule.held_out, rule.unseen) for rule in found} <= set(expected.values())


def test_some_of_the_random_tasks_have_rules_of_several_features() -> None:
    sizes = {len(rule.features) for seed in range(40) for rule in learn(random_cells(seed))}
    assert {1, 2, 3} <= sizes


def test_the_table_of_a_rule_gives_the_outcome_of_each_item_that_changes() -> None:
    for seed in range(40):
        cells = random_cells(seed)
        for rule in learn(cells):
            table = dict(rule.table)
            rows = cells.values[list(rule.features)].T.tolist() if rule.features else [[]] * len(cells.sample)
            for i in range(cells.shown):
                outcome = cells.outcomes.index(table.get(tuple(rows[i]), cells.outcomes[0]))
                assert cells.right[i] >> outcome & 1


def test_the_tally_counts_rules_and_features() -> None:
    before = Tally.features, Tally.rules
    cells = next(cells for cells in map(random_cells, range(40)) if learn(cells))
    rows = len(cells.values)
    middle = Tally.features, Tally.rules
    learn(cells)
    assert Tally.features == middle[0] + rows > before[0]
    assert Tally.rules > middle[1] > before[1]
