"""The schedule: the order of tasks, their assignment to workers, and the handling of failed tasks."""

from arcloom.cluster.messages import Status
from arcloom.cluster.schedule import FAILURES, IDLE, LARGEST, STEAL, TARGET, WAIT, Schedule


def status(generation: int, *, solutions: int = 0, settled: bool = False, idle: int = 0) -> Status:
    return Status(generation, solutions, solutions > 0, settled, idle, 0)


def advance(schedule: Schedule, tasks: list[str], generation: int, seconds: float = 1.0, solutions: int = 0) -> None:
    schedule.done(tasks, {task: status(generation, solutions=solutions) for task in tasks}, seconds)


def ran(schedule: Schedule, worker: int = 0, workers: int = 100) -> str:
    [task] = schedule.take(worker, workers)
    return task


def test_the_task_with_the_fewest_generations_comes_next() -> None:
    schedule = Schedule("abc")
    order = []
    for generation in (1, 2):
        for _ in range(3):
            order.append(ran(schedule))
            advance(schedule, order[-1:], generation)
    assert order == ["a", "b", "c"] * 2


def test_tasks_with_a_solution_wait() -> None:
    schedule = Schedule("ab")
    advance(schedule, schedule.take(0, 100), 1, solutions=1)
    for generation in range(1, WAIT + 2):
        assert ran(schedule) == "b"
        advance(schedule, ["b"], generation)
    assert ran(schedule) == "a"


def test_units_are_as_large_as_fits_the_time() -> None:
    schedule = Schedule([str(k) for k in range(100)])
    first = schedule.take(0, 2)
    assert len(first) == 4, "nothing is known yet"
    advance(schedule, first, 1, seconds=4 * TARGET / 10)
    assert len(schedule.take(0, 2)) == 10
    assert len(schedule.take(1, 2, left=TARGET / 5)) == 2
    advance(schedule, first, 1, seconds=0.0001)
    assert len(schedule.take(2, 2)) <= LARGEST


def test_a_unit_leaves_work_for_the_other_workers() -> None:
    schedule = Schedule("abcd")
    assert [len(schedule.take(worker, 4)) for worker in range(4)] == [1, 1, 1, 1]
    assert schedule.take(4, 4) == []


def test_tasks_of_one_unit_are_in_one_generation() -> None:
    schedule = Schedule("abcd")
    advance(schedule, schedule.take(0, 1), 1)
    schedule.update("a", status(3))
    assert schedule.take(0, 1) == ["b", "c", "d"]


def test_a_task_stays_with_its_worker_unless_it_falls_behind() -> None:
    schedule = Schedule("ab")
    assert (ran(schedule, 0), ran(schedule, 1)) == ("a", "b")
    advance(schedule, ["b"], 1)
    advance(schedule, ["a"], 0)
    assert ran(schedule, 1) == "b", "the other worker's task is hardly behind"
    advance(schedule, ["b"], STEAL + 1)
    assert ran(schedule, 1) == "a"


def test_an_idle_worker_takes_over_a_task() -> None:
    schedule = Schedule("ab")
    assert schedule.take(0, 1) == ["a", "b"]
    advance(schedule, ["a", "b"], 1)
    assert len(schedule.take(1, 2)) == 1


def test_tasks_end() -> None:
    schedule = Schedule("abcd", generations=5)
    schedule.update("a", status(5))
    schedule.update("b", status(1, solutions=9, settled=True))
    schedule.update("c", status(4, idle=IDLE))
    assert not schedule.finished and ran(schedule) == "d"
    schedule.end("d")
    assert schedule.finished and schedule.take(0, 1) == []


def test_tasks_of_a_failed_unit_are_tried_one_by_one_and_skipped_after_two_failures() -> None:
    schedule = Schedule("abc")
    unit = schedule.take(0, 1)
    assert unit == ["a", "b", "c"]
    schedule.failed(unit)
    for _ in range(FAILURES):
        assert schedule.take(1, 1) == ["a"]
        schedule.failed(["a"])
    assert schedule.skipped == ["a"]
    assert schedule.take(1, 1) == ["b"]


def test_tasks_of_a_lost_worker_go_to_others() -> None:
    schedule = Schedule("ab")
    unit = schedule.take(0, 1)
    advance(schedule, unit, 5)
    assert schedule.lost(0) == ["a", "b"]
    assert schedule.take(1, 1) == ["a", "b"]
