"""Learns the costs of operations from the right programs that enumeration finds for tasks with known answers.

    python -m arcloom.enumerate.costs [--data SPEC ...] [--tries N] [--check]

enumerates for the tasks of the datasets (ARC-AGI-1 training) and writes ``operations/costs.json`` anew. With
``--check`` it writes nothing. It learns costs from each half of the tasks, and prints how many tasks of the other half
are solved with them and with the present costs.

A cost is in half bits. An operation costs more the seldomer it is used among those with the same sort of result (what
is never used keeps some of what its comment says), and more if it takes long: what is found per second counts.
"""

import argparse
import json
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

import numpy as np

from arcloom.engine.devices.kernel_times import KernelProfile
from arcloom.engine.memory import Memory
from arcloom.enumerate import leaves, operations
from arcloom.enumerate.explorer import Explorer, Found
from arcloom.tasks import load
from arcloom.tasks.task import Task

TRAINING = "arcagi:training"
TRIES = 60_000
SOLUTIONS = 3
"""Maximum number of right programs of a task that are counted; together they count as one."""

BELIEF = 30.0
"""Prior strength, in pseudo-counts per sort."""

LONG, PER_DOUBLING = 10_000.0, 0.75
"""An operation that takes LONG nanoseconds costs PER_DOUBLING bits more, and about as much again per doubling."""

HALF_BITS = 2

GIVENS: Mapping[str, tuple[str, float, float]] = {
    leaves.INPUT_LEAF: ("grid", 4.0, 1.0),
    leaves.LIKELY_COLOUR: ("colour", 1.0, 2.5),
    leaves.OTHER_COLOUR: ("colour", 0.5, 3.0),
    leaves.LIKELY_NUMBER: ("number", 1.0, 2.0),
    leaves.OTHER_NUMBER: ("number", 0.5, 2.0),
    leaves.OUTPUT_SHAPE: ("pair", 1.0, 0.5),
    leaves.DIRECTION: ("pair", 0.5, 8.0),
}
"""Kinds of starting values: the sort, the prior weight (all operations of the sort together have 1.5), and the mean
number of such values of a task."""

OPERATIONS_WEIGHT = 1.5


@dataclass
class Uses:
    """Counts of used operations and starting values by task, and the nanoseconds that operations take."""

    by_task: dict[str, Counter[str]] = field(default_factory=dict)
    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def total(self, tasks: Iterable[str]) -> Counter[str]:
        """The uses in some of the tasks."""
        return sum((self.by_task[task] for task in tasks if task in self.by_task), Counter())

    def typical_times(self) -> dict[str, float]:
        """The median for each operation: single runs are disturbed by whatever else the machine does."""
        return {name: float(np.median(times)) for name, times in self.times.items()}


def fitted(uses: Mapping[str, float], times: Mapping[str, float]) -> dict[str, int]:
    """The costs that go with such uses and times."""
    costs: dict[str, int] = {}
    for beliefs in _beliefs().values():
        scale = BELIEF / sum(beliefs.values())
        whole = BELIEF + sum(uses.get(name, 0.0) for name in beliefs)
        for name, belief in beliefs.items():
            share = (uses.get(name, 0.0) + scale * belief) / whole
            many = GIVENS[name][2] if name in GIVENS else 1.0
            bits = math.log2(many / share) + PER_DOUBLING * math.log2(1 + times.get(name, 0.0) / LONG)
            costs[name] = max(1, round(HALF_BITS * bits))
    return costs


def _beliefs() -> dict[str, dict[str, float]]:
    """For each sort, how likely operations and leaves are thought to be before any is used."""
    beliefs: dict[str, dict[str, float]] = defaultdict(dict)
    for program, sort, cost in operations.written():
        beliefs[sort][program.name] = math.exp2(1 - cost)
    for believed in beliefs.values():
        scale = OPERATIONS_WEIGHT / sum(believed.values())
        believed.update({name: scale * belief for name, belief in believed.items()})
    for name, (sort, belief, _) in GIVENS.items():
        beliefs[sort][name] = belief
    return beliefs


def is_right(task: Task, found: Found) -> bool:
    """Whether a program gives the test outputs, too."""
    answers = [np.array(pair.output, np.int8) for pair in task.test]
    return all(map(np.array_equal, found.grids[len(task.train) :], answers))


def explore_all(tasks: Sequence[Task], costs: Mapping[str, int], tries: int, uses: Uses) -> int:
    """Explore the tasks, count what right programs use, and say for how many there is one."""
    explorer, solved = Explorer(operations.priced(costs)), 0
    for n, task in enumerate(tasks):
        before = explorer.timed.copy()
        right = [
            found for found in leaves.explore_task(explorer, task, tries, costs).solutions if is_right(task, found)
        ]
        solved += bool(right)
        uses.by_task[task.id] = _uses(right[:SOLUTIONS])
        _note_times(explorer, before, uses)
        print(f"\r{n + 1} of {len(tasks)} tasks, {solved} solved", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return solved


def _uses(solutions: Sequence[Found]) -> Counter[str]:
    uses: Counter[str] = Counter()
    for found in solutions:
        for name in found.used:
            uses[name] += 1 / len(solutions)  # type: ignore[assignment]
    return uses


def _note_times(explorer: Explorer, before: np.ndarray, uses: Uses) -> None:
    for operation, (runs, nanoseconds) in zip(explorer.operations, explorer.timed - before, strict=True):
        if runs:
            uses.times[operation.name].append(nanoseconds / runs)


def learn(tasks: Sequence[Task], tries: int) -> Uses:
    """Counts of the operations in programs for the tasks, found with the present costs."""
    uses = Uses()
    Memory.profile = KernelProfile()
    try:
        explore_all(tasks, operations.learnt_costs(), tries, uses)
    finally:
        Memory.profile = None
    return uses


def check(tasks: Sequence[Task], uses: Uses, tries: int) -> list[int]:
    """How many tasks of each half are solved with the costs learnt from the other one."""
    halves = tasks[::2], tasks[1::2]
    return [
        explore_all(half, fitted(uses.total(task.id for task in other), uses.typical_times()), tries, Uses())
        for half, other in (halves, halves[::-1])
    ]


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(prog="python -m arcloom.enumerate.costs", description=__doc__)
    parser.add_argument("--data", action="append", help=f"tasks with known answers; may be repeated ({TRAINING})")
    parser.add_argument("--tries", type=int, default=TRIES, help="expressions to try for each task (%(default)s)")
    parser.add_argument("--check", action="store_true", help="learn from one half, and count solved tasks of the other")
    options = parser.parse_args()
    tasks = sorted((task for data in options.data or [TRAINING] for task in load(data)), key=lambda task: task.id)
    uses = learn(tasks, options.tries)
    if options.check:
        before = [sum(bool(uses.by_task[task.id]) for task in half) for half in (tasks[::2], tasks[1::2])]
        print("solved of each half with the present costs:", *before)
        print("solved of each half with the costs of the other:", *check(tasks, uses, options.tries))
        return
    costs = fitted(uses.total(task.id for task in tasks), uses.typical_times())
    file = Path(str(files(operations).joinpath(operations.COSTS)))
    file.write_text(json.dumps(dict(sorted(costs.items())), indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
