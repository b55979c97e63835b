"""Merging two programs that are right in different parts of the output."""

import arcloom
from arcloom.program.keys import Keys
from arcloom.program.parse import parse_one
from arcloom.search.loop import differs
from arcloom.search.loop.arena import Arena
from arcloom.search.loop.candidate import Candidate, Evaluated, Lineage
from arcloom.search.loop.source import Request
from arcloom.search.loop.state import TaskState
from arcloom.search.sources.merge import Merge
from arcloom.tasks.task import Task
from search.small import task

TWO_CHANGES = task(
    "both",
    ((((1, 2, 0, 0),), ((3, 4, 0, 0),)), (((2, 1, 1, 0), (0, 0, 0, 0)), ((4, 3, 3, 0), (0, 0, 0, 0)))),
    ((((1, 0, 2),), ((3, 0, 4),)),),
)
LAYERS = task(
    "layers",
    ((((5, 0, 0),), ((5, 0, 5),)), (((0, 0, 6), (0, 0, 6)), ((6, 0, 6), (6, 0, 6)))),
    ((((0, 7, 0, 0),), ((0, 7, 7, 0),)),),
)


def tried(task: Task, candidates: list[Candidate]) -> list[Evaluated]:
    return Arena([task.without_answers()], differs.Judge(differs.bundled())).evaluate(candidates).results


def merged(task: Task, *values: str) -> list[Evaluated]:
    """The results of the merged candidates for a task with these programs in its archive."""
    state, source = TaskState(task), Merge(Keys())
    programs = [parse_one(f"def solve_x(I):\n    return {value}\n") for value in values]
    for result in tried(task, [Candidate(task.id, program, Lineage("x")) for program in programs]):
        assert state.add(result), "both are kept"
    proposed = list(source.propose(Request([state], 0)))
    assert list(source.propose(Request([state], 1))) == []
    return tried(task, proposed)


def test_the_changes_of_one_program_are_painted_on_the_output_of_the_other() -> None:
    results = merged(TWO_CHANGES, "replace(I, ONE, THREE)", "rot180(replace(rot180(I), TWO, FOUR))")
    assert any(result.solved for result in results)
    assert {result.candidate.lineage.change for result in results} == {"merge"}


def test_a_background_is_taken_from_the_other() -> None:
    results = merged(LAYERS, "I", "hmirror(rot180(I))")
    assert any(result.solved and "underpaint" in str(result.candidate.program) for result in results)


def test_nothing_is_proposed_where_merging_is_no_better() -> None:
    assert merged(TWO_CHANGES, "replace(I, ONE, THREE)", "canvas(NINE, shape(rot180(rot180(I))))") == []
    assert merged(TWO_CHANGES, "replace(I, ONE, THREE)", "upscale(upscale(I, TWO), ONE)") == []


def test_nothing_is_merged_for_solved_tasks() -> None:
    state = TaskState(LAYERS)
    right = arcloom.parse("def solve_x(I):\n    return underpaint(I, asobject(vmirror(I)))\n")[0]
    other = arcloom.parse("def solve_x(I):\n    return vmirror(I)\n")[0]
    for result in tried(LAYERS, [Candidate("layers", program, Lineage("x")) for program in (right, other)]):
        state.add(result)
    assert state.solutions == 1
    assert list(Merge(Keys()).propose(Request([state], 0))) == []
