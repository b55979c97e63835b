"""Reports: the data read from the store of a run, and the output of the command."""

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from arcloom.cli import app
from arcloom.report.clock import Clock
from arcloom.report.details import details, difference
from arcloom.report.overview import overview
from arcloom.report.page import page, report_page
from arcloom.report.run_data import RunData, latest_run
from arcloom.store import Session, Store, runs
from arcloom.store.lock import locked
from arcloom.store.merge import merge
from arcloom.tasks import load
from schemas import documented

from .runs import EVIL, MIRROR, ONE, STATISTICS, TWO, begun, deltas, stored


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return stored(tmp_path)


def opened(folder: Path) -> RunData:
    store = Store.open(folder / "library.sqlite", must_exist=True)
    return RunData(store, latest_run(store))


def arc(*args: str) -> Result:
    return CliRunner().invoke(app, args, env={"COLUMNS": "120"})


def test_the_states_of_tasks(folder: Path) -> None:
    found = {task["id"]: task for task in overview(opened(folder))["tasks"]}
    assert {id: task["state"] for id, task in found.items()} == {
        "mirror": "solved",
        "turned": "wrong",
        "open": "open",
        EVIL: "found",
        "later": "new",
    }
    assert (found["mirror"]["source"], found["mirror"]["confidence"]) == ("enumeration", 0.75)
    assert found["mirror"]["thumbnail"] == ["12", "34"]
    assert found["later"]["found"] is None
    assert found["mirror"]["found"] is not None


def test_the_figures(folder: Path) -> None:
    found = overview(opened(folder))
    assert found["status"] == "finished"
    assert found["figures"] == {
        "tasks": 5, "known": 4, "solved": 1, "points": 1.0, "explained": 3, "settled": 1,
        "candidates": 20, "untyped": 4, "generations": 4, "programs": 2,
    }  # fmt: skip
    assert [source["name"] for source in found["sources"]] == ["enumeration", "variants"]
    assert (found["sources"][0]["explained"], found["sources"][0]["solved"]) == (3, 1)
    assert found["sections"] == [["running", 4, 2.5, 2.0], ["enumeration", 3, 1.5, 1.0]]
    assert found["kernels"] == [["vmirror_grid", 5, 100, 0.25]]
    assert found["command"] == STATISTICS["command"]
    assert found["settings"]["seed"] == 3


def test_the_details_of_a_task(folder: Path) -> None:
    found = details(opened(folder))
    solved = found["mirror"]
    assert solved["attempts"] == [{"grids": [["12", "34"], ["0"]], "confidence": 0.75}]
    [[guess]] = solved["votes"]
    assert (guess["grid"], guess["programs"], guess["sources"]) == (["12", "34"], 1, ["enumeration"])
    [program] = solved["programs"]
    assert program["trace"]["lines"][0]["values"][0] == {"grid": ["21", "43"]}
    assert program["trace"]["wrong"] == []
    miss = found["open"]["programs"][0]
    assert (miss["score"], miss["source"]) == (700, "variants")
    assert miss["trace"]["wrong"] == [0, 1]
    assert found["later"]["programs"] == []


def test_ancestry_shows_each_change_and_ends_at_a_cycle(folder: Path) -> None:
    [parent] = details(opened(folder))["open"]["programs"][0]["ancestry"]
    assert (parent["change"], parent["name"]) == ("turn", MIRROR.name)
    assert "".join(text for sign, text in parent["difference"] if sign != "+") == "O = vmirror(I)\nreturn O"
    assert "".join(text for sign, text in parent["difference"] if sign != "-") == "O = rot90(vmirror(I))\nreturn O"


def test_a_difference_is_by_words() -> None:
    assert difference("O = hmirror(I)", "O = vmirror(I)") == [
        ["=", "O = "],
        ["-", "hmirror"],
        ["+", "vmirror"],
        ["=", "(I)"],
    ]


def test_a_run_under_way_and_a_killed_one(tmp_path: Path, folder: Path) -> None:
    with Store.open(folder / "library.sqlite") as store:
        data = str(latest_run(store).settings["data"])
        runs.add_deltas(store, begun(store, data), deltas(load(data))[:1])
    assert overview(opened(folder))["status"] == "killed"
    assert overview(opened(folder))["sections"] == []
    with locked(folder / "library.sqlite"):
        assert overview(opened(folder))["status"] == "running"


def test_a_resumed_run(folder: Path) -> None:
    with Store.open(folder / "library.sqlite") as store:
        run = runs.resume_run(store, latest_run(store), versions={}, settings=latest_run(store).settings)
        runs.add_deltas(store, run, [], STATISTICS)
        runs.end_run(store, run)
    found = overview(opened(folder))
    assert len(found["sessions"]) == 2
    assert found["kernels"] == [["vmirror_grid", 10, 200, 0.5]]


