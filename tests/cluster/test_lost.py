"""The coordinator and lost workers: whether their tasks are blamed, and refused machines."""

from arcloom.cluster.coordinator import Coordinator, Journal
from arcloom.cluster.messages import Done, Status, Unit, Usage
from arcloom.cluster.pool import Joined, Lost, PoolEvent, Refused, Replied
from arcloom.store import Store, runs
from search.small import MIRROR


class LosingPool:
    """Loses the first three workers during their first units. The fourth one completes its unit."""

    size = 1

    def __init__(self, *, blamed: bool) -> None:
        self._blamed = blamed
        self._events: list[PoolEvent] = [Joined(0), Refused("node 10.0.0.9 has arcloom 1")]

    def send(self, worker: int, unit: Unit) -> None:
        settled = {task: Status(1, 1, True, True, 0, 1000) for task in unit.tasks}
        lost: list[PoolEvent] = [Lost(worker, "gone", self._blamed), Joined(worker + 1)]
        self._events += lost if worker < 3 else [Replied(worker, Done([], settled, Usage()))]

    def wait(self, seconds: float) -> list[PoolEvent]:
        events, self._events = self._events, []
        return events

    def retire(self, worker: int) -> None:
        raise AssertionError

    def close(self) -> None:
        pass


def searched(*, blamed: bool) -> Coordinator:
    with Store.in_memory() as store:
        run = runs.begin_run(store, "solve", versions={}, seed=0, settings={})
        coordinator = Coordinator([MIRROR], LosingPool(blamed=blamed), Journal(store, run), generations=1)
        coordinator.run()
    return coordinator


def test_a_task_is_not_skipped_because_its_nodes_left() -> None:
    found = searched(blamed=False)
    assert found.problems == ["node 10.0.0.9 has arcloom 1"]
    assert found.progress().settled == 1


def test_a_task_that_ends_workers_is_skipped() -> None:
    found = searched(blamed=True)
    assert found.problems[1:] == ["task mirror is skipped after it failed twice; a worker was lost: gone"]
    assert found.progress().settled == 0
