"""Learn the costs of operations from the right programs that enumeration finds for tasks with known answers.

    python -m arcloom.enumerate.costs [--data SPEC ...] [--tries N] [--check]

This enumerates programs for the tasks of the datasets (ARC-AGI-1 training) and rewrites ``operations/costs.json`` and
``operations/effects.json``. With ``--check`` nothing is written: costs and effects are learnt from each half of the
tasks, and the numbers of tasks of the other half that are solved with them, with the costs alone, and with what is
learnt at present are printed.

A cost is in half bits: -2 log2 of the probability of the operation among those with the same value class of result.
The probability is estimated from counts of use; the comment on the operation gives its prior. A slow operation costs
more, because the search is limited by time.

The effect of a trait of tasks on a cost is learnt like the weights of a naive Bayes classifier: from the number of uses
in tasks with the trait, compared with the number expected without an effect.
"""

import argparse
import json
import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path

import numpy as np

from arcloom.engine.devices.kernel_times import KernelProfile
from arcloom.engine.memory import Memory
from arcloom.enumerate import leaves, operations, traits
from arcloom.enumerate.cost_model import HALF_BITS, CostModel, Effects
from arcloom.enumerate.enumerator import Enumerator, FoundExpression
from arcloom.tasks import load
from arcloom.tasks.task import Task

TRAINING = "arcagi:training"
TRIES = 60_000
SOLUTIONS = 3
"""Maximum number of correct programs counted per task. Together they count as one use."""

PRIOR_STRENGTH = 30.0
"""Prior strength, in pseudo-counts per value class."""

LONG, PER_DOUBLING = 10_000.0, 0.75
"""An operation that takes LONG nanoseconds costs PER_DOUBLING bits more; each doubling of its time adds as many."""

NO_EFFECT, TRAITS_WEIGHT = 6.0, 0.3
"""The prior for no effect of a trait, in pseudo-counts, and the factor of all effects. It is far below 1 because traits
depend on each other."""

LEAST_EFFECT = 0.15
"""Effects below this number of half bits are left out."""

LEAF_PRIORS: Mapping[str, tuple[float, float]] = {
    leaves.INPUT_LEAF: (4.0, 1.0),
    leaves.LIKELY_COLOUR: (1.0, 2.5),
    leaves.OTHER_COLOUR: (0.5, 3.0),
    leaves.LIKELY_NUMBER: (1.0, 2.0),
    leaves.OTHER_NUMBER: (0.5, 2.0),
    leaves.OUTPUT_SHAPE: (1.0, 0.5),
    leaves.DIRECTION: (0.5, 8.0),
}
"""Kinds of leaves: the prior weight, and the mean number of leaves of this kind per task."""

OPERATIONS_WEIGHT = 1.5
"""Prior weight of all operations of a value class together, on the scale of LEAF_PRIORS."""


@dataclass
class Uses:
    """Counts of used operations and leaves by task, and the nanoseconds per run of each operation."""

    by_task: dict[str, Counter[str]] = field(default_factory=dict)
    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def total(self, tasks: Iterable[str]) -> Counter[str]:
        """The sum of the counts of some tasks."""
        return sum((self.by_task[task] for task in tasks if task in self.by_task), Counter())

    def typical_times(self) -> dict[str, float]:
        """The median time of each operation. The median ignores runs that were disturbed by other processes."""
        return {name: float(np.median(times)) for name, times in self.times.items()}


def fitted(uses: Mapping[str, float], times: Mapping[str, float]) -> dict[str, int]:
    """The cost of each operation and kind of leaf, from counts of use and nanoseconds per run."""
    costs: dict[str, int] = {}
    for priors in _priors().values():
        scale = PRIOR_STRENGTH / sum(priors.values())
        whole = PRIOR_STRENGTH + sum(uses.get(name, 0.0) for name in priors)
        for name, prior in priors.items():
            share = (uses.get(name, 0.0) + scale * prior) / whole
            per_task = LEAF_PRIORS[name][1] if name in LEAF_PRIORS else 1.0
            bits = math.log2(per_task / share) + PER_DOUBLING * math.log2(1 + times.get(name, 0.0) / LONG)
            costs[name] = max(1, round(HALF_BITS * bits))
    return costs


def _priors() -> dict[str, dict[str, float]]:
    """The prior weights of operations and leaves, by value class."""
    priors: dict[str, dict[str, float]] = defaultdict(dict)
    for program, value_class, cost in operations.written():
        priors[value_class][program.name] = math.exp2(1 - cost)
    for weights in priors.values():
        scale = OPERATIONS_WEIGHT / sum(weights.values())
        weights.update({name: scale * prior for name, prior in weights.items()})
    for name, (prior, _) in LEAF_PRIORS.items():
        priors[leaves.VALUE_CLASSES[name]][name] = prior
    return priors


def fitted_effects(uses: Mapping[str, Counter[str]], tasks: Iterable[Task]) -> Effects:
    """The effect of each trait on each cost, from the counts of use by task."""
    of_task = {task.id: traits.traits(task) for task in tasks if uses.get(task.id)}
    found: dict[str, dict[str, list[float]]] = {trait: defaultdict(list) for trait in traits.NAMES}
    whole = sum((uses[id] for id in of_task), Counter())
    for k, trait in enumerate(traits.NAMES):
        for has in (True, False):
            part = sum((uses[id] for id, held in of_task.items() if held[k] == has), Counter())
            for name, change in _changes(part, whole):
                found[trait][name].append(change)
    return {
        trait: {name: pair for name, pair in names.items() if max(map(abs, pair)) >= LEAST_EFFECT}
        for trait, names in found.items()
    }