def test_merged_shards(folder: Path, tmp_path: Path) -> None:
    data = folder / "tasks.json"
    parts = [tmp_path / f"part{number}.sqlite" for number in (1, 2)]
    for number, part in enumerate(parts):
        with Store.open(part) as store:
            run = begun(store, str(data), shard=f"{number + 1}/2")
            runs.add_deltas(store, run, deltas(load(data))[number::2], STATISTICS)
            runs.end_run(store, run)
    with Store.open(parts[0]) as store:
        assert [task.id for task in RunData(store, latest_run(store)).dataset] == ["mirror", "open", "later"]
    merge(parts, tmp_path / "merged.sqlite")
    with Store.open(tmp_path / "merged.sqlite") as store:
        found = overview(RunData(store, latest_run(store)))
    assert [task["state"] for task in found["tasks"]] == ["solved", "wrong", "open", "found", "new"]
    assert len(found["sessions"]) == 2


def session(started: float, ended: float | None) -> Session:
    return Session({}, {}, started, ended, {})


def test_the_clock_stops_between_sessions() -> None:
    clock = Clock.of([session(100, 110), session(200, 220)], [], None)
    assert [clock.seconds(moment) for moment in (100, 105, 150, 201, 300)] == [0, 5, 10, 11, 30]
    assert clock.seconds() == 30


def test_the_clock_of_killed_running_and_parallel_sessions() -> None:
    assert Clock.of([session(100, None), session(200, 210)], [101, 104, 205], None).seconds() == 14
    assert Clock.of([session(100, None)], [], None).seconds() == 0
    assert Clock.of([session(100, None)], [101], 130).seconds() == 30
    assert Clock.of([session(100, 120), session(110, 140)], [], None).seconds() == 40
    assert Clock.of([], [], None).seconds() == 0


def test_names_and_ids_are_escaped(folder: Path) -> None:
    text = report_page(opened(folder))
    assert "<img" not in text
    assert EVIL.replace("<", "\\u003c") in text
    hostile: Any = {"</script><script>alert(1)</script><!--": "</script>"}
    made = page("</title><script>", hostile, ("draw.js",), {'"><script>': hostile})
    assert made.count("<script") == 3
    assert made.count("<!--") == 0


def test_the_command(folder: Path) -> None:
    result = arc("report", str(folder))
    assert (result.exit_code, result.stdout) == (0, f"wrote {folder / 'report.html'}\n")
    chosen = arc("report", str(folder / "library.sqlite"), "--html", str(folder / "other.html"), "--programs", "0")
    assert chosen.exit_code == 0
    assert (folder / "other.html").stat().st_size < (folder / "report.html").stat().st_size
    figures = documented("report", arc("report", str(folder), "--json").stdout)
    assert figures["figures"]["solved"] == 1


def test_a_trace_of_a_run(folder: Path) -> None:
    result = arc("trace", "--run", str(folder), "mirror")
    assert result.exit_code == 0
    assert "2 of 2 known outputs are right" in result.stdout
    found = documented("trace", arc("trace", "--run", str(folder), "open", "--json").stdout)
    assert [trace["wrong"] for trace in found["traces"]] == [[0, 1]]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ("report nowhere", "there is no run in nowhere: it has no library.sqlite"),
        ("report empty", "there is no run in empty"),
        ("report tasks.json", "tasks.json is not a library"),
        ("report bare.sqlite", "bare.sqlite has no run: it has none; 'arcloom solve --out FOLDER' makes one"),
        ("report library.sqlite --run 9", "library.sqlite has no run 9: its runs are 1"),
        ("report library.sqlite --data nowhere.json", "tasks of the run cannot be read: 'nowhere.json' is not a file"),
        ("trace --run . mirrow", "has no task 'mirrow' among its 5; did you mean mirror?"),
        ("trace --run . later", "the run in . has no programs for task later yet"),
        ("trace --run . mine.py mirror", "with --run, give only the task: arcloom trace --run . mirror"),
    ],
)
def test_errors_are_one_line(folder: Path, monkeypatch: pytest.MonkeyPatch, args: str, message: str) -> None:
    monkeypatch.chdir(folder)
    Path("empty").mkdir()
    Store.open("bare.sqlite").close()
    result = arc(*args.split())
    assert (result.exit_code, result.stdout) == (2, "")
    [line] = result.stderr.splitlines()
    assert message in line


def test_grids_of_attempts(folder: Path) -> None:
    [mirror, *_] = opened(folder).results
    assert [attempt.grid for attempt in mirror.attempts[0]] == [ONE, ((0,),)]
    assert mirror.expected == [ONE]
    assert mirror.task.train[0].output == TWO
