"""The search as a whole: what it writes, that it repeats, that answers stay out of it, and how it ends."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from arcloom.search.solve import BudgetError, Outcome, Search, Settings, seconds_of

import arcloom
from arcloom.library import bundled
from arcloom.program.keys import Keys
from arcloom.search import solve as solving
from arcloom.search.loop.candidate import Candidate, Evaluated, Lineage
from arcloom.search.loop.source import Memory, Turn
from arcloom.search.loop.state import TaskState
from arcloom.search.loop.submission import Answer, answers, score, to_json, write
from arcloom.search.sources.card import Card, Deal
from arcloom.store import StoreError
from arcloom.tasks.task import Dataset, Pair, Task

FEW = Settings(seconds=None, generations=4, seed=7, each=8)
REAL = ("3c9b0459", "25ff71a9", "0d3d703e", "ce9e57f2", "d037b0a7")


def real_tasks() -> Dataset:
    tasks = arcloom.load("arcagi:training")
    return Dataset("few", tuple(tasks[id] for id in REAL))


def searched(dataset: Dataset, settings: Settings = FEW, out: Path | None = None, library: int = 30) -> Outcome:
    return Search(dataset, settings, bundled()[:library], out=out).run()


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90), ("10m", 600), ("2h", 7200), ("1h30m", 5400), ("0.5m", 30), (" 3S ", 3)]
)
def test_budgets(text: str, seconds: float) -> None:
    assert seconds_of(text) == seconds


@pytest.mark.parametrize("text", ["", "10", "m", "-5m", "ten minutes", "5d", "1m 2s", "0s", "1.2.3s"])
def test_what_is_no_budget(text: str) -> None:
    with pytest.raises(BudgetError, match="such as 90s"):
        seconds_of(text)


def test_hiding_the_answers_changes_nothing(tmp_path: Path) -> None:
    shown = real_tasks()
    hidden = Dataset("few", tuple(task.without_answers() for task in shown))
    wrong = Dataset("few", tuple(replace(t, test=tuple(Pair(p.input, ((9,),)) for p in t.test)) for t in shown))
    files = []
    for k, dataset in enumerate((shown, hidden, wrong)):
        searched(dataset, out=tmp_path / str(k))
        files.append((tmp_path / str(k) / "submission.json").read_bytes())
    assert files[0] == files[1] == files[2]
    assert json.loads(files[0]).keys() == set(REAL)


def test_the_seed_decides() -> None:
    tasks = real_tasks()
    first, again, other = (
        [r.candidate.program.digest for turn in sink.turns for r in turn.kept]
        for sink, seed in ((Memory(), 1), (Memory(), 1), (Memory(), 2))
        if Search(tasks, replace(FEW, seed=seed), bundled()[:16], sink=sink).run()
    )
    assert first == again != other


def test_the_own_program_is_dealt_first_unless_it_is_hidden(dataset: Dataset) -> None:
    own = arcloom.parse("def solve_mirror(I):\n    return vmirror(I)\ndef solve_b(I):\n    return I\n")
    states = [TaskState(task) for task in dataset]
    first = Deal(own).ask(states, 1, 0)
    assert [(c.task, c.program.name) for c in first][:2] == [("mirror", "solve_mirror"), ("mirror", "solve_b")]
    hidden = [c for deal in [Deal(own, hide_own=True)] for g in range(3) for c in deal.ask(states, 1, g)]
    assert ("mirror", "solve_mirror") not in {(c.task, c.program.name) for c in hidden}
    assert len(hidden) == 2 * len(states) - 1


def test_colours_of_another_task_are_adapted(dataset: Dataset) -> None:
    library = arcloom.parse("def solve_elsewhere(I):\n    return replace(I, ONE, TWO)\n")
    settings = Settings(seconds=None, generations=6, each=16)
    outcome = Search(dataset, settings, library).run()
    assert "paint" in score(outcome.answers, dataset).solved
    assert outcome.progress.solved >= 1


def test_every_test_input_has_two_different_attempts(dataset: Dataset) -> None:
    outcome = Search(dataset, FEW, []).run()
    assert {id: len(tests) for id, tests in outcome.answers.items()} == {"mirror": 1, "paint": 2, "riddle": 1}
    for tests in outcome.answers.values():
        for answer in tests:
            assert answer.attempts[0] != answer.attempts[1]


def test_a_task_that_shows_nothing_is_guessed() -> None:
    nothing_shown = Dataset("d", (Task("a", (), (Pair(((4,),)),)),))
    assert searched(nothing_shown).answers["a"] == [Answer((((4,),), ((0,),)), 0.0)]


def test_devices_give_the_same(dataset: Dataset) -> None:
    compiled, plain = (
        searched(dataset, replace(FEW, generations=2, device=device)).answers for device in ("cpu", "reference")
    )
    assert compiled == plain
    assert score(plain, dataset).solved == ("mirror", "paint")


def test_what_is_guessed_without_any_program() -> None:
    pairs = tuple(Pair(((k, k), (k, k)), ((1, k),)) for k in (2, 3, 3))
    [answer] = answers([TaskState(Task("a", pairs, (Pair(((4,),)),)))])["a"]
    assert answer == Answer((((1, 3),), ((4,),)), 0.0)


def test_the_submission_is_what_kaggle_takes(tmp_path: Path) -> None:
    found = {"a": [Answer((((1, 2),), ((3,),)), 0.5)]}
    assert to_json(found) == {"a": [{"attempt_1": ((1, 2),), "attempt_2": ((3,),)}]}
    path = tmp_path / "deep" / "submission.json"
    write(found, path)
    write(found, path)
    assert json.loads(path.read_text(encoding="utf-8")) == {"a": [{"attempt_1": [[1, 2]], "attempt_2": [[3]]}]}
    assert list(path.parent.iterdir()) == [path]


def test_the_score_counts_single_tests_and_leaves_out_what_is_unknown(dataset: Dataset) -> None:
    right = [Answer((pair.output or (), ((0,),)), 1.0) for pair in dataset["paint"].test]
    wrong = Answer((((5,),), ((6,),)), 1.0)
    data = Dataset("d", (dataset["paint"], dataset["mirror"], dataset["riddle"].without_answers()))
    found = score({"paint": [right[0], wrong], "mirror": [wrong], "riddle": [wrong]}, data)
    assert (found.tasks, found.known, found.points, found.solved) == (3, 2, 0.5, ())
    assert score({"paint": right, "mirror": [wrong], "riddle": [wrong]}, data).solved == ("paint",)


def test_no_program_is_tried_twice_on_a_task() -> None:
    seen: list[tuple[str, str]] = []

    class Spy(Memory):
        def tell(self, results: Sequence[Evaluated]) -> None:
            seen.extend((r.candidate.task, r.candidate.program.digest) for r in results)

        def ask(self, states: Sequence[TaskState], each: int, generation: int) -> list[Candidate]:
            program = arcloom.parse("def solve_x(I):\n    return rot90(I)\n")[0]
            return [Candidate(state.task.id, program, Lineage("x")) for state in states]

    Search(real_tasks(), FEW, bundled()[:16], extra=[Spy()]).run()
    assert len(seen) == len(set(seen)) > 100


def test_settled_tasks_leave_their_time_to_others(dataset: Dataset) -> None:
    text = "def solve_a(I):\n    return vmirror(I)\ndef solve_b(I):\n    return rot180(hmirror(I))\n"
    text += "def solve_c(I):\n    return hmirror(rot180(I))\n"
    search = Search(dataset, Settings(seconds=None, generations=3, each=8), arcloom.parse(text))
    search.run()
    mirror, paint, _ = search.states
    assert mirror.settled and mirror.solutions == 3 and len(mirror.tried) == 3
    assert len(paint.tried) > 10


def test_a_stop_drops_the_generation_in_flight_and_still_writes(tmp_path: Path) -> None:
    search = Search(real_tasks(), replace(FEW, generations=50), bundled()[:30], out=tmp_path)
    outcome = search.run(lambda progress: search.stop() if progress.generation == 2 else None)
    assert outcome.stopped and outcome.progress.generation == 2
    assert json.loads((tmp_path / "submission.json").read_text(encoding="utf-8")).keys() == set(REAL)


def test_an_interrupt_still_writes(tmp_path: Path) -> None:
    def interrupt(progress: solving.Progress) -> None:
        raise KeyboardInterrupt

    outcome = Search(real_tasks(), FEW, bundled()[:30], out=tmp_path).run(interrupt)
    assert outcome.stopped and (tmp_path / "submission.json").exists()


def test_a_search_ends_when_there_is_no_time_for_another_generation(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    search = Search(real_tasks(), Settings(seconds=10, each=2), bundled()[:30], clock=lambda: now[0])
    step = search.evolution.step

    def slow() -> int:
        now[0] += 4
        return step()

    monkeypatch.setattr(search.evolution, "step", slow)
    assert search.run().progress.generation == 2


def test_loading_is_part_of_the_budget_and_one_generation_is_run_all_the_same() -> None:
    search = Search(real_tasks(), Settings(seconds=10, each=2), bundled()[:30], spent=11.0, clock=lambda: 0.0)
    assert not search.goes_on()
    outcome = search.run()
    assert (outcome.progress.generation, outcome.progress.left, outcome.stopped) == (1, -1.0, False)


def test_exploring_ends_when_the_rest_of_a_generation_needs_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now, asked = [0.0], []
    search = Search(real_tasks(), Settings(seconds=20, each=2), bundled()[:30], clock=lambda: now[0])
    step = search.evolution.step

    def slow() -> int:
        asked.append([search.goes_on() for now[0] in (now[0], now[0] + 3, now[0] + 5)])
        return step()

    monkeypatch.setattr(search.evolution, "step", slow)
    assert search.run().progress.generation == 3
    assert asked == [[True, True, True], [True, True, True], [True, True, False]]


def test_what_is_found_is_written_even_if_it_cannot_be_kept(dataset: Dataset, tmp_path: Path) -> None:
    class Full(Memory):
        def add_generation(self, turn: Turn) -> None:
            if turn.generation == 1:
                raise StoreError("the disk is full")

    search = Search(dataset, FEW, bundled()[:30], sink=Full(), out=tmp_path)
    with pytest.raises(StoreError, match="full"):
        search.run()
    assert json.loads((tmp_path / "submission.json").read_text(encoding="utf-8")).keys() == {t.id for t in dataset}


def test_there_is_a_submission_from_the_beginning(dataset: Dataset, tmp_path: Path) -> None:
    found: list[bool] = []
    search = Search(dataset, FEW, bundled()[:30], out=tmp_path)
    search.run(lambda progress: found.append((tmp_path / "submission.json").exists()))
    assert found and all(found)


def test_what_an_earlier_run_kept_comes_first(dataset: Dataset) -> None:
    program = arcloom.parse("def solve_x(I):\n    return vmirror(I)\n")[0]
    known = [Candidate("mirror", program, Lineage("found before"))]
    search = Search(dataset, Settings(seconds=None, generations=1), [], known=known)
    assert search.run().progress.solved == 1


def test_a_run_goes_on_where_another_stopped(dataset: Dataset) -> None:
    text = "".join(f"def solve_{k}(I):\n    return upscale(I, {k})\n" for k in range(2, 6))
    sink = Memory()
    settings = Settings(seconds=None, generations=4, each=1)
    Search(dataset, settings, arcloom.parse(text), start=3, sink=sink).run()
    assert [turn.generation for turn in sink.turns] == [3]
    assert {result.candidate.program.name for result in sink.turns[0].kept} == {"solve_5"}


def test_reviews_see_what_would_be_kept_and_may_leave_it_out(dataset: Dataset) -> None:
    seen: list[Evaluated] = []

    def nothing_of(results: Sequence[Evaluated]) -> Sequence[Evaluated]:
        seen.extend(results)
        return [result for result in results if not result.solved]

    library = arcloom.parse("def solve_mirror(I):\n    return vmirror(I)\n")
    search = Search(dataset, Settings(seconds=None, generations=1), library, reviews=[("validating", nothing_of)])
    assert search.run().progress.solved == 0
    assert any(result.solved for result in seen)
    assert "validating" in {section.name for section in search.stopwatch.sections()}


def test_the_parts_of_the_profile_add_up() -> None:
    search = Search(real_tasks(), FEW, bundled()[:30])
    search.run()
    sections = {section.name: section.seconds for section in search.stopwatch.sections()}
    whole = search.stopwatch.elapsed
    assert abs(sum(sections.values()) - whole) < 0.03 * whole
    assert {"loading", "dealing", "tracing", "merging", "running", "scoring", "storing", "other"} <= sections.keys()


def test_a_card_deals_no_more_than_it_is_asked_for_and_nothing_tried() -> None:
    states = [TaskState(task) for task in real_tasks()]
    keys = Keys()
    card = Card(bundled()[:30], keys, seed=1, after=2)
    assert card.ask(states, 5, 1) == []
    first = card.ask(states, 5, 2)
    assert len(first) == 5 * len(states)
    for candidate in first:
        [state] = [state for state in states if state.task.id == candidate.task]
        state.tried.add(keys(candidate.program))
    again = card.ask(states, 5, 2)
    assert {(c.task, c.program.digest) for c in again}.isdisjoint((c.task, c.program.digest) for c in first)
