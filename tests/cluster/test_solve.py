"""``arcloom.solve``: budgets, options, results, and the start and end of worker processes."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import arcloom
from arcloom.cluster.budget import BudgetError, seconds_of, time_text
from arcloom.cluster.coordinator import SearchProgress
from arcloom.cluster.pool import ClusterError, Joined, Lost
from arcloom.cluster.processes import ProcessPool
from arcloom.cluster.solve import Options, SettingsError, Shard, Stopper, solve
from arcloom.library import bundled
from arcloom.search.loop.source import Source
from arcloom.store import Store, StoreError
from arcloom.store.lock import locked
from cluster.small import REAL, real_tasks, setup

GENERATIONS = 3


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90), ("10m", 600), ("2h", 7200), ("1h30m", 5400), ("0.5m", 30), (" 3S ", 3)]
)
def test_budgets(text: str, seconds: float) -> None:
    assert seconds_of(text) == seconds


@pytest.mark.parametrize("text", ["", "10", "m", "-5m", "ten minutes", "5d", "1m 2s", "0s", "1.2.3s"])
def test_texts_that_are_no_budget(text: str) -> None:
    with pytest.raises(BudgetError, match="such as 90s"):
        seconds_of(text)


@pytest.mark.parametrize("text", ["", "3", "0/4", "5/4", "1/0", "a/b", "-1/2"])
def test_texts_that_are_no_shard(text: str) -> None:
    with pytest.raises(SettingsError, match="such as 1/4"):
        Shard.of(text)


def test_shards_divide_a_dataset() -> None:
    parts = [Shard.of(f"{k}/3").tasks(real_tasks()).ids for k in (1, 2, 3)]
    assert sorted(id for part in parts for id in part) == sorted(REAL)
    assert [len(part) for part in parts] == [2, 2, 1]


def test_invalid_options_are_refused() -> None:
    for options, message in (
        (Options(seconds=1, workers=0), "at least one worker"),
        (Options(), "a budget or a number of generations"),
        (Options(seconds=1, resume=True), "nothing to resume"),
    ):
        with pytest.raises(SettingsError, match=message):
            options.check()


def test_the_submission_is_the_same_for_any_number_of_workers(tmp_path: Path) -> None:
    files = []
    for workers in (1, 2, 5):
        out = tmp_path / str(workers)
        found = solve(real_tasks(), generations=GENERATIONS, workers=workers, out=out, setup=setup())
        assert found.problems == []
        files.append((out / "submission.json").read_bytes())
    assert files[0] == files[1] == files[2]
    assert json.loads(files[0]).keys() == set(REAL)


def test_a_result_has_answers_programs_and_scores() -> None:
    training = arcloom.load("arcagi:training")
    task = training["3c9b0459"]
    found = arcloom.solve(task, 60, generations=2, workers=1, setup=setup())
    assert found.score.solved == ("3c9b0459",)
    [answer] = found.answers["3c9b0459"]
    assert task.test[0].output in answer.attempts
    assert found.confidence == {"3c9b0459": [answer.confidence]}
    best = found.programs("3c9b0459")[0]
    assert [best.evaluate({"I": pair.input}) for pair in task.samples] == [pair.output for pair in task.samples]
    assert found.found_by("3c9b0459") in ("library", "enumeration", "repair")
    assert found.progress.solved == 1 and not found.stopped


def test_hiding_own_programs() -> None:
    task = arcloom.load("arcagi:training")["3c9b0459"]
    own = [str(program) for program in bundled() if program.name == "solve_3c9b0459"]
    shown, hidden = (
        solve(task, generations=1, workers=1, hide_own=hide, setup=setup(0, library=own)) for hide in (False, True)
    )
    assert shown.progress.solved == 1
    assert hidden.progress.solved == 0


def test_a_budget_ends_the_search() -> None:
    found = solve(real_tasks(), "6s", workers=1, setup=setup())
    assert found.progress.generation > 0 and not found.stopped


def test_a_stop_from_outside_ends_the_search(tmp_path: Path) -> None:
    stopper = Stopper()

    def watch(progress: SearchProgress) -> None:
        stopper.stop()

    found = solve(real_tasks(), "10m", workers=1, out=tmp_path, setup=setup(), watch=watch, stopper=stopper)
    assert found.stopped
    assert (tmp_path / "submission.json").exists()


def test_a_stop_before_the_beginning_still_writes(tmp_path: Path) -> None:
    found = solve(real_tasks(), "10m", workers=1, out=tmp_path, setup=setup(), stopper=Stopper(asked=True))
    assert found.stopped and (tmp_path / "submission.json").exists()


def test_a_store_in_use_is_refused_with_the_process(tmp_path: Path) -> None:
    with (
        locked(tmp_path / "library.sqlite"),
        pytest.raises(StoreError, match=f"in use by another arcloom .process {os.getpid()}"),
    ):
        solve(real_tasks(), generations=1, workers=1, out=tmp_path, setup=setup())
    assert not (tmp_path / "submission.json").exists()


def test_a_script_needs_no_main_guard(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import arcloom\n"
        "from arcloom.search.setup import Setup\n"
        "task = arcloom.load('arcagi:training')['68b16354']\n"
        "small = Setup(bundled=False, derived=False, operations=['hmirror_grid'])\n"
        "print(arcloom.solve(task, generations=2, workers=1, setup=small).score.solved)\n",
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert done.stdout == "('68b16354',)\n"


# Worker processes


def test_a_killed_worker_is_replaced() -> None:
    pool = ProcessPool(1, setup())
    try:
        assert wait_for(pool, 1) == [Joined(0)]
        os.kill(pool.pids[0], signal.SIGKILL)
        events = wait_for(pool, 2)
        assert events == [Lost(0, "it was ended by SIGKILL"), Joined(1)]
    finally:
        pool.close()


def wait_for(pool: ProcessPool, count: int) -> list[object]:
    found: list[object] = []
    end = time.monotonic() + 60
    while len(found) < count and time.monotonic() < end:
        found += pool.wait(0.2)
    return found


def broken_source() -> Source:
    raise RuntimeError("no such source")


@pytest.fixture
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the sources that are defined here importable in worker processes."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))


@pytest.mark.usefixtures("importable")
def test_workers_that_cannot_start_are_an_error() -> None:
    with pytest.raises(ClusterError, match=r"the workers cannot be started.*no such source"):
        solve(real_tasks(), generations=1, workers=1, setup=setup(extra=[broken_source]))


def exiting_source() -> Source:
    from arcloom.search.sources.repair import Repair

    class Exiting(Repair):
        def propose(self, request):  # type: ignore[no-untyped-def]
            if any(state.task.id == REAL[2] for state in request.states):
                os._exit(3)
            return iter(())

    return Exiting()


def test_a_source_that_workers_cannot_import_is_an_error() -> None:
    with pytest.raises(ClusterError, match=r"the workers cannot be started.*No module named"):
        solve(real_tasks(), generations=1, workers=1, setup=setup(extra=[broken_source]))


@pytest.mark.usefixtures("importable")
def test_a_task_that_kills_its_worker_twice_is_skipped() -> None:
    found = solve(real_tasks(), generations=2, workers=1, setup=setup(extra=[exiting_source]))
    [problem] = found.problems
    assert f"task {REAL[2]} is skipped after it failed twice; a worker was lost" in problem
    other = solve(real_tasks(), generations=2, workers=1, setup=setup())
    for task in set(REAL) - {REAL[2]}:
        assert found.answers[task] == other.answers[task]


@pytest.mark.usefixtures("importable")
def test_a_search_in_which_every_task_fails_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ClusterError, match=r"every task failed.*a worker was lost"):
        solve(real_tasks().tasks[2], generations=2, workers=1, out=tmp_path, setup=setup(extra=[exiting_source]))
    assert (tmp_path / "submission.json").exists()


@pytest.mark.skipif(not Path("/proc").exists(), reason="processes are listed in /proc only on Linux")
def test_no_worker_outlives_a_killed_coordinator(tmp_path: Path) -> None:
    code = (
        "import sys; from arcloom.cluster.processes import ProcessPool; from arcloom.search.setup import Setup\n"
        "pool = ProcessPool(2, Setup(bundled=False, derived=False, operations=['hmirror_grid']))\n"
        "print(*pool.pids.values(), flush=True)\n"
        "while True: pool.wait(1)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        workers = [int(pid) for pid in process.stdout.readline().split()]
        process.kill()
    assert len(workers) == 2
    end = time.monotonic() + 30
    while any(map(lives, workers)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not any(map(lives, workers))


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_the_store_has_the_run(tmp_path: Path) -> None:
    from arcloom.store import runs

    solve(real_tasks(), generations=2, workers=2, out=tmp_path, setup=setup())
    with Store.open(tmp_path / "library.sqlite") as store:
        [run] = runs.runs(store, "solve")
        assert run.ended is not None and run.settings["data"] == "few"
        steps = runs.steps(store, run)
        assert {step.task.id for step in steps} == set(REAL)
        assert all(sum(step.counts.values()) > 0 for step in steps if step.generation == 1)
        assert len(runs.attempts(store, run)) == len(REAL)


@pytest.mark.parametrize(
    ("seconds", "text"), [(45.0, "45s"), (600.0, "10m"), (7200.0, "2h"), (90.0, "90s"), (0.5, "0.5s")]
)
def test_durations_as_texts(seconds: float, text: str) -> None:
    assert time_text(seconds) == text
    assert seconds_of(text) == seconds
