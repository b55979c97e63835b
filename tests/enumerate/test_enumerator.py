"""Enumeration for tasks: results are correct, distinct, and the same in every run."""

import threading
from typing import Any

import pytest

from arcloom import load
from arcloom.dsl.signature import GRID, INDICES, OBJECT, Type, set_of, tuple_of
from arcloom.engine.columns import ConstantStore
from arcloom.engine.memory import borrowed
from arcloom.enumerate.compiled import hashing, overlays
from arcloom.enumerate.enumerator import VALUE_CLASSES as CLASS_LIST
from arcloom.enumerate.enumerator import EnumerationResult, Enumerator, Leaf, Operation, Problem
from arcloom.program.parse import parse
from arcloom.program.term import Input, Literal, Program

OPERATIONS = """
def turned(g):
    return rot90(g)


def mirrored(g):
    return vmirror(g)


def recoloured(g, c, d):
    return replace(g, c, d)


def beside(g, h):
    return hconcat(g, h)


def outlined(xs):
    return merge(xs)


def things(g):
    return objects(g, T, F, T)


def filled(g, c, x):
    return fill(g, c, x)
"""
VALUE_CLASSES = {"outlined": "object", "things": "objects"}


@pytest.fixture(scope="module")
def enumerator() -> Enumerator:
    return Enumerator([Operation(program, VALUE_CLASSES.get(program.name, "grid"), 1) for program in parse(OPERATIONS)])


GRIDS = [((1, 2), (0, 0)), ((3, 0), (4, 1)), ((5, 5), (0, 5))]


def enumerated(
    enumerator: Enumerator, answers: list[Any], grids: list[Any] = GRIDS, **limits: int
) -> EnumerationResult:
    colours = [Leaf(Literal(c, str(c)), "colour", 1, [c] * len(grids)) for c in (0, 1, 7)]
    settings: dict[str, Any] = {"tries": 20_000, "price": 5, "enough": 10} | limits
    leaves = [Leaf(Input("I"), "grid", 1, grids, "leaf"), *colours]
    with borrowed() as memory:
        return enumerator.enumerate(Problem(leaves, answers, **settings), memory)


def as_program(found: Any) -> Program:
    program = Program("found", ("I",), found.output)
    return program.with_lines(range(1, len(program) + 1))


def test_a_composition_is_found_and_solves_the_test(enumerator: Enumerator) -> None:
    wanted = [tuple(row[::-1] + row for row in grid) for grid in GRIDS]
    result = enumerated(enumerator, wanted[:2])
    assert result.solutions
    best = result.solutions[0]
    assert [tuple(map(tuple, grid.tolist())) for grid in best.grids] == wanted
    assert str(as_program(best)).count("hconcat") == 1


def test_expressions_have_the_same_grids_on_the_reference(enumerator: Enumerator) -> None:
    result = enumerated(enumerator, [((9, 9), (9, 9))] * 2, tries=500)
    assert len(result.nearest) > 20
    for found in result.nearest:
        program = as_program(found)
        for grid, given in zip(found.grids, GRIDS, strict=True):
            assert program.evaluate({"I": given}) == tuple(map(tuple, grid.tolist()))


def test_no_two_columns_are_the_same(enumerator: Enumerator) -> None:
    result = enumerated(enumerator, [((9, 9), (9, 9))], tries=2_000)
    columns = {tuple((grid.shape, grid.tobytes()) for grid in found.grids) for found in result.nearest}
    assert len(columns) == len(result.nearest)


def test_enumeration_is_deterministic(enumerator: Enumerator) -> None:
    first, second = (enumerated(enumerator, [((9, 9), (9, 9))], tries=1_000) for _ in range(2))
    assert (first.tried, first.evaluated, first.entries) == (second.tried, second.evaluated, second.entries)
    assert [str(as_program(found)) for found in first.nearest] == [str(as_program(found)) for found in second.nearest]


def test_limits_hold(enumerator: Enumerator) -> None:
    assert enumerated(enumerator, [((9, 9), (9, 9))], tries=10).tried == 10
    assert len(enumerated(enumerator, [GRIDS[0]], enough=1).solutions) == 1


def test_scores_are_thousandths_of_right_cells(enumerator: Enumerator) -> None:
    result = enumerated(enumerator, [((1, 2), (0, 9)), ((3, 0), (4, 1))])
    assert result.nearest[0].score == 750 + 1000
    assert str(as_program(result.nearest[0])).strip().endswith("return I")


