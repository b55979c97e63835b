"""Learning the weights of votes."""

from pathlib import Path

from arcloom.program.parse import parse_one
from arcloom.search.fit_weights import LIBRARY, VotedTask, check, fitted, voted_tasks
from arcloom.search.loop.vote import Weights, learnt_weights
from arcloom.store import Delta, ProgramText, Store, TaskKey, Vote
from arcloom.store.runs import add_deltas, begin_run
from arcloom.tasks import load
from arcloom.tasks.packed import pack

PLAIN = Weights(6.0, {})


def cast(source: str, output: bytes, size: int = 3, program: str = "p") -> tuple[Vote, int]:
    return Vote(program, source, source, 1.0, True, (output,)), size


def tasks(right: str, *wrong: str) -> list[VotedTask]:
    return [
        VotedTask(
            str(n), [*(cast(name, b"wrong " + name.encode()) for name in wrong), cast(right, b"right")], [b"right"]
        )
        for n in range(10)
    ]


def test_a_source_that_is_right_gets_more_weight_than_those_that_are_wrong() -> None:
    learnt = fitted(tasks("good", "bad", "worse"), PLAIN)
    assert learnt.of(3, "good") > learnt.of(3, "bad")
    assert all(task.solved(learnt) for task in tasks("good", "bad", "worse"))


def test_large_programs_count_more_where_they_are_right() -> None:
    votes = [cast("a", b"right", size=40), cast("b", b"wrong", size=2), cast("c", b"other", size=3)]
    learnt = fitted([VotedTask("t", votes, [b"right"])], PLAIN)
    assert learnt.halves_every > PLAIN.halves_every


def test_cross_validation_solves_held_out_tasks() -> None:
    assert check(tasks("good", "bad", "worse"), Weights(6.0, {"good": 0.1})) == (0, 10)


def test_learnt_factors_of_a_run_are_removed_from_its_votes(tmp_path: Path) -> None:
    task = load("arcagi:training")["a416b8f3"]
    program = parse_one("def solve_a416b8f3(I):\n    return hconcat(I, I)\n")
    output = pack(task.test[0].output)
    used = Weights(2.0, {"library": 3.0})
    with Store.open(tmp_path / LIBRARY) as store:
        run = begin_run(store, "solve", seed=0, versions={}, settings={})
        vote = Vote(program.digest, "library", "x", 0.5 * used.of(1, "library"), True, (output,))
        add_deltas(store, run, [Delta(TaskKey.of(task), 1, programs=[ProgramText.of(program)], votes=[vote])])
    [found] = voted_tasks(tmp_path, "arcagi:training", used)
    assert (found.task, found.answers) == ("a416b8f3", [output])
    assert [(vote.weight, size) for vote, size in found.votes] == [(0.5, 1)]
    assert found.solved(used)


def test_the_weights_in_use_are_positive() -> None:
    weights = learnt_weights()
    assert weights.halves_every > 0
    assert all(factor > 0 for factor in weights.sources.values())
