"""Tracing choices between functions, values and containers of functions. The choice is made per row at run time."""

from functools import partial

from arcloom.dsl import PRIMITIVES
from arcloom.dsl.signature import BOOL, INDICES, OBJECT, join, unify
from arcloom.program.abstract import Abstract, Closure, Static, describe
from arcloom.program.forms import form, into_context, primitive
from arcloom.program.graph import Frame, Node
from arcloom.program.trace import Mismatch, Tracer

MAX_FIELDS = 32
"""Maximum number of elements of a constant tuple whose elements can have different types."""


def choice_of(tracer: Tracer, index: Node, options: tuple[Abstract, ...]) -> Closure:
    """A function that calls one of the options in each row, selected by the value of ``index``."""

    def chosen(*args: Abstract) -> Abstract:
        choice = into_context(tracer, index)
        outcomes = [_on_side(tracer, choice, k, option, args) for k, option in enumerate(options)]
        if not any(isinstance(outcome, Node) for outcome in outcomes):
            return _later_choice(tracer, index, options, args, outcomes)
        nodes = [tracer.node(outcome, "the result of a chosen function") for outcome in outcomes]
        frames = tuple(tracer.graph.frame("choice", tracer.context, choice, k) for k in range(len(options)))
        nodes = _alike(tracer, nodes, frames)
        return tracer.emit("select", (choice, *nodes), nodes[0].type, tracer.context, frames)

    return chosen


def _alike(tracer: Tracer, nodes: list[Node], frames: tuple[Frame, ...]) -> list[Node]:
    """The results of the options, coerced to one type, each in its own frame."""
    type = join(node.type for node in nodes)
    if type is None:
        nodes = [with_fields(tracer, node) for node in nodes]
        type = join(node.type for node in nodes)
    if type is None:
        return tracer.unified(nodes, "the results of functions to choose from")  # raises Mismatch
    coerce: Closure = lambda node: tracer.coerce(tracer.node(node, "a result"), type)  # noqa: E731
    return [
        tracer.node(tracer.within(frame, coerce, node), "a result") for frame, node in zip(frames, nodes, strict=True)
    ]


def with_fields(tracer: Tracer, node: Node) -> Node:
    """The node. A constant tuple gets a type for each element, because other values may have different types there."""
    if node.op != "constant" or node.type.kind != "tuple" or not 0 < len(node.data) <= MAX_FIELDS:
        return node
    return tracer.node(tracer.as_record(*map(tracer.constant, node.data)), "a tuple")


def one_of(tracer: Tracer, index: Node, options: tuple[Abstract, ...]) -> Abstract:
    """One of the options in each row, selected by the value of ``index``."""
    return choice_of(tracer, index, tuple(partial(_itself, option) for option in options))()


def _itself(value: Abstract) -> Abstract:
    return value


def _later_choice(
    tracer: Tracer, index: Node, options: tuple[Abstract, ...], args: tuple[Abstract, ...], outcomes: list[Abstract]
) -> Abstract:
    """The choice between functions, or containers of functions, that the options return.

    These functions hold values of the frames of the options, which are not valid outside. So a call of one of them
    calls its option again.
    """
    kinds = {(outcome.kind, len(outcome.items)) if isinstance(outcome, Static) else None for outcome in outcomes}
    if kinds == {None}:
        again = [partial(_call_again, tracer, option, args) for option in options]
        return choice_of(tracer, index, tuple(again))
    if len(kinds) > 1:
        raise Mismatch("containers of functions to choose from must have one length")
    [(kind, count)] = kinds  # type: ignore[misc]
    members = [
        choice_of(tracer, index, tuple(partial(_member_again, tracer, option, args, k) for option in options))()
        for k in range(count)
    ]
    return Static(kind, tuple(members))


def _call_again(tracer: Tracer, option: Abstract, args: tuple[Abstract, ...], *more: Abstract) -> Abstract:
    return tracer.call(tracer.call(option, *args), *more)


def _member_again(tracer: Tracer, option: Abstract, args: tuple[Abstract, ...], k: int) -> Abstract:
    container = tracer.call(option, *args)
    assert isinstance(container, Static)
    return container.items[k]


def _on_side(tracer: Tracer, choice: Node, k: int, option: Abstract, args: tuple[Abstract, ...]) -> Abstract:
    frame = tracer.graph.frame("choice", tracer.context, choice, k)
    entered = [
        tracer.emit("enter", (arg,), arg.type, frame) if isinstance(arg, Node) and arg.op != "constant" else arg
        for arg in args
    ]
    return tracer.within(frame, option, *entered)


@form
def branch(tracer: Tracer, condition: Abstract, yes: Abstract, no: Abstract) -> Abstract | None:
    if isinstance(yes, Node) and isinstance(no, Node):
        return _branch_of_values(tracer, condition, yes, no)
    test = tracer.coerce(tracer.node(condition, "the condition of branch"), BOOL)
    if test.op == "constant":
        return yes if test.data else no
    if isinstance(yes, Static) and isinstance(no, Static) and len(yes.items) == len(no.items):
        sides = zip(yes.items, no.items, strict=True)
        return Static(yes.kind, tuple(primitive(tracer, "branch", test, a, b) for a, b in sides))
    if not (callable(yes) and callable(no)):
        raise Mismatch(f"branch cannot choose between {describe(yes)} and {describe(no)}")
    tracer.capture(test)
    return choice_of(tracer, test, (no, yes))


def _branch_of_values(tracer: Tracer, condition: Abstract, yes: Node, no: Node) -> Abstract | None:
    """A choice between a set and a tuple of cells or positions is a choice between sets."""
    patch = next((node.type for node in (yes, no) if node.type in (INDICES, OBJECT)), None)
    if patch is None or unify(yes.type, no.type) is not None:
        return None
    sides = [tracer.coerce(side, patch) for side in (yes, no)]
    return tracer.apply(PRIMITIVES["branch"], condition, *sides)
