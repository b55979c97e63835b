"""Analysis of a program for mutations: the static type of each term, and which constants are colours."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from arcloom.dsl.signature import Type
from arcloom.program.term import Call, Function, Literal, Program, Term
from arcloom.program.term_types import is_colour, types_of

Spot = tuple[Call, int]
"""A call and the index of one of its arguments; FUNCTION stands for the called function."""

FUNCTION = -1


@dataclass(frozen=True)
class ProgramAnalysis:
    """A program with the types of its terms, and its terms by role."""

    program: Program
    types: dict[Term, Type] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "types", types_of(self.program))

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """The calls, in order of evaluation."""
        return self.program.calls

    @cached_property
    def steps(self) -> list[Call]:
        """The calls that return a value, not a function."""
        return [call for call in self.calls if call in self.types]

    @cached_property
    def spots(self) -> list[Spot]:
        """The arguments that are values."""
        return [(call, k) for call, k in _arguments(self.calls) if call.args[k] in self.types]

    @cached_property
    def constants(self) -> list[Spot]:
        """The arguments that are constants."""
        return [(call, k) for call, k in self.spots if isinstance(call.args[k], Literal)]

    @cached_property
    def colours(self) -> list[Spot]:
        """The constants that are colours."""
        return [(call, k) for call, k in self.constants if is_colour(call, k)]

    @cached_property
    def functions(self) -> list[Spot]:
        """The arguments that are primitives."""
        return [(call, k) for call, k in _arguments(self.calls) if isinstance(call.args[k], Function)]

    @cached_property
    def by_type(self) -> dict[Type, list[Term]]:
        """The terms by type."""
        found: dict[Type, list[Term]] = {}
        for term, type in self.types.items():
            found.setdefault(type, []).append(term)
        return found


def _arguments(calls: tuple[Call, ...]) -> Iterator[Spot]:
    for call in calls:
        for k in range(len(call.args)):
            yield call, k
