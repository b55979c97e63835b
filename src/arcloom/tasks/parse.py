"""Parsing tasks from JSON values. Faults raise DataError with their position, for example

    tasks/a.json: task "a", train[1].input[2][3]: "x" is not a colour; a cell is an int from 0 to 9

The numbers in brackets count from 0.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

from arcloom.tasks.task import PACKED_SIDE_MAX, DataError, Grid, Pair, Task

COLOUR_MAX = 9
"""The greatest colour of a task. The least is 0."""

COLOURS = frozenset(range(COLOUR_MAX + 1))

CELL = f"a cell is an int from 0 to {COLOUR_MAX}"


def parse_tasks(value: Any, name: str, where: str) -> tuple[Task, ...]:
    """The tasks of one file: a single task, whose id is ``name``, or tasks by id."""
    if isinstance(value, list) or (isinstance(value, dict) and ("train" in value or "test" in value)):
        return (parse_task(value, name, where),)
    tasks = expect(value, dict, where, 'a task {"train": [...], "test": [...]}, or tasks by id,')
    if not tasks:
        raise DataError(f"{where}: no tasks; a file holds at least one")
    return tuple(parse_task(task, id, where) for id, task in tasks.items())


def parse_task(value: Any, id: str, where: str) -> Task:
    """The task in an object with "train" and "test", or in a list of train pairs."""
    where = at_task(where, id)
    if isinstance(value, list):
        return Task(id, _train(value, f"{where}, pairs"))
    parts = expect(value, dict, where, 'an object with "train" and "test", or a list of pairs,')
    for part in ("train", "test"):
        if part not in parts:
            raise DataError(f'{where}: no "{part}"; a task has a list of pairs "train", and one "test"')
    return Task(id, _train(parts["train"], f"{where}, train"), _test(parts["test"], f"{where}, test"))


def with_solutions(tasks: tuple[Task, ...], value: Any, where: str) -> tuple[Task, ...]:
    """The tasks, with their test outputs from ``value``, an object of lists of grids by task id."""
    solutions = expect(value, dict, where, "an object of lists of grids by task id")
    ids = {task.id for task in tasks}
    for id in sorted(ids ^ solutions.keys()):
        lacks = "no challenge has this id" if id in solutions else "no solutions; every challenge needs them"
        raise DataError(f"{at_task(where, id)}: {lacks}")
    return tuple(_solved(task, solutions[task.id], at_task(where, task.id)) for task in tasks)


def _solved(task: Task, value: Any, where: str) -> Task:
    outputs = expect(value, list, where, "a list of grids, one for each test pair,")
    if len(outputs) != len(task.test):
        raise DataError(f"{where}: {len(outputs)} solutions; the challenge has {len(task.test)} test pairs")
    grids = [parse_grid(output, f"{where}, solution[{i}]") for i, output in enumerate(outputs)]
    return replace(task, test=tuple(map(Pair, (pair.input for pair in task.test), grids)))


def _train(value: Any, where: str) -> tuple[Pair, ...]:
    pairs = tuple(_pairs(value, where))
    if not pairs:
        raise DataError(f"{where}: no pairs; a task has at least one")
    for i, pair in enumerate(pairs):
        if pair.output is None:
            raise DataError(f'{where}[{i}]: no "output"; only a test pair may leave it out')
    return pairs


def _test(value: Any, where: str) -> tuple[Pair, ...]:
    return tuple(_pairs(value, where))


def _pairs(value: Any, where: str) -> Iterator[Pair]:
    for i, pair in enumerate(expect(value, list, where, "a list of pairs")):
        yield _pair(pair, f"{where}[{i}]")


def _pair(value: Any, where: str) -> Pair:
    pair = expect(value, dict, where, 'a pair {"input": grid, "output": grid}')
    if "input" not in pair:
        raise DataError(f'{where}: no "input"; every pair needs one')
    output = pair.get("output")
    known = None if output is None else parse_grid(output, f"{where}.output")
    return Pair(parse_grid(pair["input"], f"{where}.input"), known)


def parse_grid(value: Any, where: str) -> Grid:
    """The grid in a list of rows of equal length, which are lists of ints."""
    if _is_grid(value):
        return tuple(map(tuple, value))
    return _checked_grid(value, where)


def _is_grid(value: Any) -> bool:
    """Whether a value is a grid. This is faster than ``_checked_grid``, which finds the fault."""
    if type(value) is not list or not 1 <= len(value) <= PACKED_SIDE_MAX or any(type(row) is not list for row in value):
        return False
    width = len(value[0])
    if not 1 <= width <= PACKED_SIDE_MAX or any(len(row) != width for row in value):
        return False
    cells = list(chain.from_iterable(value))
    return set(map(type, cells)) == {int} and COLOURS.issuperset(cells)


def _checked_grid(value: Any, where: str) -> Grid:
    """The grid, checked cell by cell. Raises DataError with the position of the first fault."""
    grid = tuple(_row(row, f"{where}[{i}]") for i, row in enumerate(_side(value, where, "rows")))
    width = len(grid[0])
    for i, row in enumerate(grid):
        if len(row) != width:
            raise DataError(f"{where}[{i}]: {len(row)} cells, but {width} in row 0; rows are equally long")
    return grid


def _row(value: Any, where: str) -> tuple[int, ...]:
    cells = _side(value, where, "cells")
    for j, cell in enumerate(cells):
        if type(cell) is not int or not 0 <= cell <= COLOUR_MAX:
            raise DataError(f"{where}[{j}]: {show(cell)} is not a colour; {CELL}")
    return tuple(cells)


def _side(value: Any, where: str, things: str) -> list[Any]:
    line: list[Any] = expect(value, list, where, f"a list of {things}")
    if not 1 <= len(line) <= PACKED_SIDE_MAX:
        raise DataError(f"{where}: {len(line)} {things}; a grid has from 1 to {PACKED_SIDE_MAX} {things}")
    return line


def expect(value: Any, kind: type, where: str, right: str) -> Any:
    """The value, if it is of this kind. Otherwise raises DataError; ``right`` describes the expected value."""
    if not isinstance(value, kind):
        raise DataError(f"{where}: {show(value)} where {right} belongs")
    return value


def at_task(where: str, id: str) -> str:
    """The position of a task, for messages."""
    return f"{where}: task {show(id)}"


def show(value: Any) -> str:
    """A JSON value for messages: its text if it is short, otherwise its kind."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
