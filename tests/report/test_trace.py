"""Traces: the values of statements, their drawings, and the output of the command."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

import arcloom
from arcloom.cli import app
from arcloom.dsl.signature import CELL, GRID, INDICES, OBJECT, PAIR, ROWS, record, set_of, tuple_of
from arcloom.library import bundled
from arcloom.program.evaluate import ProgramFailure
from arcloom.program.term import Program
from arcloom.report.drawing import (
    CellsDrawing,
    Drawing,
    FailureDrawing,
    FunctionDrawing,
    GridDrawing,
    RowDrawing,
    TextDrawing,
    drawing_of,
)
from arcloom.report.encode import drawing_json
from arcloom.report.page import trace_page
from arcloom.report.statements import statements_of
from arcloom.report.terminal import TraceView
from arcloom.report.trace import TraceRequest, trace_program, trace_programs
from arcloom.tasks import Pair, Task
from arcloom.tasks.samples import samples_of
from schemas import documented

ONE, TWO = ((0, 1), (0, 0)), ((2, 0, 0), (0, 0, 3))
TASK = Task("small", (Pair(ONE, ((1, 0), (0, 0))), Pair(TWO, TWO)), (Pair(TWO),))
PROGRAM = """def solve_small(I):
    x1 = objects(I, T, F, T)
    x2 = compose(size, first)
    x3 = size(x1)
    x4 = ofcolor(I, 1)
    x5 = subgrid(x4, I)
    O = vmirror(I)
    return O
