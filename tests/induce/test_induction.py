"""Induced rules: programs have the predictions of their rules, on the engine and on the reference."""

from random import Random

import numpy as np
import pytest

from arcloom import load, run
from arcloom.induce.cell_rules import written
from arcloom.induce.cells import CellItems, CellOutcome, labelled
from arcloom.induce.feature_tables import FeatureTables
from arcloom.induce.features import features
from arcloom.induce.learn import learn
from arcloom.induce.views import enlarged, laid_over, plain, summary, views
from arcloom.program.build import INPUT, INPUTS, call, literal
from arcloom.program.evaluate import ProgramFailure
from arcloom.program.term import Program
from arcloom.search.loop.candidate import Candidate, Evaluated, Lineage
from arcloom.search.loop.source import Request
from arcloom.search.loop.state import TaskState
from arcloom.search.sources.induction import FIRST, Induction, chosen
from arcloom.stopwatch import Deadline
from arcloom.tasks.packed import pack
from arcloom.tasks.task import Grid, Pair, Task


def drawn(seed: int, rows: int, columns: int, colours: int = 4) -> Grid:
    rng = Random(seed)
    return tuple(tuple(rng.choice((0, rng.randrange(colours))) for _ in range(columns)) for _ in range(rows))


GRIDS = (drawn(1, 4, 5), drawn(2, 3, 3), ((3,),))


@pytest.mark.parametrize("black", [True, False])
def test_every_feature_gives_the_same_on_engine_and_reference(black: bool) -> None:
    programs = [Program(seen.name, INPUTS, seen.term) for seen in plain(black)]
    results = run(programs, [{"I": grid} for grid in GRIDS])
    assert not results.untyped
    for p, program in enumerate(programs):
        for s, grid in enumerate(GRIDS):
            try:
                expected = program.evaluate({"I": grid})
            except ProgramFailure:
                expected = None
            assert results.output(p, s) == expected, (program.name, grid)
            assert expected is None or np.shape(expected) == np.shape(grid) or program.name.startswith("image")


def test_names_of_features_are_different_and_the_own_colour_comes_first() -> None:
    names = [feature.name for feature in features()]
    assert len(names) == len(set(names)) > 300
    assert names[0] == "colour"
    assert plain(True)[0].term is INPUT


VALUES = {
    "next_up": ((-1, -1, -1), (0, 2, 0), (0, 0, 0)),
    "seen_up": ((-1, -1, -1), (-1, 2, -1), (-1, 2, -1)),
    "sees_left": ((0, 0, 1), (0, 0, 0), (0, 1, 1)),
    "count_near": ((1, 0, 1), (2, 2, 1), (0, 1, 0)),
    "rank_of_colour": ((0, 1, 0), (0, 0, 0), (2, 0, 0)),
    "size_of_area": ((7, 1, 7), (7, 7, 7), (1, 7, 7)),
    "ring": ((0, 0, 0), (0, -1, 0), (0, 0, 0)),
    "size_of_row_run": ((1, 1, 1), (3, 3, 3), (1, 2, 2)),
    "row_of_three": ((0, 0, 0), (1, 1, 1), (2, 2, 2)),
    "column_is_emptiest": ((0, 0, 1), (0, 0, 1), (0, 0, 1)),
    "near_5": ((0, 0, 0), (1, 1, 0), (0, 1, 0)),
}


@pytest.mark.parametrize("name", VALUES)
def test_features_have_the_values_that_their_names_say(name: str) -> None:
    [feature] = [feature for feature in features() if feature.name == name]
    term = feature.of(INPUT, literal(0))
    assert Program(name, INPUTS, term).evaluate({"I": ((0, 2, 0), (0, 0, 0), (5, 0, 0))}) == VALUES[name]


def cells(rows: list[list[int]], sample: list[int], targets: list[int]) -> CellItems:
    count = len(rows)
    return CellItems(
        np.array(rows, np.int8),
        np.array(sample),
        np.array(targets, np.int8),
        np.arange(count),
        np.array([True] + [False] * (count - 1)),
    )


def test_the_features_of_a_rule_determine_the_outcome_of_cells() -> None:
    own = [0, 1, 1, 0, 1, 1, 1]
    told = [5, 5, 6, 6, 5, 6, 5]
    noise = [1, 2, 3, 4, 5, 6, 7]
    found = learn(cells([own, told, noise], [0, 0, 0, 1, 1, 1, 2], [0, 3, 1, 0, 3, 1]))
    assert [rule.features for rule in found] == [(0, 1)]
    [rule] = found
    assert rule.table == (((1, 5), CellOutcome(colour=3)),)
    assert (rule.held_out, rule.unseen, rule.cost, rule.predicted) == (1.0, 0, 1, bytes([3]))


