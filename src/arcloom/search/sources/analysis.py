"""Analysis of a program for mutations: the static type of each term, and which constants are colours."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from arcloom.dsl.annotations import INT
from arcloom.dsl.signature import Misfit, Type
from arcloom.program.abstract import Abstract
from arcloom.program.graph import Graph, Node
from arcloom.program.term import Call, Function, Input, Lambda, Literal, Program, Term
from arcloom.program.trace import STANDARD_INPUTS, Mismatch, Tracer

Spot = tuple[Call, int]
"""A call and the index of one of its arguments; FUNCTION stands for the called function."""

FUNCTION = -1

_COLOUR_NAMES = {"value", "color", "replacee", "replacer", "fallback"}
_COLOUR_SWITCH = {("switch", "a"), ("switch", "b")}
_BOUND = {"rbind": -1, "lbind": 0}
"""The index of the parameter that ``rbind`` and ``lbind`` bind."""


def _takes_colour(function: Function, k: int) -> bool:
    if not function.primitive.params:  # a Python built-in
        return False
    name = function.primitive.params[k]
    is_int = function.primitive.param_types[k] == INT
    return is_int and (name in _COLOUR_NAMES or (function.primitive.name, name) in _COLOUR_SWITCH)


def is_colour(call: Call, k: int) -> bool:
    """Whether an argument is a colour, judged by the name of the parameter."""
    if not isinstance(call.function, Function):
        return False
    bound = _BOUND.get(call.function.primitive.name)
    if bound is not None:
        inner = call.args[0]
        return k == 1 and isinstance(inner, Function) and _takes_colour(inner, bound)
    return _takes_colour(call.function, k)


def types_of(program: Program) -> dict[Term, Type]:
    """The type of each term of a program that is a value, not a function. Empty if the program is untyped."""
    tracer = Tracer(Graph())
    values: dict[Term, Abstract] = {}
    try:
        for call in program.calls:
            parts = [_value(part, values, tracer) for part in (call.function, *call.args)]
            values[call] = tracer.call(*parts)
        _value(program.output, values, tracer)
    except (Mismatch, Misfit, RecursionError):
        return {}
    return {term: value.type for term, value in values.items() if isinstance(value, Node)}


def _value(term: Term, values: dict[Term, Abstract], tracer: Tracer) -> Abstract:
    if term not in values:
        match term:
            case Input(name):
                values[term] = tracer.graph.node("input", (), STANDARD_INPUTS[name], data=name)
            case Literal(value):
                values[term] = tracer.constant(value)
            case Function(primitive):
                values[term] = tracer.closure(primitive)
            case Lambda():
                values[term] = tracer.written(term)
    return values[term]


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
