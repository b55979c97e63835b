"""Static types of the terms of a program, and which of its integers are colours."""

from arcloom.dsl.annotations import INT
from arcloom.dsl.signature import Misfit, Type
from arcloom.program.abstract import Abstract
from arcloom.program.graph import Graph, Node
from arcloom.program.term import Call, Function, Input, Lambda, Literal, Program, Term
from arcloom.program.trace import STANDARD_INPUTS, Mismatch, Tracer

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
