"""Operations: small typed functions in the language, of which enumeration composes programs.

They stand in text files, one for each theme. The name of a parameter says its type (see ``PARAMETERS``). A comment
behind the head of a definition says what an operation costs: ``# cost 1`` for the commonest, ``# cost 3`` for the
rarest; it is 2 where nothing is said. Those that learn from demonstrations are written by ``arcloom.search.lessons``.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from arcloom.dsl.signature import GRID, INDICES, INT, OBJECT, PAIR, ROWS, SAMPLES, Type, set_of, tuple_of
from arcloom.program.parse import parse
from arcloom.program.term import Program
from arcloom.program.trace import trace
from arcloom.search.lessons import lessons

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
    "s": SAMPLES,
}
"""The types of parameters by name. Of the ints, ``c`` and ``d`` are colours and ``n`` is a small number; ``s`` are the
demonstrations."""

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
    """The file that it stands in. ``colours`` and ``numbers`` both give ints, but of different meaning; ``lessons``
    make sense only for the input grid itself."""

    @property
    def name(self) -> str:
        """What it is called."""
        return self.program.name


@cache
def operations() -> tuple[Operation, ...]:
    """All operations, the cheapest first and then by name."""
    found = [operation for theme, text in _texts() for operation in _read(theme, text)]
    return tuple(sorted(found, key=lambda operation: (operation.cost, operation.name)))


def _texts() -> Iterator[tuple[str, str]]:
    """The texts with the operations, by theme."""
    for source in files(__name__).iterdir():
        if source.name.endswith(".py") and source.name != "__init__.py":
            yield source.name.removesuffix(".py"), source.read_text(encoding="utf-8")
    yield from (("lessons", text) for text in lessons())


def _read(theme: str, text: str) -> Iterator[Operation]:
    costs = {name: int(cost) for name, cost in _COST.findall(text)}
    for program in parse(text, file=theme):
        found = trace(program, PARAMETERS).output.type
        result = GRID if found is ROWS else found
        params = tuple(PARAMETERS[name] for name in program.inputs)
        yield Operation(program, params, result, costs.get(program.name, USUAL_COST), theme)
