"""Tracing: types of programs, common subexpressions as one node, and programs without types."""

import pytest

from arcloom.dsl.signature import (
    BOOL,
    GRID,
    INDICES,
    INT,
    OBJECT,
    PAIR,
    ROW,
    ROWS,
    Type,
    perhaps,
    record,
    set_of,
    tuple_of,
)
from arcloom.program.abstract import FORMS
from arcloom.program.graph import STRUCTURAL, Frame, Graph, Loop, Misplaced, Node
from arcloom.program.parse import parse_one
from arcloom.program.term import Program
from arcloom.program.trace import Traced, TraceError, Tracer, trace
from golden import programs


def traced(text: str) -> Traced:
    return trace(parse_one(text))


def named(graph: Graph, name: str) -> list[Node]:
    return [node for node in graph.nodes if node.name == name]


def refused(text: str) -> TraceError:
    with pytest.raises(TraceError) as caught:
        traced(text)
    return caught.value


TYPES = {
    "sums_of_shapes": PAIR,
    "parity_of_area": INT,
    "logic_of_sizes": record(BOOL, BOOL),
    "colours_by_name": ROW,
    "colours_in_two_sets": set_of(INT),
    "turned": record(GRID, GRID),
    "kaleidoscope": ROWS,
    "diagonals": GRID,
    "thirds": record(tuple_of(GRID), ROW),
    "the_colour_beyond_the_corner": record(BOOL, record(perhaps(INT), perhaps(INT))),
    "four_corners": record(BOOL, set_of(perhaps(PAIR))),
    "mass": record(set_of(perhaps(PAIR)), INDICES),
    "moved_to_the_origin": OBJECT,
    "cells_in_a_tuple": GRID,
    "largest_object": GRID,
    "drawn_together": record(record(PAIR, PAIR), INT),
    "bound_to_the_left": OBJECT,
    "bound_to_the_right": PAIR,
    "as_often_as_there_are_colours": INDICES,
    "one_of_two_functions": GRID,
    "a_function_for_every_element": record(ROW, ROW),
    "nested_mapping": set_of(ROWS),
    "mapping_within_mapping_with_what_is_outside": ROWS,
    "ordered_by_tuples": record(ROWS, record(ROW, GRID)),
    "functions_in_a_set": set_of(INT),
    "a_mirror_that_fits_each_object": OBJECT,
    "the_side_with_most_colours": record(GRID, GRID),
    "demonstrations_like_this_one": tuple_of(GRID),
    "angles": GRID,
    "cells_taken_apart": record(GRID, record(INT, PAIR)),
    "palettes": record(record(ROW, set_of(INT)), ROW),
}


@pytest.mark.parametrize("program", programs(), ids=lambda program: program.name)
def test_golden_programs_have_types(program: Program) -> None:
    graph = trace(program)
    assert graph.program is program
    assert graph.output.type is TYPES.get(program.name, graph.output.type)
    assert graph.output.frame is graph.graph.root


def test_the_expected_types_are_those_of_golden_programs() -> None:
    assert TYPES.keys() <= {program.name for program in programs()}


@pytest.mark.parametrize("program", programs(), ids=lambda program: program.name)
def test_graphs_are_first_order_and_topologically_sorted(program: Program) -> None:
    graph = trace(program).graph
    for node in graph.nodes:
        assert isinstance(node.type, Type)
        assert node.name in STRUCTURAL or not isinstance(node.op, str)
        assert all(arg.number < node.number for arg in node.args)


def test_steps_follow_the_lines_of_the_program() -> None:
    for program in programs():
        traced = trace(program)
        lines = [line for line, _ in traced.steps]
        assert lines == sorted(lines)
        assert set(lines) <= {call.line for call in program.calls}
        assert not program.calls or traced.steps[-1][0] == program.calls[-1].line