"""


def test_values_are_those_of_the_reference() -> None:
    data = arcloom.load("arcagi:training")
    programs = bundled()[::12]
    tasks = [data[program.name.removeprefix("solve_")] for program in programs]
    traces = trace_programs([TraceRequest(*pair) for pair in zip(programs, tasks, strict=True)], device="cpu")
    for program, task, trace in zip(programs, tasks, traces, strict=True):
        assert trace.wrong == ()
        for line, statement in zip(trace.lines, statements_of(program), strict=True):
            for value, sample in zip(line.values, samples_of(task), strict=True):
                if not isinstance(value, FunctionDrawing):
                    assert value == _by_reference(statement.program, sample, line.type), (program.name, line)


def _by_reference(program: Program | None, sample: dict[str, Any], type: str | None) -> Drawing:
    assert program is not None
    try:
        value = program.evaluate(sample)
    except ProgramFailure as failure:
        return FailureDrawing(failure.line, failure.reason.text)
    assert callable(value) == (type == "function")
    return drawing_of(value, arcloom.trace(program).output.type)


def test_a_trace_draws_every_kind_of_value() -> None:
    [program] = arcloom.parse(PROGRAM)
    trace = trace_program(program, TASK, source=PROGRAM)
    by_line = {line.number: line for line in trace.lines}
    assert [by_line[n].type for n in range(2, 8)] == ["set[object]", "function", "int", "indices", "grid", "grid"]
    assert by_line[2].values[0] == RowDrawing((CellsDrawing(((0, 1, 1),)),), 1)
    assert by_line[3].values[0] == FunctionDrawing("compose(size, first)")
    assert by_line[4].values == (TextDrawing("1"), TextDrawing("2"), TextDrawing("2"))
    assert by_line[5].values[:2] == (CellsDrawing(((0, 1, None),)), TextDrawing("set()"))
    assert by_line[6].values[0] == GridDrawing(((1,),))
    failure = by_line[6].values[1]
    assert isinstance(failure, FailureDrawing)
    assert failure.line == 6
    assert trace.wrong == (1,)


def test_drawings_depend_on_the_static_type() -> None:
    pairs = ((1, 2), (3, 4))
    assert drawing_of(pairs, GRID) == GridDrawing(pairs)
    assert drawing_of(pairs, ROWS) == GridDrawing(pairs)
    assert drawing_of(pairs, tuple_of(PAIR)) == TextDrawing("((1, 2), (3, 4))")
    places = frozenset({(0, 1), (2, -1)})
    assert drawing_of(places, INDICES) == CellsDrawing(((0, 1, None), (2, -1, None)))
    assert drawing_of(frozenset({(5, (0, 1))}), OBJECT) == CellsDrawing(((0, 1, 5),))
    assert drawing_of(((5, (0, 1)),), tuple_of(CELL)) == CellsDrawing(((0, 1, 5),))
    both = drawing_of((pairs, 7), record(GRID, PAIR))
    assert both == RowDrawing((GridDrawing(pairs), TextDrawing("7")), 2)


def test_large_values_are_cut() -> None:
    many = drawing_of(frozenset(frozenset({(1, (i, 0))}) for i in range(30)), set_of(OBJECT))
    assert isinstance(many, RowDrawing)
    assert (len(many.items), many.count) == (24, 30)
    far = drawing_of(frozenset({(0, 5000)}), INDICES)
    assert far == TextDrawing("{(0, 5000)}")
    assert isinstance(drawing_of(((0,) * 500,) * 500, GRID), TextDrawing)


def test_colours_that_are_no_digits_are_encoded_as_numbers() -> None:
    assert drawing_json(GridDrawing(((1, 2),))) == {"grid": ["12"]}
    assert drawing_json(GridDrawing(((-1, 12),))) == {"grid": [[-1, 12]]}


def test_an_untyped_program_is_traced_up_to_the_error() -> None:
    source = "def solve(I):\n    a = vmirror(I)\n    b = crop(I, a, a)\n    return b\n"
    [program] = arcloom.parse(source)
    trace = trace_program(program, TASK, source=source)
    assert trace.lines[0].values[0] == GridDrawing(((1, 0), (0, 0)))
    assert isinstance(trace.lines[1].values[0], FailureDrawing)
    assert trace.problem is not None
    assert trace.problem.startswith("line 3: ")


def printed(width: int, *, colour: bool) -> str:
    [program] = arcloom.parse(PROGRAM)
    file = io.StringIO()
    console = Console(file=file, width=width, color_system="truecolor" if colour else None, force_terminal=colour)
    console.print(TraceView(trace_program(program, TASK, source=PROGRAM)))
    return file.getvalue()


def test_the_terminal_shows_values_and_the_difference() -> None:
    text = [line.rstrip() for line in printed(80, colour=False).splitlines()]
    assert "  4 x3 = size(x1)   int" in text
    assert "train[1]: the output is wrong" in text
    start = text.index("train[1]: the output is wrong")
    assert text[start + 1 : start + 6] == [
        "input    output   expected difference",
        "┌──────┐ ┌──────┐ ┌──────┐ ┌──────┐",
        "│2 0 0 │ │0 0 2 │ │2 0 0 │ │2 · 0 │",
        "│0 0 3 │ │3 0 0 │ │0 0 3 │ │0 · 3 │",
        "└──────┘ └──────┘ └──────┘ └──────┘",
    ]
    assert text[-1] == "1 of 2 known outputs are right"


@pytest.mark.parametrize("colour", [False, True])
def test_narrow_terminals(colour: bool) -> None:
    assert all(len(line) <= 24 for line in printed(24, colour=False).splitlines())
    assert printed(12, colour=colour)


def arc(*args: str) -> Result:
    return CliRunner().invoke(app, args, env={"COLUMNS": "120"})


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    grids = {"train": [{"input": p.input, "output": p.output} for p in TASK.train], "test": [{"input": TWO}]}
    Path("small.json").write_text(json.dumps(grids), encoding="utf-8")
    Path("programs.py").write_text(f"{PROGRAM}\ndef same(I):\n    return I\n\ndef broken(I):\n    return foo(I)\n")
    return "programs.py"


def test_the_command(file: str) -> None:
    result = arc("trace", file, "small", "--data", "small.json")
    assert result.exit_code == 1
    assert "x5 = subgrid(x4, I)" in result.stdout
    chosen = arc("trace", file, "small", "--data", "small.json", "--name", "same", "--sample", "train[1]", "--json")
    assert chosen.exit_code == 1
    data = documented("trace", chosen.stdout)
    [traced] = data["traces"]
    assert (data["task"], traced["name"], traced["wrong"]) == ("small", "same", [0])
    page = arc("trace", file, "small", "--data", "small.json", "--html", "trace.html")
    assert page.stdout == "wrote trace.html\n"
    assert "x5 = subgrid(x4, I)" in Path("trace.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["small", "--name", "sama"], "programs.py has no program sama; did you mean same?"),
        (["smal"], "small.json has no task 'smal' among its 1; did you mean small?"),
        ([], "programs.py has 3 programs; say which task, or which program with --name"),
        (["small", "--name", "broken"], "programs.py:14:12: foo is not defined"),
        (["smal", "--name", "same"], "small.json has no task 'smal' among its 1; did you mean small?"),
        (["small", "--sample", "train[9]"], "task small has no sample 'train[9]'; its samples are train[0], train[1]"),
    ],
)
def test_errors_are_one_line(file: str, args: list[str], message: str) -> None:
    result = arc("trace", file, *args, "--data", "small.json")
    assert (result.exit_code, result.stdout) == (2, "")
    [line] = result.stderr.splitlines()
    assert message in line


def test_text_in_a_page_cannot_be_markup() -> None:
    [program] = arcloom.parse(PROGRAM)
    task = Task("</script><script>alert(1)</script>", TASK.train, TASK.test)
    text = trace_page(task, [trace_program(program, task, source=PROGRAM)])
    assert "<script>alert" not in text
    assert text.count("</script>") == 2
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in text
