"""Rules for objects: programs have the predictions of their rules, on the engine and on the reference."""

import numpy as np
import pytest

from arcloom import run
from arcloom.induce.actions import actions
from arcloom.induce.objects import object_rules, outcome_of
from arcloom.induce.scenes import PARTS, SEGMENTATIONS, Scenes, measures_of, segments
from arcloom.induce.transformations import DISAPPEARS, Transformation
from arcloom.program.build import INPUT, INPUTS, call, literal
from arcloom.program.evaluate import ProgramFailure
from arcloom.program.term import Program, Term
from arcloom.search.loop.candidate import Candidate, Evaluated, Lineage
from arcloom.search.loop.source import Request
from arcloom.search.loop.state import TaskState
from arcloom.search.sources.object_rules import FIRST, ObjectRules
from arcloom.stopwatch import Deadline
from arcloom.tasks.packed import pack
from arcloom.tasks.task import Grid, Pair, Task


def grid(*rows: str) -> Grid:
    return tuple(tuple(int(cell) for cell in row) for row in rows)


GRIDS = (grid("0110", "0010", "3000", "0042"), grid("22000", "00050", "00550"))


def assert_same_on_reference(terms: list[Term]) -> None:
    programs = [Program("tested", INPUTS, term) for term in terms]
    results = run(programs, [{"I": each} for each in GRIDS], device="cpu")
    assert not results.untyped
    for p, program in enumerate(programs):
        for s, each in enumerate(GRIDS):
            try:
                expected = program.evaluate({"I": each})
            except ProgramFailure:
                expected = None
            assert results.output(p, s) == expected, (p, each)


@pytest.mark.parametrize("name", ["figures", "clusters"])
def test_every_action_gives_the_same_on_engine_and_reference(name: str) -> None:
    assert_same_on_reference([each.for_each(INPUT, literal(0), segments(name, True)) for each in actions()])


@pytest.mark.parametrize("name", PARTS)
def test_every_measure_gives_the_same_on_engine_and_reference(name: str) -> None:
    assert_same_on_reference([measure.each for measure in measures_of(name, True)])


def test_actions_and_measures_have_names_of_their_own() -> None:
    names = [action.name for action in actions()]
    assert len(set(names)) == len(names) > 100
    measures = [measure.name for measure in measures_of("figures", True)]
    assert len(set(measures)) == len(measures) > 40


def assert_solves(task: Task) -> list[Program]:
    """Check that a program proposed in the first generation solves the task including its tests.

    Returns all of them.
    """
    request = Request([TaskState(task)], FIRST, deadline=Deadline())
    programs = [candidate.program for candidate in ObjectRules().propose(request)]
    outputs = [[program.evaluate({"I": pair.input}) for pair in task.samples] for program in programs]
    assert [pair.output for pair in task.samples] in outputs
    return programs


FALLING = Task(
    "falling",
    (
        Pair(grid("0100", "0000", "0300", "2000"), grid("0000", "0100", "0300", "2000")),
        Pair(grid("1000", "0000", "0003", "0000"), grid("0000", "0000", "0003", "1000")),
        Pair(grid("0010", "0000", "0000", "3030"), grid("0000", "0000", "0010", "3030")),
    ),
    (Pair(grid("0001", "0300", "0000", "2000"), grid("0000", "0300", "0000", "2001")),),
)


def test_objects_of_one_colour_fall_until_something_is_in_their_way() -> None:
    assert_solves(FALLING)


def test_a_disappearing_object_draws_no_cells() -> None:
    pairs = [
        (grid("110", "000", "033"), grid("110", "000", "000")),
        (grid("303", "000", "011"), grid("000", "000", "011")),
        (grid("001", "001", "300"), grid("001", "001", "000")),
    ]
    task = Task("vanishing", tuple(Pair(*pair) for pair in pairs), (Pair(grid("300", "003", "110")),))
    rules = [rule for scene in Scenes().of(task, acting=True) for rule, _ in object_rules(scene, task)[0]]
    assert DISAPPEARS in {transformation for rule in rules for _, transformation in rule.table}


def test_the_largest_object_is_cut_out() -> None:
    task = Task(
        "choosing",
        (
            Pair(grid("1100", "1000", "0002"), grid("11", "10")),
            Pair(grid("0002", "3002", "0022"), grid("02", "02", "22")),
            Pair(grid("400", "000", "055"), grid("55")),
        ),
        (Pair(grid("1000", "0022", "0222"), grid("022", "222")),),
    )
    assert_solves(task)