def test_values_captured_by_a_function_are_steps_of_the_line_that_made_it() -> None:
    made = "    f = lbind(add, a)\n    g = rbind(multiply, width(I))\n"
    text = f"def solve(I):\n    a = height(I)\n{made}    return g(f(a))\n"
    steps = [(line, node.name) for line, node in traced(text).steps]
    assert steps == [(2, "height"), (3, "height"), (4, "width"), (4, "width"), (5, "add"), (5, "multiply")]


# Equal sub-expressions are one node


def test_equal_calls_are_one_node() -> None:
    graph = traced("a = rot90(I)\nb = rot90(I)\nO = hconcat(a, vmirror(b))").graph
    assert len(named(graph, "rot90")) == 1


def test_equal_calls_inside_functions_are_one_node() -> None:
    graph = traced(
        "x = objects(I, T, F, T)\na = apply(size, x)\nb = apply(compose(increment, size), x)\nO = astuple(a, b)"
    ).graph
    assert len(named(graph, "size")) == 1
    assert len(named(graph, "element")) == 1


def test_compositions_are_not_in_the_graph() -> None:
    one = traced("f = chain(size, palette, rot90)\nO = f(I)")
    other = trace(parse_one("x = rot90(I)\ny = palette(x)\nO = size(y)"), graph=one.graph)
    assert other.output is one.output


def test_programs_share_a_graph() -> None:
    one = trace(parse_one("x = palette(rot90(I))\nO = size(x)"))
    graph = one.graph
    before = len(graph)
    other = trace(parse_one("x = palette(rot90(I))\nO = maximum(x)"), graph=graph)
    assert one.graph is other.graph is graph
    assert len(graph) == before + 1
    again = trace(parse_one("O = size(palette(rot90(I)))"), graph=graph)
    assert len(graph) == before + 1
    assert again.output is one.output


def test_programs_can_be_traced_into_an_empty_graph() -> None:
    graph = Graph()
    assert trace(parse_one("O = rot90(I)"), graph=graph).graph is graph


def test_golden_programs_share_a_graph() -> None:
    """Tracing a program twice adds nothing except loops, which are not shared."""
    straight = [program for program in programs() if not named(trace(program).graph, "loop")]
    graph = traced("O = I").graph
    outputs = [trace(program, graph=graph).output for program in straight]
    size = len(graph)
    assert [trace(program, graph=graph).output for program in straight] == outputs
    assert len(graph) == size < sum(len(trace(program).graph) for program in straight)


def test_constants_are_computed_while_tracing() -> None:
    output = traced("O = add(multiply(TWO, THREE), double(FIVE))").output
    assert (output.op, output.data) == ("constant", 16)


def test_calls_that_fail_are_not_folded() -> None:
    assert traced("O = divide(ONE, ZERO)").output.name == "divide"


def test_true_is_not_one() -> None:
    graph = Graph()
    assert trace(parse_one("O = identity(True)"), graph=graph).output.type is BOOL
    assert trace(parse_one("O = identity(1)"), graph=graph).output.type is INT


def test_inputs_have_the_types_they_are_given() -> None:
    program = parse_one("O = add(a, b)")
    assert trace(program, {"a": INT, "b": PAIR}).output.type is PAIR
    with pytest.raises(TraceError, match="there is no input a here"):
        trace(program)


