"""The operations of enumeration: each has types and does something, and some of them do just what they say."""

from functools import cache
from typing import Any

import pytest

from arcloom import load, run
from arcloom.dsl.signature import GRID, SAMPLES, coerces, type_of
from arcloom.engine.results import Results
from arcloom.program.parse import parse_one
from arcloom.search.operations import PARAMETERS, operations
from arcloom.tasks.task import Task

OPERATIONS = {operation.name: operation for operation in operations()}
TASKS = (
    *("6773b310", "6d75e8bb", "d8c310e9"),
    *("0520fde7", "794b24be", "a68b268e", "cce03e0d", "cf98881b", "d4469b4b"),
)
"""Tasks whose grids differ: figures, rooms, enclosed areas, a pattern, parts that lie over each other."""

MAKERS = {
    "h": "O = vmirror(g)",
    "gs": "O = vsplit(g, TWO)",
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
}
"""How the other arguments come from a grid."""


def demonstrations(task: Task) -> tuple[tuple[Any, Any], ...]:
    return tuple((pair.input, pair.output) for pair in task.train)


@cache
def samples() -> tuple[dict[str, Any], ...]:
    training = load("arcagi:training")
    made = {name: parse_one(text) for name, text in MAKERS.items()}
    grids = [{"g": training[id].train[0].input, "s": demonstrations(training[id])[:3]} for id in TASKS]
    return tuple(grid | {name: program.evaluate(grid) for name, program in made.items()} for grid in grids)


@cache
def outcomes(device: str) -> Results:
    return run([o.program for o in OPERATIONS.values()], samples(), inputs=PARAMETERS, device=device)


@pytest.mark.parametrize("name", OPERATIONS)
def test_operation_gives_what_it_declares(name: str) -> None:
    at, results = list(OPERATIONS).index(name), outcomes("reference")
    values = [results.output(at, s) for s in range(len(samples())) if results.failure(at, s) is None]
    types = [type_of(value) for value in values]
    assert values
    assert all(type is not None and coerces(type, OPERATIONS[name].result) for type in types)


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


def test_parameters_are_typed_by_their_names() -> None:
    operation = OPERATIONS["fill_enclosed"]
    assert operation.program.inputs == ("g", "c")
    assert operation.params == (GRID, PARAMETERS["c"])
    assert operation.result is GRID
    assert operation.theme == "grids"
    lesson = OPERATIONS["as_shown_by_halves"]
    assert (lesson.program.inputs, lesson.params, lesson.theme) == (("g", "s"), (GRID, SAMPLES), "lessons")


def test_costs_are_read_from_the_text() -> None:
    assert OPERATIONS["largest"].cost == 1
    assert OPERATIONS["second_largest"].cost == 2
    assert OPERATIONS["nth_largest"].cost == 3
    assert [o.cost for o in operations()] == sorted(o.cost for o in operations())


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
def test_operation_does_what_it_says(name: str) -> None:
    arguments, expected = MEANINGS[name]
    assert OPERATIONS[name].program.evaluate(arguments) == expected


LEARNT = {
    "as_shown_by_size_of_area": "6e82a1ae",
    "as_shown_by_square_of_area": "83302e8f",
    "as_shown_by_holes_of_area": "810b9b61",
    "as_shown_by_border_of_area": "00d62c1b",
    "as_shown_by_rank_of_figure": "08ed6ac7",
    "as_shown_by_surroundings_of_cell": "4258a5f9",
    "as_shown_by_cross_colors_of_cell": "23581191",
    "as_shown_by_halves": "94f9d214",
    "as_shown_by_thirds": "cf98881b",
    "as_shown_by_quarters": "a68b268e",
    "as_shown_by_product_in_any_colors": "007bbfb7",
    "as_shown_by_content_in_any_colors": "b94a9452",
    "answered_by_symmetries": "44f52bb0",
    "translated": "0d3d703e",
}


@pytest.mark.parametrize("name", LEARNT)
def test_what_demonstrations_show_holds_for_what_they_do_not_show(name: str) -> None:
    task = load("arcagi:training")[LEARNT[name]]
    grids = [{"g": pair.input, "s": demonstrations(task)} for pair in task.samples]
    results = run([OPERATIONS[name].program], grids, inputs=PARAMETERS)
    assert [results.output(0, k) for k in range(len(grids))] == [pair.output for pair in task.samples]


def test_a_demonstration_does_not_teach_itself() -> None:
    grid, other = ((0, 1), (0, 0)), ((0, 0), (2, 2))
    lesson = OPERATIONS["as_shown_by_size_of_area"].program
    alone = lesson.evaluate({"g": grid, "s": ((grid, ((0, 5), (0, 0))), (other, other))})
    assert alone == grid
    taught = lesson.evaluate({"g": grid, "s": ((grid, grid), (((1, 0), (0, 0)), ((5, 0), (0, 0))))})
    assert taught == ((0, 5), (0, 0))