def test_the_outcome_of_a_cell_can_be_the_value_of_a_feature() -> None:
    own = [0, 0, 4, 0, 0, 7, 0, 9]
    above = [4, 4, 4, 7, 7, 7, 9, 9]
    found = learn(
        CellItems(
            np.array([own, above], np.int8),
            np.array([0, 0, 0, 1, 1, 1, 2, 2]),
            np.array([4, 4, 4, 7, 7, 7], np.int8),
            np.array([0, 1]),
            np.array([True, True]),
        )
    )
    assert found
    assert {rule.predicted for rule in found} == {bytes([9, 9])}


def test_a_rule_that_holds_in_one_demonstration_only_is_not_proposed() -> None:
    own, told = [1, 1, 1, 1, 1, 1], [5, 6, 7, 8, 6, 7]
    found = learn(cells([own, told], [0, 0, 1, 1, 2, 2], [3, 1, 2, 1]))
    assert chosen([(rule, None) for rule in found]) == []


def test_labels_depend_on_the_partition_alone() -> None:
    first, count = labelled(np.array([7, 7, -1, 100], np.int8))
    second, _ = labelled(np.array([0, 0, 5, 1], np.int8))
    assert first.tolist() == second.tolist() == [0, 0, 1, 2]
    assert count == 3


SOLVED = {
    "00d62c1b": "plain",
    "4258a5f9": "plain",
    "25ff71a9": "plain",
    "fafffa47": "laid over",
    "99b1bc43": "laid over",
    "007bbfb7": "enlarged",
    "6773b310": "summary",
}


@pytest.mark.parametrize("id", SOLVED)
def test_tasks_are_solved_alike_by_engine_and_reference(id: str) -> None:
    task = load("arcagi:training")[id]
    state = TaskState(task)
    programs = [candidate.program for candidate in Induction().propose(Request([state], FIRST))]
    wanted = [pair.output for pair in task.samples]
    inputs = [{"I": pair.input} for pair in task.samples]
    results = run(programs, inputs)
    outputs = [[results.output(p, s) for s in range(len(inputs))] for p in range(len(programs))]
    assert wanted in outputs
    assert outputs == [[program.evaluate(each) for each in inputs] for program in programs]


@pytest.mark.parametrize("id", ["00d62c1b", "fafffa47", "007bbfb7", "d037b0a7"])
def test_programs_have_the_predictions_of_their_rules(id: str) -> None:
    task = load("arcagi:training")[id].without_answers()
    looked = [table for view in views(task) if (table := FeatureTables().at(task, view)) is not None]
    rules = [(rule, table.term) for table in looked for rule in learn(table.cells)[:20]]
    programs = [Program("rule", INPUTS, written(rule, term)) for rule, term in rules]
    results = run(programs, [{"I": pair.input} for pair in task.test])
    assert rules
    for p, (rule, _) in enumerate(rules):
        made = [np.asarray(results.grid(p, s), np.int8).tobytes() for s in range(len(task.test))]
        assert b"".join(made) == rule.predicted


def test_views_follow_the_shapes() -> None:
    def task(given: tuple[int, int], wanted: tuple[int, int]) -> Task:
        return Task("t", tuple(Pair(drawn(seed, *given), drawn(seed, *wanted)) for seed in (1, 2)))

    assert list(views(task((3, 3), (3, 3)))) == [plain(True)]
    assert list(views(task((3, 2), (6, 4)))) == [enlarged((2, 2), True)]
    assert list(views(task((4, 9), (4, 4)))) == [laid_over((1, 2), True)]
    assert list(views(task((9, 9), (3, 3)))) == [laid_over((3, 3), True), summary((3, 3), True)]
    assert list(views(task((5, 5), (2, 3)))) == []


def test_a_task_is_analysed_once_and_only_before_the_deadline() -> None:
    state, induction = TaskState(load("arcagi:training")["00d62c1b"]), Induction()
    assert not induction.is_due(FIRST - 1)
    assert list(induction.propose(Request([state], FIRST, deadline=Deadline(0)))) == []
    assert list(induction.propose(Request([state], FIRST)))
    assert list(induction.propose(Request([state], FIRST + 1))) == []


def test_wrong_cells_of_an_archive_member_are_repaired() -> None:
    task = Task("t", tuple(Pair(grid, _answer(grid)) for grid in (drawn(k, 4, 4, 3) for k in (1, 2, 3))), ())
    state = TaskState(task)
    turned = Program("turned", INPUTS, call("hconcat", call("vmirror", INPUT), INPUT))
    outputs = tuple(pack(turned.evaluate({"I": pair.input})) for pair in task.train)
    kept = Evaluated(Candidate("t", turned, Lineage("turned")), outputs, (900,), 900, False, 0.0, 2)
    assert state.add(kept)
    induction = Induction()
    made = list(induction.propose(Request([state], FIRST + 1)))
    assert made
    assert all(candidate.lineage.parent is turned for candidate in made)
    for pair in task.train:
        assert made[0].program.evaluate({"I": pair.input}) == pair.output
    assert list(induction.propose(Request([state], FIRST + 2))) == []


def _answer(grid: Grid) -> Grid:
    """The mirrored grid next to the grid, with blue replaced by red."""
    return tuple(tuple(2 if cell == 1 else cell for cell in (*row[::-1], *row)) for row in grid)