# Programs without types


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("x = height(I)\nO = rot90(x)", 2, ("rot90", "grid", "int")),
        ("x = asindices(I)\n\nO = paint(I, x)", 3, ("paint", "set[(int, (int, int))]", "set[(int, int)]")),
        ("O = first(height(I))", 1, ("first", "container[T]", "int")),
        ("O = add(I, ONE)", 1, ("add", "int or (int, int)", "grid")),
        ("O = combine(palette(I), asindices(I))", 1, ("combine", "container[int]", "set[(int, int)]")),
        ("O = branch(T, I, ONE)", 1, ("branch", "grid", "int")),
        ("O = branch(I, ONE, TWO)", 1, ("branch", "bool", "grid")),
        ("x = apply(rot90, I)\nO = x", 1, ("apply", "grid", "tuple[int]")),
        ("f = compose(rot90, height)\nx = width(I)\nO = f(I)", 3, ("grid", "int")),
        ("f = compose(height, first)\nO = apply(f, objects(I, T, F, T))", 2, ("grid or patch", "(int, (int, int))")),
        ("O = sfilter(I, identity)", 1, ("tuple[int]", "bool")),
        ("O = extract(asindices(I), identity)", 1, ("(int, int)", "bool")),
        ("O = argmax(height(I), identity)", 1, ("argmax", "container", "int")),
        ("O = apply(height, width(I))", 1, ("apply", "container", "int")),
        ("f = branch(portrait(I), height, rot90)\nO = f(I)", 2, ("int", "grid")),
        ("x = astuple(height, width)\nO = add(x, ONE)", 2, ("add", "a container of functions")),
        ("O = add(height, ONE)", 1, ("add", "a function")),
        ("x = height(I)\nO = x(I)", 2, ("a value of type int", "cannot be called")),
        ("x = height(I)\nO = rapply(x, I)", 2, ("rapply", "a container of functions", "a value of type int")),
        ("O = power(height, height(I))(I)", 1, ("repeated", "int", "grid")),
        ("O = power(rot90, I)(I)", 1, ("grid", "int")),
        ("f = rbind(add, ONE)\nO = f(ONE, TWO)", 2, ("add takes 2 arguments, and 3 are given",)),
        ("f = compose(rot90, rot90)\nO = f(I, I)", 2, ("a function cannot take 2 arguments here",)),
        ("O = identity((1, (2, (3, 4))))\nO = maximum(O)", 2, ("maximum",)),
        ("O = rot90(J)", 1, ("there is no input J here", "I, S, C")),
        ("x = combine(astuple(rot90, rot180), I)\nO = x", 1, ("functions", "grid")),
        ("x = repeat(rot90, height(I))\nO = rapply(x, I)", 1, ("constant number of times",)),
        ("O = merge(palette(I))", 1, ("merge", "set[int]")),
    ],
)
def test_an_error_names_the_line_and_both_types(text: str, line: int, words: tuple[str, ...]) -> None:
    error = refused(text)
    assert error.line == line
    assert error.program == "program"
    assert [word for word in words if word not in str(error)] == []
    assert str(error).startswith(f"program, line {line}: ")


@pytest.mark.parametrize(
    "text",
    [
        "O = rot90",
        "O = identity(rot90)",
        "x = height(I)\nO = lbind(add, x)",
        "O = branch(portrait(I), rot90, rot180)",
        "O = astuple(rot90, rot180)",
        "O = initset(rot90)",
        "O = apply(lbind(lbind, add), palette(I))",
        "O = extract(astuple(portrait, square), rbind(rapply, I))",
    ],
)
def test_a_result_that_is_a_function_is_refused(text: str) -> None:
    refused(text)


def test_the_message_for_a_function_as_result() -> None:
    error = refused("x = height(I)\n\nO = lbind(add, x)")
    assert error.line == 3
    assert "the program's result" in error.message
    assert "a function" in error.message


def test_an_error_leaves_the_graph_usable() -> None:
    graph = Graph()
    with pytest.raises(TraceError):
        trace(parse_one("x = rot90(I)\nO = add(x, ONE)"), graph=graph)
    assert trace(parse_one("x = rot90(I)\nO = size(x)"), graph=graph).output.type is INT


def test_functions_that_grow_exponentially_are_refused() -> None:
    text = "f = increment\n" + "f = compose(f, f)\n" * 20 + "O = f(first(shape(I)))"
    assert "steps" in str(refused(text))


def test_deeply_nested_functions_are_refused() -> None:
    text = "f = increment\n" + "f = compose(increment, f)\n" * 5000 + "O = f(ONE)"
    assert "deep" in str(refused(text))


