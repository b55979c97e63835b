"""The benchmark against small checkouts: comparison, report and errors. Times are not tested."""

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from arcloom.bench.checkout import BenchError, Checkout, PeerOutcome
from arcloom.bench.measure import GrowthStep, Times, against_linear
from arcloom.bench.peak_memory import peak_megabytes
from arcloom.bench.verdicts import PeerVerdict, agrees, verdict_of
from arcloom.bench.workload import Workload
from arcloom.cli import app
from arcloom.dsl.values import Reason
from arcloom.engine.compile.folders import cache_folder
from arcloom.engine.compile.library import LIBRARY
from arcloom.engine.kernel import KERNELS
from arcloom.engine.memory import Memory
from arcloom.engine.plan import plan_of
from arcloom.engine.results import RowFailure
from arcloom.engine.warm import all_kernels
from arcloom.program.parse import parse
from schemas import documented

GRIDS: list[list[list[int]]] = [[[1, 2], [3, 4]], [[0, 5, 0]], [[7], [0]]]
TASKS = {
    name: {
        "train": [{"input": grid, "output": grid} for grid in GRIDS],
        "test": [{"input": [[8, 0, 8]]}],
    }
    for name in ("flip", "turn")
}
PROGRAMS = """def solve_flip(I):
    O = hmirror(I)
    return O

def solve_turn(I):
    x1 = hmirror(I)
    O = vmirror(x1)
    return O
"""
DSL = """print("this is no answer")

def hmirror(grid):
    return grid[::-1]

def vmirror(grid):
    return tuple(row[::-1] for row in grid)

def objects(grid, univalued, diagonal, without_bg):
    return frozenset()
"""
SOLVERS = f"from dsl import *\nfrom constants import *\n\n{PROGRAMS}"
KEYS = {
    "valid",
    "warnings",
    "own_task_ratio",
    "own_task_ratio_without_slowest",
    "mega_batch_ratio",
    "program_runs_per_second",
    "objects_ns_per_cell",
    "peak_rss_mb",
    "fallback_programs",
    "left_out",
    "conditions",
    "cold",
    "own_task",
    "mega_batch",
    "objects",
    "growth",
    "profile",
    "differences",
}


def checkout(folder: Path, solvers: str = SOLVERS, dsl: str = DSL) -> Path:
    folder.mkdir()
    for name, text in {"dsl": dsl, "solvers": solvers, "constants": "ZERO = 0\n"}.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("tasks.json").write_text(json.dumps(TASKS), encoding="utf-8")
    Path("programs.py").write_text(PROGRAMS, encoding="utf-8")
    return tmp_path


def arc(*args: str) -> Result:
    return CliRunner().invoke(app, args, env={"COLUMNS": "160"}, catch_exceptions=False)


def bench(peer: Path, *options: str) -> Result:
    return arc("bench", "programs.py", "--data", "tasks.json", "--against", str(peer), *options)


def told(result: Result) -> str:
    assert (result.exit_code, result.stdout) == (2, "")
    [line] = result.stderr.splitlines()
    return line


def reported(peer: Path) -> dict[str, Any]:
    result = bench(peer, "--json")
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_an_honest_peer(tmp_path: Path) -> None:
    without_objects = DSL.partition("def objects")[0]
    report = reported(checkout(tmp_path / "peer", dsl=without_objects))
    assert set(report) >= KEYS
    assert report["valid"] and report["fallback_programs"] == 0
    assert report["differences"] == []
    assert report["own_task"]["outcomes"][PeerVerdict.EQUAL] == report["own_task"]["program_runs"] == 8
    assert report["mega_batch"]["outcomes"][PeerVerdict.EQUAL] == report["mega_batch"]["program_runs"] == 16
    assert report["objects"] == [] and report["objects_ns_per_cell"] is None
    assert [step["samples"] for step in report["growth"]["samples"]] == [1, 2, 8]
    assert [step["programs"] for step in report["growth"]["programs"]] == [1, 2]
    own, mega = report["profile"]
    assert {kernel["name"] for kernel in own["kernels"]} == {"hmirror_grid", "vmirror_grid"}
    assert {kernel["name"]: kernel["rows"] for kernel in mega["kernels"]} == {"hmirror_grid": 8, "vmirror_grid": 8}
    assert sum(phase["share"] for phase in mega["phases"]) == pytest.approx(1, abs=0.01)
    assert any("work.py" in function["name"] for function in mega["functions"])
    ratios = ("own_task_ratio", "own_task_ratio_without_slowest", "mega_batch_ratio", "program_runs_per_second")
    assert all(report[ratio] > 0 for ratio in ratios)
    assert report["peak_rss_mb"] > 10
    assert Memory.profile is None


