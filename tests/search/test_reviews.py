"""Reviews: the solutions that the reference runs, and those that are dropped."""

from collections.abc import Sequence

import pytest

from arcloom.program.parse import parse_one
from arcloom.search.loop.arena import Arena
from arcloom.search.loop.candidate import Candidate, Evaluated, Lineage
from arcloom.search.loop.differs import Judge, bundled
from arcloom.search.review import reviews
from arcloom.tasks import load

TASK = load("arcagi:training")["3c9b0459"]
SMALL, LARGE, OTHER = (
    parse_one(f"def solve_3c9b0459(I):\n    return {text}\n")
    for text in ("rot180(I)", "hmirror(vmirror(I))", "rot90(rot90(rot180(rot180(I))))")
)


@pytest.fixture
def arena() -> Arena:
    return Arena([TASK.without_answers()], Judge(bundled()))


def solutions(arena: Arena, outputs: Sequence[bytes]) -> list[Evaluated]:
    """The three programs as solutions, the last one with these outputs."""
    found = arena.evaluate([Candidate(TASK.id, program, Lineage("a", "a")) for program in (LARGE, SMALL, OTHER)])
    first, second, third = found.results
    assert first.solved
    return [first, second, Evaluated(third.candidate, (*outputs,), third.profile, third.score, True, 1.0, third.size)]


def compared(monkeypatch: pytest.MonkeyPatch, refused: Sequence[object] = ()) -> list[object]:
    """The names of the programs that are compared with the reference, which disagrees on the refused ones."""
    seen: list[object] = []

    def agreed(_: Arena, results: Sequence[Evaluated]) -> set[int]:
        seen.extend(result.candidate.program for result in results)
        return {id(result) for result in results if result.candidate.program not in refused}

    monkeypatch.setattr(reviews, "_agreed", agreed)
    return seen


def test_only_the_smallest_of_solutions_with_the_same_outputs_is_compared(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    results, seen = solutions(arena, [b"other"]), compared(monkeypatch)
    assert reviews.drop_disagreements(arena, results) == results
    assert seen == [SMALL, OTHER]


def test_other_solutions_are_compared_if_the_smallest_is_dropped(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    results, seen = solutions(arena, [b"other"]), compared(monkeypatch, refused=[SMALL])
    assert reviews.drop_disagreements(arena, results) == [results[0], results[2]]
    assert seen == [SMALL, OTHER, LARGE]


def test_solutions_on_which_engine_and_reference_agree_are_kept(arena: Arena) -> None:
    results = solutions(arena, [b"other"])[:2]
    assert reviews.drop_disagreements(arena, results) == results
