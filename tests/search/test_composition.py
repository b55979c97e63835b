"""Compositions: rules that choose, cell by cell, between grids that enumeration finds."""

import numpy as np

from arcloom.enumerate.enumerator import Picture
from arcloom.induce.compositions import composition_table
from arcloom.induce.feature_tables import FeatureTables
from arcloom.program.build import INPUT, call
from arcloom.search.loop.source import Request
from arcloom.search.loop.state import TaskState
from arcloom.search.sources.composition import FIRST, Composition
from arcloom.search.sources.enumeration import Enumeration
from arcloom.tasks import load
from arcloom.tasks.task import Pair, Task

LINES = "a2fd1cf0"
"""A training task: a path with one corner between two cells."""


def test_an_output_is_composed_of_grids_that_are_partly_correct() -> None:
    task = load("arcagi:training")[LINES]
    source = Composition(Enumeration().enumerator)
    candidates = list(source.propose(Request([TaskState(task)], FIRST)))
    assert any(all(c.program.evaluate({"I": pair.input}) == pair.output for pair in task.samples) for c in candidates)


def test_each_turn_samples_other_operations() -> None:
    task = load("arcagi:training")[LINES]
    source = Composition(Enumeration().enumerator)
    everything, half, other = (source._problem(task, turn) for turn in range(3))
    assert not everything.unused
    assert half.unused
    assert half.unused != other.unused
    assert half == source._problem(task, 1), "samples depend on the task and the turn only"


def _task(*pairs: Pair) -> Task:
    return Task("made", pairs, (Pair(pairs[0].input),))


def _mirrored(task: Task) -> Picture:
    grids = tuple(np.array(pair.input, np.int8)[:, ::-1] for pair in task.samples)
    return Picture(8, grids, lambda: call("vmirror", INPUT))


def test_pictures_are_features_of_the_input_if_outputs_have_its_shape() -> None:
    task = _task(Pair(((1, 0), (0, 0)), ((1, 1), (0, 0))))
    table = composition_table(FeatureTables(), task, [_mirrored(task)], 4)
    assert table is not None
    assert table.term(0) == INPUT
    assert str(table.term(len(table.features) - 1)) == str(call("vmirror", INPUT))


def test_without_pictures_there_is_no_table() -> None:
    task = _task(Pair(((1, 0), (0, 0)), ((1, 1),)))
    assert composition_table(FeatureTables(), task, [], 4) is None


def test_pictures_with_other_shapes_on_tests_are_left_out() -> None:
    task = _task(Pair(((1, 0), (0, 0)), ((1, 1), (0, 0))))
    short = Picture(8, (np.zeros((2, 2), np.int8), np.zeros((1, 2), np.int8)), lambda: INPUT)
    table = composition_table(FeatureTables(), task, [short], 4)
    assert table is not None
    assert not [feature for feature, _ in table.features if feature.name == "picture"]
