"""Learn operations from programs that solve tasks with known answers: fragments that several programs share.

    python -m arcloom.enumerate.abstractions [--data SPEC ...] [--tries N] [--check]

The programs are the bundled ones and the right ones that enumeration finds for the tasks of the datasets (ARC-AGI-1
training). Their fragments (see ``fragments``) are candidates if they yield values that enumeration does not find at a
lower price. The candidates are kept that help most with tasks in which they do not occur.

Operations are learnt from each half of the tasks, and the numbers of tasks of the other half that enumeration solves
with and without them are printed. If it solves at least LEAST_GAIN more with them, operations are learnt from all tasks
and written to ``operations/learnt.py``. With ``--check`` nothing is written.
"""

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from arcloom.engine.memory import borrowed
from arcloom.enumerate import leaves, operations
from arcloom.enumerate.compiled.bank import ENTRY
from arcloom.enumerate.costs import TRAINING, is_right
from arcloom.enumerate.enumerator import Enumerator, FoundExpression, Operation, table_of
from arcloom.enumerate.fragments import Fragment, canonical_shape, fragments, simplified
from arcloom.library import bundled
from arcloom.program.build import SOLVER, solver_name
from arcloom.program.parse import parse
from arcloom.program.print import all_to_text
from arcloom.program.term import Function, Program
from arcloom.tasks import load
from arcloom.tasks.task import Task

TRIES = 20_000
MOST = 8
"""Maximum number of learnt operations. Each one costs tries that other operations could use."""

COST = operations.UNLEARNT[operations.USUAL_COST]
"""The cost of a learnt operation, in half bits."""

SOLVED = 20
"""The value of a newly solved task in half bits, and the maximum value of a cheaper solution."""

NOVEL, SAMPLED = 0.1, 10
"""A candidate yields new values in this share of the tasks. Only one of SAMPLED tasks is examined."""

LEAST_GAIN = 5
"""Minimum number of additional held-out tasks. A smaller one is not distinguishable from chance."""

LEARNT = Path(str(files(operations).joinpath("learnt.py")))

HEADER = '''"""Operations that ``arcloom.enumerate.abstractions`` has learnt from programs for training tasks."""

# Read as text and never imported: see arcloom.enumerate.operations.
# mypy: ignore-errors
# ruff: noqa


'''

Solutions = Mapping[str, FoundExpression]
"""The cheapest right expression for each solved task, by the id of the task."""


def written_operations() -> list[Operation]:
    """The operations that this module has not learnt."""
    learnt = parse(LEARNT.read_text(encoding="utf-8")) if LEARNT.exists() else []
    return [each for each in operations.operations() if each.name not in {program.name for program in learnt}]


def enumerator_with(learnt: Iterable[Fragment]) -> Enumerator:
    """An enumerator with some fragments as additional operations."""
    made = [Operation(each.program, each.value_class, COST) for each in learnt]
    return Enumerator(sorted([*written_operations(), *made], key=lambda each: (each.cost, each.name)))


