"""The leaves of enumeration for a task: its input, and constants that the task suggests."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from arcloom.engine.memory import borrowed
from arcloom.enumerate import operations
from arcloom.enumerate.cost_model import CostModel, Effects
from arcloom.enumerate.enumerator import EnumerationResult, Enumerator, Leaf, Problem
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

VALUE_CLASSES: Mapping[str, str] = {
    INPUT_LEAF: "grid",
    LIKELY_COLOUR: "colour",
    OTHER_COLOUR: "colour",
    LIKELY_NUMBER: "number",
    OTHER_NUMBER: "number",
    OUTPUT_SHAPE: "pair",
    DIRECTION: "pair",
}
"""The value class of each kind of leaf."""


def cost_model(costs: Mapping[str, int], effects: Effects) -> CostModel:
    """The model with these costs of operations and leaves, and these effects of traits."""
    classes = {program.name: value_class for program, value_class, _ in operations.written()}
    return CostModel(costs, effects, {**classes, **VALUE_CLASSES})


@cache
def learnt_model() -> CostModel:
    """The model with the learnt costs and effects."""
    return cost_model(operations.learnt_costs(), operations.learnt_effects())


def enumerate_task(enumerator: Enumerator, task: Task, tries: int, model: CostModel | None = None) -> EnumerationResult:
    """Run an enumeration for a task. ``model`` replaces the learnt costs."""
    with borrowed() as device:
        return enumerator.enumerate(problem_of(task, tries, model), device)


def problem_of(task: Task, tries: int, model: CostModel | None = None) -> Problem:
    """The problem of enumerating expressions for a task. ``model`` replaces the learnt costs."""
    model = model or learnt_model()
    costs = model.of(task)
    changes = {name: cost - model.costs[name] for name, cost in costs.items()}
    return Problem(leaves(task, costs), [pair.output for pair in task.train], tries, PRICE, ENOUGH, changes)


def leaves(task: Task, costs: Mapping[str, int]) -> list[Leaf]:
    """The leaves of a task: its input, and constants that it suggests. Likely constants are cheap."""
    count = len(task.samples)
    return [
        Leaf(INPUT, "grid", costs[INPUT_LEAF], [pair.input for pair in task.samples], INPUT_LEAF),
        *(
            Leaf(literal(value), value_class, costs[name], [value] * count, name)
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
