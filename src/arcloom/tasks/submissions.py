"""Submission files in Kaggle's format: two attempts for each test input, by task id."""

import json
from collections.abc import Sequence
from enum import StrEnum
from os.path import realpath
from pathlib import Path
from typing import Any

from arcloom.files import write_atomically
from arcloom.tasks.load import read_json
from arcloom.tasks.parse import at_task, expect, parse_grid
from arcloom.tasks.task import DataError, Grid

ATTEMPTS = ("attempt_1", "attempt_2")

Submission = dict[str, list[dict[str, Grid]]]


class Prefer(StrEnum):
    """The file whose answers count if two files answer a task differently."""

    FIRST = "first"


def write(submission: Submission, path: Path) -> None:
    """Write a submission atomically, with tasks sorted by id."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, json.dumps({id: submission[id] for id in sorted(submission)}))


def read(path: Path) -> Submission:
    """Read a submission. Raises DataError with file, task and position if the format is wrong."""
    try:
        tasks = expect(read_json(path), dict, str(path), "an object of answers by task id")
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror}") from None
    return {id: _tests(tests, at_task(str(path), id)) for id, tests in tasks.items()}


def _tests(value: Any, where: str) -> list[dict[str, Grid]]:
    tests = expect(value, list, where, "a list with an object for each test input")
    return [_attempts(test, f"{where}, test[{i}]") for i, test in enumerate(tests)]


def _attempts(value: Any, where: str) -> dict[str, Grid]:
    attempts = expect(value, dict, where, 'an object with "attempt_1" and "attempt_2"')
    if attempts.keys() != set(ATTEMPTS):
        names = ", ".join(map(str, attempts)) or "no attempts"
        raise DataError(f'{where}: {names}; a test input has exactly "attempt_1" and "attempt_2"')
    return {name: parse_grid(attempts[name], f"{where}.{name}") for name in ATTEMPTS}


def merge(paths: Sequence[Path], into: Path, prefer: Prefer | None = None) -> Submission:
    """Write the answers of several files to one file, and return them.

    Files may have tasks in common. Different answers to the same task raise DataError, unless ``prefer`` decides. The
    target must not be one of the files.
    """
    merged: Submission = {}
    origin: dict[str, Path] = {}
    for path in paths:
        if realpath(path) == realpath(into):  # Path.resolve raises RuntimeError for a loop of links
            raise DataError(f"{into} is one of the files to merge; choose another file for --into")
        for id, tests in read(path).items():
            if merged.setdefault(id, tests) != tests and prefer is None:
                raise DataError(
                    f"{at_task(str(path), id)}: {origin[id]} has other answers; "
                    "leave one of the files out, or use --prefer first for the answers of the first file"
                )
            origin.setdefault(id, path)
    write(merged, into)
    return merged