def test_deeply_nested_types_are_refused() -> None:
    assert "deep" in str(refused("x = height(I)\n" + "x = initset(x)\n" * 50 + "O = size(x)"))
    assert "deep" in str(refused("x = height(I)\n" + "x = repeat(x, TWO)\n" * 50 + "O = size(x)"))
    assert "deep" in str(refused("x = ONE\n" + "x = repeat(x, TWO)\n" * 50 + "O = size(x)"))


# Merging without an intermediate set


def test_mapply_on_a_set_unites_without_a_set_of_parts() -> None:
    mapped = traced("def solve(I):\n    a = mapply(outbox, objects(I, T, F, T))\n    return fill(I, ONE, a)\n")
    [parts] = [node.args[0] for node in named(mapped.graph, "united")]
    assert parts.op == "collect" and parts.type.kind == "tuple"
    composed = (
        "def solve(I):\n    f = compose(merge, lbind(apply, outbox))\n    return fill(I, ONE, f(objects(I, T, F, T)))\n"
    )
    assert len(named(traced(composed).graph, "united")) == 1


def test_apply_on_a_set_makes_a_set_of_parts() -> None:
    text = "def solve(I):\n    a = apply(outbox, objects(I, T, F, T))\n    b = merge(a)\n    return fill(I, ONE, b)\n"
    graph = traced(text).graph
    assert not named(graph, "united")
    assert [node.type.kind for node in named(graph, "collect")] == ["set"]


def test_mapply_on_a_tuple_does_not_unite() -> None:
    text = "def solve(I):\n    a = mapply(outbox, totuple(objects(I, T, F, T)))\n    return canvas(size(a), shape(I))\n"
    assert not named(traced(text).graph, "united")


def test_values_of_unrelated_frames_cannot_be_combined() -> None:
    graph = Graph()
    grid = graph.node("input", (), GRID, data="I")
    one, other = (
        graph.node("enter", (grid,), GRID, graph.frame("choice", graph.root, grid, side)) for side in range(2)
    )
    inner = graph.node("enter", (one,), GRID, graph.frame("choice", one.frame, one, 0))
    assert graph.node("record", (one, inner), record(GRID, GRID)).frame is inner.frame
    with pytest.raises(Misplaced):
        graph.node("record", (inner, other), record(GRID, GRID))


def test_no_node_reads_a_value_outside_its_frame() -> None:
    graph = Graph()
    root, grid = graph.root, graph.node("input", (), GRID, data="I")
    sides = tuple(graph.frame("choice", root, grid, side) for side in range(2))
    one, other = (graph.node("enter", (grid,), GRID, side) for side in sides)
    loop = graph.new_frame("loop", root, grid)
    state = graph.node("state", (), GRID, loop)
    deeper = graph.node("enter", (state,), GRID, graph.frame("choice", loop, state))
    assert graph.node("select", (grid, one, other), GRID, root, sides).frame is root
    assert graph.node("loop", (grid, grid), GRID, root, Loop(loop, state, grid)).frame is root
    wrong: list[tuple[str, tuple[Node, ...], Frame, object]] = [
        ("enter", (one,), root, None),
        ("enter", (one,), sides[1], None),
        ("guard", (grid, one), root, None),
        ("collect", (grid, other), root, sides[0]),
        ("collect", (one, one), root, sides[0]),
        ("select", (grid, other, one), root, sides),
        ("loop", (grid, one), root, Loop(loop, state, state)),
        ("loop", (grid, grid), root, Loop(loop, state, deeper)),
        ("loop", (grid, grid), sides[0], Loop(loop, state, state)),
    ]
    for op, args, frame, data in wrong:
        with pytest.raises(Misplaced):
            graph.node(op, args, GRID, frame, data)


def test_a_result_inside_a_frame_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaking(tracer: Tracer, grid: Node) -> Node:
        return tracer.emit("enter", (grid,), grid.type, tracer.graph.frame("choice", tracer.context, grid))

    monkeypatch.setitem(FORMS, "identity", leaking)
    assert "used outside of the function that computes it" in str(refused("def solve(I):\n    return identity(I)\n"))
