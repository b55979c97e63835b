"""Display in notebooks, and ``arcloom.show`` in notebooks and terminals."""

import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import arcloom
from arcloom.display import html_of
from arcloom.search.loop.submission import Answer
from arcloom.tasks import Dataset, Pair, Task

NOTEBOOK = Path(__file__).parents[1] / "examples" / "notebook.ipynb"
GRID = ((1, 2), (3, 4))
TASK = Task("<i>id", (Pair(GRID, GRID),), (Pair(GRID),))
PROGRAMS = arcloom.parse(
    "def twice(I):\n    return hconcat(I, I)\n\ndef count(I):\n    return size(I) < 3\n\n"
    "def fails(I):\n    return subgrid(ofcolor(I, 9), I)\n\ndef untyped(I):\n    return first(ONE)\n"
)


def pictures(html: str) -> int:
    """The number of grids in an HTML fragment, which must be well formed."""
    tree = ET.fromstring(f"<div>{html.replace('<br>', '<br/>')}</div>")
    return len(list(tree.iter("{http://www.w3.org/2000/svg}svg")))


def test_tasks_pairs_and_datasets_are_drawn_and_escaped() -> None:
    assert (pictures(html_of(TASK)), pictures(html_of(TASK.test[0]))) == (3, 1)
    assert "&lt;i&gt;id" in html_of(TASK) and "train[0] output" in html_of(TASK) and "<b>?</b>" in html_of(TASK)
    many = Dataset("<many>", tuple(Task(str(i), TASK.train) for i in range(60)))
    assert pictures(html_of(many)) == 50
    assert "&lt;many&gt;: 60 tasks" in html_of(many) and "and 10 more" in html_of(many)


def test_programs_results_and_answers_are_drawn() -> None:
    results = arcloom.run(PROGRAMS, [{"I": GRID}])
    assert repr(results).startswith("<Results: 4 programs, 1 without types, 3 runs on ")
    html = html_of(results)
    assert pictures(html) == 1
    assert "<code>True</code>" in html and "line 8: the container is empty" in html and "first: argument 1" in html
    assert "&lt; 3" in html_of(PROGRAMS[1]) or "less" in html_of(PROGRAMS[1]) or "greater" in html_of(PROGRAMS[1])
    answer = Answer((GRID, ((5,),)), 0.25)
    assert repr(answer) == "<Answer 2x2 or 1x1, confidence 25%>"
    assert pictures(html_of(answer)) == 2 and "confidence 25%" in html_of(answer)


def test_grids_lists_and_other_values() -> None:
    assert (pictures(html_of(GRID)), pictures(html_of([GRID, GRID])), pictures(html_of([TASK, TASK]))) == (1, 2, 6)
    assert html_of({"<": 1}) == "<code>{&#x27;&lt;&#x27;: 1}</code>"
    assert len(html_of("x" * 1000)) < 300
    large = html_of(((0,) * 200,) * 100)
    assert 'width="240"' in large and 'viewBox="0 0 4001 2001"' in large


def test_show_prints_where_there_is_no_notebook(capsys: pytest.CaptureFixture[str]) -> None:
    arcloom.show(TASK, GRID, PROGRAMS[0], [TASK.train[0]], 5)
    text = capsys.readouterr().out
    assert "train[0]" in text and "def twice(I):" in text and text.endswith("5\n")
    assert text.count("│1 2 │") == 6, "the task has three grids, the pair two, and one is alone"


def test_show_displays_in_marimo(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    marimo = SimpleNamespace(
        running_in_notebook=lambda: True, output=SimpleNamespace(append=shown.append), Html=lambda text: text
    )
    monkeypatch.setitem(sys.modules, "marimo", marimo)
    arcloom.show(TASK, GRID)
    assert list(map(pictures, shown)) == [3, 1]


def test_the_example_notebook_runs_and_draws(tmp_path: Path) -> None:
    nbclient = pytest.importorskip("nbclient", reason="nbclient executes the notebook: pip install 'arcloom[dev]'")
    nbformat = pytest.importorskip("nbformat", reason="nbformat reads the notebook: pip install 'arcloom[dev]'")
    made: Any = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(made)
    nbclient.NotebookClient(made, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    cells = [cell for cell in made.cells if cell.cell_type == "code"]
    drawn = ["".join(str(out.data.get("text/html", "")) for out in cell.outputs if "data" in out) for cell in cells]
    counts = list(map(pictures, drawn))
    assert counts[:3] == [3, 8, 1], "tasks, a task, a grid"
    assert counts[4:7] == [4, 4, 4], "results, shown grids, and the answer with its input and output"
    assert "solve_a416b8f3" in drawn[3] and counts[-1] == 2
    assert not any(out.get("name") == "stderr" and "Error" in out.text for cell in cells for out in cell.outputs)