def test_a_lying_peer_is_named(tmp_path: Path) -> None:
    lying = SOLVERS.replace("x1 = hmirror(I)", "x1 = I if len(I) == 1 else 1 / 0")
    lying = lying.replace("O = hmirror(I)", "O = ((9,),) if I == ((7,), (0,)) else hmirror(I)")
    result = bench(checkout(tmp_path / "peer", lying))
    assert result.exit_code == 0
    report = reported(tmp_path / "peer")
    own = report["own_task"]["outcomes"]
    assert (own[PeerVerdict.EQUAL], own[PeerVerdict.DIFFERENT], own[PeerVerdict.ONLY_PEER_FAILS]) == (5, 1, 2)
    first = report["differences"][0]
    assert (first["part"], first["program"], first["sample"]) == ("own task", "solve_flip", "flip train[2]")
    assert (first["ours"], first["theirs"]) == ("((0,), (7,))", "((9,),)")
    raised = [d for d in report["differences"] if d["program"] == "solve_turn" and d["part"] == "own task"]
    assert {d["theirs"] for d in raised} == {"ZeroDivisionError: division by zero"}
    assert report["valid"] and report["mistakes"] == 0  # the reference agrees with the engine, so the peer is wrong
    assert "different outputs" in result.stdout and "flip train[2]" in result.stdout


def test_objects_are_compared_and_timed(tmp_path: Path) -> None:
    report = reported(checkout(tmp_path / "peer"))  # its objects() returns none, which is wrong for T, F, F
    assert {time["flags"] for time in report["objects"]} == set(map("".join, product("TF", repeat=3)))
    assert report["objects_ns_per_cell"] > 0
    assert {d["program"] for d in report["differences"]} >= {"objects_TFF"}


def test_programs_that_cannot_be_run_are_left_out_and_named(tmp_path: Path) -> None:
    extra = "\ndef solve_other(I):\n    return I\n"
    untyped = PROGRAMS.replace("vmirror(x1)", "colorfilter(x1, 1)")
    Path("programs.py").write_text(untyped + extra, encoding="utf-8")
    report = reported(checkout(tmp_path / "peer"))
    assert not report["valid"]
    assert report["left_out"]["no task"] == ["solve_other"]
    assert report["left_out"]["untyped"] == ["solve_turn"]
    assert report["mega_batch"]["programs"] == 1
    assert any("NOT VALID" in warning and "solve_turn" in warning for warning in report["warnings"])


def test_a_program_without_kernels_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(KERNELS, "vmirror")
    plan_of.cache_clear()
    work = Workload.read("programs.py", "tasks.json").typed()
    plan_of.cache_clear()
    assert (work.names, work.left_out["fallback"]) == (("solve_flip",), ("solve_turn",))


def test_a_folder_that_is_no_checkout(tmp_path: Path) -> None:
    assert "it has no dsl.py and no solvers.py" in told(bench(tmp_path))


def test_a_checkout_that_does_not_import(tmp_path: Path) -> None:
    peer = checkout(tmp_path / "peer", "import surely_not_there\n")
    assert "cannot be run: ModuleNotFoundError" in told(bench(peer))


def test_a_checkout_without_our_programs(tmp_path: Path) -> None:
    peer = checkout(tmp_path / "peer", "def solve_nothing(I):\n    return I\n")
    assert "there is no program that both arcloom and" in told(bench(peer))


def test_programs_without_tasks(tmp_path: Path) -> None:
    Path("programs.py").write_text("def solve_other(I):\n    return I\n", encoding="utf-8")
    assert "has no program solve_<task id>" in told(bench(checkout(tmp_path / "peer")))


def test_a_peer_that_dies(tmp_path: Path) -> None:
    dying = SOLVERS.replace("O = hmirror(I)", "import os\n    os._exit(1)")
    assert "ended before its work was done" in told(bench(checkout(tmp_path / "peer", dying)))


