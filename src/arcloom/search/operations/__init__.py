"""Operations: small typed functions in the language, of which enumeration composes programs.

They stand in text files, one for each kind of result. The name of a parameter says its type (see ``PARAMETERS``). A
comment behind the head of a definition says what an operation costs: ``# cost 1`` for the commonest, ``# cost 3`` for
the rarest; it is 2 where nothing is said.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from arcloom.dsl.signature import GRID, INT, ROWS, Type, coerces
from arcloom.engine.explorer import PARAMETERS, SORTS, Operation
from arcloom.program.parse import parse
from arcloom.program.term import Program
from arcloom.program.trace import trace

USUAL_COST = 2
_COST = re.compile(r"^def (\w+)\(.*\): *# cost (\d)$", re.MULTILINE)


@cache
def operations() -> tuple[Operation, ...]:
    """All operations, the cheapest first and then by name."""
    return tuple(sorted(_read(), key=lambda operation: (operation.cost, operation.name)))


def _read() -> Iterator[Operation]:
    for source in files(__name__).iterdir():
        if source.name.endswith(".py") and source.name != "__init__.py":
            text = source.read_text(encoding="utf-8")
            costs = {name: int(cost) for name, cost in _COST.findall(text)}
            for program in parse(text, file=source.name):
                yield Operation(program, _sort(program, source.name), costs.get(program.name, USUAL_COST))


def _sort(program: Program, file: str) -> str:
    """The sort of an operation's result. Of ints, the file says whether they are colours or numbers."""
    found = trace(program, {name: sort.type for name, sort in PARAMETERS.items()}).output.type
    if found is INT:
        return "colour" if file.startswith("colours") else "number"
    exact = [sort.name for sort in SORTS if sort.type is found]
    return (exact or [sort.name for sort in SORTS if _serves_as(found, sort.type)])[0]


def _serves_as(found: Type, wanted: Type) -> bool:
    return wanted is GRID if found is ROWS else coerces(found, wanted)
