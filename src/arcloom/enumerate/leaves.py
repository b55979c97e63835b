"""The leaves of enumeration for a task: its input, and constants that the task suggests."""

from collections.abc import Mapping
from typing import Any

from arcloom.engine.memory import borrowed
from arcloom.enumerate.enumerator import EnumerationResult, Enumerator, Leaf, Problem
from arcloom.enumerate.operations import learnt_costs
from arcloom.enumerate.task_constants import TaskConstants
from arcloom.program.build import INPUT, literal
from arcloom.tasks.task import Task

PRICE = 80
"""Maximum cost of an expression, in half bits."""

ENOUGH = 40
"""Number of different solutions of a task after which its enumeration stops."""

INPUT_LEAF = "the input"
LIKELY_COLOUR, OTHER_COLOUR = "a likely colour", "another colour"
LIKELY_NUMBER, OTHER_NUMBER = "a likely number", "another number"
OUTPUT_SHAPE, DIRECTION = "the output's shape", "a direction"
"""Names of the kinds of leaves in the table of costs."""


def enumerate_task(
    enumerator: Enumerator, task: Task, tries: int, costs: Mapping[str, int] | None = None
) -> EnumerationResult:
    """Run an enumeration for a task. ``costs`` replaces the learnt costs of leaves."""
    with borrowed() as device:
        return enumerator.enumerate(problem_of(task, tries, costs), device)


def problem_of(task: Task, tries: int, costs: Mapping[str, int] | None = None) -> Problem:
    """The problem of enumerating expressions for a task."""
    return Problem(leaves(task, costs), [pair.output for pair in task.train], tries, PRICE, ENOUGH)


def leaves(task: Task, costs: Mapping[str, int] | None = None) -> list[Leaf]:
    """The leaves of a task: its input, and constants that it suggests. Likely constants are cheap."""
    prices = learnt_costs() if costs is None else costs
    count = len(task.samples)
    return [
        Leaf(INPUT, "grid", prices[INPUT_LEAF], [pair.input for pair in task.samples], INPUT_LEAF),
        *(
            Leaf(literal(value), value_class, prices[name], [value] * count, name)
            for value_class, names in _constants(task)
            for value, name in names.items()
        ),
    ]


def _constants(task: Task) -> list[tuple[str, dict[Any, str]]]:
    """For each value class, the constants and the kind of leaf that each one is."""
    facts = TaskConstants(task)
    colours = {0: LIKELY_COLOUR} | dict.fromkeys([*facts.seen, *facts.wanted], OTHER_COLOUR)
    colours |= dict.fromkeys(_always(task), LIKELY_COLOUR)
    numbers = {2: LIKELY_NUMBER, 3: LIKELY_NUMBER, 1: OTHER_NUMBER, 4: OTHER_NUMBER}
    pairs = dict.fromkeys(_DIRECTIONS, DIRECTION)
    if facts.one_output_shape:
        pairs |= {shape.value: OUTPUT_SHAPE for shape in facts.pairs[:1]}
    return [("colour", colours), ("number", numbers), ("pair", pairs)]


_DIRECTIONS = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (-1, -1), (1, -1), (-1, 1))


def _always(task: Task) -> set[int]:
    """The colours that occur in the output of every demonstration."""
    return set.intersection(*({cell for row in pair.output or () for cell in row} for pair in task.train))
