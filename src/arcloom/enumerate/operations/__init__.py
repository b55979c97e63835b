"""Operations: small typed functions in the language, of which enumeration composes programs.

They stand in text files, one for each kind of result. The name of a parameter says its type (see ``PARAMETERS``). A
comment behind the head of a definition says how common an operation is thought to be: ``# cost 1`` for the commonest,
``# cost 3`` for the rarest; it is 2 where nothing is said. What it does cost is learnt from training tasks and stands
in ``costs.json`` (see ``arcloom.enumerate.costs``), in half bits.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

from arcloom.dsl.signature import GRID, INT, ROWS, Type, coerces
from arcloom.enumerate.explorer import PARAMETERS, SORTS, Operation
from arcloom.program.parse import parse
from arcloom.program.term import Program
from arcloom.program.trace import trace

USUAL_COST = 2
_COST = re.compile(r"^def (\w+)\(.*\): *# cost (\d)$", re.MULTILINE)


COSTS = "costs.json"
_UNLEARNT = {1: 12, 2: 16, 3: 20}
"""The cost in half bits of an operation without a learnt cost, by the cost in its comment."""


@cache
def operations() -> tuple[Operation, ...]:
    """All operations, the cheapest first and then by name."""
    return priced(learnt_costs())


def priced(costs: Mapping[str, int]) -> tuple[Operation, ...]:
    """All operations with these costs."""
    found = (Operation(program, sort, costs.get(program.name, _UNLEARNT[cost])) for program, sort, cost in written())
    return tuple(sorted(found, key=lambda operation: (operation.cost, operation.name)))


@cache
def learnt_costs() -> Mapping[str, int]:
    """The costs of operations and of what expressions start from, by name."""
    costs: dict[str, int] = json.loads(files(__name__).joinpath(COSTS).read_text(encoding="utf-8"))
    return costs


@cache
def written() -> tuple[tuple[Program, str, int], ...]:
    """Each operation with its sort and the cost in its comment."""
    return tuple(_read())


def _read() -> Iterator[tuple[Program, str, int]]:
    for source in files(__name__).iterdir():
        if source.name.endswith(".py") and source.name != "__init__.py":
            text = source.read_text(encoding="utf-8")
            costs = {name: int(cost) for name, cost in _COST.findall(text)}
            for program in parse(text, file=source.name):
                yield program, _sort(program, source.name), costs.get(program.name, USUAL_COST)


def _sort(program: Program, file: str) -> str:
    """The sort of an operation's result. Of ints, the file says whether they are colours or numbers."""
    found = trace(program, {name: sort.type for name, sort in PARAMETERS.items()}).output.type
    if found is INT:
        return "colour" if file.startswith("colours") else "number"
    exact = [sort.name for sort in SORTS if sort.type is found]
    return (exact or [sort.name for sort in SORTS if _serves_as(found, sort.type)])[0]


def _serves_as(found: Type, wanted: Type) -> bool:
    return wanted is GRID if found is ROWS else coerces(found, wanted)
