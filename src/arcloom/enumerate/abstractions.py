"""Learn operations from programs that solve training tasks: fragments that several programs share.

    python -m arcloom.enumerate.abstractions [--data SPEC] [--held-out SPEC ...] [--tries N] [--check]

The programs are the bundled ones of the tasks (ARC-AGI-1 training) and the right ones that enumeration finds. Their
fragments (see ``fragments``) are candidates if they compute values that enumeration does not find at a lower price.
Candidates are kept that help to solve tasks in which they do not occur, and are written to ``operations/learnt.py``,
unless enumeration then solves fewer tasks of ``--held-out``. With ``--check`` nothing is written: operations are learnt
from each half of the tasks, and the numbers of solved tasks of the other half with and without them are printed.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from arcloom.engine.columns import ConstantStore
from arcloom.engine.memory import borrowed
from arcloom.enumerate import leaves, operations
from arcloom.enumerate.compiled.bank import ENTRY
from arcloom.enumerate.costs import TRAINING, is_right
from arcloom.enumerate.enumerator import Enumerator, FoundExpression, Operation, table_of
from arcloom.enumerate.fragments import Corpus, Fragment, canonical_shape, fragments, simplified
from arcloom.library import bundled
from arcloom.program.build import solver_name
from arcloom.program.print import to_text
from arcloom.program.term import Function, Program
from arcloom.tasks import load
from arcloom.tasks.task import Task

TRIES = 20_000
LEARNT = "learnt.py"
COST = 16
"""The cost in half bits of an operation without a learnt cost and without a comment."""

Solutions = Mapping[str, FoundExpression]
"""The cheapest right expression for each solved task."""


def written_operations() -> list[Operation]:
    """The operations that were not learnt by this module."""
    return [operation for operation in operations.operations() if operation.name not in _learnt_names()]


def _learnt_names() -> set[str]:
    return {program.name for program, _, _ in operations.written() if program.name.startswith("learnt_")}


def enumerator_with(learnt: Iterable[Fragment]) -> Enumerator:
    """An enumerator with the written operations and some fragments."""
    made = [Operation(each.program, each.value_class, COST) for each in learnt]
    return Enumerator(sorted([*written_operations(), *made], key=lambda each: (each.cost, each.name)))


def solve(enumerator: Enumerator, tasks: Sequence[Task], tries: int) -> Solutions:
    """The cheapest right expressions for the tasks that are solved."""
    solved: dict[str, FoundExpression] = {}
    for n, task in enumerate(tasks):
        found = leaves.enumerate_task(enumerator, task, tries).solutions
        solved |= {task.id: each for each in reversed(found) if is_right(task, each)}
        print(f"\r{n + 1} of {len(tasks)} tasks, {len(solved)} solved", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return solved


def named(found: Sequence[Fragment]) -> list[Fragment]:
    """The fragments with unique names from the primitives they call, the outermost first."""
    taken: Counter[str] = Counter()
    renamed = []
    for each in found:
        calls = [call.function for call in reversed(each.program.calls)]
        words = [function.primitive.name for function in calls if isinstance(function, Function)]
        name = "_".join(["learnt", *dict.fromkeys(word for word in words if word not in _PLUMBING)])
        taken[name] += 1
        name += f"_{taken[name]}" if taken[name] > 1 else ""
        renamed.append(replace(each, program=Program(name, each.program.inputs, each.program.output)))
    return renamed


_PLUMBING = ("compose", "chain", "lbind", "rbind", "fork", "matcher", "initset")


def producers(enumerator: Enumerator, task: Task, tries: int) -> set[str]:
    """The names of the operations that yield a value that no cheaper expression has, in an enumeration for a task."""
    problem = leaves.problem_of(task, tries)
    store = ConstantStore(2 * len(enumerator.planner.store.words) + 64, 2 * len(enumerator.planner.store.cells) + 64)
    bank = enumerator.bank(problem, store)
    with borrowed() as device:
        device.load(enumerator.tables, [enumerator.planner.store.contents(), store.contents()])
        count = enumerator.finish(problem, bank, device).entries
    made_by = table_of(ENTRY, bank.bank)["made_by"][:count]
    return {enumerator.operations[int(k)].name for k in set(made_by[made_by >= 0])}
