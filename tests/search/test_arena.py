"""Evaluation of candidates: results are those of single runs, and looking up an answer does not count."""

from random import Random

import arcloom
from arcloom.library import bundled
from arcloom.program.evaluate import ProgramFailure, evaluate
from arcloom.program.keys import Keys
from arcloom.program.parse import parse_one
from arcloom.program.term import Program
from arcloom.search.loop import differs
from arcloom.search.loop.arena import Arena
from arcloom.search.loop.candidate import Candidate, Evaluated, Lineage
from arcloom.search.loop.source import Request
from arcloom.search.loop.state import TaskState
from arcloom.search.sources.card import Card
from arcloom.search.sources.unchanged import Unchanged
from arcloom.tasks.packed import is_of_arc, pack
from arcloom.tasks.task import Dataset, Pair, Task


def arena(*tasks: Task, finalists: int = 1000) -> Arena:
    return Arena([task.without_answers() for task in tasks], differs.Judge(differs.bundled()), finalists=finalists)


def tried(task: Task, *values: str) -> list[Evaluated]:
    programs = [parse_one(f"def solve_x(S, I, C):\n    return {value}\n") for value in values]
    return arena(task).evaluate([Candidate(task.id, program, Lineage("x")) for program in programs]).results


def alone(program: Program, task: Task) -> list[bytes | None]:
    """The packed outputs of the reference, computed one sample at a time."""
    shown = tuple((pair.input, pair.output) for pair in task.train)
    outputs = []
    for pair in task.samples:
        try:
            outputs.append(pack(evaluate(program, {"I": pair.input, "S": shown, "C": pair.input})))
        except ProgramFailure:
            outputs.append(None)
    return outputs


def test_a_batch_of_candidates_has_the_results_of_single_programs() -> None:
    tasks = Random(5).sample(list(arcloom.load("arcagi:training")), 10)
    states = [TaskState(task) for task in tasks]
    library = bundled()
    dealt = [
        *Unchanged("library", library[:4], each=4).propose(Request(states, 0)),
        *Card(library, Keys(), seed=3).propose(Request(states, 0, each=12)),
    ]
    by_id = {task.id: task for task in tasks}
    evaluation = arena(*tasks).evaluate(dealt)
    assert len(evaluation.results) + evaluation.untyped.total() == len(dealt) > 150
    assert len(evaluation.results) > 0.8 * len(dealt)
    for result in evaluation.results:
        candidate = result.candidate
        expected = alone(parse_one(str(candidate.program)), by_id[candidate.task])
        assert [o if o and is_of_arc(o) else None for o in expected] == list(result.outputs), str(candidate.program)


def test_the_score_increases_with_nearness(dataset: Dataset) -> None:
    same, mirrored, failing = tried(dataset["mirror"], "I", "vmirror(I)", "subgrid(ofcolor(I, 9), I)")
    assert (mirrored.solved, mirrored.score, mirrored.profile) == (True, 1000, (1000,) * 5)
    assert not same.solved and 0 < same.score < 1000
    assert (failing.solved, failing.score) == (False, 0)
    assert failing.outputs[:2] == (None, None) and failing.outputs[2] is not None


def test_a_program_that_looks_up_the_answer_is_no_solution(dataset: Dataset) -> None:
    [looked_up] = tried(dataset["mirror"], "last(extract(S, compose(matcher(identity, I), first)))")
    assert looked_up.outputs[:2] == tuple(pack(pair.output) for pair in dataset["mirror"].train)
    assert (looked_up.solved, looked_up.held_out, looked_up.score) == (False, 0.0, 0)


def test_the_program_written_for_the_task_may_look_up_the_answer(dataset: Dataset) -> None:
    alike = "compose(size, compose(lbind(intersection, asobject(I)), compose(asobject, first)))"
    program = parse_one(f"def solve_mirror(S, I, C):\n    return last(argmax(S, {alike}))\n")
    own, other = Lineage("solve_mirror"), Lineage("solve_mirror").then("turn", program)
    candidates = [Candidate("mirror", program, lineage) for lineage in (own, other)]
    results = arena(*dataset).evaluate(candidates).results
    assert [(result.solved, result.held_out) for result in results] == [(True, 0.0), (False, 0.0)]


def test_a_program_that_learns_from_the_other_demonstrations_is_a_solution(dataset: Dataset) -> None:
    learnt = "replace(I, first(c_iz(S, p_g)), first(c_zo(S, p_g)))"
    [result] = tried(dataset["paint"], learnt)
    assert (result.solved, result.held_out) == (True, 1.0)
    assert list(result.outputs[2:]) == [pack(pair.output) for pair in dataset["paint"].test]


def test_one_demonstration_cannot_be_held_out() -> None:
    task = Task("one", (Pair(((3,),), ((7,),)),), (Pair(((3, 3),)),))
    [result] = tried(task, "replace(I, THREE, first(c_zo(S, p_g)))")
    assert result.solved


def test_a_value_that_is_no_arc_grid_is_no_output(dataset: Dataset) -> None:
    results = tried(dataset["mirror"], "height(I)", "asindices(I)", "upscale(I, 20)", "canvas(11, UNITY)", "first(I)")
    assert [set(result.outputs) for result in results] == [{None}] * 5


def test_the_untyped_are_counted_and_not_run(dataset: Dataset) -> None:
    candidates = [
        Candidate("mirror", parse_one(f"def solve_x(I):\n    return {value}\n"), Lineage("x"))
        for value in ("vmirror(I)", "vmirror(ONE)")
    ]
    evaluation = arena(*dataset).evaluate(candidates)
    assert (len(evaluation.results), evaluation.untyped) == (1, {"mirror": 1})


def test_solutions_are_always_finalists(dataset: Dataset) -> None:
    values = ("vmirror(I)", "rot180(hmirror(I))", "I", "hmirror(I)")
    programs = [parse_one(f"def solve_x(I):\n    return {value}\n") for value in values]
    few = arena(*dataset, finalists=1)
    results = few.evaluate([Candidate("mirror", program, Lineage("x")) for program in programs]).results
    assert [result.solved for result in results] == [True, True]


def test_one_program_for_many_tasks_is_judged_on_each(dataset: Dataset) -> None:
    program = parse_one("def solve_x(I):\n    return vmirror(I)\n")
    results = arena(*dataset).evaluate([Candidate(task.id, program, Lineage("x")) for task in dataset]).results
    assert [(result.candidate.task, result.solved) for result in results] == [
        ("mirror", True),
        ("paint", False),
        ("riddle", False),
    ]


def test_no_candidates_have_no_results(dataset: Dataset) -> None:
    assert arena(*dataset).evaluate([]).results == []


def test_outputs_are_as_large_as_the_grids_of_the_task_allow() -> None:
    large = ((1,) * 40,) * 2
    programs = [parse_one("def solve_a(I):\n    return I\n"), parse_one("def solve_a(I):\n    return hconcat(I, I)\n")]
    task = Task("a", (Pair(large, large),), (Pair(large),))
    candidates = [Candidate("a", program, Lineage("", "", None, 0), "test") for program in programs]
    first, second = arena(task).evaluate(candidates).results
    assert first.solved and first.outputs == (pack(large), pack(large))
    assert second.outputs == (None, None), "a side of 80 is more than any grid of the task has"