def test_tasks_of_all_shapes_can_be_enumerated(enumerator: Enumerator) -> None:
    for task in list(load("arcagi:training"))[::40]:
        grids = [pair.input for pair in task.samples]
        result = enumerated(enumerator, [pair.output for pair in task.train], grids, tries=300)
        assert result.entries > 3


def test_a_cover_combines_partly_correct_grids(enumerator: Enumerator) -> None:
    """The solution draws the mirror image of the input on the input.

    It needs overlays, because no operation here does this.
    """
    mirrored = [tuple(row[::-1] for row in grid) for grid in GRIDS]
    wanted = [
        tuple(tuple(b or a for a, b in zip(*rows, strict=True)) for rows in zip(grid, image, strict=True))
        for grid, image in zip(GRIDS, mirrored, strict=True)
    ]
    result = enumerated(enumerator, wanted[:2], tries=100)
    assert result.solutions
    assert [tuple(map(tuple, grid.tolist())) for grid in result.solutions[0].grids] == wanted
    assert result.solutions[0].used.count("leaf") == 2
    for grid, given in zip(result.solutions[0].grids, GRIDS, strict=True):
        assert as_program(result.solutions[0]).evaluate({"I": given}) == tuple(map(tuple, grid.tolist()))


def test_overlay_operations_have_the_expected_value_classes() -> None:
    names = [value_class.name for value_class in CLASS_LIST[: overlays.COLOUR + 1]]
    assert names == ["grid", "object", "objects", "patch", "patches", "colour"]


VALUES: list[tuple[Any, Type]] = [
    (((1, 2), (3, 4)), GRID),
    (((1, 2, 3, 4),), GRID),
    (frozenset({(1, 2), (3, 4)}), INDICES),
    (frozenset({(1, (2, 3))}), OBJECT),
    (frozenset({frozenset({(1, (2, 3))}), frozenset({(1, (2, 4))})}), set_of(OBJECT)),
    ((((1,),), ((2,),)), tuple_of(GRID)),
    ((((1,),), ((1,),)), tuple_of(GRID)),
]


def hash_at(value: Any, type: Type, before: int) -> int:
    store = ConstantStore()
    store.words += [0] * before
    store.cells += bytes(before)
    word, description = store.value(value, type), store.type(type)
    words, cells, _, _ = store.contents()
    return int(hashing.hash_value(words, cells, description, word))


@pytest.mark.parametrize(("value", "type"), VALUES)
def test_equal_values_have_equal_hashes(value: Any, type: Type) -> None:
    assert hash_at(value, type, 0) == hash_at(value, type, 17)


def test_different_values_have_different_hashes() -> None:
    assert len({hash_at(value, type, 0) for value, type in VALUES}) == len(VALUES)


def test_an_additional_word_changes_a_hash() -> None:
    hashes = {int(hashing.mixed(1, k)) for k in range(-500, 500)}
    assert len(hashes) == 1000


def test_stop_ends_a_running_enumeration(enumerator: Enumerator) -> None:
    tries = 1_000_000_000
    for delay in (0.05, 0.2, 1.0, 5.0):  # on a busy machine, the enumeration may not have begun after a short delay
        result = stopped_after(delay, enumerator, tries)
        if result.tried:
            break
    assert 0 < result.tried < tries
    assert result.nearest and not result.solutions


def stopped_after(seconds: float, enumerator: Enumerator, tries: int) -> EnumerationResult:
    """The result of an enumeration that is stopped some seconds after its thread was started."""
    found: list[EnumerationResult] = []
    thread = threading.Thread(
        target=lambda: found.append(enumerated(enumerator, [((9, 9), (9, 9))] * 2, tries=tries, price=40))
    )
    thread.start()
    thread.join(seconds)
    while thread.is_alive():
        enumerator.stop()
        thread.join(0.05)
    return found[0]


def entries_with(body: str) -> int:
    """The number of entries of a bank, with an additional operation that has this body."""
    text = f"def first_one(g):\n    return {body}\n\n\n{OPERATIONS}"
    chosen = [Operation(program, VALUE_CLASSES.get(program.name, "grid"), 1) for program in parse(text)]
    return enumerated(Enumerator(chosen), [GRIDS[0]], price=4).entries


def test_the_limit_of_work_of_a_loop_applies_to_each_expression() -> None:
    assert entries_with("power(hmirror, 201)(g)") == entries_with("hmirror(g)")
