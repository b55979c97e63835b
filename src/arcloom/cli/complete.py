"""Completion of arguments in the shell."""

from collections.abc import Iterator
from pathlib import Path

from arcloom.engine.devices import DEVICES
from arcloom.tasks.load import BUNDLED, bundled


def data(incomplete: str) -> Iterator[str]:
    """Names of bundled sets, and files and folders of tasks."""
    yield from (name for name in BUNDLED if name.startswith(incomplete))
    yield from files(incomplete, ".json")


def devices(incomplete: str) -> Iterator[str]:
    """Names of devices."""
    return (name for name in DEVICES if name.startswith(incomplete))


def names(incomplete: str) -> Iterator[str]:
    """Names of the language."""
    from arcloom.dsl import CONSTANTS, PRIMITIVES

    return (name for name in (*PRIMITIVES, *CONSTANTS) if name.startswith(incomplete))


def tasks(incomplete: str) -> Iterator[str]:
    """Ids of bundled tasks, and files of tasks."""
    yield from (id for id in bundled([""]).ids if id.startswith(incomplete))
    yield from files(incomplete, ".json")


def programs(incomplete: str) -> Iterator[str]:
    """Files of programs, and folders."""
    return files(incomplete, ".py")


def files(incomplete: str, suffix: str) -> Iterator[str]:
    """Folders, and files with this suffix, whose paths begin with ``incomplete``."""
    start = Path(incomplete)
    folder = start if incomplete.endswith("/") else start.parent
    for path in sorted(folder.glob("*")) if folder.is_dir() else ():
        if str(path).startswith(incomplete.removeprefix("./")) and (path.is_dir() or path.suffix == suffix):
            yield f"{path}/" if path.is_dir() else str(path)
