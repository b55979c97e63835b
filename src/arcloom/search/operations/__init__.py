"""Operations: small typed functions in the language, of which enumeration composes programs.

They stand in text files, one for each kind of result. The name of a parameter says its type (see ``PARAMETERS``). A
comment behind the head of a definition says what an operation costs: ``# cost 1`` for the commonest, ``# cost 3`` for
the rarest; it is 2 where nothing is said.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from arcloom.dsl.signature import GRID, INDICES, INT, OBJECT, PAIR, ROWS, Type, set_of, tuple_of
from arcloom.program.parse import parse
from arcloom.program.term import Program
from arcloom.program.trace import trace

PARAMETERS: Mapping[str, Type] = {
    "g": GRID,
    "h": GRID,
    "gs": tuple_of(GRID),
    "x": OBJECT,
    "y": OBJECT,
    "xs": set_of(OBJECT),
    "p": INDICES,
    "q": INDICES,
    "ps": set_of(INDICES),
    "c": INT,
    "d": INT,
    "n": INT,
    "v": PAIR,
}
"""The types of parameters by name. Of the ints, ``c`` and ``d`` are colours and ``n`` is a small number."""

USUAL_COST = 2
_COST = re.compile(r"^def (\w+)\(.*\): *# cost (\d)$", re.MULTILINE)


@dataclass(frozen=True)
class Operation:
    """A step of enumeration: its inputs in order are of the types ``params``, and its value is a ``result``."""

    program: Program
    params: tuple[Type, ...]
    result: Type
    cost: int
    theme: str
    """The file that it stands in: ``colours`` and ``numbers`` both give ints, but of different meaning."""

    @property
    def name(self) -> str:
        """What it is called."""
        return self.program.name


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
                cost = costs.get(program.name, USUAL_COST)
                yield _operation(program, cost, source.name.removesuffix(".py"))


def _operation(program: Program, cost: int, theme: str) -> Operation:
    found = trace(program, PARAMETERS).output.type
    result = GRID if found is ROWS else found
    return Operation(program, tuple(PARAMETERS[name] for name in program.inputs), result, cost, theme)
