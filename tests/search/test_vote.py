"""The vote on test outputs."""

from arcloom.program.parse import parse_one
from arcloom.search.loop.candidate import Candidate, Evaluated, Lineage
from arcloom.search.loop.vote import PROGRAMS_ENOUGH, ROOTS_ENOUGH, Ballot, vote_of, weight
from arcloom.store import Vote

PROGRAM = parse_one("def solve_a(I):\n    return rot90(I)\n")


def solution(
    *outputs: bytes | None, root: str = "a", size: int = 3, depth: int = 0, held_out: float = 1.0
) -> Evaluated:
    candidate = Candidate("a", PROGRAM, Lineage(root, "x", None, depth))
    return Evaluated(candidate, (b"demonstration", *outputs), (1000,), 1000, True, held_out, size)


def vote(*outputs: bytes | None, root: str = "a", size: int = 3, held_out: float = 1.0) -> Vote:
    return vote_of(solution(*outputs, root=root, size=size, held_out=held_out), len(outputs))


def test_small_unchanged_programs_that_do_not_read_the_answer_weigh_more() -> None:
    assert weight(solution(b"x", size=2)) > weight(solution(b"x", size=3))
    assert weight(solution(b"x", depth=0)) > weight(solution(b"x", depth=4))
    assert weight(solution(b"x", held_out=1.0)) > weight(solution(b"x", held_out=0.3))


def test_the_guess_with_more_weight_comes_first() -> None:
    ballot = Ballot(1)
    ballot.add(vote(b"large", size=30))
    ballot.add(vote(b"small", size=3))
    assert ballot.guesses(0) == [b"small", b"large"]


def test_families_that_agree_outweigh_a_smaller_program() -> None:
    ballot = Ballot(1)
    ballot.add(vote(b"alone", size=3))
    for root in "bcd":
        ballot.add(vote(b"agreed", root=root, size=5))
    assert ballot.guesses(0) == [b"agreed", b"alone"]


def test_programs_of_one_family_weigh_less_than_independent_ones() -> None:
    ballot = Ballot(1)
    for root in "bbbb":
        ballot.add(vote(b"dependent", root=root))
    for root in "cde":
        ballot.add(vote(b"independent", root=root))
    assert ballot.guesses(0) == [b"independent", b"dependent"]


def test_repaired_programs_are_one_family() -> None:
    ballot = Ballot(1)
    for root in "bcde":
        ballot.add(vote(b"repaired", root=root)._replace(source="repair"))
    assert not ballot.settled
    for root in "fgh":
        ballot.add(vote(b"found", root=root))
    assert ballot.guesses(0) == [b"found", b"repaired"]


def test_implausible_outputs_count_less() -> None:
    ballot = Ballot(1, lambda test, output: 0.5 if output == b"implausible" else 1.0)
    ballot.add(vote(b"implausible", size=3))
    ballot.add(vote(b"plausible", size=4))
    assert ballot.guesses(0) == [b"plausible", b"implausible"]


def test_votes_on_test_inputs_are_independent() -> None:
    ballot = Ballot(2)
    ballot.add(vote(b"x", None))
    ballot.add(vote(b"x", b"y", root="b"))
    assert (ballot.guesses(0), ballot.guesses(1)) == ([b"x"], [b"y"])


def test_confidence_grows_with_agreement_and_falls_with_dissent() -> None:
    ballot = Ballot(1)
    assert ballot.confidence(0) == 0
    ballot.add(vote(b"x"))
    alone = ballot.confidence(0)
    ballot.add(vote(b"x", root="b"))
    agreed = ballot.confidence(0)
    ballot.add(vote(b"y", root="c"))
    assert 0 < ballot.confidence(0) < alone < agreed < 1


def test_a_task_is_settled_when_enough_agree() -> None:
    lines, mutants, split = Ballot(1), Ballot(1), Ballot(1)
    for k in range(ROOTS_ENOUGH):
        assert not lines.settled
        lines.add(vote(b"x", root=str(k)))
    for _ in range(PROGRAMS_ENOUGH):
        assert not mutants.settled
        mutants.add(vote(b"x"))
    for k in range(2 * ROOTS_ENOUGH):
        split.add(vote(b"xy"[k % 2 :][:1], root=str(k)))
    assert lines.settled and mutants.settled and not split.settled


def test_programs_that_read_the_answers_do_not_settle_a_task() -> None:
    ballot = Ballot(1)
    for k in range(PROGRAMS_ENOUGH):
        ballot.add(vote(b"x", root=str(k), held_out=0.0))
    assert ballot.guesses(0) == [b"x"] and not ballot.settled


def test_without_tests_there_is_nothing_to_settle() -> None:
    ballot = Ballot(0)
    ballot.add(vote())
    assert not ballot.settled


def test_an_answer_is_convincing_if_independent_lines_agree() -> None:
    ballot = Ballot(1)
    assert not ballot.convincing
    ballot.add(vote(b"x", root="a"))
    ballot.add(vote(b"x", root="a", size=4))
    assert not ballot.convincing
    ballot.add(vote(b"y", root="b", size=9))
    assert not ballot.convincing
    ballot.add(vote(b"x", root="b"))
    assert ballot.convincing
