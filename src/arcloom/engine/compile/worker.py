"""A process that compiles: ``arcloom.child`` runs this module.

It reads jobs from its standard input, one JSON object per line: the ``names`` of units, the ``folders`` to write their
code to, and the processor of each folder as ``targets``. For each job it prints a JSON object: the names of the units
that are ``done``, and the ``errors`` of the others.
"""

import gc
import json
import sys
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

from arcloom.engine.compile import objects
from arcloom.engine.compile.frontend import object_file, only_translate, translate
from arcloom.engine.compile.target import CodeTarget
from arcloom.engine.compile.units import units


def _read(jobs: "Queue[dict[str, Any]]") -> None:
    for line in sys.stdin:
        jobs.put(json.loads(line))


CHANGED = "arcloom's sources were changed after the process that needs them had begun; start it again"


def run(job: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    """Compile the units of a job, unless the folders are those of other sources than this process has imported."""
    if any(Path(folder).name != CodeTarget(**to).folder for folder, to in _targets(job)):
        return {"done": [], "errors": dict.fromkeys(job["names"], CHANGED)}
    entries, errors = [], {}
    for name in job["names"]:
        try:
            entries.append(translate(known[name]))
        except Exception as error:  # the others can still be compiled
            errors[name] = f"{type(error).__name__}: {error}".strip().splitlines()[0]
    done = [entry.name for entry in entries]
    for folder, target in _targets(job):
        objects.write(Path(folder), done, object_file(entries, CodeTarget(**target)))
    return {"done": done, "errors": errors}


def _targets(job: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The folders of a job, with the processor of each."""
    return list(zip(job["folders"], job["targets"], strict=True))


def main() -> None:
    """Compile jobs until there are no more."""
    gc.disable()  # the compiler's objects live as long as the process
    jobs: Queue[dict[str, Any]] = Queue()
    Thread(target=_read, args=(jobs,), daemon=True).start()
    only_translate()
    known = units()
    while True:
        print(json.dumps(run(jobs.get(), known)), flush=True)


if __name__ == "__main__":
    main()
