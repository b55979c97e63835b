"""Loops: a function applied to its own result a number of times."""

from arcloom.dsl.signature import INT, unify
from arcloom.program.abstract import Abstract
from arcloom.program.forms import form, into_context
from arcloom.program.graph import Loop, Node
from arcloom.program.trace import Mismatch, Tracer

UNROLLED = 32
"""Maximum constant exponent of ``power`` that is unrolled; a greater or computed one becomes a loop."""

MAX_TURNS_IN_ALL = 100_000
"""Maximum number of turns of the innermost of nested loops, as far as their numbers are constants."""


@form
def power(tracer: Tracer, function: Abstract, count: Abstract) -> Abstract:
    times = tracer.coerce(tracer.node(count, "the count of power"), INT)
    if times.op != "constant" or not 1 <= times.data <= UNROLLED:
        counted = tracer.emit("counted", (times,), INT)
        tracer.capture(counted)
        return lambda value: loop_over(tracer, function, counted, value)

    def repeated(value: Abstract) -> Abstract:
        for _ in range(times.data):
            value = tracer.call(function, value)
        return value

    return repeated


def loop_over(tracer: Tracer, function: Abstract, times: Node, value: Abstract) -> Node:
    """A loop whose state has one type: the type of its start, or what that becomes after a turn."""
    start, turns = tracer.node(value, "what is repeated"), _constant_turns(times)
    if tracer.turns_in_all * turns > MAX_TURNS_IN_ALL:
        raise Mismatch(f"nested powers apply a function more than {MAX_TURNS_IN_ALL:,} times")
    for _ in range(3):
        start, times = into_context(tracer, start), into_context(tracer, times)
        frame = tracer.graph.new_frame("loop", tracer.context, start)
        state = tracer.emit("state", (), start.type, frame)
        with tracer.repeating(turns):
            result = tracer.node(tracer.within(frame, function, state), "the result of a repeated function")
        type = unify(start.type, result.type)
        if type is None:
            break
        if type is start.type:
            body = Loop(frame, state, tracer.coerce(result, type))
            return tracer.emit("loop", (times, start), type, tracer.context, body)
        start = tracer.coerce(start, type)
    raise Mismatch(f"a repeated function must give what it takes, not {result.type} from {start.type}")


def _constant_turns(times: Node) -> int:
    """The number of turns of a loop if it is a constant, otherwise 1."""
    while times.op in ("counted", "enter"):
        times = times.args[0]
    return max(times.data, 1) if times.op == "constant" else 1