def _changes(part: Mapping[str, float], whole: Mapping[str, float]) -> Iterator[tuple[str, float]]:
    """The changes of the costs of the used names for tasks in which they are used as often as in ``part``."""
    for priors in _priors().values():
        used = [name for name in priors if whole.get(name)]
        share = sum(part.get(name, 0.0) for name in used) / max(1e-9, sum(whole[name] for name in used))
        for name in used:
            ratio = (part.get(name, 0.0) + NO_EFFECT * share) / ((whole[name] + NO_EFFECT) * share) if share else 1.0
            yield name, round(-HALF_BITS * TRAITS_WEIGHT * math.log2(ratio), 2)


def is_right(task: Task, found: FoundExpression) -> bool:
    """Whether an expression also gives the test outputs."""
    answers = [np.array(pair.output, np.int8) for pair in task.test]
    return all(map(np.array_equal, found.grids[len(task.train) :], answers))


def enumerate_tasks(tasks: Sequence[Task], model: CostModel, tries: int, uses: Uses) -> int:
    """Enumerate programs for tasks and add their uses to ``uses``. Returns the number of solved tasks."""
    enumerator, solved = Enumerator(operations.priced(model.costs)), 0
    for n, task in enumerate(tasks):
        before = enumerator.timed.copy()
        right = [
            found for found in leaves.enumerate_task(enumerator, task, tries, model).solutions if is_right(task, found)
        ]
        solved += bool(right)
        uses.by_task[task.id] = _uses(right[:SOLUTIONS])
        _note_times(enumerator, before, uses)
        print(f"\r{n + 1} of {len(tasks)} tasks, {solved} solved", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return solved


def _uses(solutions: Sequence[FoundExpression]) -> Counter[str]:
    uses: Counter[str] = Counter()
    for found in solutions:
        for name in found.used:
            uses[name] += 1 / len(solutions)  # type: ignore[assignment]
    return uses


def _note_times(enumerator: Enumerator, before: np.ndarray, uses: Uses) -> None:
    for operation, (runs, nanoseconds) in zip(enumerator.operations, enumerator.timed - before, strict=True):
        if runs:
            uses.times[operation.name].append(nanoseconds / runs)


def learn(tasks: Sequence[Task], tries: int) -> Uses:
    """Counts of the operations and leaves in programs for the tasks. The programs are found with the current costs."""
    uses = Uses()
    Memory.profile = KernelProfile()
    try:
        enumerate_tasks(tasks, leaves.learnt_model(), tries, uses)
    finally:
        Memory.profile = None
    return uses


def fitted_model(uses: Uses, tasks: Sequence[Task]) -> CostModel:
    """The costs and effects learnt from the uses in some tasks."""
    costs = fitted(uses.total(task.id for task in tasks), uses.typical_times())
    return leaves.cost_model(costs, fitted_effects(uses.by_task, tasks))


def check(tasks: Sequence[Task], uses: Uses, tries: int) -> None:
    """Print the number of solved tasks in each half, with costs and effects learnt from the other half."""
    halves = tasks[::2], tasks[1::2]
    learnt = [fitted_model(uses, half) for half in halves[::-1]]
    costs_alone = [replace(model, effects={}) for model in learnt]
    print("tasks solved in each half with the present costs:", *(_solved(half, uses) for half in halves))
    for title, models in (("costs", costs_alone), ("costs and effects of traits", learnt)):
        solved = [enumerate_tasks(half, model, tries, Uses()) for half, model in zip(halves, models, strict=True)]
        print(f"tasks solved in each half with {title} learnt from the other:", *solved)


def _solved(tasks: Iterable[Task], uses: Uses) -> int:
    return sum(bool(uses.by_task[task.id]) for task in tasks)


def main() -> None:
    """Run the command that the module's docstring describes."""
    parser = argparse.ArgumentParser(prog="python -m arcloom.enumerate.costs", description=__doc__)
    parser.add_argument("--data", action="append", help=f"tasks with known answers; may be repeated ({TRAINING})")
    parser.add_argument("--tries", type=int, default=TRIES, help="expressions to try for each task (%(default)s)")
    parser.add_argument("--check", action="store_true", help="learn from one half, count solved tasks of the other")
    options = parser.parse_args()
    tasks = sorted((task for data in options.data or [TRAINING] for task in load(data)), key=lambda task: task.id)
    uses = learn(tasks, options.tries)
    if options.check:
        check(tasks, uses, options.tries)
    else:
        write(fitted_model(uses, tasks))


def write(model: CostModel) -> None:
    """Write the costs and effects to the files that the search reads."""
    folder = Path(str(files(operations)))
    for name, learnt in ((operations.COSTS, model.costs), (operations.EFFECTS, model.effects)):
        text = json.dumps(learnt, indent=0, sort_keys=True)
        (folder / name).write_text(_on_one_line(text) + "\n", encoding="utf-8")


def _on_one_line(text: str) -> str:
    """JSON text with each innermost list on one line."""
    return re.sub(r"\[[^][]*\]", lambda found: " ".join(found[0].split()), text)


if __name__ == "__main__":
    main()
