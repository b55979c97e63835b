"""The functions of the studio on tasks and programs. Programs are parsed and traced; nothing is executed as Python."""

import math
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arcloom.program.build import SOLVER
from arcloom.program.parse import ParseError, read
from arcloom.program.term import Program
from arcloom.program.texts import as_solver
from arcloom.program.trace import TraceError, trace
from arcloom.report.encode import grid_json, task_json, trace_json
from arcloom.report.trace import trace_program
from arcloom.search.scores import scores_on
from arcloom.store import Store
from arcloom.tasks import load
from arcloom.tasks.load import BUNDLED
from arcloom.tasks.parse import parse_task
from arcloom.tasks.task import DataError, Dataset, Grid, Task

_ASSIGNMENT = re.compile(r"( +)(\w+) = ")
"""Matches the beginning of a line that assigns a variable."""

OWN = "own"
"""The id of a task that was drawn in the studio."""


@dataclass
class Workbench:
    """Tasks and programs. ``data`` are datasets in addition to the bundled ones; programs are saved in ``library``.

    ``language`` describes the names of the language in the form of ``arcloom dsl --json``.
    """

    language: Mapping[str, Any]
    data: Sequence[str] = ()
    library: Path | None = None
    _loaded: dict[str, Dataset] = field(default_factory=dict)

    def names(self) -> dict[str, Any]:
        """The datasets to choose from, and the language."""
        return {"data": [*self.data, *BUNDLED], "language": self.language}

    def tasks(self, data: str) -> dict[str, Any]:
        """The tasks of a dataset: the id, the first input, and the properties for filters."""
        return {"tasks": [_listed(task) for task in self.dataset(data) if task.samples]}

    def dataset(self, data: str) -> Dataset:
        """A dataset. It is read once and cached."""
        if data not in self._loaded:
            self._loaded[data] = load(data)
        return self._loaded[data]

    def task(self, data: str, id: str) -> dict[str, Any]:
        """One task."""
        return task_json(self.dataset(data)[id])

    def trace(self, source: str, task: Any) -> dict[str, Any]:
        """The trace of a program on a task in ARC's JSON form, the errors by line, and the elapsed seconds.

        If the program has an error, only the lines before it are traced; this partial trace has no output to compare.
        """
        began = time.perf_counter()
        chosen = _task(task)
        entries = read(source, file="program")
        errors = [_error(entry) for entry in entries if isinstance(entry, ParseError)]
        program = _chosen([entry for entry in entries if isinstance(entry, Program)], chosen.id)
        is_partial = program is None
        if program is not None:
            errors += _type_errors(program)
        elif errors:
            source = _before(source, errors[0]["line"])
            program = _chosen([entry for entry in read(source) if isinstance(entry, Program)], chosen.id)
        found = None if program is None else trace_json(trace_program(program, chosen, source=source))
        if found is not None and is_partial:
            found.update(wrong=[], partial=True)
        return {"errors": errors, "trace": found, "seconds": round(time.perf_counter() - began, 4)}

    def save(self, source: str, data: str | None, id: str) -> dict[str, Any]:
        """Save a program to the library, with its score if its task is in the dataset ``data``."""
        program = _chosen([entry for entry in read(source) if isinstance(entry, Program)], id)
        if program is None:
            raise DataError("there is no program to save: correct the errors first")
        scores = scores_on([program], self.dataset(data), device="auto") if data else []
        with Store.open(self.library) as store:
            new = store.add([program], scores)
            return {"saved": f"{program.name} is {'now' if new else 'already'} in {store.path}"}


def _listed(task: Task) -> dict[str, Any]:
    pairs = [(_sides(pair.input), _sides(pair.output)) for pair in task.samples if pair.output is not None]
    return {"id": task.id, "thumbnail": grid_json(task.samples[0].input), "sizes": _change(pairs)}


def _sides(grid: Grid) -> tuple[int, int]:
    return len(grid), len(grid[0])


def _change(pairs: Sequence[tuple[tuple[int, int], tuple[int, int]]]) -> str:
    """How the sizes of outputs compare with those of inputs: "same", "larger", "smaller" or "other"."""
    growths = [math.prod(after) - math.prod(before) for before, after in pairs]
    if all(before == after for before, after in pairs):
        return "same"
    if all(growth > 0 for growth in growths):
        return "larger"
    return "smaller" if all(growth < 0 for growth in growths) else "other"


def _task(value: Any) -> Task:
    if not isinstance(value, dict):
        raise DataError('the task must be {"train": [...], "test": [...]}')
    return parse_task(value, str(value.get("id") or OWN), "the task")


def _chosen(programs: Sequence[Program], id: str) -> Program | None:
    """The program named after a task, or else the last one."""
    named = [program for program in programs if program.name == SOLVER + id]
    return as_solver((named or programs)[-1]) if programs else None


def _before(source: str, line: int) -> str:
    """The part of a program before a line with an error; it returns the last variable that is assigned there."""
    lines = source.splitlines()[: line - 1]
    assigned = [match for text in lines if (match := _ASSIGNMENT.match(text))]
    result = [f"{assigned[-1][1]}return {assigned[-1][2]}"] if assigned else []
    return "\n".join([*lines, *result, ""])


def _error(error: ParseError) -> dict[str, Any]:
    return {"line": error.line, "column": error.column, "message": error.message}


def _type_errors(program: Program) -> list[dict[str, Any]]:
    try:
        trace(program)
    except TraceError as error:
        return [{"line": error.line, "column": 1, "message": error.message}]
    return []
