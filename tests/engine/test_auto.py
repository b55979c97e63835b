"""The device ``auto``: it has the results of the other devices, and small jobs need no compiler."""

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import arcloom
from arcloom.dsl import PRIMITIVES
from arcloom.dsl.signature import INT
from arcloom.dsl.work import PROBE, Allowance, Exhausted
from arcloom.engine.devices import auto, cpu, device_of
from arcloom.engine.outputs import Outputs
from arcloom.engine.results import Results
from arcloom.library import bundled

GRID = tuple(tuple((3 * i + j * j) % 5 for j in range(7)) for i in range(6))
SAMPLES = [{"I": grid, "S": ((grid, GRID),), "C": grid} for grid in (GRID, GRID[:2], ((0,),))]

MIXED = """
def right(I):
    return hconcat(I, vmirror(I))

def failing(I):
    x1 = ofcolor(I, FOUR)
    O = subgrid(x1, I)
    return O

def untyped(I):
    return subgrid(ONE, I)

def untyped_with_a_value(I):
    x1 = initset(ONE)
    x2 = insert(ORIGIN, x1)
    O = size(x2)
    return O

def no_grid(I):
    return apply(size, objects(I, T, F, F))
"""

HEAVY = """
def heavy(I):
    x1 = asindices(upscale(I, SEVEN))
    x2 = manhattan(x1, shift(x1, astuple(90, 90)))
    O = canvas(ONE, astuple(x2, ONE))
    return O
"""
"""A program whose patches have 2,058 cells for the first sample, so that the reference compares 4 million pairs."""

pytestmark = pytest.mark.usefixtures("new_process")


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the device choose as if all kernels were in the cache."""
    monkeypatch.setattr(auto, "_compilation", lambda batt: 0)


def outcomes(results: Results) -> tuple[Any, ...]:
    found = [[results.outcomes.value(p, s) for s in rows] for p, rows in enumerate(results.rows)]
    errors = {p: (error.line, error.message) for p, error in results.untyped.items()}
    return found, errors, results.fallback_programs


def ran_on(text: str) -> str:
    return arcloom.run(arcloom.parse(text), SAMPLES).device


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(("text", "chosen"), [(MIXED, "reference"), (MIXED + HEAVY, "cpu")])
def test_results_are_those_of_the_other_devices(text: str, chosen: str) -> None:
    programs = arcloom.parse(text)
    by_device = {device: arcloom.run(programs, SAMPLES, device=device) for device in ("auto", "reference", "cpu")}
    assert by_device["auto"].device == chosen
    assert outcomes(by_device["auto"]) == outcomes(by_device["reference"]) == outcomes(by_device["cpu"])


@pytest.mark.usefixtures("compiled")
def test_a_heavy_program_goes_to_the_engine_before_the_reference_runs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    manhattan = PRIMITIVES["manhattan"]
    monkeypatch.setattr(manhattan, "function", lambda a, b: pytest.fail("the reference ran it"))
    assert ran_on(HEAVY) == "cpu"


@pytest.mark.usefixtures("compiled")
def test_many_programs_go_to_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    programs = bundled()
    large = tuple(tuple((i * j) % 5 for j in range(30)) for i in range(30))
    ran = Results(programs, [], {}, Outputs(0), device="cpu")
    monkeypatch.setattr(cpu.Cpu, "execute", lambda device, programs, job: ran)
    assert arcloom.run(programs, [{"I": large, "S": (), "C": large}]) is ran


@pytest.mark.usefixtures("compiled")
def test_the_work_of_many_small_jobs_adds_up_and_starts_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ran_on(MIXED) == "reference"
    chooser = device_of("auto")
    assert isinstance(chooser, auto.Auto)
    monkeypatch.setattr(chooser, "_spent", PROBE - 1)
    assert ran_on(MIXED) == "cpu"
    assert chooser._spent == 0


def test_the_reference_is_used_as_long_as_it_is_cheaper_than_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "_compilation", lambda batt: 100 * PROBE)
    assert ran_on(HEAVY) == "reference"
    chooser = device_of("auto")
    assert isinstance(chooser, auto.Auto) and PROBE < chooser._spent < 100 * PROBE


def test_the_reference_stops_a_job_projected_to_cost_more_than_compiling() -> None:
    allowance = Allowance(110 * PROBE)
    allowance.prepare(10 * PROBE)
    allowance.project(0, 50)
    allowance.spend(2 * PROBE)
    allowance.project(1, 50)
    with pytest.raises(Exhausted):
        allowance.project(1, 51)


SMALL_JOB = """
import sys
import arcloom
[program] = arcloom.parse("O = hconcat(I, I)")
results = arcloom.run([program], [{"I": ((1, 2),)}])
assert (results.device, results.output(0, 0)) == ("reference", ((1, 2, 1, 2),))
assert not {"numba", "llvmlite", "numpy"} & set(sys.modules)
"""


def test_a_small_job_imports_no_compiler() -> None:
    subprocess.run([sys.executable, "-c", SMALL_JOB], check=True)


def test_a_small_check_imports_no_compiler_and_says_nothing_about_gpus(tmp_path: Path) -> None:
    programs = tmp_path / "mine.py"
    programs.write_text("def solve_a416b8f3(I):\n    O = hconcat(I, I)\n    return O\n", encoding="utf-8")
    command = ["-X", "importtime", "-m", "arcloom", "check", str(programs), "--data", "arcagi:training"]
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=True)
    assert "1 right" in done.stdout and "(reference, " in done.stdout
    lines = done.stderr.splitlines()
    assert [line for line in lines if not line.startswith("import time:")] == []
    assert not {"numba", "llvmlite", "numpy", "rich.progress"} & {line.rpartition("|")[2].strip() for line in lines}


def test_threads_do_not_count_on_each_others_meters() -> None:
    programs = arcloom.parse("O = size(apply(increment, interval(0, n, 1)))")
    found: list[Any] = []

    def work(budget: int) -> None:
        samples = [{"n": 40}] * 50
        results = arcloom.run(programs, samples, device="reference", budget=budget, inputs={"n": INT})
        found.append((budget, {results.output(0, s) for s in range(50)}))

    threads = [threading.Thread(target=work, args=(budget,)) for budget in (20, 1000) * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found, key=lambda entry: entry[0]) == [(20, {None})] * 4 + [(1000, {40})] * 4
