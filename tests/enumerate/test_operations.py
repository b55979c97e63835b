"""The operations of enumeration: all are typed and have an effect, and examples show the results of some."""

from functools import cache
from typing import Any

import pytest

from arcloom import load, run
from arcloom.dsl.signature import coerces, type_of
from arcloom.engine.results import Results
from arcloom.enumerate.enumerator import PARAMETERS, VALUE_CLASSES
from arcloom.enumerate.operations import learnt_costs, operations, priced
from arcloom.program.parse import parse_one

OPERATIONS = {operation.name: operation for operation in operations()}
TASKS = ("05f2a901", "2dc579da", "6773b310", "6d75e8bb", "9ecd008a", "d8c310e9")
"""Tasks with different kinds of grids: figures, noise, lines, fields, enclosed areas, symmetry, a pattern."""

MAKERS = {
    "h": "O = vmirror(g)",
    "gs": "halves = vsplit(g, TWO)\nO = combine(halves, halves)",
    "xs": "O = objects(g, T, F, T)",
    "x": "xs = objects(g, T, F, T)\nO = argmax(xs, size)",
    "y": "xs = objects(g, T, F, T)\nO = argmin(xs, size)",
    "p": "O = ofcolor(g, leastcolor(g))",
    "q": "O = ofcolor(g, mostcolor(g))",
    "ps": "O = apply(toindices, objects(g, T, F, T))",
    "c": "O = leastcolor(g)",
    "d": "O = mostcolor(g)",
    "n": "O = TWO",
    "v": "O = RIGHT",
    "w": "O = DOWN",
}
"""Expressions that compute the other arguments from a grid."""


@cache
def samples() -> tuple[dict[str, Any], ...]:
    training = load("arcagi:training")
    made = {name: parse_one(text) for name, text in MAKERS.items()}
    grids = [{"g": training[task].train[0].input} for task in TASKS]
    return tuple(grid | {name: program.evaluate(grid) for name, program in made.items()} for grid in grids)


@cache
def outcomes(device: str) -> Results:
    types = {name: value_class.type for name, value_class in PARAMETERS.items()}
    return run([o.program for o in OPERATIONS.values()], samples(), inputs=types, device=device)


@pytest.mark.parametrize("name", OPERATIONS)
def test_the_result_of_an_operation_has_its_declared_type(name: str) -> None:
    at, results = list(OPERATIONS).index(name), outcomes("reference")
    values = [results.output(at, s) for s in range(len(samples())) if results.failure(at, s) is None]
    types = [type_of(value) for value in values]
    (wanted,) = [value_class.type for value_class in VALUE_CLASSES if value_class.name == OPERATIONS[name].value_class]
    assert values
    assert all(type is not None and coerces(type, wanted) for type in types)


def test_the_engine_agrees_with_the_reference() -> None:
    fast, slow = outcomes("cpu"), outcomes("reference")
    assert not fast.untyped
    for p, program in enumerate(fast.programs):
        for s in range(len(samples())):
            assert fast.output(p, s) == slow.output(p, s), (program.name, s)


def test_no_two_operations_are_the_same() -> None:
    assert len(OPERATIONS) == len(operations())
    assert len({operation.program.digest for operation in operations()}) == len(operations()) >= 200


def test_every_parameter_is_used() -> None:
    idle = {o.name for o in operations() if set(o.program.inputs) != o.program.reads}
    assert idle == set()


def test_value_classes_follow_from_type_and_file() -> None:
    value_classes = {
        name: OPERATIONS[name].value_class for name in ("fill_enclosed", "largest", "main_color", "hole_count")
    }
    assert value_classes == {
        "fill_enclosed": "grid",
        "largest": "object",
        "main_color": "colour",
        "hole_count": "number",
    }


def test_all_costs_are_learnt() -> None:
    assert set(OPERATIONS) <= set(learnt_costs())
    assert [o.cost for o in operations()] == sorted(o.cost for o in operations())


def test_an_operation_without_a_learnt_cost_has_the_cost_in_its_comment() -> None:
    costs = {operation.name: operation.cost for operation in priced({})}
    assert costs["largest"] < costs["second_largest"] < costs["nth_largest"]


RING = ((0, 0, 0, 0), (0, 3, 3, 3), (0, 3, 0, 3), (0, 3, 3, 3))
DOTS = ((0, 2, 0), (0, 0, 0), (5, 0, 0))
ROOMS = ((1, 0, 5, 0, 0), (0, 0, 5, 0, 2), (5, 5, 5, 5, 5), (0, 0, 5, 3, 3), (0, 0, 5, 3, 3))

