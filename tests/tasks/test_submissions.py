"""Submission files: validation, merging, and atomic writing."""

import json
from pathlib import Path
from typing import Any

import pytest

from arcloom.tasks import DataError
from arcloom.tasks.submissions import Prefer, merge, read, write


def answer(colour: int) -> dict[str, Any]:
    return {"attempt_1": [[colour, 1]], "attempt_2": [[0], [colour]]}


def file(path: Path, content: Any) -> Path:
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


@pytest.fixture
def parts(tmp_path: Path) -> list[Path]:
    one = file(tmp_path / "one.json", {"b": [answer(1), answer(2)], "d": []})
    return [one, file(tmp_path / "two.json", {"c": [answer(3)], "a": [answer(4)]})]


def test_tasks_are_united_in_the_order_of_their_ids(tmp_path: Path, parts: list[Path]) -> None:
    merged = merge(parts, tmp_path / "new" / "all.json")
    assert list(merged) == ["b", "d", "c", "a"]
    text = (tmp_path / "new" / "all.json").read_text(encoding="utf-8")
    assert text == json.dumps({"a": [answer(4)], "b": [answer(1), answer(2)], "c": [answer(3)], "d": []})
    assert read(tmp_path / "new" / "all.json") == merged


def test_the_order_of_attempts_in_a_file_does_not_matter(tmp_path: Path) -> None:
    one = file(tmp_path / "one.json", {"a": [dict(reversed(answer(1).items()))]})
    merge([one], tmp_path / "all.json")
    assert (tmp_path / "all.json").read_text(encoding="utf-8") == json.dumps({"a": [answer(1)]})


def test_an_existing_target_is_replaced_and_nothing_else_is_left(tmp_path: Path, parts: list[Path]) -> None:
    target = file(tmp_path / "all.json", "old")
    merge(parts, target)
    assert read(target).keys() == {"a", "b", "c", "d"}
    assert {path.name for path in tmp_path.iterdir()} == {"all.json", "one.json", "two.json"}


def test_equal_answers_to_the_same_task_are_fine(tmp_path: Path, parts: list[Path]) -> None:
    again = file(tmp_path / "again.json", {"b": [answer(1), answer(2)], "e": [answer(5)]})
    assert merge([*parts, again], tmp_path / "all.json").keys() == {"a", "b", "c", "d", "e"}


@pytest.mark.parametrize("tests", [[answer(1)], [answer(2), answer(1)], []])
def test_different_answers_to_the_same_task_are_refused_unless_one_is_preferred(
    tmp_path: Path, parts: list[Path], tests: list[Any]
) -> None:
    other = file(tmp_path / "other.json", {"b": tests})
    with pytest.raises(DataError, match=r'other\.json: task "b": .*one\.json has other answers.*--prefer first'):
        merge([*parts, other], tmp_path / "all.json")
    assert not (tmp_path / "all.json").exists()
    merged = merge([*parts, other], tmp_path / "all.json", Prefer.FIRST)
    assert merged["b"] == read(parts[0])["b"]
    assert merge([other, *parts], tmp_path / "all.json", Prefer.FIRST)["b"] == read(other)["b"]


def test_the_target_must_not_be_an_input(tmp_path: Path, parts: list[Path]) -> None:
    (tmp_path / "link.json").symlink_to(parts[0])
    for into in (parts[1], tmp_path / "link.json"):
        before = into.read_bytes()
        with pytest.raises(DataError, match="is one of the files to merge; choose another file for --into"):
            merge(parts, into)
        assert into.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "not JSON: .* line 1"),
        ("\0", "not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ([], "a list where an object of answers by task id belongs"),
        ('{"a": [], "a": []}', '"a" appears 2 times'),
        ({"a": {}}, 'task "a": an object where a list with an object for each test input belongs'),
        ({"a": [[]]}, r'task "a", test\[0\]: a list where an object with "attempt_1" and "attempt_2" belongs'),
        ({"a": [answer(1), {"attempt_1": [[1]]}]}, r'task "a", test\[1\]: attempt_1; a test input has exactly'),
        ({"a": [{}]}, r"test\[0\]: no attempts; a test input has exactly"),
        ({"a": [{**answer(1), "attempt_3": [[1]]}]}, "attempt_3; a test input has exactly"),
        ({"a": [{**answer(1), "attempt_2": [[1, 2], [3]]}]}, r"test\[0\]\.attempt_2\[1\]: 1 cells, but 2 in row 0"),
        ({"a": [{**answer(1), "attempt_2": [[1, 10]]}]}, r"attempt_2\[0\]\[1\]: 10 is not a colour"),
        ({"a": [{**answer(1), "attempt_1": [[True]]}]}, "true is not a colour"),
        ({"a": [{**answer(1), "attempt_1": [[1.0]]}]}, r"1\.0 is not a colour"),
        ({"a": [{**answer(1), "attempt_1": []}]}, "0 rows"),
        ({"a": [{**answer(1), "attempt_1": [[1] * 256]}]}, "256 cells"),
        ({"a": [{**answer(1), "attempt_1": None}]}, "null where a list of rows belongs"),
    ],
)
def test_errors_have_file_and_position(tmp_path: Path, parts: list[Path], content: Any, message: str) -> None:
    wrong = file(tmp_path / "wrong.json", content)
    with pytest.raises(DataError, match=rf"wrong\.json: .*{message}|wrong\.json: {message}"):
        merge([*parts, wrong], tmp_path / "all.json")
    assert not (tmp_path / "all.json").exists()


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    for path, reason in ((tmp_path / "missing.json", "No such file"), (tmp_path, "Is a directory")):
        with pytest.raises(DataError, match=f"{path.name}: cannot be read: {reason}"):
            read(path)


def test_a_failed_write_leaves_the_previous_file(tmp_path: Path) -> None:
    path = file(tmp_path / "all.json", "before")
    with pytest.raises(TypeError):
        write({"a": [{"attempt_1": object()}]}, path)  # type: ignore[dict-item]
    assert path.read_text(encoding="utf-8") == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_loop_of_links_is_an_unreadable_file(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises((DataError, OSError)):
        merge([loop], tmp_path / "all.json")
