"""Scoring programs: every text has a result."""

import gc
import pickle
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import count, islice
from pathlib import Path

import numpy as np
import pytest

import arcloom
from arcloom import collector
from arcloom.check import Verdict
from arcloom.engine.batt import Batt
from arcloom.program.parse import parse_one
from arcloom.scoring import BATCH, Score, Settings, score
from arcloom.scoring.batch import Pairing, Scorer
from arcloom.tasks import Dataset, Pair, Task

A, B, C = ((1, 2),), ((3, 4),), ((5, 6),)
MIRROR = Task("mirror", (Pair(A, ((2, 1),)), Pair(B, ((4, 3),))), (Pair(C, ((6, 5),)),))
SAME = Task("same", (Pair(A, A),), (Pair(C),))
RIGHT = "def solve(I):\n    return vmirror(I)\n"
HALF = "def solve(I):\n    return vmirror(I) if I[0][0] == 1 else I\n"


def one(text: object, task: Task = MIRROR, **how: object) -> Score:
    [result] = score([text], task, **how)  # type: ignore[arg-type]
    return result


def test_a_right_program() -> None:
    result = one(RIGHT)
    assert result == Score(0, "solve", "mirror", Verdict.RIGHT, 2, 2, 1, 1, near=1000.0)
    assert (result.verdict, result.reward) == ("right", 1.0)


def test_a_wrong_program_has_a_part_of_the_reward() -> None:
    result = one(HALF)
    assert (result.verdict, result.solved_demonstrations, result.solved_tests) == ("wrong", 1, 0)
    assert (result.sample, result.reason) == ("train[1]", "wrong cells: 2, first (0, 0): 3, expected 4")
    assert 0 < result.near < 1000
    assert result.reward == pytest.approx(0.8 / 3 + 0.2 * result.near / 1000)


@pytest.mark.parametrize(
    ("text", "verdict", "line", "reason"),
    [
        ("", "unparsable", 1, "there is no program"),
        ("import os", "unparsable", 1, "programs cannot import anything"),
        ("def solve(I):\n    return I.x", "unparsable", 2, "the attribute x cannot be used"),
        ("def solve(I:\n", "unparsable", 1, "not a program"),
        ("\0", "unparsable", 1, "the character"),
        ("x = " + "(" * 100_000, "unparsable", 1, "a line of"),
        ("(" * 5_000, "unparsable", 1, ""),
        (7, "unparsable", 1, "a program is text, not int"),
        (None, "unparsable", 1, "a program is text, not NoneType"),
        ("def solve(I):\n    return rot90", "untyped", 1, "the program's result cannot be a function"),
        ("def solve(I):\n    return (rot90, 1)", "untyped", 2, "the program's result cannot be a container"),
        ("def solve(I):\n    return lambda x: x", "untyped", 1, "the program's result cannot be a function"),
        ("def solve(a, b):\n    return a", "untyped", 1, "there is no input a here"),
        ("def solve(a, b):\n    return rot90(a)", "untyped", 2, "rot90: there is no input a here"),
        ("def solve(I):\n    return subgrid(1, I)", "untyped", 2, "subgrid: argument 1 must be patch"),
        ("def solve(I):\n    x = 1\n    return I[7]", "failing", 3, "there is no such element"),
        ("def solve(I):\n    return interval(-1000000, 1000000, 1)", "failing", 2, "too many elements"),
        ("def solve(I):\n    return palette(I)", "wrong", None, "the output is no grid but set[int]"),
        ("def solve(I):\n    return 300", "wrong", None, "the output is no grid but int"),
        ("def solve(I):\n    return ((300,),)", "wrong", None, "the output is 1x1, expected 1x2"),
    ],
)
def test_every_text_has_a_result(text: object, verdict: str, line: int | None, reason: str) -> None:
    result = one(text)
    assert (result.verdict, result.line) == (verdict, line)
    assert result.reason.startswith(reason)
    assert (result.demonstrations, result.tests) == (2, 1)
    assert 0 <= result.reward < 0.5


@pytest.mark.parametrize(
    "text",
    [
        "def solve(grid):\n    return vmirror(grid)\n",
        "def solve(S, grid):\n    return vmirror(grid)\n",
        "```python\ndef solve(I):\n    return vmirror(I)\n```",
        "Here it is:\n\n```\nx = 1\n```\n\nand\n\n~~~py\ndef solve(I):\n    return vmirror(I)\n~~~\nDone.",
        "```python\ndef solve(I):\n    return vmirror(I)\n",
        "def mirrored(g):\n    return vmirror(g)\n\ndef solve(I):\n    return mirrored(I)\n",
        "def solve_mirror(I):\n    return vmirror(I)\n\ndef solve_other(I):\n    return I\n",
        "def solve(I):\n    return vmirror(I)\n\ndef unused(a, b):\n    return a + b\n",
        "def broken(I):\n    return J\n\ndef solve(I):\n    return vmirror(I)\n",
        "O = vmirror(I)",
    ],
)
def test_programs_are_found_in_texts(text: str) -> None:
    assert one(text).verdict == "right"


def test_lines_are_those_of_the_text() -> None:
    assert one("Text.\n```python\ndef solve(I):\n    return I[9]\n```\n").line == 4


