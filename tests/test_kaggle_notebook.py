"""The notebook of the kit for Kaggle, executed on the CPU against a small competition."""

import json
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arcloom.kaggle.notebook import COMPETITION, notebook

nbclient = pytest.importorskip("nbclient", reason="nbclient executes the notebook: pip install 'arcloom[dev]'")
nbformat = pytest.importorskip("nbformat", reason="nbformat reads the notebook: pip install 'arcloom[dev]'")
pytest.importorskip("ipykernel", reason="ipykernel runs the notebook's cells: pip install 'arcloom[dev]'")

MIRROR = {"train": [{"input": [[1, 2]], "output": [[2, 1]]}], "test": [{"input": [[3, 4]]}]}
TURN = {"train": [{"input": [[1, 2], [3, 4]], "output": [[3, 1], [4, 2]]}], "test": [{"input": [[5, 6], [7, 8]]}]}
RIDDLE = {"train": [{"input": [[1]], "output": [[9, 8, 7]]}], "test": [{"input": [[5]]}, {"input": [[6, 6]]}]}
TASKS = {"mirror": MIRROR, "turn": TURN, "riddle": RIDDLE}


def kaggle(folder: Path) -> Path:
    """A folder with the structure of /kaggle and the files of a competition."""
    files = folder / "input" / "competitions" / COMPETITION
    files.mkdir(parents=True)
    (files / "arc-agi_test_challenges.json").write_text(json.dumps(TASKS), encoding="utf-8")
    (files / "arc-agi_training_challenges.json").write_text(json.dumps({"other": MIRROR}), encoding="utf-8")
    (folder / "working").mkdir()
    return folder


def executed(folder: Path, settings: dict[str, object], *, without: tuple[str, ...] = ()) -> str:
    """Execute the notebook with these settings, in an additional cell after the defaults, like papermill.

    Cells that contain a text of ``without`` are left out, to save time.
    """
    made: Any = nbformat.reads(json.dumps(notebook({"COMPETITION": COMPETITION, "PYTHON": "3.12"})), as_version=4)
    nbformat.validate(made)
    given = "\n".join(f"{name} = {value!r}" for name, value in settings.items())
    made.cells.insert(1, nbformat.v4.new_code_cell(given))
    made.cells[1].pop("id", None)  # the notebook format is older than cell ids
    made.cells = [cell for cell in made.cells if not any(text in cell.source for text in without)]
    nbclient.NotebookClient(made, timeout=300, resources={"metadata": {"path": str(folder / "working")}}).execute()
    return "".join(output.get("text", "") for cell in made.cells for output in cell.get("outputs", ()))


def test_the_notebook_writes_a_complete_submission(tmp_path: Path) -> None:
    folder = kaggle(tmp_path)
    quick = {"HOURS": 25 / 3600, "MARGIN_MINUTES": 0.0, "INSTALL": False, "INPUT": str(folder / "input")}
    benchmark = {
        "BENCHMARK_DATA": str(folder / "input" / "competitions" / COMPETITION / "arc-agi_training_challenges.json")
    }
    printed = executed(folder, quick | benchmark | {"BENCHMARK_SECONDS": 0.5})
    submission = json.loads((folder / "working" / "submission.json").read_text(encoding="utf-8"))
    assert {id: len(answers) for id, answers in submission.items()} == {"mirror": 1, "turn": 1, "riddle": 2}
    for answer in (answer for answers in submission.values() for answer in answers):
        assert answer.keys() == {"attempt_1", "attempt_2"} and answer["attempt_1"] != answer["attempt_2"]
    assert submission["mirror"][0]["attempt_1"] == [[4, 3]]
    assert submission["turn"][0]["attempt_1"] == [[7, 5], [8, 6]]
    for command in ("warm", "devices --calibrate", "solve --data"):
        assert f"$ arcloom {command}" in printed
    assert "no GPU can be used" in printed or "cuda:0" in printed
    assert "two attempts for every test input of 3 tasks" in printed


