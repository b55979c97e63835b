"""Repairs of programs with wrong colours, and variants of programs that compute their colours."""

import pytest

import arcloom
from arcloom.check import check
from arcloom.dsl import PRIMITIVES
from arcloom.library import bundled
from arcloom.program.build import INPUT, literal
from arcloom.program.parse import parse_one
from arcloom.program.term import Call, Program
from arcloom.search.loop import differs
from arcloom.search.loop.arena import Arena
from arcloom.search.loop.candidate import Candidate, Evaluated, Lineage
from arcloom.search.loop.source import Request
from arcloom.search.loop.state import TaskState
from arcloom.search.sources.analysis import ProgramAnalysis
from arcloom.search.sources.repair import TURNS, Repair, recoloured, recolouring
from arcloom.search.sources.variants import variants
from arcloom.tasks.packed import pack
from arcloom.tasks.task import Grid, Task
from search.small import MIRROR, task


def packed(grid: Grid) -> bytes:
    found = pack(grid)
    assert found is not None
    return found


def tried(task: Task, candidates: list[Candidate]) -> list[Evaluated]:
    return Arena([task.without_answers()], differs.Judge(differs.bundled())).evaluate(candidates).results


def repaired(task: Task, value: str) -> list[Evaluated]:
    """The results of the repairs that follow up on a program."""
    source, state = Repair(), TaskState(task)
    assert list(source.propose(Request([state], 0))) == []
    program = parse_one(f"def solve_x(S, I):\n    return {value}\n")
    results = tried(task, [Candidate(task.id, program, Lineage("x"))])
    return tried(task, list(source.follow_up(results, {task.id: state})))


def test_a_recolouring_is_found_if_only_colours_are_wrong() -> None:
    assert recolouring(packed(((1, 2), (2, 1))), packed(((3, 2), (2, 3)))) == {1: 3, 2: 2}
    assert recolouring(packed(((1, 1),)), packed(((3, 4),))) is None
    assert recolouring(packed(((1, 1),)), packed(((3,), (3,)))) is None


def test_colours_can_be_exchanged() -> None:
    swapped = recoloured(INPUT, {1: literal(2), 2: literal(1)})
    assert Program("solve_x", ("I",), swapped).evaluate({"I": ((1, 2, 3),)}) == ((2, 1, 3),)


def test_a_single_recolouring_needs_one_call() -> None:
    term = recoloured(INPUT, {3: literal(7)})
    assert isinstance(term, Call) and term.args[0] is INPUT


def test_wrong_colours_are_repaired() -> None:
    shown = ((((1, 2),), ((5, 1),)), (((2, 2, 1),), ((1, 5, 5),)))
    [result] = repaired(task("swap", shown, ((((1, 1, 2),), ((5, 1, 1),)),)), "vmirror(I)")
    assert result.solved and result.candidate.lineage.change == "repair"
    assert result.outputs[2] == packed(((5, 1, 1),))


def test_a_colour_that_differs_between_demonstrations_is_computed() -> None:
    shown = ((((4, 0, 0),), ((0, 0, 4),)), (((6, 0, 0),), ((0, 0, 6),)))
    told = task("told", shown, ((((8, 0, 0),), ((0, 0, 8),)),))
    painted = "replace(vmirror(I), leastcolor(I), NINE)"
    [result] = repaired(told, painted)
    assert result.solved and result.outputs[2] == packed(((0, 0, 8),))


@pytest.mark.parametrize("turn", TURNS)
def test_rotated_and_mirrored_outputs_are_repaired(turn: str) -> None:
    first, second = ((1, 2, 3), (4, 5, 6)), ((7, 7), (7, 8), (9, 9))
    pairs = tuple((grid, PRIMITIVES[turn](grid)) for grid in (first, second))
    [result] = repaired(task("turned", pairs, pairs[:1]), "I")
    assert result.solved and turn in str(result.candidate.program)


def test_right_and_unrepairable_results_are_skipped() -> None:
    assert repaired(MIRROR, "vmirror(I)") == []
    assert repaired(MIRROR, "canvas(ONE, shape(I))") == []
    symmetric = task("symmetric", ((((1,),), ((2,),)), (((3,),), ((4,),))), ((((5,),), ((6,),)),))
    assert repaired(symmetric, "last(extract(S, compose(matcher(identity, I), first)))") == []
    assert repaired(MIRROR, "upscale(I, TWO)") == []


def test_variants_solve_the_task_of_their_program_with_fewer_constant_colours() -> None:
    tasks = arcloom.load("arcagi:training")
    library = bundled()[:80]
    made = variants(library, tasks)
    by_name = {program.name: program for program in library}
    assert len(made) > 30
    report = check(made, tasks, device="cpu")
    assert [found.program for found in report.bad] == []
    for variant in made:
        assert len(ProgramAnalysis(variant).colours) < len(ProgramAnalysis(by_name[variant.name]).colours)


def test_a_program_without_its_task_has_no_variants() -> None:
    assert variants(bundled()[:5], []) == []