PEER = """def solve_long(I):
    while True:
        pass

def solve_strange(I):
    return solve_long

def solve_task(S, I, C):
    return (S, I, C)
"""


def test_what_a_peer_can_answer(tmp_path: Path) -> None:
    sample = {"I": ((1,),), "S": ((((2,),), ((3,),)),), "C": ((4,),)}
    runs = [("solve_long", 0), ("solve_strange", 0), ("solve_task", 0)]
    with Checkout(checkout(tmp_path / "peer", PEER)) as peer:
        long, strange, task = peer.solve([sample], runs, limit=0.05)
    assert (long.kind, long.seconds) == ("limit", 0.05)
    assert strange.kind == "strange"
    assert task.value == (sample["S"], sample["I"], sample["C"])


@pytest.mark.parametrize(
    ("ours", "theirs", "verdict"),
    [
        (((1,),), PeerOutcome(0.1, "value", ((1,),)), PeerVerdict.EQUAL),
        (((1,),), PeerOutcome(0.1, "value", ((2,),)), PeerVerdict.DIFFERENT),
        (((1,),), PeerOutcome(0.1, "strange", "<function>"), PeerVerdict.DIFFERENT),
        (((1,),), PeerOutcome(0.1, "error", "IndexError"), PeerVerdict.ONLY_PEER_FAILS),
        (RowFailure(0, 0, 2, Reason.EMPTY), PeerOutcome(0.1, "error", "IndexError"), PeerVerdict.BOTH_FAIL),
        (RowFailure(0, 0, 2, Reason.EMPTY), PeerOutcome(0.1, "value", ((1,),)), PeerVerdict.ONLY_WE_FAIL),
        (RowFailure(0, 0, 2, Reason.EMPTY), PeerOutcome(1.0, "limit", ""), PeerVerdict.UNKNOWN),
    ],
)
def test_verdicts(ours: Any, theirs: PeerOutcome, verdict: PeerVerdict) -> None:
    assert verdict_of(ours, theirs) is verdict


def test_whether_the_reference_agrees() -> None:
    flip, fails = parse(
        "def flip(I):\n    return hmirror(I)\n\ndef fails(I):\n    x = ofcolor(I, 5)\n    return first(x)\n"
    )
    grid = {"I": ((1,), (2,))}
    assert agrees(flip, grid, ((2,), (1,)))
    assert not agrees(flip, grid, ((1,), (2,)))
    assert not agrees(flip, grid, RowFailure(0, 0, 2, Reason.EMPTY))
    assert agrees(fails, grid, RowFailure(0, 0, 6, Reason.EMPTY))
    assert not agrees(fails, grid, RowFailure(0, 0, 5, Reason.EMPTY))
    assert not agrees(fails, grid, (0, 0))


def test_foreign_inputs_come_with_their_own_demonstrations() -> None:
    work = Workload.read("programs.py", "tasks.json")
    assert [len(rows) for rows in work.own] == [4, 4]
    assert work.labels[:5] == ("flip train[0]", "flip train[1]", "flip train[2]", "flip test[0]", "turn train[0]")
    assert len(work.samples[3]["S"]) == 3 and work.samples[3]["I"] == ((8, 0, 8),)


def test_growth_is_compared_with_linear_growth() -> None:
    steps = against_linear([GrowthStep(2, 10, 1.0), GrowthStep(2, 40, 6.0), GrowthStep(2, 80, 9.0)])
    assert [step.against_linear for step in steps] == [None, 1.5, 0.75]


def test_times() -> None:
    assert (Times((3.0, 1.0, 2.0)).best, Times((3.0, 1.0, 2.0)).median) == (1.0, 2.0)


def test_memory_is_that_of_this_process() -> None:
    before = peak_megabytes()
    held = b"x" * (300 << 20)
    assert peak_megabytes() >= 300 > len(held) / (1 << 21)
    assert peak_megabytes() >= before


def test_a_missing_folder_is_a_bench_error(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="no arc-dsl checkout"):
        Checkout(tmp_path / "nowhere")


def test_warm_prints_a_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LIBRARY, "missing", lambda names: [])
    told = documented("warm", arc("warm", "--json").stdout)
    assert (told["compiled"], told["kernels"], told["cache"]) == (0, len(all_kernels()), str(cache_folder()))
    assert arc("warm").stdout.startswith(f"compiled 0 of {len(all_kernels())} kernels into {cache_folder()}")