def test_rules_are_learnt_from_the_outputs_of_a_program() -> None:
    turned = Task(
        "turned",
        tuple(Pair(tuple(zip(*pair.input, strict=True)), pair.output) for pair in FALLING.train),
        tuple(Pair(tuple(zip(*pair.input, strict=True))) for pair in FALLING.test),
    )
    state = TaskState(turned)
    program = Program("solve_turned", INPUTS, call("dmirror", INPUT))
    outputs = tuple(pack(pair.input) for pair in FALLING.samples)
    lineage = Lineage("root")
    state.archive.add(Evaluated(Candidate("turned", program, lineage), outputs, (500,), 500, False, 1.0, 1))
    found = list(ObjectRules().propose(Request([state], FIRST + 1, deadline=Deadline())))
    assert FALLING.test[0].output in [each.program.evaluate({"I": turned.test[0].input}) for each in found]
    assert {each.lineage.parent for each in found} == {program}
    assert list(ObjectRules().propose(Request([state], FIRST + 2, deadline=Deadline()))) == []


def test_segmentations_with_the_same_objects_are_analysed_once() -> None:
    names = [scene.name for scene in Scenes().of(FALLING, acting=True)]
    assert names[0] == "figures"
    assert len(names) < len(SEGMENTATIONS)


def test_positions_are_numbered_consecutively_over_all_samples() -> None:
    scene = next(Scenes().of(FALLING, acting=True))
    whole = np.concatenate([np.array(pair.input).ravel() for pair in FALLING.samples])
    assert (whole[scene.objects.place] == scene.objects.colour).all()
    assert set(np.flatnonzero(whole)) == set(scene.objects.place.tolist())


def test_complex_transformations_cost_more() -> None:
    action = actions()[0]
    assert DISAPPEARS.cost < Transformation(action=action).cost < Transformation(action=action, colour=1).cost


def test_a_pattern_is_stamped_where_objects_are() -> None:
    pairs = [
        (grid("00000", "00000", "00500", "00000"), grid("00000", "01000", "00500", "00020")),
        (grid("00000", "00050", "00000", "50000"), grid("00100", "00050", "00002", "50000")),
        (grid("00000", "05000", "00000"), grid("10000", "05000", "00200")),
    ]
    tested = Pair(grid("000", "050", "000", "000"), grid("100", "050", "002", "000"))
    assert_solves(Task("stamped", tuple(Pair(*pair) for pair in pairs), (tested,)))


def test_a_partial_copy_is_completed_as_the_largest_object() -> None:
    pairs = [
        (grid("00012", "00034", "01000", "00000"), grid("00012", "00034", "01200", "03400")),
        (grid("120000", "340000", "000010", "000000"), grid("120000", "340000", "000012", "000034")),
    ]
    tested = Pair(grid("000100", "000000", "000012", "000034"), grid("000120", "000340", "000012", "000034"))
    assert_solves(Task("completed", tuple(Pair(*pair) for pair in pairs), (tested,)))


def test_a_rule_that_explains_only_some_changes_makes_nothing_wrong() -> None:
    train = [Pair(pair.input, ((*(pair.output or ())[0][:3], 9), *(pair.output or ())[1:])) for pair in FALLING.train]
    task = Task("partly", tuple(train), FALLING.test)
    full, partial = object_rules(next(Scenes().of(task, acting=True)), task)
    assert not full
    rule, objects = partial[0]
    whole = objects.drawn(outcome_of(rule, objects))[: len(objects.targets)]
    given = np.concatenate([np.array(pair.input).ravel() for pair in task.train])
    assert (whole == objects.targets)[whole != given].all()
    assert (whole != given).any()


def test_objects_are_analysed_after_the_first_generation_and_then_in_every_fourth() -> None:
    assert [generation for generation in range(12) if ObjectRules().is_due(generation)] == [2, 3, 7, 11]


def test_an_object_with_an_opening_leaks() -> None:
    pairs = [
        (grid("0000", "2220", "2000", "2220"), grid("0000", "2220", "2444", "2220")),
        (grid("00000", "00000", "20200", "20200", "22200"), grid("04000", "04000", "24200", "24200", "22200")),
    ]
    test = Pair(grid("00000", "02220", "00020", "02220"), grid("00000", "02220", "44420", "02220"))
    assert_solves(Task("leaking", tuple(Pair(*pair) for pair in pairs), (test,)))


def test_objects_are_aligned_with_the_largest() -> None:
    pairs = [
        (grid("1000", "0022", "0022"), grid("0000", "1022", "0022")),
        (grid("22000", "22000", "00030"), grid("22030", "22000", "00000")),
    ]
    test = Pair(grid("30000", "00220", "00220", "00000"), grid("00000", "30220", "00220", "00000"))
    assert_solves(Task("aligned", tuple(Pair(*pair) for pair in pairs), (test,)))