def test_programs_are_scored_on_all_tasks_in_order() -> None:
    results = list(score([RIGHT, "O = I", RIGHT], Dataset("both", (MIRROR, SAME))))
    assert [(result.index, result.task, str(result.verdict)) for result in results] == [
        (0, "mirror", "right"),
        (0, "same", "wrong"),
        (1, "mirror", "wrong"),
        (1, "same", "right"),
        (2, "mirror", "right"),
        (2, "same", "wrong"),
    ]


def test_there_can_be_a_list_for_each_task() -> None:
    results = list(score([[RIGHT, "O = I"], ["O = I"]], [MIRROR, SAME]))
    assert [(result.index, result.task, str(result.verdict)) for result in results] == [
        (0, "mirror", "right"),
        (1, "mirror", "wrong"),
        (2, "same", "right"),
    ]


def test_one_text_and_programs_can_be_given() -> None:
    assert [result.verdict for result in score(RIGHT, MIRROR)] == ["right"]
    assert [result.verdict for result in score([parse_one(RIGHT)], [MIRROR])] == ["right"]
    assert list(score([], MIRROR)) == []


def test_outputs_are_given_on_request() -> None:
    assert one(RIGHT, outputs=True).outputs == (((2, 1),), ((4, 3),), ((6, 5),))
    assert one("O = I[9]", outputs=True).outputs == (None, None, None)
    assert one("O = rot90(1)", outputs=True).outputs == (None, None, None)


def test_an_infinite_iterator_of_programs_can_be_scored() -> None:
    def texts() -> Iterator[str]:
        for k in count():
            taken.append(k)
            yield RIGHT

    taken: list[int] = []
    found = list(islice(score(texts(), MIRROR, device="reference"), 3))
    assert [result.index for result in found] == [0, 1, 2]
    assert len(taken) == BATCH


def test_equal_programs_run_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[int] = []

    def counted(scorer: Scorer, given: Iterable[Pairing]) -> list[Score]:
        chosen = list(given)
        ran.append(len(chosen))
        return original(scorer, chosen)

    original = Scorer.__call__
    monkeypatch.setattr(Scorer, "__call__", counted)
    results = list(score([RIGHT, HALF] * 20, MIRROR))
    assert (len(results), ran) == (40, [2])
    assert [result.index for result in results] == list(range(40))


def test_results_can_be_pickled_and_do_not_depend_on_the_device() -> None:
    texts = [RIGHT, HALF, "O = I[9]", "", "O = rot90(1)"]
    results = list(score(texts, MIRROR))
    assert pickle.loads(pickle.dumps(results)) == results
    assert list(score(texts, MIRROR, device="reference")) == results


SCRIPT = """
import arcloom
from arcloom.tasks import Pair, Task

task = Task("same", (Pair(((1, 2),), ((1, 2),)),))
texts = ["O = I", "O = hmirror(I)", "O = (", "O = I[5]"] * 300
alone = list(arcloom.score(texts, task, device="reference"))
assert list(arcloom.score(texts, task, device="reference", workers=2)) == alone
print([str(result.verdict) for result in alone[:4]], len(alone))
"""


def test_workers_give_the_same_results_in_a_script_without_a_main_function(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.stderr) == ("['right', 'right', 'unparsable', 'failing'] 1200\n", "")


def test_results_as_a_table() -> None:
    pandas = pytest.importorskip("pandas")
    table = score([RIGHT, ""], MIRROR).to_pandas()
    assert isinstance(table, pandas.DataFrame)
    assert list(table.verdict) == ["right", "unparsable"]
    assert list(table.reward) == [1.0, 0.0]


def test_without_pandas_there_is_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="to_pandas needs pandas: pip install pandas"):
        score([RIGHT], MIRROR).to_pandas()


# Arguments of arcloom.run


def test_texts_tasks_and_arrays_can_be_given_to_a_run() -> None:
    for device in ("reference", "cpu"):
        assert arcloom.run([RIGHT], MIRROR, device=device).output(0, 2) == ((6, 5),)
        assert arcloom.run([RIGHT], [np.array(A)], device=device).output(0, 0) == ((2, 1),)
        assert arcloom.run([RIGHT], [[[1, 2]]], device=device).output(0, 0) == ((2, 1),)
        assert arcloom.run([RIGHT], [{"I": np.array(A)}], device=device).output(0, 0) == ((2, 1),)
    assert Batt([RIGHT]).run(MIRROR).output(0, 0) == ((2, 1),)


def test_a_program_without_types_has_no_outputs() -> None:
    for device in ("reference", "cpu"):
        results = arcloom.run(["O = rot90(1)"], MIRROR, device=device)
        failure = results.failure(0, 0)
        assert failure is not None and failure.line == 1
        assert (results.output(0, 0), results.grid(0, 0), results.packed(0, 0)) == (None, None, None)
        assert not results.equal(0, 0, A)


def test_names_that_are_exported() -> None:
    assert all(getattr(arcloom, name) is not None for name in arcloom.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = arcloom.nothing


def test_a_batch_leaves_no_reference_cycles() -> None:
    texts = ["def solve(I):\n    return foo(I)", "def solve(I):\n    return subgrid(rot90, I)", RIGHT]
    scorer = Scorer([MIRROR], Settings())
    given: list[Pairing] = [(k, text, 0) for k, text in enumerate(texts)]
    scorer(given)
    gc.collect()
    with collector.paused():
        scorer(given)
        assert gc.collect() < 30  # leaked trees, graphs or frames would be hundreds
