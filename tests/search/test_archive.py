"""The archive of a task's candidates."""

from arcloom.program.parse import parse_one
from arcloom.search.loop.archive import KEPT, Archive
from arcloom.search.loop.candidate import Candidate, Evaluated, Lineage

PROGRAM = parse_one("def solve_a(I):\n    return rot90(I)\n")


def result(output: bytes, score: int = 500, size: int = 1, solved: bool = False) -> Evaluated:
    candidate = Candidate("a", PROGRAM, Lineage("a"))
    return Evaluated(candidate, (output,), (score,), score, solved, float(solved), size)


def test_no_two_have_the_same_outputs_and_the_smaller_stays() -> None:
    archive = Archive()
    assert archive.add(result(b"x", size=9))
    assert not archive.add(result(b"x", size=9))
    assert archive.add(result(b"x", size=2))
    assert not archive.add(result(b"x", size=40))
    assert [(each.outputs, each.size) for each in archive] == [((b"x",), 2)]


def test_the_best_of_each_niche_is_kept() -> None:
    archive = Archive()
    assert archive.add(result(b"x", 400))
    assert archive.add(result(b"y", 410))
    assert not archive.add(result(b"z", 405))
    assert archive.add(result(b"far", 900))
    assert [each.outputs for each in archive.ranked()] == [(b"far",), (b"y",)]


def test_equal_outputs_in_a_better_niche_replace_a_member() -> None:
    archive = Archive()
    archive.add(result(b"x", 400, size=9))
    archive.add(result(b"y", 410, size=2))
    assert archive.add(result(b"x", 420, size=2))
    assert [(each.outputs, each.size) for each in archive] == [((b"x",), 2)]


def test_all_solutions_with_other_outputs_stay() -> None:
    archive = Archive()
    for output in (b"x", b"y"):
        assert archive.add(result(output, 1000, solved=True))
    assert len(archive) == 2


def test_a_full_archive_drops_its_worst_member() -> None:
    archive = Archive()
    kept = [archive.add(result(bytes([k]), k, size=2**k)) for k in range(KEPT)]
    assert all(kept) and len(archive) == KEPT == 32
    assert not archive.would_keep(result(b"worse", 0, size=2**40))
    better = result(b"better", 31, size=2**50)
    assert archive.would_keep(better) and archive.add(better)
    assert len(archive) == KEPT
    assert (bytes([0]),) not in {each.outputs for each in archive}


def test_changes_are_those_since_they_were_taken() -> None:
    archive = Archive()
    archive.add(result(b"x", 400))
    added, removed = archive.take_changes()
    assert ([each.outputs for each in added.values()], removed) == ([(b"x",)], [])
    archive.add(result(b"y", 410))
    archive.add(result(b"z", 420))
    added, removed = archive.take_changes()
    assert ([each.outputs for each in added.values()], removed) == ([(b"z",)], [0])
    assert archive.take_changes() == ({}, [])


def test_a_restored_archive_ranks_equals_alike() -> None:
    archive, other = Archive(), Archive()
    for k in range(KEPT + 5):
        archive.add(result(bytes([k]), 1000, size=2 ** (k % 7), solved=True))
    added, _ = archive.take_changes()
    other.restore(added.items())
    assert [each.outputs for each in other.ranked()] == [each.outputs for each in archive.ranked()]
    assert other.take_changes() == ({}, [])
    for each in (archive, other):
        each.add(result(b"new", 1000, size=1, solved=True))
    assert other.take_changes()[1] == archive.take_changes()[1]


def test_a_solution_ranks_above_any_score() -> None:
    archive = Archive()
    archive.add(result(b"x", 999))
    archive.add(result(b"y", 10, solved=True))
    best = archive.best
    assert best is not None and best.outputs == (b"y",)
