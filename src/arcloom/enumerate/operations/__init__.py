"""Operations: small typed functions in the language, from which enumeration composes programs.

The files of this package contain them, by type of result. They are parsed as programs of the language and never
imported. The name of a parameter determines its type (see ``PARAMETERS``). A comment after the head of a definition
estimates how common the operation is: ``# cost 1`` for the most common, ``# cost 3`` for the rarest; the default is 2.
The costs that the search uses are learnt from training tasks (see ``arcloom.enumerate.costs``) and stored in
``costs.json``, in half bits; ``effects.json`` has the changes of costs for tasks with certain traits.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

from arcloom.dsl.signature import GRID, INT, ROWS, Type, coerces
from arcloom.enumerate.cost_model import Effects
from arcloom.enumerate.enumerator import PARAMETERS, VALUE_CLASSES, Operation
from arcloom.program.parse import parse
from arcloom.program.term import Program
from arcloom.program.trace import trace

USUAL_COST = 2
_COST = re.compile(r"^def (\w+)\(.*\): *# cost (\d)$", re.MULTILINE)


COSTS, EFFECTS = "costs.json", "effects.json"
"""Files of this package: the costs of operations and leaves, and the effects of traits of a task on them."""

UNLEARNT = {1: 12, 2: 16, 3: 20}
"""The cost in half bits of an operation without a learnt cost, by the cost in its comment."""


@cache
def operations() -> tuple[Operation, ...]:
    """All operations with their learnt costs, ordered by cost and name."""
    return priced(learnt_costs())


def priced(costs: Mapping[str, int]) -> tuple[Operation, ...]:
    """All operations with these costs, ordered by cost and name."""
    found = (
        Operation(program, value_class, costs.get(program.name, UNLEARNT[cost]))
        for program, value_class, cost in written()
    )
    return tuple(sorted(found, key=lambda operation: (operation.cost, operation.name)))


@cache
def learnt_costs() -> Mapping[str, int]:
    """The costs of operations and of kinds of leaves, by name."""
    costs: dict[str, int] = json.loads(files(__name__).joinpath(COSTS).read_text(encoding="utf-8"))
    return costs


@cache
def learnt_effects() -> Effects:
    """The effects of the traits of a task on the costs."""
    effects: Effects = json.loads(files(__name__).joinpath(EFFECTS).read_text(encoding="utf-8"))
    return effects


@cache
def written() -> tuple[tuple[Program, str, int], ...]:
    """The program, value class and commented cost of each operation."""
    return tuple(_read())


def _read() -> Iterator[tuple[Program, str, int]]:
    for source in files(__name__).iterdir():
        if source.name.endswith(".py") and source.name != "__init__.py":
            text = source.read_text(encoding="utf-8")
            costs = {name: int(cost) for name, cost in _COST.findall(text)}
            for program in parse(text, file=source.name):
                yield program, _value_class(program, source.name), costs.get(program.name, USUAL_COST)


def _value_class(program: Program, file: str) -> str:
    """The name of the value class of an operation's result. In files ``colours*``, integers are colours."""
    found = trace(program, {name: value_class.type for name, value_class in PARAMETERS.items()}).output.type
    if found is INT:
        return "colour" if file.startswith("colours") else "number"
    exact = [value_class.name for value_class in VALUE_CLASSES if value_class.type is found]
    return (exact or [value_class.name for value_class in VALUE_CLASSES if _serves_as(found, value_class.type)])[0]


def _serves_as(found: Type, wanted: Type) -> bool:
    return wanted is GRID if found is ROWS else coerces(found, wanted)