MEANINGS: dict[str, tuple[dict[str, Any], Any]] = {
    "fill_enclosed": ({"g": RING, "c": 4}, ((0, 0, 0, 0), (0, 3, 3, 3), (0, 3, 4, 3), (0, 3, 3, 3))),
    "enclosed_places": ({"g": RING}, frozenset({(2, 2)})),
    "content": ({"g": DOTS}, ((0, 2), (0, 0), (5, 0))),
    "falls_down": ({"g": DOTS}, ((0, 0, 0), (0, 0, 0), (5, 2, 0))),
    "rises": ({"g": DOTS}, ((5, 2, 0), (0, 0, 0), (0, 0, 0))),
    "slides_left": ({"g": DOTS}, ((2, 0, 0), (0, 0, 0), (5, 0, 0))),
    "slides_right": ({"g": DOTS}, ((0, 0, 2), (0, 0, 0), (0, 0, 5))),
    "negative": ({"g": ((0, 2), (2, 2))}, ((2, 0), (0, 0))),
    "only_color": ({"g": DOTS, "c": 5}, ((0, 0, 0), (0, 0, 0), (5, 0, 0))),
    "over": ({"g": DOTS, "h": ((0, 1, 0), (0, 0, 0), (0, 0, 4))}, ((0, 1, 0), (0, 0, 0), (5, 0, 4))),
    "both_coloured": ({"g": ((1, 1, 0),), "h": ((0, 2, 2),), "c": 3}, ((0, 3, 0),)),
    "one_coloured": ({"g": ((1, 1, 0),), "h": ((0, 2, 2),), "c": 3}, ((3, 0, 3),)),
    "first_on_top": ({"gs": (((1, 0, 0),), ((2, 2, 0),))}, ((1, 2, 0),)),
    "last_on_top": ({"gs": (((1, 0, 0),), ((2, 2, 0),))}, ((2, 2, 0),)),
    "stacked": ({"gs": (((1, 0),), ((2, 2),))}, ((1, 0), (2, 2))),
    "in_a_row_on_black": ({"gs": (((1,), (2,)), ((3,),))}, ((1, 3), (2, 0))),
    "in_a_row_between_lines": ({"gs": (((1, 2),), ((3, 4),)), "c": 5}, ((1, 2, 5, 3, 4),)),
    "reversed_grids": ({"gs": (((1,),), ((2,),), ((3,),))}, (((3,),), ((2,),), ((1,),))),
    "grids_with_ink": ({"gs": (((0, 0),), ((0, 1),))}, (((0, 1),),)),
    "some_of": ({"gs": (((1, 0, 0),), ((2, 2, 0),)), "c": 4}, ((4, 4, 0),)),
    "color_falls": ({"g": ((1, 2), (1, 0), (0, 0), (3, 0)), "c": 1, "v": (1, 0)}, ((0, 2), (1, 0), (1, 0), (3, 0))),
    "nearest_colors": ({"g": ((1, 0, 0, 0, 2),)}, ((1, 1, 2, 2, 2),)),
    "sheared_right": ({"g": ((1, 2), (3, 4))}, ((1, 2, 0), (0, 3, 4))),
    "sheared_left": ({"g": ((1, 2), (3, 4))}, ((0, 1, 2), (3, 4, 0))),
    "rolled_right": ({"g": ((1, 2, 3),), "n": 1}, ((3, 1, 2),)),
    "pointed_rays": (
        {"xs": frozenset({frozenset({(1, (2, 0)), (1, (2, 1)), (4, (2, 2))})})},
        frozenset((4, (2, j)) for j in range(2, 45)),
    ),
    "bent_link": (
        {"x": frozenset({(1, (0, 0))}), "y": frozenset({(1, (2, 1))})},
        frozenset({(0, 0), (0, 1), (1, 1), (2, 1)}),
    ),
    "openings": (
        {
            "xs": frozenset(
                {frozenset((3, (i, j)) for i in range(3) for j in range(3) if (i, j) not in {(1, 1), (0, 1)})}
            )
        },
        frozenset({(0, 1)}),
    ),
    "by_majority": ({"gs": (((1, 0),), ((1, 2),), ((3, 2),))}, ((1, 2),)),
    "squeezed": ({"g": ((1, 1, 2, 1), (1, 1, 2, 1), (3, 3, 3, 3))}, ((1, 2, 1), (3, 3, 3))),
    "self_product": ({"g": ((0, 2), (0, 0))}, ((0, 0, 0, 2), (0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0))),
    "room_marks": ({"g": ROOMS}, ((1, 2), (0, 3))),
    "fields": ({"g": ROOMS}, (((1, 0), (0, 0)), ((0, 0), (0, 2)), ((0, 0), (0, 0)), ((3, 3), (3, 3)))),
    "mend_paper": (
        {"g": ((1, 2, 1, 2), (3, 4, 3, 4), (1, 0, 1, 2), (3, 4, 0, 4)), "c": 0},
        ((1, 2, 1, 2), (3, 4, 3, 4)) * 2,
    ),
    "mend_across": ({"g": ((1, 2, 0), (3, 4, 3)), "c": 0}, ((1, 2, 1), (3, 4, 3))),
    "flow_down": ({"g": ((1, 0, 2), (0, 0, 0), (0, 0, 3), (0, 0, 0))}, ((1, 0, 2), (1, 0, 2), (1, 0, 3), (1, 0, 3))),
    "hole_count": (
        {"x": frozenset((3, (i, j)) for i in range(3) for j in range(5) if (i, j) not in {(1, 1), (1, 3)})},
        2,
    ),
    "holes": (
        {"x": frozenset((3, (i, j)) for i in range(2, 5) for j in range(2, 5) if (i, j) != (3, 3))},
        frozenset({(3, 3)}),
    ),
    "links": ({"p": frozenset({(0, 0), (0, 3), (5, 5)})}, frozenset({(0, 0), (0, 1), (0, 2), (0, 3), (5, 5)})),
    "main_color": ({"g": ((0, 2, 2), (0, 3, 0))}, 2),
    "rare_color": ({"g": ((0, 2, 2), (0, 3, 0))}, 3),
    "room_counts": ({"g": ROOMS}, (2, 2)),
}


@pytest.mark.parametrize("name", MEANINGS)
def test_operations_return_the_documented_values(name: str) -> None:
    arguments, expected = MEANINGS[name]
    assert OPERATIONS[name].program.evaluate(arguments) == expected
