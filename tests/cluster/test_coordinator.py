"""The coordinator: results do not depend on the distribution, interruption and resumption of work."""

import json
from pathlib import Path

import pytest

from arcloom.cluster.coordinator import SUBMISSION, Coordinator, Journal, SearchProgress
from arcloom.cluster.messages import FailedUnit, Unit
from arcloom.cluster.pool import InlinePool, Joined, Lost, PoolEvent, Replied
from arcloom.cluster.worker import Worker
from arcloom.search.loop.submission import score
from arcloom.store import Store, StoreError, runs
from arcloom.tasks.task import Dataset, Pair, Task
from cluster.small import REAL, begun, contents, real_tasks, searched, setup

GENERATIONS = 9


class Several:
    """Workers in this process that take turns. At intervals one is lost, together with its states."""

    def __init__(self, workers: int, lose_every: int = 0) -> None:
        self._next, self._lose_every, self._sent = workers, lose_every, 0
        self._workers = {number: Worker(setup()) for number in range(workers)}
        self._events: list[PoolEvent] = [Joined(number) for number in self._workers]

    @property
    def size(self) -> int:
        return len(self._workers)

    def send(self, worker: int, unit: Unit) -> None:
        self._sent += 1
        if self._lose_every and self._sent % self._lose_every == 0:
            self._events.append(Lost(worker, "it was ended by SIGKILL"))
            self.retire(worker)
        else:
            self._events.append(Replied(worker, self._workers[worker].run(unit)))

    def wait(self, seconds: float) -> list[PoolEvent]:
        events, self._events = self._events, []
        return events

    def retire(self, worker: int) -> None:
        self._workers[self._next] = self._workers.pop(worker)
        self._workers[self._next]._states.clear()
        self._workers[self._next]._sent.clear()
        self._events.append(Joined(self._next))
        self._next += 1

    def close(self) -> None:
        pass


@pytest.fixture(scope="module")
def alone() -> tuple[Coordinator, list[object]]:
    """A search with one worker and no interruption, and the state of its tasks."""
    store = Store.in_memory()
    run = begun(store)
    coordinator = searched(real_tasks(), store, run, GENERATIONS)
    return coordinator, [contents(store, run, task) for task in real_tasks()]


def test_it_solves_tasks(alone: tuple[Coordinator, list[object]]) -> None:
    coordinator, _ = alone
    assert set(score(coordinator.answers, real_tasks()).solved) >= {"3c9b0459", "d037b0a7"}
    progress = coordinator.progress()
    assert progress.tasks == len(REAL)
    assert 1 < progress.generation <= GENERATIONS, "a task may be settled before"
    assert {"library", "enumeration", "mutation"} <= coordinator.sources.keys()


@pytest.mark.parametrize(("workers", "lose_every"), [(3, 0), (2, 4)])
def test_the_number_of_workers_and_their_loss_make_no_difference(
    alone: tuple[Coordinator, list[object]], workers: int, lose_every: int
) -> None:
    store = Store.in_memory()
    run = begun(store)
    coordinator = searched(real_tasks(), store, run, GENERATIONS, Several(workers, lose_every))
    assert coordinator.answers == alone[0].answers
    assert [contents(store, run, task) for task in real_tasks()] == alone[1]
    assert coordinator.problems == []


def test_a_resumed_run_ends_as_if_it_had_not_been_interrupted(alone: tuple[Coordinator, list[object]]) -> None:
    store = Store.in_memory()
    run = begun(store)
    for generations in (2, 5, GENERATIONS):
        again = runs.resume_run(store, run, versions={}, settings={"data": "few"})
        coordinator = searched(real_tasks(), store, again, generations)
    assert coordinator.answers == alone[0].answers
    assert [contents(store, run, task) for task in real_tasks()] == alone[1]


def test_test_outputs_make_no_difference(alone: tuple[Coordinator, list[object]]) -> None:
    tasks = real_tasks()
    wrong = [Task(t.id, t.train, tuple(Pair(p.input, ((9,),)) for p in t.test)) for t in tasks]
    store = Store.in_memory()
    assert searched(Dataset("few", tuple(wrong)), store, begun(store), GENERATIONS).answers == alone[0].answers


class Broken(InlinePool):
    """A worker that fails whenever one of its tasks is this one."""

    def __init__(self, task: str) -> None:
        super().__init__(Worker(setup()))
        self._task = task

    def send(self, worker: int, unit: Unit) -> None:
        if self._task in unit.tasks:
            self._events.append(Replied(worker, FailedUnit(unit.tasks, "Traceback: a bug")))
        else:
            super().send(worker, unit)


def test_a_task_that_fails_twice_is_skipped_and_reported(alone: tuple[Coordinator, list[object]]) -> None:
    store = Store.in_memory()
    coordinator = searched(real_tasks(), store, begun(store), GENERATIONS, Broken(REAL[1]))
    [problem] = coordinator.problems
    assert f"task {REAL[1]} is skipped after it failed twice" in problem and "a bug" in problem
    for task in set(REAL) - {REAL[1]}:
        assert coordinator.answers[task] == alone[0].answers[task]


def test_a_stop_drops_the_units_in_flight_and_writes(tmp_path: Path) -> None:
    store = Store.in_memory()
    pool = InlinePool(Worker(setup()))
    coordinator = Coordinator(real_tasks().tasks, pool, Journal(store, begun(store)), out=tmp_path)

    def stop(progress: SearchProgress) -> None:
        coordinator.stop()

    coordinator.run(stop)
    assert coordinator.stopped
    assert json.loads((tmp_path / SUBMISSION).read_text(encoding="utf-8")).keys() == set(REAL)


def test_a_search_without_time_still_writes(tmp_path: Path) -> None:
    store = Store.in_memory()
    pool = InlinePool(Worker(setup()))
    Coordinator(real_tasks().tasks, pool, Journal(store, begun(store)), seconds=0.0, out=tmp_path).run()
    found = json.loads((tmp_path / SUBMISSION).read_text(encoding="utf-8"))
    assert list(found) == sorted(REAL), "tasks are in the order of their ids"


def test_the_submission_is_written_even_if_nothing_can_be_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise StoreError("the disk is full")

    store = Store.in_memory()
    journal = Journal(store, begun(store))
    monkeypatch.setattr(runs, "add_deltas", full)
    pool = InlinePool(Worker(setup()))
    with pytest.raises(StoreError, match="full"):
        Coordinator(real_tasks().tasks, pool, journal, generations=1, out=tmp_path).run()
    assert json.loads((tmp_path / SUBMISSION).read_text(encoding="utf-8")).keys() == set(REAL)


def test_a_worker_with_too_much_memory_is_replaced(alone: tuple[Coordinator, list[object]]) -> None:
    store = Store.in_memory()
    pool = Several(1)
    journal = Journal(store, begun(store))
    coordinator = Coordinator(real_tasks().tasks, pool, journal, generations=GENERATIONS, memory=1)
    coordinator.run()
    assert coordinator.answers == alone[0].answers
    assert pool._next > 2


def test_a_task_without_demonstrations_gets_guesses() -> None:
    store = Store.in_memory()
    nothing = Dataset("d", (Task("a", (), (Pair(((4,),)),)),))
    [answer] = searched(nothing, store, begun(store), 3).answers["a"]
    assert (answer.attempts, answer.confidence) == ((((4,),), ((0,),)), 0.0)
