"""What a search keeps in a store, and how it goes on from there."""

from pathlib import Path

from arcloom.library import bundled
from arcloom.search.review.keeping import Kept, Reviews, known
from arcloom.search.solve import Search, Settings
from arcloom.search.review.validate import Validator
from arcloom.store import Store, TaskKey
from arcloom.tasks.task import Dataset


def opened(path: Path) -> tuple[Store, Kept]:
    store = Store.open(path / "library.sqlite")
    return store, Kept(store, store.begin_run("solve", versions={}, seed=0, settings={}))


def test_a_search_goes_on_with_what_was_kept(dataset: Dataset, tmp_path: Path) -> None:
    store, sink = opened(tmp_path)
    first = Search(dataset, Settings(seconds=None, generations=3, each=8), bundled()[:8], sink=sink)
    first.run()
    store.close()
    store, sink = opened(tmp_path)
    resumed = store.resume(store.runs()[0])
    assert resumed is not None and resumed.generation == 2
    for state in first.states:
        kept = [entry.program for entry in resumed.kept[TaskKey.of(state.task)]]
        assert kept == [result.candidate.program for result in state.archive.ranked()]
    second = Search(
        dataset, Settings(seconds=None, generations=4, each=8), [], known=known(resumed, dataset), start=3, sink=sink
    )
    second.run()
    for before, after in zip(first.states, second.states, strict=True):
        assert after.archive.best is not None and before.archive.best is not None
        assert after.archive.best.score >= before.archive.best.score
    store.close()


def test_solutions_are_made_simple_and_validated(dataset: Dataset) -> None:
    from arcloom import parse

    library = parse("def solve_mirror(I):\n    return vmirror(hmirror(hmirror(I)))\n")
    search = Search(dataset, Settings(seconds=None, generations=1), library)
    reviews = Reviews(search.evolution.arena, Validator(workers=0))
    search.evolution.reviews = [("simplifying", reviews.simplify), ("validating", reviews.validate)]
    search.run()
    best = search.states[0].archive.best
    assert best is not None and (best.solved, best.size) == (True, 1)
