"""Tasks, traces and drawings as JSON for a page. The scripts in ``assets`` read this form."""

import base64
import json
import zlib
from typing import Any

from arcloom.report.drawing import (
    CellsDrawing,
    Drawing,
    FailureDrawing,
    FunctionDrawing,
    GridDrawing,
    RowDrawing,
    TextDrawing,
)
from arcloom.report.trace import Trace, TracedLine
from arcloom.tasks.task import Grid, Pair, Task


def grid_json(grid: Grid | None) -> Any:
    """A grid as a list of strings of digits, or as a list of lists of numbers if some colour is no digit."""
    if grid is None:
        return None
    if all(0 <= cell <= 9 for row in grid for cell in row):
        return ["".join(map(str, row)) for row in grid]
    return [list(row) for row in grid]


def task_json(task: Task) -> dict[str, Any]:
    """A task: pairs of grids, None for an unknown output."""
    return {"id": task.id, "train": list(map(_pair, task.train)), "test": list(map(_pair, task.test))}


def _pair(pair: Pair) -> list[Any]:
    return [grid_json(pair.input), grid_json(pair.output)]


def trace_json(trace: Trace) -> dict[str, Any]:
    """A trace without its task."""
    return {
        "name": trace.name,
        "lines": list(map(_line, trace.lines)),
        "wrong": list(trace.wrong),
        "problem": trace.problem,
    }


def _line(line: TracedLine) -> dict[str, Any]:
    return {
        "number": line.number,
        "text": line.text,
        "type": line.type,
        "values": [None if value is None else drawing_json(value) for value in line.values],
    }


def drawing_json(drawing: Drawing) -> dict[str, Any]:
    """A drawing. Its keys determine its kind."""
    match drawing:
        case GridDrawing(grid):
            return {"grid": grid_json(grid)}
        case CellsDrawing(cells):
            return {"cells": list(map(list, cells))}
        case RowDrawing(items, count):
            return {"items": list(map(drawing_json, items)), "count": count}
        case TextDrawing(text):
            return {"text": text}
        case FunctionDrawing(text):
            return {"function": text}
        case FailureDrawing(line, reason):
            return {"failure": reason, "line": line}


def json_text(data: Any) -> str:
    """JSON without spaces."""
    return json.dumps(data, separators=(",", ":"))


def packed(data: Any) -> str:
    """JSON compressed with zlib, in base 64."""
    return base64.b64encode(zlib.compress(json_text(data).encode(), 6)).decode()
