"""Tasks with a right program by time and source, from a finished run whose answers are known. Writes one JSON object.

python benchmarks/curve.py results arcagi:training --seconds 30 100 300 600
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from arcloom.cluster.solve import STORE
from arcloom.store import Store, TaskKey
from arcloom.store.runs import runs
from arcloom.tasks import load
from arcloom.tasks.packed import pack

ALL = "all sources"

QUERY = """
    SELECT tasks.id, tasks.digest, votes.source, votes.outputs, generations.stored
    FROM votes JOIN tasks ON tasks.number = votes.task
    JOIN generations ON generations.run = votes.run AND generations.task = votes.task
        AND generations.number = votes.generation
    WHERE votes.run = ?
"""
"""The votes of a run, each with the time at which its generation was stored."""


def first_right(folder: Path, data: str) -> dict[str, dict[str, float]]:
    """For each source, the tasks for which it found a right program, and the seconds from the start until the first."""
    answers = {TaskKey.of(task): b"".join(pack(pair.output) or b"" for pair in task.test) for task in load(data)}
    found: dict[str, dict[str, float]] = defaultdict(dict)
    with Store.open(folder / STORE, must_exist=True) as store:
        run = runs(store)[-1]
        for id, digest, source, outputs, stored in store.query(QUERY, (run.id,)):
            if outputs == answers.get(TaskKey(id, digest)):
                for name in (source, ALL):
                    found[name][id] = min(found[name].get(id, float("inf")), stored - run.started)
    return found


def curve(found: dict[str, dict[str, float]], seconds: Sequence[float]) -> dict[str, object]:
    """The number of tasks with a right program at each time, and the number of tasks that only one source solves."""
    counts = {
        source: [sum(time <= limit for time in times.values()) for limit in seconds] for source, times in found.items()
    }
    sources = {source: set(times) for source, times in found.items() if source != ALL}
    only = {
        source: len(tasks - set().union(*(other for name, other in sources.items() if name != source)))
        for source, tasks in sources.items()
    }
    return {"seconds": list(seconds), "tasks_with_a_right_program": counts, "solved_by_no_other_source": only}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("data")
    parser.add_argument("--seconds", type=float, nargs="+", default=[100, 600, 3600])
    options = parser.parse_args()
    print(json.dumps(curve(first_right(options.folder, options.data), options.seconds), indent=2))


if __name__ == "__main__":
    main()