def solve(enumerator: Enumerator, tasks: Sequence[Task], tries: int) -> Solutions:
    """The cheapest right expression for each task that enumeration solves."""
    solved: dict[str, FoundExpression] = {}
    for n, task in enumerate(tasks):
        found = leaves.enumerate_task(enumerator, task, tries).solutions
        right = next((each for each in found if is_right(task, each)), None)
        if right is not None:
            solved[task.id] = right
        print(f"\r{n + 1} of {len(tasks)} tasks, {len(solved)} solved", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return solved


def corpus_of(tasks: Iterable[Task], solved: Solutions) -> dict[str, list[Program]]:
    """The bundled program of each task, and the one that enumeration has found."""
    corpus: dict[str, list[Program]] = defaultdict(list)
    library = {program.name: program for program in bundled()}
    for task in tasks:
        if solver_name(task.id) in library:
            corpus[task.id].append(library[solver_name(task.id)])
        if task.id in solved:
            corpus[task.id].append(Program(SOLVER, ("I",), solved[task.id].output))
    return corpus


def candidates(tasks: Sequence[Task], solved: Solutions, tries: int) -> list[Fragment]:
    """The fragments of the programs for tasks that yield new values."""
    known = {canonical_shape(operation.program) for operation in written_operations()}
    shared = [each for each in fragments(simplified(corpus_of(tasks, solved))) if each.program.shape not in known]
    found = named(shared, {operation.name for operation in written_operations()})
    enumerator, sample = enumerator_with(found), tasks[::SAMPLED]
    new = Counter(name for task in sample for name in producers(enumerator, task, tries))
    return [each for each in found if new[each.program.name] >= NOVEL * len(sample)]


def named(found: Iterable[Fragment], taken: Collection[str]) -> list[Fragment]:
    """The fragments with new names, made of the primitives that they call, the outermost first."""
    names = set(taken)
    renamed = []
    for each in found:
        functions = [call.function for call in reversed(each.program.calls)]
        words = [function.primitive.name for function in functions if isinstance(function, Function)]
        base = "_".join(dict.fromkeys(word for word in words if word not in _COMBINATORS))
        name = next(name for name in (base, *(f"{base}_{k}" for k in range(2, len(names) + 3))) if name not in names)
        names.add(name)
        renamed.append(replace(each, program=Program(name, each.program.inputs, each.program.output)))
    return renamed


_COMBINATORS = frozenset({"compose", "chain", "lbind", "rbind", "fork", "matcher"})


def producers(enumerator: Enumerator, task: Task, tries: int) -> set[str]:
    """The operations that yield a value of no cheaper expression, in an enumeration for a task."""
    problem = leaves.problem_of(task, tries)
    with borrowed() as device:
        bank = enumerator.loaded(problem, device)
        entries = enumerator.finish(problem, bank, device).entries
    makers = table_of(ENTRY, bank.bank)["made_by"][:entries]
    return {enumerator.operations[maker].name for maker in set(makers[makers >= 0].tolist())}


def helpful(found: Sequence[Fragment], before: Solutions, after: Solutions) -> list[Fragment]:
    """The fragments that make solutions of at least two tasks possible or cheaper, those that save most first.

    A task does not count if the fragment is not in two other tasks: then it was learnt from this task.
    """
    saved: dict[str, list[int]] = defaultdict(list)
    for task, solution in after.items():
        gain = min(SOLVED, before[task].cost - solution.cost) if task in before else SOLVED
        for each in found:
            if gain > 0 and each.program.name in solution.used and len(each.tasks - {task}) > 1:
                saved[each.program.name].append(gain)
    kept = [each for each in found if len(saved[each.program.name]) > 1]
    return sorted(kept, key=lambda each: -sum(saved[each.program.name]))


def learn(tasks: Sequence[Task], solved: Solutions, tries: int) -> list[Fragment]:
    """The fragments to use as operations. ``solved`` are the solutions that are found without them."""
    before = {task.id: solved[task.id] for task in tasks if task.id in solved}
    found = candidates(tasks, before, tries)
    kept = helpful(found, before, solve(enumerator_with(found), tasks, tries))[:MOST]
    print(f"{len(found)} candidates, kept: {' '.join(each.program.name for each in kept)}", file=sys.stderr)
    return kept


def check(tasks: Sequence[Task], solved: Solutions, tries: int) -> tuple[list[int], list[int]]:
    """The numbers of solved tasks in each half, without and with operations learnt from the other half."""
    halves = tasks[::2], tasks[1::2]
    without = [sum(task.id in solved for task in half) for half in halves]
    learnt = [learn(half, solved, tries) for half in halves[::-1]]
    return without, [len(solve(enumerator_with(kept), half, tries)) for kept, half in zip(learnt, halves, strict=True)]


def main() -> None:
    """Run the command that the module's docstring describes."""
    parser = argparse.ArgumentParser(prog="python -m arcloom.enumerate.abstractions", description=__doc__)
    parser.add_argument("--data", action="append", help=f"tasks with known answers; may be repeated ({TRAINING})")
    parser.add_argument("--tries", type=int, default=TRIES, help="expressions to try for each task (%(default)s)")
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args()
    tasks = sorted((task for data in options.data or [TRAINING] for task in load(data)), key=lambda task: task.id)
    solved = solve(enumerator_with([]), tasks, options.tries)
    without, with_learnt = check(tasks, solved, options.tries)
    print("tasks solved in each half with the present operations:", *without)
    print("tasks solved in each half with operations learnt from the other:", *with_learnt)
    if options.check or sum(with_learnt) < sum(without) + LEAST_GAIN:
        return
    learnt = [each.program for each in learn(tasks, solved, options.tries)]
    LEARNT.write_text(HEADER + all_to_text(learnt, nested=True), encoding="utf-8")


if __name__ == "__main__":
    main()