def test_the_competition_can_be_a_folder(tmp_path: Path) -> None:
    folder = kaggle(tmp_path)
    given = {"COMPETITION": str(folder / "input" / "competitions" / COMPETITION), "INSTALL": False}
    printed = executed(folder, given, without=('arcloom("warm")', "BENCHMARK_DATA,", "AT_LEAST", "is_whole"))
    assert "3 tasks in" in printed


def test_a_search_that_fails_on_a_device_is_resumed_on_the_cpu(tmp_path: Path) -> None:
    folder = kaggle(tmp_path)
    given = {"HOURS": 0.0, "INSTALL": False, "INPUT": str(folder / "input"), "DEVICE": "cuda:99"}
    printed = executed(folder, given, without=('arcloom("warm")', "BENCHMARK_DATA,"))
    first, second = (line for line in printed.splitlines() if line.startswith("$ arcloom solve"))
    assert "--device cuda:99" in first and "--device cpu" in second and second.endswith("--resume")
    assert json.loads((folder / "working" / "submission.json").read_text(encoding="utf-8")).keys() == TASKS.keys()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"COMPETITION": "another"}, "attach the data of the competition"),
        ({"INSTALL": True}, "attach the kit as a dataset"),
    ],
)
def test_missing_inputs_are_reported(settings: dict[str, object], message: str, tmp_path: Path) -> None:
    folder = kaggle(tmp_path)
    with pytest.raises(nbclient.exceptions.CellExecutionError, match=message):
        executed(folder, {"INPUT": str(folder / "input")} | settings)


def runner(script: Path, text: str) -> dict[str, Any]:
    """The names of the cell that runs commands, with a shell script in the place of Python."""
    script.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    script.chmod(0o755)
    cells = ["".join(cell["source"]) for cell in notebook({"COMPETITION": COMPETITION})["cells"]]
    names: dict[str, Any] = {}
    exec(next(cell for cell in cells if "def arcloom(" in cell), names)
    names["sys"] = SimpleNamespace(executable=str(script))
    return names


def test_output_appears_while_a_command_runs(tmp_path: Path) -> None:
    go_on = tmp_path / "go on"
    wait = f"for _ in $(seq 100); do [ -e '{go_on}' ] && echo two && exit 3; sleep 0.1; done; echo late"
    names = runner(tmp_path / "python", f"echo one\n{wait}")
    printed: list[str] = []

    def tell(*words: str, **_: object) -> None:
        printed.append(" ".join(words))
        if words[0] == "one\n":
            go_on.touch()

    names["print"] = tell
    assert names["arcloom"]("solve") == 3
    assert printed == ["$ arcloom solve", "one\n", "two\n"]


@pytest.mark.parametrize("first", ["", "trap '' TERM\n"])
def test_a_command_that_hangs_is_ended_with_its_processes_and_the_submission_stays(first: str, tmp_path: Path) -> None:
    """A worker process that keeps the output open, or ignores a request to end, does not keep the notebook waiting."""
    submission, pid = tmp_path / "submission.json", tmp_path / "pid"
    hanging = f"{first}echo '{{}}' > '{submission}'\nsleep 300 &\necho $! > '{pid}'\nwait\nwait"
    names = runner(tmp_path / "python", hanging)
    names["GRACE"] = 0.5
    assert names["arcloom"]("solve", seconds=2.0) != 0
    assert submission.read_text(encoding="utf-8") == "{}\n"
    assert has_ended(pid.read_text().strip()), "the worker ends, too"


def has_ended(pid: str, seconds: float = 10.0) -> bool:
    """Whether a process ends within some seconds. A zombie has ended."""
    for _ in range(int(10 * seconds)):
        try:
            if ") Z " in Path(f"/proc/{pid}/stat").read_text(encoding="ascii"):
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.1)
    return False
